// The columns of programs whose headings mean something of their own: reference managers, sites of readers, and other
// catalogues. What a program does not have here is guessed like any heading (mapping/guess-profile.ts).

import type { FieldRule, Target } from '../profile.js'

/** Where a column goes; the heading has no case, accents and punctuation. */
type ColumnRule = readonly [to: Target, more?: Omit<FieldRule, 'from' | 'to'>]

export type Dialect = {
  /** Headings that only this program writes. */
  readonly signs: readonly string[]
  readonly columns: Readonly<Record<string, ColumnRule>>
  /** Rows that are no zines. */
  readonly others?: { readonly heading: string; readonly values: readonly string[] }
}

const hidden = (...headings: readonly string[]): Readonly<Record<string, ColumnRule>> =>
  Object.fromEntries(headings.map((heading) => [heading, ['private'] as const]))

const unused = (...headings: readonly string[]): Readonly<Record<string, ColumnRule>> =>
  Object.fromEntries(headings.map((heading) => [heading, ['nothing'] as const]))

// prettier-ignore
export const dialects: readonly Dialect[] = [
  // Zotero.
  {
    signs: ['item type', 'publication title', 'file attachments'],
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
    signs: ['author sort', 'title sort'],
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
    signs: ['author l f', 'exclusive shelf'],
    columns: {
      ...hidden('my review', 'spoiler', 'private notes', 'recommended for', 'recommended by', 'condition description'),
      ...unused('author l f', 'my rating', 'average rating', 'bookshelves with positions', 'read count', 'date read', 'date added', 'bcid', 'original publication year'),
      'additional authors': ['zines.contributor', { as: 'names' }],
      'bookshelves': ['zines.subject', { split: ',' }],
      'isbn13': ['zines.identifier', { as: 'isbn' }],
      'year published': ['zines.date', { as: 'date' }],
    },
  },
  // Inventaire.
  {
    signs: ['edition title', 'works labels'],
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
      'authors labels': ['zines.creator', { as: 'names' }],
      'translators labels': ['zines.contributor', { as: 'names' }],
      'series labels': ['zines.series_title'],
      'genres labels': ['zines.genre'],
      'subjects labels': ['zines.subject'],
      'publisher label': ['zines.publisher', { as: 'name' }],
    },
  },
  // Omeka, whose items may be private.
  {
    signs: ['dublin core title', 'dublin core creator'],
    columns: hidden('public', 'featured', 'file', 'files'),
  },
]
