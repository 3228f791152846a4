// Every format, and whose records it prints. A new one is one file and one line.

import { type ResourceName, resourceNames } from '../model/iris.js'
import { bibtexPress } from './bibtex.js'
import { csvPress } from './csv.js'
import { dublinCorePress } from './dublin-core.js'
import type { GraphParts } from './rdf/record-graph.js'
import { jsonLinesPress } from './json-lines.js'
import { jsonPress } from './json.js'
import { jsonldPress } from './jsonld/jsonld.js'
import { marcxmlPress } from './marc/marcxml.js'
import { ntriples } from './rdf/ntriples.js'
import type { Press } from './serializer.js'
import { rdfxml } from './rdf/rdfxml.js'
import { triplesPress } from './rdf/record-serializer.js'
import { turtle } from './rdf/turtle.js'

type Row = {
  readonly name: string
  readonly prints: readonly ResourceName[]
  readonly make: (parts: Parts, name: ResourceName) => Press
  /** Prints whole lists to keep, and nothing else. */
  readonly exports?: true
}

/** What presses are made from. */
export type Parts = GraphParts

// In the order in which they are preferred by clients that do not mind (decisions: formats by resource).
// prettier-ignore
const rows: readonly Row[] = [
  { name: 'json', prints: resourceNames, make: ({ resources }) => jsonPress(resources) },
  { name: 'jsonld', prints: resourceNames, make: jsonldPress },
  { name: 'csv', prints: resourceNames, make: ({ resources }, name) => csvPress(resources, resources[name]) },
  { name: 'dc', prints: resourceNames, make: ({ resources, addresses }) => dublinCorePress(resources, addresses) },
  { name: 'turtle', prints: resourceNames, make: (parts) => triplesPress(turtle, parts) },
  { name: 'ntriples', prints: resourceNames, make: (parts) => triplesPress(ntriples, parts) },
  { name: 'rdfxml', prints: resourceNames, make: (parts) => triplesPress(rdfxml, parts) },
  { name: 'bibtex', prints: ['zines', 'holdings'], make: bibtexPress },
  { name: 'marcxml', prints: ['zines', 'agents', 'holdings'], make: marcxmlPress },
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
