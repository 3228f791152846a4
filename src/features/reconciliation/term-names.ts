// The names of subjects, genres and places, to find those that are like a name. Each index is made
// when it is first needed, and again when terms were added or removed.

import { type FoundName, NameIndex } from '../../lib/names/name-index.js'
import type { Places } from '../../model/places.js'
import { type Vocabulary, altLabelsOf } from '../../model/vocabulary.js'
import { collectInSteps, createYielder } from '../../lib/scheduling.js'
import type { TermType } from './entities.js'

export type TermSources = {
  readonly vocabularies: Readonly<Record<TermType, Vocabulary>>
  readonly places: Places
}

export type TermNames = {
  find(type: TermType | 'places', name: string, limit: number): Promise<readonly FoundName[]>
  complete(type: TermType | 'places', prefix: string, limit: number): Promise<readonly FoundName[]>
}

type MadeIndex = { readonly of: readonly unknown[]; readonly index: Promise<NameIndex> }

export function createTermNames({ vocabularies, places }: TermSources): TermNames {
  const indexes = new Map<TermType | 'places', MadeIndex>()

  const namesOf = (type: TermType | 'places'): readonly NamedTerm[] =>
    type === 'places'
      ? places.all.map(({ geoname_id, name }) => ({ id: String(geoname_id), names: [name] }))
      : vocabularies[type].entries.map(({ code, label }) => ({
          id: code,
          names: [label, ...altLabelsOf(vocabularies[type], code), code.replaceAll('-', ' ')],
        }))

  function indexOf(type: TermType | 'places'): Promise<NameIndex> {
    const entries = type === 'places' ? places.all : vocabularies[type].entries
    const known = indexes.get(type)
    if (known?.of === entries) return known.index
    const index = makeIndex(namesOf(type))
    indexes.set(type, { of: entries, index })
    return index
  }

  return {
    find: async (type, name, limit) => (await indexOf(type)).find(name, limit),
    complete: async (type, prefix, limit) => (await indexOf(type)).complete(prefix, limit),
  }
}

type NamedTerm = { readonly id: string; readonly names: readonly string[] }

async function makeIndex(terms: readonly NamedTerm[]): Promise<NameIndex> {
  const index = new NameIndex('title')
  const maybeYield = createYielder()
  for (const { id, names } of terms) {
    index.set(id, names)
    await maybeYield()
  }
  await collectInSteps(index.build())
  return index
}
