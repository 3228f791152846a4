// All sets with their names: of the kinds, of every repository, language, genre and public list, also
// where nothing is in them, and of repositories that were deleted, since records that are gone stay
// in their sets.

import type { CurrentItems } from './items/item-index.js'
import { type ParentSet, idOfSet, isWithinSet, kindSet, parentSets, setOf } from './items/sets.js'
import { resourceNames } from '../../model/iris.js'
import type { Reference } from '../../model/record/views.js'
import type { Vocabulary } from '../../model/vocabulary.js'

export type DescribedSet = {
  readonly spec: string
  readonly name: string
  /** The repository whose name is that of the set, if there is one. */
  readonly repository?: Reference
}

const parentNames: Readonly<Record<ParentSet, string>> = {
  repository: 'By repository: its holdings, and zines with a holding there',
  language: 'Zines by language',
  genre: 'Zines by genre',
}

/** In the order of their specs. */
export function describeSets(
  { items, sets }: Pick<CurrentItems, 'items' | 'sets'>,
  { languages, genres }: Readonly<Record<'languages' | 'genres', Vocabulary>>,
  listSets: readonly DescribedSet[],
): readonly DescribedSet[] {
  const repositories = new Map<string, DescribedSet>()
  const addRepository = (spec: string): void => {
    const id = idOfSet(spec) ?? spec
    const repository = { target: 'repositories', id } as const
    repositories.set(spec, { spec, name: `Repository ${id}`, repository })
  }
  for (const { key } of items({
    set: kindSet('repositories'),
    kinds: new Set(['repositories']),
    from: 0,
    before: Infinity,
  }))
    addRepository(setOf('repository', key.slice('repositories/'.length)))
  for (const spec of sets()) if (isWithinSet(spec, 'repository')) addRepository(spec)
  return [
    ...resourceNames.map((kind) => ({
      spec: kindSet(kind),
      name: `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`,
    })),
    ...parentSets.map((spec) => ({ spec, name: parentNames[spec] })),
    ...ofVocabulary('language', languages),
    ...ofVocabulary('genre', genres),
    ...repositories.values(),
    ...listSets,
  ].sort((a, b) => (a.spec < b.spec ? -1 : 1))
}

const ofVocabulary = (parent: ParentSet, { entries }: Vocabulary): readonly DescribedSet[] =>
  entries.map(({ code, label }) => ({ spec: setOf(parent, code), name: label }))
