// What an RDF document of a client may have.

export const documentLimits = {
  /** Bytes. */
  bytes: 16 * 1024 * 1024,
  /**
   * Objects and arrays inside each other, in JSON: each item of an RDF list is inside the one
   * before.
   */
  depth: 1_100,
  /** The same in a frame. */
  frameDepth: 64,
  /** Objects and arrays, in JSON. */
  nodes: 64_000,
  /** Terms of all contexts together in JSON-LD, and prefixes in Turtle. */
  terms: 5_000,
  /** Triples. A zine with the most values of each field that JSON can write has some 55,000. */
  statements: 64_000,
  /** How long the thread may work on one document, in milliseconds. */
  milliseconds: 5_000,
  /** The memory of the thread, in MB. */
  heapMb: 256,
  /** Characters of a document in another form. */
  rewritten: 16 * 1024 * 1024,
  /** How many documents may wait. */
  waiting: 50,
} as const
