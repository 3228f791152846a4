// The page of a record: the record, and the first of the records that refer to it. How it looks is
// left to views/pages/record.tsx.

import { maySeePrivate, mayWrite } from '../../accounts/rights.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import type { Serializers } from '../../formats/serializers.js'
import type { Iris, ResourceName } from '../../model/iris.js'
import type { ViewName } from '../../model/record/views.js'
import type { Resource, Resources } from '../../model/resources.js'
import type { Picture } from '../../pictures/picture.js'
import type { Pictures } from '../../pictures/pictures.js'
import { listPath } from '../../views/links.js'
import { RecordPage, type RelatedRecords } from '../../views/pages/record.js'
import type { Handler, RequestContext } from '../context.js'
import { firstPageQuery, recordIdParam } from '../request/list-query.js'
import { type AssetUrls, pageContext, sendPage } from '../response/html.js'
import { requireJsonSerializer } from './json-serializer.js'

export type RecordPageDependencies = {
  readonly iris: Iris
  readonly assets: AssetUrls
  readonly catalogue: Catalogue
  readonly pictures: Pictures
  readonly serializers: Serializers
  readonly resources: Resources
}

export function recordPage(dependencies: RecordPageDependencies, resource: Resource): Handler {
  const { iris, assets, catalogue, pictures, serializers, resources } = dependencies
  const { name } = resource
  return async (ctx) => {
    const id = recordIdParam(ctx)
    const { session } = ctx.state
    const view = viewFor(ctx, name)
    const { record } = await catalogue.read(name, id, view)
    const page = (
      <RecordPage
        context={pageContext(ctx, assets)}
        record={record}
        resources={resources}
        view={view}
        thing={iris.thing(name, id).value}
        iris={iris}
        pictures={visiblePictures(ctx, pictures.list({ target: name, id }), name)}
        related={await findRelated(catalogue, name, id)}
        mayWrite={session !== undefined && mayWrite(session.account, name)}
        formats={serializers[name]}
        json={requireJsonSerializer(serializers, name).record(record)}
      />
    )
    sendPage(ctx, page)
  }
}

/** Private fields are shown on the pages of agents to signed-in accounts that may edit agents. */
function viewFor({ state: { session } }: RequestContext, name: ResourceName): ViewName {
  return name === 'agents' && session && maySeePrivate(session.account) ? 'private' : 'detail'
}

/** Pictures that are not public are for accounts that may write the record. */
function visiblePictures(
  { state: { session } }: RequestContext,
  pictures: readonly Picture[],
  name: ResourceName,
): readonly Picture[] {
  const seesAll = session !== undefined && mayWrite(session.account, name)
  return pictures.filter((picture) => picture.public || seesAll)
}

type RecordRelation = {
  readonly title: string
  /** The resource whose records refer to the record, and the filter that finds them. */
  readonly from: ResourceName
  readonly filter: string
}

const relations: Readonly<Record<ResourceName, readonly RecordRelation[]>> = {
  zines: [{ title: 'Held by', from: 'holdings', filter: 'zine_id' }],
  agents: [
    { title: 'Made', from: 'zines', filter: 'creator' },
    { title: 'Contributed to', from: 'zines', filter: 'contributor' },
    { title: 'Published', from: 'zines', filter: 'publisher' },
  ],
  repositories: [{ title: 'Holdings', from: 'holdings', filter: 'repository_id' }],
  holdings: [],
}

const maxRelated = 10

const findRelated = (
  catalogue: Catalogue,
  name: ResourceName,
  id: string,
): Promise<RelatedRecords[]> =>
  Promise.all(
    relations[name].map(async ({ title, from, filter }) => {
      const filters = { [filter]: id }
      const query = firstPageQuery(maxRelated, { filters })
      const { count, records } = await catalogue.list(from, query, 'list')
      return { title, path: listPath(from, filters), count, records }
    }),
  )
