// The endpoints of the four resources: list, create, read, replace, change and delete records. What
// these do is left to catalogue/catalogue.ts.

import { buffer } from 'node:stream/consumers'

import { NotFoundError } from '../../errors.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { PreconditionFailedError } from '../../catalogue/errors.js'
import type { ListPage } from '../../catalogue/lists.js'
import type { FoundRecord } from '../../catalogue/record-reads.js'
import type { ChangeSource } from '../../catalogue/writes/committer.js'
import { atom } from '../../formats/atom.js'
import { jsonSerializer } from '../../formats/json.js'
import { contextIri } from '../../formats/jsonld/context.js'
import { collectionOf } from '../../formats/rdf/hydra-paging.js'
import {
  type Format,
  type ListInfo,
  type RecordSerializer,
  serializeListInSteps,
} from '../../formats/serializer.js'
import type { Serializers } from '../../formats/serializers.js'
import type { WriteOptions } from '../../catalogue/writes/record-writes.js'
import type { Iris, ResourceName } from '../../model/iris.js'
import { textValue } from '../../model/record/values.js'
import type { Resource, Resources } from '../../model/resources.js'
import { type ResolvedRecord, type ViewName, toInputValues } from '../../model/record/views.js'
import type { DocumentThread } from '../../rdf/documents/document-thread.js'
import { documentTypes } from '../../rdf/documents/protocol.js'
import { encodeSegment } from '../../rdf/terms.js'
import { collectInSteps } from '../../lib/scheduling.js'
import {
  checkListParams,
  listParamsOf,
  parseListQuery,
  recordIdParam,
  selectSerializer,
  toListQuery,
} from '../../http/request/list-query.js'
import { readBody } from '../../http/request/body.js'
import { parseFieldNames, selectMembers } from '../../http/request/field-selection.js'
import { formatOfForm, requestedForm } from '../../http/request/json-ld-form.js'
import type { RecordBodies } from './rdf-bodies.js'
import { paramsOf, queryParam } from '../../http/request/url.js'
import { linkHeadersOf } from '../../http/response/link-headers.js'
import {
  contentType,
  createTag,
  parsePrecondition,
  sendJson,
  sendRecordJson,
  sendText,
  toBody,
} from '../../http/response/conditional.js'
import { fileName } from '../../http/response/file.js'
import { type Endpoint, formatsOf } from '../../http/endpoint.js'
import type {
  AnswerAtOnce,
  Handler,
  ReadyAnswer,
  RequestContext,
  ResponseLink,
} from '../../http/context.js'
import { json } from '../../formats/common-formats.js'
import { contentHash } from '../../catalogue/records/json-cache.js'
import { httpErrors, notAChoice } from '../../http/errors.js'
import {
  type CursorQuery,
  type PageQuery,
  pageLinksOf,
  pageQueryOf,
  parsePageOrCursor,
  relationsOf,
  setCursorLinks,
  setPageLinks,
} from '../../http/request/pagination.js'
import { type RequestAddress, isSimplePath, isSimpleQuery } from '../../http/address.js'
import { requestOrigin } from '../../http/origin.js'
import { followMerges } from '../merges/merges-api.js'
import { requestedView, wantsPrivate } from './requested-view.js'

/** The HTML pages of a resource. */
type RecordPages = {
  readonly list: (name: ResourceName) => Handler
  readonly record: (name: ResourceName) => Handler
}

type RecordEndpointsDependencies = {
  readonly iris: Iris
  readonly catalogue: Catalogue
  readonly resources: Resources
  readonly serializers: Serializers
  /** Those of pages of lists. */
  readonly pageSerializers: Serializers
  readonly pages: RecordPages
  readonly bodies: RecordBodies
  /** Puts JSON-LD into other forms. */
  readonly documents: Pick<DocumentThread, 'rewrite'>
}

/** The media types in which a record is created and replaced. */
const writtenTypes = [json.type, ...documentTypes]

export const recordEndpoints = (dependencies: RecordEndpointsDependencies): Endpoint[] =>
  Object.values(dependencies.resources).flatMap((resource) => [
    listEndpoint(dependencies, resource),
    recordEndpoint(dependencies, resource),
  ])

