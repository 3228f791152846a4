// The profile for records in unqualified Dublin Core, as OAI-PMH has them
// (docs/reference/import-profiles.md, "Profiles").

import type { Profile } from '../profile.js'
import { type RuleRow, toRules, undecided } from './rules.js'

// prettier-ignore
const rules: readonly RuleRow[] = [
  ['dc:title', 'zines.title', { as: 'title' }],
  ['dc:creator', 'zines.creator', { as: 'names' }],
  ['dc:contributor', 'zines.contributor', { as: 'names' }],
  ['dc:publisher', 'zines.publisher', { as: 'name' }],
  ['dc:subject', 'zines.subject', { split: ';' }],
  ['dc:description', 'zines.public_notes'],
  ['dc:date', 'zines.date', { as: 'date' }],
  ['dc:type', 'zines.genre'],
  ['dc:format', 'zines.public_notes', { prefix: 'Format: ' }],
  ['dc:identifier', 'zines.identifier'],
  ['dc:source', 'zines.source'],
  ['dc:language', 'zines.language', { as: 'language' }],
  ['dc:relation', 'zines.relation'],
  ['dc:coverage', 'zines.coverage'],
  ['dc:rights', 'zines.rights'],
]

export const dublinCoreProfile: Profile = {
  ...undecided,
  name: 'Dublin Core',
  description: 'Records in unqualified Dublin Core, as other catalogues give them over OAI-PMH.',
  source: {},
  identifiers: {
    zines: '{source}-{oai:identifier}|{import}-{row}',
    holdings: '{zine}-{item}',
    agents: '',
  },
  rules: toRules(rules),
  defaults: { zines: { date: null, genre: null, language: null, rights: null }, holdings: {} },
}
