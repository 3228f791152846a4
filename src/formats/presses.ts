// Every format, and whose records it prints. A new one is one file and one line.

import { type Addresses, type ResourceName, resourceNames } from '../model/addresses.js'
import type { Resources } from '../model/facts.js'
import { csvPress } from './csv.js'
import { dublinCorePress } from './dublin-core.js'
import { jsonPress } from './json.js'
import { jsonLinesPress } from './json-lines.js'
import type { Press } from './press.js'

type Row = {
  readonly name: string
  readonly prints: readonly ResourceName[]
  readonly make: (parts: Parts, name: ResourceName) => Press
  /** Prints whole lists to keep, and nothing else. */
  readonly exports?: true
}

/** What presses are made from. */
export type Parts = { readonly resources: Resources; readonly addresses: Addresses }

// In the order in which they are preferred by clients that do not mind (decisions: formats by resource).
// prettier-ignore
const rows: readonly Row[] = [
  { name: 'json', prints: resourceNames, make: ({ resources }) => jsonPress(resources) },
  { name: 'csv', prints: resourceNames, make: ({ resources }, name) => csvPress(resources, resources[name]) },
  { name: 'dc', prints: resourceNames, make: ({ resources, addresses }) => dublinCorePress(resources, addresses) },
  { name: 'jsonl', prints: resourceNames, make: () => jsonLinesPress, exports: true },
]

/** As `?format=` names them. */
export const formatNames = rows.map(({ name }) => name)

/** The presses of each resource. */
export type Presses = Readonly<Record<ResourceName, readonly Press[]>>

/** Those that print records and pages of them. */
export const setUpPresses = (parts: Parts): Presses =>
  makePresses(
    rows.filter((row) => !row.exports),
    parts,
  )

/** Those that print whole lists to keep. */
export const setUpExportPresses = (parts: Parts): Presses => makePresses(rows, parts)

function makePresses(wanted: readonly Row[], parts: Parts): Presses {
  const of = (resource: ResourceName): readonly Press[] =>
    wanted
      .filter(({ prints }) => prints.includes(resource))
      .map(({ make }) => make(parts, resource))
  return {
    zines: of('zines'),
    agents: of('agents'),
    repositories: of('repositories'),
    holdings: of('holdings'),
  }
}
