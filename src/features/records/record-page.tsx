// The page of a record: its fields, related records, and links to edit it.

import type { VNode } from 'preact'

import type { Format } from '../../formats/serializer.js'
import type { Iris, ResourceName } from '../../model/iris.js'
import type { Field, Resources } from '../../model/resources.js'
import {
  type Reference,
  type ResolvedRecord,
  type ViewName,
  isPrivate,
  isVisible,
} from '../../model/record/views.js'
import { listValue, textValue } from '../../model/record/values.js'
import { sizeFor, sizePath } from '../pictures/addresses.js'
import { type Picture, isPictured, publicCover } from '../pictures/picture.js'
import {
  type ContentAdvice,
  BehindAdvice,
  ContentAdviceBox,
  contentAdviceOf,
} from '../pictures/content-advice.js'
import { PictureGallery, altOf } from '../pictures/picture-views.js'
import { type Covers, DrawnCoverFigure, SmallCover } from '../covers/cover.js'
import { KeepPlace } from '../my-list/keep-place.js'
import type { Places } from '../../model/places.js'
import type { SeriesListing } from '../../model/series-details.js'
import { Citation, Coins } from '../citations/citation.js'
import {
  citationsPath,
  editingLinks,
  hostOf,
  listPath,
  queryWithout,
  requestPath,
  withParameters,
  seriesPath,
} from '../../views/links.js'
import { Layout, type PageContext } from '../../views/layout.js'
import { ApiRequest, FormatMenu } from '../../views/components/api-request.js'
import {
  RecordSummary,
  languageOf,
  recordHeading,
  titleWithIssue,
} from '../../views/components/record-summary.js'
import type { HiddenState } from '../../catalogue/hidden-reads.js'
import type { ListOfEditors } from '../../catalogue/lists/curated-list-reads.js'
import { NoticeBox } from '../../views/form-layout.js'
import {
  type PathOfText,
  FieldValueLine,
  FieldValues,
  Time,
  textsIn,
} from '../../views/components/field-value.js'
import { SimilarBox } from '../similar/similar-box.js'
import type { SimilarZine } from '../similar/similar-zines.js'
import { OnLists } from './on-lists.js'
import { Count, WhereToRead } from './where-to-read.js'
import { kindTitle, labelled, message, numberText, plural, rich, t } from '../../views/translate.js'

/** Records that refer to this one: some of them, and the address of the list of all. */
export type RelatedRecords = {
  /** That of its box on the page. */
  readonly id: string
  readonly title: string
  readonly path: string
  readonly count: number
  readonly records: readonly ResolvedRecord[]
  /** Set if these are the first page of the list, whose other pages are linked to. */
  readonly isFirstPage?: true
  /** The same page with another order of the records. */
  readonly orders: readonly OrderLink[]
}

type OrderLink = { readonly label: string; readonly path: string; readonly isCurrent: boolean }

/** A link in the head of a page. */
type HeadLink = {
  readonly relation: string
  readonly target: string
  readonly type?: string
}

export type RecordPageProps = {
  readonly context: PageContext
  readonly record: ResolvedRecord
  readonly resources: Resources
  /** The view of the record that the visitor may see. */
  readonly view: ViewName
  /** The IRI of the thing that the record describes. */
  readonly thing: string
  readonly iris: Iris
  readonly related: readonly RelatedRecords[]
  /** The lists of editors that it is in. */
  readonly lists: readonly ListOfEditors[]
  /** Those that the visitor may see, the cover first. */
  readonly pictures: readonly Picture[]
  readonly covers: Covers
  /**
   * What programs find the record's author, licence and metadata by; also in the headers, as far as
   * there is room.
   */
  readonly links: readonly HeadLink[]
  /** The copies of a zine; none for other records. */
  readonly holdings: readonly ResolvedRecord[]
  /** The code of the country that the reader chose; empty for none. */
  readonly near: string
  /** The series that it is one of several issues of. */
  readonly series: readonly Omit<SeriesListing, 'maker'>[]
  readonly similar: readonly SimilarZine[]
  readonly places: Places
  readonly mayWrite: boolean
  /** The lists that editors make. */
  readonly mayEditLists: boolean
  /** Why the public does not see the record. */
  readonly hidden: HiddenState | undefined
  readonly pathOf: PathOfText
  /** Whether the account may add a holding of the zine. */
  readonly mayAddHolding: boolean
  readonly formats: readonly Format[]
  /** The API's JSON for the same address. */
  readonly json: string
  /** The record in schema.org, without its pictures. */
  readonly schemaOrg: object
}

