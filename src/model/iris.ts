// Makes the IRIs of things, records, graphs, terms and concept schemes under the base URL
// (docs/reference/data-model.md, "Graphs and identifiers").

import type { NamedNode } from '../rdf/terms.js'
import { decodeSegment, encodeSegment, iri } from '../rdf/terms.js'

export const resourceNames = ['zines', 'agents', 'repositories', 'holdings'] as const

export type ResourceName = (typeof resourceNames)[number]

/** A value for each resource. */
export const forEachResource = <Value>(
  valueOf: (name: ResourceName) => Value,
): Readonly<Record<ResourceName, Value>> =>
  // The cast: the keys are all names.
  Object.fromEntries(resourceNames.map((name) => [name, valueOf(name)])) as Readonly<
    Record<ResourceName, Value>
  >

export type Iris = ReturnType<typeof createIris>

/** @param base BASE_URL: an http or https URL without a slash at the end */
export function createIris(base: string) {
  return {
    base,
    /**
     * Graphs of what everybody may see, of private fields, of the order of values, and of
     * vocabularies.
     */
    graphs: {
      public: iri(`${base}/graphs/public`),
      private: iri(`${base}/graphs/private`),
      /** Has nothing private, but only the service needs it; never shown. */
      order: iri(`${base}/graphs/order`),
      vocabularies: iri(`${base}/graphs/vocabularies`),
      /** The graph in which a remote store has its own state; never shown. */
      records: iri(`${base}/graphs/records`),
    },
    /** A term of our own ontology. */
    term: (name: string): NamedNode => iri(`${base}/ns#${name}`),
    ontology: `${base}/ns`,
    shapes: `${base}/shapes`,
    documentShapes: `${base}/shapes/documents`,
    vocabulary: (name: string): string => `${base}/vocabularies/${name}`,
    geography: (name: string): string => `${base}/geography/${name}`,
    /** The zine, agent, repository or holding itself. */
    thing: (resource: ResourceName, id: string): NamedNode =>
      iri(`${base}/id/${resource}/${encodeSegment(id)}`),
    /** The record about it, which is also the URL of the record in the API. */
    record: (resource: ResourceName, id: string): NamedNode =>
      iri(`${base}/api/${resource}/${encodeSegment(id)}/`),
    /** A series of zines (docs/reference/data-model.md, "Series"); also the URL of its document. */
    series: (slug: string): NamedNode => iri(`${base}/series/${encodeSegment(slug)}`),
    /** A list that editors made. */
    curatedList: (slug: string): NamedNode => iri(`${base}/id/lists/${encodeSegment(slug)}`),
    /** A node that belongs to a thing, such as its address. */
    part: (thing: NamedNode, name: string): NamedNode => iri(`${thing.value}#${name}`),
    /** The identifier of a thing, from its IRI. */
    idFromIri: (thing: string): string => decodeSegment(thing.slice(thing.lastIndexOf('/') + 1)),
  }
}
