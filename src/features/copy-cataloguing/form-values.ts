// The values that the form of a new zine begins with when a record of another catalogue is taken
// over. Only makers and terms that are found exactly are taken; everything else is told, and a
// person decides.

import type { Matchers } from '../imports/analysis.js'
import type { MappedName, MappedTerm } from '../imports/mapping/mapped-row.js'
import type { DescribedZine } from './described-zine.js'

export type TakenValues = {
  /** By field. A maker that is not found exactly has his name in place of an identifier. */
  readonly values: ReadonlyMap<string, readonly string[]>
  /** What the other record has for a field and is not taken over. */
  readonly leftOut: ReadonlyMap<string, readonly string[]>
}

export function toFormValues(
  { zine, names, terms, issues }: DescribedZine,
  matchers: Matchers,
): TakenValues {
  const values = new Map<string, string[]>()
  const leftOut = new Map<string, string[]>()
  for (const [field, texts] of Object.entries(zine)) add(values, field, texts)
  for (const name of names) add(values, name.field, agentsOf(name, matchers))
  for (const term of terms) {
    const code = codeOf(term, matchers)
    if (code === undefined) add(leftOut, term.field, [term.value])
    else add(values, term.field, [code])
  }
  for (const { kind, field, value } of issues)
    if (kind === 'unreadable') add(leftOut, field.replace(/^zines\./, ''), [value])
  return { values, leftOut }
}

/** The identifier of the only maker of this name, else the name as it is shown. */
function agentsOf({ name, split }: MappedName, { names }: Matchers): readonly string[] {
  const find = (partName: string): string => {
    const { exact, displayName } = names.match(partName)
    const [only, ...others] = exact
    return only !== undefined && others.length === 0 ? only : displayName
  }
  const whole = find(name)
  const isKnown = names.match(name).exact.includes(whole)
  return isKnown || split.length === 0 ? [whole] : split.map(find)
}

function codeOf({ vocabulary, value, code }: MappedTerm, { terms }: Matchers): string | undefined {
  if (code !== undefined) return code
  const match = terms.get(vocabulary)?.match(value)
  return match?.kind === 'exact' ? match.code : undefined
}

function add(values: Map<string, string[]>, field: string, more: readonly string[]): void {
  values.set(field, [...new Set([...(values.get(field) ?? []), ...more])])
}
