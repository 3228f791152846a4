// Reads the bodies of batches: lines that each write one record, or one edit of many records
// (docs/reference/history.md, "Batches").

import type { Account } from '../../accounts/accounts.js'
import type { BatchLine, BatchOperation, BatchSelection } from '../../catalogue/writes/batches.js'
import { maxBatchLines } from '../../catalogue/writes/batches.js'
import { visibilityNames } from '../../model/record/visibility.js'
import type { FieldEdit, FieldEdits } from '../../catalogue/writes/field-edits.js'
import { type ResourceName, resourceNames } from '../../model/iris.js'
import { JsonNumber, parseJsonInput } from '../../model/record/json-input.js'
import type { Field, Resource, Resources } from '../../model/resources.js'
import { createYielder } from '../../lib/scheduling.js'
import type { RequestContext } from '../../http/context.js'
import { HttpError, httpErrors } from '../../http/errors.js'
import { type BodyLine, jsonErrorMessage, readBody, readLines } from '../../http/request/body.js'
import { parseListQueryText } from '../../http/request/list-query.js'
import { parseIfMatch } from '../../http/response/conditional.js'
import * as schema from '../../http/schemas.js'

/** A line with its number in the body. */
export type NumberedLine = { readonly number: number; readonly line: BatchLine }

const operations: readonly BatchOperation[] = ['create', 'replace', 'change', 'remove']

export const kindSchema = schema.choice(resourceNames, 'The list of the record.')

export const batchLineSchema = schema.component(
  'BatchLine',
  'One line of a batch. A line may name what an earlier one makes.',
  {
    op: schema.choice(operations),
    kind: kindSchema,
    ...schema.partial({
      id: schema.text('The identifier of the record; `create` may have it in the body only.'),
      body: schema.anyObject('What the single request would send.'),
      if_match: schema.text('The ETag that the record must still have.'),
    }),
  },
)

const fieldEditSchema = schema.object(
  schema.partial({
    add: schema.listOf(schema.text(), 'Values that a list gets, unless it has them.'),
    remove: schema.listOf(schema.text(), 'Values that a list loses.'),
    replace: schema.mapOf(schema.text(), 'New values of a list by the old ones.'),
    set: { description: 'The new value of the field.' },
    clear: schema.boolean({ enum: [true] }),
  }),
  'What is done to one field: add, remove and replace in a list, or set or clear alone.',
)

export const batchEditSchema = schema.component('BatchEdit', 'The same edit of many records.', {
  kind: kindSchema,
  edit: schema.mapOf(fieldEditSchema),
  ...schema.partial({
    query: schema.text(
      'The query of a list, as in its address: filters and search. Or send `ids`.',
    ),
    ids: schema.listOf(schema.text(), { maxItems: maxBatchLines }),
  }),
})

type Members = Readonly<Record<string, unknown>>

/**
 * The lines of a batch.
 * @throws HttpError 415, 413; 400 with the number of a line that cannot be read
 */
export async function readBatchLines(
  ctx: RequestContext,
  resources: Resources,
): Promise<readonly NumberedLine[]> {
  const sent = await readLines(ctx, maxBatchLines)
  if (sent.length === 0) throw httpErrors.badRequest('A batch has one line at least.')
  const lines: NumberedLine[] = []
  const maybeYield = createYielder()
  for (const line of sent) {
    lines.push({ number: line.number, line: parseLine(line, resources) })
    await maybeYield()
  }
  return lines
}

function parseLine({ number, text }: BodyLine, resources: Resources): BatchLine {
  const invalid = (why: string): HttpError => httpErrors.badRequest(`Line ${number}: ${why}`)
  const { op, kind, id, body = {}, if_match: ifMatch } = parseMembers(text, invalid)
  const operation = operations.find((known) => known === op)
  if (!operation) throw invalid(`op is none of ${operations.join(', ')}.`)
  if (!isResourceName(kind)) throw invalid(`kind is none of ${resourceNames.join(', ')}.`)
  if (!isObject(body)) throw invalid('body is no object.')
  if (ifMatch !== undefined && typeof ifMatch !== 'string') throw invalid('if_match is no text.')
  const idName = resources[kind].id.name
  const sent = new Map(Object.entries(body))
  const named = textOf(id) ?? textOf(sent.get(idName))
  if (named === undefined) throw invalid('id is missing.')
  // The identifier need not be written twice.
  if (['create', 'replace'].includes(operation) && !sent.has(idName)) sent.set(idName, named)
  if (operation === 'create' && textOf(sent.get(idName)) !== named)
    throw invalid(`id is not the ${idName} of the body.`)
  return {
    op: operation,
    reference: { target: kind, id: named.trim().normalize('NFC') },
    body: sent,
    precondition: ifMatch === undefined ? undefined : parsePrecondition(ifMatch, invalid),
  }
}

