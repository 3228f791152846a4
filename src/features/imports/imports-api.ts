// The endpoints of imports: send a file, look at what it has, decide, preview, write, and take back
// (docs/how-to/import.md, "Over the API").

import { Readable } from 'node:stream'

import { message } from '../../message.js'
import { NotFoundError } from '../../errors.js'
import {
  blankMessage,
  integerMessage,
  tooLongMessage,
  urlMessage,
} from '../../model/record/input.js'
import { mayWrite } from '../../accounts/rights.js'
import type { ImportRequest } from '../../catalogue/writes/import-writes.js'
import { json } from '../../formats/common-formats.js'
import { csv } from '../../formats/csv.js'
import type { AnalysedName, AnalysedTerm } from './analysis.js'
import { maxSourceBytes } from './import-files.js'
import { type HarvestAddress, type Import, maxSourceName, sourceNameOf } from './import-state.js'
import type { Imports } from './imports.js'
import { allProfiles, findProfile, isNamed } from './known-profiles.js'
import { parseProfile } from './mapping/profile-parser.js'
import { reportLines } from './report.js'
import { stringifyJsonInput } from '../../model/record/json-input.js'
import type { Resources } from '../../model/resources.js'
import type { RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { httpErrors } from '../../http/errors.js'
import {
  type OperationDescription,
  type Parameter,
  inQuery,
  pageOperation,
} from '../../http/operation.js'
import { readBody, streamBody } from '../../http/request/body.js'
import { pageOf, pageOfAll, paginate, parsePageQuery } from '../../http/request/pagination.js'
import { queryParam } from '../../http/request/url.js'
import { findVisibleImport, visibleImports } from './visible-imports.js'
import { requireAccount } from '../../http/request/required-account.js'
import { contentType, sendJson } from '../../http/response/conditional.js'
import type { SendFile } from '../../http/response/file.js'
import * as schema from '../../http/schemas.js'
import {
  actionSchema,
  changeSchema,
  changedImportSchema,
  fieldSchema,
  harvestSchema,
  importSchema,
  issueSchema,
  matchSchema,
  nameSchema,
  outcomeSchema,
  previewRowSchema,
  profileSchema,
  rowSchema,
  shelfSchema,
  sourceSchema,
  termSchema,
} from './import-schemas.js'

type ImportEndpointsDependencies = {
  readonly imports: Imports
  readonly resources: Resources
  readonly sendFile: SendFile
}

export const importEndpoints = (dependencies: ImportEndpointsDependencies): Endpoint[] => [
  importsEndpoint(dependencies),
  importEndpoint(dependencies),
  ...partEndpoints(dependencies),
  previewEndpoint(dependencies),
  ...(['commit', 'undo'] as const).map((action) => actionEndpoint(dependencies, action)),
  rowsEndpoint(dependencies),
  reportEndpoint(dependencies),
  profilesEndpoint(dependencies),
  profileEndpoint(dependencies),
]

/**
 * How long an answer waits for the work that a request begins, so that short work needs no second
 * one.
 */
const maxWaitMs = 2000

const common = { formats: [json], readsNeedRights: true } as const

/** A page of something of an import, which may be busy. */
const paged = (
  name: string,
  items: schema.Schema,
  ...parameters: readonly Parameter[]
): OperationDescription => ({
  ...pageOperation(schema.page(`Paginated${name}List`, items), ...parameters),
  errors: [409],
})

/** What is done to an import. */
const actionOperation: OperationDescription = {
  request: actionSchema,
  isRequestOptional: true,
  response: importSchema,
  errors: [409],
  begins: true,
}

function importsEndpoint({ imports, resources }: ImportEndpointsDependencies): Endpoint {
  return {
    ...common,
    path: '/api/imports/',
    name: 'Imports',
    description:
      'Imports of files, or of another catalogue by OAI-PMH. POST sends a file as it is, or the address of a catalogue as JSON.',
    consumes: ['application/octet-stream', json.type],
    methods: {
      async GET(ctx) {
        const visible = await visibleImports(imports, requireAccount(ctx))
        sendPrivately(ctx, pageOfAll(ctx, visible, toJson))
      },
      async POST(ctx) {
        const account = requireAccount(ctx).name
        const name = queryParam(ctx, 'profile')
        const source = queryParam(ctx, 'source_name')
        const sourceName = source === '' ? undefined : readSourceName(source)
        const profile = await findProfile({ imports, resources }, name)
        if (name !== '' && !profile) throw new NotFoundError()
        const created = ctx.is(json.type)
          ? await imports.harvest({
              address: await readAddress(ctx),
              sourceName,
              profile,
              account,
            })
          : await imports.create({
              name: queryParam(ctx, 'filename') || 'file',
              bytes: streamBody(ctx, maxSourceBytes),
              sourceName,
              profile,
              account,
            })
        const { id } = await sendSettled(ctx, imports, created)
        ctx.status = 201
        ctx.set('Location', `/api/imports/${id}/`)
      },
    },
    operations: {
      GET: paged('Import', importSchema),
      POST: {
        request: harvestSchema,
        bytes: schema.text({ format: 'binary' }),
        response: importSchema,
        creates: true,
        errors: [404],
        parameters: [
          inQuery('filename', 'The name of the file that is sent.'),
          inQuery('profile', 'The name of a profile; without it one is proposed.'),
          inQuery('source_name', 'What the file comes from; without it a name is proposed.'),
        ],
      },
    },
  }
}

/** The address of a repository of OAI-PMH. @throws HttpError, ValidationError */
async function readAddress(ctx: RequestContext): Promise<HarvestAddress> {
  const sent = schema.withoutNulls(await readPlainBody(ctx))
  const { url, metadata_prefix, set, from } = schema.parseMembers(
    harvestSchema,
    new Map<string, unknown>([['url', ''], ...sent]),
  )
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw httpErrors.invalidField('url', urlMessage)
  return { url, metadataPrefix: metadata_prefix ?? 'oai_dc', set, from }
}

/** The members of the JSON object in the body, in which numbers are numbers. */
const readPlainBody = async (ctx: RequestContext): Promise<ReadonlyMap<string, unknown>> =>
  new Map(
    Object.entries(
      JSON.parse(stringifyJsonInput(Object.fromEntries(await readBody(ctx)))) as object,
    ),
  )

function importEndpoint({ imports }: ImportEndpointsDependencies): Endpoint {
  return {
    ...common,
    path: '/api/imports/:import/',
    name: 'Import',
    description:
      'An import: what it is of, how far it is, and its profile with all decisions. PATCH changes parts of the profile.',
    methods: {
      async GET(ctx) {
        sendPrivately(ctx, toJson(await findImport(imports, ctx)))
      },
      async PATCH(ctx) {
        const body = await readPlainBody(ctx)
        const revision = body.get('revision')
        if (revision !== undefined && typeof revision !== 'number')
          throw httpErrors.invalidField('revision', integerMessage)
        const sourceName = body.has('source_name')
          ? readSourceName(body.get('source_name'))
          : undefined
        const patch = new Map([...body].filter(([name]) => !ownMembers.includes(name)))
        const id = await visibleId(imports, ctx)
        const changed = await imports.change(id, patch, { revision, sourceName })
        await sendSettled(ctx, imports, changed, { overwritten: changed.overwritten })
      },
      async DELETE(ctx) {
        await imports.remove(await visibleId(imports, ctx))
        ctx.status = 204
      },
    },
    operations: {
      GET: { response: importSchema },
      PATCH: { request: changeSchema, response: changedImportSchema, errors: [409], begins: true },
      DELETE: { errors: [409] },
    },
  }
}

/** The members of a change that are not of the profile. */
const ownMembers = ['revision', 'source_name']

/** @throws HttpError */
function readSourceName(value: unknown): string {
  if (typeof value !== 'string')
    throw httpErrors.invalidField('source_name', message('Not a valid string.'))
  const name = value.trim()
  if (name === '') throw httpErrors.invalidField('source_name', blankMessage)
  if (name.length > maxSourceName)
    throw httpErrors.invalidField('source_name', tooLongMessage(maxSourceName))
  return name
}

type Part = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly operation: OperationDescription
  readonly read: (imports: Imports, id: string, ctx: RequestContext) => Promise<readonly unknown[]>
}

