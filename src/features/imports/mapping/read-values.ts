// Reads the texts that a rule found into values of its field.

import type { SourceField, SourceRow } from '../../../lib/sources/source.js'
import { notesFieldOf } from '../profile.js'
import type { CompiledRule, RuleTarget } from './compiled-profile.js'
import type { FieldValues } from './field-values.js'
import type { MappingIssue } from './mapped-row.js'
import { codeOfAddress } from './matched-addresses.js'
import { readDate } from './read-date.js'
import { readExtent } from './read-extent.js'
import {
  type AgentField,
  cleanName,
  fieldsOfRelators,
  otherNamesOf,
  proposeNames,
} from './read-names.js'
import { readIdentifiers } from './read-identifiers.js'
import { readLanguages } from './read-language.js'
import { readTitle, turnTitle } from './read-title.js'
import { readPlace } from './read-place.js'
import { firstTextOf, isTag } from './selectors.js'
import { cleanLine } from './text.js'
import { createTermMatcher, termListOf } from '../../../model/term-lists.js'

type FieldTarget = Extract<RuleTarget, { readonly field: unknown }>

export type ReadRequest = {
  readonly texts: readonly string[]
  readonly field: SourceField
  readonly row: SourceRow
  readonly compiledRule: CompiledRule
  readonly target: FieldTarget
  /** Those of the zine or of the copy. */
  readonly values: FieldValues
  readonly zine: FieldValues
  readonly issues: MappingIssue[]
}

/** What each reading does with one text. A field with a vocabulary, or of agents, has its own. */
export function readValues(request: ReadRequest): void {
  const { target, texts, issues } = request
  for (const [position, text] of texts.entries()) {
    if (target.reading === 'exact') {
      readExactly(request, text)
      continue
    }
    const isParsed = !plainReadings.includes(target.reading) || target.field.kind === 'code'
    if (isParsed && text.length > maxLength)
      issues.push({
        kind: 'unreadable',
        field: `${target.kind}.${target.field.name}`,
        value: text,
        message: `The text is longer than ${maxLength} characters.`,
      })
    else if (target.field.target === 'agents') readName(request, text, position)
    else if (target.field.kind === 'code' || target.field.kind === 'reference')
      readTerm(request, text)
    else readText(request, text)
  }
}

/** Identifiers and codes are what the text says. A code that is not known is decided as a term. */
function readExactly(
  { target: { kind, field }, values, compiledRule }: ReadRequest,
  text: string,
): void {
  if (text.trim() === '') return
  const { vocabulary } = field
  if (kind === 'zines' && field.target === 'agents')
    // The cast: these are the fields of zines that refer to agents.
    values.addName(
      { field: field.name as AgentField, name: text, split: [], isId: true },
      compiledRule,
    )
  else if (vocabulary && (kind === 'zines' || kind === 'holdings'))
    values.addTerm(
      {
        kind,
        field: field.name,
        vocabulary: vocabulary.name,
        value: text,
        ...(vocabulary.find(text) ? { code: text, isExact: true as const } : {}),
      },
      compiledRule,
    )
  else values.addExact(field, text)
}

const plainReadings: readonly string[] = ['text', 'isbd', 'title', 'turned-title', 'id']

/** Of a date, a name and the like. The patterns that read them take too long for a page of text. */
const maxLength = 2000

function readName(request: ReadRequest, text: string, position: number): void {
  const { compiledRule, field, row, target, values, issues } = request
  const { rule } = compiledRule
  const agentField = target.field.name as AgentField
  if (target.reading === 'id') {
    values.addName({ field: agentField, name: text, split: [], isId: true }, compiledRule)
    return
  }
  const line = cleanLine(target.reading === 'names' ? withoutByline(text) : text)
  // In a table, what stands at the end was typed there.
  const name = isTag(field.name) ? cleanName(line) : line
  if (name === '' || isNoName.test(name)) return
  const { relators } = rule
  const said = field.parts
    .filter(({ code }) => code !== '' && relators?.includes(code))
    .map((part) => cleanName(part.text).replace(/\.$/, ''))
    .filter(Boolean)
  const fields = fieldsOfRelators(agentField, said)
  const kind = field.agentKind ?? rule.kind
  if (fields.length === 0)
    issues.push({
      kind: 'unreadable',
      field: `zines.${agentField}`,
      value: name,
      message: 'The agent had no part in the zine, and stays with the original row.',
    })
  const otherNames = otherNamesOf(name, field, compiledRule, row)
  const wikidata = wikidataOf(request, position)
  for (const to of fields)
    values.addName(
      {
        field: to,
        name,
        split: target.reading === 'names' ? proposeNames(name) : [],
        ...(said.length > 0 ? { relator: said.join(', ') } : {}),
        ...(kind === undefined ? {} : { kind }),
        ...(rule.direct || field.agentKind === 'Collective' ? { isDirect: true as const } : {}),
        ...(otherNames.length > 0 ? { otherNames } : {}),
        ...(wikidata === undefined ? {} : { wikidata }),
        ...(agentField === 'contributor' && said.length === 0 && relators !== undefined
          ? { mayCreate: true as const }
          : {}),
      },
      compiledRule,
    )
}

/**
 * The number in Wikidata beside a name: the column that is `counted` has as many addresses, such as
 * `wd:Q42`.
 */
function wikidataOf(
  { compiledRule: { counted, rule }, row, texts }: ReadRequest,
  position: number,
): string | undefined {
  const addresses = counted ? firstTextOf(row, counted).split(rule.split ?? ',') : []
  if (addresses.length !== texts.length) return undefined
  return wikidataAddress.exec(addresses[position]?.trim() ?? '')?.[1]
}

