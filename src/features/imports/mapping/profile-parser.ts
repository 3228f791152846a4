// Checks the JSON of a profile, and changes a profile part by part. All mistakes are told at once,
// each with its place (docs/reference/import-profiles.md, "Profiles").

import { randomUUID } from 'node:crypto'

import { type Message, FilledMessage, message } from '../../../message.js'
import { RequestError } from '../../../errors.js'
import { isObject } from '../../../lib/json.js'
import type { Resources } from '../../../model/resources.js'
import {
  type FieldRule,
  type MadeKind,
  type Profile,
  duplicateDecisions,
  readings,
} from '../profile.js'
import { type SourceOptions, sourceTypes } from '../../../lib/sources/source.js'
import { findTargetField } from './compiled-profile.js'

/** What was given is no profile. */
export class ProfileError extends RequestError {
  /** @param mistakes one sentence each, with the place before it */
  constructor(readonly mistakes: readonly Message[]) {
    super('invalid', `The profile has mistakes: ${mistakes.join(' ')}`)
  }

  override get body(): object {
    return { non_field_errors: this.mistakes }
  }
}

/** What is wrong with one part of a profile. */
export class Mistake extends FilledMessage {
  constructor(
    readonly place: string,
    readonly text: Message,
  ) {
    super('{place}: {text}', { place, text })
  }
}

/** @throws ProfileError */
export function parseProfile(value: unknown, resources: Resources): Profile {
  const mistakes: Message[] = []
  const report: Report = (place, text) => mistakes.push(new Mistake(place, text))
  if (!isObject(value)) throw new ProfileError(['The profile is a JSON object.'])
  checkMembers(value, 'profile', profileMembers, report)
  if (value.version !== 1) report('version', 'The version of a profile is 1.')

  const profile: Profile = {
    version: 1,
    name: textOf(value, 'name', report).trim(),
    description: value.description === undefined ? '' : textOf(value, 'description', report),
    source: parseSource(value.source ?? {}, report),
    identifiers: parseIdentifiers(value.identifiers, report),
    items: value.items === undefined ? undefined : parseItems(value.items, report),
    shelves: value.shelves === undefined ? undefined : parseShelves(value.shelves, report),
    others: value.others === undefined ? undefined : parseOthers(value.others, report),
    rules: listOf(value.rules, 'rules', report).flatMap((rule, index) =>
      parseRule(rule, `rules[${index}]`, resources, report),
    ),
    defaults: parseDefaults(value.defaults ?? {}, resources, report),
    emptyCells: value.emptyCells === 'clear' ? 'clear' : undefined,
    newRecords: value.newRecords === 'draft' ? 'draft' : undefined,
    names: withHiddenIds(parseDecisions(value.names ?? {}, 'names', isNameDecision, report)),
    terms: parseTerms(value.terms ?? {}, resources, report),
    duplicates: parseDuplicates(value.duplicates ?? {}, report),
  }
  if (value.emptyCells !== undefined && value.emptyCells !== 'clear')
    report('emptyCells', 'This is "clear", or absent.')
  if (value.newRecords !== undefined && value.newRecords !== 'draft')
    report('newRecords', 'This is "draft", or absent.')
  if (profile.name === '' && typeof value.name === 'string') report('name', 'A profile has a name.')
  if (mistakes.length > 0) throw new ProfileError(mistakes)
  return profile
}

/**
 * A profile with the members of another value in the place of its own. Of decisions and defaults
 * only those are replaced that the value has; a decision or default that is `"none"` is removed.
 * @throws ProfileError
 */
export function mergeProfile(profile: Profile, patch: unknown, resources: Resources): Profile {
  if (!isObject(patch)) throw new ProfileError(['The changes are a JSON object.'])
  const merged: Record<string, unknown> = { ...profile, ...patch }
  const current: Readonly<Record<string, unknown>> = profile
  for (const [member, depth] of Object.entries(mergedDepths))
    if (member in patch) merged[member] = merge(current[member], patch[member], depth)
  return parseProfile(merged, resources)
}

/** A decision, or another part of a profile, that was changed: where it is, and what it was. */
export type OverwrittenDecision = { readonly path: readonly string[]; readonly before: unknown }