const parts: readonly Part[] = [
  {
    name: 'fields',
    title: 'Import Fields',
    description: 'The fields of the source, with samples and the rules that use them.',
    operation: paged('ImportField', fieldSchema),
    read: async (imports, id, ctx) => (await imports.analyse(id, requestOf(ctx))).fields,
  },
  {
    name: 'names',
    title: 'Import Names',
    description:
      'The distinct names of the source, what the catalogue has of them, and what is decided.',
    operation: paged('ImportName', nameSchema),
    read: async (imports, id, ctx) =>
      (await imports.analyse(id, requestOf(ctx))).names.map(nameToJson),
  },
  {
    name: 'terms',
    title: 'Import Terms',
    description: 'The distinct values of coded fields, the terms that fit, and what is decided.',
    operation: paged(
      'ImportTerm',
      termSchema,
      inQuery('vocabulary', 'Only values of this vocabulary.'),
      inQuery('match', 'Only values that match like this.', matchSchema),
    ),
    async read(imports, id, ctx) {
      const { terms } = await imports.analyse(id, requestOf(ctx))
      const [vocabulary, match] = [queryParam(ctx, 'vocabulary'), queryParam(ctx, 'match')]
      return terms
        .filter((term) => vocabulary === '' || term.vocabulary === vocabulary)
        .filter((term) => match === '' || term.match.kind === match)
        .map(termToJson)
    },
  },
  {
    name: 'shelves',
    title: 'Import Shelves',
    description: 'The collections of the source, and which of them are owned: others get no copy.',
    operation: paged('ImportShelf', shelfSchema),
    read: async (imports, id, ctx) =>
      (await imports.analyse(id, requestOf(ctx))).shelves.map(({ owned, ...shelf }) => ({
        ...shelf,
        owned: owned ?? null,
      })),
  },
  {
    name: 'issues',
    title: 'Import Issues',
    description: 'What was not understood of the source, and required fields that it lacks.',
    operation: paged('ImportIssue', issueSchema),
    async read(imports, id, ctx) {
      const { issues, missing } = await imports.analyse(id, requestOf(ctx))
      const lacking = (await missing()).map(({ kind, field, count, mayBeEmpty }) => ({
        kind: 'required',
        field: `${kind}.${field.name}`,
        message: mayBeEmpty
          ? 'A value for all rows that lack it, or leave it empty.'
          : 'A value for all rows that lack it.',
        count,
        examples: [],
      }))
      return [...lacking, ...issues]
    },
  },
]

