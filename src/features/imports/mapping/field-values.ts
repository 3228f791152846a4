// Collects the values that rules find for one record, and checks what the fields can take: how many
// texts, how long, numbers and addresses. What does not fit becomes a note, with an issue that says
// so.

import type { Field, Resources } from '../../../model/resources.js'
import { type ImportedKind, notesFieldOf } from '../profile.js'
import type { CompiledRule } from './compiled-profile.js'
import type { MappedName, MappedTerm, MappedTexts, MappingIssue } from './mapped-row.js'

/**
 * A name whose relation the source does not say may be that of a creator, where there is no other.
 */
export type CollectedName = MappedName & { readonly mayCreate?: true }

export class FieldValues {
  readonly #kind: ImportedKind
  readonly #resources: Resources
  readonly #issues: MappingIssue[]
  readonly #texts = new Map<string, Set<string>>()
  readonly #exact = new Map<string, string[]>()
  readonly #terms: MappedTerm[] = []
  readonly #names = new Map<string, CollectedName>()
  /** The rules that gave a field a value. */
  readonly #sources = new Map<string, Set<CompiledRule | undefined>>()

  constructor(kind: ImportedKind, resources: Resources, issues: MappingIssue[]) {
    this.#kind = kind
    this.#resources = resources
    this.#issues = issues
  }

  /** @param by the rule that found it */
  add(field: string, text: string, by?: CompiledRule): void {
    if (text === '') return
    const known = this.#texts.get(field)
    if (known) known.add(text)
    else this.#texts.set(field, new Set([text]))
    this.#remember(field, by)
  }