/** What a profile had, and has otherwise since it was merged with a patch. */
export function findOverwritten(
  patch: Readonly<Record<string, unknown>>,
  before: Profile,
  after: Profile,
): readonly OverwrittenDecision[] {
  const depths: Readonly<Record<string, number>> = mergedDepths
  const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
  function compare(path: readonly string[], oldValue: unknown, newValue: unknown, depth: number) {
    if (oldValue === undefined || isSame(oldValue, newValue)) return []
    if (depth === 0 || !isObject(oldValue)) return [{ path, before: oldValue }]
    return Object.keys(oldValue).flatMap((key): readonly OverwrittenDecision[] =>
      compare(
        [...path, key],
        oldValue[key],
        isObject(newValue) ? newValue[key] : undefined,
        depth - 1,
      ),
    )
  }
  const [old, changed]: readonly JsonObject[] = [before, after]
  return Object.keys(patch).flatMap((member) =>
    compare([member], old?.[member], changed?.[member], depths[member] ?? 0),
  )
}

/** How deep members are merged; the others are replaced as a whole. */
const mergedDepths = {
  source: 1,
  identifiers: 1,
  shelves: 2,
  defaults: 2,
  names: 1,
  terms: 2,
  duplicates: 2,
}

function merge(known: unknown, changed: unknown, depth: number): unknown {
  if (depth === 0 || !isObject(known) || !isObject(changed)) return changed
  const entries = new Map(Object.entries(known))
  for (const [key, value] of Object.entries(changed))
    if (value === removed) entries.delete(key)
    else entries.set(key, merge(entries.get(key), value, depth - 1))
  return Object.fromEntries(entries)
}

/** What removes a decision. */
const removed = 'none'

type Report = (place: string, text: Message) => void
type JsonObject = Readonly<Record<string, unknown>>

const profileMembers = [
  'version',
  'name',
  'description',
  'source',
  'identifiers',
  'items',
  'shelves',
  'others',
  'rules',
  'defaults',
  'emptyCells',
  'newRecords',
  'names',
  'terms',
  'duplicates',
]

const isText = (value: unknown): value is string => typeof value === 'string'

function checkMembers(
  value: JsonObject,
  place: string,
  known: readonly string[],
  report: Report,
): void {
  for (const member of Object.keys(value))
    if (!known.includes(member))
      report(place, `There is no member "${member}". The members are ${known.join(', ')}.`)
}

function textOf(value: JsonObject, member: string, report: Report): string {
  const text = value[member]
  if (isText(text)) return text
  report(member, 'This is a text.')
  return ''
}

function listOf(value: unknown, place: string, report: Report): readonly unknown[] {
  if (Array.isArray(value)) return value
  report(place, 'This is a list.')
  return []
}

function objectOf(value: unknown, place: string, report: Report): JsonObject {
  if (isObject(value)) return value
  report(place, 'This is an object.')
  return {}
}

/** What a member of `source` has to be. */
const sourceMembers: Readonly<
  Record<keyof SourceOptions, readonly [(value: unknown) => boolean, message: string]>
> = {
  type: [
    (value) => sourceTypes.some((type) => type === value),
    `This is one of ${sourceTypes.join(', ')}.`,
  ],
  encoding: [isText, 'This is the name of an encoding.'],
  repair: [(value) => typeof value === 'boolean', 'This is true or false.'],
  delimiter: [(value) => isText(value) && value.length === 1, 'This is one character.'],
  sheet: [isText, 'This is the name of a sheet.'],
  skipRows: [
    (value) => Number.isSafeInteger(value) && Number(value) >= 0,
    'This is a number of rows.',
  ],
}

function parseSource(value: unknown, report: Report): SourceOptions {
  const source = objectOf(value, 'source', report)
  checkMembers(source, 'source', Object.keys(sourceMembers), report)
  for (const [member, [isValid, message]] of Object.entries(sourceMembers))
    if (source[member] !== undefined && !isValid(source[member]))
      report(`source.${member}`, message)
  // Each member was checked.
  return source
}

