// Controlled vocabularies: the entries of a SKOS concept scheme, by code and by concept. Reading
// their files is left to declarations/read-files.ts (docs/reference/data-model.md, "Vocabularies").

import { ExpectedError } from '../errors.js'
import { dcterms, rdf, skos } from '../rdf/namespaces.js'
import {
  encodeSegment,
  type Literal,
  type NamedNode,
  type Quad,
  type Term,
  groupBySubject,
  distinctTriples,
  iri,
  triple,
} from '../rdf/terms.js'

/** A vocabulary entry, as the API shows it (docs/reference/records.md, "Reference lists"). */
export type VocabularyEntry = {
  readonly code: string
  readonly label: string
  readonly uri: string
  readonly definition?: string
}

/** A heading of another vocabulary. */
export type Heading = {
  readonly iri: string
  readonly text: string
  /** The code of the vocabulary in MARC, like `lcsh` (Subject Heading and Term Source Codes). */
  readonly scheme: string
}

export type Vocabulary = {
  /** Like `subjects`. */
  readonly name: string
  /** The IRI of the concept scheme. */
  readonly scheme: NamedNode
  readonly title: string
  /**
   * Ordered by label; another array as soon as terms are added or removed while the service runs.
   */
  readonly entries: readonly VocabularyEntry[]
  /** Whether a concept is one of its entries. */
  has(concept: string): boolean
  /** The entry with a code; undefined when there is none. */
  find(code: string): VocabularyEntry | undefined
  /**
   * The concept of a code; for a code that the vocabulary does not have, an IRI under its scheme.
   */
  concept(code: string): NamedNode
  /** The code of a concept, also of one that the vocabulary no longer has. */
  codeOf(concept: string): string
  /**
   * The SKOS triples about the concept of a code; none for a code that the vocabulary does not
   * have.
   */
  statements(code: string): readonly Quad[]
  /**
   * The headings of other vocabularies that mean the same as the term of a code, where their texts
   * are known.
   */
  headings(code: string): readonly Heading[]
  /** The triples about the scheme itself. */
  readonly statementsOfScheme: readonly Quad[]
}

/**
 * A vocabulary whose entries can change while the service runs; whoever has it sees the changes at
 * once.
 */
export type ChangingVocabulary = Vocabulary & {
  /**
   * Adds the entries of these SKOS triples.
   * @returns the triples that it has now and had not before
   * @throws ExpectedError as `buildVocabulary`, and nothing is added
   */
  extend(quads: readonly Quad[], file: string): readonly Quad[]
  /**
   * Removes the entries of these codes, which no other entry may name.
   * @returns the triples that it had before and has no more
   */
  remove(codes: readonly string[]): readonly Quad[]
}

// Sets, since an institution's file may repeat what the shipped file says of a concept.
type ConceptDraft = {
  readonly uri: string
  readonly notations: Set<string>
  readonly labels: Set<string>
  /**
   * Those in other languages than English: of such a label there may be several, and pages show
   * them.
   */
  readonly foreignLabels: Set<string>
  readonly definitions: Set<string>
}

type VocabularySource = {
  readonly name: string
  readonly scheme: string
  readonly quads: readonly Quad[]
  /** Named in errors. */
  readonly file: string
  /** By code. */
  readonly headings?: ReadonlyMap<string, readonly Heading[]>
}

/**
 * Builds a vocabulary from SKOS triples.
 * @throws ExpectedError when a concept has no or several codes or labels, or a code that is not the
 * one in its IRI
 */
export function buildVocabulary({
  name,
  scheme,
  quads,
  file,
  headings = new Map(),
}: VocabularySource): ChangingVocabulary {
  let current = quads
  let content = readContent(name, scheme, current, file)
  return {
    name,
    scheme: iri(scheme),
    title: content.title,
    get entries() {
      return content.entries
    },
    get statementsOfScheme() {
      return content.statements.get(scheme) ?? []
    },
    has: (concept) => content.byUri.has(concept),
    statements: (code) => content.statements.get(content.byCode.get(code)?.uri ?? '') ?? [],
    headings: (code) => headings.get(code) ?? [],
    find: (code) => content.byCode.get(code),
    concept: (code) => iri(content.byCode.get(code)?.uri ?? `${scheme}#${encodeSegment(code)}`),
    codeOf: (concept) => content.byUri.get(concept)?.code ?? lastPart(concept),
    extend(further, fileOfFurther) {
      const extended = [...current, ...further]
      const before = content.statements
      content = readContent(name, scheme, extended, fileOfFurther)
      current = extended
      return statementsNotIn(before, content.statements)
    },
    remove(codes) {
      const removed = new Set(codes.map((code) => content.byCode.get(code)?.uri))
      const before = content.statements
      current = current.filter(({ subject }) => !removed.has(subject.value))
      content = readContent(name, scheme, current, file)
      return statementsNotIn(content.statements, before)
    },
  }
}

