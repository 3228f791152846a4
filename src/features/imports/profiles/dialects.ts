// The columns of programs whose headings mean something of their own: reference managers, sites of
// readers, and other catalogues. What a program does not have here is guessed like any heading
// (mapping/guess-profile.ts).

import type { FieldRule, Target } from '../profile.js'

/** Where a column goes; the heading has no case, accents and punctuation. */
type ColumnRule = readonly [to: Target, more?: Omit<FieldRule, 'from' | 'to'>]

export type Dialect = {
  /** Whether these are the headings of the program. */
  readonly isOf: (headings: ReadonlySet<string>) => boolean
  /** `undecided` for a column that is asked about, though its heading could be guessed. */
  readonly columns: Readonly<Record<string, ColumnRule | 'undecided'>>
  /** Rows that are no zines. */
  readonly others?: { readonly heading: string; readonly values: readonly string[] }
}

/** Headings that only this program writes together. */
const has =
  (...signs: readonly string[]): Dialect['isOf'] =>
  (headings) =>
    signs.every((sign) => headings.has(sign))

const hidden = (...headings: readonly string[]): Readonly<Record<string, ColumnRule>> =>
  Object.fromEntries(headings.map((heading) => [heading, ['private'] as const]))

const unused = (...headings: readonly string[]): Readonly<Record<string, ColumnRule>> =>
  Object.fromEntries(headings.map((heading) => [heading, ['nothing'] as const]))

// prettier-ignore
export const dialects: readonly Dialect[] = [
  // Zotero.
  {
    isOf: has('item type', 'publication title', 'file attachments'),
    others: { heading: 'item type', values: ['attachment', 'note', 'annotation'] },
    columns: {
      ...hidden('notes', 'extra', 'file attachments', 'link attachments', 'archive', 'archive location', 'library catalog'),
      ...unused('item type', 'date', 'date added', 'date modified', 'access date', 'short title'),
      'publication year': ['zines.date', { as: 'date' }],
      'publication title': ['zines.source'],
      'abstract note': ['zines.abstract'],
      'num pages': ['zines.number_of_pages', { as: 'pages' }],
      'pages': ['zines.public_notes', { prefix: 'Pages: ' }],
      'manual tags': ['zines.subject', { split: ';' }],
      'automatic tags': ['zines.subject', { split: ';' }],
      'series number': ['zines.issue_designation', { fallback: true }],
      'place': ['zines.place_of_publication', { as: 'place' }],
    },
  },
  // Calibre.
  {
    isOf: has('author sort', 'title sort'),
    columns: {
      ...hidden('comments', 'cover', 'library name'),
      ...unused('author sort', 'title sort', 'size', 'formats', 'timestamp', 'rating', 'uuid'),
      'series index': ['zines.issue_designation'],
      'pubdate': ['zines.date', { as: 'date' }],
      'identifiers': ['zines.identifier', { as: 'isbn', split: ',' }],
    },
  },
  // Goodreads.
  {
    isOf: has('author l f', 'exclusive shelf'),
    columns: {
      ...hidden('my review', 'spoiler', 'private notes', 'recommended for', 'recommended by', 'condition description'),
      ...unused('author l f', 'my rating', 'average rating', 'bookshelves with positions', 'read count', 'date read', 'date added', 'bcid', 'original publication year'),
      'additional authors': ['zines.contributor', { as: 'name', split: ',', direct: true }],
      'bookshelves': ['zines.subject', { split: ',' }],
      'isbn13': ['zines.identifier', { as: 'isbn' }],
      'year published': ['zines.date', { as: 'date' }],
    },
  },
  // Inventaire.
  {
    isOf: has('edition title', 'works labels'),
    columns: {
      ...hidden('item details', 'item notes', 'item visibility', 'item transaction', 'item created'),
      ...unused('item url', 'edition cover', 'works urls', 'works labels', 'original language', 'authors urls', 'translators urls', 'series urls', 'genres urls', 'subjects urls', 'publisher urls', 'edition isbn 10'),
      'edition title': ['zines.title', { as: 'title' }],
      'edition subtitle': ['zines.alternative_title'],
      'edition url': ['zines.identifier'],
      'edition isbn 13': ['zines.identifier', { as: 'isbn' }],
      'edition publication date': ['zines.date', { as: 'date' }],
      'edition number of pages': ['zines.number_of_pages', { as: 'pages' }],
      'edition language': ['zines.language', { as: 'language' }],
      'works series ordinals': ['zines.issue_designation'],
      // A label may have commas; beside the labels stand as many addresses.
      'authors labels': ['zines.creator', { as: 'names', split: ',', counted: 'Authors URLs' }],
      'translators labels': ['zines.contributor', { as: 'names', split: ',', counted: 'Translators URLs' }],
      'series labels': ['zines.series_title', { split: ',', counted: 'Series URLs' }],
      'genres labels': ['zines.genre', { split: ',', counted: 'Genres URLs' }],
      'subjects labels': ['zines.subject', { split: ',', counted: 'Subjects URLs' }],
      'publisher label': ['zines.publisher', { as: 'name' }],
    },
  },
  // Omeka, whose items may be private: whether these are to be published is for a person to say.
  {
    isOf: has('dublin core title', 'dublin core creator'),
    columns: { ...hidden('featured', 'file', 'files'), public: 'undecided' },
  },
  // CollectiveAccess, as ZineCat has its fields. Its coverage is where a zine was made.
  {
    isOf: (headings) => [...headings].some((heading) => heading.startsWith('ca objects preferred labels')),
    columns: {
      ...unused('ca objects type id'),
      'ca objects access': 'undecided',
      'ca objects status': 'undecided',
      'ca collections preferred labels': 'undecided',
      'ca collections preferred labels name': 'undecided',
      'ca entities': ['zines.creator', { as: 'names' }],
      'ca entities preferred labels': ['zines.creator', { as: 'names' }],
      'ca entities preferred labels displayname': ['zines.creator', { as: 'names' }],
      'ca objects date dates value': ['zines.date', { as: 'date' }],
      'ca objects date set set display value': ['zines.date', { as: 'date' }],
      'ca objects coverage': ['zines.place_of_publication', { as: 'place' }],
      'ca objects format text': ['zines.format'],
      'ca list items preferred labels': ['zines.subject'],
      'ca list items preferred labels name plural': ['zines.subject'],
      'ca objects lcsh terms': ['zines.subject'],
      'ca objects lcsh topical': ['zines.subject'],
      'ca objects external link': ['zines.identifier'],
      'ca objects external link url entry': ['zines.identifier'],
    },
  },
]