function parseIdentifiers(value: unknown, report: Report): Profile['identifiers'] {
  const identifiers = objectOf(value, 'identifiers', report)
  checkMembers(identifiers, 'identifiers', ['zines', 'holdings', 'agents'], report)
  const pattern = (member: string): string => {
    const text = identifiers[member] ?? ''
    if (!isText(text)) {
      report(`identifiers.${member}`, 'This is a text.')
      return ''
    }
    if (/\{[^{}]*$|^[^{}]*\}|\{\}/.test(text))
      report(`identifiers.${member}`, 'Each { has the name of a source field and a } behind it.')
    return text.trim()
  }
  const parsed = {
    zines: pattern('zines'),
    holdings: pattern('holdings'),
    agents: pattern('agents'),
  }
  if (isText(identifiers.zines) && parsed.zines !== '' && !parsed.zines.includes('{'))
    report(
      'identifiers.zines',
      message('The pattern needs {row} or a field, or all zines have one identifier.'),
    )
  if (parsed.holdings === '') report('identifiers.holdings', 'The pattern for holdings is missing.')
  else if (!parsed.holdings.includes('{'))
    report('identifiers.holdings', message('The pattern needs {zine}, {row} or a field.'))
  return parsed
}

function parseItems(value: unknown, report: Report): string {
  if (isText(value) && /^U?\d{3}$/.test(value)) return value
  report('items', 'This is the tag of a MARC field, such as "952".')
  return ''
}

const isFilled = (value: unknown): value is string => isText(value) && value.trim() !== ''

/** What a member of a rule has to be, beside `from` and `to`. */
const ruleChecks: Readonly<Record<string, readonly [(value: unknown) => boolean, string]>> = {
  with: [(value) => Array.isArray(value) && value.every(isText), 'This is a list of columns.'],
  join: [isText, 'This is a text.'],
  fallback: [(value) => typeof value === 'boolean', 'This is true or false.'],
  split: [(value) => isText(value) && value !== '', 'This is a text that separates values.'],
  counted: [isFilled, 'This is the name of a column.'],
  prefix: [isText, 'This is a text.'],
  as: [
    (value) => readings.some((reading) => reading === value),
    `This is one of ${readings.join(', ')}.`,
  ],
  relators: [
    (value) => isText(value) && /^[a-z0-9]+$/.test(value),
    'These are the codes of subfields, such as "e4".',
  ],
  fuller: [
    (value) => isText(value) && /^[a-z0-9]+$/.test(value),
    'These are the codes of subfields, such as "cq".',
  ],
  kind: [isText, 'This is the code of a kind of agent.'],
  html: [(value) => typeof value === 'boolean', 'This is true or false.'],
  direct: [(value) => typeof value === 'boolean', 'This is true or false.'],
  begins: [(value) => isText(value) && value !== '', 'This is a text.'],
}

const ruleMembers = ['from', 'to', ...Object.keys(ruleChecks)]

function parseRule(
  value: unknown,
  place: string,
  resources: Resources,
  report: Report,
): readonly FieldRule[] {
  if (!isObject(value)) {
    report(place, 'This is an object with "from" and "to".')
    return []
  }
  checkMembers(value, place, ruleMembers, report)
  const { from, to } = value
  if (!isText(from) || from.trim() === '')
    report(`${place}.from`, 'This is the name of a column or a MARC field.')
  checkTarget(to, `${place}.to`, resources, report)
  for (const [member, [isValid, message]] of Object.entries(ruleChecks))
    if (value[member] !== undefined && !isValid(value[member]))
      report(`${place}.${member}`, message)
  if (isText(value.kind) && !resources.agents.byName.get('kind')?.vocabulary?.find(value.kind))
    report(`${place}.kind`, `"${value.kind}" is no kind of agent.`)
  // Each member was checked; with a mistake nothing is made of it.
  return [value as FieldRule]
}

function checkTarget(to: unknown, place: string, resources: Resources, report: Report): void {
  if (to === 'private' || to === 'nothing') return
  const [, kind = '', name = ''] = isText(to) ? (/^(\w+)\.(\w+)$/.exec(to) ?? []) : []
  if (!findTargetField(resources, kind, name))
    report(
      place,
      `${isText(to) ? `"${to}"` : 'This'} is no field. It is such as "zines.title", "holdings.notes", "private" or "nothing".`,
    )
}

