// Controlled vocabularies as a record needs them: a code for each concept and a concept for each code.

import { ExpectedError } from '../errors.js'
import { dcterms, rdf, skos } from '../rdf/namespaces.js'
import {
  encodeSegment,
  type Literal,
  type NamedNode,
  type Quad,
  groupBySubject,
  distinctTriples,
  iri,
  triple,
} from '../rdf/terms.js'

/** A vocabulary entry (docs/api.md, "Reference lists"). */
export type VocabularyEntry = {
  readonly code: string
  readonly label: string
  readonly uri: string
  readonly definition?: string
}

export type Vocabulary = {
  /** Like `subjects`. */
  readonly name: string
  /** The concept scheme. */
  readonly scheme: NamedNode
  readonly title: string
  /** Ordered by label. */
  readonly entries: readonly VocabularyEntry[]
  /** The entry of a code; undefined when there is none. */
  find(code: string): VocabularyEntry | undefined
  /** The concept of a code: a new IRI under the scheme when the vocabulary does not have the code. */
  concept(code: string): NamedNode
  /** The code of a concept, also of one that the vocabulary no longer has. */
  codeOf(concept: string): string
  /** What is said of the concept of a code, in SKOS; nothing of a code that there is not. */
  statements(code: string): readonly Quad[]
  /** What is said of the scheme itself. */
  readonly statementsOfScheme: readonly Quad[]
}

/** A vocabulary is not well made; the message says which concept of which file, and why. */
export class VocabularyError extends ExpectedError {}

// Sets, since an institution's file may say of a shipped concept what is said of it already.
type ConceptDraft = {
  readonly uri: string
  readonly notations: Set<string>
  readonly labels: Set<string>
  readonly definitions: Set<string>
}

/**
 * The vocabulary that SKOS triples describe.
 * @param file named in the errors
 * @throws VocabularyError when a concept has not exactly one code and label, or another code than
 *   its IRI says
 */
export function vocabularyOf(
  name: string,
  scheme: string,
  quads: readonly Quad[],
  file: string,
): Vocabulary {
  const drafts = new Map<string, ConceptDraft>()
  let title = name
  for (const { subject, predicate, object } of quads) {
    if (subject.value === scheme) {
      if (predicate.equals(dcterms('title'))) title = object.value
      continue
    }
    const draft = drafts.get(subject.value) ?? {
      uri: subject.value,
      notations: new Set(),
      labels: new Set(),
      definitions: new Set(),
    }
    drafts.set(subject.value, draft)
    if (predicate.equals(skos('notation'))) draft.notations.add(object.value)
    if (predicate.equals(skos('prefLabel'))) draft.labels.add(object.value)
    if (predicate.equals(skos('definition'))) draft.definitions.add(object.value)
  }

  const byCode = new Map<string, VocabularyEntry>()
  const byUri = new Map<string, VocabularyEntry>()
  for (const draft of drafts.values()) {
    const entry = entryOf(draft, file)
    if (
      entry.uri.startsWith(`${scheme}#`) &&
      entry.uri !== `${scheme}#${encodeSegment(entry.code)}`
    )
      throw new VocabularyError(`${file}: the code of <${entry.uri}> is not the part after #`)
    const twin = byCode.get(entry.code)
    if (twin) throw new VocabularyError(`${file}: <${entry.uri}> and <${twin.uri}> share a code`)
    byCode.set(entry.code, entry)
    byUri.set(entry.uri, entry)
  }
  const entries = [...byCode.values()].sort(
    (a, b) => compareLabels(a.label, b.label) || compareLabels(a.code, b.code),
  )

  const statements = skosOf(iri(scheme), quads, entries)
  return {
    name,
    scheme: iri(scheme),
    title,
    entries,
    statements: (code) => statements.get(byCode.get(code)?.uri ?? '') ?? [],
    statementsOfScheme: statements.get(scheme) ?? [],
    find: (code) => byCode.get(code),
    concept: (code) => iri(byCode.get(code)?.uri ?? `${scheme}#${encodeSegment(code)}`),
    codeOf: (concept) => byUri.get(concept)?.code ?? lastPart(concept),
  }
}

/**
 * What an institution says of its own terms, joined to what ships: its labels and definitions win.
 * Both may leave `skos:inScheme` to the file that they stand in, so it is added to every concept.
 */
export function mergeLocalTerms(
  scheme: string,
  shipped: readonly Quad[],
  local: readonly Quad[],
): Quad[] {
  const said = new Set(local.map(({ subject, predicate }) => `${subject.value} ${predicate.value}`))
  return [
    ...shipped.filter(
      ({ subject, predicate }) =>
        !(replaceable.has(predicate.value) && said.has(`${subject.value} ${predicate.value}`)),
    ),
    ...local.filter(({ subject }) => subject.value !== scheme),
  ]
}

/**
 * The triples of each subject, with what files may leave out: the type and scheme of a concept, and
 * that a concept without a broader one is a top concept.
 */
function skosOf(
  scheme: NamedNode,
  quads: readonly Quad[],
  entries: readonly VocabularyEntry[],
): ReadonlyMap<string, readonly Quad[]> {
  const said = quads.map(({ subject, predicate, object }) =>
    triple(subject, predicate as NamedNode, object),
  )
  const narrower = new Set(
    said.filter((one) => one.predicate.equals(skos('broader'))).map(({ subject }) => subject.value),
  )
  const concepts = entries.map(({ uri }) => iri(uri))
  const top = concepts.filter((concept) => !narrower.has(concept.value))
  const all = distinctTriples([
    triple(scheme, rdf('type'), skos('ConceptScheme')),
    ...concepts.map((concept) => triple(concept, rdf('type'), skos('Concept'))),
    ...said,
    ...concepts.map((concept) => triple(concept, skos('inScheme'), scheme)),
    ...top.map((concept) => triple(concept, skos('topConceptOf'), scheme)),
    ...top.map((concept) => triple(scheme, skos('hasTopConcept'), concept)),
  ])
  return groupBySubject(all)
}

/** The literal with which a subject's property is said, language included. */
export const literalOf = (statements: readonly Quad[], property: NamedNode): Literal | undefined =>
  statements
    .filter(({ predicate }) => predicate.equals(property))
    .map(({ object }) => object)
    .find((object): object is Literal => object.termType === 'Literal')

const replaceable = new Set([skos('prefLabel').value, skos('definition').value])

function entryOf(
  { uri, notations, labels, definitions }: ConceptDraft,
  file: string,
): VocabularyEntry {
  const [code, ...moreCodes] = notations
  const [label, ...moreLabels] = labels
  if (!code?.trim() || moreCodes.length > 0)
    throw new VocabularyError(`${file}: <${uri}> needs exactly one skos:notation`)
  if (!label?.trim() || moreLabels.length > 0)
    throw new VocabularyError(`${file}: <${uri}> needs exactly one skos:prefLabel`)
  const [definition] = definitions
  return { code, label, uri, ...(definition ? { definition } : {}) }
}

// As a reader looks a label up: without regard to case, the same on every machine.
const compareLabels = new Intl.Collator('en', { sensitivity: 'variant' }).compare

const lastPart = (concept: string): string =>
  decodeURIComponent(
    concept.slice(Math.max(concept.lastIndexOf('#'), concept.lastIndexOf('/')) + 1),
  )

/** The IRIs of the same concept in other vocabularies. */
export const matchesOf = (vocabulary: Vocabulary, code: string): readonly string[] =>
  vocabulary
    .statements(code)
    .filter(({ predicate }) => predicate.equals(skos('exactMatch')))
    .map(({ object }) => object.value)
