// What a record of another catalogue says of a zine: by the profiles of imports, or by the fields
// that another service of this kind has. Which makers and terms of this catalogue it means is left
// to form-values.ts.

import { mapRow } from '../imports/mapping/map-row.js'
import type { MappedName, MappedRow, MappedTerm } from '../imports/mapping/mapped-row.js'
import { proposeProfile } from '../imports/mapping/propose-profile.js'
import type { AgentField } from '../imports/mapping/read-names.js'
import type { SourceRow, SourceType } from '../../lib/sources/source.js'
import type { Field, Resources } from '../../model/resources.js'

export type DescribedZine = Pick<MappedRow, 'zine' | 'names' | 'terms' | 'issues'>

/** Describes the records of one answer, in their order. */
export function describeRows(
  rows: readonly SourceRow[],
  type: SourceType,
  resources: Resources,
): readonly DescribedZine[] {
  const recognized = { options: { type }, description: '', sheets: [], columns: [] }
  const profile = proposeProfile(recognized, rows, resources)
  return rows.map((row) => mapRow(row, profile, resources))
}

/** Describes a zine as a service of this kind has it in JSON. */
export function describeJson(
  members: ReadonlyMap<string, unknown>,
  { zines }: Resources,
): DescribedZine {
  const texts = new Map<string, readonly string[]>()
  const names: MappedName[] = []
  const terms: MappedTerm[] = []
  for (const field of zines.inputFields.filter((inputField) => inputField !== zines.id)) {
    const values = [members.get(field.outputName)].flat()
    if (field.target)
      for (const name of values.flatMap((value) => textIn(value, 'display_name')))
        // The cast: the fields of zines that refer to records are those with agents.
        names.push({ field: field.name as AgentField, name, split: [] })
    else if (field.vocabulary) terms.push(...values.flatMap((value) => termOf(field, value)))
    else texts.set(field.name, values.flatMap(textOf))
  }
  const zine = Object.fromEntries([...texts].filter(([, values]) => values.length > 0))
  return { zine, names, terms, issues: [] }
}

/** A code, or an object with a code and a label. An institution may have codes of its own. */
function termOf({ name, vocabulary }: Field, value: unknown): readonly MappedTerm[] {
  const [code] = [...textOf(value), ...textIn(value, 'code')]
  if (code === undefined || !vocabulary) return []
  const [label = code] = textIn(value, 'label')
  const term = { kind: 'zines', field: name, vocabulary: vocabulary.name, value: label } as const
  return [vocabulary.find(code) ? { ...term, code } : term]
}

const textIn = (value: unknown, key: string): readonly string[] =>
  typeof value === 'object' && value !== null
    ? textOf(new Map<string, unknown>(Object.entries(value)).get(key))
    : []

const textOf = (value: unknown): readonly string[] =>
  typeof value === 'string' && value.trim() !== '' ? [value] : []