export const RecordPage = (props: RecordPageProps) => {
  const { record, resources, links } = props
  const title = recordHeading(record, resources)
  const advice = contentAdviceOf(record, resources)
  const context = withoutChoices(props.context)
  const Body = bodies[record.resource.name]
  return (
    <Layout
      context={props.context}
      title={title}
      scripts={['cite.js']}
      head={
        <>
          <Citation {...props} />
          <ShareTags {...props} title={title} advice={advice} />
          {links.map(({ relation, target, type }) => (
            <link key={relation + target} rel={relation} href={target} type={type} />
          ))}
        </>
      }
    >
      <article class="record">
        <Body {...props} context={context} advice={advice} />
        <ApiRequest context={context} json={props.json} />
      </article>
    </Layout>
  )
}

/** The context of links to data, which are the same whatever a reader chose. */
const withoutChoices = (context: PageContext): PageContext => ({
  ...context,
  query: queryWithout(context.query, 'near'),
})

type AdvisedProps = { readonly advice: ContentAdvice | undefined }

type BodyProps = RecordPageProps & AdvisedProps

/**
 * What readers look for comes first: what the zine is, who made it and when, where to read it, and
 * how to cite it.
 */
const ZineBody = (props: BodyProps) => {
  const { context, record, resources, holdings, near, series, formats, advice } = props
  const [cover, ...others] = props.pictures
  return (
    <>
      {props.hidden && <HiddenBox hidden={props.hidden} />}
      <ContentAdviceBox advice={advice} />
      <div class="zine">
        <div class="record-cover">
          <Cover {...props} cover={cover} />
        </div>
        <div class="essentials">
          <Heading {...props} />
          <Byline {...props} />
          <WhereToRead {...{ holdings, resources, near }} path={context.path} />
          <div class="take">
            <CiteLink {...props} />
            <FormatMenu context={context} formats={formats} />
            {!props.hidden && <KeepPlace record={{ ...record, holdings }} resources={resources} />}
          </div>
          <Actions {...props} />
        </div>
        <div>
          <Fields {...props} fields={zineFields(props)} />
          <OtherIssues series={series} />
          <OtherPictures {...props} pictures={others} />
          <StaffBox {...props} />
          <RecordDates {...props} />
          <OnLists lists={props.lists} />
          <RequestLink {...props} />
          <SimilarBox {...props} zines={props.similar} />
        </div>
      </div>
    </>
  )
}

/** The pages of makers and libraries are mainly what they made and have. */
const ListBody = (props: BodyProps) => {
  const { context, record, resources, related, covers, formats } = props
  const { name } = record.resource
  const on = { target: name, id: idOf(record) }
  const lead = leadOf(record)
  const list = (
    <section key="list" aria-label={t('Related records')}>
      {shownRelations(related).map((relation) => (
        <RelatedBox key={relation.title} related={relation} on={on} {...{ resources, covers }} />
      ))}
      <FormatMenu context={context} formats={formats} />
    </section>
  )
  const fields = (
    <div key="fields">
      <Fields {...props} fields={visibleFields(props).filter((field) => field !== lead)} />
      <StaffBox {...props} />
      <RecordDates {...props} />
      <OnLists lists={props.lists} />
      <RequestLink {...props} />
    </div>
  )
  return (
    <>
      <Head {...props} />
      {lead && (
        <div class="lead">
          <FieldValues field={lead} {...{ record, resources }} />
        </div>
      )}
      {/* On a phone, who comes to a library looks for its address, and who comes to a maker for zines. */}
      <div class="with-side right list-first">
        {name === 'agents' ? [list, fields] : [fields, list]}
      </div>
    </>
  )
}

