// Reads the numbers of issues from the designations that cataloguers write, sorts issues as people
// count them, and tells which numbers of a series are missing.

/** Numbers of issues from one to another, in one volume or without a volume. */
export type IssueRange = {
  readonly volume: number | undefined
  readonly from: number
  readonly to: number
}

/** The numbers that a designation says; one that says none, such as `Spring`, is unnumbered. */
export type IssueNumbers = {
  readonly volume: number | undefined
  readonly ranges: readonly Pick<IssueRange, 'from' | 'to'>[]
}

// prettier-ignore
const volumePattern = /\b(?:volumes?|vols?|v|jahrgang|jg|band|bd)\b\.? ?(\d{1,6})/iu
// prettier-ignore
const numbersPattern = /(?<![\p{L}\p{N}])(?:nos?|numbers?|nrs?|num|núm|n°|nº|issues?|heft|ausgabe|#)(?!\p{L})[.:]? ?(\d{1,6}(?:\.\d{1,6})?(?: ?(?:[-–—/,&]|and|und|y|et) ?\d{1,6}(?:\.\d{1,6})?)*)/iu
// prettier-ignore
const bareNumbers = /^[[(]?第?(\d{1,6}(?:\.\d{1,6})?(?: ?(?:[-–—/,&]|and) ?\d{1,6}(?:\.\d{1,6})?)*)号?\??[\])]?$/iu

/** What `no. 4-Feb` is: 4 to 2, made a date by a spreadsheet. It says no number that is sure. */
const spoiled = /\d-(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\b/i

export function readIssueNumbers(designation: string): IssueNumbers {
  // Thousands, as in `no. 12,751`.
  const text = designation
    .normalize('NFC')
    .trim()
    .replace(/(\d),(\d{3})\b/g, '$1$2')
  if (spoiled.test(text)) return { volume: undefined, ranges: [] }
  const volume = volumePattern.exec(text)?.[1]
  const numbers = numbersPattern.exec(text)?.[1] ?? bareNumbers.exec(text)?.[1]
  return {
    volume: volume === undefined ? undefined : Number(volume),
    ranges: numbers === undefined ? [] : readRanges(numbers),
  }
}

/** `1, 2`, `1 & 2` and `43-45`; a range is upwards, so `156-1` is part 1 of 156. */
function readRanges(text: string): IssueNumbers['ranges'] {
  return text.split(/ ?(?:[/,&]|and|und|y|et) ?/i).flatMap((part) => {
    const [from = NaN, to = from] = part.split(/ ?[-–—] ?/).map(Number)
    if (Number.isNaN(from)) return []
    return [{ from, to: to > from ? to : from }]
  })
}

/** What issues are sorted by. */
export type SortedIssue = {
  readonly designation: string
  /** The first year of its dates, or undefined. */
  readonly year: number | undefined
}

/**
 * Compares two issues of a series: by volume and number, then those without a number by year and
 * designation.
 */
export function compareIssues(first: SortedIssue, second: SortedIssue): number {
  const [a, b] = [sortKeys(first), sortKeys(second)]
  for (const [index, key] of a.entries()) {
    const difference = key - (b[index] ?? 0)
    if (difference !== 0 && !Number.isNaN(difference)) return difference
  }
  return collator.compare(first.designation, second.designation)
}

const collator = new Intl.Collator('en', { numeric: true })

function sortKeys({ designation, year }: SortedIssue): readonly number[] {
  const { volume, ranges } = readIssueNumbers(designation)
  const [first] = ranges
  const isNumbered = first !== undefined || volume !== undefined
  return [
    isNumbered ? 0 : 1,
    volume ?? 0,
    first?.from ?? 0,
    first?.to ?? 0,
    isNumbered ? 0 : (year ?? 10_000),
  ]
}

/** Larger numbers are years, or jokes. */
const maxNumber = 1500

/**
 * The numbers below the highest that no designation says, in each volume; across volumes where each
 * goes on with the numbers of the one before.
 */
export function missingIssues(designations: readonly string[]): readonly IssueRange[] {
  const byVolume = new Map<number | undefined, Pick<IssueRange, 'from' | 'to'>[]>()
  for (const { volume, ranges } of designations.map(readIssueNumbers)) {
    const known = byVolume.get(volume) ?? []
    known.push(...ranges.filter(({ to }) => to <= maxNumber))
    byVolume.set(volume, known)
  }
  const volumes = [...byVolume].sort(([a = -1], [b = -1]) => a - b)
  if (goesOn(volumes))
    return gapsIn(volumes.flatMap(([, ranges]) => ranges)).map((gap) => ({
      ...gap,
      volume: undefined,
    }))
  return volumes.flatMap(([volume, ranges]) => gapsIn(ranges).map((gap) => ({ ...gap, volume })))
}

type Volume = readonly [
  volume: number | undefined,
  ranges: readonly Pick<IssueRange, 'from' | 'to'>[],
]

/** Whether there are several volumes, each of which begins above the numbers of the one before. */
function goesOn(volumes: readonly Volume[]): boolean {
  if (volumes.length < 2 || volumes.some(([volume]) => volume === undefined)) return false
  let last = 0
  for (const [index, [, ranges]] of volumes.entries()) {
    if (ranges.length === 0) return false
    const first = Math.min(...ranges.map(({ from }) => from))
    if (index > 0 && (first <= last || first <= 1)) return false
    last = Math.max(...ranges.map(({ to }) => to))
  }
  return true
}

function gapsIn(ranges: readonly Pick<IssueRange, 'from' | 'to'>[]) {
  const sorted = [...ranges].sort((a, b) => a.from - b.from)
  const gaps: { readonly from: number; readonly to: number }[] = []
  let next = 1
  for (const { from, to } of sorted) {
    // Halves, such as 4.5, neither fill a gap nor make one.
    const [first, last] = [Math.ceil(from), Math.floor(to)]
    if (first > last) continue
    if (first > next) gaps.push({ from: next, to: first - 1 })
    next = Math.max(next, last + 1)
  }
  return gaps
}
