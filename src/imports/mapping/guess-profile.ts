// Guesses from the name of a column, and from what stands in it, which field it fills.

import type { FieldRule, Profile, Target } from '../profile.js'
import { undecided } from '../profiles/rules.js'
import type { SourceRow } from '../sources/source.js'
import { comparableHeading, withoutColumnNumber } from './text.js'

type Guess = readonly [heading: RegExp, to: Target, more?: Omit<FieldRule, 'from' | 'to'>]

// The first row that fits a heading counts. Headings have no case, accents and punctuation.
// prettier-ignore
const guesses: readonly Guess[] = [
  [/^(?:(?:internal|private|staff|nonpublic|non public|admin|cataloge?r s?|cataloguer s?) .*|donor|donated by|gift of|price|cost|value|vendor|acquired(?: from)?|acquisition.*|accession date|date (?:added|acquired|entered|received)|entry date|added by|cataloge?d by|catalogued by|provenance|e ?mail|address|phone)$/, 'private'],
  [/^(?:alternat(?:iv)?e title|other title|variant title|sub ?title|translated title|parallel title)s?$/, 'zines.alternative_title'],
  [/^(?:series(?: title| name)?)$/, 'zines.series_title'],
  [/^(?:(?:zine|item|main|full|proper|work|publication) )?(?:title|name)(?: of (?:the )?zine)?$|^(?:titel|titulo|titre|zine)$/, 'zines.title', { as: 'title' }],
  [/^(?:issue|issue (?:no|number|designation|s)|no|number|vol|volume|vol(?:ume)? (?:and )?(?:issue|no|number)|nummer|numero)$/, 'zines.issue_designation'],
  [/^(?:edition(?: statement)?|printing|auflage)$/, 'zines.edition_statement'],
  [/^(?:(?:zine|main|primary|first) )?(?:creator|author|maker|zinester|zine maker|artist|writer|by|made by|created by|autor|auteur|verfasser|autora)(?: ?s| name| names)?(?: s)?$/, 'zines.creator', { as: 'names' }],
  [/^(?:contributor|editor|illustrator|other (?:author|creator|contributor)|secondary author|translator|co ?author|co ?creator)(?: s|s)?$/, 'zines.contributor', { as: 'names' }],
  [/^(?:publisher|press|published by|distro|distributor|verlag|editorial)(?: s|s| name)?$/, 'zines.publisher', { as: 'name' }],
  [/^(?:year|date|(?:pub(?:lication|lished)? |copyright |issue |creation )(?:date|year)|(?:date|year)(?: of)? (?:pub(?:lication|lished)?|issue|creation|created|made)|published|created|jahr|fecha|ano|annee|datum)$/, 'zines.date', { as: 'date' }],
  [/^(?:place|city|town|location|place of (?:publication|origin)|publication place|place published|city (?:created|of (?:publication|origin)|published)|town city|origin|ort|lugar|ciudad|lieu|ville)$/, 'zines.place_of_publication', { as: 'place' }],
  [/^(?:keyword|tag|subject|topic|subject heading|subject term|theme|descriptor|schlagworter|schlagwort|temas?|materias?|sujets?)(?: s|s)?$/, 'zines.subject'],
  [/^(?:genre|type|zine type|type of zine|category|categories|kind|genre s|genres|genero)$/, 'zines.genre'],
  [/^(?:format|physical format|formats|medium)$/, 'zines.format'],
  [/^(?:language|languages|lang|language s|language s iso|language code|languages iso|iso language|language iso|sprache|idioma|langue)$/, 'zines.language', { as: 'language' }],
  [/^(?:pages|page|pp|page count|number of pages|no of pages|num pages|extent|pagination|length|seiten|paginas)$/, 'zines.number_of_pages', { as: 'pages' }],
  [/^(?:dimensions?|size|measurements?|physical dimensions?|height|masse|tamano|physical size)$/, 'zines.physical_dimensions'],
  [/^(?:binding|binding features?)$/, 'zines.binding_features'],
  [/^(?:abstract|description|summary|synopsis|annotation|about|review|reviews|blurb|content description)$/, 'zines.abstract'],
  [/^(?:contents|table of contents|toc)$/, 'zines.table_of_contents'],
  [/^(?:notes?|comments?|public notes?|general notes?|remarks?|content warnings?|content notes?)$/, 'zines.public_notes'],
  [/^(?:coverage|geographic coverage|place depicted|region covered)$/, 'zines.coverage'],
  [/^(?:source)$/, 'zines.source'],
  [/^(?:rights|copyright|licen[cs]e|usage rights)$/, 'zines.rights'],
  [/^(?:isbns?|issn|isbn issn|isbn 1[03])$/, 'zines.identifier', { as: 'isbn' }],
  [/^(?:oclc|oclc number|lccn|doi|identifier|identifiers|handle|ark|url|uri|website|web ?site|link|web address)$/, 'zines.identifier'],
  [/^(?:(?:digital|scan|pdf|download|online|archive org|internet archive)(?: copy| object)?(?: url| link| file| version| address)?)$/, 'holdings.digital_url'],
  [/^(?:call ?(?:number|no)s?|shelf ?mark|signature|signatur|cota|class ?mark|shelf number)$/, 'holdings.call_number'],
  [/^(?:barcode|bar code|barcodes|item barcode|accession (?:number|no))$/, 'holdings.barcode'],
  [/^(?:shelf|box|box number|folder|shelving location|shelf location|physical location|room|drawer|cabinet|section|collection location)$/, 'holdings.location'],
  [/^(?:copies|copy count|number of copies|no of copies|quantity|qty|count)$/, 'holdings.copy_count'],
  [/^(?:condition|state|condition notes?)$/, 'holdings.condition'],
  [/^(?:access|access status|availability|lending|circulation)$/, 'holdings.access_status'],
  [/^(?:repository|library|institution|holding (?:library|institution)|held by|repository id)$/, 'holdings.repository_id'],
]

