// Guesses from the name of a column, and from what stands in it, which field it fills.

import type { FieldRule, Profile, Target } from '../profile.js'
import { type Dialect, dialects } from '../profiles/dialects.js'
import { undecided } from '../profiles/rules.js'
import type { SourceRow } from '../../../lib/sources/source.js'
import { hasHtml } from './html-text.js'
import { isTurnedTitle } from './read-title.js'
import { shelfColumns } from './shelves.js'
import { comparableHeading, withoutColumnNumber } from './text.js'

type Guess = readonly [heading: RegExp, to: Target, more?: Omit<FieldRule, 'from' | 'to'>]

// The first row that fits a heading counts. Headings have no case, accents and punctuation.
// prettier-ignore
const guesses: readonly Guess[] = [
  [/^(?:donors?|donated by|gift of)$/, 'holdings.donor'],
  [/^(?:(?:purchase )?price(?: paid)?|(?:amount )?paid|cost)$/, 'holdings.price'],
  [/^(?:acquired|(?:acquisition|accession) date|date (?:acquired|received)|date of acquisition)$/, 'holdings.acquired'],
  [/^(?:acquired from|vendor|acquisition(?: source)?|source of acquisition)$/, 'holdings.source'],
  [/^accession (?:number|no)$/, 'holdings.accession_number'],
  [/^(?:internal|private|staff|nonpublic|non public) notes?$/, 'holdings.staff_note'],
  [/^(?:(?:internal|private|staff|nonpublic|non public|admin|cataloge?r s?|cataloguer s?) .*|(?:lending|lent|loaned|borrow(?:ed|er)|patron|reader)(?: .*)?|recommended (?:by|for)|(?:original )?purchase .*|(?:(?:list|purchase|retail|cover|sale) )?price(?: paid)?|(?:amount )?paid|donor|donated by|gift of|cost|value|vendor|acquired(?: from)?|acquisition.*|accession date|date (?:added|acquired|entered|received)|entry date|added by|cataloge?d by|catalogued by|provenance|e ?mail|address|phone|notes?|comments?|remarks?|notizen?|anmerkung(?:en)?|bemerkung(?:en)?|kommentare?|remarques?|commentaires?|notas?|observacion(?:es)?|comentarios?|osservazioni|file attachments|link attachments)$/, 'private'],
  [/^(?:alternat(?:iv)?e title|other title|variant title|sub ?title|translated title|parallel title|nonpreferred labels(?: name)?|untertitel|sous titre|subtitulo|sottotitolo)s?$/, 'zines.alternative_title'],
  [/^(?:series(?: title| name)?|reihe|serie|collection title)$/, 'zines.series_title'],
  [/^(?:(?:zine|item|main|full|proper|work|publication) )?(?:title|name)(?: of (?:the )?zine)?$|^(?:preferred labels?(?: name)?|titel|titulo|titre|titolo|titul|zine)$/, 'zines.title', { as: 'title' }],
  [/^(?:issue|issue (?:no|number|designation|s)|no|number|vol|volume|vol(?:ume)? (?:and )?(?:issue|no|number)|nummer|numero|ausgabe|heft|fascicolo)$/, 'zines.issue_designation'],
  [/^(?:edition(?: statement)?|printing|auflage|edicion)$/, 'zines.edition_statement'],
  [/^(?:(?:zine|main|primary|first) )?(?:creator|author|maker|zinester|zine maker|artist|writer|by|made by|created by)(?: ?s| name| names)?(?: s)?$|^(?:autor(?:a|as|en|es|i|in|ia|inn?en|x)?|auteure?s?|autrices?|verfasser(?:in|innen)?|urheber(?:in)?|kunstler(?:in)?|artistes?|artistas?|creador(?:a|as|es)?|createur(?:s|rice)?)(?: (?:in|innen|rice|rices|e|es|a|as|s|ice|trice))*$/, 'zines.creator', { as: 'names' }],
  [/^(?:contributor|editor|illustrator|other (?:author|creator|contributor)|(?:secondary|additional) author|translator|co ?author|co ?creator|herausgeber(?:in)?|mitwirkende|illustrateur|ilustrador|ilustradora|colaborador|colaboradora)(?: s|s|es| in| innen| rice)?$/, 'zines.contributor', { as: 'names' }],
  [/^(?:publisher|press|publisher press|published by|distro|distributor|verlag|editorial|editeur|editora|editore|uitgever|maison d edition)(?: s|s| name)?$/, 'zines.publisher', { as: 'name' }],
  [/^(?:year|date|publication year|(?:pub(?:lication|lished)? |copyright |issue |creation )(?:date|year)|(?:date|year)(?: of)? (?:pub(?:lication|lished)?|issue|issued|creation|created|made)|year published|issued|published|created|pubdate|jahr|erscheinungsjahr|fecha(?: de publicacion)?|ano|anno|annee|datum|date de parution|data)$/, 'zines.date', { as: 'date' }],
  [/^(?:place|city|town|place of (?:publication|origin)|publication place|place published|location published|city (?:created|of (?:publication|origin)|published)|town city|origin|ort|erscheinungsort|lugar|ciudad|lieu|lieu d edition|ville|citta|luogo)$/, 'zines.place_of_publication', { as: 'place' }],
  [/^(?:keyword|tag|subject|topic|subject heading|subject term|theme|descriptor|schlagworter|schlagworte|stichworter|stichworte|schlagwort|temas?|materias?|sujets?|mots cles|palabras clave|etiquetas?|parole chiave)(?: s|s)?$/, 'zines.subject'],
  [/^(?:genre|type|zine type|type of zine|category|categories|kind|genre s|genres|genero|gattung|categorie|categoria)$/, 'zines.genre'],
  [/^(?:format|physical format|formats|medium)$/, 'zines.format'],
  [/^(?:language|languages|lang|language s|language s iso|language code|languages iso|iso language|language iso|sprachen?|idiomas?|langues?|lingua)$/, 'zines.language', { as: 'language' }],
  [/^(?:page count|number of pages|no of pages|num pages|pages|page|pp|extent|pagination|length|seiten|seitenzahl|paginas|numero de paginas|nombre de pages|pagine)$/, 'zines.number_of_pages', { as: 'pages' }],
  [/^(?:dimensions?|physical description|size|measurements?|physical dimensions?|height|masse|tamano|taille|formato|physical size)$/, 'zines.physical_dimensions', { as: 'pages' }],
  [/^(?:binding|binding features?)$/, 'zines.binding_features'],
  [/^(?:abstract|description|summary|synopsis|annotation|about|review|reviews|blurb|content description|beschreibung|zusammenfassung|resume|resumen|descripcion|descrizione)$/, 'zines.abstract'],
  [/^(?:contents|table of contents|toc|inhalt|sommaire|indice)$/, 'zines.table_of_contents'],
  [/^(?:public notes?|general notes?)$/, 'zines.public_notes'],
  [/^(?:(?:content|trigger) (?:warning|advice|advisory|note)s?)$/, 'zines.content_advice'],
  [/^(?:coverage|spatial|geographic coverage|place depicted|region covered)$/, 'zines.coverage'],
  [/^(?:relation|related|see also)$/, 'zines.relation'],
  [/^(?:source)$/, 'zines.source'],
  [/^(?:rights|freedoms and restrictions|copyright|licen[cs]e|usage rights|lizenz|licencia|droits|derechos)$/, 'zines.rights'],
  [/^(?:isbns?|issn|isbn issn|isbn ?1[03])$/, 'zines.identifier', { as: 'isbn' }],
  [/^(?:oclc|oclc number|lccn|doi|identifier|identifiers|handle|ark|url|uri|website|web ?site|link|web address)$/, 'zines.identifier'],
  [/^(?:(?:digital|scan|pdf|download|online|archive org|internet archive)(?: copy| object)?(?: url| link| file| version| address)?)$/, 'holdings.digital_url'],
  [/^(?:call ?(?:number|no)s?|shelf ?mark|signature|signatur|signatura|cota|cote|class ?mark|shelf number)$/, 'holdings.call_number'],
  [/^(?:barcode|bar code|barcodes|item barcode)$/, 'holdings.barcode'],
  [/^(?:location|shelf|box|box number|folder|shelving location|shelf location|physical location|room|drawer|cabinet|section|collection location|standort|ubicacion|emplacement)$/, 'holdings.location'],
  [/^(?:copies|owned copies|copy count|number of copies|no of copies|quantity|qty|count|exemplare|exemplaires|ejemplares)$/, 'holdings.copy_count'],
  [/^(?:condition|state|condition notes?|zustand|etat|estado)$/, 'holdings.condition'],
  [/^(?:access|access status|availability|lending|circulation)$/, 'holdings.access_status'],
  [/^(?:repository|library|institution|holding (?:library|institution)|held by|repository id|bibliothek|bibliotheque|biblioteca)$/, 'holdings.repository_id'],
]

