// What an import would do: counts, samples, duplicates, and every row that would be refused, found
// out by planning all rows against the catalogue. It is kept in a file beside the source.

import { createHash } from 'node:crypto'

import { NotFoundError } from '../../errors.js'
import type {
  ChangedField,
  ImportRow,
  RowChange,
  RowResult,
} from '../../catalogue/writes/import-writes.js'
import { ValidationError } from '../../model/record/input.js'
import { recordKey } from '../../catalogue/records/record-cache.js'
import type { ImportCounts, ImportPreview } from './import-state.js'
import type { Duplicate } from './matching/duplicates.js'
import type { DuplicateDecision } from './profile.js'
import { type PlanRow, type PlannedRow, formatIssue } from './planner.js'
import type { SourceRow } from '../../lib/sources/source.js'

/** A row of a preview. Rows that are simply written are in it only as samples. */
export type PreviewedRow = {
  readonly number: number
  readonly outcome: 'written' | 'skipped' | 'refused'
  /** The row as the source has it. */
  readonly fields: readonly (readonly [name: string, text: string])[]
  /** Why it is refused. */
  readonly reasons: readonly string[]
  /** What is left out of it, or is not as in the source. */
  readonly notes: readonly string[]
  readonly duplicates: readonly Duplicate[]
  readonly duplicateDecision?: DuplicateDecision | undefined
  /** The fields of records that are there and get another value. */
  readonly changes: readonly PreviewedChange[]
  /** The records as they would be sent; of samples only. */
  readonly records?: readonly PreviewedRecord[] | undefined
}

export type PreviewedChange = ChangedField & { readonly kind: string; readonly id: string }

export type PreviewedRecord = {
  readonly kind: string
  readonly id: string
  readonly change: RowChange['change']
  readonly body: Readonly<Record<string, unknown>>
}

/** How many rows are planned, or written in one commit. */
const rowsPerPart = 100

const maxSamples = 20

type PreviewDependencies = {
  readonly rows: AsyncIterable<SourceRow>
  readonly plan: PlanRow
  readonly planRows: (rows: readonly ImportRow[]) => Promise<readonly RowResult[]>
  /** Called with the number of rows that are done. */
  readonly onProgress: (done: number) => void
  /** Called for each row that is listed in the preview. */
  readonly onRow: (row: PreviewedRow) => void
}

export type PreviewTotals = Pick<ImportPreview, 'hash' | 'counts' | 'rows'>

/** Plans all rows and tells what they would do. Writes nothing to the catalogue. */
export async function previewRows({
  rows,
  plan,
  planRows,
  onProgress,
  onRow,
}: PreviewDependencies): Promise<PreviewTotals> {
  const hash = createHash('sha256')
  const totals = { written: 0, skipped: 0, refused: 0 }
  const counter = createRecordCounter()
  let samples = 0
  let done = 0
  for await (const part of inParts(rows, plan)) {
    const results = new Map(
      (await planRows(part.flatMap(({ write }) => write ?? []))).map((result) => [
        result.number,
        result,
      ]),
    )
    for (const planned of part) {
      const result = results.get(planned.source.number)
      const outcome = outcomeOf(planned, result)
      totals[outcome] += 1
      const changes = result && !result.error ? result.changes : []
      for (const change of changes) counter.add(change)
      for (const { reference, change, fields } of changes)
        hash.update(`${recordKey(reference)} ${change} ${JSON.stringify(fields)}\n`)
      const isSample = outcome === 'written' && samples < maxSamples
      if (isSample) samples += 1
      hash.update(`${planned.source.number} ${outcome}\n`)
      if (
        isSample ||
        outcome !== 'written' ||
        planned.duplicates.length > 0 ||
        planned.issues.length > 0 ||
        changes.some(({ change }) => change === 'updated')
      )
        onRow(toPreviewedRow(planned, result, { outcome, isSample }))
    }
    onProgress((done += part.length))
  }
  return { hash: hash.digest('hex').slice(0, 16), counts: counter.counts(), rows: totals }
}

