// The endpoints of the four resources: list, create, read, replace, change and delete records. What
// these do is left to catalogue/catalogue.ts.

import { buffer } from 'node:stream/consumers'

import { NotFoundError } from '../../errors.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { PreconditionFailedError } from '../../catalogue/errors.js'
import { curatedListFilter } from '../../catalogue/list-conditions.js'
import type { ListCursorQuery, ListPage, ListPageQuery } from '../../catalogue/lists.js'
import type { FoundRecord } from '../../catalogue/record-reads.js'
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
import type { IdempotencyKeys, WriteOnce } from '../../store/key-value/idempotency-keys.js'
import { collectInSteps } from '../../lib/scheduling.js'
import {
  checkListParams,
  listParamsOf,
  parseListQuery,
  recordIdParam,
  selectSerializer,
  toListQuery,
  wantsPrivate,
} from '../../http/request/list-query.js'
import { readBody } from '../../http/request/body.js'
import { sourceOfRequest } from '../../http/request/change-source.js'
import { parseFieldNames, selectMembers } from '../../http/request/field-selection.js'
import { formatOfForm, requestedForm } from '../../http/request/json-ld-form.js'
import type { RecordBodies } from './rdf-bodies.js'
import { idempotencyKey, prefersMinimal, sendMinimal } from '../../http/request/preferences.js'
import { paramsOf, queryParam } from '../../http/request/url.js'
import {
  createTag,
  jsonAnswer,
  parsePrecondition,
  sendAnswer,
  sendJson,
  sendText,
} from '../../http/response/conditional.js'
import { fileName } from '../../http/response/file.js'
import type { Endpoint } from '../../http/endpoint.js'
import type { Answer, Handler, RequestContext, ResponseLink } from '../../http/context.js'
import { json } from '../../formats/common-formats.js'
import { type CachedRecordJson, contentHash } from '../../catalogue/records/json-cache.js'
import { httpErrors, notAChoice } from '../../http/errors.js'
import {
  type CursorQuery,
  type PageQuery,
  cursorLinksOf,
  pageLinksOf,
  pageQueryOf,
  parsePageOrCursor,
  relationsOf,
} from '../../http/request/pagination.js'
import { type RequestAddress, requestAddress } from '../../http/address.js'
import { requestOrigin } from '../../http/origin.js'
import { followMerges } from '../merges/merges-api.js'
import { existsFor, readFor, seesHidden } from '../../http/request/record-rights.js'
import { completeRecords } from './complete-records.js'
import { requestedView, requestedViewOfNew } from './requested-view.js'

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
  readonly idempotencyKeys: Pick<IdempotencyKeys, 'answer'>
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
  const { bodies, catalogue, idempotencyKeys, pages, pageSerializers: serializers } = dependencies
  const formats = dependencies.serializers[name]
  const inJson = jsonSerializer(dependencies.resources, resource)
  const plainParams = new Set([...listParamsOf(resource), 'ordering', 'page', 'page_size'])
  // Who asks is not known there.
  plainParams.delete(curatedListFilter)
  return {
    path: pathOfList(name),
    name: `${noun} List`,
    description,
    formats,
    readOnlyFormats: serializers[name].filter((serializer) => !formats.some(isNamed(serializer))),
    consumes: writtenTypes,
    answersInSentType: true,
    resource: name,
    htmlHandler: pages.list(name),
    // Pages by number, without parameters that no list has or that change the format.
    answerPlainly(address) {
      const params = paramsOf(address.querystring)
      return [...params.keys()].every((param) => plainParams.has(param))
        ? answerPage(address, params)
        : undefined
    },
    methods: {
      async GET(ctx) {
        checkListParams(ctx, resource)
        const pageQuery = parsePageOrCursor(ctx)
        const query = { ...parseListQuery(ctx), ...pageQuery, newestBy: newestBy(ctx) }
        const serializer = selectSerializer(ctx, serializers[name], 'list', name)
        if (isJson(ctx)) {
          sendAnswer(ctx, await answer(requestAddress(ctx), query, parseFieldNames(ctx)))
          return
        }
        // With `private=true` the response depends on the account, so it is not cached.
        if (!wantsPrivate(ctx)) ctx.state.isCurrent = catalogue.currentUntilNextWrite()
        const view = serializer.listsUseListView ? 'list' : 'detail'
        const { records: listed, ...page } = await catalogue.list(name, query, view)
        const records = await completeRecords(ctx, catalogue, serializer, listed)
        const updated = lastUpdateOf(records)
        const { list: info, headers, links } = describePage(requestAddress(ctx), query, page)
        const list = { ...info, updated }
        ctx.set(headers)
        if (serializer.needsStaffFields) ctx.set('Cache-Control', 'private, no-store')
        ctx.state.links = links
        // Serializing a hundred records takes up to 0.1 s in some formats.
        const chunks = await collectInSteps(serializeListInSteps(serializer, records, list))
        sendText(ctx, await inRequestedForm(ctx, dependencies, chunks.join(''), rootOf(list)))
        await packBody(ctx, serializer, name)
      },
      async POST(ctx) {
        const body = await bodies.readNew(ctx, resource)
        const view = requestedViewOfNew(ctx, name)
        const options = {
          view,
          mayName: seesHidden(ctx.state.account),
          source: sourceOfRequest(ctx),
        }
        const created = await answerOnce(ctx, [name, ...body], (once) =>
          catalogue.create(name, body, { ...options, once }),
        )
        await sendWritten(ctx, dependencies, created, view)
        ctx.status = 201
        const segment = encodeSegment(textValue(created.record.values, id.name))
        ctx.set('Location', `${requestOrigin(ctx)}/api/${name}/${segment}/`)
      },
    },
  }

  /** Writes once what is asked for again with the same key. */
  function answerOnce(
    ctx: RequestContext,
    content: readonly unknown[],
    write: (once?: WriteOnce) => Promise<FoundRecord>,
  ): Promise<FoundRecord> {
    const key = idempotencyKey(ctx)
    const account = ctx.state.account?.name
    if (key === undefined || account === undefined) return write()
    return idempotencyKeys.answer({ account, key, content: JSON.stringify(content) }, write)
  }

  /** A page by its number. */
  async function answerPage(
    address: RequestAddress,
    params: ReadonlyMap<string, string>,
  ): Promise<Answer> {
    return answer(address, { ...toListQuery(params), ...pageQueryOf(params) })
  }

  /** @param fields the names of those that are shown; all without it */
  async function answer(
    address: RequestAddress,
    query: ListPageQuery | ListCursorQuery,
    fields?: ReadonlySet<string>,
  ): Promise<Answer> {
    const isCurrent = catalogue.currentUntilNextWrite()
    const { items, ...page } = await catalogue.listJson(name, query)
    const { list, headers, links } = describePage(address, query, page)
    const shown = fields ? items.map((item) => selectMembers(item, fields)) : items
    const text = `${inJson.listStart(list)}${shown.join(',')}${inJson.listEnd(list)}`
    return jsonAnswer(text, { headers, links, isCurrent })
  }
}

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

