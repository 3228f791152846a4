// Makes of each row of an import what is to be written: its records, unless it is a duplicate that
// is left out, or becomes a holding of the zine that is there. What the catalogue says to it is
// left to preview.ts.

import { recordKey } from '../../catalogue/records/record-cache.js'
import type { ImportRow, RowRecord } from '../../catalogue/writes/import-writes.js'
import type { ResourceName } from '../../model/iris.js'
import type { Resources } from '../../model/resources.js'
import type { Decisions } from './mapping/decisions.js'
import { mapRow } from './mapping/map-row.js'
import type { MappingIssue } from './mapping/mapped-row.js'
import {
  type BuiltRecord,
  type RowRecords,
  type ZinePlace,
  createRecordBuilder,
} from './mapping/record-builder.js'
import type { Duplicate } from './matching/duplicates.js'
import { type PlacesDependencies, ImportPlaces } from './places.js'
import type { DuplicateDecision, NewTerm, Profile } from './profile.js'
import type { SourceRow } from '../../lib/sources/source.js'

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
  /** Whether a row may use a term: it is there, or may be added. */
  readonly isTermAllowed: (term: NewTerm) => boolean
} & Omit<PlacesDependencies, 'profile'>

export function createRowPlanner({
  profile,
  decisions,
  resources,
  columns,
  isTermAllowed,
  ...compared
}: PlannerDependencies): PlanRow {
  const places = new ImportPlaces({ profile, ...compared })
  const { origin } = compared
  const builder = createRecordBuilder({ profile, resources, decisions, places, columns, origin })
  /** The rows that write a record, by its key. */
  const writers = new Map<string, number>()

  return (source) => {
    const { number } = source
    const built = builder.toRecords(mapRow(source, profile, resources))
    const { duplicates = [], decision }: Partial<ZinePlace> = built.place ?? {}
    const records = toRowRecords(built).map(profile.newRecords === 'draft' ? asDraft : asItIs)
    const isCopyNowhere = decision === 'holding' && records.length === 0
    const skipped = decision === 'skip' ? leftOut : isCopyNowhere ? noLibrary : undefined
    const problems = skipped === undefined ? problemsOf(source, built, records) : []
    const isWritten = skipped === undefined && problems.length === 0
    if (isWritten) for (const { reference } of records) writers.set(recordKey(reference), number)
    return {
      source,
      write: isWritten ? { number, records } : undefined,
      refused: problems.length > 0 ? problems : undefined,
      skipped,
      duplicates,
      duplicateDecision: decision,
      issues: built.issues,
      newTerms: isWritten ? built.newTerms : [],
    }
  }

  /** Why nothing can be made of a row, as sentences. */
  function problemsOf(
    { problem }: SourceRow,
    { issues, newTerms }: RowRecords,
    records: readonly RowRecord[],
  ): readonly string[] {
    const missing = issues.filter(({ kind }) => kind === 'missing').map(formatIssue)
    const forbidden = newTerms
      .filter((term) => !isTermAllowed(term))
      .map(({ vocabulary, label }) => `${vocabulary}: You may not add the term “${label}”.`)
    const problems = [...(problem === undefined ? [] : [problem]), ...missing, ...forbidden]
    if (problems.length > 0) return problems
    if (records.length === 0) return ['The row has no zine and no holding.']
    // Agents are named by many rows.
    const others = records.filter(({ changes }) => changes)
    const [row] = others.flatMap(({ reference }) => writers.get(recordKey(reference)) ?? [])
    return row === undefined ? [] : [`Row ${row} is for the same record.`]
  }
}

const leftOut = 'The row is a duplicate and is left out.'

const noLibrary = 'The zine is there already, and no library is said for a copy.'

export const formatIssue = ({ field, value, message }: MappingIssue): string =>
  value === '' ? `${field}: ${message}` : `${field}: ${message} (${value})`

/** The records of a row, those that others refer to first. */
const toRowRecords = ({ agents, zine, holdings, others }: RowRecords): readonly RowRecord[] => [
  ...agents.map((record) => toRowRecord('agents', record)),
  ...(zine ? [toRowRecord('zines', zine)] : []),
  ...holdings.map((record) => toRowRecord('holdings', record)),
  ...others.map(({ kind, ...record }) => toRowRecord(kind, record)),
]

const asItIs = (record: RowRecord): RowRecord => record

/** The record, hidden if it is new. */
const asDraft = ({ body, ...record }: RowRecord): RowRecord => ({
  ...record,
  body: body && new Map([...body, ['visibility', 'draft']]),
})

const toRowRecord = (target: ResourceName, { id, ...record }: BuiltRecord): RowRecord => ({
  reference: { target, id },
  ...record,
})
