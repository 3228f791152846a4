// The fifteen elements of Dublin Core, and the one that a property leads up to. What leads to none is
// nothing that Dublin Core could say.

import type { Store } from 'n3'

import { dcterms, rdfs } from '../rdf/namespaces.js'
import type { NamedNode } from '../rdf/terms.js'

/** In the order in which DCMI lists what a reader looks for first. */
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

/** Walks up `rdfs:subPropertyOf`, the nearest first, to an element; undefined when there is none. */
export function elementOf(property: NamedNode, ontology: Store): DublinCoreElement | undefined {
  const passed = new Set<string>()
  let level = [property.value]
  while (level.length > 0) {
    const found = elements.find((name) => level.includes(dcterms(name).value))
    if (found) return found
    for (const iri of level) passed.add(iri)
    level = level
      .flatMap((iri) => ontology.getObjects(iri, rdfs('subPropertyOf'), null))
      .map((parent) => parent.value)
      .filter((iri) => !passed.has(iri))
  }
  return undefined
}