/** What the headers of a page say of its list, and its body. */
function describePage(
  address: RequestAddress,
  query: PageQuery | CursorQuery,
  { count, nextCursor, didYouMean }: Pick<ListPage, 'count' | 'nextCursor' | 'didYouMean'>,
) {
  const hasCursor = 'cursor' in query
  const links = hasCursor
    ? cursorLinksOf(address, query, nextCursor)
    : pageLinksOf(address, query, count)
  return {
    list: { count, links, didYouMean },
    headers: { 'Cache-Control': revalidate, 'X-Total-Count': String(count) },
    // A page by cursor links to the next one alone.
    links: relationsOf(hasCursor ? { next: links.next } : links),
  }
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
    answerPlainly({ path, querystring }) {
      const id = path.slice(path.lastIndexOf('/', path.length - 2) + 1, -1)
      const recordJson = querystring === '' ? catalogue.readJsonNow(name, id) : undefined
      return recordJson && answerWith(id, recordJson)
    },
    methods: {
      GET: followMerges(async (ctx) => {
        const id = recordIdParam(ctx)
        const view = await requestedView(ctx, catalogue, { target: name, id })
        ctx.set('Cache-Control', revalidate)
        // What cannot be chosen here is an error in JSON too.
        if (ctx.querystring !== '') selectSerializer(ctx, serializers[name], 'record', name)
        const isWhole = view === 'detail' && isJson(ctx) && !parseFieldNames(ctx)
        const isAsWritten = wantsWriteShape(ctx)
        const { account } = ctx.state
        const reference = { target: name, id }
        if (catalogue.isHidden(reference)) {
          const snapshot = await readFor(catalogue, account, reference, view)
          if (isAsWritten) sendWriteShape(ctx, snapshot, view)
          else await sendRecord(ctx, dependencies, snapshot, view)
        } else if (isWhole && !isAsWritten)
          sendAnswer(ctx, answerWith(id, await catalogue.readJson(name, id)))
        else {
          const isCurrent = catalogue.currentUntilNextWrite()
          const snapshot = await catalogue.read(name, id, view)
          if (isAsWritten) sendWriteShape(ctx, snapshot, view)
          else await sendRecord(ctx, dependencies, snapshot, view)
          ctx.state.links = linksOfRecord(iris, name, id)
          ctx.state.isCurrent = isCurrent
        }
        // With `private=true` the response depends on the account, so it is not cached.
        if (wantsPrivate(ctx)) ctx.state.isCurrent = undefined
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
        const options = { precondition: parsePrecondition(ctx), source: sourceOfRequest(ctx) }
        await withCurrentTag(ctx, id, () => catalogue.remove(name, id, options))
        ctx.status = 204
      },
    },
  }

  /** The version of a record is the hash of its JSON. */
  function answerWith(id: string, { json: text, version, isCurrent }: CachedRecordJson): Answer {
    const links = linksOfRecord(iris, name, id)
    const headers = { 'Cache-Control': revalidate }
    return jsonAnswer(text, { headers, links, isCurrent }, version, version)
  }

  async function update(
    ctx: RequestContext,
    prepare: (id: string) => Promise<(options: WriteOptions) => Promise<FoundRecord>>,
  ): Promise<void> {
    const id = recordIdParam(ctx)
    // 404 for a missing record comes before 400 for an invalid body.
    const { account } = ctx.state
    if (!(await existsFor(catalogue, account, { target: name, id }))) throw new NotFoundError()
    const write = await prepare(id)
    const view = await requestedView(ctx, catalogue, { target: name, id })
    const options = {
      view,
      mayName: seesHidden(account),
      precondition: parsePrecondition(ctx),
      source: sourceOfRequest(ctx),
    }
    const updated = await withCurrentTag(ctx, id, () => write(options))
    await sendWritten(ctx, dependencies, updated, view)
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
      const reference = { target: name, id }
      const view = await requestedView(ctx, catalogue, reference)
      const snapshot = await readFor(catalogue, ctx.state.account, reference, view)
      const { hash } = await representationOf(ctx, dependencies, snapshot)
      const why = ctx.get('If-None-Match').trim() === '*' ? 'The record exists.' : error.text
      throw httpErrors.preconditionFailed(why, createTag(ctx.state.format, snapshot.version, hash))
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

const pathOfList = (name: ResourceName): string => `/api/${name}/`

const pathOfRecords = (name: ResourceName): string => `/api/${name}/:id/`

async function sendRecord(
  ctx: RequestContext,
  dependencies: RecordEndpointsDependencies,
  snapshot: FoundRecord,
  view: ViewName,
): Promise<void> {
  if (view === 'private' || snapshot.hidden) ctx.set('Cache-Control', 'private, no-store')
  const { text, hash, serializer } = await representationOf(ctx, dependencies, snapshot)
  sendText(ctx, text, snapshot.version, hash)
  if (serializer) await packBody(ctx, serializer, snapshot.record.resource.name)
}

/** Sends a record that was written, or only what its headers say. */
async function sendWritten(
  ctx: RequestContext,
  dependencies: RecordEndpointsDependencies,
  snapshot: FoundRecord,
  view: ViewName,
): Promise<void> {
  await sendRecord(ctx, dependencies, snapshot, view)
  if (prefersMinimal(ctx)) sendMinimal(ctx)
}

/**
 * Sends a record as the body of a PUT that changes nothing (docs/reference/records.md, "Writing
 * RDF").
 */
function sendWriteShape(
  ctx: RequestContext,
  { record, version, hidden }: FoundRecord,
  view: ViewName,
): void {
  if (view === 'private' || hidden) ctx.set('Cache-Control', 'private, no-store')
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
  snapshot: FoundRecord,
): Promise<Representation> {
  const { catalogue, serializers } = dependencies
  if (isJson(ctx)) return jsonOf(ctx, snapshot)
  const { record } = snapshot
  const serializer = selectSerializer(
    ctx,
    serializers[record.resource.name],
    'record',
    record.resource.name,
  )
  const [shown = record] = await completeRecords(ctx, catalogue, serializer, [record])
  if (serializer.needsStaffFields) ctx.set('Cache-Control', 'private, no-store')
  const { resource, values } = record
  const thing = dependencies.iris.thing(resource.name, textValue(values, resource.id.name)).value
  const text = await inRequestedForm(ctx, dependencies, serializer.record(shown), thing)
  return { text, hash: contentHash(text), serializer }
}

/** The JSON of a record, with all that its view shows, or some of it. */
function jsonOf(ctx: RequestContext, { json: text, version }: FoundRecord): Representation {
  const names = parseFieldNames(ctx)
  if (!names) return { text, hash: version, serializer: undefined }
  const selected = selectMembers(text, names, { visibility: 'public' })
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
