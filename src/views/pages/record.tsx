// A record: all that it says, what it leads to, and what can be done with it.

import type { Format } from '../../formats/serializer.js'
import type { ResourceName } from '../../model/iris.js'
import type { Resource, Resources } from '../../model/resources.js'
import { type Sheet, type View, isOpen } from '../../model/record/views.js'
import { textOf } from '../../model/record/values.js'
import { Citation, Coins } from '../components/citation.js'
import { desk, listPath, titled } from '../links.js'
import { Page, type Visit } from '../layout.js'
import { Formats, Request } from '../components/api-request.js'
import { Summary, nameOf } from '../components/record-summary.js'
import { Time, Values, textsIn } from '../components/field-value.js'

/** Records that name this one: some of them, and the list of all. */
export type Related = {
  readonly title: string
  readonly path: string
  readonly count: number
  readonly sheets: readonly Sheet[]
}

export type Recorded = {
  readonly visit: Visit
  readonly sheet: Sheet
  readonly resources: Resources
  /** What the visitor may see of it. */
  readonly view: View
  /** The thing's own IRI. */
  readonly thing: string
  readonly related: readonly Related[]
  readonly mayWrite: boolean
  readonly formats: readonly Format[]
  /** What the API answers. */
  readonly json: string
}

export const RecordPage = (recorded: Recorded) => {
  const { visit, sheet, resources, view, thing, related, mayWrite, formats, json } = recorded
  const { resource, card } = sheet
  const title = nameOf(sheet, resources)
  const id = textOf(card, resource.id.name)
  return (
    <Page visit={visit} title={title} head={<Citation {...{ sheet, resources, thing }} />}>
      <article class="record">
        <header class="page-head">
          <div>
            <p class="kicker">
              <a href={listPath(resource.name)}>{titled(resource.name)}</a>
            </p>
            <h1>{title}</h1>
            <Coins {...{ sheet, resources, thing }} />
          </div>
          {mayWrite && (
            <p class="actions">
              <a class="button" href={desk.edit(resource.name, id)}>
                Edit
              </a>
              <a class="button quiet" href={desk.remove(resource.name, id)}>
                Delete
              </a>
            </p>
          )}
        </header>
        <div class="with-side right">
          <div>
            <dl class="fields">
              {fieldsOf(resource, sheet, view).map((field) => (
                <div key={field.name}>
                  <dt>
                    {field.label}
                    {field.private && card.public === false && (
                      <span class="private"> not public</span>
                    )}
                  </dt>
                  <dd>
                    <Values {...{ field, sheet, resources }} />
                  </dd>
                </div>
              ))}
            </dl>
            <p class="made">
              {resource.id.label} <code>{id}</code>
              {' · '}created <Time value={textOf(card, 'created_at')} />
              {' · '}updated <Time value={textOf(card, 'updated_at')} />
              {' · '}
              <a href={thing}>permanent address</a>
            </p>
          </div>
          <aside aria-label="Related records">
            {related.map((one) => (
              <RelatedBox key={one.title} related={one} on={resource.name} resources={resources} />
            ))}
            <Formats visit={visit} formats={formats} />
          </aside>
        </div>
        <Request visit={visit} json={json} />
      </article>
    </Page>
  )
}

/** What the record says beyond its name, its identifier and its times. */
const fieldsOf = (resource: Resource, { card }: Sheet, view: View) =>
  resource.fields.filter(
    (field) =>
      field !== resource.id &&
      field !== resource.title &&
      !field.ofRecord &&
      isOpen(field, card, view) &&
      textsIn(field, card).length > 0,
  )

/** @param on the record whose page it stands on, where it is one's */
export const RelatedBox = ({
  related: { title, path, count, sheets },
  on,
  resources,
}: {
  readonly related: Related
  readonly on?: ResourceName
  readonly resources: Resources
}) => (
  <section class="related">
    <h2>
      {title} <span class="count">{count.toLocaleString('en')}</span>
    </h2>
    {count === 0 && <p class="none">None in the catalogue.</p>}
    <ul class="records">
      {sheets.map((sheet) => (
        <li key={textOf(sheet.card, sheet.resource.id.name)}>
          <Summary sheet={sheet} resources={resources} {...(on && { on })} />
        </li>
      ))}
    </ul>
    {count > sheets.length && (
      <p>
        <a href={path}>All {count.toLocaleString('en')}</a>
      </p>
    )}
  </section>
)