function listEndpoint(dependencies: RecordEndpointsDependencies, resource: Resource): Endpoint {
  const { name, noun, description, id } = resource
  const { bodies, catalogue, pages, pageSerializers: serializers } = dependencies
  const formats = dependencies.serializers[name]
  return {
    path: pathOfList(name),
    name: `${noun} List`,
    description,
    formats,
    readOnlyFormats: serializers[name].filter((one) => !formats.some(isNamed(one))),
    consumes: writtenTypes,
    answersInSentType: true,
    resource: name,
    htmlHandler: pages.list(name),
    methods: {
      async GET(ctx) {
        checkListParams(ctx, resource)
        const pageQuery = parsePageOrCursor(ctx)
        const query = { ...parseListQuery(ctx), ...pageQuery, newestBy: newestBy(ctx) }
        const serializer = selectSerializer(ctx, serializers[name], 'list')
        ctx.state.isCurrent = catalogue.currentUntilNextWrite()
        if (isJson(ctx)) {
          const { items, ...page } = await catalogue.listJson(name, query)
          const list = setListHeaders(ctx, pageQuery, page)
          const names = parseFieldNames(ctx)
          const shown = names ? items.map((item) => selectMembers(item, names)) : items
          sendText(ctx, jsonOfList(serializer, shown, list))
          return
        }
        const view = serializer.listsUseListView ? 'list' : 'detail'
        const { records: listed, ...page } = await catalogue.list(name, query, view)
        const records = serializer.needsHoldings ? await catalogue.withHoldings(listed) : listed
        const updated = lastUpdateOf(records)
        const list = { ...setListHeaders(ctx, pageQuery, page), updated }
        // Serializing a hundred records takes up to 0.1 s in some formats.
        const chunks = await collectInSteps(serializeListInSteps(serializer, records, list))
        sendText(ctx, await inRequestedForm(ctx, dependencies, chunks.join(''), rootOf(list)))
        await packBody(ctx, serializer, name)
      },
      async POST(ctx) {
        const body = await bodies.readNew(ctx, resource)
        const view = requestedView(ctx, name)
        const created = await catalogue.create(name, body, { view, source: sourceOf(ctx) })
        await sendRecord(ctx, dependencies, created, view)
        ctx.status = 201
        const segment = encodeSegment(textValue(created.record.values, id.name))
        ctx.set('Location', `${requestOrigin(ctx)}/api/${name}/${segment}/`)
      },
    },
  }
}

/** @param items the JSON of each record */
const jsonOfList = (
  serializer: Pick<RecordSerializer, 'listStart' | 'listEnd'>,
  items: readonly string[],
  list: ListInfo,
): string => `${serializer.listStart(list)}${items.join(',')}${serializer.listEnd(list)}`

const isNamed =
  ({ name }: Format) =>
  (other: Format): boolean =>
    other.name === name

/** A feed shows first what was changed last. */
const newestBy = ({ state }: RequestContext): 'created_at' | 'updated_at' =>
  state.format.name === atom.name ? 'updated_at' : 'created_at'

const lastUpdateOf = (records: readonly ResolvedRecord[]): string | undefined =>
  records
    .map(({ values }) => textValue(values, 'updated_at'))
    .sort()
    .at(-1)

/** Sets the headers that describe a list; returns the same for its body. */
function setListHeaders(
  ctx: RequestContext,
  query: PageQuery | CursorQuery,
  { count, nextCursor, didYouMean }: Pick<ListPage, 'count' | 'nextCursor' | 'didYouMean'>,
): ListInfo {
  ctx.set('Cache-Control', revalidate)
  ctx.set('X-Total-Count', String(count))
  const links =
    'cursor' in query ? setCursorLinks(ctx, query, nextCursor) : setPageLinks(ctx, query, count)
  return { count, links, didYouMean }
}