const nameToJson = ({
  displayName,
  count,
  spellings,
  fields,
  match,
  remarks,
  decided,
  decision,
}: AnalysedName): schema.ValueOf<typeof nameSchema> => ({
  name: displayName,
  count,
  spellings,
  fields,
  kind: match.kind,
  found: match.exact,
  similar: match.similar,
  parts: match.parts?.names ?? [],
  remarks,
  decided: decided ?? null,
  decision: decision ?? null,
})

function termToJson({
  vocabulary,
  field,
  value,
  count,
  match,
  decided,
  decision,
}: AnalysedTerm): schema.ValueOf<typeof termSchema> {
  return {
    vocabulary,
    field,
    value,
    count,
    match: match.kind,
    suggestions: match.kind === 'suggested' ? match.suggestions : [],
    decided: decided ?? null,
    decision: decision ?? null,
  }
}

const partEndpoints = ({ imports }: ImportEndpointsDependencies): Endpoint[] => [
  {
    ...common,
    path: '/api/imports/:import/source/',
    name: 'Import Source',
    description: 'What the source was recognized as, with rows before and after decoding.',
    methods: {
      async GET(ctx) {
        const { id, recognized } = await findImport(imports, ctx)
        const report = await imports.describe(id)
        sendPrivately(ctx, { recognized, ...report })
      },
    },
    operations: { GET: { response: sourceSchema } },
  },
  ...parts.map(({ name, title, description, operation, read }): Endpoint => ({
    ...common,
    path: `/api/imports/:import/${name}/`,
    name: title,
    description,
    methods: {
      async GET(ctx) {
        const query = parsePageQuery(ctx)
        const { count, results } = paginate(
          await read(imports, await visibleId(imports, ctx), ctx),
          query,
        )
        sendPrivately(ctx, pageOf(ctx, query, count, results))
      },
    },
    operations: { GET: operation },
  })),
]

