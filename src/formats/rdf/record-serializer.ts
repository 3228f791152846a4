// A press for each syntax of triples: records, and lists with their paging.

import { textOf } from '../../model/record/values.js'
import type { Sheet } from '../../model/record/views.js'
import { prefixesUnder } from '../../rdf/namespaces.js'
import { type GraphParts, graphsOf } from './record-graph.js'
import { memberTriples, pageTriples } from './hydra-paging.js'
import type { Press } from '../serializer.js'
import { type Syntax, writeTriples } from './syntax.js'

export function triplesPress(syntax: Syntax, parts: GraphParts): Press {
  const { graphOf } = graphsOf(parts)
  const prefixes = prefixesUnder(parts.addresses.base)
  const listPrefixes = Object.fromEntries(
    Object.entries(prefixes).filter(([prefix]) => !strangers.has(prefix)),
  )
  const thingOf = ({ resource, card }: Sheet) =>
    parts.addresses.thing(resource.name, textOf(card, resource.id.name))
  return {
    name: syntax.name,
    type: syntax.type,
    brief: true,
    ...(syntax.extension ? { extension: syntax.extension } : {}),
    record: (sheet) => writeTriples(syntax, graphOf(sheet, 'detail'), prefixes),
    // All prefixes that a list may need: its records are not known yet.
    open: (listed) =>
      syntax.open(listPrefixes) + syntax.statements(pageTriples(listed), listPrefixes),
    item: (sheet, _index, listed) =>
      syntax.statements(
        [
          ...memberTriples(thingOf(sheet), listed),
          // A page shows what its JSON does; a whole list, which is kept as a file, whole records.
          ...graphOf(sheet, listed.links ? 'list' : 'detail'),
        ],
        listPrefixes,
      ),
    close: () => syntax.close(),
  }
}

// What no record uses.
const strangers = new Set(['owl', 'sh', 'void', 'gn', 'geo'])