  /**
   * Adds a text that is not changed in any way: whether its field can have it is for the catalogue
   * to say.
   */
  addExact({ name, repeatable }: Field, text: string): void {
    const known = this.#exact.get(name)
    if (!known) this.#exact.set(name, [text])
    else if (repeatable) known.push(text)
    else
      this.#issues.push({
        kind: 'unreadable',
        field: `${this.#kind}.${name}`,
        value: text,
        message: 'The field has one value, and another one was found before.',
      })
  }

  addTerm(term: MappedTerm, by?: CompiledRule): void {
    this.#terms.push(term)
    this.#remember(term.field, by)
  }

  addName(name: CollectedName, by?: CompiledRule): void {
    this.#remember(name.field, by)
    // Where nobody else is, it becomes the creator.
    if (name.mayCreate) this.#remember('creator', by)
    const key = `${name.field} ${name.name}`
    if (!this.#names.has(key)) this.#names.set(key, name)
  }

  /** Whether a field has a value, found by another rule. */
  has(field: string, other?: CompiledRule): boolean {
    return [...(this.#sources.get(field) ?? [])].some((by) => other === undefined || by !== other)
  }

  isEmpty(): boolean {
    return this.#texts.size === 0 && this.#exact.size === 0 && this.#terms.length === 0
  }

  /** Takes over the fields of others that have no value here. */
  fill(others: FieldValues): void {
    const filledFields = new Set([...this.#texts.keys(), ...this.#terms.map(({ field }) => field)])
    for (const [field, values] of others.#texts)
      if (!filledFields.has(field)) for (const value of values) this.add(field, value)
    this.#terms.push(...others.#terms.filter(({ field }) => !filledFields.has(field)))
  }

  names(): readonly CollectedName[] {
    return [...this.#names.values()]
  }

  /** Whether a field has a text, before what it can take is checked. */
  hasText(field: string, text: string): boolean {
    return this.#texts.get(field)?.has(text) === true
  }

  result(): {
    readonly texts: MappedTexts
    readonly terms: readonly MappedTerm[]
    /** The lists that no rule for them gave a text. */
    readonly added: readonly string[]
  } {
    const all = {
      ...fitted(this.#kind, this.#texts, this.#resources, this.#issues),
      ...Object.fromEntries(this.#exact),
    }
    const isAdded = (name: string): boolean =>
      this.#resources[this.#kind].byName.get(name)?.repeatable === true &&
      !this.#exact.has(name) &&
      ![...(this.#sources.get(name) ?? [])].some((by) => by && isRuleFor(by, name))
    return { texts: all, terms: this.#terms, added: Object.keys(all).filter(isAdded) }
  }

  #remember(field: string, by: CompiledRule | undefined): void {
    const known = this.#sources.get(field)
    if (known) known.add(by)
    else this.#sources.set(field, new Set([by]))
  }
}

const isRuleFor = ({ target }: CompiledRule, name: string): boolean =>
  'field' in target && target.field.name === name

/** The texts as their fields can take them. What does not fit in a field becomes a note. */
function fitted(
  kind: ImportedKind,
  texts: ReadonlyMap<string, ReadonlySet<string>>,
  resources: Resources,
  issues: MappingIssue[],
): MappedTexts {
  const result = new Map<string, readonly string[]>()
  const left: { readonly field: Field; readonly text: string }[] = []
  for (const [name, values] of texts) {
    const field = resources[kind].byName.get(name)
    if (!field) continue
    const { accepted, rejected } = fitValues(field, [...values])
    if (accepted.length > 0) result.set(name, accepted)
    for (const text of rejected) left.push({ field, text })
  }
  for (const { field, text } of left) {
    const isTitle = field.name === 'title'
    const place = isTitle ? 'alternative_title' : notesFieldOf(kind)
    const known = result.get(place) ?? []
    const moved = isTitle ? text : `${field.label}: ${text}`
    if (!known.includes(moved)) result.set(place, [...known, moved])
    issues.push({
      kind: 'moved',
      field: `${kind}.${field.name}`,
      value: text,
      message: `${reasonOf(field, text)} It became ${isTitle ? 'another title' : 'a note'}.`,
    })
  }
  return Object.fromEntries(result)
}

type FittedValues = { readonly accepted: readonly string[]; readonly rejected: readonly string[] }

function fitValues(field: Field, values: readonly string[]): FittedValues {
  if (field.repeatable) return parted(values, (text) => isShortEnough(field, text))
  if (field.kind === 'text' && field.name !== 'title') return joinedValues(field, values)
  // A title that is too long stays: without one the zine could not be made, and its check says why.
  const convert = converters[field.kind] ?? ((text: string) => text)
  const usable = values.findIndex((text) => convert(text) !== undefined)
  const value = convert(values[usable] ?? '')
  return {
    accepted: value === undefined || usable < 0 ? [] : [value],
    rejected: values.filter((_, index) => index !== usable),
  }
}

function parted(values: readonly string[], isAccepted: (text: string) => boolean): FittedValues {
  return {
    accepted: values.filter(isAccepted),
    rejected: values.filter((text) => !isAccepted(text)),
  }
}

/** Several texts of a field that has one, as far as they fit together. */
function joinedValues(field: Field, values: readonly string[]): FittedValues {
  const separator = field.maxLength === undefined ? '\n\n' : '; '
  let joined = ''
  const rejected: string[] = []
  for (const text of values) {
    const longer = joined === '' ? text : joined + separator + text
    if (isShortEnough(field, longer)) joined = longer
    else rejected.push(text)
  }
  return { accepted: joined === '' ? [] : [joined], rejected }
}

const isShortEnough = ({ maxLength = Infinity }: Field, text: string): boolean =>
  Array.from(text).length <= maxLength

/** How a text becomes a value of a kind; undefined where it cannot. */
const converters: Partial<Record<Field['kind'], (text: string) => string | undefined>> = {
  integer: (text) => /^(\d{1,9})(?:\.0+)?(?: (?:copies|copy|c\.|ex\.?))?$/i.exec(text.trim())?.[1],
  boolean(text) {
    if (/^(?:y|yes|true|1|x|t|on)$/i.test(text)) return 'true'
    return /^(?:n|no|false|0|f|off|-)?$/i.test(text) ? 'false' : undefined
  },
  url(text) {
    const address = /^www\.\S+$/i.test(text) ? `http://${text}` : text
    return address.length <= 255 && /^(?:https?|ftps?):\/\/[^\s/]+\.\S+$/i.test(address)
      ? address
      : undefined
  },
}

function reasonOf(field: Field, text: string): string {
  if (field.repeatable || !isShortEnough(field, text))
    return `The text is longer than ${field.maxLength ?? 0} characters.`
  const isUsable = converters[field.kind]?.(text) !== undefined
  if (field.kind === 'integer' && !isUsable) return 'This is no number.'
  if (field.kind === 'boolean' && !isUsable) return 'This is neither yes nor no.'
  if (field.kind === 'url' && !isUsable) return 'This is no web address.'
  return 'The field has one value, and another one was found before.'
}
