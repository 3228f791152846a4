// Lists the fields of a source with samples and the rules that use them, for the step in which it
// is said where each one goes. Those that no rule uses are told apart.

import type { Resources } from '../../../model/resources.js'
import type { FieldRule, Profile } from '../profile.js'
import type { SourceField, SourceRow } from '../../../lib/sources/source.js'
import { type CompiledProfile, compileProfile } from './compiled-profile.js'
import { fitOf, isTag, partsOf } from './selectors.js'
import { cleanLine, withoutColumnNumber } from './text.js'

export type SourceFieldStatistics = {
  /** As a rule names it: a column, `245$a`, or `008`. */
  readonly name: string
  /** How many columns have the name; 1 for a MARC field. */
  readonly columns: number
  /** How many rows have a value. */
  readonly rows: number
  /** Up to three distinct texts. */
  readonly samples: readonly string[]
  /** The rules that use it. */
  readonly rules: readonly FieldRule[]
  /** Whether identifiers are made of it. */
  readonly identifies: boolean
}

/** The fields that have values and go nowhere. */
export const unusedFields = (
  fields: readonly SourceFieldStatistics[],
): readonly SourceFieldStatistics[] =>
  fields.filter(({ rules, rows, identifies }) => rules.length === 0 && rows > 0 && !identifies)

const maxSamples = 3

/** Of a source whose rows have different keys, as JSON lines can. */
const maxFields = 5000
const maxSampleLength = 200

type Counted = {
  rows: number
  lastRow: number
  readonly columns: Set<string>
  readonly samples: Set<string>
  readonly rules: Set<FieldRule>
}

export class SourceFieldCollector {
  readonly #profile: Profile
  readonly #compiled: CompiledProfile
  readonly #fields = new Map<string, Counted>()
  readonly #known: Set<string>
  #row = 0

  /**
   * @param columns the names of the columns of a table, which are listed even if all their cells
   * are empty
   */
  constructor(profile: Profile, resources: Resources, columns: readonly string[] = []) {
    this.#profile = profile
    this.#compiled = compileProfile(profile, resources)
    this.#known = new Set(columns)
    for (const column of columns) {
      const entry = this.#entryOf(this.#columnName(column))
      entry.columns.add(column)
      for (const rule of rulesUsing(this.#compiled, { name: column, parts: [] }))
        entry.rules.add(rule)
    }
  }

  add({ fields: sourceFields }: SourceRow): void {
    this.#row++
    for (const field of sourceFields) {
      if (!isTag(field.name) && this.#known.size < maxFields) this.#known.add(field.name)
      for (const part of field.parts) {
        const text = cleanLine(part.text)
        if (text === '' || isForPrograms(part.code, field.name, this.#profile)) continue
        const name =
          part.code !== '' && isTag(field.name)
            ? `${field.name}$${part.code}`
            : this.#columnName(field.name)
        if (this.#fields.size >= maxFields && !this.#fields.has(name)) continue
        const entry = this.#entryOf(name)
        if (!isTag(field.name)) entry.columns.add(field.name)
        if (entry.lastRow !== this.#row) entry.rows++
        entry.lastRow = this.#row
        if (entry.samples.size < maxSamples)
          entry.samples.add(Array.from(text).slice(0, maxSampleLength).join(''))
        for (const rule of rulesUsing(this.#compiled, { ...field, parts: [part] }))
          entry.rules.add(rule)
      }
    }
  }

  /** In the order of the source; MARC fields by tag. */
  list(): readonly SourceFieldStatistics[] {
    return [...this.#fields]
      .map(([name, entry]) => ({
        name,
        columns: Math.max(entry.columns.size, 1),
        rows: entry.rows,
        samples: [...entry.samples],
        rules: [...entry.rules],
        identifies: this.#compiled.placeholders.some(
          (placeholder) =>
            placeholder.text === name ||
            (!isMarcName(name) && fitOf(placeholder, { name, parts: [] }) !== undefined),
        ),
      }))
      .sort((a, b) => (isMarcName(a.name) && isMarcName(b.name) ? (a.name < b.name ? -1 : 1) : 0))
  }

  #entryOf(name: string): Counted {
    const known = this.#fields.get(name) ?? {
      rows: 0,
      lastRow: 0,
      columns: new Set(),
      samples: new Set(),
      rules: new Set(),
    }
    this.#fields.set(name, known)
    return known
  }

  #columnName(column: string): string {
    const base = withoutColumnNumber(column)
    return this.#known.has(base) ? base : column
  }
}

/**
 * Links between fields, sources of terms and the like; in the fields of items they have other
 * meanings.
 */
const isForPrograms = (code: string, field: string, { items }: Profile): boolean =>
  /^\d$/.test(code) && field !== items

const isMarcName = (name: string): boolean => /^(?:880-)?\d{3}(?:\$.)?$/.test(name)

/** The rules that use a field with one part. */
function rulesUsing(compiled: CompiledProfile, field: SourceField): readonly FieldRule[] {
  const direct = compiled.rulesOf(field).filter(({ selector, rule }) => {
    const [part] = field.parts
    if (!part || part.code === '') return true
    return (
      partsOf(selector, field).length > 0 ||
      `${rule.relators ?? ''}${rule.fuller ?? ''}`.includes(part.code)
    )
  })
  const further = compiled.rules.filter(({ others }) =>
    others.some((other) => fitOf(other, field) !== undefined),
  )
  return [...direct, ...further].map(({ rule }) => rule)
}
