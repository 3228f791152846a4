// Puts the places that zines name into the graph of vocabularies, with the regions and countries
// that they are in, so that queries join them. All 29,000 places would double the memory of a small
// catalogue, so those that no zine names stay out (docs/reference/data-model.md, "Places of
// zines").

import { placeTriples } from '../formats/places.js'
import { type Place, type Places, geonameIdOf } from '../model/places.js'
import { schema } from '../rdf/namespaces.js'
import { type NamedNode, type Quad, quadInGraph, writeNQuads } from '../rdf/terms.js'
import type { Commit } from '../store/commit-listeners.js'
import type { Store } from '../store/store.js'

export type UsedPlaces = {
  /** Takes note of the places that a stored record names, before `load`. */
  add(nquads: string): void
  /** The identifiers of all places that were noted. */
  save(): readonly string[]
  /** Takes note of places, in place of `add`. */
  restore(saved: readonly string[]): void
  /** Loads all places that were noted, and from then on those that commits name. */
  load(store: Store): Promise<void>
  /** Call after each commit. */
  onCommit(commit: Commit): Promise<void>
  /**
   * A dump with the places that it names and that were not loaded: this process did not see the
   * writes.
   */
  complete(chunks: AsyncIterable<string>): AsyncIterable<string>
}

type UsedPlacesDependencies = {
  readonly places: Places
  /** The graph of vocabularies. */
  readonly graph: NamedNode
  /** Called with quads that are loaded. */
  readonly onAdded?: (nquads: string) => void
  readonly onError?: ((error: unknown) => void) | undefined
}

const located = schema('locationCreated')
const statement = /<http:\/\/schema\.org\/locationCreated> <([^>]*)>/g

export function createUsedPlaces({
  places,
  graph,
  onAdded,
  onError,
}: UsedPlacesDependencies): UsedPlaces {
  const known = new Set<Place>()
  let added = new Set<Place>()
  let target: Store | undefined

  /** Adds a place, and those that it is in. */
  function note(iri: string, into: Set<Place>): void {
    const place = places.find(geonameIdOf(iri) ?? '')
    if (!place || known.has(place)) return
    for (const one of [place, ...places.ancestorsOf(place)]) if (!known.has(one)) into.add(one)
  }

  function noteText(nquads: string, into: Set<Place>): void {
    if (!nquads.includes(located.value)) return
    for (const [, iri = ''] of nquads.matchAll(statement)) note(iri, into)
  }

  async function loadAdded(): Promise<void> {
    if (!target || added.size === 0) return
    const loading = added
    added = new Set()
    const quads = quadsOf(loading)
    try {
      await target.addTransient(quads)
    } catch (error) {
      // The write is done; the places come with the next one, or with the next start.
      for (const place of loading) added.add(place)
      onError?.(error)
      return
    }
    for (const place of loading) known.add(place)
    onAdded?.(writeNQuads(quads))
  }

  const quadsOf = (of: Iterable<Place>): Quad[] =>
    [...of].flatMap((place) => placeTriples(place).map((one) => quadInGraph(one, graph)))

  return {
    add: (nquads) => noteText(nquads, added),
    save: () => [...known, ...added].map(({ geoname_id: id }) => String(id)),
    restore(saved) {
      for (const id of saved) {
        const place = places.find(id)
        if (place) added.add(place)
      }
    },
    async load(store) {
      target = store
      await loadAdded()
    },
    async onCommit({ records }) {
      for (const { nquads = '' } of records) noteText(nquads, added)
      await loadAdded()
    },
    async *complete(chunks) {
      const missing = new Set<Place>()
      for await (const chunk of chunks) {
        noteText(chunk, missing)
        yield chunk
      }
      yield writeNQuads(quadsOf(missing))
    },
  }
}
