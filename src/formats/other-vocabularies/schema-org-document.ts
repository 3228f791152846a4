// A record in schema.org as the JSON-LD that search engines read in its page: with the terms of
// https://schema.org, and with nodes inside each other (docs/data-model.md, "schema.org").

import { withheldName } from '../../model/record/title.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import { textValue } from '../../model/record/values.js'
import { rdf, schema, xsd } from '../../rdf/namespaces.js'
import { type Quad, distinctTriples, groupBySubject } from '../../rdf/terms.js'
import type { AccessorDependencies } from '../record-accessor.js'
import { describeInSchemaOrg } from './schema-org.js'

export type SchemaOrgDocument = Readonly<Record<string, unknown>>

/** Private values are in no document, whoever asks for the page. */
export function schemaOrgDocument(
  dependencies: AccessorDependencies,
  record: ResolvedRecord,
): SchemaOrgDocument {
  const { iris } = dependencies
  const { resource, values } = record
  const groups = groupBySubject(distinctTriples(describeInSchemaOrg(dependencies, record)))
  const agents = iris.thing('agents', '').value

  /** @param above the IRIs of the nodes that it is inside of */
  function nodeOf(id: string, above: readonly string[]): SchemaOrgDocument {
    const types: string[] = []
    const members = new Map<string, unknown[]>()
    for (const { predicate, object } of groups.get(id) ?? []) {
      if (predicate.equals(rdf('type'))) types.push(termName(object.value))
      else if (!isLooseDate(predicate, object)) {
        const name = termName(predicate.value)
        members.set(name, [...(members.get(name) ?? []), valueOf(object, [...above, id])])
      }
    }
    return {
      ...(types.length > 0 ? { '@type': oneOrAll(types) } : {}),
      '@id': id,
      ...Object.fromEntries([...members].map(([name, all]) => [name, oneOrAll(all)])),
    }
  }

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
const isLooseDate = (predicate: Quad['predicate'], object: Quad['object']): boolean =>
  [schema('datePublished'), schema('foundingDate')].some((date) => predicate.equals(date)) &&
  object.termType === 'Literal' &&
  object.datatype.equals(xsd('string'))

const termName = (term: string): string => term.slice(schema('').value.length)

const oneOrAll = (values: readonly unknown[]): unknown => (values.length === 1 ? values[0] : values)
