// The profiles for our own CSV and JSON Lines: a column for each field of a record. Values are what
// they are, and rows are for the records that they name (docs/reference/import-profiles.md, "Our
// own formats").

import type { Field, Resources } from '../../../model/resources.js'
import { titleColumn } from '../../../model/record/csv-cells.js'
import { resourceNames } from '../../../model/iris.js'
import type { FieldRule, ImportedKind, Profile } from '../profile.js'
import { undecided } from './rules.js'

export const ownProfiles = (resources: Resources): readonly Profile[] =>
  resourceNames.map((kind) => createOwnProfile(kind, resources))

/** The profile for a source with these fields; undefined if they are not ours. */
export function findOwnProfile(
  names: ReadonlySet<string>,
  resources: Resources,
): Profile | undefined {
  // A copy names its zine too.
  const kind = (['holdings', 'zines', 'agents', 'repositories'] as const).find((resourceName) =>
    names.has(resources[resourceName].id.name),
  )
  if (!kind) return undefined
  const profile = createOwnProfile(kind, resources)
  const known = new Set(profile.rules.map(({ from }) => from))
  const isPart = (name: string): boolean => known.has(name.split('.')[0] ?? '')
  // Another table may call its own numbers so.
  const foreign = [...names].filter((name) => !known.has(name) && !isPart(name))
  if (foreign.length * 2 > names.size) return undefined
  const parts = [...names].filter((name) => !known.has(name) && isPart(name))
  const unusedParts = parts.map((from): FieldRule => ({ from, to: 'nothing' }))
  return { ...profile, rules: [...profile.rules, ...unusedParts] }
}

/** Whether a profile takes all values as they are. */
export const isOwnProfile = ({ rules }: Profile): boolean =>
  rules.every(({ to, as }) => to === 'nothing' || as === 'exact')

function createOwnProfile(kind: ImportedKind, resources: Resources): Profile {
  const { id, inputFields } = resources[kind]
  return {
    ...undecided,
    name: `Own format: ${kind}`,
    description: `Our own CSV or JSON Lines with ${kind}.`,
    source: {},
    identifiers: {
      zines: kind === 'zines' ? '{import}-{row}' : '',
      holdings: kind === 'holdings' ? '{import}-{row}' : '{zine}-{item}',
      agents: '',
    },
    rules: [
      { from: id.name, to: `${kind}.${id.name}`, as: 'exact' },
      ...inputFields
        .filter((field) => field !== id)
        .flatMap((field) => rulesOf(kind, field, resources)),
      ...unused(kind, resources),
    ],
    defaults: { zines: {}, holdings: {} },
  }
}

/** What a client sends, and what it gets: there a reference and a code are in an object. */
function rulesOf(kind: ImportedKind, field: Field, resources: Resources): readonly FieldRule[] {
  const rule: FieldRule = {
    from: field.name,
    to: `${kind}.${field.name}`,
    as: 'exact',
    ...(field.repeatable ? { split: '|' } : {}),
  }
  const key = field.target ? resources[field.target].id.name : field.nested ? 'code' : undefined
  return key === undefined ? [rule] : [rule, { ...rule, from: `${field.outputName}.${key}` }]
}

/** What the record says of itself, and the names beside references, which the service makes. */
const unused = (kind: ImportedKind, resources: Resources): readonly FieldRule[] =>
  [
    ...resources[kind].fields.filter(({ onRecordNode }) => onRecordNode).map(({ name }) => name),
    ...resources[kind].inputFields.flatMap((field) => titleColumn(resources, field) ?? []),
  ].map((from) => ({ from, to: 'nothing' }))
