// What a worker asks of the search in the main thread, and what it gets.

import type { ResourceName } from '../../model/iris.js'

/** The most records of one kind that one search in a query may find. */
export const maxFound = 10_000

/** A search in a query. */
export type WordSearch = {
  /** As the parameter `q` of lists takes them. */
  readonly words: string
  /** So many of each kind at most, the best; undefined for all that there are. */
  readonly limit: number | undefined
  /** The only kind that is wanted; undefined for all four. */
  readonly kind: ResourceName | undefined
}

export type WordHit = {
  readonly iri: string
  /** The higher, the better. */
  readonly score: number
}
