// Terms that an institution adds to a vocabulary: the checks, and the Turtle that its file gets.
// Writing the file is left to app/local-terms.ts (docs/reference/data-model.md, "Vocabularies").

import { ExpectedError } from '../../errors.js'
import { slugPattern } from '../../lib/names/folding.js'
import { skos } from '../../rdf/namespaces.js'
import type { Quad } from '../../rdf/terms.js'
import { parseTurtle } from '../../rdf/turtle-reader.js'
import { altLabelsOf, labelKey, type Vocabulary } from '../vocabulary.js'
import { checkLocalTerms } from './read-files.js'

export type LocalTerm = {
  readonly code: string
  readonly label: string
  readonly definition?: string
  /** The code of a broader term. */
  readonly broader?: string
}

/** An institution's terms, which can change while the service runs. */
export type LocalTerms = {
  /**
   * Adds terms to a vocabulary. When the promise resolves, they are on the disk, and records can
   * use them. Terms that are there already with the same label are left as they are.
   * @throws LocalTermError, and none is added; the errors of the file system and of the store
   */
  add(vocabulary: string, terms: readonly LocalTerm[]): Promise<void>
  /**
   * Takes away terms that `add` has added. One that somebody changed in the file since stays, and
   * so does one that another term there names. No record may have the others.
   * @throws LocalTermError; the errors of the file system and of the store
   */
  remove(vocabulary: string, terms: readonly LocalTerm[]): Promise<void>
}

/** A term cannot be added. The message is for the person who wanted it. */
export class LocalTermError extends ExpectedError {}

const maxLength = 200

/**
 * The terms that are not there yet. A term with its code and label in the vocabulary is there, so
 * that adding terms again does no harm.
 * @throws LocalTermError for a code or a label that is not valid, or that another term has
 */
export function findNewTerms(vocabulary: Vocabulary, terms: readonly LocalTerm[]): LocalTerm[] {
  const codesByLabel = new Map<string, string>()
  for (const { code, label } of vocabulary.entries)
    for (const name of [label, ...altLabelsOf(vocabulary, code)])
      codesByLabel.set(plain(name), code)
  const labelsByCode = new Map<string, string>()
  const newTerms: LocalTerm[] = []
  for (const term of terms) {
    checkTexts(term)
    const { code, label } = term
    const known = vocabulary.find(code)?.label ?? labelsByCode.get(code)
    if (known !== undefined && plain(known) === plain(label)) continue
    if (known !== undefined) throw new LocalTermError(`The code “${code}” is that of “${known}”.`)
    const other = codesByLabel.get(plain(label))
    if (other !== undefined)
      throw new LocalTermError(`“${label}” is a label of the term “${other}” already.`)
    labelsByCode.set(code, label)
    codesByLabel.set(plain(label), code)
    newTerms.push(term)
  }
  for (const { broader } of newTerms)
    if (broader !== undefined && !vocabulary.find(broader) && !labelsByCode.has(broader))
      throw new LocalTermError(`There is no term “${broader}”.`)
  return newTerms
}

/**
 * A label of several terms of a vocabulary, so that neither people nor imports can tell them apart.
 */
export type SharedLabel = {
  readonly vocabulary: string
  readonly label: string
  readonly codes: readonly string[]
  /** Whether several terms are called so; else some have it as an alternative label. */
  readonly isName: boolean
}

/** The vocabularies of the service have none, so one of the terms is an institution's own. */
export function findSharedLabels(vocabularies: readonly Vocabulary[]): readonly SharedLabel[] {
  return vocabularies.flatMap((vocabulary) => {
    const uses = new Map<string, { label: string; codes: Set<string>; named: Set<string> }>()
    for (const { code } of vocabulary.entries)
      for (const { predicate, object } of vocabulary.statements(code)) {
        const isName = predicate.equals(skos('prefLabel'))
        if (!isName && !predicate.equals(skos('altLabel'))) continue
        const key = labelKey(object)
        const use = uses.get(key) ?? {
          label: plain(object.value),
          codes: new Set(),
          named: new Set(),
        }
        uses.set(key, use)
        use.codes.add(code)
        if (isName) use.named.add(code)
      }
    return [...uses.values()]
      .filter(({ codes }) => codes.size > 1)
      .map(({ label, codes, named }) => ({
        vocabulary: vocabulary.name,
        label,
        codes: [...codes],
        isName: named.size > 1,
      }))
  })
}

export const describeSharedLabel = ({ vocabulary, label, codes }: SharedLabel): string =>
  `${vocabulary}: ${listing.format(codes.map((code) => `“${code}”`))} have the same label, “${label}”`

const listing = new Intl.ListFormat('en-GB')

/** The same in fewer sentences: labels that are not what several terms are called are counted. */
export function summarizeSharedLabels(shared: readonly SharedLabel[]): readonly string[] {
  const others = new Map<string, number>()
  for (const { vocabulary, isName } of shared)
    if (!isName) others.set(vocabulary, (others.get(vocabulary) ?? 0) + 1)
  return [
    ...shared.filter(({ isName }) => isName).map(describeSharedLabel),
    ...[...others].map(
      ([vocabulary, count]) =>
        `${vocabulary}: alternative labels that another term has, too: ${count}. \`doctor\` names them`,
    ),
  ]
}

