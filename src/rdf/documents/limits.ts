// What an RDF document of a client may have, besides its bytes.

export const documentLimits = {
  /** Objects and arrays inside each other, in JSON. */
  depth: 64,
  /** Objects, in JSON. */
  nodes: 20_000,
  /** Terms of all contexts together in JSON-LD, and prefixes in Turtle. */
  terms: 5_000,
  /** Triples. */
  statements: 10_000,
  /** How long the thread may work on one document, in milliseconds. */
  milliseconds: 5_000,
  /** The memory of the thread, in MB. */
  heapMb: 256,
  /** How many documents may wait. */
  waiting: 50,
} as const
