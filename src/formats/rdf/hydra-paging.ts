// Describes a page of a list with the terms of Hydra: the collection, its size, and links to its
// pages.

import { hydra, rdf } from '../../rdf/namespaces.js'
import { type NamedNode, type Quad, integer, iri, triple } from '../../rdf/terms.js'
import type { PageLinks, ListInfo } from '../serializer.js'

/** The triples of the collection and of the page; none for a list that is exported whole. */
export function pageTriples({ count, links }: ListInfo): Quad[] {
  if (!links) return []
  const collection = collectionOf(links)
  const page = iri(links.self)
  const { first, next, previous, last } = links
  const neighbours = Object.entries({ first, next, previous, last })
  return [
    triple(collection, rdf('type'), hydra('Collection')),
    triple(collection, hydra('totalItems'), integer(count)),
    triple(collection, hydra('view'), page),
    triple(page, rdf('type'), hydra('PartialCollectionView')),
    ...neighbours.flatMap(([name, url]) => (url ? [triple(page, hydra(name), iri(url))] : [])),
  ]
}

/**
 * The triple that makes a thing a member of the collection; none for a list that is exported whole.
 */
export const memberTriples = (thing: NamedNode, { links }: ListInfo): Quad[] =>
  links ? [triple(collectionOf(links), hydra('member'), thing)] : []

/** The IRI of the whole list: a fragment of its first page, since a page is not the list itself. */
export function collectionOf({ first }: PageLinks): NamedNode {
  const url = new URL(first)
  for (const name of ['page_size', 'cursor', 'format']) url.searchParams.delete(name)
  url.hash = 'collection'
  return iri(url.href)
}