const plain = (label: string): string => label.normalize('NFC').trim().toLowerCase()

/** @throws LocalTermError */
function checkTexts({ code, label, definition = '' }: LocalTerm): void {
  if (!slugPattern.test(code) || code.length > maxLength)
    throw new LocalTermError(
      `“${code}” is no code: codes are lower-case letters a to z and digits, joined by hyphens.`,
    )
  if (label.trim() === '') throw new LocalTermError(`The term “${code}” needs a label.`)
  if (label.length > maxLength)
    throw new LocalTermError(`The label of “${code}” is longer than ${maxLength} characters.`)

  if (/[\u0000-\u001f\u007f-\u009f]/.test(label) || !(label + definition).isWellFormed())
    throw new LocalTermError(
      `The label or definition of “${code}” has characters that are not allowed.`,
    )
}

/**
 * The text of a file with further terms at its end, and the triples of those. What is there stays
 * as it is.
 * @param text of the file, empty when there is none
 * @throws LocalTermError when the terms cannot be added to this file
 */
export function appendTerms(
  text: string,
  scheme: string,
  terms: readonly LocalTerm[],
  file: string,
): { readonly text: string; readonly quads: readonly Quad[] } {
  const before = parseIfValid(text, scheme)
  if (!before) throw new LocalTermError(`No terms can be added to ${file}: it is not valid Turtle.`)
  // Somebody may have written into the file since it was read.
  const inFile = new Set(before.map(({ subject }) => subject.value))
  const known = terms.find(({ code }) => inFile.has(`${scheme}#${code}`))
  if (known)
    throw new LocalTermError(
      `${file} has the term “${known.code}”, which is read at the next start.`,
    )
  const entries = terms.map(writeTerm).join('\n')
  const start = text === '' || text.endsWith('\n') ? text : `${text}\n`
  const gap = start === '' ? '' : '\n'
  // A file that declares the prefix needs no further declaration, but one that uses it for
  // something else.
  for (const prefix of ['', prefixLine]) {
    const appended = `${start}${gap}${prefix}${entries}`
    const quads = parseIfValid(appended, scheme)?.slice(before.length) ?? []
    const concepts = new Set(quads.map(({ subject }) => subject.value))
    const isRead =
      terms.every(({ code }) => concepts.has(`${scheme}#${code}`)) &&
      quads.some(({ predicate }) => predicate.equals(skos('prefLabel')))
    if (isRead) return { text: appended, quads: checkLocalTerms(quads, scheme, file) }
  }
  throw new LocalTermError(`No terms can be added to ${file}: it sets another base.`)
}

/**
 * The text of a file without terms that `appendTerms` wrote, and their codes. A term stays where
 * its text is another one by now, or where something else in the file names it. What is left is as
 * it was.
 */
export function withoutTerms(
  text: string,
  scheme: string,
  terms: readonly LocalTerm[],
): { readonly text: string; readonly codes: readonly string[] } {
  const before = parseIfValid(text, scheme) ?? []
  const mentions = new Map<string, number>()
  for (const { subject, object } of before)
    for (const { value } of [subject, object]) mentions.set(value, (mentions.get(value) ?? 0) + 1)
  let left = text
  let count = before.length
  const codes: string[] = []
  for (const term of terms) {
    const entry = writeTerm(term)
    const size = parseTurtle(prefixLine + entry, scheme).length
    const shorter = withoutEntry(left, entry)
    if (shorter === undefined || mentions.get(`${scheme}#${term.code}`) !== size) continue
    left = shorter
    count -= size
    codes.push(term.code)
  }
  // What looks like an entry may have stood in a literal.
  const isExact = parseIfValid(left, scheme)?.length === count
  return isExact ? { text: left, codes } : { text, codes: [] }
}

/**
 * A text without an entry and the empty line before it; undefined where it does not have the entry.
 */
function withoutEntry(text: string, entry: string): string | undefined {
  const position = `\n${text}`.indexOf(`\n${entry}`)
  if (position < 0) return undefined
  const start = text.slice(0, position)
  return (start.endsWith('\n\n') ? start.slice(0, -1) : start) + text.slice(position + entry.length)
}

const prefixLine = `@prefix skos: <${skos('').value}> .\n\n`

function parseIfValid(text: string, scheme: string): Quad[] | undefined {
  try {
    return parseTurtle(text, scheme)
  } catch {
    return undefined
  }
}

const writeTerm = ({ code, label, definition, broader }: LocalTerm): string =>
  `${[
    `<#${code}> a skos:Concept ;\n  skos:notation ${toLiteral(code)}`,
    `  skos:prefLabel ${toLiteral(label.trim())}@en`,
    ...(definition === undefined ? [] : [`  skos:definition ${toLiteral(definition)}@en`]),
    ...(broader === undefined ? [] : [`  skos:broader <#${broader}>`]),
  ].join(' ;\n')} .\n`

/** A literal in one line. The escapes of JSON are those of Turtle. */
const toLiteral = (text: string): string => JSON.stringify(text.normalize('NFC'))
