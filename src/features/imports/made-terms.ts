// The terms that imports make in the institution's own vocabularies (docs/explanation/import.md,
// "New local terms"): they are added before the rows that have them are written, go with the undo
// where nothing else uses them, and come back with records that have them.

import type { Catalogue } from '../../catalogue/catalogue.js'
import { LocalTermError, type LocalTerms } from '../../model/declarations/local-terms.js'
import type { Resources } from '../../model/resources.js'
import type { Vocabulary } from '../../model/vocabulary.js'
import type { Import, ImportStore } from './import-state.js'
import { type MadeKind, type NewTerm, type Profile, madeKinds } from './profile.js'

type MadeTermsDependencies = {
  readonly store: Pick<ImportStore, 'all' | 'put' | 'profiles'>
  readonly catalogue: Pick<Catalogue, 'withUnusedCodes'>
  readonly resources: Resources
  readonly vocabularies: readonly Vocabulary[]
  readonly localTerms: LocalTerms
}

export class MadeTerms {
  readonly #store: MadeTermsDependencies['store']
  readonly #catalogue: MadeTermsDependencies['catalogue']
  readonly #resources: Resources
  readonly #vocabularies: ReadonlyMap<string, Vocabulary>
  readonly #localTerms: LocalTerms

  constructor({ store, catalogue, resources, vocabularies, localTerms }: MadeTermsDependencies) {
    this.#store = store
    this.#catalogue = catalogue
    this.#resources = resources
    this.#vocabularies = new Map(vocabularies.map((vocabulary) => [vocabulary.name, vocabulary]))
    this.#localTerms = localTerms
  }

  isNew({ vocabulary, code }: NewTerm): boolean {
    return !this.#vocabularies.get(vocabulary)?.find(code)
  }

  /**
   * Adds terms to their vocabularies. That the import made those that are new is written first, so
   * that its undo knows them after a crash too.
   * @returns the import as it is written
   * @throws LocalTermError
   */
  async add(job: Import, terms: readonly NewTerm[]): Promise<Import> {
    const madeTerms = new Map(
      [...(job.terms ?? []), ...terms.filter((term) => this.isNew(term))].map((term) => [
        keyOf(term),
        term,
      ]),
    )
    const adding = { ...job, terms: [...madeTerms.values()] }
    await this.#store.put(adding)
    for (const [vocabulary, some] of byVocabulary(terms))
      await this.#localTerms.add(vocabulary, some)
    return adding
  }

  /** Takes away the terms of an import that nothing else uses. @returns those that stay */
  async remove(job: Import): Promise<readonly NewTerm[]> {
    const terms = await this.#termsOf(job)
    for (const [vocabulary, some] of byVocabulary(terms)) {
      const codes = some.map(({ code }) => code)
      await this.#catalogue.withUnusedCodes(vocabulary, codes, async (unused) => {
        const decided = await this.#decidedTerms()
        const removed = some.filter(
          (term) => unused.includes(term.code) && !decided.has(keyOf(term)),
        )
        await this.#localTerms.remove(vocabulary, removed)
      })
    }
    return terms.filter((term) => !this.isNew(term))
  }

  /** Adds those of these terms that an import made, for records that come back with them. */
  async bringBack(vocabulary: string, codes: readonly string[]): Promise<void> {
    for (const term of await this.#allMade())
      if (term.vocabulary === vocabulary && codes.includes(term.code))
        try {
          await this.#localTerms.add(vocabulary, [term])
        } catch (error) {
          // Where another term is called so by now, the record is not valid, which its validation
          // says.
          if (!(error instanceof LocalTermError)) throw error
        }
  }

  /**
   * The terms that an import made, and those that it would have made, had not another import made
   * them before.
   */
  async #termsOf({ terms = [], profile }: Import): Promise<readonly NewTerm[]> {
    const created = new Set(createdTerms(profile))
    const others = (await this.#allMade()).filter((term) => created.has(keyOf(term)))
    return [...new Map([...others, ...terms].map((term) => [keyOf(term), term])).values()]
  }

  /** What all imports made, the newest first. */
  async #allMade(): Promise<readonly NewTerm[]> {
    return (await this.#store.all()).flatMap(({ terms = [] }) => terms)
  }

  /**
   * The terms that imports and profiles were told to take, and those that are about to be made
   * again.
   */
  async #decidedTerms(): Promise<ReadonlySet<string>> {
    const imports = await this.#store.all()
    const writing = imports.filter(({ state }) => state === 'writing')
    const profiles = [...imports.map(({ profile }) => profile), ...(await this.#store.profiles())]
    return new Set([
      ...profiles.flatMap((profile) => takenTerms(profile, this.#resources)),
      ...writing.flatMap(({ profile }) => createdTerms(profile)),
    ])
  }
}

const keyOf = ({ vocabulary, code }: Pick<NewTerm, 'vocabulary' | 'code'>): string =>
  `${vocabulary} ${code}`

const decisionsOf = ({ terms }: Profile) =>
  Object.entries(terms).flatMap(([vocabulary, decisions]) =>
    Object.values(decisions).map((decision) => [vocabulary, decision] as const),
  )

/** The terms that a profile makes. */
const createdTerms = (profile: Profile): readonly string[] =>
  decisionsOf(profile).flatMap(([vocabulary, decision]) =>
    'create' in decision ? [keyOf({ vocabulary, ...decision.create })] : [],
  )

/** The terms that decisions and answers of a profile name, without those that it makes. */
function takenTerms(profile: Profile, resources: Resources): readonly string[] {
  const vocabularyOf = (kind: MadeKind, field: string): string | undefined =>
    resources[kind].byName.get(field)?.vocabulary?.name
  const decided = decisionsOf(profile).flatMap(([vocabulary, decision]) => {
    if ('codes' in decision) return decision.codes.map((code) => ({ vocabulary, code }))
    if (!('code' in decision)) return []
    const { code } = decision
    if (!('field' in decision)) return [{ vocabulary, code }]
    return madeKinds.flatMap((kind) => {
      const other = vocabularyOf(kind, decision.field)
      return other === undefined ? [] : [{ vocabulary: other, code }]
    })
  })
  const ofDefaults = madeKinds.flatMap((kind) =>
    Object.entries(profile.defaults[kind]).flatMap(([field, value]) => {
      const vocabulary = vocabularyOf(kind, field)
      const codes = [value].flat().filter((code) => code !== null)
      return vocabulary === undefined ? [] : codes.map((code) => ({ vocabulary, code }))
    }),
  )
  return [...decided, ...ofDefaults].map(keyOf)
}

function byVocabulary(terms: readonly NewTerm[]): ReadonlyMap<string, readonly NewTerm[]> {
  const groups = new Map<string, NewTerm[]>()
  for (const term of terms) {
    const group = groups.get(term.vocabulary)
    if (group) group.push(term)
    else groups.set(term.vocabulary, [term])
  }
  return groups
}
