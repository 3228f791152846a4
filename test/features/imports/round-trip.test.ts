// What the service writes comes back by an import: the zines of the sample in each format.
// docs/reference/import-sources.md, "What comes back", has the same table.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'

import { expect } from 'chai'

import { type DescriptionVocabulary, serializeList } from '../../../src/formats/serializer.js'
import { mapRow } from '../../../src/features/imports/mapping/map-row.js'
import type { MappedRow, MappedTerm } from '../../../src/features/imports/mapping/mapped-row.js'
import { readDate } from '../../../src/features/imports/mapping/read-date.js'
import { proposeProfile } from '../../../src/features/imports/mapping/propose-profile.js'
import { createTermMatcher, termListOf } from '../../../src/model/term-lists.js'
import { fold } from '../../../src/lib/names/folding.js'
import { parseIssuedDate } from '../../../src/model/dates.js'
import type { RecordLookup, ResolvedRecord } from '../../../src/model/record/views.js'
import type { Field } from '../../../src/model/resources.js'
import { readSample, resolveAll, resources, serializerFor } from '../../formats/fixtures.js'
import { recognize, rowsOf, writeSource } from '../../lib/sources/files.js'

type WrittenAs = readonly [title: string, format: string, vocabulary?: DescriptionVocabulary]

/** The names of the formats in the table of docs/reference/import-sources.md. */
const formats: readonly WrittenAs[] = [
  ['CSV, XLSX', 'csv'],
  ['CSV, XLSX', 'xlsx'],
  ['JSON Lines, JSON-LD', 'jsonld'],
  ['JSON of a list', 'json'],
  ['Turtle, N-Triples', 'turtle'],
  ['Turtle, N-Triples', 'ntriples'],
  ['BIBFRAME', 'turtle', 'bibframe'],
  ['BIBFRAME', 'jsonld', 'bibframe'],
  ['schema.org', 'turtle', 'schema'],
  ['schema.org', 'jsonld', 'schema'],
  ['MARCXML, ISO 2709', 'marcxml'],
  ['MARCXML, ISO 2709', 'marc'],
  ['MODS', 'mods'],
  ['BibTeX', 'bibtex'],
  ['RIS', 'ris'],
  ['CSL-JSON', 'csljson'],
  ['Dublin Core', 'dc'],
]

// What only staff sees is in no file for everybody.
const fields = resources.zines.inputFields.filter(
  (field) => field !== resources.zines.id && field.private !== 'always',
)

const matchers = new Map(
  fields.flatMap(({ vocabulary }) =>
    vocabulary ? [[vocabulary.name, createTermMatcher(termListOf(vocabulary))] as const] : [],
  ),
)

/** Zines with the rows that an import makes of them in a format. */
async function importedRows(
  zines: readonly ResolvedRecord[],
  [, format, vocabulary]: WrittenAs,
): Promise<readonly (readonly [ResolvedRecord, MappedRow])[]> {
  const plain = serializerFor('zines', format)
  const serializer = vocabulary === undefined ? plain : plain.withVocabulary?.(vocabulary)
  if (!serializer) throw new Error(`${format} has no ${vocabulary}`)
  const text = serializeList(serializer, zines, { count: zines.length, links: undefined })
  const packed = serializer.pack ? await buffer(serializer.pack([text])) : text
  const path = await writeSource(format, packed)
  const recognized = await recognize(path)
  const rows = await rowsOf(path)
  const profile = proposeProfile(recognized, rows.slice(0, 100), resources)
  // Statements of RDF have no order.
  const left = rows.map((row) => mapRow(row, profile, resources))
  return zines.map((zine) => {
    const ofTitle = left.filter((row) => comes(titleField, zine, row))
    const row = ofTitle.find((each) => comes(issueField, zine, each)) ?? ofTitle[0]
    if (!row) throw new Error(`no row has the title ${String(zine.values.title)}`)
    left.splice(left.indexOf(row), 1)
    return [zine, row] as const
  })
}

const fieldOf = (wanted: string): Field => {
  const field = fields.find(({ name }) => name === wanted)
  if (!field) throw new Error(`zines have no ${wanted}`)
  return field
}

const titleField = fieldOf('title')
const issueField = fieldOf('issue_designation')

