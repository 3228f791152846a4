// Finds rows of a source whose zine an earlier row, or the catalogue, has already
// (docs/explanation/import.md, "Names, terms and duplicates").

import { comparableTitle } from '../../../model/record/title.js'
import { createYielder } from '../../../lib/scheduling.js'
import { addTo } from '../../../lib/names/spelling.js'

/** What zines are compared by. */
type ComparedZine = {
  readonly title: string
  /** The designation of the issue; empty for none. */
  readonly issue: string
  /** As the catalogue writes dates; a date that is not known, such as `?`, is left out. */
  readonly dates: readonly string[]
  /** ISBN, ISSN and others, as they are written. */
  readonly identifiers: readonly string[]
  /** Those of its holdings. */
  readonly barcodes: readonly string[]
}

/** A zine of the catalogue. One zine may be several of these, such as one for each barcode. */
export type CataloguedZine = Partial<ComparedZine> & { readonly id: string }

export type ComparedRow = ComparedZine & {
  /** The number of the row. */
  readonly row: number
  /**
   * The identifier that its zine will have. The zine of this identifier is updated, and no
   * duplicate.
   */
  readonly id?: string
}

/**
 * Why two are taken for one:
 * - `barcode`: a holding has the same barcode
 * - `identifier`: the same ISBN or another identifier, or the same ISSN and the same issue
 * - `title`: the same title but for case, issue and date
 * - `similar-title`: the same title but for punctuation and accents, issue and date
 * - `number`: the row has the number of its zine in the source, or names it, but another title and another maker
 */
export type DuplicateReason = 'barcode' | 'identifier' | 'title' | 'similar-title' | 'number'

/** What a row is a duplicate of: a zine of the catalogue, or an earlier row. */
export type Duplicate = { readonly reason: DuplicateReason } & (
  { readonly zine: string } | { readonly row: number }
)

/** Rows that are taken for one zine. */
type DuplicateRows = {
  readonly rows: readonly number[]
  /** The strongest of the reasons that join them. */
  readonly reason: DuplicateReason
}

export type DuplicateFinder = {
  /** What a row is a duplicate of, the strongest reason first. Later rows are compared with it. */
  add(row: ComparedRow): readonly Duplicate[]
  /** The rows so far that are taken for one, in their order. */
  groups(): readonly DuplicateRows[]
}

const reasons: readonly DuplicateReason[] = ['barcode', 'identifier', 'title', 'similar-title']

const strength = (reason: DuplicateReason): number => reasons.indexOf(reason)

type Key = { readonly reason: DuplicateReason; readonly text: string }

export async function createDuplicateFinder(
  catalogue: Iterable<CataloguedZine> | AsyncIterable<CataloguedZine>,
): Promise<DuplicateFinder> {
  const zinesByKey = new Map<string, string[]>()
  const firstRowByKey = new Map<string, number>()
  const groups = createRowGroups()
  const maybeYield = createYielder()
  for await (const zine of catalogue) {
    for (const { text } of keysOf({ ...emptyZine, ...zine })) addOnce(zinesByKey, text, zine.id)
    await maybeYield()
  }

  return {
    add(row) {
      const duplicates = new Map<string, Duplicate>()
      for (const { reason, text } of keysOf(row)) {
        for (const zine of zinesByKey.get(text) ?? [])
          if (zine !== row.id && !duplicates.has(`zine ${zine}`))
            duplicates.set(`zine ${zine}`, { reason, zine })
        const earlier = firstRowByKey.get(text)
        if (earlier === undefined) firstRowByKey.set(text, row.row)
        else if (earlier !== row.row) {
          groups.join(earlier, row.row, reason)
          if (!duplicates.has(`row ${earlier}`))
            duplicates.set(`row ${earlier}`, { reason, row: earlier })
        }
      }
      return [...duplicates.values()].sort((a, b) => strength(a.reason) - strength(b.reason))
    },
    groups: () => groups.all(),
  }
}

const emptyZine: ComparedZine = { title: '', issue: '', dates: [], identifiers: [], barcodes: [] }

function addOnce(lists: Map<string, string[]>, key: string, value: string): void {
  if (!lists.get(key)?.includes(value)) addTo(lists, key, value)
}

/** The keys of a zine, the strongest first. */
function keysOf(zine: ComparedZine): readonly Key[] {
  const { identifiers, barcodes, dates } = zine
  const [title, issue] = [plain(zine.title), comparableIssue(zine.issue)]
  const known = dates.map(plain).filter((date) => date !== '')
  const similar = comparableTitle(title)
  return [
    ...barcodes
      .map(plain)
      .filter(Boolean)
      .map((barcode): Key => ({ reason: 'barcode', text: `barcode ${barcode}` })),
    ...identifiers.flatMap((identifier): Key[] => {
      const text = identifierKey(identifier, issue)
      return text === undefined ? [] : [{ reason: 'identifier', text }]
    }),
    ...(known.length > 0 ? known : ['']).flatMap((date): Key[] =>
      title === ''
        ? []
        : [
            { reason: 'title', text: `title ${title}\n${issue}\n${date}` },
            ...(similar === ''
              ? []
              : [
                  {
                    reason: 'similar-title' as const,
                    text: `similar ${`${similar} ${issue}`.trim()}\n${date}`,
                  },
                ]),
          ],
    ),
  ]
}

