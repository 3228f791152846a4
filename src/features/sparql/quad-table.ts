// The public quads in some 30 bytes each, of which Oxigraph takes 300: terms are numbers in arrays.
// It answers no query; Oxigraph gets from it what a query needs.

import { type WrittenQuad, forEachQuad } from '../../rdf/nquads.js'
import { createTextTable } from '../../lib/text-table.js'
import { withRoom } from '../../lib/typed-arrays.js'
import type { PatternParts, QuadPattern } from './quad-patterns.js'

export type QuadTable = {
  /** How many quads it has. */
  readonly size: number
  /**
   * Adds quads of which none is in the table.
   * @throws Error for what `writeNQuads` does not write
   */
  readonly load: (nquads: string) => void
  /** Adds quads; those that are in the table already stay as they are. @throws as `load` */
  readonly add: (nquads: string) => void
  /** Removes quads; those that are not in the table are passed over. @throws as `load` */
  readonly remove: (nquads: string) => void
  /**
   * The quads that have what is wanted, without those that have what is known, as N-Quads in pieces
   * of some 128 KB. Of quads that are added or removed while it is read, it may give some.
   */
  readonly select: (wanted: PatternParts, known: PatternParts) => Generator<string>
  /** Whether there are or were quads with each term of a pattern. */
  readonly hasTerms: (pattern: QuadPattern) => boolean
}

const pieceLength = 2 ** 17

/** The place of no quad. Other places are counted from 1. */
const nowhere = 0

