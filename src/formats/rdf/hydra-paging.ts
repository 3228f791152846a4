// A page of a list in the terms of Hydra: the collection, how many it has, and where its pages are.

import { hydra, rdf } from '../../rdf/namespaces.js'
import { type NamedNode, type Quad, integer, iri, triple } from '../../rdf/terms.js'
import type { PageLinks, ListInfo } from '../serializer.js'

/** The collection and the page; nothing for a list that is printed whole. */
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

export const memberTriples = (thing: NamedNode, { links }: ListInfo): Quad[] =>
  links ? [triple(collectionOf(links), hydra('member'), thing)] : []

/** What all pages of a list are pages of: a name in the first of them, since a page is not the list. */
export function collectionOf({ first }: PageLinks): NamedNode {
  const url = new URL(first)
  for (const name of ['page_size', 'format']) url.searchParams.delete(name)
  url.hash = 'collection'
  return iri(url.href)
}
