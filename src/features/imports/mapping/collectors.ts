// Counts the distinct names and terms of an import, row by row, for the steps in which they are
// decided.

import { comparableTerm } from './decisions.js'
import type { MappedRow } from './mapped-row.js'

export type CollectedNameCount = {
  readonly name: string
  readonly count: number
  /** The fields that it fills, such as `creator`. */
  readonly fields: readonly string[]
  /** The relators that the source has with it. */
  readonly relators: readonly string[]
  /** The names that it is proposed to part it into; empty for one name. */
  readonly split: readonly string[]
  /** The kind that the source says. */
  readonly kind?: string
  /** It stands in its natural order. */
  readonly isDirect?: true
  /** Other names that the source has of the same agent. */
  readonly otherNames?: readonly string[]
  /** Its numbers in Wikidata that the source has. */
  readonly wikidata?: readonly string[]
}

export type NameCollector = {
  add(row: MappedRow): void
  /** The most frequent first. */
  list(): readonly CollectedNameCount[]
}

export function createNameCollector(): NameCollector {
  type Counted = {
    count: number
    readonly fields: Set<string>
    readonly relators: Set<string>
    readonly otherNames: Set<string>
    readonly wikidata: Set<string>
    split: readonly string[]
    kind: string | undefined
    isDirect: true | undefined
  }
  const names = new Map<string, Counted>()
  return {
    add(row) {
      for (const mappedName of row.names) {
        const { name, field, split, relator, kind, isDirect, otherNames, wikidata, isId } =
          mappedName
        if (isId) continue
        const known: Counted = names.get(name) ?? {
          count: 0,
          fields: new Set(),
          relators: new Set(),
          otherNames: new Set(),
          wikidata: new Set(),
          split,
          kind,
          isDirect,
        }
        names.set(name, known)
        known.count++
        known.fields.add(field)
        known.kind ??= kind
        if (known.split.length === 0) known.split = split
        if (relator !== undefined) known.relators.add(relator)
        for (const other of otherNames ?? []) known.otherNames.add(other)
        if (wikidata !== undefined) known.wikidata.add(wikidata)
      }
    },
    list: () =>
      [...names]
        .map(
          ([name, { count, fields, relators, otherNames, wikidata, split, kind, isDirect }]) => ({
            name,
            count,
            fields: [...fields],
            relators: [...relators],
            split,
            ...(kind === undefined ? {} : { kind }),
            ...(isDirect ? { isDirect } : {}),
            ...(otherNames.size > 0 ? { otherNames: [...otherNames] } : {}),
            ...(wikidata.size > 0 ? { wikidata: [...wikidata] } : {}),
          }),
        )
        .sort((a, b) => b.count - a.count || compare(a.name, b.name)),
  }
}

export type CollectedTermCount = {
  /** Such as `subjects`. */
  readonly vocabulary: string
  /** The field that it is for, such as `subject`. */
  readonly field: string
  /** The most frequent spelling. */
  readonly value: string
  /** How often it occurs, in all spellings. */
  readonly count: number
  /** The spellings, which differ in case, accents and punctuation only; the most frequent first. */
  readonly spellings: readonly string[]
  /** The code that was found by reading it. */
  readonly code?: string
}

export type TermCollector = {
  add(row: MappedRow): void
  /** By vocabulary, the most frequent first. */
  list(): readonly CollectedTermCount[]
}

export function createTermCollector(): TermCollector {
  type Counted = {
    readonly field: string
    readonly spellings: Map<string, number>
    code: string | undefined
  }
  const byVocabulary = new Map<string, Map<string, Counted>>()
  return {
    add(row) {
      for (const term of [...row.terms, ...row.holdings.flatMap(({ terms }) => terms)]) {
        const terms = byVocabulary.get(term.vocabulary) ?? new Map<string, Counted>()
        byVocabulary.set(term.vocabulary, terms)
        const key = comparableTerm(term.value)
        const known: Counted = terms.get(key) ?? {
          field: term.field,
          spellings: new Map(),
          code: undefined,
        }
        terms.set(key, known)
        known.spellings.set(term.value, (known.spellings.get(term.value) ?? 0) + 1)
        known.code ??= term.code
      }
    },
    list: () =>
      [...byVocabulary].flatMap(([vocabulary, terms]) =>
        [...terms.values()]
          .map(({ field, spellings, code }) => {
            const sorted = [...spellings].sort((a, b) => b[1] - a[1] || compare(a[0], b[0]))
            return {
              vocabulary,
              field,
              value: sorted[0]?.[0] ?? '',
              count: [...spellings.values()].reduce((sum, count) => sum + count, 0),
              spellings: sorted.map(([spelling]) => spelling),
              ...(code === undefined ? {} : { code }),
            }
          })
          .sort((a, b) => b.count - a.count || compare(a.value, b.value)),
      ),
  }
}

const { compare } = new Intl.Collator('en', { sensitivity: 'variant' })
