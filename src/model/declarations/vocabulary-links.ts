// Reads vocabularies/links.tsv: which headings of other vocabularies mean the same as our terms, or
// nearly the same (vocabularies/README.md, "Links to other vocabularies").

import { readFile } from 'node:fs/promises'

import { ExpectedError } from '../../errors.js'
import { type Quad, iri, triple } from '../../rdf/terms.js'
import { skos } from '../../rdf/namespaces.js'
import type { Heading } from '../vocabulary.js'
import { toGroups } from '../../lib/groups.js'

export type VocabularyLink = {
  readonly code: string
  readonly match: 'exactMatch' | 'closeMatch'
  readonly iri: string
  /** What the other vocabulary calls it. */
  readonly heading: string
}

/**
 * The namespaces of the vocabularies, with their codes in MARC (Subject Heading and Term Source
 * Codes).
 */
const schemes = [
  ['http://id.loc.gov/authorities/subjects/', 'lcsh'],
  ['http://id.loc.gov/authorities/genreForms/', 'lcgft'],
  ['https://homosaurus.org/v3/', 'homoit'],
] as const

const matches = ['exactMatch', 'closeMatch'] as const

/**
 * The links by the name of our vocabulary.
 * @throws ExpectedError for a line that has another form
 */
export async function readVocabularyLinks(
  file: string,
): Promise<ReadonlyMap<string, readonly VocabularyLink[]>> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n').slice(1)
  return toGroups(
    lines.map((line) => parseLink(line, file)),
    ({ vocabulary }) => vocabulary,
  )
}

function parseLink(line: string, file: string): VocabularyLink & { readonly vocabulary: string } {
  const [vocabulary, code, matchName, target, heading, source] = line.split('\t')
  const match = matches.find((candidate) => candidate === matchName)
  if (!vocabulary || !code || !match || !target || !heading || !source)
    throw new ExpectedError(`${file}: not a link: ${line}`)
  if (!schemeOf(target)) throw new ExpectedError(`${file}: <${target}> is in no known vocabulary`)
  return { vocabulary, code, match, iri: target, heading }
}

export const quadsOfLinks = (links: readonly VocabularyLink[], scheme: string): readonly Quad[] =>
  links.map(({ code, match, iri: target }) =>
    triple(iri(`${scheme}#${code}`), skos(match), iri(target)),
  )

/** The headings that mean the same as each term, by its code. */
export const headingsOf = (
  links: readonly VocabularyLink[],
): ReadonlyMap<string, readonly Heading[]> =>
  toGroups(
    links
      .filter(({ match }) => match === 'exactMatch')
      .map(({ code, iri: target, heading }) => ({
        code,
        iri: target,
        text: heading,
        scheme: schemeOf(target) ?? '',
      })),
    ({ code }) => code,
  )

const schemeOf = (target: string): string | undefined =>
  schemes.find(([namespace]) => target.startsWith(namespace))?.[1]