/** Columns that say more of a place: a state and a country beside a city. */
const furtherPlaces =
  /^(?:state|province|region|state province|state country|state or country|country|land|pais|pays)(?: (?:created|published|of publication))?$/

/** Columns that number the rows, by which a row is known when the source is imported again. */
const numbering =
  /^(?:id|idno|union id|zine id|record id|record number|item id|uid|key|catalog(?:ue)? (?:number|no|id))$/

/**
 * What stands before the name of a field in other catalogues: `Dublin Core:Title`,
 * `ca_objects.preferred_labels`.
 */
const namespaces =
  /^(?:(?:dublin core|dcterms|dc|item type metadata|zine item type metadata|ca objects|entities) )+/

const fieldHeading = (name: string): string => comparableHeading(name).replace(namespaces, '')

const dialectOf = (names: readonly string[]): Dialect | undefined => {
  const headings = new Set(names.map(comparableHeading))
  return dialects.find(({ isOf }) => isOf(headings))
}

export function guessProfile(columns: readonly string[], rows: readonly SourceRow[]): Profile {
  // Columns of one name have one rule.
  const names = [...new Set(columns.map((column) => baseName(column, columns)))]
  const repeated = new Set(
    columns.filter((column) => baseName(column, columns) !== column).map(withoutColumnNumber),
  )
  const dialect = dialectOf(names)
  const rules = withVolumes(
    names.flatMap((name) =>
      guessRule(name, textsOf(name, rows), { isRepeated: repeated.has(name), dialect }),
    ),
    rows,
  )
  const places = rules.filter(({ to }) => to === 'zines.place_of_publication')
  const further = names.filter((name) => furtherPlaces.test(comparableHeading(name)))
  const [place] = places
  const withPlaces = place
    ? rules.map((rule) =>
        rule === place && further.length > 0 ? { ...rule, with: further, join: ', ' } : rule,
      )
    : rules
  const number = names.find((name) => numbering.test(fieldHeading(name)) && isDistinct(name, rows))
  const shelves = guessShelves(names)
  return {
    ...undecided,
    ...(shelves ? { shelves } : {}),
    ...othersOf(dialect, names),
    name: 'Guessed from the columns',
    description: 'Where each column goes was guessed from its name.',
    source: {},
    identifiers: {
      zines: `${number === undefined ? '' : `{source}-{${number}}|`}{import}-{row}`,
      holdings: '{zine}-{item}',
      agents: '',
    },
    rules: [
      ...onlyOnce(withPlaces).filter(({ from }) => from !== shelves?.from),
      ...(shelves ? [{ from: shelves.from, to: 'nothing' } as const] : []),
    ],
    defaults: { zines: emptyFields(rules), holdings: {} },
  }
}

