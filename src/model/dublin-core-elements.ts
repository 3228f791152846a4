// The fifteen elements of Dublin Core, and which of them a property is. A property that is none of them and
// a sub-property of none is left out of Dublin Core records (docs/data-model.md, "Dublin Core").

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

/** The nearest element that the property is, or is a sub-property of; undefined when there is none. */
export function elementOf(property: NamedNode, ontology: Store): DublinCoreElement | undefined {
  const visited = new Set<string>()
  let level = [property.value]
  while (level.length > 0) {
    const found = elements.find((name) => level.includes(dcterms(name).value))
    if (found) return found
    for (const iri of level) visited.add(iri)
    level = level
      .flatMap((iri) => ontology.getObjects(iri, rdfs('subPropertyOf'), null))
      .map((parent) => parent.value)
      .filter((iri) => !visited.has(iri))
  }
  return undefined
}
