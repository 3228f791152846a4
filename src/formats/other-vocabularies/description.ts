// Describes records in other vocabularies, and collects the triples of a description. Nodes that
// belong to a thing have IRIs of its own, `…#title`, as there are no blank nodes here.

import type { ResourceName } from '../../model/iris.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import { rdf, rdfs } from '../../rdf/namespaces.js'
import { type NamedNode, type Quad, iri, stringLiteral, triple } from '../../rdf/terms.js'
import { type AccessorDependencies, type RecordAccessor, accessRecord } from '../record-accessor.js'

export type Description = ReturnType<typeof createDescription>

export type Describe = (
  description: Description,
  record: RecordAccessor,
  dependencies: AccessorDependencies,
) => void

/** A function that describes records, each by the function of its kind. */
export const createDescriber =
  (describers: Readonly<Record<ResourceName, Describe>>) =>
  (dependencies: AccessorDependencies, record: ResolvedRecord): readonly Quad[] => {
    const accessor = accessRecord(dependencies, record)
    const description = createDescription(accessor.iri)
    describers[record.resource.name](description, accessor, dependencies)
    return description.triples()
  }

/** @param thing the IRI of what is described */
export function createDescription(thing: string) {
  const triples: Quad[] = []
  const self = iri(thing)

  const add = (subject: NamedNode, predicate: NamedNode, object: Quad['object']): void =>
    void triples.push(triple(subject, predicate, object))

  return {
    self,
    add,
    triples: (): readonly Quad[] => triples,
    /** A node of the thing's own, to which nothing leads yet. */
    part: (name: string): NamedNode => iri(`${thing}#${name}`),
    types: (subject: NamedNode, ...types: readonly NamedNode[]): void => {
      for (const type of types) add(subject, rdf('type'), type)
    },
    /** A triple for each text that is not empty. */
    texts: (subject: NamedNode, predicate: NamedNode, texts: readonly string[]): void => {
      for (const text of texts) if (text !== '') add(subject, predicate, stringLiteral(text))
    },
    label: (subject: NamedNode, text: string): void =>
      add(subject, rdfs('label'), stringLiteral(text)),
    /** A node of the thing's own with a type, to which a property leads. */
    node: (subject: NamedNode, predicate: NamedNode, name: string, type: NamedNode): NamedNode => {
      const node = iri(`${thing}#${name}`)
      add(subject, predicate, node)
      add(node, rdf('type'), type)
      return node
    },
  }
}

/** The name of one of several nodes of a kind. */
export const numbered = (name: string, index: number): string => `${name}-${index + 1}`
