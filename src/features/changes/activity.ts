// The log of changes for harvesters: IIIF Change Discovery 1.0, activities of ActivityStreams in
// pages (docs/reference/rdf-formats.md, "Changes").

import type { ChangeFeed, PublicRecordChange } from '../../catalogue/history/change-feed.js'
import { json } from '../../formats/common-formats.js'
import { jsonld } from '../../formats/jsonld/jsonld.js'
import type { Format } from '../../formats/serializer.js'
import type { Iris } from '../../model/iris.js'
import type { Reference } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import type { RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { sendJson } from '../../http/response/conditional.js'
import {
  type NumberedPage,
  changesPerPage,
  firstPage,
  pageOfChange,
  readNumberedPage,
} from './change-pages.js'

type ActivityDependencies = {
  readonly changes: ChangeFeed
  readonly iris: Iris
  readonly resources: Resources
}

const context = 'http://iiif.io/api/discovery/1/context.json'

const formats: readonly Format[] = [{ ...jsonld, parameters: `profile="${context}"` }, json]

export const activityEndpoints = (dependencies: ActivityDependencies): Endpoint[] => {
  const { changes } = dependencies
  return [
    {
      path: '/activity/',
      name: 'Activities',
      description:
        'The changes of all records as IIIF Change Discovery: the first and the last page.',
      formats,
      methods: { GET: (ctx) => send(ctx, collection(dependencies)) },
    },
    {
      path: '/activity/page/:page',
      name: 'Activity Page',
      description: 'A page of the changes of all records, as activities.',
      formats,
      methods: {
        GET: async (ctx) =>
          send(ctx, activityPage(dependencies, await readNumberedPage(ctx, changes))),
      },
    },
  ]
}

function send(ctx: RequestContext, content: object): void {
  ctx.set('Cache-Control', 'no-cache')
  sendJson(ctx, { '@context': context, ...content })
}

const collectionId = ({ base }: Iris): string => `${base}/activity/`

const pageId = ({ base }: Iris, number: number): string => `${base}/activity/page/${number}`

const pageLink = (iris: Iris, number: number) => ({
  id: pageId(iris, number),
  type: 'OrderedCollectionPage',
})

function collection({ changes, iris }: ActivityDependencies) {
  const [first, last] = [firstPage(changes), lastPage(changes)]
  return {
    id: collectionId(iris),
    type: 'OrderedCollection',
    // How many are without an identifier is not known; the number may be left out.
    ...(changes.lastForgetting() > 0 ? {} : { totalItems: changes.last() + 1 - changes.first() }),
    first: pageLink(iris, first),
    last: pageLink(iris, last),
  }
}

const lastPage = (changes: ChangeFeed): number =>
  Math.max(firstPage(changes), pageOfChange(changes.last()))

function activityPage(
  dependencies: ActivityDependencies,
  { number, changes: shown }: NumberedPage,
) {
  const { changes, iris } = dependencies
  return {
    ...pageLink(iris, number),
    startIndex: (number - 1) * changesPerPage,
    partOf: { id: collectionId(iris), type: 'OrderedCollection' },
    ...(number > firstPage(changes) ? { prev: pageLink(iris, number - 1) } : {}),
    ...(number < lastPage(changes) ? { next: pageLink(iris, number + 1) } : {}),
    orderedItems: shown.map((change) => ({
      id: `${pageId(iris, number)}#${change.sequence}`,
      ...activity(dependencies, change),
    })),
  }
}

const activityTypes = {
  created: 'Create',
  updated: 'Update',
  deleted: 'Delete',
  merged: 'Move',
} as const satisfies Readonly<Record<PublicRecordChange['change'], string>>

function activity(
  dependencies: ActivityDependencies,
  { at, change, into, reference }: PublicRecordChange,
) {
  const object = describe(dependencies, reference)
  const isGone = change === 'deleted' || change === 'merged'
  return {
    type: activityTypes[change],
    object: isGone ? object : { ...object, seeAlso: [recordOf(dependencies, reference)] },
    ...(into === undefined
      ? {}
      : { target: describe(dependencies, { target: reference.target, id: into }) }),
    endTime: at,
  }
}

/** A thing by its IRI, with its class: a catalogue has no manifests. */
const describe = ({ iris, resources }: ActivityDependencies, { target, id }: Reference) => ({
  id: iris.thing(target, id).value,
  type: resources[target].class.value,
})

const recordOf = ({ iris }: ActivityDependencies, { target, id }: Reference) => ({
  id: iris.record(target, id).value,
  type: 'Dataset',
  format: jsonld.type,
})
