// The public quads in some 30 bytes each, of which Oxigraph takes 300: terms are numbers in arrays.
// It answers no query; Oxigraph gets from it what a query needs.

import { type WrittenQuad, forEachQuad } from '../../rdf/nquads.js'
import { TextTable } from '../../lib/text-table.js'
import { withRoom } from '../../lib/typed-arrays.js'
import type { PatternParts, QuadPattern } from './quad-patterns.js'

const pieceLength = 2 ** 17

/** The place of no quad. Other places are counted from 1. */
const nowhere = 0

const noBytes = new Uint8Array()

const space = 0x20

/** The last line of most pieces fits too. */
const newPiece = () => new Uint8Array(pieceLength + 2 ** 12)

/** Some quads as N-Quads in UTF-8, with memory of its own, and how many they are. */
export type QuadPiece = { readonly nquads: Uint8Array<ArrayBuffer>; readonly quads: number }

export class QuadTable {
  readonly #terms = new TextTable()
  /** The graphs, counted from 1. */
  readonly #graphNames: string[] = ['']
  /** What a line with each graph ends with. */
  readonly #lineEnds: Uint8Array[] = [noBytes]
  // For each quad the numbers of its terms, and the place of another quad with the same subject.
  #subjects: Uint32Array<ArrayBuffer>
  #predicates: Uint32Array<ArrayBuffer>
  #objects: Uint32Array<ArrayBuffer>
  /** 0 for a quad that was removed. */
  #graphs: Uint8Array<ArrayBuffer>
  #nextOf: Uint32Array<ArrayBuffer>
  /** For each term the place of a quad with it as its subject. */
  #firstOf = new Uint32Array()
  #lastPlace = nowhere
  /** The places of removed quads, which are used again. */
  readonly #free: number[] = []

  /** @param capacity how many quads to make room for at once */
  constructor(capacity = 0) {
    this.#subjects = new Uint32Array(capacity + 1)
    this.#predicates = new Uint32Array(capacity + 1)
    this.#objects = new Uint32Array(capacity + 1)
    this.#graphs = new Uint8Array(capacity + 1)
    this.#nextOf = new Uint32Array(capacity + 1)
  }

  /** How many quads it has. */
  get size(): number {
    return this.#lastPlace - this.#free.length
  }

  /**
   * Adds quads of which none is in the table.
   * @throws Error for what `writeNQuads` does not write
   */
  load(nquads: string): void {
    forEachQuad(nquads, (quad) => this.#insert(quad))
  }

  /** Adds quads; those that are in the table already stay as they are. @throws as `load` */
  add(nquads: string): void {
    forEachQuad(nquads, (quad) => {
      if (this.#find(quad) === nowhere) this.#insert(quad)
    })
  }

  /** Removes quads; those that are not in the table are passed over. @throws as `load` */
  remove(nquads: string): void {
    forEachQuad(nquads, (quad) => {
      const place = this.#find(quad)
      if (place !== nowhere) this.#removeAt(place)
    })
  }

  /**
   * The quads that have what is wanted, without those that have what is known, in pieces of some
   * 128 KB. Of quads that are added or removed while it is read, it may give some.
   */
  select(selection: PatternParts, known: PatternParts): Generator<QuadPiece> {
    return this.#inPieces(this.#placesOf(selection, this.#createMatcher(known)))
  }

  /** How many quads have what is wanted. */
  count(selection: PatternParts): number {
    let count = 0
    for (const place of this.#placesOf(selection, () => false)) if (place !== nowhere) count += 1
    return count
  }

  /** Whether there are or were quads with each term of a pattern. */
  hasTerms(pattern: QuadPattern): boolean {
    return Object.values(pattern).every((text) => this.#terms.find(text) !== undefined)
  }

  #insert({ subject, predicate, object, graph }: WrittenQuad): void {
    const place = this.#free.pop() ?? (this.#lastPlace += 1)
    this.#makeRoom(place)
    const number = this.#terms.add(subject)
    this.#subjects[place] = number
    this.#predicates[place] = this.#terms.add(predicate)
    this.#objects[place] = this.#terms.add(object)
    this.#graphs[place] = this.#numberOf(graph)
    this.#firstOf = withRoom(this.#firstOf, this.#terms.length)
    this.#nextOf[place] = this.#firstOf[number] ?? nowhere
    this.#firstOf[number] = place
  }

  #makeRoom(place: number): void {
    if (place < this.#subjects.length) return
    this.#subjects = withRoom(this.#subjects, place + 1)
    this.#predicates = withRoom(this.#predicates, place + 1)
    this.#objects = withRoom(this.#objects, place + 1)
    this.#graphs = withRoom(this.#graphs, place + 1)
    this.#nextOf = withRoom(this.#nextOf, place + 1)
  }

  #numberOf(graph: string): number {
    const known = this.#graphNames.indexOf(graph)
    if (known >= 0) return known
    this.#lineEnds.push(new TextEncoder().encode(` ${graph} .\n`))
    return this.#graphNames.push(graph) - 1
  }

  #find({ subject, predicate, object, graph }: WrittenQuad): number {
    const [from, by, to] = [
      this.#terms.find(subject),
      this.#terms.find(predicate),
      this.#terms.find(object),
    ]
    if (from === undefined || by === undefined || to === undefined) return nowhere
    const inGraph = this.#graphNames.indexOf(graph)
    let place = this.#firstOf[from] ?? nowhere
    while (place !== nowhere) {
      if (
        this.#predicates[place] === by &&
        this.#objects[place] === to &&
        this.#graphs[place] === inGraph
      )
        break
      place = this.#nextOf[place] ?? nowhere
    }
    return place
  }

  #removeAt(place: number): void {
    const number = this.#subjects[place] ?? 0
    let before = this.#firstOf[number] ?? nowhere
    if (before === place) this.#firstOf[number] = this.#nextOf[place] ?? nowhere
    else {
      while (this.#nextOf[before] !== place) before = this.#nextOf[before] ?? nowhere
      this.#nextOf[before] = this.#nextOf[place] ?? nowhere
    }
    this.#graphs[place] = 0
    this.#free.push(place)
  }

  *#inPieces(places: Iterable<number>): Generator<QuadPiece> {
    let bytes = newPiece()
    let end = 0
    let quads = 0
    // What is at a place is written before the piece is given away, since it may change then.
    for (const place of places) {
      bytes = withRoom(bytes, end + this.#lineSizeAt(place))
      end = this.#writeLine(place, bytes, end)
      quads += 1
      if (end < pieceLength) continue
      yield { nquads: bytes.subarray(0, end), quads }
      bytes = newPiece()
      end = 0
      quads = 0
    }
    if (quads > 0) yield { nquads: bytes.subarray(0, end), quads }
  }

  #lineSizeAt(place: number): number {
    return (
      this.#terms.sizeOf(this.#subjects[place] ?? 0) +
      this.#terms.sizeOf(this.#predicates[place] ?? 0) +
      this.#terms.sizeOf(this.#objects[place] ?? 0) +
      2 +
      this.#lineEndAt(place).length
    )
  }