/** Rows with what they would make, so many at once. */
export async function* inParts(
  rows: AsyncIterable<SourceRow>,
  plan: PlanRow,
): AsyncGenerator<readonly PlannedRow[]> {
  let part: PlannedRow[] = []
  for await (const row of rows) {
    part.push(plan(row))
    if (part.length < rowsPerPart) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}

export function outcomeOf(
  { write, refused }: PlannedRow,
  result: RowResult | undefined,
): PreviewedRow['outcome'] {
  if (refused || result?.error) return 'refused'
  return write ? 'written' : 'skipped'
}

/** Counts the records that rows are about: each once, by the first thing that is done to it. */
export function createRecordCounter() {
  const known = new Map<string, RowChange['change']>()
  const sums = new Map<string, Map<string, number>>()

  function count(kind: string, change: string, by: number): void {
    const sum = sums.get(kind) ?? new Map<string, number>()
    sums.set(kind, sum.set(change, (sum.get(change) ?? 0) + by))
  }

  return {
    add({ reference, change }: RowChange): void {
      const key = recordKey(reference)
      const before = known.get(key)
      if (before !== undefined && (before !== 'unchanged' || change === 'unchanged')) return
      known.set(key, change)
      if (before !== undefined) count(reference.target, before, -1)
      count(reference.target, change, 1)
    },
    counts: (): ImportCounts =>
      Object.fromEntries(
        [...sums].map(([kind, sum]) => [
          kind,
          Object.fromEntries([...sum].filter(([, number]) => number > 0)),
        ]),
      ),
  }
}

type Outcome = { readonly outcome: PreviewedRow['outcome']; readonly isSample: boolean }

function toPreviewedRow(
  planned: PlannedRow,
  result: RowResult | undefined,
  { outcome, isSample }: Outcome,
): PreviewedRow {
  const { source, duplicates, duplicateDecision } = planned
  return {
    number: source.number,
    outcome,
    fields: fieldsOf(source),
    reasons: reasonsOf(planned, result),
    notes: notesOf(planned),
    duplicates,
    duplicateDecision,
    changes: changesOf(result),
    records: isSample ? recordsOf(planned, result) : undefined,
  }
}

/** Why a row is left out, and what of it is, as sentences. */
export const notesOf = ({ skipped, issues }: PlannedRow): readonly string[] => [
  ...(skipped === undefined ? [] : [skipped]),
  ...issues.map(formatIssue),
]

/** Why a row is refused, as sentences. */
export function reasonsOf({ refused = [] }: PlannedRow, result: RowResult | undefined): string[] {
  return [...refused, ...(result?.error ? messagesOf(result) : [])]
}

const changesOf = (result: RowResult | undefined): readonly PreviewedChange[] =>
  result && !result.error
    ? result.changes.flatMap(({ reference: { target: kind, id }, fields = [] }) =>
        fields.map((field) => ({ kind, id, ...field })),
      )
    : []

function messagesOf({ reference, error }: Extract<RowResult, { error: Error }>): string[] {
  if (error instanceof NotFoundError)
    return [
      `${reference.target}: There is no ${reference.id}, and the row has not all that a new one needs.`,
    ]
  if (!(error instanceof ValidationError)) return [`${reference.target}: You may not write these.`]
  return [...error.fieldErrors].map(
    ([field, messages]) => `${reference.target}.${field}: ${messages.join(' ')}`,
  )
}

function recordsOf({ write }: PlannedRow, result: RowResult | undefined): PreviewedRecord[] {
  const changes = result && !result.error ? result.changes : []
  return (write?.records ?? []).map(({ reference: { target, id }, body, changes: values }) => ({
    kind: target,
    id,
    change:
      changes.find(({ reference }) => reference.target === target && reference.id === id)?.change ??
      'unchanged',
    body: Object.fromEntries(body ?? values ?? []),
  }))
}

/** The row as pairs of field and text; subfields follow their codes. */
export const fieldsOf = ({ fields }: SourceRow): PreviewedRow['fields'] =>
  fields.map(({ name, indicators, parts }) => [
    indicators === undefined ? name : `${name} ${indicators.replaceAll(' ', '#')}`,
    parts.map(({ code, text }) => (code === '' ? text : `$${code} ${text}`)).join(' '),
  ])
