// Every format, and whose records it prints. A new one is one file and one line.

import { type ResourceName, resourceNames } from '../model/iris.js'
import { bibtex, bibtexSerializer } from './bibtex.js'
import { csv, csvSerializer } from './csv.js'
import { dublinCore, dublinCoreSerializer } from './dublin-core.js'
import type { GraphBuilderDependencies } from './rdf/record-graph.js'
import { jsonLines, jsonLinesSerializer } from './json-lines.js'
import { json, jsonSerializer } from './json.js'
import { jsonld, jsonldSerializer } from './jsonld/jsonld.js'
import { marcxml, marcxmlSerializer } from './marc/marcxml.js'
import { ntriples } from './rdf/ntriples.js'
import type { Format, RecordSerializer } from './serializer.js'
import { rdfxml } from './rdf/rdfxml.js'
import { rdfSerializer } from './rdf/record-serializer.js'
import { turtle } from './rdf/turtle.js'

type FormatDeclaration = {
  readonly format: Format
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
  { format: json, resources: resourceNames, make: ({ resources }) => jsonSerializer(resources) },
  { format: jsonld, resources: resourceNames, make: jsonldSerializer },
  { format: csv, resources: resourceNames, make: ({ resources }, name) => csvSerializer(resources, resources[name]) },
  { format: dublinCore, resources: resourceNames, make: ({ resources, iris }) => dublinCoreSerializer(resources, iris) },
  { format: turtle, resources: resourceNames, make: (parts) => rdfSerializer(turtle, parts) },
  { format: ntriples, resources: resourceNames, make: (parts) => rdfSerializer(ntriples, parts) },
  { format: rdfxml, resources: resourceNames, make: (parts) => rdfSerializer(rdfxml, parts) },
  { format: bibtex, resources: ['zines', 'holdings'], make: bibtexSerializer },
  { format: marcxml, resources: ['zines', 'agents', 'holdings'], make: marcxmlSerializer },
  { format: jsonLines, resources: resourceNames, make: () => jsonLinesSerializer, exports: true },
]

/** As `?format=` names them. */
export const formatNames = rows.map(({ format }) => format.name)

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
