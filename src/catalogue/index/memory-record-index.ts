// The index in memory: answers lists, searches and tallies without asking the store. Filled while the
// store is, and told of every write; what it answers is what the generated SPARQL would.

import type { Iris, ResourceName } from '../../model/iris.js'
import type { Field, Resource, Resources } from '../../model/resources.js'
import type { RdfMapper } from '../../model/record/rdf-mapper.js'
import { dcterms } from '../../rdf/namespaces.js'
import { selectTriples } from '../../rdf/nquads.js'
import type { NamedNode } from '../../rdf/terms.js'
import { collectInSteps } from '../../scheduling.js'
import type { RecordChange } from '../records/record-cache.js'
import { fromMicroseconds } from '../clock.js'
import type { RecordIndex, Ids, Statistics } from '../sparql-record-index.js'
import { createEntryBuilder } from './index-entry.js'
import { type IndexLimits, type ResourceIndex, createResourceIndex } from './resource-index.js'

export type MemoryRecordIndex = RecordIndex & {
  /** Takes a record that was kept, as N-Quads under its key. It is in no list before `settle`. */
  readonly add: (key: string, nquads: string) => void
  /** Puts in order what was taken, while others have their turn. */
  build(): Promise<void>
}

type MemoryRecordIndexDependencies = {
  readonly iris: Iris
  readonly resources: Resources
  readonly mapper: RdfMapper
}

export function createMemoryRecordIndex(
  { iris, resources, mapper }: MemoryRecordIndexDependencies,
  limits?: IndexLimits,
): MemoryRecordIndex {
  const graph = iris.graphs.public
  const sections = Object.fromEntries(
    Object.values(resources).map((resource) => [
      resource.name,
      {
        resource,
        shelf: createResourceIndex(resource, limits),
        reader: createEntryBuilder(resource, { iris, mapper }),
      },
    ]),
  ) as Readonly<Record<ResourceName, Section>>

  const idsOf = (shelf: ResourceIndex, docs: Int32Array): Ids => Array.from(docs, shelf.idOf)

  return {
    add(key, nquads) {
      const [, name = '', id = ''] = /^([^/]*)\/(.*)$/s.exec(key) ?? []
      const { shelf, reader } = sections[name as ResourceName]
      shelf.add(reader.entryOf(id, selectTriples(nquads, graph, reader.properties)))
    },
    async build() {
      for (const { shelf } of Object.values(sections)) await collectInSteps(shelf.build())
    },
    has: ({ target, id }) => Promise.resolve(sections[target].shelf.has(id)),
    page({ resource, ...listing }, { limit, offset }) {
      const { shelf } = sections[resource.name]
      return shelf.find({ resource, ...listing }, (docs) => ({
        count: docs.length,
        ids: idsOf(shelf, docs.subarray(offset, offset + limit)),
      }))
    },
    all(listing) {
      const { shelf } = sections[listing.resource.name]
      return shelf.find(listing, (docs) => idsOf(shelf, docs))
    },
    facetCounts: (listing, filter) => sections[listing.resource.name].shelf.tally(listing, filter),
    statistics: () => Promise.resolve(survey(Object.values(sections))),
    onCommit(changes) {
      for (const { reference, quads } of changes) {
        const { shelf, reader } = sections[reference.target]
        const statements = quads && statementsIn(quads, graph, reader.properties)
        shelf.update(reference.id, statements && reader.entryOf(reference.id, statements))
      }
    },
  }
}

type Section = {
  readonly resource: Resource
  readonly shelf: ResourceIndex
  readonly reader: ReturnType<typeof createEntryBuilder>
}

const statementsIn = (
  quads: NonNullable<RecordChange['quads']>,
  open: NamedNode,
  properties: ReadonlySet<string>,
) =>
  quads
    .filter(({ predicate, graph }) => properties.has(predicate.value) && graph.equals(open))
    .map(({ subject, predicate, object }) => ({
      s: subject.value,
      p: predicate.value,
      o: object.value,
    }))

function survey(sections: readonly Section[]): Statistics {
  const timesOf = (property: NamedNode, end: 0 | 1): number[] =>
    sections
      .map(({ resource, shelf }) => shelf.firstAndLastKey(fieldOf(resource, property))[end])
      .filter((time) => typeof time === 'number')
  const made = timesOf(dcterms('created'), 0)
  const written = timesOf(dcterms('modified'), 1)
  return {
    counts: Object.fromEntries(
      sections.map(({ resource, shelf }) => [resource.name, shelf.count()]),
    ) as Statistics['counts'],
    issued: made.length > 0 ? fromMicroseconds(Math.min(...made)) : undefined,
    modified: written.length > 0 ? fromMicroseconds(Math.max(...written)) : undefined,
  }
}

function fieldOf({ name, fields }: Resource, property: NamedNode): Field {
  const field = fields.find(({ path }) => path.at(-1)?.equals(property))
  if (!field) throw new Error(`${name} do not say <${property.value}>`)
  return field
}
