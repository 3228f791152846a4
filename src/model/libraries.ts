// The libraries that have a zine, from its holdings: the copies of each library together.

import { type RecordValues, textValue } from './record/values.js'
import type { ResolvedRecord } from './record/views.js'

export type HoldingLibrary = {
  readonly id: string
  /** Its identifier where it has no record. */
  readonly name: string
  readonly values: RecordValues
  /** Its copies of the zine, in the order of the holdings. */
  readonly copies: readonly ResolvedRecord[]
}

/** By name. */
export function librariesOf(holdings: readonly ResolvedRecord[]): readonly HoldingLibrary[] {
  const byId = new Map<string, ResolvedRecord[]>()
  for (const holding of holdings) {
    const id = textValue(holding.values, 'repository_id')
    const copies = byId.get(id)
    if (copies) copies.push(holding)
    else byId.set(id, [holding])
  }
  return [...byId]
    .map(([id, copies]) => {
      const values = copies[0]?.lookup({ target: 'repositories', id }) ?? {}
      return { id, name: textValue(values, 'repository_name') || id, values, copies }
    })
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
}