/** A longer text stays a field: it would keep the list from the first screen. */
const maxLeadLength = 400

/** What a maker or a library says of itself in few words. */
const leadOf = ({ resource, values }: ResolvedRecord): Field | undefined =>
  ['biography', 'description']
    .filter((name) => textValue(values, name) !== '')
    .filter((name) => textValue(values, name).length <= maxLeadLength)
    .map((name) => resource.byName.get(name))[0]

const HoldingBody = (props: BodyProps) => {
  const { context, record, resources, formats, pictures, advice } = props
  return (
    <>
      <Head {...props} />
      <ContentAdviceBox advice={advice} />
      <div class={pictures.length > 0 ? 'with-side right with-cover' : undefined}>
        {pictures.length > 0 && (
          <div class="record-cover">
            <BehindAdvice advice={advice}>
              <PictureGallery
                {...{ pictures, resources }}
                title={recordHeading(record, resources)}
              />
            </BehindAdvice>
          </div>
        )}
        <div>
          <Fields {...props} fields={visibleFields(props)} />
          <div class="take">
            <CiteLink {...props} />
            <FormatMenu context={context} formats={formats} />
          </div>
          <StaffBox {...props} />
          <RecordDates {...props} />
          <OnLists lists={props.lists} />
          <RequestLink {...props} />
        </div>
      </div>
    </>
  )
}

/** The heading, what may be done with the record, and whether others see it. */
const Head = (props: RecordPageProps) => (
  <>
    <div class="page-head">
      <Heading {...props} />
      <Actions {...props} />
    </div>
    {props.hidden && <HiddenBox hidden={props.hidden} />}
  </>
)

const bodies: Readonly<Record<ResourceName, (props: BodyProps) => VNode>> = {
  zines: ZineBody,
  agents: ListBody,
  repositories: ListBody,
  holdings: HoldingBody,
}

const idOf = ({ resource, values }: ResolvedRecord): string => textValue(values, resource.id.name)

/** A title of more characters is set smaller, so that what follows it is not far below. */
const longTitle = 80

const Heading = (props: RecordPageProps) => {
  const { record, resources } = props
  const { name } = record.resource
  const title = titleWithIssue(record, resources)
  const copy = recordHeading(record, resources).slice(title.length)
  return (
    <header>
      <p class="kicker">
        <a href={listPath(name)}>{kindTitle(name)}</a>
      </p>
      <div class="name">
        <h1
          class={title.length > longTitle ? 'long' : 'short'}
          dir="auto"
          lang={copy === '' ? languageOf(record) : undefined}
        >
          {copy === '' ? (
            title
          ) : (
            <>
              <bdi lang={languageOf(record)}>{title}</bdi>
              {copy}
            </>
          )}
        </h1>
        <Pronouns record={record} />
      </div>
      <Coins {...props} />
    </header>
  )
}

/** So many makers are named above the fields; where there are more, they are a field too. */
const maxNamedMakers = 6

/** Who made a zine, and when. */
const Byline = ({ record, resources }: RecordPageProps) => {
  const { byName } = record.resource
  const [makers, dates] = [byName.get('creator'), byName.get('date')]
  const hasValues = (field: Field | undefined): field is Field =>
    field !== undefined && textsIn(field, record.values).length > 0
  return (
    <>
      {hasValues(makers) && (
        <p class="byline">
          {rich('by {makers}', {
            makers: (
              <FieldValueLine field={makers} {...{ record, resources }} limit={maxNamedMakers} />
            ),
          })}
        </p>
      )}
      {hasValues(dates) && (
        <p class="dates">
          <FieldValueLine field={dates} {...{ record, resources }} />
        </p>
      )}
    </>
  )
}