function recordEndpoint(dependencies: RecordEndpointsDependencies, resource: Resource): Endpoint {
  const { name, noun, description } = resource
  const { bodies, iris, catalogue, pages, serializers } = dependencies
  return {
    path: pathOfRecords(name),
    name: `${noun} Instance`,
    description,
    formats: serializers[name],
    consumes: writtenTypes,
    answersInSentType: true,
    resource: name,
    htmlHandler: followMerges(pages.record(name)),
    methods: {
      GET: followMerges(async (ctx) => {
        const id = recordIdParam(ctx)
        const view = requestedView(ctx, name)
        ctx.set('Cache-Control', revalidate)
        let isCurrent = catalogue.currentUntilNextWrite()
        // What cannot be chosen here is an error in JSON too.
        if (ctx.querystring !== '') selectSerializer(ctx, serializers[name], 'record')
        const isPlain = view === 'detail' && isJson(ctx) && !parseFieldNames(ctx)
        if (wantsWriteShape(ctx)) sendWriteShape(ctx, await catalogue.read(name, id, view), view)
        else if (isPlain) {
          const recordJson = await catalogue.readJson(name, id)
          isCurrent = recordJson.isCurrent
          sendRecordJson(ctx, recordJson)
        } else await sendRecord(ctx, dependencies, await catalogue.read(name, id, view), view)
        ctx.state.links = linksOfRecord(iris, name, id)
        // With `private=true` the response depends on the account, so it is not cached.
        if (!wantsPrivate(ctx)) ctx.state.isCurrent = isCurrent
      }),
      PUT: (ctx) =>
        update(ctx, async (id) => {
          const body = await bodies.readReplacement(ctx, resource, id)
          return (options) => catalogue.replace(name, id, body, options)
        }),
      PATCH: (ctx) =>
        update(ctx, async (id) => {
          const body = await readBody(ctx)
          return (options) => catalogue.change(name, id, body, options)
        }),
      async DELETE(ctx) {
        const id = recordIdParam(ctx)
        const options = { precondition: parsePrecondition(ctx), source: sourceOf(ctx) }
        await withCurrentTag(ctx, id, () => catalogue.remove(name, id, options))
        ctx.status = 204
      },
    },
  }

  async function update(
    ctx: RequestContext,
    prepare: (id: string) => Promise<(options: WriteOptions) => Promise<FoundRecord>>,
  ): Promise<void> {
    const id = recordIdParam(ctx)
    // 404 for a missing record comes before 400 for an invalid body.
    if (!(await catalogue.exists(name, id))) throw new NotFoundError()
    const write = await prepare(id)
    const view = requestedView(ctx, name)
    const options = { view, precondition: parsePrecondition(ctx), source: sourceOf(ctx) }
    const updated = await withCurrentTag(ctx, id, () => write(options))
    await sendRecord(ctx, dependencies, updated, view)
  }

  /** Answers 412 with the ETag that a GET would have, so that the client can decide without one. */
  async function withCurrentTag<Result>(
    ctx: RequestContext,
    id: string,
    write: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof PreconditionFailedError)) throw error
      const found = await catalogue.read(name, id, requestedView(ctx, name))
      const { hash } = await representationOf(ctx, dependencies, found)
      const why = ctx.get('If-None-Match').trim() === '*' ? 'The record exists.' : error.text
      throw httpErrors.preconditionFailed(why, createTag(ctx.state.format, found.version, hash))
    }
  }
}

/** The links of the API's answer with a record. */
function linksOfRecord(iris: Iris, name: ResourceName, id: string): readonly ResponseLink[] {
  const [thing, record] = [iris.thing(name, id).value, iris.record(name, id).value]
  return [
    { relation: 'describedby', target: record, anchor: thing },
    { relation: 'cite-as', target: thing },
  ]
}

type AtOnceDependencies = Pick<RecordEndpointsDependencies, 'iris' | 'catalogue' | 'resources'>

/**
 * Makes the JSON of records, and of pages of lists, with the headers that their endpoints set.
 * @param endpoints all of the service: some have a path that looks like that of a record
 */
