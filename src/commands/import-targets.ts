// The two targets of `import`: the imports of a data directory that is open in this process, and
// those of a running service over HTTP. What is done with them: import.ts.

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'

import { ExpectedError } from '../errors.js'
import type { ImportRequest } from '../catalogue/writes/import-writes.js'
import { type Import, type ImportPreview, sourceNameOf } from '../features/imports/import-state.js'
import type { Imports } from '../features/imports/imports.js'
import { reportLines } from '../features/imports/report.js'

/** What is imported: a file, or the records of another catalogue. */
export type ImportSource =
  | { readonly file: string }
  | { readonly url: string; readonly metadataPrefix: string; readonly set?: string | undefined }

/** What is told of an import. */
export type ImportSummary = Pick<Import, 'id' | 'name' | 'state' | 'rows'> & {
  readonly createdAt: string
  readonly message: string | undefined
  readonly progress: Import['progress']
  readonly source: string
  readonly sourceName: string
  readonly preview: Pick<ImportPreview, 'counts' | 'rows' | 'hash'> | undefined
  readonly written: NonNullable<Import['written']>
  readonly keptRecords: readonly string[]
}

type RefusedLine = { readonly number: number; readonly reasons: readonly string[] }

export type ImportTarget = {
  list(): Promise<readonly ImportSummary[]>
  /**
   * @param sourceName the name of the source; else one is proposed
   * @returns the identifier
   */
  begin(source: ImportSource, sourceName: string | undefined): Promise<string>
  get(id: string): Promise<ImportSummary>
  change(id: string, patch: Readonly<Record<string, unknown>>): Promise<void>
  /** The source fields that go nowhere. */
  unmapped(id: string): Promise<readonly string[]>
  preview(id: string): Promise<void>
  refused(id: string): Promise<readonly RefusedLine[]>
  commit(id: string, hash: string): Promise<void>
  undo(id: string): Promise<void>
  /** The report as CSV. */
  report(id: string): Promise<Readable>
  remove(id: string): Promise<void>
  close(): Promise<void>
}

/** Nobody else can use a data directory that is open here, so its owner may do all. */
const request: ImportRequest = { account: undefined, mayWrite: () => true }

export function localTarget(imports: Imports): Omit<ImportTarget, 'close'> {
  return {
    list: async () => (await imports.all()).map(toSummary),
    async begin(source, sourceName) {
      const account = undefined
      const created =
        'file' in source
          ? await imports.create({
              name: basename(source.file),
              bytes: createReadStream(source.file),
              sourceName,
              account,
            })
          : await imports.harvest({ address: source, sourceName, account })
      return created.id
    },
    get: async (id) => toSummary(await imports.get(id)),
    async change(id, patch) {
      await imports.change(id, new Map(Object.entries(patch)))
    },
    unmapped: async (id) =>
      (await imports.analyse(id, request)).fields
        .filter(({ rules, identifies }) => rules.length === 0 && !identifies)
        .map(({ name }) => name),
    async preview(id) {
      await imports.preview(id, request)
    },
    async refused(id) {
      const rows: RefusedLine[] = []
      for await (const { number, outcome, reasons } of imports.previewedRows(id))
        if (outcome === 'refused') rows.push({ number, reasons })
      return rows
    },
    async commit(id, hash) {
      await imports.commit(id, request, hash)
    },
    async undo(id) {
      await imports.undo(id, request)
    },
    report: async (id) =>
      Readable.from(reportLines(await imports.get(id), imports.reportedRows(id)), {
        objectMode: false,
      }),
    remove: (id) => imports.remove(id),
  }
}

const toSummary = (job: Import): ImportSummary => ({
  id: job.id,
  createdAt: job.createdAt,
  name: job.name,
  state: job.state,
  rows: job.rows,
  message: job.message?.toString(),
  progress: job.progress,
  source: job.recognized?.description ?? '',
  sourceName: sourceNameOf(job),
  preview: job.preview,
  written: job.written ?? {},
  keptRecords: (job.kept ?? []).map(({ reference: { target, id } }) => `${target}/${id}`),
})

/**
 * @param url the origin of the service
 * @param token of an account that may write all that is imported
 */
