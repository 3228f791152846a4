// Every format of records, and the resources that it serializes. A new format is one file and one
// row.

import { type ResourceName, resourceNames, forEachResource } from '../model/iris.js'
import type { FindPlace } from '../model/place-names.js'
import type { Places } from '../model/places.js'
import { atom, atomSerializer } from './atom.js'
import { bibtex, bibtexSerializer } from './bibtex.js'
import { cslJson, cslJsonSerializer } from './csl-json.js'
import { csv, csvSerializer } from './csv.js'
import { dublinCore, dublinCoreSerializer } from './dublin-core.js'
import type { GraphBuilderDependencies } from './rdf/record-graph.js'
import { jsonLines, jsonLinesSerializer } from './json-lines.js'
import { json } from './common-formats.js'
import { jsonSerializer } from './json.js'
import { jsonld, jsonldSerializer } from './jsonld/jsonld.js'
import { marc, marcSerializer } from './marc/marc.js'
import { marcxml, marcxmlSerializer } from './marc/marcxml.js'
import { mods, modsSerializer } from './mods.js'
import { ntriples } from './rdf/ntriples.js'
import type { Format, RecordSerializer } from './serializer.js'
import { rdfxml } from './rdf/rdfxml.js'
import { ris, risSerializer } from './ris.js'
import { createVocabularySerializer } from './other-vocabularies/serializers.js'
import { formatOfSyntax, rdfSerializer } from './rdf/record-serializer.js'
import type { RdfSyntax } from './rdf/syntax.js'
import { turtle } from './rdf/turtle.js'
import { xlsx, xlsxSerializer } from './xlsx.js'

type FormatDeclaration = {
  readonly format: Format
  readonly resources: readonly ResourceName[]
  readonly create: (dependencies: SerializerDependencies, name: ResourceName) => RecordSerializer
  /** Serializes nothing else: whole lists for export, or pages of lists. */
  readonly only?: 'exports' | 'pages'
}

/** What serializers are created from. */
export type SerializerDependencies = GraphBuilderDependencies & {
  readonly places: Places
  readonly findPlace: FindPlace
  readonly marcOrgCode?: string
  /** What the catalogue is called. */
  readonly siteName?: string
}

// In order of preference for clients that have none (docs/reference/formats.md, "Formats and
// content negotiation").
// prettier-ignore
const formats: readonly FormatDeclaration[] = [
  { format: json, resources: resourceNames, create: ({ resources }, name) => jsonSerializer(resources, resources[name]) },
  { format: jsonld, resources: resourceNames, create: (dependencies, name) => inVocabularies(jsonldSerializer(dependencies), dependencies, name) },
  { format: csv, resources: resourceNames, create: ({ resources }, name) => csvSerializer(resources, resources[name]) },
  { format: xlsx, resources: resourceNames, create: ({ resources }, name) => xlsxSerializer(resources, resources[name]) },
  { format: dublinCore, resources: resourceNames, create: ({ resources, iris }) => dublinCoreSerializer(resources, iris) },
  { format: turtle, resources: resourceNames, create: (dependencies, name) => inVocabularies(rdfSerializer(turtle, dependencies), dependencies, name, turtle) },
  { format: ntriples, resources: resourceNames, create: (dependencies, name) => inVocabularies(rdfSerializer(ntriples, dependencies), dependencies, name, ntriples) },
  { format: rdfxml, resources: resourceNames, create: (dependencies, name) => inVocabularies(rdfSerializer(rdfxml, dependencies), dependencies, name, rdfxml) },
  { format: bibtex, resources: ['zines', 'holdings'], create: bibtexSerializer },
  { format: ris, resources: ['zines', 'holdings'], create: risSerializer },
  { format: cslJson, resources: ['zines', 'holdings'], create: cslJsonSerializer },
  { format: marcxml, resources: ['zines', 'agents', 'holdings'], create: marcxmlSerializer },
  { format: marc, resources: ['zines', 'agents', 'holdings'], create: marcSerializer },
  { format: mods, resources: ['zines'], create: modsSerializer },
  { format: jsonLines, resources: resourceNames, create: () => jsonLinesSerializer, only: 'exports' },
  { format: atom, resources: resourceNames, create: (dependencies, name) => atomSerializer(dependencies, dependencies.resources[name]), only: 'pages' },
]

/** The serializer of an RDF format, with those of the same format in other vocabularies. */
function inVocabularies(
  serializer: RecordSerializer,
  dependencies: SerializerDependencies,
  name: ResourceName,
  syntax?: RdfSyntax,
): RecordSerializer {
  const format = syntax ? formatOfSyntax(syntax) : jsonld
  return {
    ...serializer,
    withVocabulary: createVocabularySerializer(dependencies, name, format, syntax),
  }
}

const exportFormats = formats.filter(({ only }) => only !== 'pages')

/** The names that `?format=` accepts. */
export const formatNames = formats.map(({ format }) => format.name)

/** The serializers of each resource, in order of preference. */
export type Serializers = Readonly<Record<ResourceName, readonly RecordSerializer[]>>

/** The serializers of records, which serialize pages of lists too. */
export const createSerializers = (dependencies: SerializerDependencies): Serializers =>
  buildSerializers(
    formats.filter(({ only }) => only === undefined),
    dependencies,
  )

/** The serializers of pages of lists. */
export const createPageSerializers = (dependencies: SerializerDependencies): Serializers =>
  buildSerializers(
    formats.filter(({ only }) => only !== 'exports'),
    dependencies,
  )

/** The serializers of whole lists, for export. */
export const createExportSerializers = (dependencies: SerializerDependencies): Serializers =>
  buildSerializers(exportFormats, dependencies)

/** The formats of a whole list of the resource: those for people first, then those for programs. */
export function exportFormatsOf(name: ResourceName): readonly Format[] {
  const offered = exportFormats.filter(({ resources }) => resources.includes(name))
  const isForPrograms = (format: Format): boolean => programFormats.includes(format)
  return offered
    .map(({ format }) => format)
    .toSorted((a, b) => Number(isForPrograms(a)) - Number(isForPrograms(b)))
}

const programFormats: readonly Format[] = [json, jsonld, turtle, ntriples, rdfxml]

function buildSerializers(
  declarations: readonly FormatDeclaration[],
  dependencies: SerializerDependencies,
): Serializers {
  return forEachResource((resource) =>
    declarations
      .filter(({ resources }) => resources.includes(resource))
      .map(({ create }) => create(dependencies, resource)),
  )
}
