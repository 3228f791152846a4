// Reads vocabularies/labels.tsv: what our terms are called in other languages than English
// (vocabularies/README.md, "Labels in other languages").

import { readFile } from 'node:fs/promises'

import { DataFactory } from 'n3'

import { ExpectedError } from '../../errors.js'
import { skos } from '../../rdf/namespaces.js'
import { type Quad, iri, triple } from '../../rdf/terms.js'

type VocabularyLabel = {
  readonly code: string
  /** By its tag (BCP 47), such as `es`. */
  readonly language: string
  readonly label: string
}

/**
 * The labels by the name of the vocabulary.
 * @throws ExpectedError for a line that has another form
 */
export async function readVocabularyLabels(
  file: string,
): Promise<ReadonlyMap<string, readonly VocabularyLabel[]>> {
  const labels = new Map<string, VocabularyLabel[]>()
  for (const line of (await readFile(file, 'utf8')).trimEnd().split('\n').slice(1)) {
    const [vocabulary, code, language, label, source] = line.split('\t')
    if (!vocabulary || !code || !language || !label || !source)
      throw new ExpectedError(`${file}: not a label: ${line}`)
    const others = labels.get(vocabulary) ?? []
    labels.set(vocabulary, [...others, { code, language, label }])
  }
  return labels
}

export const quadsOfLabels = (labels: readonly VocabularyLabel[], scheme: string): Quad[] =>
  labels.map(({ code, language, label }) =>
    triple(iri(`${scheme}#${code}`), skos('prefLabel'), DataFactory.literal(label, language)),
  )