function parseShelves(value: unknown, report: Report): Profile['shelves'] {
  const shelves = objectOf(value, 'shelves', report)
  checkMembers(shelves, 'shelves', ['from', 'split', 'owned'], report)
  const { from, split, owned = {} } = shelves
  if (!isFilled(from)) report('shelves.from', 'This is the name of a column.')
  if (split !== undefined && (!isText(split) || split === ''))
    report('shelves.split', 'This is a text that separates values.')
  for (const [name, flag] of Object.entries(objectOf(owned, 'shelves.owned', report)))
    if (typeof flag !== 'boolean') report(`shelves.owned["${name}"]`, 'This is true or false.')
  // Each member was checked; with a mistake nothing is made of it.
  return { from, split, owned } as Profile['shelves']
}

function parseOthers(value: unknown, report: Report): Profile['others'] {
  const others = objectOf(value, 'others', report)
  checkMembers(others, 'others', ['from', 'values'], report)
  if (!isFilled(others.from)) report('others.from', 'This is the name of a column.')
  if (!Array.isArray(others.values) || !others.values.every(isText))
    report('others.values', 'This is a list of texts.')
  // Each member was checked; with a mistake nothing is made of it.
  return others as Profile['others']
}

function parseDefaults(value: unknown, resources: Resources, report: Report): Profile['defaults'] {
  const defaults = objectOf(value, 'defaults', report)
  checkMembers(defaults, 'defaults', ['zines', 'holdings'], report)
  const ofKind = (kind: MadeKind): Profile['defaults'][MadeKind] => {
    const values = objectOf(defaults[kind] ?? {}, `defaults.${kind}`, report)
    for (const [name, constant] of Object.entries(values)) {
      const place = `defaults.${kind}.${name}`
      const field = findTargetField(resources, kind, name)
      if (!field || field === resources[kind].id) {
        report(place, message('There is no such field.'))
        continue
      }
      const isList = Array.isArray(constant) && constant.every(isText)
      if (constant !== null && !isText(constant) && !isList)
        report(place, 'This is a text, a list of texts or null.')
      else if (isList && !field.repeatable) report(place, 'The field has one value.')
      else if (constant === null && field.nonEmpty) report(place, 'The field may not be empty.')
      for (const code of [constant].flat())
        if (isText(code) && field.vocabulary && !field.vocabulary.find(code))
          report(
            place,
            message('"{code}" is no code of {vocabulary}.', {
              code,
              vocabulary: field.vocabulary.name,
            }),
          )
    }
    return values as Profile['defaults'][MadeKind]
  }
  return { zines: ofKind('zines'), holdings: ofKind('holdings') }
}

function parseDecisions<Decision>(
  value: unknown,
  place: string,
  isDecision: (value: unknown) => value is Decision,
  report: Report,
): Readonly<Record<string, Decision>> {
  const decisions = objectOf(value, place, report)
  const valid = Object.entries(decisions).flatMap(([key, decision]) => {
    if (isDecision(decision)) return [[key, decision] as const]
    report(`${place}["${key}"]`, 'This is no decision.')
    return []
  })
  return Object.fromEntries(valid)
}

const hasOnly = (value: JsonObject, members: readonly string[]): boolean =>
  Object.keys(value).every((member) => members.includes(member))

function isNameDecision(value: unknown): value is Profile['names'][string] {
  if (!isObject(value)) return false
  const { use, create, split, drop, hide } = value
  if (hide !== undefined) return (hide === true || isFilled(hide)) && hasOnly(value, ['hide'])
  if (use !== undefined) return isFilled(use) && hasOnly(value, ['use'])
  if (drop !== undefined) return drop === true && hasOnly(value, ['drop'])
  if (split !== undefined)
    return (
      Array.isArray(split) && split.length > 0 && split.every(isFilled) && hasOnly(value, ['split'])
    )
  return (
    isObject(create) &&
    hasOnly(value, ['create']) &&
    hasOnly(create, ['display_name', 'kind', 'agent_id', 'alternative_names', 'wikidata']) &&
    isFilled(create.display_name) &&
    isFilled(create.kind) &&
    (create.agent_id === undefined || isFilled(create.agent_id)) &&
    (create.wikidata === undefined || isFilled(create.wikidata)) &&
    (create.alternative_names === undefined ||
      (Array.isArray(create.alternative_names) && create.alternative_names.every(isFilled)))
  )
}

