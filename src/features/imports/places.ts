// Says which zine and which copy each row is for: by its identifier, or by what it is like, as it
// was decided (docs/explanation/import.md, "Which record a row is for").

import { recordKey } from '../../catalogue/records/record-cache.js'
import { type KnownRecords, type Origin, createIdentities } from './identities.js'
import type { WantedIdentifier } from './mapping/identifiers.js'
import type { ZineOfRow, RecordPlaces, ZinePlace } from './mapping/record-builder.js'
import type { Duplicate, DuplicateFinder } from './matching/duplicates.js'
import type { DuplicateDecision, Profile } from './profile.js'

export type PlacesDependencies = {
  readonly profile: Pick<Profile, 'duplicates'>
  readonly duplicates: DuplicateFinder
  readonly known: KnownRecords
  readonly origin: Origin
}

/** Rows come in the order of the source, each once. */
export function createPlaces({
  profile,
  duplicates,
  known,
  origin,
}: PlacesDependencies): RecordPlaces {
  const identities = createIdentities(known, origin)
  /**
   * The zines of the rows so far, by the number of the row: those of duplicates are the ones that
   * are there.
   */
  const zineOfRow = new Map<number, string>()

  return {
    isAgentTaken: identities.isAgentTaken,
    isAnotherAgent: identities.isAnotherAgent,
    zine(wanted, zine) {
      const place = findPlace(wanted, zine)
      if (place.problem === undefined) zineOfRow.set(zine.row, place.id)
      return place
    },
    holding(wanted, zine) {
      const id = identities.findHolding(wanted, zine)
      return id === undefined ? { id: wanted.id, problem: taken(wanted) } : { id }
    },
  }

  function findPlace(wanted: WantedIdentifier, zine: ZineOfRow): ZinePlace {
    const named = identities.findZine(wanted, zine)
    const id = named?.id ?? wanted.id
    const similar = duplicates.add({ ...zine, id })
    if (!named) return { id, isThere: false, problem: taken(wanted) }
    const { isThere } = named
    if (named.isDifferent) {
      const place = { id, isThere, duplicates: [{ reason: 'number', zine: id } as const] }
      const decision = decisionFor(zine.row) ?? profile.duplicates.different
      if (decision === undefined) return { ...place, problem: otherZine }
      if (decision !== 'new') return decide(decision, place)
      const other = identities.otherIdentifier(wanted)
      return other === undefined
        ? { ...place, decision, problem: taken(wanted) }
        : { ...place, decision, id: other, isThere: false }
    }
    // The zine that a row is for is updated, whatever others of the catalogue are like it.
    const found = isThere ? similar.filter((one) => !('zine' in one)) : similar
    const [first] = found
    if (!first || wanted.by === 'record') return { id, isThere }
    const decision = decisionFor(zine.row) ?? usualDecision(wanted, first)
    const place = decide(decision, { id, isThere, duplicates: found })
    const isUnclear =
      decision === 'update' && decisionFor(zine.row) === undefined && isSeveral(found)
    return isUnclear ? { ...place, problem: severalZines } : place
  }

  function decide(
    decision: DuplicateDecision,
    place: ZinePlace & { readonly duplicates: readonly Duplicate[] },
  ): ZinePlace {
    const decided = { ...place, decision }
    if (decision !== 'holding' && decision !== 'update') return decided
    const id = existingZine(place.duplicates) ?? place.id
    return decision === 'update'
      ? { ...decided, id, isThere: true }
      : { ...decided, id, isThere: true, hasCopiesOnly: true, holdingsOf: place.id }
  }

  function decisionFor(row: number): DuplicateDecision | undefined {
    return profile.duplicates.rows[String(row)]
  }

  function usualDecision({ by }: WantedIdentifier, first: Duplicate): DuplicateDecision {
    const { catalogue, source, again = 'skip' } = profile.duplicates
    if (!('zine' in first)) return source
    const key = recordKey({ target: 'zines', id: first.zine })
    return by === 'row' && known.ofSource.has(key) ? again : catalogue
  }

  /** The zine of the catalogue, or that of the earlier row. */
  function existingZine([first]: readonly Duplicate[]): string | undefined {
    if (!first) return undefined
    return 'zine' in first ? first.zine : zineOfRow.get(first.row)
  }
}

const isSeveral = (found: readonly Duplicate[]): boolean =>
  new Set(found.flatMap((one) => ('zine' in one ? [one.zine] : []))).size > 1

const otherZine =
  'The row has the number of a zine that is there, but another title and another maker. Say whether it is the same.'

const severalZines = 'Several zines seem to be the one of the row. Say what becomes of it.'

const taken = ({ id }: WantedIdentifier): string =>
  `The identifier ${id} is that of another record.`
