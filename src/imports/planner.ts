// Makes of each row of an import what is to be written: its records, unless it is a duplicate that is left out,
// or becomes a holding of the zine that is there. What the catalogue says to it is left to preview.ts.

import type { ImportRow, RowRecord } from '../catalogue/writes/import-writes.js'
import type { Resources } from '../model/resources.js'
import type { Decisions } from './mapping/decisions.js'
import { mapRow } from './mapping/map-row.js'
import type { MappingIssue } from './mapping/mapped-row.js'
import {
  type BuiltRecord,
  type NewTerm,
  type RowRecords,
  createRecordBuilder,
} from './mapping/record-builder.js'
import type { Duplicate, DuplicateFinder } from './matching/duplicates.js'
import type { DuplicateDecision, Profile } from './profile.js'
import type { SourceRow } from './sources/source.js'

/** What a row would make, before the catalogue is asked. */
export type PlannedRow = {
  readonly source: SourceRow
  /** Undefined if the row is left out, or cannot be written. */
  readonly write: ImportRow | undefined
  /** Why nothing can be made of the row; undefined if it can. */
  readonly refused: readonly string[] | undefined
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
  readonly duplicates: DuplicateFinder
  /** The identifiers of the zines that the catalogue has. */
  readonly catalogued: ReadonlySet<string>
}

export function createRowPlanner({
  profile,
  decisions,
  resources,
  duplicates,
  catalogued,
}: PlannerDependencies): PlanRow {
  const builder = createRecordBuilder({ profile, resources, decisions })
  /** The zines of the rows so far, by the number of the row: those of duplicates are the ones that are there. */
  const zineOfRow = new Map<number, string>()

  return (source) => {
    const { number } = source
    const mapped = mapRow(source, profile, resources)
    const records = builder.toRecords(mapped)
    const refused = problemsOf(source, records)
    const found = records.zine ? findDuplicates(number, records.zine, records.holdings) : []
    const decision = decisionFor(number, found)
    const zine = decision === 'holding' ? existingZine(found) : records.zine?.id
    if (zine !== undefined) zineOfRow.set(number, zine)
    const write =
      refused || decision === 'skip'
        ? undefined
        : {
            number,
            records: toImportedRecords(records, decision === 'holding' ? zine : undefined),
          }
    return {
      source,
      write,
      refused,
      duplicates: found,
      duplicateDecision: decision,
      issues: records.issues,
      newTerms: write ? records.newTerms : [],
    }
  }

  /** The row's own zine is updated, whatever others of the catalogue are like it. */
  function findDuplicates(
    row: number,
    { id, body }: BuiltRecord,
    holdings: readonly BuiltRecord[],
  ): readonly Duplicate[] {
    const found = duplicates.add({
      row,
      id,
      title: textOf(body, 'title'),
      issue: textOf(body, 'issue_designation'),
      dates: textsOf(body, 'date'),
      identifiers: textsOf(body, 'identifier'),
      barcodes: holdings.flatMap((holding) => textsOf(holding.body, 'barcode')),
    })
    return catalogued.has(id) ? found.filter((one) => !('zine' in one)) : found
  }

  function decisionFor(row: number, [first]: readonly Duplicate[]): DuplicateDecision | undefined {
    const { catalogue, source, rows } = profile.duplicates
    return first && (rows[String(row)] ?? ('zine' in first ? catalogue : source))
  }

  /** The zine of the catalogue, or that of the earlier row. */
  function existingZine([first]: readonly Duplicate[]): string | undefined {
    if (!first) return undefined
    return 'zine' in first ? first.zine : zineOfRow.get(first.row)
  }
}

/** Why nothing can be made of a row, as sentences; undefined if something can. */
function problemsOf(source: SourceRow, { zine, holdings, issues }: RowRecords) {
  const missing = issues.filter(({ kind }) => kind === 'missing').map(formatIssue)
  if (source.problem !== undefined) return [source.problem, ...missing]
  if (missing.length > 0) return missing
  return zine || holdings.length > 0 ? undefined : ['The row has no zine and no holding.']
}

export const formatIssue = ({ field, value, message }: MappingIssue): string =>
  value === '' ? `${field}: ${message}` : `${field}: ${message} (${value})`

/** @param existing the zine that the holdings are of, in place of the row's own */
function toImportedRecords(
  { agents, zine, holdings }: RowRecords,
  existing: string | undefined,
): readonly RowRecord[] {
  const holdingRecords = holdings.map(({ id, body }): RowRecord => {
    const ofExisting = existing === undefined ? body : new Map([...body, ['zine_id', existing]])
    return { reference: { target: 'holdings', id }, body: ofExisting, ifExists: 'change' }
  })
  if (existing !== undefined) return holdingRecords
  return [
    ...agents.map(({ id, body }): RowRecord => ({
      reference: { target: 'agents', id },
      body,
      ifExists: 'keep',
    })),
    ...(zine
      ? [
          {
            reference: { target: 'zines', id: zine.id },
            body: zine.body,
            ifExists: 'change',
          } as const,
        ]
      : []),
    ...holdingRecords,
  ]
}

const textOf = (body: ReadonlyMap<string, unknown>, name: string): string =>
  textsOf(body, name)[0] ?? ''

function textsOf(body: ReadonlyMap<string, unknown>, name: string): readonly string[] {
  const value = body.get(name)
  if (Array.isArray(value)) return value.map(String)
  return typeof value === 'string' ? [value] : []
}