export function httpImportTarget(url: string, token: string): ImportTarget {
  const origin = url.replace(/(?<!\/)\/+$/, '')

  async function send(
    path: string,
    init: RequestInit & { duplex?: 'half' } = {},
  ): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Token ${token}`)
    const response = await fetch(origin + path, { ...init, headers }).catch((cause: unknown) => {
      const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
      throw new ExpectedError(`${origin} does not answer: ${String(reason)}`, { cause })
    })
    if (!response.ok)
      throw new ExpectedError(`${origin} answers ${response.status}: ${await response.text()}`)
    return response
  }

  const getJson = async (path: string): Promise<Json> => (await send(path)).json() as Promise<Json>

  const sendJson = (method: string, path: string, body: object): Promise<Response> =>
    send(path, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  /** All results of a list, page by page. */
  async function getAll(path: string): Promise<readonly Json[]> {
    const results: Json[] = []
    for (let page = 1; ; page++) {
      const query = `${path.includes('?') ? '&' : '?'}page=${page}&page_size=100`
      const { results: some, next } = (await getJson(path + query)) as unknown as Page
      results.push(...some)
      if (next === null) return results
    }
  }

  const pathOf = (id: string, part = ''): string => `/api/imports/${encodeURIComponent(id)}/${part}`

  return {
    list: async () => (await getAll('/api/imports/')).map(fromJson),
    async begin(source, sourceName) {
      const query = new URLSearchParams(sourceName === undefined ? {} : { source_name: sourceName })
      if ('file' in source) query.set('filename', basename(source.file))
      const path = `/api/imports/?${query.toString()}`
      const response =
        'file' in source
          ? await send(path, {
              method: 'POST',
              headers: {
                'content-type': 'application/octet-stream',
                'content-length': String((await stat(source.file)).size),
              },
              body: Readable.toWeb(createReadStream(source.file)) as ReadableStream,
              duplex: 'half',
            })
          : await sendJson('POST', path, {
              url: source.url,
              metadata_prefix: source.metadataPrefix,
              ...(source.set === undefined ? {} : { set: source.set }),
            })
      return fromJson((await response.json()) as Json).id
    },
    get: async (id) => fromJson(await getJson(pathOf(id))),
    async change(id, patch) {
      await sendJson('PATCH', pathOf(id), patch)
    },
    unmapped: async (id) =>
      (await getAll(pathOf(id, 'fields/')))
        .filter(({ rules, identifies }) => (rules as unknown[]).length === 0 && identifies !== true)
        .map(({ name }) => String(name)),
    async preview(id) {
      await sendJson('POST', pathOf(id, 'preview/'), {})
    },
    refused: async (id) =>
      (await getAll(pathOf(id, 'preview/?outcome=refused'))) as unknown as readonly RefusedLine[],
    async commit(id, hash) {
      await sendJson('POST', pathOf(id, 'commit/'), { preview: hash })
    },
    async undo(id) {
      await sendJson('POST', pathOf(id, 'undo/'), {})
    },
    async report(id) {
      const { body } = await send(pathOf(id, 'report/'))
      return Readable.from(body ?? [], { objectMode: false })
    },
    async remove(id) {
      await send(pathOf(id), { method: 'DELETE' })
    },
    close: () => Promise.resolve(),
  }
}

type Json = Readonly<Record<string, unknown>>

type Page = { readonly results: readonly Json[]; readonly next: string | null }

/** The casts: the service answers so (the schema `Import` of its OpenAPI document). */
function fromJson(json: Json): ImportSummary {
  const records = json.kept as readonly { readonly kind: string; readonly id: string }[]
  return {
    id: String(json.id),
    createdAt: String(json.created_at),
    name: String(json.name),
    state: json.state as ImportSummary['state'],
    rows: Number(json.rows),
    message: (json.message ?? undefined) as string | undefined,
    progress: (json.progress ?? undefined) as ImportSummary['progress'],
    source: (json.source ?? '') as string,
    sourceName: String(json.source_name),
    preview: (json.preview ?? undefined) as ImportSummary['preview'],
    written: json.written as ImportSummary['written'],
    keptRecords: records.map(({ kind, id }) => `${kind}/${id}`),
  }
}