/** @param capacity how many quads to make room for at once */
export function createQuadTable(capacity = 0): QuadTable {
  const terms = createTextTable()
  /** The graphs, counted from 1. */
  const graphNames: string[] = ['']
  // For each quad the numbers of its terms, and the place of another quad with the same subject.
  let subjects = new Uint32Array(capacity + 1)
  let predicates = new Uint32Array(capacity + 1)
  let objects = new Uint32Array(capacity + 1)
  /** 0 for a quad that was removed. */
  let graphs = new Uint8Array(capacity + 1)
  let nextOf = new Uint32Array(capacity + 1)
  /** For each term the place of a quad with it as its subject. */
  let firstOf = new Uint32Array()
  let lastPlace = nowhere
  /** The places of removed quads, which are used again. */
  const free: number[] = []

  function add(nquads: string): void {
    forEachQuad(nquads, (quad) => {
      if (find(quad) === nowhere) insert(quad)
    })
  }

  function insert({ subject, predicate, object, graph }: WrittenQuad): void {
    const place = free.pop() ?? (lastPlace += 1)
    makeRoom(place)
    const number = terms.add(subject)
    subjects[place] = number
    predicates[place] = terms.add(predicate)
    objects[place] = terms.add(object)
    graphs[place] = numberOf(graph)
    firstOf = withRoom(firstOf, terms.length)
    nextOf[place] = firstOf[number] ?? nowhere
    firstOf[number] = place
  }

  function makeRoom(place: number): void {
    if (place < subjects.length) return
    subjects = withRoom(subjects, place + 1)
    predicates = withRoom(predicates, place + 1)
    objects = withRoom(objects, place + 1)
    graphs = withRoom(graphs, place + 1)
    nextOf = withRoom(nextOf, place + 1)
  }

  function numberOf(graph: string): number {
    const known = graphNames.indexOf(graph)
    return known < 0 ? graphNames.push(graph) - 1 : known
  }

  function find({ subject, predicate, object, graph }: WrittenQuad): number {
    const [from, by, to] = [terms.find(subject), terms.find(predicate), terms.find(object)]
    if (from === undefined || by === undefined || to === undefined) return nowhere
    const inGraph = graphNames.indexOf(graph)
    let place = firstOf[from] ?? nowhere
    while (place !== nowhere) {
      if (predicates[place] === by && objects[place] === to && graphs[place] === inGraph) break
      place = nextOf[place] ?? nowhere
    }
    return place
  }

  function removeAt(place: number): void {
    const number = subjects[place] ?? 0
    let before = firstOf[number] ?? nowhere
    if (before === place) firstOf[number] = nextOf[place] ?? nowhere
    else {
      while (nextOf[before] !== place) before = nextOf[before] ?? nowhere
      nextOf[before] = nextOf[place] ?? nowhere
    }
    graphs[place] = 0
    free.push(place)
  }

  const lineAt = (place: number): string =>
    `${terms.at(subjects[place] ?? 0)} ${terms.at(predicates[place] ?? 0)} ` +
    `${terms.at(objects[place] ?? 0)} ${graphNames[graphs[place] ?? 0]} .\n`

  function select(wanted: PatternParts, known: PatternParts): Generator<string> {
    const isKnown = createMatcher(known)
    return inPieces(
      hasOnlySubjects(wanted)
        ? placesOfSubjects([...wanted.subjects], isKnown)
        : placesWith(createMatcher(wanted), isKnown),
    )
  }

  function* inPieces(places: Iterable<number>): Generator<string> {
    let piece = ''
    for (const place of places) {
      piece += lineAt(place)
      if (piece.length < pieceLength) continue
      yield piece
      piece = ''
    }
    if (piece !== '') yield piece
  }

  function* placesWith(isWanted: PlaceTest, isKnown: PlaceTest): Generator<number> {
    for (let place = nowhere + 1; place <= lastPlace; place += 1)
      if (graphs[place] !== 0 && isWanted(place) && !isKnown(place)) yield place
  }

  function* placesOfSubjects(texts: readonly string[], isKnown: PlaceTest): Generator<number> {
    for (const text of texts) {
      const number = terms.find(text)
      if (number === undefined) continue
      // All at once, since a place may be used again meanwhile.
      for (const place of placesOfSubject(number))
        if (subjects[place] === number && graphs[place] !== 0 && !isKnown(place)) yield place
    }
  }

  function placesOfSubject(number: number): readonly number[] {
    const places: number[] = []
    for (
      let place = firstOf[number] ?? nowhere;
      place !== nowhere;
      place = nextOf[place] ?? nowhere
    )
      places.push(place)
    return places
  }

  /**
   * Creates a function that says of a place in the table whether its quad matches. Most quads do
   * not.
   */
  function createMatcher(parts: PatternParts): PlaceTest {
    if (parts.hasAll) return () => true
    /**
     * For each term that is in a pattern, in which part of it. Terms that come later are in none.
     */
    const roles = new Uint8Array(terms.length)
    const mark = (texts: Iterable<string>, bit: number): void => {
      for (const text of texts) {
        const number = terms.find(text)
        if (number !== undefined) roles[number] = (roles[number] ?? 0) | bit
      }
    }
    mark(parts.subjects, role.subject)
    mark(parts.predicates, role.predicate)
    mark(parts.objects, role.object)
    mark(parts.objectsOf.keys(), role.ofPair)
    const pairs = new Map(
      [...parts.objectsOf].map(([predicate, texts]) => [
        terms.find(predicate) ?? -1,
        new Set([...texts].map(terms.find)),
      ]),
    )
    const hasRole = (term: number | undefined, wanted: number): boolean =>
      ((roles[term ?? -1] ?? 0) & wanted) !== 0
    return (place) => {
      const predicate = predicates[place]
      return (
        hasRole(predicate, role.predicate) ||
        hasRole(subjects[place], role.subject) ||
        hasRole(objects[place], role.object) ||
        (hasRole(predicate, role.ofPair) &&
          pairs.get(predicate ?? -1)?.has(objects[place]) === true)
      )
    }
  }

  return {
    get size() {
      return lastPlace - free.length
    },
    load: (nquads) => forEachQuad(nquads, insert),
    add,
    remove(nquads) {
      forEachQuad(nquads, (quad) => {
        const place = find(quad)
        if (place !== nowhere) removeAt(place)
      })
    },
    select,
    hasTerms: (pattern) => Object.values(pattern).every((text) => terms.find(text) !== undefined),
  }
}

type PlaceTest = (place: number) => boolean

const hasOnlySubjects = ({ hasAll, predicates, objects, objectsOf }: PatternParts): boolean =>
  !hasAll && predicates.size + objects.size + objectsOf.size === 0

/** The parts of a pattern that a term may be in, as bits. */
const role = { subject: 1, predicate: 2, object: 4, ofPair: 8 } as const