function previewEndpoint({ imports }: ImportEndpointsDependencies): Endpoint {
  return {
    ...common,
    path: '/api/imports/:import/preview/',
    name: 'Import Preview',
    description:
      'POST finds out what the import would do. GET lists samples, and the rows that are refused, left out, duplicates, or lose something.',
    methods: {
      async GET(ctx) {
        const query = parsePageQuery(ctx)
        const outcome = queryParam(ctx, 'outcome')
        const isUpdated = queryParam(ctx, 'change') === 'updated'
        const rows = []
        for await (const row of imports.previewedRows(await visibleId(imports, ctx)))
          if ((outcome === '' || row.outcome === outcome) && (!isUpdated || row.changes.length > 0))
            rows.push(row)
        const { count, results } = paginate(rows, query)
        sendPrivately(ctx, pageOf(ctx, query, count, results))
      },
      async POST(ctx) {
        await sendSettled(
          ctx,
          imports,
          await imports.preview(await visibleId(imports, ctx), requestOf(ctx)),
        )
      },
    },
    operations: {
      GET: paged(
        'ImportPreviewRow',
        previewRowSchema,
        inQuery('outcome', 'Only rows with this outcome.', outcomeSchema),
        inQuery(
          'change',
          'Only rows that change records that are there.',
          schema.choice(['updated']),
        ),
      ),
      POST: actionOperation,
    },
  }
}

function actionEndpoint(
  { imports }: ImportEndpointsDependencies,
  action: 'commit' | 'undo',
): Endpoint {
  const isCommit = action === 'commit'
  return {
    ...common,
    path: `/api/imports/:import/${action}/`,
    name: isCommit ? 'Commit of an Import' : 'Undo of an Import',
    description: isCommit
      ? 'Writes what the preview said, or stops if the catalogue changed so that it would do something else.'
      : 'Removes what the import made and restores what it replaced. What was changed since stays, and is listed.',
    methods: {
      async POST(ctx) {
        const body = await readBody(ctx)
        const preview = body.get('preview')
        if (preview !== undefined && typeof preview !== 'string')
          throw httpErrors.invalidField('preview', message('Not a valid string.'))
        const id = await visibleId(imports, ctx)
        const job = isCommit
          ? await imports.commit(id, requestOf(ctx), preview)
          : await imports.undo(id, requestOf(ctx))
        await sendSettled(ctx, imports, job)
      },
    },
    operations: { POST: actionOperation },
  }
}

function rowsEndpoint({ imports }: ImportEndpointsDependencies): Endpoint {
  return {
    ...common,
    path: '/api/imports/:import/rows/',
    name: 'Import Rows',
    description: 'The row of the source that made or changed a record, as it was.',
    methods: {
      async GET(ctx) {
        const row = await imports.rowOf(await visibleId(imports, ctx), queryParam(ctx, 'record'))
        if (!row) throw new NotFoundError()
        sendPrivately(ctx, row)
      },
    },
    operations: {
      GET: {
        response: rowSchema,
        parameters: [inQuery('record', 'The record, such as `zines/clp-1`.')],
      },
    },
  }
}

function reportEndpoint({ imports, sendFile }: ImportEndpointsDependencies): Endpoint {
  return {
    path: '/api/imports/:import/report/',
    name: 'Import Report',
    description: 'What became of each row, beside the row in its own columns.',
    formats: [csv],
    readsNeedRights: true,
    methods: {
      async GET(ctx) {
        const job = await findImport(imports, ctx)
        sendFile(ctx, {
          name: `import-${job.id}.csv`,
          type: contentType(csv),
          createContent: () =>
            Readable.from(reportLines(job, imports.reportedRows(job.id)), { objectMode: false }),
        })
        ctx.set('Cache-Control', 'no-store')
      },
    },
    operations: { GET: { response: schema.text(), file: true } },
  }
}

