// Applies the rules of a profile to one row of a source: which texts, names and terms its zine and
// its copies have, and what was not understood (docs/reference/import-profiles.md, "How values are
// read"). Decides nothing about names and terms.

import type { Resources } from '../../../model/resources.js'
import type { ImportedKind, Profile } from '../profile.js'
import type { SourceField, SourcePart, SourceRow } from '../../../lib/sources/source.js'
import {
  type CompiledProfile,
  type CompiledRule,
  type RuleTarget,
  compileProfile,
} from './compiled-profile.js'
import { type CollectedName, FieldValues } from './field-values.js'
import type {
  FieldPlace,
  MappedHolding,
  MappedName,
  MappedRow,
  MappedTexts,
  MappingIssue,
  PrivateText,
} from './mapped-row.js'
import { htmlToText } from './html-text.js'
import { readPlace } from './read-place.js'
import { readValues } from './read-values.js'
import {
  type Selector,
  firstTextOf,
  fitOf,
  hasSingleParts,
  parseSelector,
  partsOf,
} from './selectors.js'
import { cleanText } from './text.js'
import { isNameSuffix } from '../../../lib/names/name-forms.js'
import { joinIsbd } from './read-title.js'
import { isOwned, shelvesOf } from './shelves.js'
import { splitCell } from '../../../model/record/csv-cells.js'

export function mapRow(row: SourceRow, profile: Profile, resources: Resources): MappedRow {
  const mapping = new RowMapping(row, profile, resources)
  mapping.applyRules()
  mapping.noteRemarks()
  return mapping.result()
}

/** What rules have found in a row so far. */
class RowMapping {
  readonly #row: SourceRow
  readonly #profile: Profile
  readonly #resources: Resources
  readonly #compiled: CompiledProfile
  readonly #issues: MappingIssue[] = []
  readonly #private: PrivateText[] = []
  readonly #zine: FieldValues
  /** What all copies have. */
  readonly #shared: FieldValues
  /** The copies that have a field of their own, by that field. */
  readonly #items: ReadonlyMap<SourceField, FieldValues>
  readonly #others = new Map<ImportedKind, FieldValues>()
  /** The identifiers of the records that the row names. */
  readonly #named = new Map<ImportedKind, string>()

