// Patterns of quads: which quads a query may need, so that only these are loaded for it. Terms are
// written as in N-Quads. query-patterns.ts finds the patterns of a query.

import type { WrittenQuad } from '../../rdf/nquads.js'

/**
 * The quads, in any graph, with this subject, with this predicate, with this object, or with this
 * predicate and this object; without any of these, all quads.
 */
export type QuadPattern =
  | { readonly subject: string; readonly predicate?: never; readonly object?: never }
  | { readonly subject?: never; readonly predicate?: string; readonly object?: string }

export const noPatterns: readonly QuadPattern[] = []

/** As a triple pattern of a query. */
export const writePattern = ({ subject, predicate, object }: QuadPattern): string =>
  `${subject ?? '?s'} ${predicate ?? '?p'} ${object ?? '?o'}`

export type PatternSet = {
  readonly isEmpty: () => boolean
  readonly add: (pattern: QuadPattern) => void
  /** Whether every quad of the pattern has one of the patterns that were added. */
  readonly covers: (pattern: QuadPattern) => boolean
  readonly matches: (quad: WrittenQuad) => boolean
  readonly parts: PatternParts
}

/** What a quad must have: one of these is enough. */
export type PatternParts = {
  hasAll: boolean
  readonly subjects: Set<string>
  readonly predicates: Set<string>
  readonly objects: Set<string>
  /** The objects that are wanted with a predicate. */
  readonly objectsOf: Map<string, Set<string>>
}

export function createPatternSet(patterns: readonly QuadPattern[] = []): PatternSet {
  const parts: PatternParts = {
    hasAll: false,
    subjects: new Set(),
    predicates: new Set(),
    objects: new Set(),
    objectsOf: new Map(),
  }
  let isEmpty = true

  function add({ subject, predicate, object }: QuadPattern): void {
    isEmpty = false
    if (subject !== undefined) parts.subjects.add(subject)
    else if (predicate !== undefined && object !== undefined) {
      const objects = parts.objectsOf.get(predicate) ?? new Set()
      parts.objectsOf.set(predicate, objects.add(object))
    } else if (predicate !== undefined) parts.predicates.add(predicate)
    else if (object !== undefined) parts.objects.add(object)
    else parts.hasAll = true
  }

  function covers({ subject, predicate, object }: QuadPattern): boolean {
    if (parts.hasAll) return true
    if (subject !== undefined) return parts.subjects.has(subject)
    return (
      (predicate !== undefined && parts.predicates.has(predicate)) ||
      (object !== undefined && parts.objects.has(object)) ||
      (predicate !== undefined &&
        object !== undefined &&
        parts.objectsOf.get(predicate)?.has(object) === true)
    )
  }

  patterns.forEach(add)
  return {
    isEmpty: () => isEmpty,
    add,
    covers,
    matches: ({ subject, predicate, object }) =>
      parts.hasAll ||
      parts.predicates.has(predicate) ||
      parts.subjects.has(subject) ||
      parts.objects.has(object) ||
      parts.objectsOf.get(predicate)?.has(object) === true,
    parts,
  }
}
