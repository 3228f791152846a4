// A record in schema.org as the JSON-LD that search engines read in its page: with the terms of
// https://schema.org, and with nodes inside each other (docs/reference/rdf-formats.md,
// "schema.org").

import { withheldName } from '../../model/record/title.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import { textValue } from '../../model/record/values.js'
import { schema, xsd } from '../../rdf/namespaces.js'
import { type Quad, distinctTriples, groupBySubject } from '../../rdf/terms.js'
import { type JsonLdNode, writeNode } from '../jsonld/nodes.js'
import type { AccessorDependencies } from '../record-accessor.js'
import { describeInSchemaOrg } from './schema-org.js'

/** Private values are in no document, whoever asks for the page. */
export function schemaOrgDocument(
  dependencies: AccessorDependencies,
  record: ResolvedRecord,
): JsonLdNode {
  const { iris } = dependencies
  const { resource, values } = record
  const triples = distinctTriples(describeInSchemaOrg(dependencies, record))
  const groups = groupBySubject(triples.filter((triple) => !hasLooseDate(triple)))
  const agents = iris.thing('agents', '').value

  /** @param above the IRIs of the nodes that it is inside of */
  const nodeOf = (id: string, above: readonly string[]): JsonLdNode =>
    writeNode(groups.get(id) ?? [], {
      nameOf: termName,
      valueOf: (object) => valueOf(object, [...above, id]),
    })

  function valueOf(object: Quad['object'], above: readonly string[]): unknown {
    const { value } = object
    if (object.termType === 'Literal')
      return object.datatype.equals(xsd('integer')) ? Number(value) : value
    if (above.includes(value)) return { '@id': value }
    if (groups.has(value)) return nodeOf(value, above)
    // The identifier in the IRI of a deleted agent may be a name.
    return value.startsWith(agents) ? { name: withheldName } : value
  }

  const thing = iris.thing(resource.name, textValue(values, resource.id.name)).value
  return { '@context': 'https://schema.org', ...nodeOf(thing, []) }
}

// Search engines take dates of ISO 8601 alone.
const hasLooseDate = ({ predicate, object }: Quad): boolean =>
  [schema('datePublished'), schema('foundingDate')].some((date) => predicate.equals(date)) &&
  object.termType === 'Literal' &&
  object.datatype.equals(xsd('string'))

const termName = (term: string): string => term.slice(schema('').value.length)