function profilesEndpoint({ imports, resources }: ImportEndpointsDependencies): Endpoint {
  return {
    ...common,
    path: '/api/import-profiles/',
    name: 'Import Profiles',
    description: 'The profiles that are shipped, and those that were saved.',
    methods: {
      async GET(ctx) {
        const query = parsePageQuery(ctx)
        const { count, results } = paginate(await allProfiles({ imports, resources }), query)
        sendPrivately(ctx, pageOf(ctx, query, count, results))
      },
    },
    operations: { GET: paged('ImportProfile', profileSchema) },
  }
}

function profileEndpoint({ imports, resources }: ImportEndpointsDependencies): Endpoint {
  return {
    ...common,
    path: '/api/import-profiles/:profile/',
    name: 'Import Profile',
    description:
      'A profile: where the fields of a source go, and what was decided about names and terms.',
    methods: {
      async GET(ctx) {
        const profile = await findProfile({ imports, resources }, ctx.params.profile ?? '')
        if (!profile) throw new NotFoundError()
        sendPrivately(ctx, profile)
      },
      async PUT(ctx) {
        const name = ctx.params.profile ?? ''
        const body = Object.fromEntries(await readPlainBody(ctx))
        const profile = parseProfile({ ...body, name }, resources)
        await imports.profiles.saveProfile(profile)
        sendPrivately(ctx, profile)
      },
      async DELETE(ctx) {
        const name = ctx.params.profile ?? ''
        const profiles = await imports.profiles.profiles()
        if (!profiles.some((profile) => isNamed(profile, name))) throw new NotFoundError()
        await imports.profiles.removeProfile(name)
        ctx.status = 204
      },
    },
    operations: {
      GET: { response: profileSchema },
      PUT: { request: profileSchema, response: profileSchema },
    },
  }
}

const findImport = (imports: Imports, ctx: RequestContext): Promise<Import> =>
  findVisibleImport(imports, ctx.params.import ?? '', requireAccount(ctx))

const visibleId = async (imports: Imports, ctx: RequestContext): Promise<string> =>
  (await findImport(imports, ctx)).id

function requestOf(ctx: RequestContext): ImportRequest {
  const account = requireAccount(ctx)
  return { account: account.name, mayWrite: (name) => mayWrite(account, name) }
}

/** Answers when the work that was begun is done, or after a while that it goes on. */
async function sendSettled(
  ctx: RequestContext,
  imports: Imports,
  started: Import,
  more: object = {},
): Promise<Import> {
  await imports.settled(started.id, maxWaitMs)
  const job = await imports.get(started.id)
  sendPrivately(ctx, { ...toJson(job), ...more })
  if (job.progress) ctx.status = 202
  return job
}

function sendPrivately(ctx: RequestContext, value: unknown): void {
  ctx.set('Cache-Control', 'no-store')
  sendJson(ctx, value)
}

const toJson = (job: Import): schema.ValueOf<typeof importSchema> => ({
  id: job.id,
  created_at: job.createdAt,
  account: job.account ?? null,
  name: job.name,
  source_name: sourceNameOf(job),
  bytes: job.bytes,
  harvest: job.harvest
    ? {
        url: job.harvest.url,
        metadata_prefix: job.harvest.metadataPrefix,
        set: job.harvest.set ?? null,
        from: job.harvest.from ?? null,
        harvested_at: job.harvest.harvestedAt ?? null,
      }
    : null,
  state: job.state,
  message: job.message === undefined ? null : String(job.message),
  progress: job.progress ?? null,
  source: job.recognized?.description ?? null,
  rows: job.rows,
  revision: job.revision,
  preview: job.preview ?? null,
  batch: job.batch ?? null,
  undo: job.undo ?? null,
  written: job.written ?? {},
  kept: (job.kept ?? []).map(({ reference, fields, dependents }) => ({
    kind: reference.target,
    id: reference.id,
    fields,
    dependents: dependents.map(({ target, id }) => ({ kind: target, id })),
  })),
  profile: job.profile,
})