  constructor(row: SourceRow, profile: Profile, resources: Resources) {
    this.#row = row
    this.#profile = profile
    this.#resources = resources
    this.#compiled = compileProfile(profile, resources)
    this.#zine = this.#newValues('zines')
    this.#shared = this.#newValues('holdings')
    this.#items = new Map(
      row.fields
        .filter(({ name }) => name === profile.items)
        .map((field) => [field, this.#newValues('holdings')]),
    )
  }

  /**
   * Rule by rule and not field by field, so that a fallback sees what the rules before it found.
   */
  applyRules(): void {
    for (const [rule, fields] of fieldsByRule(this.#compiled, this.#row))
      for (const field of fields) this.#applyRule(rule, field)
  }

  noteRemarks(): void {
    const { others } = this.#profile
    for (const { kind, field, message } of this.#row.remarks)
      if (kind === 'damaged' || kind === 'hidden')
        this.#issues.push({ kind, field, value: '', message })
    const kind = others && firstTextOf(this.#row, parseSelector(others.from))
    if (kind !== undefined && others?.values.includes(kind))
      this.#issues.push({
        kind: 'missing',
        field: others.from,
        value: kind,
        message: 'Rows of this kind are no zines.',
      })
  }

  result(): MappedRow {
    const placeholders = placeholderValues(this.#compiled, this.#row)
    const holdings = this.#holdings(placeholders)
    if (holdings.length === 0)
      this.#private.push(...keepWithZine(this.#shared.result().texts, this.#zine, this.#resources))
    const { texts, terms, added } = this.#zine.result()
    for (const [kind, selector] of this.#compiled.namedBy)
      this.#name(kind, firstTextOf(this.#row, selector))
    return {
      number: this.#row.number,
      zine: texts,
      added,
      names: withCreators(this.#zine.names()),
      terms,
      holdings,
      others: [...this.#others].map(([kind, values]) => ({ kind, texts: values.result().texts })),
      named: this.#named,
      empty: emptyFields(this.#compiled, this.#row),
      private: this.#private,
      placeholders,
      issues: this.#issues,
    }
  }

  #applyRule(rule: CompiledRule, field: SourceField): void {
    const { target } = rule
    if (target.kind === 'nothing') return
    const parts = partsToUse(this.#compiled, rule, field)
    if (target.kind === 'private') {
      const written = cleanText(parts.map((part) => part.text).join(' '))
      const text = rule.rule.html ? htmlToText(written) : written
      if (text !== '') this.#private.push({ field: field.name, text })
      return
    }
    if (target.field === this.#resources[target.kind].id) {
      const [id = ''] = parts.map((part) => part.text.trim()).filter(Boolean)
      this.#name(target.kind, id)
      return
    }
    const values = this.#valuesOf(target.kind, this.#items.get(field))
    if (rule.rule.fallback && values.has(target.field.name, rule)) return
    const texts = isRead(target, 'exact')
      ? exactTexts(rule, parts, this.#profile)
      : textsOf(rule, field, parts, this.#row)
    const [row, zine, issues] = [this.#row, this.#zine, this.#issues]
    readValues({ texts, field, row, compiledRule: rule, target, values, zine, issues })
  }

  /** The first identifier that is found counts. */
  #name(kind: ImportedKind, id: string): void {
    if (id !== '' && !this.#named.has(kind)) this.#named.set(kind, id)
  }

  #valuesOf(kind: ImportedKind, item: FieldValues | undefined): FieldValues {
    if (kind === 'zines') return this.#zine
    if (kind === 'holdings') return item ?? this.#shared
    const values = this.#others.get(kind) ?? this.#newValues(kind)
    this.#others.set(kind, values)
    return values
  }

  #newValues(kind: ImportedKind): FieldValues {
    return new FieldValues(kind, this.#resources, this.#issues)
  }

  #holdings(placeholders: MappedRow['placeholders']): readonly MappedHolding[] {
    const copies = [...this.#items].map(([field, values]): MappedHolding => {
      values.fill(this.#shared)
      const itemPlaceholders = placeholderValues(this.#compiled, { fields: [field] })
      return { ...values.result(), placeholders: { ...placeholders, ...itemPlaceholders } }
    })
    return this.#isSingle() ? [{ ...this.#shared.result(), placeholders }] : copies
  }

  /** Whether the row is for one copy, of which no field says that there is one. */
  #isSingle(): boolean {
    const { defaults, items, identifiers } = this.#profile
    if (this.#items.size > 0) return false
    if (this.#named.has('holdings')) return true
    const isKept =
      (defaults.holdings.repository_id ?? '') !== '' || this.#shared.has('repository_id')
    return (
      isKept &&
      (!items || !this.#shared.isEmpty()) &&
      (identifiers.zines === '' || hasCopy(this.#row, this.#profile, this.#shared, this.#issues))
    )
  }
}

/** Whether a row is about something that is there: not about a wish, or about no copies. */
function hasCopy(
  row: SourceRow,
  { shelves }: Profile,
  copy: FieldValues,
  issues: MappingIssue[],
): boolean {
  const values = shelves ? shelvesOf(row, shelves) : []
  const answers = shelves ? values.map((value) => isOwned(shelves, value)) : []
  if (values.length > 0 && !answers.includes(true)) {
    const value = values[answers.indexOf(undefined)]
    if (value !== undefined)
      issues.push({
        kind: 'undecided',
        field: 'holdings.repository_id',
        value,
        message: 'It is not decided whether this collection is owned, so there is no copy.',
      })
    return false
  }
  if (!copy.hasText('copy_count', '0')) return true
  issues.push({
    kind: 'unreadable',
    field: 'holdings.copy_count',
    value: '0',
    message: 'The source says that there is no copy, so none is made.',
  })
  return false
}

/** The rules that are for fields of a row, in their order, with these fields. */
function fieldsByRule(
  compiled: CompiledProfile,
  { fields }: SourceRow,
): readonly (readonly [CompiledRule, readonly SourceField[]])[] {
  const byRule = new Map<CompiledRule, SourceField[]>()
  for (const field of fields)
    for (const rule of compiled.rulesOf(field)) {
      const known = byRule.get(rule)
      if (known) known.push(field)
      else byRule.set(rule, [field])
    }
  return [...byRule].sort(([a], [b]) => a.position - b.position)
}

/**
 * The parts of a field that a rule is for, without those that another rule keeps private or has for
 * itself.
 */
function partsToUse(
  compiled: CompiledProfile,
  compiledRule: CompiledRule,
  field: SourceField,
): readonly SourcePart[] {
  const beginnings = compiled.rulesOf(field).flatMap(({ rule }) => rule.begins ?? [])
  const { begins } = compiledRule.rule
  const selected = partsOf(compiledRule.selector, field)
  if (begins !== undefined)
    return selected.flatMap((part) =>
      part.text.startsWith(begins) ? { ...part, text: part.text.slice(begins.length) } : [],
    )
  const parts = selected.filter(({ text }) => !beginnings.some((other) => text.startsWith(other)))
  if (compiledRule.target.kind === 'private') return parts
  const rules = compiled.privateRulesOf(field)
  if (rules.length === 0) return parts
  const hidden = rules.flatMap(({ selector }) => partsOf(selector, field))
  return parts.filter(
    ({ code, text }) => !hidden.some((part) => part.code === code && part.text === text),
  )
}

/** The texts that are values each. */
function textsOf(
  { rule, selector, others, counted, target }: CompiledRule,
  field: SourceField,
  parts: readonly SourcePart[],
  row: SourceRow,
): readonly string[] {
  const isIsbd = isRead(target, 'isbd')
  const single = hasSingleParts(selector, field)
  const used = parts.filter(
    ({ code, text }) =>
      code === '' ||
      (!rule.relators?.includes(code) && (!rule.fuller?.includes(code) || isNameSuffix(text))),
  )
  const whole = single
    ? used.map((part) => (isIsbd ? joinIsbd([part], rule.join) : cleanText(part.text)))
    : [
        isIsbd
          ? joinIsbd(used, rule.join)
          : cleanText(used.map((part) => part.text).join(rule.join ?? ' ')),
      ]
  const further = others
    .map((other) =>
      firstTextOf(
        { fields: row.fields.filter((candidate) => fitOf(other, candidate) !== undefined) },
        other,
      ),
    )
    .filter(Boolean)
  const isKnown = (text: string): boolean =>
    !isRead(target, 'place') || readPlace(text) !== undefined
  const joined =
    further.length > 0 ? [[...whole, ...further].filter(isKnown).join(rule.join ?? ', ')] : whole
  const texts = rule.html ? joined.map(htmlToText) : joined
  const count = counted && countOf(row, counted, rule.split)
  return texts.flatMap((text) => splitText(text, rule.split, count)).filter(Boolean)
}

/** The values as our own formats have them: CSV in one cell, and a line of JSON apart. */
function exactTexts(
  { rule: { split } }: CompiledRule,
  parts: readonly SourcePart[],
  { source }: Profile,
): readonly string[] {
  const texts = parts.map(({ text, cell = text }) => cell)
  if (split === undefined || source.type === 'json-lines') return texts
  return texts.flatMap((text) => (split === '|' ? splitCell(text) : text.split(split)))
}

const isRead = (target: RuleTarget, reading: string): boolean =>
  'reading' in target && target.reading === reading

/** More of them are no list of values. */
const maxPieces = 1000

/** As our own CSV parts the values of a cell, where the separator is `|`. */
function splitText(
  text: string,
  separator: string | undefined,
  count: number | undefined,
): readonly string[] {
  if (separator === undefined || separator === '') return [text]
  const pieces = separator === '|' ? splitCell(text) : text.split(separator)
  const isList = pieces.length <= maxPieces && (count === undefined || count === pieces.length)
  return isList ? pieces.map(cleanText) : [text]
}

/** How many values another column has; undefined where it has none. */
function countOf(row: SourceRow, selector: Selector, separator = ','): number | undefined {
  const text = firstTextOf(row, selector)
  return text === '' ? undefined : text.split(separator).length
}

/** The fields that rules are for and whose texts are all empty. */
function emptyFields({ profile, rules }: CompiledProfile, row: SourceRow): readonly FieldPlace[] {
  if (profile.emptyCells !== 'clear') return []
  const places = new Map<FieldPlace, boolean>()
  for (const { selector, others, target } of rules) {
    if (target.kind === 'private' || target.kind === 'nothing') continue
    const place: FieldPlace = `${target.kind}.${target.field.name}`
    const isFilled = [selector, ...others].some((candidate) => firstTextOf(row, candidate) !== '')
    places.set(place, (places.get(place) ?? false) || isFilled)
  }
  return [...places].flatMap(([place, isFilled]) => (isFilled ? [] : [place]))
}

const placeholderValues = (
  { placeholders }: CompiledProfile,
  row: Pick<SourceRow, 'fields'>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    placeholders.flatMap((selector) => {
      const text = firstTextOf(row, selector)
      return text === '' ? [] : [[selector.text, text] as const]
    }),
  )

/**
 * Without a copy, the address of a digital one and the provenance stand with the zine.
 * @returns what only the staff may see, which stays with the row
 */
function keepWithZine(
  { digital_url: addresses = [], provenance = [], ...texts }: MappedTexts,
  zine: FieldValues,
  { holdings }: Resources,
): readonly PrivateText[] {
  for (const address of addresses) zine.add('identifier', address)
  for (const text of provenance) zine.add('public_notes', `Provenance: ${text}`)
  return holdings.fields
    .filter((field) => field.private === 'always')
    .flatMap(({ name }) => (texts[name] ?? []).map((text) => ({ field: name, text })))
}

/** Where nobody is the creator, those are whose relation the source does not say. */
function withCreators(names: readonly CollectedName[]): readonly MappedName[] {
  const hasCreator = names.some(({ field }) => field === 'creator')
  return names.map(({ mayCreate, ...name }) =>
    mayCreate && !hasCreator ? { ...name, field: 'creator' } : name,
  )
}
