// Finds the term that an address means: that of a licence, or of a heading in another vocabulary.

import { type Vocabulary, matchesOf } from '../../../model/vocabulary.js'

const cache = new WeakMap<Vocabulary, ReadonlyMap<string, string>>()

/** The code of the term that is the same as what an address names; undefined for other texts. */
export function codeOfAddress(text: string, vocabulary: Vocabulary): string | undefined {
  if (!/^https?:\/\/\S+$/i.test(text)) return undefined
  const codes = cache.get(vocabulary) ?? indexAddresses(vocabulary)
  cache.set(vocabulary, codes)
  return codes.get(comparableAddress(text))
}

const indexAddresses = (vocabulary: Vocabulary): ReadonlyMap<string, string> =>
  new Map(
    vocabulary.entries.flatMap(({ code }) =>
      matchesOf(vocabulary, code).map((match) => [comparableAddress(match), code] as const),
    ),
  )

/**
 * Licences are named with and without a slash, a page of a language or the legal code at their
 * ends.
 */
const comparableAddress = (address: string): string =>
  address
    .toLowerCase()
    .replace(/^https?:\/\/(?:www\.)?/, '')
    .replace(/\/(?:deed(?:\.\w+)?|legalcode(?:\.\w+)?)$/, '')
    .replace(/\/$/, '')
