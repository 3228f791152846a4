// Serializes records in another vocabulary, in the RDF syntaxes, for `?vocabulary=`.

import type { ResourceName } from '../../model/iris.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import { textValue } from '../../model/record/values.js'
import { prefixesUnder } from '../../rdf/namespaces.js'
import { type NamedNode, type Quad, distinctTriples } from '../../rdf/terms.js'
import { contextIri } from '../jsonld/context.js'
import { toFlatNodes } from '../jsonld/nodes.js'
import { memberTriples, pageTriples } from '../rdf/hydra-paging.js'
import { createPrefixer } from '../rdf/prefixed-names.js'
import { type RdfSyntax, serializeTriples } from '../rdf/syntax.js'
import type { AccessorDependencies } from '../record-accessor.js'
import type { Format, RecordSerializer, DescriptionVocabulary } from '../serializer.js'
import { describeInBibframe } from './bibframe.js'
import { describeInSchemaOrg } from './schema-org.js'

type DescribeRecord = (
  dependencies: AccessorDependencies,
  record: ResolvedRecord,
) => readonly Quad[]

const describers: Readonly<Record<DescriptionVocabulary, DescribeRecord>> = {
  bibframe: describeInBibframe,
  schema: describeInSchemaOrg,
}

/** @param syntax undefined for JSON-LD */
export function createVocabularySerializer(
  dependencies: AccessorDependencies,
  resource: ResourceName,
  format: Format,
  syntax: RdfSyntax | undefined,
): (name: DescriptionVocabulary) => RecordSerializer {
  const { base } = dependencies.iris
  const prefixes = prefixesUnder(base)
  const thingOf = ({ resource, values }: ResolvedRecord): NamedNode =>
    dependencies.iris.thing(resource.name, textValue(values, resource.id.name))
  return (name) => {
    const describe = (record: ResolvedRecord): readonly Quad[] =>
      distinctTriples(describers[name](dependencies, record))
    const shared = {
      ...format,
      ...(resource === 'zines' ? ({ needsHoldings: true } as const) : {}),
    }
    if (syntax)
      return {
        ...shared,
        record: (record) => serializeTriples(syntax, describe(record), prefixes),
        listStart: (list) => syntax.open(prefixes) + syntax.statements(pageTriples(list), prefixes),
        listItem: (record, _index, list) =>
          syntax.statements(
            [...memberTriples(thingOf(record), list), ...describe(record)],
            prefixes,
          ),
        listEnd: () => syntax.close(),
      }
    const nodesOf = (triples: readonly Quad[]): string =>
      JSON.stringify(toFlatNodes(triples, createPrefixer(prefixes))).slice(1, -1)
    const start = `{"@context":${JSON.stringify(contextIri(base))},"@graph":[`
    return {
      ...shared,
      record: (record) => `${start}${nodesOf(describe(record))}]}`,
      listStart: (list) => start + nodesOf(pageTriples(list)),
      listItem: (record, index, list) =>
        (index === 0 && !list.links ? '' : ',') +
        nodesOf([...memberTriples(thingOf(record), list), ...describe(record)]),
      listEnd: () => ']}',
    }
  }
}