const plain = (text: string): string =>
  text.normalize('NFC').replace(/\s+/gu, ' ').trim().toLowerCase()

/** `#3`, `no. 3` and `Issue 3` are one. */
const comparableIssue = (issue: string): string =>
  comparableTitle(issue).replace(/^(?:no|nr|num|number|issue|numero) (?=\S)/, '')

/**
 * What an identifier is compared by. An ISBN of 10 digits is that of 13 digits. All issues of a
 * serial have one ISSN, so that an ISSN counts together with the issue, and not without one.
 */
function identifierKey(identifier: string, issue: string): string | undefined {
  const isbn = isbn13Of(identifier)
  if (isbn) return `isbn ${isbn}`
  const issn = issnOf(identifier)
  if (issn) return issue === '' ? undefined : `issn ${issn} ${issue}`
  const text = plain(identifier).replace(/^\[(.*)\]$/, '$1')
  return text === '' ? undefined : `identifier ${text}`
}

/** The 13 digits of an ISBN, also of one with 10; undefined for what is none. */
export function isbn13Of(text: string): string | undefined {
  const digits = digitsOf(text, /^(?:urn:)?isbn(?:-?1[03])?\s*:?\s*/i)
  if (/^97[89]\d{10}$/.test(digits)) return hasEanCheckDigit(digits) ? digits : undefined
  if (!/^\d{9}[\dX]$/.test(digits) || sumOf(digits, (index) => 10 - index) % 11 !== 0)
    return undefined
  const twelve = `978${digits.slice(0, 9)}`
  return `${twelve}${eanCheckDigit(twelve)}`
}

/**
 * The 8 characters of an ISSN, also of one in a bar code of 13 digits; undefined for what is none.
 */
export function issnOf(text: string): string | undefined {
  const digits = digitsOf(text, /^(?:urn:)?e?issn(?:-l)?\s*:?\s*/i)
  const seven = /^977\d{10}$/.test(digits) && hasEanCheckDigit(digits) ? digits.slice(3, 10) : ''
  if (seven) {
    const check = (11 - (sumOf(seven, (index) => 8 - index) % 11)) % 11
    return `${seven}${check === 10 ? 'X' : check}`
  }
  const isWritten = /issn/i.test(text) || /\d{4}-\d{3}[\dxX]/.test(text)
  const isValid = /^\d{7}[\dX]$/.test(digits) && sumOf(digits, (index) => 8 - index) % 11 === 0
  return isWritten && isValid ? digits : undefined
}

/** The digits of a number without its name, hyphens, and what stands behind it in parentheses. */
const digitsOf = (text: string, name: RegExp): string =>
  text
    .slice(0, 200)
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(name, '')
    .replace(/\s*[(:].*$/, '')
    .replace(/[\s\u00ad\u2010-\u2015-]/g, '')
    .toUpperCase()

const sumOf = (digits: string, weight: (index: number) => number): number =>
  Array.from(digits).reduce(
    (sum, digit, index) => sum + (digit === 'X' ? 10 : Number(digit)) * weight(index),
    0,
  )

const eanCheckDigit = (twelve: string): number =>
  (10 - (sumOf(twelve, (index) => (index % 2 === 0 ? 1 : 3)) % 10)) % 10

const hasEanCheckDigit = (digits: string): boolean =>
  eanCheckDigit(digits.slice(0, 12)) === Number(digits[12])

/** Joins rows that are one, each with all others of its group. */
function createRowGroups() {
  const groupOf = new Map<number, { rows: number[]; reason: DuplicateReason }>()
  return {
    join(first: number, second: number, reason: DuplicateReason): void {
      const group = groupOf.get(first) ?? { rows: [first], reason }
      const further = groupOf.get(second) ?? { rows: [second], reason }
      const strongest = [group.reason, further.reason, reason].sort(
        (first, second) => strength(first) - strength(second),
      )[0]
      group.reason = strongest ?? reason
      groupOf.set(first, group)
      if (group === further) return
      // The smaller group joins the larger, so that no row is moved often.
      const [into, from] =
        group.rows.length >= further.rows.length ? [group, further] : [further, group]
      into.reason = group.reason
      for (const row of from.rows) {
        into.rows.push(row)
        groupOf.set(row, into)
      }
      for (const row of [first, second]) groupOf.set(row, into)
    },
    all: (): DuplicateRows[] =>
      [...new Set(groupOf.values())]
        .map(({ rows, reason }) => ({ rows: [...rows].sort((a, b) => a - b), reason }))
        .sort((a, b) => (a.rows[0] ?? 0) - (b.rows[0] ?? 0)),
  }
}
