// How descriptions in DCAT are written: nodes with their properties.

import { DataFactory } from 'n3'

import { type Literal, type NamedNode, type Quad, iri } from '../rdf/terms.js'

export const dcatNamespace = 'http://www.w3.org/ns/dcat#'

export const dcat = (name: string): NamedNode => iri(dcatNamespace + name)

export const mediaType = (type: string): NamedNode =>
  iri(`https://www.iana.org/assignments/media-types/${type}`)

export type DescribedProperty = readonly [predicate: NamedNode, ...objects: (NamedNode | Literal)[]]

export type DescribedNode = readonly [NamedNode, readonly DescribedProperty[]]

/** The quads of the nodes, in the default graph. */
export const quadsOf = (nodes: readonly DescribedNode[]): Quad[] =>
  nodes.flatMap(([subject, properties]) =>
    properties.flatMap(([predicate, ...objects]) =>
      objects.map((object) => DataFactory.quad(subject, predicate, object)),
    ),
  )
