// Reads BibTeX and BibLaTeX, as text without commands of TeX. The source fields are called by the
// fields of an entry. It runs in a thread (document-worker.ts).

import { type Entry, parse } from '@retorquere/bibtex-parser'

import { joinDate, noteField, withSeasonName, withoutRepeatedYear } from './reference-fields.js'
import { type SourceField, type SourceRemark, type SourceRow, textField } from './source.js'

/** Entries as they stand in the file; one that cannot be read has a problem. */
export function readBibtex(text: string): readonly SourceRow[] {
  const library = parse(text, {
    sentenceCase: false,
    caseProtection: false,
    // A command that nothing is known of leaves what stands in its braces.
    unsupported: 'ignore',
    applyCrossRef: false,
    fieldMode: {
      // A tilde is a space in TeX, and says `circa` in a date.
      date: 'verbatim',
      // Our own exports write several places as BibLaTeX does.
      ...(text.includes('/id/zines/') ? { address: 'literallist' } : {}),
    },
  })
  const rows = library.entries
    .filter(({ fields }) => Object.keys(fields).length > 0)
    .map((entry) => toRow(entry))
  const broken = library.errors.map(({ error, input }) => ({
    fields: [textField('entry', (input ?? '').trim().slice(0, maxShown))],
    remarks: [],
    problem: `The entry cannot be read: ${error}`,
  }))
  return [...rows, ...broken].map((row, index) => ({ number: index + 1, ...row }))
}

/** Characters of an entry that cannot be read. */
const maxShown = 1000

type Row = Omit<SourceRow, 'number'>

function toRow({ type, key, fields }: Entry): Row {
  const remarks: SourceRemark[] = []
  const read = Object.entries(fields).flatMap(([name, value]) => toFields(name, value, remarks))
  return {
    fields: [
      textField('entry type', type),
      textField('key', key),
      ...withoutRepeatedYear([...read, ...dateOf(fields)], ['date']),
    ].filter(({ parts }) => parts[0]?.text !== ''),
    remarks,
  }
}

type Creator = NonNullable<Entry['fields']['author']>[number]

/** Put together by `dateOf`. */
const datePartNames = ['year', 'month', 'day', 'date']

function toFields(
  name: string,
  value: string | readonly string[] | readonly Creator[] | undefined,
  remarks: SourceRemark[],
): readonly SourceField[] {
  if (value === undefined || datePartNames.includes(name)) return []
  if (typeof value === 'string') {
    const text = plainText(value)
    if (name === 'note') return noteFields(name, text)
    // Our own exports write the lines of a table of contents with ` -- ` between them, a dash of
    // TeX.
    return [textField(name, name === 'annote' ? text.replaceAll(' – ', ' -- ') : text)]
  }
  return value.flatMap((entry) =>
    typeof entry === 'string'
      ? [textField(name, plainText(entry))]
      : nameField(name, entry, remarks),
  )
}

/** The parser writes emphasis as elements of HTML, and accents as characters of their own. */
const plainText = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/<\/?(?:i|b|em|strong|sub|sup|sc|pre|span)(?: [^<>]*)?>/g, '')
    .trim()

function nameField(
  name: string,
  { name: whole = '', lastName = '', firstName = '', prefix = '', suffix = '' }: Creator,
  remarks: SourceRemark[],
): readonly SourceField[] {
  if (whole !== '') return [{ ...textField(name, plainText(whole)), agentKind: 'Collective' }]
  if (lastName === 'others' && firstName === '') {
    remarks.push({ kind: 'damaged', field: name, message: 'The entry leaves further names out.' })
    return []
  }
  const parts = [[prefix, lastName].filter(Boolean).join(' '), firstName, suffix]
  const field = textField(name, plainText(parts.filter(Boolean).join(', ')))
  return [firstName === '' ? field : { ...field, agentKind: 'Person' }]
}

/** Our own exports write several notes as sentences of one. */
function noteFields(name: string, text: string): readonly SourceField[] {
  const parts = text.split(/(?:^|(?<=\.)\s)(?=(?:Issue|Date): )/)
  return parts.flatMap((part) => {
    const [, note = part, rest = ''] = /^((?:Issue|Date): .+?)\. (?=\p{Lu})(.*)$/su.exec(part) ?? []
    return [note, rest].filter(Boolean).map((each) => noteField(name, each.trim()))
  })
}

/**
 * The date of BibLaTeX, or the year of BibTeX with its month. A year in words says more than the
 * date.
 */
function dateOf({ date = '', year = '', month = '', day = '' }: Entry['fields']): SourceField[] {
  const written = plainText(year)
  const encoded = /\D/.test(written) ? '' : withSeasonName(plainText(date))
  const text = encoded || dateText(written, plainText(month), plainText(day))
  return text === '' ? [] : [textField('date', text)]
}

function dateText(year: string, month: string, day: string): string {
  if (month === '') return year
  if (/^\d{4}$/.test(year) && /^\d{1,2}$/.test(month)) return joinDate(year, month, day)
  return `${month} ${year}`.trim()
}