type StatementsBySubject = VocabularyContent['statements']

const statementsNotIn = (known: StatementsBySubject, all: StatementsBySubject): readonly Quad[] =>
  [...all].flatMap(([subject, statements]) => {
    const others = known.get(subject) ?? []
    return statements.filter((statement) => !others.some((other) => other.equals(statement)))
  })

type VocabularyContent = {
  readonly title: string
  readonly entries: readonly VocabularyEntry[]
  readonly byCode: ReadonlyMap<string, VocabularyEntry>
  readonly byUri: ReadonlyMap<string, VocabularyEntry>
  /** By subject. */
  readonly statements: ReadonlyMap<string, readonly Quad[]>
}

/** @throws ExpectedError as `buildVocabulary` */
function readContent(
  name: string,
  scheme: string,
  quads: readonly Quad[],
  file: string,
): VocabularyContent {
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
      foreignLabels: new Set(),
      definitions: new Set(),
    }
    drafts.set(subject.value, draft)
    if (predicate.equals(skos('notation'))) draft.notations.add(object.value)
    if (predicate.equals(skos('prefLabel')))
      (isEnglish(object) ? draft.labels : draft.foreignLabels).add(object.value)
    if (predicate.equals(skos('definition'))) draft.definitions.add(object.value)
  }

  const byCode = new Map<string, VocabularyEntry>()
  const byUri = new Map<string, VocabularyEntry>()
  for (const draft of drafts.values()) {
    const entry = toEntry(draft, file)
    if (
      entry.uri.startsWith(`${scheme}#`) &&
      entry.uri !== `${scheme}#${encodeSegment(entry.code)}`
    )
      throw new ExpectedError(`${file}: the code of <${entry.uri}> is not the part after #`)
    const other = byCode.get(entry.code)
    if (other)
      throw new ExpectedError(`${file}: <${entry.uri}> and <${other.uri}> have the same code`)
    byCode.set(entry.code, entry)
    byUri.set(entry.uri, entry)
  }
  const entries = [...byCode.values()].sort(
    (a, b) => compareLabels(a.label, b.label) || compareLabels(a.code, b.code),
  )

  const statements = completeStatements(iri(scheme), quads, entries)
  return { title, entries, byCode, byUri, statements }
}

/**
 * The triples of a shipped vocabulary with those of an institution's own file. Labels and
 * definitions in the institution's file replace the shipped ones of the same language; those in
 * English and in other words replace the shipped ones of all languages, which say what the shipped
 * English says. An
 * English label that is replaced becomes an alternative label, unless another term is called so.
 */
export function mergeLocalTerms(
  scheme: string,
  shipped: readonly Quad[],
  local: readonly Quad[],
): Quad[] {
  const keyIn = (language: string, { subject, predicate }: Quad): string =>
    `${language} ${subject.value} ${predicate.value}`
  const localKeys = new Set(
    local.map((statement) => keyIn(languageOf(statement.object), statement)),
  )
  const wordsOf = ({ subject, predicate, object }: Quad): string =>
    `${subject.value} ${predicate.value} ${labelKey(object)}`
  const shippedWords = new Set(shipped.map(wordsOf))
  const inOtherWords = new Set(
    local
      .filter(
        (statement) =>
          languageOf(statement.object) === 'en' && !shippedWords.has(wordsOf(statement)),
      )
      .map((statement) => keyIn('en', statement)),
  )
  const isReplaced = (statement: Quad): boolean =>
    replaceable.has(statement.predicate.value) &&
    (localKeys.has(keyIn(languageOf(statement.object), statement)) ||
      inOtherWords.has(keyIn('en', statement)))
  const merged = [
    ...shipped.filter((statement) => !isReplaced(statement)),
    ...local.filter(({ subject }) => subject.value !== scheme),
  ]
  const labels = merged.filter(isPreferredLabel)
  const names = new Set(labels.map(({ object }) => labelKey(object)))
  const formerLabels = shipped
    .filter(
      (statement) =>
        isReplaced(statement) && isPreferredLabel(statement) && isEnglish(statement.object),
    )
    .filter(({ object }) => !names.has(labelKey(object)))
    .map(({ subject, object }) => triple(subject, skos('altLabel'), object))
  const keyOf = ({ subject, object }: Quad): string => `${subject.value} ${labelKey(object)}`
  const preferred = new Set(labels.map(keyOf))
  // No other label of a term is what it is called (SKOS, S13).
  return [...merged, ...formerLabels].filter(
    (statement) => !(otherLabels.has(statement.predicate.value) && preferred.has(keyOf(statement))),
  )
}

