// Says whose record an identifier is, so that those of two sources never meet: a row is for a
// record of the catalogue where it names it as the catalogue does, or where an earlier import of
// the same source made it (docs/explanation/import.md, "Which record a row is for").

import { recordKey } from '../../catalogue/records/record-cache.js'
import { fold } from '../../lib/names/folding.js'
import { comparableTitle } from '../../model/record/title.js'
import type { WantedIdentifier } from './mapping/identifiers.js'
import type { ZineOfRow } from './mapping/record-builder.js'

/** What rows are compared with. */
export type KnownRecords = {
  /** All zines of the catalogue, by their identifiers. */
  readonly zines: ReadonlyMap<string, KnownZine>
  /** The zines of all holdings, by the identifiers of these. */
  readonly holdings: ReadonlyMap<string, string>
  /** The public names of all agents of the catalogue, by the identifiers of these. */
  readonly agents: ReadonlyMap<string, readonly string[]>
  /** The keys of the records that imports of the same source made, with those of this one. */
  readonly ofSource: ReadonlySet<string>
  /** The keys of those that this import made, in a part of it that was written before. */
  readonly ofImport: ReadonlySet<string>
}

export type KnownZine = Pick<ZineOfRow, 'title' | 'issue' | 'creators'>

/**
 * What identifiers are made of that have to be others: the name of the source as a part of one, and
 * the import.
 */
export type Origin = { readonly source: string; readonly import: string }

export type FoundZine = {
  readonly id: string
  readonly isThere: boolean
  /** The row names it, but title and maker are others. */
  readonly isDifferent?: true
}

export type Identities = ReturnType<typeof createIdentities>

export function createIdentities(known: KnownRecords, origin: Origin) {
  /** The identifier, and another one where it is that of a stranger. */
  const candidates = ({ id, by }: WantedIdentifier): readonly string[] =>
    by === 'record' ? [id] : [id, `${by === 'row' ? origin.import : origin.source}-${id}`]

  function findZine(identifier: WantedIdentifier, zine: ZineOfRow): FoundZine | undefined {
    for (const id of candidates(identifier)) {
      const there = known.zines.get(id)
      if (!there) return { id, isThere: false }
      const key = recordKey({ target: 'zines', id })
      const mayDiffer = identifier.by === 'record' || known.ofSource.has(key)
      if (identifier.by === 'row' && !known.ofImport.has(key)) {
        // The number of the row says nothing, so that all else has to be the same.
        if (known.ofSource.has(key) && isSame(zine, there)) return { id, isThere: true }
      } else if (mayDiffer)
        return isLike(zine, there, identifier.by)
          ? { id, isThere: true }
          : { id, isThere: true, isDifferent: true }
    }
    return undefined
  }

  /** Whether an agent of the catalogue that no import of this source made has the identifier. */
  function isAgentTaken(id: string): boolean {
    const key = recordKey({ target: 'agents', id })
    return known.agents.has(id) && !known.ofSource.has(key) && !known.ofImport.has(key)
  }

  return {
    isAgentTaken,
    /** The same, but an agent of the name is the one that was meant. */
    isAnotherAgent: (id: string, name: string): boolean =>
      isAgentTaken(id) &&
      !known.agents.get(id)?.some((knownName) => comparable(knownName) === comparable(name)),
    /** Undefined if the identifier is taken, and there is no other one. */
    findZine,
    /** An identifier for a zine that is not the one that has the wanted one. */
    otherIdentifier: ({ id }: WantedIdentifier): string | undefined =>
      [`${id}-${origin.import}`].find((candidate) => !known.zines.has(candidate)),
    findHolding(identifier: WantedIdentifier, zine: string): string | undefined {
      return candidates(identifier).find((id) => {
        const zineThere = known.holdings.get(id)
        if (zineThere === undefined || identifier.by === 'record') return true
        const key = recordKey({ target: 'holdings', id })
        if (known.ofImport.has(key)) return true
        return known.ofSource.has(key) && (identifier.by === 'number' || zineThere === zine)
      })
    },
  }
}

/** A name of signs alone has no words. */
const comparable = (name: string): string => fold(name) || name

/** Whether nothing speaks against it that a row is about the zine that it names. */
function isLike(row: ZineOfRow, zine: KnownZine, by: WantedIdentifier['by']): boolean {
  if (row.title === '' || isSameTitle(row.title, zine.title)) return true
  // Who names a record of this catalogue and no maker corrects its title.
  if (row.creators.length === 0) return by === 'record'
  return row.creators.some((id) => zine.creators.includes(id))
}

const isSame = (row: ZineOfRow, zine: KnownZine): boolean =>
  isSameTitle(row.title, zine.title) &&
  isSameTitle(row.issue, zine.issue) &&
  row.creators.every((id) => zine.creators.includes(id))

const isSameTitle = (a: string, b: string): boolean =>
  a === b || (comparableTitle(a) || a) === (comparableTitle(b) || b)