export function answerRecordsAtOnce(
  dependencies: AtOnceDependencies,
  endpoints: readonly Endpoint[],
): AnswerAtOnce {
  const answerRecord = answerRecordAtOnce(dependencies, endpoints)
  const answerList = answerListAtOnce(dependencies, endpoints)
  return (url, origin) => answerRecord(url, origin) ?? answerList(url, origin)
}

/** Only addresses without parameters. */
function answerRecordAtOnce(
  { iris, catalogue, resources }: AtOnceDependencies,
  endpoints: readonly Endpoint[],
): (path: string, origin: string) => ReadyAnswer | undefined {
  const ownPaths = new Set(endpoints.map(({ path }) => path))
  const readers = Object.values(resources).map(({ name }) => {
    const route = pathOfRecords(name)
    return { name, route, offered: formatsAt(endpoints, route) }
  })
  return (path, origin) => {
    const [, folder = '', id = ''] = recordPath.exec(path) ?? []
    const reader = readers.find((one) => one.name === folder)
    if (!reader || !isSimplePath(path) || ownPaths.has(path)) return undefined
    const { name, route, offered } = reader
    const read = catalogue.readJsonNow(name, id)
    if (!read) return undefined
    const { json: text, version, isCurrent } = read
    const links = linkHeadersOf(linksOfRecord(iris, name, id), {
      origin,
      path,
      querystring: '',
      format: json,
      offered,
    })
    return {
      route,
      headers: ['Cache-Control', revalidate, 'Content-Type', contentType(json), ...links.flat()],
      etag: createTag(json, version, version),
      body: toBody(text),
      isCurrent,
    }
  }
}

/** Pages by number, without parameters that no list has or that change the format. */
function answerListAtOnce(
  { catalogue, resources }: AtOnceDependencies,
  endpoints: readonly Endpoint[],
): (url: string, origin: string) => Promise<ReadyAnswer> | undefined {
  const lists = new Map(
    Object.values(resources).map((resource) => {
      const { name } = resource
      const path = pathOfList(name)
      const serializer = jsonSerializer(resources, resource)
      const params = new Set([...listParamsOf(resource), 'ordering', 'page', 'page_size'])
      return [path, { name, path, serializer, params, offered: formatsAt(endpoints, path) }]
    }),
  )
  return (url, origin) => {
    const [, path = '', querystring = ''] = listAddress.exec(url) ?? []
    const list = isSimpleQuery(querystring) ? lists.get(path) : undefined
    const params = paramsOf(querystring)
    return list && [...params.keys()].every((name) => list.params.has(name))
      ? answer(list, params, { origin, path, querystring })
      : undefined
  }

  async function answer(
    { name, path: route, serializer, offered }: NonNullable<ReturnType<typeof lists.get>>,
    params: ReadonlyMap<string, string>,
    address: RequestAddress,
  ): Promise<ReadyAnswer> {
    const isCurrent = catalogue.currentUntilNextWrite()
    const query = pageQueryOf(params)
    const page = await catalogue.listJson(name, { ...toListQuery(params), ...query })
    const { count, items, didYouMean } = page
    const links = pageLinksOf(address, query, count)
    const list = { count, links, didYouMean }
    const body = toBody(jsonOfList(serializer, items, list))
    const linkHeaders = linkHeadersOf(relationsOf(links), { ...address, format: json, offered })
    return {
      route,
      headers: [
        'Cache-Control',
        revalidate,
        'X-Total-Count',
        String(count),
        'Content-Type',
        contentType(json),
        ...linkHeaders.flat(),
      ],
      etag: createTag(json, undefined, contentHash(body)),
      body,
      isCurrent,
    }
  }
}

/** All formats of the endpoint with a path. */
function formatsAt(endpoints: readonly Endpoint[], path: string): readonly Format[] {
  const endpoint = endpoints.find((one) => one.path === path)
  return endpoint ? formatsOf(endpoint) : []
}

const pathOfList = (name: ResourceName): string => `/api/${name}/`

const listAddress = /^(\/api\/[a-z]+\/)(?:\?(.*))?$/

const pathOfRecords = (name: ResourceName): string => `/api/${name}/:id/`

const recordPath = /^\/api\/([a-z]+)\/([^/?]+)\/$/

