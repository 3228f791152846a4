// Reads what clients of the reconciliation API send: batches of queries, the single query of its
// first version, and data extension queries. What is wrong with them is said in words.

import { type EntityType, isEntityType } from './entities.js'
import type { PropertyValue, QueryProperty } from './properties.js'
import type { ReconciliationQuery } from './reconciler.js'
import { HttpError, httpErrors } from '../../http/errors.js'

/** The most that one request may ask. */
export const reconciliationLimits = {
  /** Queries in a batch. */
  queries: 100,
  /** Characters of a name or a value. */
  characters: 1000,
  /** Candidates for a query. */
  candidates: 50,
  /** Properties of a query, and values of a property. */
  properties: 20,
  values: 20,
  /** Entities and properties of a data extension query. */
  extendedEntities: 200,
  extendedProperties: 50,
} as const

/** How many candidates there are, unless asked otherwise. */
const defaultCandidates = 10

/**
 * The queries of a batch by their keys. One that is undefined has no candidates: what is wrong with
 * it is wrong with one row of a table, and must not cost the others theirs.
 * @throws HttpError 400 for what is no batch
 */
export function parseBatch(text: string): ReadonlyMap<string, ReconciliationQuery | undefined> {
  const entries = Object.entries(requireObject(parseJson('queries', text), '`queries`'))
  if (entries.length > reconciliationLimits.queries)
    throw httpErrors.badRequest(
      `\`queries\` may have ${reconciliationLimits.queries} queries at most.`,
    )
  return new Map(entries.map(([key, query]) => [key, parseOneOfMany(query)]))
}

function parseOneOfMany(query: unknown): ReconciliationQuery | undefined {
  try {
    return parseQuery(query)
  } catch (error) {
    if (error instanceof HttpError) return undefined
    throw error
  }
}

/** The query of `query=`: its text, or JSON. @throws HttpError 400 */
export const parseSingle = (text: string): ReconciliationQuery | undefined =>
  parseQuery(/^\s*\{/.test(text) ? parseJson('query', text) : { query: text })

/**
 * A query whose types are all unknown is undefined.
 * @throws HttpError 400
 */
function parseQuery(value: unknown): ReconciliationQuery | undefined {
  const query = requireObject(value, queryName)
  const text = query.query ?? ''
  if (typeof text !== 'string') throw httpErrors.badRequest(`${queryName} has to be a text.`)
  checkLength(text)
  const properties = parseProperties(query.properties)
  if (text.trim() === '' && properties.length === 0)
    throw httpErrors.badRequest(`${queryName} has neither a text nor \`properties\`.`)
  const types = parseTypes(query)
  return (
    types && {
      text: text.normalize('NFC').trim(),
      types,
      limit: parseLimit(query.limit),
      properties,
    }
  )
}

/** How messages name a query. */
const queryName = '`query`'

const strictnesses = ['any', 'all', 'should'] as const

/** The known types; undefined if there are only others. */
function parseTypes({
  type,
  type_strict: strict,
}: Readonly<Record<string, unknown>>): readonly EntityType[] | undefined {
  if (strict !== undefined && !strictnesses.some((strictness) => strictness === strict))
    throw httpErrors.badRequest(`${queryName}: \`type_strict\` has to be any, all or should.`)
  const items: readonly unknown[] = Array.isArray(type) ? type : [type ?? '']
  if (items.length > reconciliationLimits.values)
    throw tooMany(queryName, 'types', reconciliationLimits.values)
  const names = items.map((item) => {
    // OpenRefine sends the object of the manifest back.
    const name = typeof item === 'object' && item !== null && 'id' in item ? item.id : item
    if (typeof name !== 'string')
      throw httpErrors.badRequest(`${queryName}: \`type\` has to be a text, or an array of texts.`)
    return name
  })
  const known = [...new Set(names.filter(isEntityType))]
  if (names.every((name) => name === '') || strict === 'should') return known
  // Nothing has two types.
  const isImpossible = strict === 'all' && new Set(names).size > 1
  return known.length === 0 || isImpossible ? undefined : known
}

function parseLimit(limit: unknown): number {
  if (limit === undefined || limit === null) return defaultCandidates
  const number = Number(limit)
  if (!Number.isInteger(number) || number < 1)
    throw httpErrors.badRequest(`${queryName}: \`limit\` has to be a number from 1.`)
  return Math.min(number, reconciliationLimits.candidates)
}

function parseProperties(value: unknown): readonly QueryProperty[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value))
    throw httpErrors.badRequest(`${queryName}: \`properties\` has to be an array.`)
  if (value.length > reconciliationLimits.properties)
    throw tooMany(queryName, '`properties`', reconciliationLimits.properties)
  return value.map((item: unknown) => {
    const { pid, v } = requireObject(item, `${queryName}: each of \`properties\``)
    if (typeof pid !== 'string' || v === undefined)
      throw httpErrors.badRequest(`${queryName}: each of \`properties\` needs \`pid\` and \`v\`.`)
    const values: readonly unknown[] = Array.isArray(v) ? v : [v]
    if (values.length > reconciliationLimits.values)
      throw tooMany(queryName, 'values of a property', reconciliationLimits.values)
    return { pid, values: values.flatMap((value) => parseValue(value)) }
  })
}

function parseValue(value: unknown): readonly PropertyValue[] {
  if (value === null) return []
  if (typeof value === 'string') {
    checkLength(value)
    return [value.normalize('NFC')]
  }
  if (typeof value === 'number' || typeof value === 'boolean') return [value]
  const { id, name = '' } = requireObject(value, `${queryName}: a value of a property`)
  if (typeof id !== 'string' || typeof name !== 'string')
    throw httpErrors.badRequest(
      `${queryName}: a value of a property has to be a text, a number, true, false, or an object with \`id\`.`,
    )
  checkLength(id)
  checkLength(name)
  return [{ id, name }]
}

export type ExtensionQuery = {
  readonly ids: readonly string[]
  readonly properties: readonly string[]
}

/** @throws HttpError 400 */
export function parseExtension(text: string): ExtensionQuery {
  const { ids, properties } = requireObject(parseJson('extend', text), '`extend`')
  if (!isTexts(ids)) throw httpErrors.badRequest('`extend`: `ids` has to be an array of texts.')
  if (!Array.isArray(properties))
    throw httpErrors.badRequest('`extend`: `properties` has to be an array.')
  const { extendedEntities, extendedProperties } = reconciliationLimits
  if (ids.length > extendedEntities) throw tooMany('`extend`', '`ids`', extendedEntities)
  if (properties.length > extendedProperties)
    throw tooMany('`extend`', '`properties`', extendedProperties)
  const names = properties.map((item: unknown) => {
    const { id } = requireObject(item, '`extend`: each of `properties`')
    if (typeof id !== 'string')
      throw httpErrors.badRequest('`extend`: each of `properties` needs `id`.')
    return id
  })
  return { ids: [...new Set(ids)], properties: [...new Set(names)] }
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw httpErrors.badRequest(`\`${name}\` is not JSON.`)
  }
}

function requireObject(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw httpErrors.badRequest(`${what} has to be an object.`)
  // A Map would not keep the types of single keys; the keys that are read are fixed.
  return value as Readonly<Record<string, unknown>>
}

function checkLength(text: string): void {
  if (text.length > reconciliationLimits.characters)
    throw httpErrors.badRequest(
      `${queryName}: a text may have ${reconciliationLimits.characters} characters at most.`,
    )
}

const tooMany = (what: string, of: string, most: number) =>
  httpErrors.badRequest(`${what} has more than ${most} ${of}.`)