/** Whether a row has what a zine has in a field, whatever the order. */
function comes(field: Field, { values, lookup }: ResolvedRecord, row: MappedRow): boolean {
  const wanted = [values[field.name]].flat().filter((value) => value !== '' && value !== null)
  if (field.target === 'agents') return comesAsNames(field.name, wanted.map(String), lookup, row)
  if (field.vocabulary) {
    const codes = row.terms.filter((term) => isTermOf(term, field.name)).map(codeOf)
    return wanted.every((code) => codes.includes(String(code)))
  }
  const texts = (row.zine[field.name] ?? []).map(comparable(field))
  return wanted
    .map(String)
    .map(comparable(field))
    .every((text) => text === '' || texts.includes(text))
}

/** Where subjects and genres are in one list, either may be decided to be the other. */
const isTermOf = (term: MappedTerm, field: string): boolean =>
  term.field === field || (field === 'genre' && term.field === 'subject')

function codeOf({ code, field, value }: MappedTerm): string {
  if (code !== undefined) return code
  for (const name of field === 'subject' ? ['subjects', 'genres'] : [vocabularyOf(field)]) {
    const match = matchers.get(name)?.match(value)
    if (match?.kind === 'exact') return match.code
  }
  return value
}

const vocabularyOf = (field: string): string => fieldOf(field).vocabulary?.name ?? ''

/**
 * A date that says the same, whether it is uncertain or approximate; a text that says that there is none is left out.
 * White space does not count.
 */
const comparable =
  ({ name }: Field) =>
  (text: string): string => {
    // Brackets say that the cataloguer counted.
    if (name === 'number_of_pages') return text.replace(/^\[(\d+)\]$/, '$1')
    if (name !== 'date') return text.replace(/\s+/g, ' ').trim()
    if (readDate(text).values.length === 0) return ''
    return (parseIssuedDate(text)?.value ?? text).replace(/[?%]$/, '~')
  }

function comesAsNames(
  field: string,
  ids: readonly string[],
  lookup: RecordLookup,
  { names }: MappedRow,
): boolean {
  const ofField = names.filter((name) => name.field === field)
  return ids.every((id) => {
    const agent = lookup({ target: 'agents', id })
    const known = [id, agent?.display_name, agent?.sort_name].map((name) => words(String(name)))
    return ofField.some(({ name }) => known.includes(words(name)))
  })
}

/** The words of a name, whatever their order. */
const words = (name: string): string =>
  fold(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .sort()
    .join(' ')

/** The fields that come back whole from every zine. */
async function fieldsThatComeBack(
  zines: readonly ResolvedRecord[],
  written: WrittenAs,
): Promise<readonly string[]> {
  const pairs = await importedRows(zines, written)
  return fields
    .filter((field) => pairs.every(([zine, row]) => comes(field, zine, row)))
    .map(({ name }) => name)
}

/** The rows of the table in docs/reference/import-sources.md: the format, and the fields. */
const documented = new Map(
  [
    ...readFileSync(resolve('docs/reference/import-sources.md'), 'utf8').matchAll(
      /^\| ([^|]+) \| comes back: ([^|]+) \|$/gm,
    ),
  ].map(([, title = '', names = '']) => [title, names]),
)

const allButNone = (names: string): readonly string[] => {
  const [, except] = /^all(?: but (.+))?$/.exec(names) ?? []
  const listed: readonly string[] = (except ?? names).match(/[a-z_]+/g) ?? []
  return names.startsWith('all')
    ? fields
        .map(({ name }) => name)
        .filter((name) => except === undefined || !listed.includes(name))
    : listed
}

const advice = {
  content_advice: ['self-harm', 'nudity'],
  content_advice_note: ['Page 3 describes an assault.'],
}

describe('what the service writes comes back by an import', () => {
  const zines = resolveAll('zines', readSample()).map((zine, index) => ({
    ...zine,
    values: index === 0 ? { ...zine.values, ...advice } : zine.values,
  }))

  for (const written of formats) {
    const [title, format, vocabulary] = written
    it(`from ${[vocabulary, format].filter(Boolean).join(' in ')}, as documented`, async () => {
      const names = documented.get(title)
      expect(names, 'the row in docs/reference/import-sources.md').to.be.a('string')
      expect(await fieldsThatComeBack(zines, written)).to.deep.equal(allButNone(names ?? ''))
    })
  }
})