function parsePrecondition(ifMatch: string, invalid: (why: string) => HttpError) {
  try {
    return parseIfMatch(ifMatch)
  } catch {
    throw invalid('if_match has no entity tag.')
  }
}

function parseMembers(text: string, invalid: (why: string) => HttpError): Members {
  let value: unknown
  try {
    value = parseJsonInput(text)
  } catch (error) {
    throw invalid(`JSON parse error - ${jsonErrorMessage(error)}`)
  }
  if (!isObject(value)) throw invalid('this is no object.')
  return value
}

/** An edit of many records. */
export type EditRequest = { readonly selection: BatchSelection; readonly edits: FieldEdits }

/** The edit of many records in a JSON body. @throws HttpError 415, 413, 400 */
export async function readEditRequest(
  ctx: RequestContext,
  resources: Resources,
): Promise<EditRequest> {
  const body = await readBody(ctx)
  const kind = body.get('kind')
  if (!isResourceName(kind))
    throw invalidMember('kind', `This is none of ${resourceNames.join(', ')}.`)
  const records = parseSelection(resources[kind], body, ctx.state.account)
  return {
    selection: { name: kind, records },
    edits: parseEdits(resources[kind], body.get('edit')),
  }
}

function parseSelection(
  resource: Resource,
  body: ReadonlyMap<string, unknown>,
  account: Account | undefined,
): BatchSelection['records'] {
  const [query, ids] = [body.get('query'), body.get('ids')]
  if (typeof query === 'string' && ids === undefined)
    return { query: parseListQueryText(resource, query, account) }
  const named = Array.isArray(ids) ? ids.map(textOf) : []
  if (query !== undefined || !Array.isArray(ids) || named.includes(undefined))
    throw invalidMember('query', 'Send the query of a list as a text, or a list of ids.')
  if (ids.length === 0) throw invalidMember('ids', 'A batch is about one record at least.')
  if (ids.length > maxBatchLines)
    throw invalidMember('ids', `A batch may change ${maxBatchLines} records at most.`)
  const distinct = new Set(named.flatMap((id) => (id === undefined ? [] : [id.normalize('NFC')])))
  return { ids: [...distinct] }
}

/** @throws HttpError 400 with everything that is wrong with the edits */
function parseEdits(resource: Resource, sent: unknown): FieldEdits {
  if (!isObject(sent) || Object.keys(sent).length === 0)
    throw invalidMember('edit', 'Send an object with an edit for each field.')
  const edits = new Map<string, FieldEdit>()
  const messages: string[] = []
  for (const [name, edit] of Object.entries(sent)) {
    if (visibilityNames.includes(name) && isObject(edit) && 'set' in edit) {
      edits.set(name, { set: edit.set })
      continue
    }
    const field = resource.inputFields.find((candidate) => candidate.name === name)
    const parsed = field && field !== resource.id ? parseEdit(field, edit) : undefined
    if (parsed) edits.set(name, parsed)
    else if (!field || field === resource.id) messages.push(`${name} is no field to edit.`)
    else messages.push(`${name}: ${field.repeatable ? listHint : textHint}`)
  }
  if (messages.length > 0) throw invalidMember('edit', ...messages)
  return edits
}

const textHint = 'Send {"set": …} or {"clear": true}.'
const listHint =
  'Send add and remove with lists of texts, replace with an object of texts, {"set": […]} or {"clear": true}.'

function parseEdit({ repeatable }: Field, edit: unknown): FieldEdit | undefined {
  if (!isObject(edit)) return undefined
  const names = Object.keys(edit)
  if (names.length === 1 && 'set' in edit) return { set: edit.set }
  if (names.length === 1 && edit.clear === true) return { clear: true }
  const isKnown = names.every((name) => ['add', 'remove', 'replace'].includes(name))
  if (!repeatable || names.length === 0 || !isKnown) return undefined
  const { add = [], remove = [], replace = {} } = edit
  if (!isTextList(add) || !isTextList(remove) || !isObject(replace)) return undefined
  if (!isTextList(Object.values(replace))) return undefined
  const clean = (text: string): string => text.trim().normalize('NFC')
  return {
    add: add.map(clean),
    remove: remove.map(clean),
    // The cast: all values are texts.
    replace: new Map(
      Object.entries(replace as Readonly<Record<string, string>>).map(([old, next]) => [
        clean(old),
        clean(next),
      ]),
    ),
  }
}

const invalidMember = (name: string, ...messages: readonly string[]): HttpError =>
  new HttpError({ status: 400, body: { [name]: messages } })

const isResourceName = (value: unknown): value is ResourceName =>
  (resourceNames as readonly unknown[]).includes(value)

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof JsonNumber)

const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

/** The text of an identifier, which may be sent as a number. */
function textOf(value: unknown): string | undefined {
  if (value instanceof JsonNumber) return value.text
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}