  /** @returns where the line ends */
  #writeLine(place: number, bytes: Uint8Array, start: number): number {
    let end = this.#terms.write(this.#subjects[place] ?? 0, bytes, start)
    bytes[end] = space
    end = this.#terms.write(this.#predicates[place] ?? 0, bytes, end + 1)
    bytes[end] = space
    end = this.#terms.write(this.#objects[place] ?? 0, bytes, end + 1)
    const lineEnd = this.#lineEndAt(place)
    bytes.set(lineEnd, end)
    return end + lineEnd.length
  }

  #lineEndAt(place: number): Uint8Array {
    return this.#lineEnds[this.#graphs[place] ?? 0] ?? noBytes
  }

  #placesOf(selection: PatternParts, isKnown: PlaceTest): Generator<number> {
    return hasOnlySubjects(selection)
      ? this.#placesOfSubjects([...selection.subjects], isKnown)
      : this.#placesWith(this.#createMatcher(selection), isKnown)
  }

  *#placesWith(isWanted: PlaceTest, isKnown: PlaceTest): Generator<number> {
    for (let place = nowhere + 1; place <= this.#lastPlace; place += 1)
      if (this.#graphs[place] !== 0 && isWanted(place) && !isKnown(place)) yield place
  }

  *#placesOfSubjects(texts: readonly string[], isKnown: PlaceTest): Generator<number> {
    for (const text of texts) {
      const number = this.#terms.find(text)
      if (number === undefined) continue
      // All at once, since a place may be used again meanwhile.
      for (const place of this.#placesOfSubject(number))
        if (this.#subjects[place] === number && this.#graphs[place] !== 0 && !isKnown(place))
          yield place
    }
  }

  #placesOfSubject(number: number): readonly number[] {
    const places: number[] = []
    for (
      let place = this.#firstOf[number] ?? nowhere;
      place !== nowhere;
      place = this.#nextOf[place] ?? nowhere
    )
      places.push(place)
    return places
  }

  /**
   * Creates a function that says of a place in the table whether its quad matches. Most quads do
   * not.
   */
  #createMatcher(parts: PatternParts): PlaceTest {
    if (parts.hasAll) return () => true
    /**
     * For each term that is in a pattern, in which part of it. Terms that come later are in none.
     */
    const roles = new Uint8Array(this.#terms.length)
    const mark = (texts: Iterable<string>, bit: number): void => {
      for (const text of texts) {
        const number = this.#terms.find(text)
        if (number !== undefined) roles[number] = (roles[number] ?? 0) | bit
      }
    }
    mark(parts.subjects, role.subject)
    mark(parts.predicates, role.predicate)
    mark(parts.objects, role.object)
    mark(parts.objectsOf.keys(), role.ofPair)
    const pairs = new Map(
      [...parts.objectsOf].map(([predicate, texts]) => [
        this.#terms.find(predicate) ?? -1,
        new Set([...texts].map((text) => this.#terms.find(text))),
      ]),
    )
    const hasRole = (term: number | undefined, roleBits: number): boolean =>
      ((roles[term ?? -1] ?? 0) & roleBits) !== 0
    return (place) => {
      const predicate = this.#predicates[place]
      return (
        hasRole(predicate, role.predicate) ||
        hasRole(this.#subjects[place], role.subject) ||
        hasRole(this.#objects[place], role.object) ||
        (hasRole(predicate, role.ofPair) &&
          pairs.get(predicate ?? -1)?.has(this.#objects[place]) === true)
      )
    }
  }
}

type PlaceTest = (place: number) => boolean

const hasOnlySubjects = ({ hasAll, predicates, objects, objectsOf }: PatternParts): boolean =>
  !hasAll && predicates.size + objects.size + objectsOf.size === 0

/** The parts of a pattern that a term may be in, as bits. */
const role = { subject: 1, predicate: 2, object: 4, ofPair: 8 } as const
