// Says which zine and which copy each row is for: by its identifier, or by what it is like, as it
// was decided (docs/explanation/import.md, "Which record a row is for").

import { recordKey } from '../../catalogue/records/record-cache.js'
import { type KnownRecords, type Identities, type Origin, createIdentities } from './identities.js'
import type { WantedIdentifier } from './mapping/identifiers.js'
import type { HoldingPlace, RecordPlaces, ZineOfRow, ZinePlace } from './mapping/record-builder.js'
import type { Duplicate, DuplicateFinder } from './matching/duplicates.js'
import type { DuplicateDecision, Profile } from './profile.js'

export type PlacesDependencies = {
  readonly profile: Pick<Profile, 'duplicates'>
  readonly duplicates: DuplicateFinder
  readonly known: KnownRecords
  readonly origin: Origin
}

/** Rows come in the order of the source, each once. */
export class ImportPlaces implements RecordPlaces {
  readonly #profile: Pick<Profile, 'duplicates'>
  readonly #duplicates: DuplicateFinder
  readonly #known: KnownRecords
  readonly #identities: Identities
  /**
   * The zines of the rows so far, by the number of the row: those of duplicates are the ones that
   * are there.
   */
  readonly #zineOfRow = new Map<number, string>()

  constructor({ profile, duplicates, known, origin }: PlacesDependencies) {
    this.#profile = profile
    this.#duplicates = duplicates
    this.#known = known
    this.#identities = createIdentities(known, origin)
  }

  isAgentTaken(id: string): boolean {
    return this.#identities.isAgentTaken(id)
  }

  isAnotherAgent(id: string, name: string): boolean {
    return this.#identities.isAnotherAgent(id, name)
  }

  zine(identifier: WantedIdentifier, zine: ZineOfRow): ZinePlace {
    const place = this.#findPlace(identifier, zine)
    if (place.problem === undefined) this.#zineOfRow.set(zine.row, place.id)
    return place
  }

  holding(identifier: WantedIdentifier, zine: string): HoldingPlace {
    const id = this.#identities.findHolding(identifier, zine)
    return id === undefined ? { id: identifier.id, problem: takenProblem(identifier) } : { id }
  }

  #findPlace(identifier: WantedIdentifier, zine: ZineOfRow): ZinePlace {
    const named = this.#identities.findZine(identifier, zine)
    const id = named?.id ?? identifier.id
    const similar = this.#duplicates.add({ ...zine, id })
    if (!named) return { id, isThere: false, problem: takenProblem(identifier) }
    const { isThere } = named
    if (named.isDifferent) {
      const place = { id, isThere, duplicates: [{ reason: 'number', zine: id } as const] }
      const decision = this.#decisionFor(zine.row) ?? this.#profile.duplicates.different
      if (decision === undefined) return { ...place, problem: otherZine }
      if (decision !== 'new') return this.#decide(decision, place)
      const other = this.#identities.otherIdentifier(identifier)
      return other === undefined
        ? { ...place, decision, problem: takenProblem(identifier) }
        : { ...place, decision, id: other, isThere: false }
    }
    // The zine that a row is for is updated, whatever others of the catalogue are like it.
    const candidates = isThere ? similar.filter((duplicate) => !('zine' in duplicate)) : similar
    const [first] = candidates
    if (!first || identifier.by === 'record') return { id, isThere }
    const decision = this.#decisionFor(zine.row) ?? this.#usualDecision(identifier, first)
    const place = this.#decide(decision, { id, isThere, duplicates: candidates })
    const isUnclear =
      decision === 'update' && this.#decisionFor(zine.row) === undefined && isSeveral(candidates)
    return isUnclear ? { ...place, problem: severalZines } : place
  }

  #decide(
    decision: DuplicateDecision,
    place: ZinePlace & { readonly duplicates: readonly Duplicate[] },
  ): ZinePlace {
    const decided = { ...place, decision }
    if (decision !== 'holding' && decision !== 'update') return decided
    const id = this.#existingZine(place.duplicates) ?? place.id
    return decision === 'update'
      ? { ...decided, id, isThere: true }
      : { ...decided, id, isThere: true, hasCopiesOnly: true, holdingsOf: place.id }
  }

  #decisionFor(row: number): DuplicateDecision | undefined {
    return this.#profile.duplicates.rows[String(row)]
  }

  #usualDecision({ by }: WantedIdentifier, first: Duplicate): DuplicateDecision {
    const { catalogue, source, again = 'skip' } = this.#profile.duplicates
    if (!('zine' in first)) return source
    const key = recordKey({ target: 'zines', id: first.zine })
    return by === 'row' && this.#known.ofSource.has(key) ? again : catalogue
  }

  /** The zine of the catalogue, or that of the earlier row. */
  #existingZine([first]: readonly Duplicate[]): string | undefined {
    if (!first) return undefined
    return 'zine' in first ? first.zine : this.#zineOfRow.get(first.row)
  }
}

const isSeveral = (duplicates: readonly Duplicate[]): boolean =>
  new Set(duplicates.flatMap((duplicate) => ('zine' in duplicate ? [duplicate.zine] : []))).size > 1

const otherZine =
  'The row has the number of a zine that is there, but another title and another maker. Say whether it is the same.'

const severalZines = 'Several zines seem to be the one of the row. Say what becomes of it.'

const takenProblem = ({ id }: WantedIdentifier): string =>
  `The identifier ${id} is that of another record.`
