// The page of a record: the record, and the first of the records that refer to it. How it looks is
// left to features/records/record-page.tsx.

import type { Context } from 'koa'

import { message } from '../../message.js'
import { mayWrite } from '../../accounts/rights.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { schemaOrgDocument } from '../../formats/other-vocabularies/schema-org-document.js'
import type { Serializers } from '../../formats/serializers.js'
import type { Iris, ResourceName } from '../../model/iris.js'
import type { FindPlace } from '../../model/place-names.js'
import type { Places } from '../../model/places.js'
import { type RecordValues, textValue } from '../../model/record/values.js'
import type { Reference } from '../../model/record/views.js'
import type { SeriesListing } from '../../model/series-details.js'
import { seriesOf } from '../../model/series.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import type { Resource, Resources } from '../../model/resources.js'
import type { Pictures } from '../pictures/pictures.js'
import type { PathOfText } from '../../views/components/field-value.js'
import { findSimilarZines } from '../similar/similar-zines.js'
import { placePath, seriesPath } from '../../views/links.js'
import { chooseCountry } from './reader-country.js'
import { RecordPage, type RelatedRecords } from './record-page.js'
import type { Handler } from '../../http/context.js'
import { firstPageQuery, recordIdParam } from '../../http/request/list-query.js'
import {
  mayEditLists,
  readFor,
  viewFor,
  visiblePictures,
} from '../../http/request/record-rights.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'
import { signpostsOf } from '../../http/response/signposting.js'
import { editorialNames, withoutMembers } from './editorial-fields.js'
import { requireJsonSerializer } from './json-serializer.js'
import { relatedRecordsFor } from './related-records.js'

export type RecordPageDependencies = {
  readonly iris: Iris
  readonly assets: AssetUrls
  readonly catalogue: Catalogue
  readonly pictures: Pictures
  readonly serializers: Serializers
  readonly resources: Resources
  readonly findPlace: FindPlace
  readonly places: Places
  /** The URL of the licence of the data. */
  readonly license: string
}

export function recordPage(dependencies: RecordPageDependencies, resource: Resource): Handler {
  const { iris, assets, catalogue, pictures, serializers, resources, license } = dependencies
  const { name } = resource
  const pathOf = linkTexts(dependencies)
  return async (ctx) => {
    const id = recordIdParam(ctx)
    const reference = { target: name, id }
    const account = ctx.state.session?.account
    const view = await viewFor(catalogue, account, reference)
    const snapshot = await readFor(catalogue, account, reference, view)
    const { record } = snapshot
    const [{ holdings = [] } = record] = await catalogue.withHoldings([record])
    const related = await findRelated(ctx, dependencies, reference)
    const isWriter = view === 'private'
    const seesAllLists = mayEditLists(account)
    const json = requireJsonSerializer(serializers, name).record(record)
    const links = signpostsOf({ iris, record, license, items: digitalCopies(holdings) })
    ctx.state.links = links
    const page = (
      <RecordPage
        context={pageContext(ctx, assets)}
        record={record}
        resources={resources}
        view={view}
        thing={iris.thing(name, id).value}
        iris={iris}
        pictures={await visiblePictures(catalogue, account, reference, pictures.list(reference))}
        covers={pictures}
        series={name === 'zines' ? await findSeries(catalogue, record.values) : []}
        pathOf={pathOf}
        holdings={holdings}
        near={chooseCountry(ctx, resources)}
        similar={name === 'zines' ? await findSimilarZines(dependencies, record) : []}
        places={dependencies.places}
        related={related}
        lists={await catalogue.curatedListsWith(reference, { seesAllLists })}
        links={links}
        mayWrite={isWriter}
        hidden={snapshot.hidden}
        mayAddHolding={name === 'zines' && account !== undefined && mayWrite(account, 'holdings')}
        mayEditLists={seesAllLists}
        formats={serializers[name]}
        json={isWriter ? json : withoutMembers(json, editorialNames(resource))}
        schemaOrg={schemaOrgDocument(dependencies, record)}
      />
    )
    sendPage(ctx, page, 200, { version: snapshot.version })
  }
}

/** A place of publication leads to the place that it names, and a series to its issues. */
const linkTexts =
  ({ findPlace }: RecordPageDependencies): PathOfText =>
  ({ name }, text) => {
    if (name === 'series_title') {
      const [series] = seriesOf({ series_title: [text] })
      return series && seriesPath(series.slug)
    }
    const place = name === 'place_of_publication' ? findPlace(text) : undefined
    return place && placePath(place.geoname_id)
  }

/** The addresses of the digital copies among the holdings of a zine. */
const digitalCopies = (holdings: readonly ResolvedRecord[]): readonly string[] =>
  holdings.map(({ values }) => textValue(values, 'digital_url'))

type RecordRelation = {
  readonly title: string
  /** The resource whose records refer to the record, and the filter that finds them. */
  readonly from: ResourceName
  readonly filter: string
  /** Set if it is the main list of the page. */
  readonly isMain?: true
}

const relations: Readonly<Record<ResourceName, readonly RecordRelation[]>> = {
  zines: [],
  agents: [
    { title: message('Zines'), from: 'zines', filter: 'creator', isMain: true },
    { title: message('Contributed to'), from: 'zines', filter: 'contributor', isMain: true },
    { title: message('Published'), from: 'zines', filter: 'publisher', isMain: true },
  ],
  repositories: [
    { title: message('Zines'), from: 'zines', filter: 'repository', isMain: true },
    { title: message('In no other library'), from: 'zines', filter: 'only_in' },
    { title: message('Copies'), from: 'holdings', filter: 'repository_id' },
  ],
  holdings: [],
}

const maxRelated = 10

async function findRelated(
  ctx: Context,
  dependencies: RecordPageDependencies,
  { target, id }: Reference,
): Promise<readonly RelatedRecords[]> {
  const read = relatedRecordsFor(ctx, dependencies)
  const related = await Promise.all(
    relations[target].map(({ isMain, ...relation }) =>
      read({ ...relation, value: id, atMost: isMain ? undefined : maxRelated }),
    ),
  )
  const [main] = related
  // What would be the same list again is only counted.
  return related.map((relation) =>
    target === 'repositories' && relation !== main && relation.count === main?.count
      ? { ...relation, records: [], orders: [] }
      : relation,
  )
}

/** The series of a zine that have other issues too. */
async function findSeries(
  catalogue: Catalogue,
  values: RecordValues,
): Promise<readonly Omit<SeriesListing, 'maker'>[]> {
  const series = await Promise.all(
    seriesOf(values).map(async ({ slug, title }) => {
      const query = firstPageQuery(1, { filters: { series: slug } })
      return { slug, title, issueCount: await catalogue.count('zines', query) }
    }),
  )
  return series.filter(({ issueCount }) => issueCount > 1)
}
