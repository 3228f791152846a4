// Makes of each row of an import what is to be written: its records, unless it is a duplicate that is left out,
// or becomes a holding of the zine that is there. What the catalogue says to it is left to preview.ts.

import { recordKey } from '../catalogue/records/record-cache.js'
import type { ImportRow, RowRecord } from '../catalogue/writes/import-writes.js'
import type { ResourceName } from '../model/iris.js'
import type { Resources } from '../model/resources.js'
import { type KnownRecords, type Origin, createIdentities } from './identities.js'
import type { Decisions } from './mapping/decisions.js'
import type { WantedIdentifier } from './mapping/identifiers.js'
import { mapRow } from './mapping/map-row.js'
import type { MappingIssue } from './mapping/mapped-row.js'
import {
  type BuiltRecord,
  type DescribedZine,
  type NewTerm,
  type Places,
  type RowRecords,
  type ZinePlace,
  createRecordBuilder,
} from './mapping/record-builder.js'
import type { Duplicate, DuplicateFinder } from './matching/duplicates.js'
import type { DuplicateDecision, MadeKind, Profile } from './profile.js'
import type { SourceRow } from './sources/source.js'

/** What a row would make, before the catalogue is asked. */
export type PlannedRow = {
  readonly source: SourceRow
  /** Undefined if the row is left out, or cannot be written. */
  readonly write: ImportRow | undefined
  /** Why nothing can be made of the row; undefined if it can. */
  readonly refused: readonly string[] | undefined
  /** Why the row is left out, by a decision; undefined if it is not. */
  readonly skipped: string | undefined
  /** The zines of the catalogue and the rows before that have the same zine. */
  readonly duplicates: readonly Duplicate[]
  /** What is done about them. */
  readonly duplicateDecision: DuplicateDecision | undefined
  readonly issues: readonly MappingIssue[]
  /** Terms that have to be in the institution's vocabularies before the row is written. */
  readonly newTerms: readonly NewTerm[]
}

/** Plans a row. Rows come in the order of the source, each once. */
export type PlanRow = (row: SourceRow) => PlannedRow

type PlannerDependencies = {
  readonly profile: Profile
  readonly decisions: Decisions
  readonly resources: Resources
  /** The columns of a table. */
  readonly columns: readonly string[]
  readonly duplicates: DuplicateFinder
  readonly known: KnownRecords
  readonly origin: Origin
}

/** Which zine a row is about, and what was found and decided about that. */
type Placed = {
  readonly place: ZinePlace
  readonly found: readonly Duplicate[]
  readonly decision: DuplicateDecision | undefined
  /** Why the row cannot be written. */
  readonly problem?: string | undefined
}

