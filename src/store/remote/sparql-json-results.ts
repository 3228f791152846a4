// Parses SPARQL results in JSON, including the deviations of Virtuoso from the standard.

import { xsd } from '../../rdf/namespaces.js'
import type { SelectRow } from '../store.js'
import { RemoteError } from './remote-error.js'

/** @throws RemoteError */
export const parseRows = (text: string): SelectRow[] => parseTable(text).rows

/** The result of a SELECT: the names of its variables, and its rows. */
export type ResultTable = {
  readonly names: readonly string[]
  readonly rows: Readonly<Record<string, ResultTerm>>[]
}

/** @throws RemoteError */
export function parseTable(text: string): ResultTable {
  const { head, results } = parseJson(text)
  if (!Array.isArray(results?.bindings))
    throw new RemoteError('no result', `not SPARQL results: ${text.slice(0, 200)}`)
  const rows = results.bindings.map((binding: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(binding).map(([name, term]) => [name, parseTerm(term)])),
  )
  return { names: head?.vars ?? [], rows }
}

/**
 * The result of an ASK. Virtuoso returns a table with one row for true.
 * @throws RemoteError
 */
export function parseBoolean(text: string): boolean {
  const { boolean } = parseJson(text)
  if (typeof boolean === 'boolean') return boolean
  const [row] = parseTable(text).rows
  return (
    row !== undefined && !Object.values(row).some(({ value }) => ['0', 'false'].includes(value))
  )
}

type SparqlJsonResults = {
  readonly head?: { readonly vars?: readonly string[] }
  readonly boolean?: unknown
  readonly results?: { readonly bindings?: unknown }
}

function parseJson(text: string): SparqlJsonResults {
  try {
    return (JSON.parse(text) as SparqlJsonResults | null) ?? {}
  } catch (cause) {
    throw new RemoteError('no result', `not JSON: ${text.slice(0, 200)}`, { cause })
  }
}

/**
 * A term in the standard form. Virtuoso calls a literal with a datatype `typed-literal`, and true
 * 1.
 */
export type ResultTerm = {
  readonly type: 'uri' | 'literal' | 'bnode'
  readonly value: string
  readonly datatype?: string
  readonly 'xml:lang'?: string
}

function parseTerm(term: unknown): ResultTerm {
  const { type, value, datatype, ...rest } = term as Omit<ResultTerm, 'type'> & {
    readonly type: string
  }
  if (typeof value !== 'string')
    throw new RemoteError('no result', `not a term: ${JSON.stringify(term)}`)
  const language = rest['xml:lang']
  return {
    type: type === 'uri' || type === 'bnode' ? type : 'literal',
    value: datatype === xsdBoolean ? (booleanTexts.get(value) ?? value) : value,
    ...(datatype === undefined || datatype === xsdString ? {} : { datatype }),
    ...(language === undefined ? {} : { 'xml:lang': language }),
  }
}

const xsdBoolean = xsd('boolean').value
const xsdString = xsd('string').value

const booleanTexts: ReadonlyMap<string, string> = new Map([
  ['1', 'true'],
  ['0', 'false'],
])
