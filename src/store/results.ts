// Rows out of SPARQL results in JSON, as engines write them rather than as the standard has them.

import { xsd } from '../rdf/namespaces.js'
import type { Row } from './store.js'

/** The text is no SPARQL results: cut off, or an answer to something else. */
export class Unreadable extends Error {}

/** @throws Unreadable */
export function rowsOf(text: string): Row[] {
  const bindings = bindingsIn(text)
  if (!Array.isArray(bindings)) throw new Unreadable(`no SPARQL results: ${text.slice(0, 200)}`)
  return bindings.map((binding: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(binding).map(([name, term]) => [name, termOf(term)])),
  )
}

function bindingsIn(text: string): unknown {
  try {
    return (JSON.parse(text) as { results?: { bindings?: unknown } } | null)?.results?.bindings
  } catch (cause) {
    throw new Unreadable(`no JSON: ${text.slice(0, 200)}`, { cause })
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
  if (typeof value !== 'string') throw new Unreadable(`no term: ${JSON.stringify(term)}`)
  const language = rest['xml:lang']
  return {
    type: type === 'uri' || type === 'bnode' ? type : 'literal',
    value: datatype === boolean ? (truths.get(value) ?? value) : value,
    ...(datatype === undefined || datatype === string ? {} : { datatype }),
    ...(language === undefined ? {} : { 'xml:lang': language }),
  }
}

const boolean = xsd('boolean').value
const string = xsd('string').value

const truths: ReadonlyMap<string, string> = new Map([
  ['1', 'true'],
  ['0', 'false'],
])
