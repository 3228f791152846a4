// What the documents of the ontology and of the shapes say of themselves: version, prefixes,
// licence, and how they belong together (docs/reference/rdf-formats.md, "Ontology and shapes").

import type { BlankNode } from '@rdfjs/types'
import { DataFactory } from 'n3'

import { dcterms, foaf, prefixes, prefixesUnder, rdf, rdfs, sh, xsd } from '../rdf/namespaces.js'
import {
  type NamedNode,
  type Quad,
  type Term,
  integer,
  iri,
  stringLiteral,
  triple,
  typedLiteral,
} from '../rdf/terms.js'
import type { Iris } from './iris.js'

/** The prefix that our own terms have everywhere. */
const ownPrefix = 'zc'

export const vannNamespace = 'http://purl.org/vocab/vann/'

const vann = (name: string): NamedNode => iri(vannNamespace + name)
const owl = (name: string): NamedNode => iri(prefixes.owl + name)

type ModelDocument = { readonly quads: readonly Quad[]; readonly version: string }

/** The IRI of one version of the ontology. It answers as long as that version is the served one. */
const versionIri = (ontology: string, version: string): string =>
  `${ontology}?version=${encodeURIComponent(version)}`

/**
 * The ontology with its version, its prefixes and the shapes that say which values its properties
 * take.
 */
export function describeOntology(
  { quads, version }: ModelDocument,
  { base, ontology, shapes }: Pick<Iris, 'base' | 'ontology' | 'shapes'>,
): readonly Quad[] {
  const self = iri(ontology)
  const addedTriples = [
    triple(self, owl('versionInfo'), stringLiteral(version)),
    triple(self, owl('versionIRI'), iri(versionIri(ontology, version))),
    triple(self, vann('preferredNamespacePrefix'), stringLiteral(ownPrefix)),
    triple(self, vann('preferredNamespaceUri'), stringLiteral(`${ontology}#`)),
    triple(self, rdfs('seeAlso'), iri(shapes)),
    ...declarePrefixes(self, { base, shapes }),
  ]
  // After what the file says of the ontology, so that both are one block.
  const end = quads.findLastIndex(({ subject }) => subject.equals(self)) + 1
  return [...quads.slice(0, end), ...addedTriples, ...quads.slice(end)]
}

/** The shapes with a description of the document, which the files do not have. */
export function describeShapes(
  { quads, version }: ModelDocument,
  { base, ontology, shapes, documentShapes }: Iris,
): readonly Quad[] {
  const self = iri(shapes)
  return [
    triple(self, rdf('type'), owl('Ontology')),
    triple(self, dcterms('title'), english('Zine Catalogue Shapes')),
    triple(self, dcterms('description'), english(shapesDescription)),
    triple(self, dcterms('license'), iri('http://creativecommons.org/publicdomain/zero/1.0/')),
    triple(self, owl('versionInfo'), stringLiteral(version)),
    triple(self, rdfs('seeAlso'), iri(ontology)),
    triple(self, rdfs('seeAlso'), iri(documentShapes)),
    ...declarePrefixes(self, { base, shapes }),
    ...withNumberedBlankNodes(quads),
  ]
}

/**
 * The shapes as a document of records conforms to them. It names other records without all that
 * these say, and concepts without their schemes. So only what a record describes is checked by the
 * shape of its class, and a concept only where its scheme is said.
 */
export function describeDocumentShapes(
  quads: readonly Quad[],
  { documentShapes, shapes }: Pick<Iris, 'documentShapes' | 'shapes'>,
): readonly Quad[] {
  const self = iri(documentShapes)
  const part = (name: string): NamedNode => iri(`${documentShapes}#${name}`)
  const [named, record] = [part('named'), part('described')]
  const inverse = DataFactory.blankNode('inverse')
  return [
    triple(self, rdf('type'), owl('Ontology')),
    triple(self, dcterms('title'), english('Zine Catalogue Shapes of Documents')),
    triple(self, dcterms('description'), english(documentShapesDescription)),
    triple(self, dcterms('license'), iri('http://creativecommons.org/publicdomain/zero/1.0/')),
    triple(self, rdfs('seeAlso'), iri(shapes)),
    triple(named, rdf('type'), sh('NodeShape')),
    triple(named, sh('property'), record),
    triple(record, sh('path'), inverse),
    triple(inverse, sh('inversePath'), foaf('primaryTopic')),
    triple(record, sh('maxCount'), integer(0)),
    ...withNumberedBlankNodes(
      quads.flatMap((quad) => {
        const { subject, predicate, object } = quad
        if (predicate.equals(sh('hasValue'))) return listed(subject, sh('in'), [object])
        if (!predicate.equals(sh('targetClass'))) return [quad]
        const target = part(subject.value.slice(subject.value.indexOf('#') + 1))
        return [
          triple(target, rdf('type'), sh('NodeShape')),
          triple(target, sh('targetClass'), object),
          ...(object.equals(foaf('Document'))
            ? [triple(target, sh('node'), subject)]
            : listed(target, sh('or'), [named, subject])),
        ]
      }),
    ),
  ]
}

/** A statement whose object is a list. */
function listed(
  subject: Quad['subject'],
  predicate: NamedNode,
  members: readonly Quad['object'][],
): readonly Quad[] {
  const nodes = [...members.map(() => DataFactory.blankNode()), iri(rdf('nil').value)]
  return [
    triple(subject, predicate, nodes[0] ?? rdf('nil')),
    ...members.flatMap((member, index) => {
      const node = nodes[index] ?? rdf('nil')
      return [
        triple(node, rdf('first'), member),
        triple(node, rdf('rest'), nodes[index + 1] ?? rdf('nil')),
      ]
    }),
  ]
}

const documentShapesDescription =
  'What a document of one or more records says, in SHACL: as the shapes of records, without what other documents say of the records and concepts that it names.'

/**
 * The labels of blank nodes come from the parser; with these, the document is the same at every
 * start.
 */
function withNumberedBlankNodes(quads: readonly Quad[]): readonly Quad[] {
  const numbered = new Map<string, BlankNode>()
  const rename = <Renamed extends Term>(term: Renamed): Renamed | BlankNode => {
    if (term.termType !== 'BlankNode') return term
    const known = numbered.get(term.value) ?? DataFactory.blankNode(`b${numbered.size + 1}`)
    numbered.set(term.value, known)
    return known
  }
  return quads.map(({ subject, predicate, object }) =>
    triple(rename(subject), predicate as NamedNode, rename(object)),
  )
}

export const shapesDescription =
  'What a record may say, in SHACL: which properties a zine, an agent, a repository and a holding have, how often, and with which values. Every record that is written is checked against these shapes.'

const english = (text: string) => DataFactory.literal(text, 'en')

/** The prefixes, for queries and constraints (SHACL, 5.2.1); both documents declare the same. */
const declarePrefixes = (
  self: NamedNode,
  { base, shapes }: Pick<Iris, 'base' | 'shapes'>,
): readonly Quad[] =>
  Object.entries(prefixesUnder(base)).flatMap(([prefix, namespace]) => {
    const node = iri(`${shapes}#prefix-${prefix}`)
    return [
      triple(self, sh('declare'), node),
      triple(node, rdf('type'), sh('PrefixDeclaration')),
      triple(node, sh('prefix'), stringLiteral(prefix)),
      triple(node, sh('namespace'), typedLiteral(namespace, xsd('anyURI'))),
    ]
  })