/** What programs and the staff know the record by, and when it was written. */
const RecordDates = ({ record: { resource, values }, thing }: RecordPageProps) => (
  <p class="made">
    {t(resource.id.label)} <code>{textValue(values, resource.id.name)}</code>
    {' · '}
    {rich('created {date}', { date: <Time value={textValue(values, 'created_at')} /> })}
    {' · '}
    {rich('updated {date}', { date: <Time value={textValue(values, 'updated_at')} /> })}
    {' · '}
    <a href={thing}>{t('permanent address')}</a>
    <TakenFrom address={textValue(values, 'derived_from')} />
  </p>
)

const Fields = ({
  record,
  resources,
  pathOf,
  fields,
}: RecordPageProps & { readonly fields: readonly Field[] }) => (
  <dl class="fields">
    {fields.map((field) => (
      <div key={field.name}>
        <dt>
          {t(field.label)}
          {isMarked(field, record) && (
            <>
              {' '}
              <span class="private">{t('not public')}</span>
            </>
          )}
        </dt>
        <dd>
          <FieldValues {...{ field, record, resources, pathOf }} />
        </dd>
      </div>
    ))}
  </dl>
)

/** Whether a field is marked as not public. What is for the staff stands in a box that says so. */
const isMarked = (field: Field, { values }: ResolvedRecord): boolean =>
  field.private !== 'always' && isPrivate(field, values)

/** What only those see who may edit the record. */
const StaffBox = (props: RecordPageProps) => {
  const { record, view } = props
  const fields = record.resource.fields.filter(
    (field) => field.private === 'always' && isVisible(field, record.values, view),
  )
  return fields.length === 0 ? null : (
    <section class="staff">
      <h2>{t('For staff')}</h2>
      <Fields {...props} fields={fields} />
    </section>
  )
}

/** What other sites show of a link to the page (Open Graph). */
const ShareTags = ({
  context: { origin, siteName },
  thing,
  title,
  pictures,
  advice,
}: RecordPageProps & AdvisedProps & { readonly title: string }) => {
  // Other sites would show the cover to people who did not ask for it.
  const cover = advice ? undefined : publicCover(pictures)
  const size = cover && sizeFor(cover, 800)
  const tags: readonly (readonly [property: string, content: string])[] = [
    ['og:site_name', siteName],
    ['og:type', 'article'],
    ['og:title', title],
    ['og:url', thing],
    ...(cover && size
      ? ([
          ['og:image', origin + sizePath(cover, size)],
          ['og:image:type', 'image/jpeg'],
          ['og:image:width', String(size.width)],
          ['og:image:height', String(size.height)],
          ['og:image:alt', altOf(cover, pictures.indexOf(cover), title)],
        ] as const)
      : []),
  ]
  return (
    <>
      {tags.map(([property, content]) => (
        <meta key={property} property={property} content={content} />
      ))}
    </>
  )
}

/** The first picture of a zine; a drawn cover where there is none to show, which says so. */
const Cover = ({
  record,
  resources,
  cover,
  advice,
}: BodyProps & { readonly cover: Picture | undefined }) => (
  <>
    {(cover === undefined || cover.sizes.length === 0) && <DrawnCoverFigure record={record} />}
    {cover && (
      <BehindAdvice advice={advice}>
        <PictureGallery
          pictures={[cover]}
          title={recordHeading(record, resources)}
          resources={resources}
        />
      </BehindAdvice>
    )}
  </>
)

const OtherPictures = ({ record, resources, pictures, advice }: BodyProps) =>
  pictures.length === 0 ? null : (
    <div class="record-cover others">
      <BehindAdvice advice={advice}>
        <PictureGallery
          {...{ pictures, resources }}
          title={recordHeading(record, resources)}
          first={1}
        />
      </BehindAdvice>
    </div>
  )

/** The pronouns of an agent, next to the name. */
const Pronouns = ({ record: { resource, values } }: { readonly record: ResolvedRecord }) => {
  const pronouns = resource.name === 'agents' ? listValue(values, 'pronouns') : []
  return pronouns.length === 0 ? null : (
    <p class="pronouns" dir="auto">
      {pronouns.join(', ')}
    </p>
  )
}

