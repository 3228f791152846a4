// What a person sees of a source before anything is mapped: how many rows, what is suspicious, and
// a few rows before and after their texts are repaired.

import { createYielder } from '../scheduling.js'
import { readOriginalRows } from './read-rows.js'
import { repairRow } from './tables/repair-rows.js'
import type { SourceField, SourceOptions, SourceRow } from './source.js'

export type SourceReport = {
  readonly rows: number
  /** Rows that cannot be used. */
  readonly brokenRows: number
  /** Rows and texts that are repaired, or would be, and have no damage left. */
  readonly repaired: SuspicionCount
  /** Rows and texts with characters that are lost, though others of them may be repaired. */
  readonly damaged: SuspicionCount
  /** Rows with fewer cells than the table has columns. */
  readonly shortRows: number
  readonly deletedRows: number
  /** At most ten: those with something suspicious first. */
  readonly samples: readonly RowSample[]
  /** At most twenty, by their numbers. */
  readonly broken: readonly SourceRow[]
}

type SuspicionCount = { readonly rows: number; readonly texts: number }

export type RowSample = {
  readonly number: number
  readonly fields: readonly FieldSample[]
  readonly remarks: SourceRow['remarks']
  readonly problem?: string | undefined
}

export type FieldSample = {
  readonly name: string
  /** As it is in the file, in the encoding that was recognized. */
  readonly before: string
  /** As it is when it is repaired. */
  readonly after: string
}

const maxSamples = 10
const maxBroken = 20
/** Of the samples, so that others are seen too. */
const maxOfOneKind = 4

/**
 * Reads the whole source.
 * @param options those of recognizeSource; samples and counts are the same whether they ask for
 * repair or not
 * @throws InvalidError
 */
export async function describeSource(path: string, options: SourceOptions): Promise<SourceReport> {
  const counts = { rows: 0, brokenRows: 0, shortRows: 0, deletedRows: 0 }
  const repaired = { rows: 0, texts: 0 }
  const damaged = { rows: 0, texts: 0 }
  const plain: RowPair[] = []
  const suspicious = new Map<string, RowPair[]>()
  const broken: SourceRow[] = []
  const maybeYield = createYielder()
  for await (const original of readOriginalRows(path, options)) {
    await maybeYield()
    const row = repairRow(original)
    const countOf = (kind: string): number =>
      row.remarks.filter((remark) => remark.kind === kind).length
    counts.rows += 1
    addTo(damaged, countOf('damaged'))
    if (countOf('damaged') === 0) addTo(repaired, countOf('repaired'))
    if (countOf('cells') > 0) counts.shortRows += 1
    if (countOf('deleted') > 0) counts.deletedRows += 1
    if (row.problem !== undefined && countOf('deleted') === 0) {
      counts.brokenRows += 1
      if (broken.length < maxBroken) broken.push(row)
    }
    const kind = suspicionOf(row)
    const list = kind === undefined ? plain : (suspicious.get(kind) ?? [])
    if (kind !== undefined) suspicious.set(kind, list)
    if (list.length < maxSamples) list.push({ original, row })
  }
  return { ...counts, repaired, damaged, broken, samples: chooseSamples(suspicious, plain) }
}

/** A row before and after its texts are repaired. */
type RowPair = { readonly original: SourceRow; readonly row: SourceRow }

function addTo(count: { rows: number; texts: number }, texts: number): void {
  count.texts += texts
  if (texts > 0) count.rows += 1
}

/** What is worst about a row. */
const suspicionOf = ({ problem, remarks }: SourceRow): string | undefined =>
  problem === undefined
    ? ['damaged', 'repaired', 'cells', 'hidden', 'deleted'].find((kind) =>
        remarks.some((remark) => remark.kind === kind),
      )
    : 'problem'

function chooseSamples(
  suspicious: ReadonlyMap<string, readonly RowPair[]>,
  plain: readonly RowPair[],
): readonly RowSample[] {
  const first = [...suspicious.values()].flatMap((rows) => rows.slice(0, maxOfOneKind))
  const others = [...suspicious.values()].flatMap((rows) => rows.slice(maxOfOneKind))
  return [...first, ...plain, ...others]
    .slice(0, maxSamples)
    .sort((a, b) => a.row.number - b.row.number)
    .map(({ original, row }) => ({
      number: row.number,
      fields: row.fields.map((field, index) => ({
        name: field.name,
        // A repair changes texts only.
        before: formatField(original.fields[index] ?? field),
        after: formatField(field),
      })),
      remarks: row.remarks,
      problem: row.problem,
    }))
}

const formatField = ({ parts }: SourceField): string =>
  parts.map(({ code, text }) => (code === '' ? text : `$${code} ${text}`)).join(' ')
