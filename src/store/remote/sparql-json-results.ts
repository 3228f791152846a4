// Rows out of SPARQL results in JSON, as engines write them rather than as the standard has them.

import { xsd } from '../../rdf/namespaces.js'
import type { SelectRow } from '../store.js'

/** The text is no SPARQL results: cut off, or an answer to something else. */
export class InvalidResultsError extends Error {}

/** @throws Unreadable */
export const parseRows = (text: string): SelectRow[] => tableOf(text).rows

/** The rows, and the names of the columns. */
export type Table = {
  readonly names: readonly string[]
  readonly rows: Readonly<Record<string, Term>>[]
}

/** @throws Unreadable */
export function tableOf(text: string): Table {
  const { head, results } = resultsIn(text)
  if (!Array.isArray(results?.bindings))
    throw new InvalidResultsError(`no SPARQL results: ${text.slice(0, 200)}`)
  const rows = results.bindings.map((binding: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(binding).map(([name, term]) => [name, termOf(term)])),
  )
  return { names: head?.vars ?? [], rows }
}

/** The answer to ASK; Virtuoso gives a table with one row for yes. @throws Unreadable */
export function parseBoolean(text: string): boolean {
  const { boolean: truth } = resultsIn(text)
  if (typeof truth === 'boolean') return truth
  const [row] = tableOf(text).rows
  return (
    row !== undefined && !Object.values(row).some(({ value }) => ['0', 'false'].includes(value))
  )
}

type SparqlJsonResults = {
  readonly head?: { readonly vars?: readonly string[] }
  readonly boolean?: unknown
  readonly results?: { readonly bindings?: unknown }
}

function resultsIn(text: string): SparqlJsonResults {
  try {
    return (JSON.parse(text) as SparqlJsonResults | null) ?? {}
  } catch (cause) {
    throw new InvalidResultsError(`no JSON: ${text.slice(0, 200)}`, { cause })
  }
}

/** A term as the standard has it. Virtuoso calls literals with a datatype `typed-literal`, and truth 1. */
export type Term = {
  readonly type: 'uri' | 'literal' | 'bnode'
  readonly value: string
  readonly datatype?: string
  readonly 'xml:lang'?: string
}

export function termOf(term: unknown): Term {
  const { type, value, datatype, ...rest } = term as Omit<Term, 'type'> & { readonly type: string }
  if (typeof value !== 'string') throw new InvalidResultsError(`no term: ${JSON.stringify(term)}`)
  const language = rest['xml:lang']
  return {
    type: type === 'uri' || type === 'bnode' ? type : 'literal',
    value: datatype === isBoolean ? (truths.get(value) ?? value) : value,
    ...(datatype === undefined || datatype === isString ? {} : { datatype }),
    ...(language === undefined ? {} : { 'xml:lang': language }),
  }
}

const isBoolean = xsd('boolean').value
const isString = xsd('string').value

const truths: ReadonlyMap<string, string> = new Map([
  ['1', 'true'],
  ['0', 'false'],
])
