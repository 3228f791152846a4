// The quads that a worker has at rest: those of the example queries, so that whoever tries one of
// these does not wait until they are loaded.

import { machineMemory } from '../../lib/memory.js'
import type { QuadPattern } from './quad-patterns.js'
import { parsePublicQuery } from './query-checks.js'
import { everything, neededPatterns } from './query-patterns.js'

/** What Oxigraph takes for a quad. */
const bytesPerQuad = 450

/** So much memory may they take: 600,000 quads, those of some 25,000 zines. */
const maxQuads = Math.min(256 * 2 ** 20, machineMemory / 20) / bytesPerQuad

/**
 * @param queries those that need all quads are left out
 * @param endpoint the IRI against which relative IRIs are resolved
 */
export const patternsOfQueries = (
  queries: readonly string[],
  endpoint: string,
): readonly QuadPattern[] =>
  queries
    .flatMap((query) => neededPatterns(parsePublicQuery(query, endpoint)))
    .filter((pattern) => pattern !== everything)

/** @param quads how many have one of the patterns */
export const mayPreload = (quads: number): boolean => quads <= maxQuads
