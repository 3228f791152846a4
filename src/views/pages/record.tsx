// A record: all that it says, what it leads to, and what can be done with it.

import type { Format } from '../../formats/serializer.js'
import type { ResourceName } from '../../model/iris.js'
import type { Resource, Resources } from '../../model/resources.js'
import { type ResolvedRecord, type ViewName, isVisible } from '../../model/record/views.js'
import { textValue } from '../../model/record/values.js'
import { Citation, Coins } from '../components/citation.js'
import { editingLinks, listPath, titleCase } from '../links.js'
import { Layout, type PageContext } from '../layout.js'
import { FormatLinks, ApiRequest } from '../components/api-request.js'
import { RecordSummary, recordTitle } from '../components/record-summary.js'
import { Time, FieldValues, textsIn } from '../components/field-value.js'

/** Records that name this one: some of them, and the list of all. */
export type RelatedRecords = {
  readonly title: string
  readonly path: string
  readonly count: number
  readonly records: readonly ResolvedRecord[]
}

export type RecordPageProps = {
  readonly visit: PageContext
  readonly record: ResolvedRecord
  readonly resources: Resources
  /** What the visitor may see of it. */
  readonly view: ViewName
  /** The thing's own IRI. */
  readonly thing: string
  readonly related: readonly RelatedRecords[]
  readonly mayWrite: boolean
  readonly formats: readonly Format[]
  /** What the API answers. */
  readonly json: string
}

export const RecordPage = (recorded: RecordPageProps) => {
  const { visit, record, resources, view, thing, related, mayWrite, formats, json } = recorded
  const { resource, values } = record
  const title = recordTitle(record, resources)
  const id = textValue(values, resource.id.name)
  return (
    <Layout visit={visit} title={title} head={<Citation {...{ record, resources, thing }} />}>
      <article class="record">
        <header class="page-head">
          <div>
            <p class="kicker">
              <a href={listPath(resource.name)}>{titleCase(resource.name)}</a>
            </p>
            <h1>{title}</h1>
            <Coins {...{ record, resources, thing }} />
          </div>
          {mayWrite && (
            <p class="actions">
              <a class="button" href={editingLinks.edit(resource.name, id)}>
                Edit
              </a>
              <a class="button quiet" href={editingLinks.remove(resource.name, id)}>
                Delete
              </a>
            </p>
          )}
        </header>
        <div class="with-side right">
          <div>
            <dl class="fields">
              {fieldsOf(resource, record, view).map((field) => (
                <div key={field.name}>
                  <dt>
                    {field.label}
                    {field.private && values.public === false && (
                      <span class="private"> not public</span>
                    )}
                  </dt>
                  <dd>
                    <FieldValues {...{ field, record, resources }} />
                  </dd>
                </div>
              ))}
            </dl>
            <p class="made">
              {resource.id.label} <code>{id}</code>
              {' · '}created <Time value={textValue(values, 'created_at')} />
              {' · '}updated <Time value={textValue(values, 'updated_at')} />
              {' · '}
              <a href={thing}>permanent address</a>
            </p>
          </div>
          <aside aria-label="Related records">
            {related.map((one) => (
              <RelatedBox key={one.title} related={one} on={resource.name} resources={resources} />
            ))}
            <FormatLinks visit={visit} formats={formats} />
          </aside>
        </div>
        <ApiRequest visit={visit} json={json} />
      </article>
    </Layout>
  )
}

/** What the record says beyond its name, its identifier and its times. */
const fieldsOf = (resource: Resource, { values }: ResolvedRecord, view: ViewName) =>
  resource.fields.filter(
    (field) =>
      field !== resource.id &&
      field !== resource.title &&
      !field.onRecordNode &&
      isVisible(field, values, view) &&
      textsIn(field, values).length > 0,
  )

/** @param on the record whose page it stands on, where it is one's */
export const RelatedBox = ({
  related: { title, path, count, records },
  on,
  resources,
}: {
  readonly related: RelatedRecords
  readonly on?: ResourceName
  readonly resources: Resources
}) => (
  <section class="related">
    <h2>
      {title} <span class="count">{count.toLocaleString('en')}</span>
    </h2>
    {count === 0 && <p class="none">None in the catalogue.</p>}
    <ul class="records">
      {records.map((record) => (
        <li key={textValue(record.values, record.resource.id.name)}>
          <RecordSummary record={record} resources={resources} {...(on && { on })} />
        </li>
      ))}
    </ul>
    {count > records.length && (
      <p>
        <a href={path}>All {count.toLocaleString('en')}</a>
      </p>
    )}
  </section>
)
