// A template tag for SPARQL. Values enter a query only as RDF terms, which are escaped here; a
// plain string cannot.

import toNT from '@rdfjs/to-ntriples'
import type { Literal, NamedNode } from '@rdfjs/types'

declare const brand: unique symbol

/** SPARQL text that was made with the `sparql` tag. */
export type Sparql = string & { readonly [brand]: true }

type SparqlValue = NamedNode | Literal | Sparql | readonly SparqlValue[]

/**
 * A query or a part of one. The values in the template are terms, other parts, or arrays of both,
 * which are joined by a space.
 */
export function sparql(strings: TemplateStringsArray, ...values: readonly SparqlValue[]): Sparql {
  return String.raw({ raw: strings }, ...values.map(toText)) as Sparql
}

/** Joins parts by line ends; empty parts are left out. */
export function lines(...parts: readonly Sparql[]): Sparql {
  return parts.filter((part) => part !== '').join('\n') as Sparql
}

/** The variable `?name0`, `?name1`, … */
export const variable = (name: VariableName, number: number): Sparql =>
  `?${name}${number}` as Sparql

type VariableName = 'key' | 'record' | 'value' | 'naming' | 'other' | 'whole' | 'length' | 'suffix'

/** `LIMIT` or `OFFSET` with its number. */
export const rows = (keyword: 'LIMIT' | 'OFFSET', number: number): Sparql =>
  `${keyword} ${Math.trunc(number)}` as Sparql

function toText(value: SparqlValue): string {
  if (typeof value === 'string') return value
  return 'termType' in value ? toNT(value) : value.map(toText).join(' ')
}
