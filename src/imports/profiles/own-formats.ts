// The profiles for our own CSV and JSON lines: a column for each field of a zine or of a copy. Codes, and the
// identifiers of agents, are those of this catalogue (docs/import.md, "Profiles").

import type { Field, Resources } from '../../model/resources.js'
import type { FieldRule, ImportedKind, Profile } from '../profile.js'
import { undecided } from './rules.js'

export const createOwnProfile = (kind: ImportedKind, resources: Resources): Profile => ({
  ...undecided,
  name: kind === 'zines' ? 'Own format: zines' : 'Own format: holdings',
  description: `Our own CSV or JSON lines with ${kind}.`,
  source: {},
  identifiers:
    kind === 'zines'
      ? { zines: '{zine_id}', holdings: '{zine}-{item}', agents: '' }
      : { zines: '', holdings: '{holding_id}', agents: '' },
  rules: [
    ...resources[kind].inputFields
      .filter((field) => field !== resources[kind].id)
      .map((field) => ruleOf(kind, field)),
    ...unused(kind, resources),
  ],
  defaults: { zines: {}, holdings: {} },
})

const ruleOf = (kind: ImportedKind, field: Field): FieldRule => ({
  from: field.name,
  to: `${kind}.${field.name}`,
  as: field.kind === 'reference' ? 'id' : 'text',
  ...(field.repeatable ? { split: '|' } : {}),
})

/** The identifier, which is in the pattern; times, and the names beside references, which the service makes. */
const unused = (kind: ImportedKind, resources: Resources): readonly FieldRule[] =>
  [
    resources[kind].id.name,
    ...resources[kind].fields.filter(({ kind: of }) => of === 'time').map(({ name }) => name),
    ...resources[kind].inputFields
      .filter(({ target }) => target)
      .map(({ name }) => `${name}_names`),
  ].map((from) => ({ from, to: 'nothing' }))
