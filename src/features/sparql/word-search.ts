// Answers the searches of queries (`zc:matches`) by the index of the parameter `q`. It runs in the
// main thread, where the index is. word-patterns.ts, in a worker, finds them in a query.

import type { Lists } from '../../catalogue/lists.js'
import { InvalidError } from '../../errors.js'
import { type Iris, type ResourceName, resourceNames } from '../../model/iris.js'
import { ValidationError } from '../../model/record/input.js'
import { type WordHit, type WordSearch, maxFound } from './word-search-protocol.js'

/** @throws InvalidError, UnavailableError */
export type SearchWords = (search: WordSearch) => Promise<readonly WordHit[]>

export const createWordSearch =
  (catalogue: Pick<Lists, 'bestMatches'>, iris: Pick<Iris, 'thing'>): SearchWords =>
  async ({ words, limit, kind }) => {
    const found: WordHit[] = []
    for (const name of kind ? [kind] : resourceNames) {
      const best = await catalogue
        .bestMatches(name, words, limit ?? maxFound + 1)
        .catch((error: unknown) => {
          throw error instanceof ValidationError ? unreadable(error) : error
        })
      if (limit === undefined && best.length > maxFound) throw tooMany(words, name)
      for (const { id, score } of best) found.push({ iri: iris.thing(name, id).value, score })
    }
    return found
  }

const unreadable = (error: ValidationError): InvalidError =>
  new InvalidError(`zc:matches: ${Object.values(error.body).flat().join(' ')}`)

const tooMany = (words: string, name: ResourceName): InvalidError =>
  new InvalidError(
    `zc:matches finds more than ${maxFound} ${name} with ${JSON.stringify(words)}. ` +
      `Add a number to get the best: (${JSON.stringify(words)} ${maxFound}).`,
  )
