// The profiles for our own CSV and JSON lines: a column for each field of a zine or of a copy. Codes, and the
// identifiers of agents, are those of this catalogue (docs/import.md, "Profiles").

import type { Field, Resources } from '../../model/resources.js'
import { titleColumn } from '../../model/record/csv-cells.js'
import type { FieldRule, ImportedKind, Profile } from '../profile.js'
import { undecided } from './rules.js'

/** @param split whether the values of a cell are parted, as in CSV; a line of JSON has them apart */
export const createOwnProfile = (
  kind: ImportedKind,
  resources: Resources,
  split: '|' | undefined = '|',
): Profile => ({
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
      .flatMap((field) => rulesOf(kind, field, resources, split)),
    ...unused(kind, resources),
  ],
  defaults: { zines: {}, holdings: {} },
})

/** What a client sends, and what it gets: there a reference and a code are in an object. */
function rulesOf(
  kind: ImportedKind,
  field: Field,
  resources: Resources,
  split: '|' | undefined,
): readonly FieldRule[] {
  const rule: FieldRule = {
    from: field.name,
    to: `${kind}.${field.name}`,
    as: field.kind === 'reference' ? 'id' : 'text',
    ...(field.repeatable && split ? { split } : {}),
  }
  const key = field.target ? resources[field.target].id.name : field.nested ? 'code' : undefined
  return key === undefined ? [rule] : [rule, { ...rule, from: `${field.outputName}.${key}` }]
}

/** The identifier, which is in the pattern; what the record says of itself, and the names beside references. */
const unused = (kind: ImportedKind, resources: Resources): readonly FieldRule[] =>
  [
    resources[kind].id.name,
    ...resources[kind].fields.filter(({ onRecordNode }) => onRecordNode).map(({ name }) => name),
    ...resources[kind].inputFields.flatMap((field) => titleColumn(resources, field) ?? []),
  ].map((from) => ({ from, to: 'nothing' }))
