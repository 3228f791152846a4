// Creates the serializer of records for an RDF syntax: single records, and lists with their paging.

import { textValue } from '../../model/record/values.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import { prefixesUnder } from '../../rdf/namespaces.js'
import { type GraphBuilderDependencies, GraphBuilder } from './record-graph.js'
import { memberTriples, pageTriples } from './hydra-paging.js'
import type { Format, RecordSerializer } from '../serializer.js'
import { type RdfSyntax, serializeTriples } from './syntax.js'

export function rdfSerializer(
  syntax: RdfSyntax,
  dependencies: GraphBuilderDependencies,
): RecordSerializer {
  const graphs = new GraphBuilder(dependencies)
  const prefixes = prefixesUnder(dependencies.iris.base)
  const listPrefixes = Object.fromEntries(
    Object.entries(prefixes).filter(([prefix]) => !prefixesNotInRecords.has(prefix)),
  )
  const thingOf = ({ resource, values }: ResolvedRecord) =>
    dependencies.iris.thing(resource.name, textValue(values, resource.id.name))
  return {
    ...formatOfSyntax(syntax),
    listsUseListView: true,
    record: (record) => serializeTriples(syntax, graphs.buildGraph(record, 'detail'), prefixes),
    // All prefixes that a record may need: the records of a list are not known yet.
    listStart: (listInfo) =>
      syntax.open(listPrefixes) + syntax.statements(pageTriples(listInfo), listPrefixes),
    listItem: (record, _index, listInfo) =>
      syntax.statements(
        [
          ...memberTriples(thingOf(record), listInfo),
          // A page shows what its JSON shows; an exported list shows whole records.
          ...graphs.buildGraph(record, listInfo.links ? 'list' : 'detail'),
        ],
        listPrefixes,
      ),
    listEnd: () => syntax.close(),
  }
}

/** The syntax's format alone: a serializer has other functions than a syntax. */
export const formatOfSyntax = ({ name, title, type, extension }: RdfSyntax): Format => ({
  name,
  type,
  ...(title ? { title } : {}),
  ...(extension ? { extension } : {}),
})

// Prefixes that no record uses.
const prefixesNotInRecords = new Set(['owl', 'sh', 'void', 'gn', 'geo'])