/**
 * An identifier is for ever and for everybody, so that of a hidden name is made of nothing that is
 * in it.
 */
const withHiddenIds = (names: Profile['names']): Profile['names'] =>
  Object.fromEntries(
    Object.entries(names).map(([name, decision]) => [
      name,
      // The cast: what was parsed may say `true`.
      'hide' in decision && (decision.hide as unknown) === true
        ? { hide: `maker-${randomUUID().slice(0, 8)}` }
        : decision,
    ]),
  )

function isTermDecision(value: unknown): value is Profile['terms'][string][string] {
  if (!isObject(value)) return false
  const { code, codes, field, note, create, drop } = value
  if (codes !== undefined)
    return (
      Array.isArray(codes) && codes.length > 0 && codes.every(isFilled) && hasOnly(value, ['codes'])
    )
  if (note !== undefined) return note === true && hasOnly(value, ['note'])
  if (drop !== undefined) return drop === true && hasOnly(value, ['drop'])
  if (create !== undefined)
    return (
      isObject(create) &&
      hasOnly(value, ['create']) &&
      hasOnly(create, ['code', 'label']) &&
      isFilled(create.code) &&
      isFilled(create.label)
    )
  return (
    isFilled(code) && (field === undefined || isFilled(field)) && hasOnly(value, ['code', 'field'])
  )
}

/** Where copies are kept is decided as terms are, though repositories are no vocabulary. */
const repositories = 'repositories'

function parseTerms(value: unknown, resources: Resources, report: Report): Profile['terms'] {
  const fields = [...resources.zines.inputFields, ...resources.holdings.inputFields]
  const vocabularies = new Map(
    fields.flatMap(({ vocabulary }) =>
      vocabulary ? [[vocabulary.name, vocabulary] as const] : [],
    ),
  )
  const names = [...vocabularies.keys(), repositories]
  const terms = Object.entries(objectOf(value, 'terms', report)).map(([name, decisions]) => {
    const place = `terms.${name}`
    if (!names.includes(name))
      report(place, `There is no such vocabulary. They are ${names.join(', ')}.`)
    const parsed = parseDecisions(decisions, place, isTermDecision, report)
    for (const [key, decision] of Object.entries(parsed)) {
      if (!('code' in decision)) continue
      const field =
        'field' in decision
          ? fields.find((candidate) => candidate.name === decision.field)
          : undefined
      const vocabulary = 'field' in decision ? field?.vocabulary : vocabularies.get(name)
      if ('field' in decision && !vocabulary)
        report(`${place}["${key}"]`, `"${decision.field}" is no field with a vocabulary.`)
    }
    return [name, parsed] as const
  })
  return Object.fromEntries(terms)
}

function parseDuplicates(value: unknown, report: Report): Profile['duplicates'] {
  const duplicates = objectOf(value, 'duplicates', report)
  checkMembers(
    duplicates,
    'duplicates',
    ['catalogue', 'again', 'source', 'different', 'rows'],
    report,
  )
  const rows = objectOf(duplicates.rows ?? {}, 'duplicates.rows', report)
  const { catalogue = 'holding', again, source = 'new', different } = duplicates
  const isDecision = (decision: unknown): boolean =>
    duplicateDecisions.some((known) => known === decision)
  const message = `This is one of ${duplicateDecisions.join(', ')}.`
  for (const [member, decision] of Object.entries({ catalogue, again, source, different }))
    if (decision !== undefined && !isDecision(decision)) report(`duplicates.${member}`, message)
  for (const [row, decision] of Object.entries(rows)) {
    if (!/^[1-9]\d*$/.test(row)) report('duplicates.rows', `"${row}" is no number of a row.`)
    if (!isDecision(decision)) report(`duplicates.rows.${row}`, message)
  }
  const optional = Object.entries({ again, different }).filter(
    ([, decision]) => decision !== undefined,
  )
  return { catalogue, source, ...Object.fromEntries(optional), rows } as Profile['duplicates']
}