/** As it is, and as Inventaire has it in its own addresses. */
const wikidataAddress =
  /^(?:(?:https:\/\/[^\s/]+\/entity\/)?wd:|https?:\/\/www\.wikidata\.org\/(?:wiki|entity)\/)(Q[1-9]\d{0,15})$/

const isNoName = /^\[?(?:publisher not identified|s\.? ?n\.?|n\/a|none|[-.]+)\]?$/i

/** `textes et dessins de`, `testi di`: as UNIMARC has it. */
const romanceByline =
  /^\[?(?:textes?|dessins?|illustrations?|photo(?:graphie)?s?|testi|testo|disegni|illustrazioni|foto(?:grafie)?|textos?|dibujos?|ilustraciones)(?: (?:et|e|y) \p{L}+)? (?:de|par|di|por) /iu

/** A statement of responsibility without the words before the names. */
const withoutByline = (text: string): string =>
  text
    .replace(romanceByline, '')
    .replace(/^(?:par|por) /, '')
    .replace(
      /^\[?(?:(?:written|drawn|made|created|edited|compiled|editors?:?|zine)(?:,? (?:and|&) \w+)*,? ?)?(?:by|editors?:) /i,
      '',
    )

function readTerm(request: ReadRequest, text: string): void {
  const { target, values, compiledRule } = request
  const { field, reading } = target
  const { vocabulary } = field
  if (field.kind === 'reference') {
    if (reading === 'id') values.add(field.name, text, compiledRule)
    else
      values.addTerm(
        {
          kind: target.kind,
          field: field.name,
          vocabulary: field.target ?? '',
          value: cleanLine(text),
        },
        compiledRule,
      )
    return
  }
  if (!vocabulary) return
  const add = (value: string, code?: string): void =>
    values.addTerm(
      {
        kind: target.kind,
        field: field.name,
        vocabulary: vocabulary.name,
        value,
        ...(code === undefined ? {} : { code }),
      },
      compiledRule,
    )
  if (reading === 'language')
    for (const read of readLanguages(text, vocabulary)) add(read.text, read.code)
  else {
    const value = cleanLine(
      compiledRule.rule.prefix === undefined ? text : compiledRule.rule.prefix + text,
    )
    if (field.inWords !== undefined) {
      const match = createTermMatcher(termListOf(vocabulary)).match(value)
      if (match.kind === 'exact') add(value, match.code)
      else values.add(field.inWords, value, compiledRule)
    } else if (value !== '' && !/^[?-]+$/.test(value))
      add(value, vocabulary.find(value)?.code ?? codeOfAddress(value, vocabulary))
  }
}

/** A column of sizes may have pages, and the other way round. What is neither becomes a note. */
function readPages(
  { target, values, zine, compiledRule, issues }: ReadRequest,
  text: string,
): void {
  const { field, kind } = target
  const extent = readExtent(text)
  const { pages, dimensions, saysMore } = extent
  const isSize = field.name === 'physical_dimensions'
  const hasBoth = pages !== undefined && dimensions !== undefined && !saysMore
  if (isSize && !(hasBoth && /^[\divxlc, [\]]+$/.test(pages))) {
    values.add(field.name, cleanLine(text), compiledRule)
    return
  }
  if (pages !== undefined) zine.add('number_of_pages', pages, compiledRule)
  if (dimensions !== undefined) zine.add('physical_dimensions', dimensions, compiledRule)
  const isEmpty = pages === undefined && dimensions === undefined && /\p{L}/u.test(text)
  if (saysMore) zine.add('public_notes', `${field.label}: ${cleanLine(text)}`, compiledRule)
  if (saysMore || isEmpty)
    issues.push({
      kind: saysMore ? 'moved' : 'unreadable',
      field: `${kind}.${field.name}`,
      value: text,
      message: saysMore
        ? 'Not all of it is pages and size. It also became a note.'
        : 'No number of pages is said.',
    })
}

/** What systems write where the title is only in another field. `?` and `…` may be titles. */
const isNoTitle = /^[<>[\]\s]*$/

function readText(request: ReadRequest, text: string): void {
  const { target, values, zine, compiledRule, issues } = request
  const { field, kind, reading } = target
  const prefix = compiledRule.rule.prefix ?? ''
  const add = (value: string): void => values.add(field.name, prefix + value, compiledRule)
  if (reading === 'date') {
    const { values: dates, problem } = readDate(text)
    dates.forEach(add)
    if (problem) {
      values.add(notesFieldOf(kind), `${field.label}: ${text}`)
      issues.push({
        kind: 'moved',
        field: `${kind}.${field.name}`,
        value: text,
        message: `${problem} It became a note.`,
      })
    }
  } else if (reading === 'title' || reading === 'turned-title') {
    const { title, issue } = readTitle(text)
    if (!isNoTitle.test(title)) add(reading === 'title' ? title : turnTitle(title))
    if (issue !== undefined) zine.add('issue_designation', issue)
  } else if (reading === 'pages') {
    readPages(request, text)
  } else if (reading === 'place') {
    const place = readPlace(text)
    if (place !== undefined) add(place)
  } else if (field.name === 'title' && isNoTitle.test(text)) return
  else if (reading === 'isbn') {
    const { values: identifiers, isOther } = readIdentifiers(text)
    identifiers.forEach(add)
    if (isOther)
      issues.push({
        kind: 'moved',
        field: `${kind}.${field.name}`,
        value: text,
        message: 'This is no ISBN or ISSN. It is kept as it is.',
      })
  }
  // Programs that keep a number of a series as a fraction: `8.0`.
  else if (field.name === 'issue_designation') add(text.replace(/^(\d+)\.0$/, '$1'))
  // MARC has the parts of the contents in one line.
  else if (field.name === 'table_of_contents') add(text.replaceAll(' -- ', '\n'))
  else add(text)
}
