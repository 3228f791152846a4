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

export class UsedPlaces {
  readonly #places: Places
  readonly #options: UsedPlacesDependencies
  /** Those that are loaded, and those that are still to be. */
  readonly #known = new Set<Place>()
  #added = new Set<Place>()
  #target: Store | undefined

  constructor(options: UsedPlacesDependencies) {
    this.#places = options.places
    this.#options = options
  }

  /** Takes note of the places that a stored record names, before `load`. */
  add(nquads: string): void {
    this.#noteText(nquads, this.#added)
  }

  /** The identifiers of all places that were noted. */
  save(): string[] {
    return [...this.#known, ...this.#added].map(({ geoname_id: id }) => String(id))
  }

  /** Takes note of places, in place of `add`. */
  restore(ids: readonly string[]): void {
    for (const id of ids) {
      const place = this.#places.find(id)
      if (place) this.#added.add(place)
    }
  }

  /** Loads all places that were noted, and from then on those that commits name. */
  async load(store: Store): Promise<void> {
    this.#target = store
    await this.#loadAdded()
  }

  /** Call after each commit. */
  async onCommit({ records }: Commit): Promise<void> {
    for (const { nquads = '' } of records) this.#noteText(nquads, this.#added)
    await this.#loadAdded()
  }

  /**
   * A dump with the places that it names and that were not loaded: this process did not see the
   * writes.
   */
  async *complete(chunks: AsyncIterable<string>): AsyncIterable<string> {
    const missing = new Set<Place>()
    for await (const chunk of chunks) {
      this.#noteText(chunk, missing)
      yield chunk
    }
    yield writeNQuads(this.#quadsOf(missing))
  }

  /** Adds a place, and those that it is in. */
  #note(iri: string, into: Set<Place>): void {
    const place = this.#places.find(geonameIdOf(iri) ?? '')
    if (!place || this.#known.has(place)) return
    for (const usedPlace of [place, ...this.#places.ancestorsOf(place)])
      if (!this.#known.has(usedPlace)) into.add(usedPlace)
  }

  #noteText(nquads: string, into: Set<Place>): void {
    if (!nquads.includes(located.value)) return
    for (const [, iri = ''] of nquads.matchAll(statement)) this.#note(iri, into)
  }

  async #loadAdded(): Promise<void> {
    if (!this.#target || this.#added.size === 0) return
    const loading = this.#added
    this.#added = new Set()
    const quads = this.#quadsOf(loading)
    try {
      await this.#target.addTransient(quads)
    } catch (error) {
      // The write is done; the places come with the next one, or with the next start.
      for (const place of loading) this.#added.add(place)
      this.#options.onError?.(error)
      return
    }
    for (const place of loading) this.#known.add(place)
    this.#options.onAdded?.(writeNQuads(quads))
  }

  #quadsOf(of: Iterable<Place>): Quad[] {
    return [...of].flatMap((place) =>
      placeTriples(place).map((triple) => quadInGraph(triple, this.#options.graph)),
    )
  }
}
