// The index in memory: answers lists, searches and tallies without asking the store. Filled while the
// store is, and told of every write; what it answers is what the generated SPARQL would.

import type { Addresses, ResourceName } from '../../model/iris.js'
import type { Field, Resource, Resources } from '../../model/resources.js'
import type { Lens } from '../../model/record/rdf-mapper.js'
import { dcterms } from '../../rdf/namespaces.js'
import { triplesIn } from '../../rdf/nquads.js'
import type { NamedNode } from '../../rdf/terms.js'
import { inSteps } from '../../scheduling.js'
import type { Written } from '../records/record-cache.js'
import { fromMicroseconds } from '../clock.js'
import type { Finder, Ids, Survey } from '../sparql-record-index.js'
import { readEntries } from './index-entry.js'
import { type Limits, type Shelf, openShelf } from './resource-index.js'

export type Index = Finder & {
  /** Takes a record that was kept, as N-Quads under its key. It is in no list before `settle`. */
  readonly take: (key: string, nquads: string) => void
  /** Puts in order what was taken, while others have their turn. */
  settle(): Promise<void>
}

type Parts = {
  readonly addresses: Addresses
  readonly resources: Resources
  readonly lens: Lens
}

export function openIndex({ addresses, resources, lens }: Parts, limits?: Limits): Index {
  const graph = addresses.graphs.public
  const sections = Object.fromEntries(
    Object.values(resources).map((resource) => [
      resource.name,
      {
        resource,
        shelf: openShelf(resource, limits),
        reader: readEntries(resource, { addresses, lens }),
      },
    ]),
  ) as Readonly<Record<ResourceName, Section>>

  const idsOf = (shelf: Shelf, docs: Int32Array): Ids => Array.from(docs, shelf.idOf)

  return {
    take(key, nquads) {
      const [, name = '', id = ''] = /^([^/]*)\/(.*)$/s.exec(key) ?? []
      const { shelf, reader } = sections[name as ResourceName]
      shelf.take(reader.entryOf(id, triplesIn(nquads, graph, reader.properties)))
    },
    async settle() {
      for (const { shelf } of Object.values(sections)) await inSteps(shelf.settle())
    },
    has: ({ target, id }) => Promise.resolve(sections[target].shelf.has(id)),
    page({ resource, ...listing }, { limit, offset }) {
      const { shelf } = sections[resource.name]
      return shelf.find({ resource, ...listing }, (docs) => ({
        count: docs.length,
        ids: idsOf(shelf, docs.subarray(offset, offset + limit)),
      }))
    },
    whole(listing) {
      const { shelf } = sections[listing.resource.name]
      return shelf.find(listing, (docs) => idsOf(shelf, docs))
    },
    tally: (listing, filter) => sections[listing.resource.name].shelf.tally(listing, filter),
    survey: () => Promise.resolve(survey(Object.values(sections))),
    note(changes) {
      for (const { reference, quads } of changes) {
        const { shelf, reader } = sections[reference.target]
        const statements = quads && statementsIn(quads, graph, reader.properties)
        shelf.put(reference.id, statements && reader.entryOf(reference.id, statements))
      }
    },
  }
}

type Section = {
  readonly resource: Resource
  readonly shelf: Shelf
  readonly reader: ReturnType<typeof readEntries>
}

const statementsIn = (
  quads: NonNullable<Written['quads']>,
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

function survey(sections: readonly Section[]): Survey {
  const timesOf = (property: NamedNode, end: 0 | 1): number[] =>
    sections
      .map(({ resource, shelf }) => shelf.ends(fieldOf(resource, property))[end])
      .filter((time) => typeof time === 'number')
  const made = timesOf(dcterms('created'), 0)
  const written = timesOf(dcterms('modified'), 1)
  return {
    counts: Object.fromEntries(
      sections.map(({ resource, shelf }) => [resource.name, shelf.count()]),
    ) as Survey['counts'],
    issued: made.length > 0 ? fromMicroseconds(Math.min(...made)) : undefined,
    modified: written.length > 0 ? fromMicroseconds(Math.max(...written)) : undefined,
  }
}

function fieldOf({ name, fields }: Resource, property: NamedNode): Field {
  const field = fields.find(({ path }) => path.at(-1)?.equals(property))
  if (!field) throw new Error(`${name} do not say <${property.value}>`)
  return field
}
