// A press for each syntax of triples: records, and lists with their paging.

import { textValue } from '../../model/record/values.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import { prefixesUnder } from '../../rdf/namespaces.js'
import { type GraphBuilderDependencies, createGraphBuilder } from './record-graph.js'
import { memberTriples, pageTriples } from './hydra-paging.js'
import type { Format, RecordSerializer } from '../serializer.js'
import { type RdfSyntax, serializeTriples } from './syntax.js'

export function rdfSerializer(
  syntax: RdfSyntax,
  parts: GraphBuilderDependencies,
): RecordSerializer {
  const { graphOf } = createGraphBuilder(parts)
  const prefixes = prefixesUnder(parts.iris.base)
  const listPrefixes = Object.fromEntries(
    Object.entries(prefixes).filter(([prefix]) => !mediaTypesForN3.has(prefix)),
  )
  const thingOf = ({ resource, values }: ResolvedRecord) =>
    parts.iris.thing(resource.name, textValue(values, resource.id.name))
  return {
    ...formatOf(syntax),
    listsUseListView: true,
    record: (record) => serializeTriples(syntax, graphOf(record, 'detail'), prefixes),
    // All prefixes that a list may need: its records are not known yet.
    listStart: (listed) =>
      syntax.open(listPrefixes) + syntax.statements(pageTriples(listed), listPrefixes),
    listItem: (record, _index, listed) =>
      syntax.statements(
        [
          ...memberTriples(thingOf(record), listed),
          // A page shows what its JSON does; a whole list, which is kept as a file, whole records.
          ...graphOf(record, listed.links ? 'list' : 'detail'),
        ],
        listPrefixes,
      ),
    listEnd: () => syntax.close(),
  }
}

/** The syntax's format alone: a serializer has other functions than a syntax. */
const formatOf = ({ name, title, type, extension }: RdfSyntax): Format => ({
  name,
  type,
  ...(title ? { title } : {}),
  ...(extension ? { extension } : {}),
})

// Prefixes that no record uses.
const mediaTypesForN3 = new Set(['owl', 'sh', 'void', 'gn', 'geo'])
