// The fifteen elements of Dublin Core, and the element that a property has in Dublin Core XML: the
// one that the ontology gives by `zc:dublinCoreElement`, or that its own terms refine by
// `rdfs:subPropertyOf`. A property without an element is left out of Dublin Core XML.

import type { Store } from 'n3'

import { dcterms, rdfs } from '../rdf/namespaces.js'
import type { NamedNode } from '../rdf/terms.js'

/** In the order in which DCMI lists them, with what readers look for first. */
export const elements = [
  'title',
  'creator',
  'contributor',
  'publisher',
  'date',
  'type',
  'format',
  'language',
  'subject',
  'description',
  'coverage',
  'source',
  'relation',
  'rights',
  'identifier',
] as const

export type DublinCoreElement = (typeof elements)[number]

/** @param dublinCoreElement our own annotation property, whose IRI depends on the base URL */
export function elementOf(
  property: NamedNode,
  ontology: Store,
  dublinCoreElement: NamedNode,
): DublinCoreElement | undefined {
  const visited = new Set<string>()
  let level = [property.value]
  while (level.length > 0) {
    const element = elements.find((name) => level.includes(dcterms(name).value))
    if (element) return element
    for (const iri of level) visited.add(iri)
    level = level
      .flatMap((iri) => [
        ...ontology.getObjects(iri, rdfs('subPropertyOf'), null),
        ...ontology.getObjects(iri, dublinCoreElement, null),
      ])
      .map((parent) => parent.value)
      .filter((iri) => !visited.has(iri))
  }
  return undefined
}
