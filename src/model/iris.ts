// The IRIs under the base: what each thing, record, graph, term and scheme is called.

import type { NamedNode } from '../rdf/terms.js'
import { decodeSegment, encodeSegment, iri } from '../rdf/terms.js'

export const resourceNames = ['zines', 'agents', 'repositories', 'holdings'] as const

export type ResourceName = (typeof resourceNames)[number]

export type Iris = ReturnType<typeof createIris>

/** @param base the service's base, an http(s) URL without a slash at its end */
export function createIris(base: string) {
  return {
    base,
    /** What everybody may see, what only some may, and the vocabularies. */
    graphs: {
      public: iri(`${base}/graphs/public`),
      private: iri(`${base}/graphs/private`),
      vocabularies: iri(`${base}/graphs/vocabularies`),
      /** How a store elsewhere holds records; nobody is shown it. */
      records: iri(`${base}/graphs/records`),
    },
    /** An own term. */
    term: (name: string): NamedNode => iri(`${base}/ns#${name}`),
    ontology: `${base}/ns`,
    shapes: `${base}/shapes`,
    vocabulary: (name: string): string => `${base}/vocabularies/${name}`,
    geography: (name: string): string => `${base}/geography/${name}`,
    /** The zine, agent, repository or holding itself. */
    thing: (resource: ResourceName, id: string): NamedNode =>
      iri(`${base}/id/${resource}/${encodeSegment(id)}`),
    /** The record that describes it, which is also where it is read. */
    record: (resource: ResourceName, id: string): NamedNode =>
      iri(`${base}/api/${resource}/${encodeSegment(id)}/`),
    /** A node that belongs to a thing, such as its address. */
    part: (thing: NamedNode, name: string): NamedNode => iri(`${thing.value}#${name}`),
    /** The identifier of a thing, from its IRI. */
    idFromIri: (thing: string): string => decodeSegment(thing.slice(thing.lastIndexOf('/') + 1)),
  }
}