function othersOf(dialect: Dialect | undefined, names: readonly string[]): Pick<Profile, 'others'> {
  const from = names.find((name) => comparableHeading(name) === dialect?.others?.heading)
  return from !== undefined && dialect?.others
    ? { others: { from, values: dialect.others.values } }
    : {}
}

function guessShelves(names: readonly string[]): Profile['shelves'] {
  for (const [heading, split] of shelfColumns) {
    const from = names.find((name) => comparableHeading(name) === heading)
    if (from !== undefined) return { from, split, owned: {} }
  }
  return undefined
}

function baseName(column: string, columns: readonly string[]): string {
  const base = withoutColumnNumber(column)
  return columns.includes(base) ? base : column
}

type GuessHints = { readonly isRepeated: boolean; readonly dialect: Dialect | undefined }

function guessRule(
  name: string,
  texts: readonly string[],
  { isRepeated, dialect }: GuessHints,
): readonly FieldRule[] {
  const heading = fieldHeading(name)
  const columnRule = dialect?.columns[comparableHeading(name)]
  if (columnRule === 'undecided') return []
  const [, to, more] = columnRule
    ? ([undefined, ...columnRule] as const)
    : (findGuess(heading) ?? findGuess(heading.replace(/ ?\d{1,2}$/, '')) ?? [])
  if (to === undefined) return []
  const isList = ['zines.subject', 'zines.genre', 'zines.format', 'zines.content_advice'].includes(
    to,
  )
  const split = isList && !isRepeated && !more?.split ? separatorOf(texts) : undefined
  const isTurned = more?.as === 'title' && texts.some(isTurnedTitle)
  return [
    {
      from: name,
      to,
      ...more,
      ...(split === undefined ? {} : { split }),
      ...(isTurned ? { as: 'turned-title' as const } : {}),
      ...(texts.some(hasHtml) ? { html: true } : {}),
    },
  ]
}

/** What a heading is: `Subject 2` is tried as `Subject` too. */
const findGuess = (heading: string): Guess | undefined =>
  guesses.find(([pattern]) => pattern.test(heading))

/** A volume and an issue in two columns are one designation. */
function withVolumes(
  rules: readonly FieldRule[],
  rows: readonly SourceRow[],
): readonly FieldRule[] {
  const find = (pattern: RegExp): FieldRule | undefined =>
    rules.find(
      ({ from, to }) => to === 'zines.issue_designation' && pattern.test(fieldHeading(from)),
    )
  const [volume, issue] = [find(/^vol(?:ume)?$/), find(/^(?:issue|no|number)(?: no| number)?$/)]
  if (!volume || !issue) return rules
  const areNumbers = [volume, issue].every(({ from }) =>
    textsOf(from, rows).every((text) => /^\d+$/.test(text.trim())),
  )
  const both = areNumbers ? { prefix: 'Volume ', join: ', issue ' } : { join: ', ' }
  // The issue alone is used after both were looked for.
  return rules.flatMap((rule) => {
    if (rule === issue) return []
    if (rule !== volume) return [rule]
    return [
      { ...volume, with: [issue.from], ...both },
      { ...issue, fallback: true },
    ]
  })
}

/** What separates the values of a cell: what most cells have; a comma may be part of a heading. */
function separatorOf(texts: readonly string[]): string | undefined {
  const counted = ['|', ';', '^^', '\n', ','].map((separator) => ({
    separator,
    count: texts.filter((text) => text.includes(separator)).length,
  }))
  const best = counted.reduce((most, candidate) =>
    candidate.count > most.count ? candidate : most,
  )
  return best.count > 0 ? best.separator : undefined
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
    'holdings.acquired',
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
