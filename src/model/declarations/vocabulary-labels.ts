// Reads vocabularies/labels.tsv: what our terms are called in other languages than English
// (vocabularies/README.md, "Labels in other languages").

import { readFile } from 'node:fs/promises'

import { DataFactory } from 'n3'

import { type StandardRow, parseTable } from '../../lib/standards.js'
import { skos } from '../../rdf/namespaces.js'
import { type Quad, iri, triple } from '../../rdf/terms.js'

const columns = {
  vocabulary: /^[a-z-]+$/,
  code: /./,
  /** A tag of BCP 47. */
  language: /^[a-z]{2,3}$/,
  label: /./,
  source: /./,
  read: /^(?:yes|no)$/,
}

type VocabularyLabel = StandardRow<keyof typeof columns>

/**
 * The labels of all vocabularies.
 * @throws ExpectedError for a line that has another form
 */
export const readVocabularyLabels = async (file: string): Promise<readonly VocabularyLabel[]> =>
  parseTable(await readFile(file, 'utf8'), file, columns)

export const quadsOfLabels = (labels: readonly VocabularyLabel[], scheme: string): Quad[] =>
  labels.map(({ code, language, label }) =>
    triple(iri(`${scheme}#${code}`), skos('prefLabel'), DataFactory.literal(label, language)),
  )