/** Who writes by this request. */
const sourceOf = ({ state }: RequestContext): ChangeSource => ({
  account: state.account?.name,
  how: 'api',
})

async function sendRecord(
  ctx: RequestContext,
  dependencies: RecordEndpointsDependencies,
  found: FoundRecord,
  view: ViewName,
): Promise<void> {
  if (view === 'private') ctx.set('Cache-Control', 'private, no-store')
  const { text, hash, serializer } = await representationOf(ctx, dependencies, found)
  sendText(ctx, text, found.version, hash)
  if (serializer) await packBody(ctx, serializer, found.record.resource.name)
}

/** Sends a record as the body of a PUT that changes nothing (docs/api.md, "Writing RDF"). */
function sendWriteShape(
  ctx: RequestContext,
  { record, version }: FoundRecord,
  view: ViewName,
): void {
  if (view === 'private') ctx.set('Cache-Control', 'private, no-store')
  sendJson(ctx, toInputValues(record, view), version)
}

/**
 * Whether a record is wanted as it is written. In RDF it is read as it is written.
 * @throws HttpError 400 for another value than `write`
 */
function wantsWriteShape(ctx: RequestContext): boolean {
  const shape = queryParam(ctx, 'shape')
  if (shape !== '' && shape !== 'write') throw httpErrors.invalidField('shape', notAChoice(shape))
  return shape === 'write' && isJson(ctx)
}

/** Makes the file of a text that was sent, where the format is not text, and gives it a name. */
async function packBody(
  ctx: RequestContext,
  serializer: RecordSerializer,
  name: ResourceName,
): Promise<void> {
  if (serializer.isBinary)
    ctx.set('Content-Disposition', `attachment; filename="${fileName(name, serializer)}"`)
  if (serializer.pack && typeof ctx.body === 'string')
    ctx.body = await buffer(serializer.pack([ctx.body]))
}

/** A record in the format of the response, and the hash that its ETag ends with. */
async function representationOf(
  ctx: RequestContext,
  dependencies: RecordEndpointsDependencies,
  found: FoundRecord,
): Promise<Representation> {
  const { catalogue, serializers } = dependencies
  if (isJson(ctx)) return jsonOf(ctx, found)
  const { record } = found
  const serializer = selectSerializer(ctx, serializers[record.resource.name], 'record')
  const [shown = record] = serializer.needsHoldings ? await catalogue.withHoldings([record]) : []
  const { resource, values } = record
  const thing = dependencies.iris.thing(resource.name, textValue(values, resource.id.name)).value
  const text = await inRequestedForm(ctx, dependencies, serializer.record(shown), thing)
  return { text, hash: contentHash(text), serializer }
}

/** The JSON of a record, with all that its view shows, or some of it. */
function jsonOf(ctx: RequestContext, { json: text, version }: FoundRecord): Representation {
  const names = parseFieldNames(ctx)
  if (!names) return { text, hash: version, serializer: undefined }
  const selected = selectMembers(text, names)
  return { text: selected, hash: contentHash(selected), serializer: undefined }
}

/** The node of a page that leads to all others. */
const rootOf = ({ links }: ListInfo): string => (links ? collectionOf(links).value : '')

/**
 * JSON-LD in the form that the client asks for; any other text as it is.
 * @param root the node in which a frame nests all others
 */
async function inRequestedForm(
  ctx: RequestContext,
  { iris, documents }: RecordEndpointsDependencies,
  text: string,
  root: string,
): Promise<string> {
  const form = requestedForm(ctx)
  if (!form) return text
  ctx.state.format = formatOfForm(form)
  const frame = { '@context': contextIri(iris.base), '@id': root }
  return documents.rewrite(text, form, JSON.stringify(frame))
}

type Representation = {
  readonly text: string
  readonly hash: string
  /** Undefined for JSON. */
  readonly serializer: RecordSerializer | undefined
}

/**
 * Caches may keep the response, and have to ask each time whether its ETag is still the current
 * one.
 */
const revalidate = 'no-cache'

const isJson = ({ state: { format } }: RequestContext): boolean => format.name === json.name