const otherLabels = new Set([skos('altLabel').value, skos('hiddenLabel').value])

const isPreferredLabel = ({ predicate }: Quad): boolean => predicate.equals(skos('prefLabel'))

/** The same for labels of one language that people do not tell apart. */
export const labelKey = (label: Term): string =>
  JSON.stringify([languageOf(label), label.value.normalize('NFC').trim().toLowerCase()])

const languageOf = (label: Term): string =>
  label.termType !== 'Literal' || isEnglish(label) ? 'en' : label.language.toLowerCase()

/**
 * The triples of each subject, with those that files may leave out: the type and the scheme of a
 * concept, and that a concept without a broader one is a top concept.
 */
function completeStatements(
  scheme: NamedNode,
  quads: readonly Quad[],
  entries: readonly VocabularyEntry[],
): ReadonlyMap<string, readonly Quad[]> {
  const triples = quads.map(({ subject, predicate, object }) =>
    triple(subject, predicate as NamedNode, object),
  )
  const narrower = new Set(
    triples
      .filter((statement) => statement.predicate.equals(skos('broader')))
      .map(({ subject }) => subject.value),
  )
  const concepts = entries.map(({ uri }) => iri(uri))
  const top = concepts.filter((concept) => !narrower.has(concept.value))
  const all = distinctTriples([
    triple(scheme, rdf('type'), skos('ConceptScheme')),
    ...concepts.map((concept) => triple(concept, rdf('type'), skos('Concept'))),
    ...triples,
    ...concepts.map((concept) => triple(concept, skos('inScheme'), scheme)),
    ...top.map((concept) => triple(concept, skos('topConceptOf'), scheme)),
    ...top.map((concept) => triple(scheme, skos('hasTopConcept'), concept)),
  ])
  return groupBySubject(all)
}

/**
 * The English literal of a property, with its language tag; the first one where none is English.
 */
export function literalOf(statements: readonly Quad[], property: NamedNode): Literal | undefined {
  const literals = statements
    .filter(({ predicate }) => predicate.equals(property))
    .map(({ object }) => object)
    .filter((object): object is Literal => object.termType === 'Literal')
  return literals.find(isEnglish) ?? literals[0]
}

/** Whether a term is in no other language than English. */
const isEnglish = (term: Term): boolean =>
  term.termType !== 'Literal' || term.language === '' || /^en\b/i.test(term.language)

const replaceable = new Set([skos('prefLabel').value, skos('definition').value])

function toEntry(
  { uri, notations, labels, foreignLabels, definitions }: ConceptDraft,
  file: string,
): VocabularyEntry {
  const [code, ...moreCodes] = notations
  const [label, ...moreLabels] = labels.size > 0 ? labels : foreignLabels
  if (!code?.trim() || moreCodes.length > 0)
    throw new ExpectedError(`${file}: <${uri}> needs exactly one skos:notation`)
  if (!label?.trim() || moreLabels.length > 0)
    throw new ExpectedError(`${file}: <${uri}> needs exactly one skos:prefLabel`)
  const [definition] = definitions
  return { code, label, uri, ...(definition ? { definition } : {}) }
}

// In alphabetical order, ignoring case, the same on every machine.
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

/** The alternative labels of an entry. */
export const altLabelsOf = (vocabulary: Vocabulary, code: string): readonly string[] =>
  vocabulary
    .statements(code)
    .filter(({ predicate }) => predicate.equals(skos('altLabel')))
    .map(({ object }) => object.value)

/** What an entry is called besides its label: in other languages, and by alternative labels. */
export const otherLabelsOf = (
  vocabulary: Vocabulary,
  { code, label }: Pick<VocabularyEntry, 'code' | 'label'>,
): readonly string[] => {
  const labels = vocabulary
    .statements(code)
    .filter(
      (statement) => isPreferredLabel(statement) || statement.predicate.equals(skos('altLabel')),
    )
    .map(({ object }) => object.value)
  return [...new Set(labels)].filter((candidate) => candidate !== label)
}

/** The codes of the broader entries. */
export const broaderOf = (vocabulary: Vocabulary, code: string): readonly string[] =>
  vocabulary
    .statements(code)
    .filter(({ predicate }) => predicate.equals(skos('broader')))
    .map(({ object }) => vocabulary.codeOf(object.value))
