// SPARQL as a type of its own. A value reaches a query as a term, escaped here; a string never does.

import toNT from '@rdfjs/to-ntriples'
import type { Literal, NamedNode } from '@rdfjs/types'

declare const earned: unique symbol

/** Text that came from the tag below: its values are terms. */
export type Sparql = string & { readonly [earned]: true }

type Part = NamedNode | Literal | Sparql | readonly Part[]

/**
 * A query or a piece of one. What stands between the braces is a term, another piece, or an array
 * of either, joined by a space.
 */
export function sparql(strings: TemplateStringsArray, ...parts: readonly Part[]): Sparql {
  return String.raw({ raw: strings }, ...parts.map(write)) as Sparql
}

/** Pieces one under the other, the empty ones left out. */
export function lines(...pieces: readonly Sparql[]): Sparql {
  return pieces.filter((piece) => piece !== '').join('\n') as Sparql
}

/** The variable `?name0`, `?name1`, …: a number is the only thing that can be added to a name. */
export const variable = (name: 'key' | 'record', number: number): Sparql =>
  `?${name}${number}` as Sparql

/** The number of rows to take or to pass over. */
export const rows = (keyword: 'LIMIT' | 'OFFSET', number: number): Sparql =>
  `${keyword} ${Math.trunc(number)}` as Sparql

function write(part: Part): string {
  if (typeof part === 'string') return part
  // A term that is not an array has a termType.
  return 'termType' in part ? toNT(part) : part.map(write).join(' ')
}