export function createRowPlanner({
  profile,
  decisions,
  resources,
  columns,
  duplicates,
  known,
  origin,
}: PlannerDependencies): PlanRow {
  const identities = createIdentities(known, origin)
  /** The zines of the rows so far, by the number of the row: those of duplicates are the ones that are there. */
  const zineOfRow = new Map<number, string>()
  /** The rows that write a record, by its key. */
  const writers = new Map<string, number>()
  let placed: Placed | undefined
  let problem: string | undefined
  const places: Places = {
    zine(wanted, zine) {
      placed = placeZine(wanted, zine)
      problem ??= placed.problem
      return placed.place
    },
    holding(wanted, zine) {
      const id = identities.findHolding(wanted, zine)
      if (id === undefined) problem ??= takenProblem('holdings', wanted)
      return id ?? wanted.id
    },
  }
  const builder = createRecordBuilder({ profile, resources, decisions, places, columns, origin })

  return (source) => {
    const { number } = source
    placed = undefined
    problem = undefined
    const records = builder.toRecords(mapRow(source, profile, resources))
    const { found = [], decision }: Partial<Placed> = placed ?? {}
    const toWrite = toRowRecords(records)
    const isCopyNowhere = decision === 'holding' && toWrite.length === 0
    const skipped = decision === 'skip' ? leftOut : isCopyNowhere ? noLibrary : undefined
    const problems = [
      source.problem,
      ...records.issues.filter(({ kind }) => kind === 'missing').map(formatIssue),
      problem ?? repeated(toWrite) ?? (toWrite.length === 0 ? noRecord : undefined),
    ].filter((one) => one !== undefined)
    const isWritten = skipped === undefined && problems.length === 0
    if (isWritten) for (const { reference } of toWrite) writers.set(recordKey(reference), number)
    return {
      source,
      write: isWritten ? { number, records: toWrite } : undefined,
      refused: skipped === undefined && !isWritten ? problems : undefined,
      skipped,
      duplicates: found,
      duplicateDecision: decision,
      issues: records.issues,
      newTerms: isWritten ? records.newTerms : [],
    }
  }

  /** A record that a row before writes. Agents are named by many rows. */
  function repeated(records: readonly RowRecord[]): string | undefined {
    const rows = records
      .filter(({ changes }) => changes)
      .map(({ reference }) => writers.get(recordKey(reference)))
    const [first] = rows.filter((row) => row !== undefined)
    return first === undefined ? undefined : `Row ${first} is for the same record.`
  }

  function placeZine(wanted: WantedIdentifier, zine: DescribedZine): Placed {
    const there = identities.findZine(wanted, zine)
    const id = there?.id ?? wanted.id
    const compared = duplicates.add({ ...zine, id })
    // The zine that a row names is updated, whatever others of the catalogue are like it.
    const similar = there?.isThere ? compared.filter((one) => !('zine' in one)) : compared
    const found: readonly Duplicate[] = there?.isDifferent
      ? [{ reason: 'number', zine: id }]
      : similar
    const decision = decisionFor(wanted, zine.row, found)
    const placed = { place: { id, isThere: there?.isThere === true }, found, decision }
    if (!there) return { ...placed, problem: takenProblem('zines', wanted) }
    const first = found[0]
    if (!first) return remember(placed, zine.row)
    if (decision === undefined) return { ...placed, problem: differentProblem }
    if (decision === 'holding') {
      const existing = existingZine(first) ?? id
      const place = { id: existing, isThere: true, hasCopiesOnly: true, holdingsOf: id }
      return remember({ ...placed, place }, zine.row)
    }
    if (decision === 'update') {
      const others = new Set(found.flatMap((one) => ('zine' in one ? [one.zine] : [])))
      const place = { id: existingZine(first) ?? id, isThere: true }
      const isClear = others.size < 2 || profile.duplicates.rows[String(zine.row)] !== undefined
      return remember({ ...placed, place, problem: isClear ? undefined : severalProblem }, zine.row)
    }
    if (decision === 'new' && there.isDifferent) {
      const other = identities.otherIdentifier(wanted)
      if (other === undefined) return { ...placed, problem: takenProblem('zines', wanted) }
      return remember({ ...placed, place: { id: other, isThere: false } }, zine.row)
    }
    return remember(placed, zine.row)
  }

  /** Keeps the zine of a row for rows that are duplicates of it. */
  function remember(one: Placed, row: number): Placed {
    zineOfRow.set(row, one.place.id)
    return one
  }

  function decisionFor(
    { by }: WantedIdentifier,
    row: number,
    [first]: readonly Duplicate[],
  ): DuplicateDecision | undefined {
    const { catalogue, source, again = 'skip', different, rows } = profile.duplicates
    if (!first) return undefined
    const own = rows[String(row)]
    if (own !== undefined) return own
    if (first.reason === 'number') return different
    if (!('zine' in first)) return source
    const isAgain =
      by === 'row' && known.ofSource.has(recordKey({ target: 'zines', id: first.zine }))
    return isAgain ? again : catalogue
  }

  /** The zine of the catalogue, or that of the earlier row. */
  function existingZine(one: Duplicate): string | undefined {
    return 'zine' in one ? one.zine : zineOfRow.get(one.row)
  }
}

const leftOut = 'The row is a duplicate and is left out.'

const noLibrary = 'The zine is there already, and no library is said for a copy.'

const differentProblem =
  'The row has the number of a zine that is there, but another title and another maker. Say whether it is the same.'

const severalProblem = 'Several zines seem to be the one of the row. Say what becomes of it.'

const noRecord = 'The row has no zine and no holding.'

const takenProblem = (kind: MadeKind, { id }: WantedIdentifier): string =>
  `${kind}: The identifier ${id} is that of another record.`

export const formatIssue = ({ field, value, message }: MappingIssue): string =>
  value === '' ? `${field}: ${message}` : `${field}: ${message} (${value})`

/** The records of a row, those that others refer to first. */
const toRowRecords = ({ agents, zine, holdings, others }: RowRecords): readonly RowRecord[] => [
  ...agents.map((record) => toRowRecord('agents', record)),
  ...(zine ? [toRowRecord('zines', zine)] : []),
  ...holdings.map((record) => toRowRecord('holdings', record)),
  ...others.map(({ kind, ...record }) => toRowRecord(kind, record)),
]

const toRowRecord = (target: ResourceName, { id, ...record }: BuiltRecord): RowRecord => ({
  reference: { target, id },
  ...record,
})