/** Columns that say more of a place: a state and a country beside a city. */
const furtherPlaces =
  /^(?:state|province|region|state province|state country|state or country|country|land|pais|pays)(?: (?:created|published|of publication))?$/

/** Columns that number the rows, by which a row is known when the source is imported again. */
const numbering =
  /^(?:id|zine id|record id|record number|item id|uid|key|catalog(?:ue)? (?:number|no|id))$/

export function guessProfile(columns: readonly string[], rows: readonly SourceRow[]): Profile {
  // Columns of one name have one rule.
  const names = [...new Set(columns.map((column) => baseName(column, columns)))]
  const repeated = new Set(
    columns.filter((column) => baseName(column, columns) !== column).map(withoutColumnNumber),
  )
  const rules = names.flatMap((name) => guessRule(name, textsOf(name, rows), repeated.has(name)))
  const places = rules.filter(({ to }) => to === 'zines.place_of_publication')
  const further = names.filter((name) => furtherPlaces.test(comparableHeading(name)))
  const [place] = places
  const withPlaces = place
    ? rules.map((rule) =>
        rule === place && further.length > 0 ? { ...rule, with: further, join: ', ' } : rule,
      )
    : rules
  const number = names.find(
    (name) => numbering.test(comparableHeading(name)) && isDistinct(name, rows),
  )
  return {
    ...undecided,
    name: 'Guessed from the columns',
    description: 'Where each column goes was guessed from its name.',
    source: {},
    identifiers: {
      zines: `${number === undefined ? '' : `{source}-{${number}}|`}{import}-{row}`,
      holdings: '{zine}-{item}',
      agents: '',
    },
    rules: onlyOnce(withPlaces),
    defaults: { zines: emptyFields(rules), holdings: {} },
  }
}

function baseName(column: string, columns: readonly string[]): string {
  const base = withoutColumnNumber(column)
  return columns.includes(base) ? base : column
}

function guessRule(
  name: string,
  texts: readonly string[],
  isRepeated: boolean,
): readonly FieldRule[] {
  const heading = comparableHeading(name)
  const guess = guesses.find(([pattern]) => pattern.test(heading))
  if (!guess) return []
  const [, to, more] = guess
  const isList = ['zines.subject', 'zines.genre', 'zines.format'].includes(to)
  const split = isList && !isRepeated ? separatorOf(texts) : undefined
  return [{ from: name, to, ...more, ...(split === undefined ? {} : { split }) }]
}

/** What separates the values of a cell. */
function separatorOf(texts: readonly string[]): string | undefined {
  const count = (separator: string): number =>
    texts.filter((text) => text.includes(separator)).length
  // A comma may be part of a heading where another separator is used.
  const found = ['|', ';', '\n'].find((separator) => count(separator) > 0)
  return found ?? (count(',') > 0 ? ',' : undefined)
}

const textsOf = (name: string, rows: readonly SourceRow[]): readonly string[] =>
  rows.flatMap(({ fields }) =>
    fields
      .filter((field) => field.name === name)
      .flatMap(({ parts }) => parts.map(({ text }) => text)),
  )

function isDistinct(name: string, rows: readonly SourceRow[]): boolean {
  const texts = textsOf(name, rows)
  return texts.length === rows.length && new Set(texts).size === texts.length
}

/** A field with one value is filled by the first column that is guessed for it. */
function onlyOnce(rules: readonly FieldRule[]): readonly FieldRule[] {
  const single: readonly string[] = [
    'zines.title',
    'zines.number_of_pages',
    'zines.date',
    'zines.abstract',
    'zines.place_of_publication',
    'holdings.barcode',
    'holdings.call_number',
    'holdings.digital_url',
  ]
  return rules.filter(
    ({ to }, index) => !single.includes(to) || rules.findIndex((rule) => rule.to === to) === index,
  )
}

/** The fields that may be empty, and for which there is a column: then nobody has to be asked. */
const emptyFields = (rules: readonly FieldRule[]): Readonly<Record<string, null>> =>
  Object.fromEntries(
    ['date', 'genre', 'language', 'rights']
      .filter((name) => rules.some(({ to }) => to === `zines.${name}`))
      .map((name) => [name, null]),
  )