/** What those may do with the record who may write it, or a holding of it. */
const Actions = ({ record, mayWrite, mayAddHolding, mayEditLists }: RecordPageProps) => {
  const { name } = record.resource
  const id = idOf(record)
  const links: readonly (readonly [label: string, address: string])[] = [
    ...(mayWrite ? [[t('Edit'), editingLinks.edit(name, id)] as const] : []),
    ...(mayAddHolding ? [[t('Add a copy'), editingLinks.addHolding(id)] as const] : []),
    ...(mayWrite
      ? [
          [t('Create a similar record'), editingLinks.similar(name, id)] as const,
          ...(mayEditLists
            ? [[t('Add to a list'), editingLinks.addToList(name, id)] as const]
            : []),
          ...(isPictured(name) ? [[t('Pictures'), editingLinks.pictures(name, id)] as const] : []),
          [t('History'), editingLinks.history(name, id)] as const,
          [t('Merge into another'), editingLinks.merge(name, id)] as const,
          [t('Hide or show'), editingLinks.visibility(name, id)] as const,
          [t('Delete'), editingLinks.remove(name, id)] as const,
        ]
      : []),
  ]
  if (links.length === 0) return null
  return (
    <p class="actions">
      {links.map(([label, address], index) => (
        <a key={label} class={index === 0 ? 'button' : 'button quiet'} href={address}>
          {label}
        </a>
      ))}
    </p>
  )
}
/** Tells editors that nobody else sees the record. */
const HiddenBox = ({ hidden: { visibility, reason, since } }: { readonly hidden: HiddenState }) => (
  <NoticeBox
    notice={{
      tone: 'look',
      text: (
        <>
          <p>
            {visibility === 'public'
              ? t('Only editors see this copy, since its zine or its library is hidden.')
              : visibility === 'draft'
                ? t('A draft: only editors see this record.')
                : t('Hidden: only editors see this record.')}{' '}
            <Time value={since} />
          </p>
          {reason !== '' && <p dir="auto">{reason}</p>}
        </>
      ),
    }}
  />
)

