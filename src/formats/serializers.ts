// Every format, and whose records it prints. A new one is one file and one line.

import { type ResourceName, resourceNames } from '../model/iris.js'
import { bibtexSerializer } from './bibtex.js'
import { csvSerializer } from './csv.js'
import { dublinCoreSerializer } from './dublin-core.js'
import type { GraphBuilderDependencies } from './rdf/record-graph.js'
import { jsonLinesSerializer } from './json-lines.js'
import { jsonSerializer } from './json.js'
import { jsonldSerializer } from './jsonld/jsonld.js'
import { marcxmlSerializer } from './marc/marcxml.js'
import { ntriples } from './rdf/ntriples.js'
import type { RecordSerializer } from './serializer.js'
import { rdfxml } from './rdf/rdfxml.js'
import { rdfSerializer } from './rdf/record-serializer.js'
import { turtle } from './rdf/turtle.js'

type FormatDeclaration = {
  readonly name: string
  readonly resources: readonly ResourceName[]
  readonly make: (parts: SerializerDependencies, name: ResourceName) => RecordSerializer
  /** Prints whole lists to keep, and nothing else. */
  readonly exports?: true
}

/** What presses are made from. */
export type SerializerDependencies = GraphBuilderDependencies

// In the order in which they are preferred by clients that do not mind (decisions: formats by resource).
// prettier-ignore
const rows: readonly FormatDeclaration[] = [
  { name: 'json', resources: resourceNames, make: ({ resources }) => jsonSerializer(resources) },
  { name: 'jsonld', resources: resourceNames, make: jsonldSerializer },
  { name: 'csv', resources: resourceNames, make: ({ resources }, name) => csvSerializer(resources, resources[name]) },
  { name: 'dc', resources: resourceNames, make: ({ resources, iris }) => dublinCoreSerializer(resources, iris) },
  { name: 'turtle', resources: resourceNames, make: (parts) => rdfSerializer(turtle, parts) },
  { name: 'ntriples', resources: resourceNames, make: (parts) => rdfSerializer(ntriples, parts) },
  { name: 'rdfxml', resources: resourceNames, make: (parts) => rdfSerializer(rdfxml, parts) },
  { name: 'bibtex', resources: ['zines', 'holdings'], make: bibtexSerializer },
  { name: 'marcxml', resources: ['zines', 'agents', 'holdings'], make: marcxmlSerializer },
  { name: 'jsonl', resources: resourceNames, make: () => jsonLinesSerializer, exports: true },
]

/** As `?format=` names them. */
export const formatNames = rows.map(({ name }) => name)

/** The presses of each resource. */
export type Serializers = Readonly<Record<ResourceName, readonly RecordSerializer[]>>

/** Those that print records and pages of them. */
export const createSerializers = (parts: SerializerDependencies): Serializers =>
  buildSerializers(
    rows.filter((row) => !row.exports),
    parts,
  )

/** Those that print whole lists to keep. */
export const createExportSerializers = (parts: SerializerDependencies): Serializers =>
  buildSerializers(rows, parts)

function buildSerializers(
  wanted: readonly FormatDeclaration[],
  parts: SerializerDependencies,
): Serializers {
  const of = (resource: ResourceName): readonly RecordSerializer[] =>
    wanted
      .filter(({ resources }) => resources.includes(resource))
      .map(({ make }) => make(parts, resource))
  return {
    zines: of('zines'),
    agents: of('agents'),
    repositories: of('repositories'),
    holdings: of('holdings'),
  }
}
