// The formats in which items are harvested, made by the serializers of records.

import { dublinCore } from '../../formats/dublin-core.js'
import { marcxml } from '../../formats/marc/marcxml.js'
import { rdfxml } from '../../formats/rdf/rdfxml.js'
import type { Format, RecordSerializer } from '../../formats/serializer.js'
import type { Serializers } from '../../formats/serializers.js'
import { type ResourceName, resourceNames } from '../../model/iris.js'
import type { ResolvedRecord } from '../../model/record/views.js'

export type MetadataFormat = {
  readonly prefix: string
  readonly schema: string
  readonly namespace: string
  /** The kinds that have the format. */
  readonly kinds: ReadonlySet<ResourceName>
  /** The element of a record. */
  readonly write: (record: ResolvedRecord) => string
}

const declarations: readonly (Pick<MetadataFormat, 'prefix' | 'schema' | 'namespace'> & {
  readonly format: Format
})[] = [
  {
    prefix: 'oai_dc',
    schema: 'http://www.openarchives.org/OAI/2.0/oai_dc.xsd',
    namespace: 'http://www.openarchives.org/OAI/2.0/oai_dc/',
    format: dublinCore,
  },
  {
    prefix: 'marc21',
    schema: 'http://www.loc.gov/standards/marcxml/schema/MARC21slim.xsd',
    namespace: 'http://www.loc.gov/MARC21/slim',
    format: marcxml,
  },
  {
    prefix: 'rdf',
    schema: 'http://www.openarchives.org/OAI/2.0/rdf.xsd',
    namespace: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
    format: rdfxml,
  },
]

export const createMetadataFormats = (serializers: Serializers): readonly MetadataFormat[] =>
  declarations.map(({ format, ...declaration }) => {
    const byKind = new Map<ResourceName, RecordSerializer>()
    for (const name of resourceNames) {
      const serializer = serializers[name].find((candidate) => candidate.name === format.name)
      if (serializer) byKind.set(name, serializer)
    }
    return {
      ...declaration,
      kinds: new Set(byKind.keys()),
      write: (record) => withoutDeclaration(byKind.get(record.resource.name)?.record(record) ?? ''),
    }
  })

/** An element inside a document has no XML declaration. */
const withoutDeclaration = (document: string): string => document.replace(/^<\?xml[^>]*\?>\s*/, '')