const OtherIssues = ({ series }: Pick<RecordPageProps, 'series'>) =>
  series.length === 0 ? null : (
    <section class="related">
      <h2>{t('Series')}</h2>
      <ul class="values">
        {series.map(({ slug, title, issueCount }) => (
          <li key={slug}>
            <a href={seriesPath(slug)}>
              {plural(issueCount, 'All {count} issue of {title}', 'All {count} issues of {title}', {
                title,
              })}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )

/** What leads to the form for requests, from the pages of records that people ask to change. */
const requestLabels: Partial<Record<ResourceName, string>> = {
  agents: message('Is this you? Ask us to correct, hide or remove it'),
  zines: message('Ask for a change: correct it, hide my name, remove it'),
}

/** What leads to the citations of a zine or a copy; the script shows them here. */
const CiteLink = ({ record }: RecordPageProps) => {
  const { name } = record.resource
  return name === 'zines' || name === 'holdings' ? (
    <p data-cite>
      <a class="button quiet" href={citationsPath(name, idOf(record))}>
        {t('Cite')}
      </a>
    </p>
  ) : null
}

/** The record of another catalogue that this one was made from. */
const TakenFrom = ({ address }: { readonly address: string }) =>
  address === '' ? null : (
    <>
      {' · '}
      {rich('taken from {source}', {
        source: (
          <a href={address} rel="nofollow">
            {hostOf(address)}
          </a>
        ),
      })}
    </>
  )

const RequestLink = ({ record }: RecordPageProps) => {
  const { name } = record.resource
  const label = requestLabels[name]
  return label === undefined ? null : (
    <p class="made" data-needs-service>
      <a href={requestPath(name, idOf(record))} rel="nofollow">
        {t(label)}
      </a>
    </p>
  )
}

/** Shown above all others. */
const adviceFields: readonly string[] = ['content_advice', 'content_advice_note']

/** The fields to show: those with a value, without title, identifier and times. */
const visibleFields = ({ record: { resource, values }, view, mayWrite }: RecordPageProps) =>
  resource.fields.filter(
    (field) =>
      field !== resource.id &&
      field !== resource.title &&
      !field.onRecordNode &&
      field.private !== 'always' &&
      !adviceFields.includes(field.name) &&
      (mayWrite || !field.editorial) &&
      isVisible(field, values, view) &&
      textsIn(field, values).length > 0,
  )

/** The fields of a zine that its head does not show whole, what it is about first. */
function zineFields(props: RecordPageProps): readonly Field[] {
  const { resource, values } = props.record
  const isMakersWhole = listValue(values, 'creator').length <= maxNamedMakers
  const inHead = new Set([
    resource.summary.subtitle?.name,
    'date',
    ...(isMakersWhole ? ['creator'] : []),
  ])
  const fields = visibleFields(props).filter(({ name }) => !inHead.has(name))
  const placeOf = ({ name }: Field): number => {
    const place = firstFields.indexOf(name)
    return place < 0 ? firstFields.length : place
  }
  return fields.sort((a, b) => placeOf(a) - placeOf(b))
}

const firstFields: readonly string[] = ['subject', 'genre', 'abstract', 'creator']

/**
 * The relations that have records; the first of them, which says that there are none, where none
 * has.
 */
const shownRelations = (related: readonly RelatedRecords[]): readonly RelatedRecords[] => {
  const filled = related.filter(({ count }) => count > 0)
  return filled.length > 0 ? filled : related.slice(0, 1)
}

/** @param on the record on whose page the box is, where it is on that of a record */
export const RelatedBox = ({
  related: { id, title, path, count, records, isFirstPage, orders },
  on,
  resources,
  covers,
}: {
  readonly related: RelatedRecords
  readonly on?: Reference
  readonly resources: Resources
  readonly covers: Covers
}) => (
  <section class="related" id={id}>
    <h2>
      {t(title)} <Count of={count} />
    </h2>
    {count === 0 && <p class="none">{t('None in the catalogue.')}</p>}
    {orders.length > 0 && <OrderLinks title={title} orders={orders} />}
    <ul class="records">
      {records.map((record) => (
        <li key={textValue(record.values, record.resource.id.name)}>
          {on?.target !== 'zines' && <SmallCover {...{ record, resources, covers }} />}
          <RecordSummary record={record} resources={resources} {...(on && { on })} />
          <KeepPlace record={record} resources={resources} />
        </li>
      ))}
    </ul>
    {count > records.length &&
      (isFirstPage && records.length > 0 ? (
        <OtherPages {...{ title, path }} last={Math.ceil(count / records.length)} />
      ) : (
        <p>
          <a href={path}>{t('All {count}', { count: numberText(count) })}</a>
        </p>
      ))}
  </section>
)

const OrderLinks = ({ title, orders }: Pick<RelatedRecords, 'title' | 'orders'>) => (
  <nav class="orders" data-needs-service aria-label={labelled(t('Order'), t(title))}>
    <ul>
      {orders.map(({ label, path, isCurrent }) => (
        <li key={path}>
          <a href={path} aria-current={isCurrent ? 'true' : undefined} rel="nofollow">
            {t(label)}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

/** Links from the first page of a list, which is part of another page, to the pages of the list. */
const OtherPages = ({
  title,
  path,
  last,
}: {
  readonly title: string
  readonly path: string
  readonly last: number
}) => (
  <nav class="pager" aria-label={t('Pages: {title}', { title: t(title) })}>
    <span>{t('Page {number} of {last}', { number: numberText(1), last: numberText(last) })}</span>
    <a rel="next" href={pageOfList(path, 2)}>
      {t('Next →')}
    </a>
    {last > 2 && <a href={pageOfList(path, last)}>{t('Last')}</a>}
    <a href={path}>{t('Search and filter')}</a>
  </nav>
)

const pageOfList = (path: string, page: number): string => {
  const [list = '', query = ''] = path.split('?')
  return withParameters(list, query, { page: String(page) })
}
