// The profile for exports of LibraryThing: the older CSV and the present TSV and CSV
// (docs/reference/import-profiles.md, "Profiles").

import type { Profile } from '../profile.js'
import { type RuleRow, toRules, undecided } from './rules.js'

// prettier-ignore
const rules: readonly RuleRow[] = [
  ['TITLE', 'zines.title', { as: 'title' }],
  ['AUTHOR (last, first)', 'zines.creator', { as: 'names' }],
  ['Primary Author', 'zines.creator', { as: 'names' }],
  ['Secondary Author', 'zines.contributor', { as: 'name', split: '|' }],
  ['DATE', 'zines.date', { as: 'date' }],
  ['ISBNs', 'zines.identifier', { as: 'isbn' }],
  ['ISBN', 'zines.identifier', { as: 'isbn' }],
  ['ISSN', 'zines.identifier', { as: 'isbn' }],
  ['OCLC', 'zines.identifier', { prefix: 'OCLC: ' }],
  ['LCCN', 'zines.identifier', { prefix: 'LCCN: ' }],
  ['LCC', 'zines.public_notes', { prefix: 'LCC: ' }],
  ['LC Classification', 'zines.public_notes', { prefix: 'LCC: ' }],
  ['DDC', 'zines.public_notes', { prefix: 'DDC: ' }],
  ['Dewey Decimal', 'zines.public_notes', { prefix: 'DDC: ' }],
  ['PUBLICATION INFO', 'zines.public_notes', { prefix: 'Publication: ' }],
  ['Publication', 'zines.public_notes', { prefix: 'Publication: ' }],
  ['COMMENT', 'zines.public_notes'],
  ['Private Comment', 'private'],
  ['REVIEWS', 'zines.abstract'],
  ['Review', 'zines.abstract'],
  ['Summary', 'nothing'],
  ['TAGS', 'zines.subject', { split: ',' }],
  ['SUBJECTS', 'zines.public_notes', { prefix: 'Subjects: ' }],
  ['Languages', 'zines.language', { as: 'language' }],
  ['Page Count', 'zines.number_of_pages', { as: 'pages' }],
  ['Dimensions', 'zines.physical_dimensions'],
  ['COPIES', 'holdings.copy_count'],
  ['Barcode', 'holdings.barcode'],
  ['Other Call Number', 'holdings.call_number'],
  ['Condition', 'holdings.condition'],
  ['AUTHOR (first, last)', 'nothing'],
  ['From Where', 'private'],
  ['Purchase Price', 'private'],
  ['List Price', 'private'],
  ['Value', 'private'],
  ['Acquired', 'private'],
  ['Lending Status', 'private'],
  ['Lending Start', 'private'],
  ['Lending End', 'private'],
  ...['RATINGS', 'Rating', 'ENTRY DATE', 'COLLECTIONS', 'Book Id', 'Work id', 'BCID', 'Sort Character', 'Primary Author Role', 'Secondary Author Roles', 'Weight', 'Height', 'Thickness', 'Length', 'Dewey Wording', 'Source', 'Date Started', 'Date Read', 'Original Languages'].map(
    (column): RuleRow => [column, 'nothing'],
  ),
]

export const libraryThingProfile: Profile = {
  ...undecided,
  name: 'LibraryThing',
  description: 'A table that LibraryThing exports.',
  source: {},
  identifiers: {
    zines: '{source}-{Book Id}|{import}-{row}',
    holdings: '{zine}-{item}',
    agents: '',
  },
  shelves: { from: 'COLLECTIONS', split: ',', owned: {} },
  rules: toRules(rules),
  defaults: { zines: { date: null }, holdings: {} },
}
