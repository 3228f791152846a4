// Reads the texts that a rule found into values of its field.

import type { SourceField } from '../sources/source.js'
import type { CompiledRule, RuleTarget } from './compiled-profile.js'
import type { FieldValues } from './field-values.js'
import type { MappingIssue } from './mapped-row.js'
import { readDate } from './read-date.js'
import { readExtent } from './read-extent.js'
import { type AgentField, cleanName, fieldsOfRelators, proposeNames } from './read-names.js'
import { readIdentifiers } from './read-identifiers.js'
import { readLanguages } from './read-language.js'
import { readTitle } from './read-title.js'
import { readPlace } from './read-place.js'
import { isTag } from './selectors.js'
import { cleanLine } from './text.js'

type FieldTarget = Extract<RuleTarget, { readonly field: unknown }>

export type ReadRequest = {
  readonly texts: readonly string[]
  readonly field: SourceField
  readonly one: CompiledRule
  readonly target: FieldTarget
  /** Those of the zine or of the copy. */
  readonly values: FieldValues
  readonly zine: FieldValues
  readonly issues: MappingIssue[]
}

/** What each reading does with one text. A field with a vocabulary, or of agents, has its own. */
export function readValues(request: ReadRequest): void {
  const { target, texts, issues } = request
  for (const text of texts) {
    const isParsed = !plainReadings.includes(target.reading) || target.field.kind === 'code'
    if (isParsed && text.length > maxLength)
      issues.push({
        kind: 'unreadable',
        field: `${target.kind}.${target.field.name}`,
        value: text,
        message: `The text is longer than ${maxLength} characters.`,
      })
    else if (target.field.target === 'agents') readName(request, text)
    else if (target.field.kind === 'code' || target.field.kind === 'reference')
      readTerm(request, text)
    else readText(request, text)
  }
}

const plainReadings: readonly string[] = ['text', 'isbd', 'title', 'id']

/** Of a date, a name and the like. The patterns that read them take too long for a page of text. */
const maxLength = 2000

function readName({ one, field, target, values, issues }: ReadRequest, text: string): void {
  const { rule } = one
  const own = target.field.name as AgentField
  if (target.reading === 'id') {
    values.addName({ field: own, name: text, split: [], isId: true }, one)
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
  const fields = fieldsOfRelators(own, said)
  if (fields.length === 0)
    issues.push({
      kind: 'unreadable',
      field: `zines.${own}`,
      value: name,
      message: 'The agent had no part in the zine, and stays with the original row.',
    })
  for (const to of fields)
    values.addName(
      {
        field: to,
        name,
        split: target.reading === 'names' ? proposeNames(name) : [],
        ...(said.length > 0 ? { relator: said.join(', ') } : {}),
        ...(rule.kind === undefined ? {} : { kind: rule.kind }),
        ...(own === 'contributor' && said.length === 0 && relators !== undefined
          ? { mayCreate: true as const }
          : {}),
      },
      one,
    )
}

const isNoName = /^\[?(?:publisher not identified|s\.? ?n\.?|n\/a|none|[-.]+)\]?$/i

/** A statement of responsibility without the words before the names. */
const withoutByline = (text: string): string =>
  text.replace(
    /^\[?(?:(?:written|drawn|made|created|edited|compiled|editors?:?|zine)(?:,? (?:and|&) \w+)*,? ?)?(?:by|editors?:) /i,
    '',
  )

function readTerm(request: ReadRequest, text: string): void {
  const { target, values, one } = request
  const { field, reading } = target
  const { vocabulary } = field
  if (field.kind === 'reference') {
    if (reading === 'id') values.add(field.name, text, one)
    else
      values.addTerm(
        {
          kind: target.kind,
          field: field.name,
          vocabulary: field.target ?? '',
          value: cleanLine(text),
        },
        one,
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
      one,
    )
  if (reading === 'language')
    for (const read of readLanguages(text, vocabulary)) add(read.text, read.code)
  else {
    const value = cleanLine(one.rule.prefix === undefined ? text : one.rule.prefix + text)
    if (value !== '' && !/^[?-]+$/.test(value)) add(value, vocabulary.find(value)?.code)
  }
}

function readText({ target, values, zine, one, issues }: ReadRequest, text: string): void {
  const { field, kind, reading } = target
  const prefix = one.rule.prefix ?? ''
  const add = (value: string): void => values.add(field.name, prefix + value, one)
  if (reading === 'date') {
    const { values: dates, problem } = readDate(text)
    dates.forEach(add)
    if (problem) {
      values.add(kind === 'zines' ? 'public_notes' : 'notes', `${field.label}: ${text}`)
      issues.push({
        kind: 'moved',
        field: `${kind}.${field.name}`,
        value: text,
        message: `${problem} It became a note.`,
      })
    }
  } else if (reading === 'title') {
    const { title, issue } = readTitle(text)
    add(title)
    if (issue !== undefined) zine.add('issue_designation', issue)
  } else if (reading === 'pages') {
    const { pages, dimensions } = readExtent(text)
    if (pages !== undefined) add(pages)
    if (dimensions !== undefined && kind === 'zines') zine.add('physical_dimensions', dimensions)
    if (
      pages === undefined &&
      dimensions === undefined &&
      /\p{L}/u.test(text) &&
      !/^(?:1 )?v(?:ol)?(?:\.|umes?)?\W*$/i.test(text)
    )
      issues.push({
        kind: 'unreadable',
        field: `${kind}.${field.name}`,
        value: text,
        message: 'No number of pages is said.',
      })
  } else if (reading === 'place') {
    const place = readPlace(text)
    if (place !== undefined) add(place)
  } else if (reading === 'isbn') readIdentifiers(text).forEach(add)
  // MARC has the parts of the contents in one line.
  else if (field.name === 'table_of_contents') add(text.replaceAll(' -- ', '\n'))
  else add(text)
}
