// The messages between the main thread (document-thread.ts) and the thread in which RDF documents
// of clients are read and rewritten (document-worker.ts).

/** The media types of RDF documents that clients send. */
export const documentTypes = [
  'application/ld+json',
  'text/turtle',
  'application/n-triples',
] as const

export type DocumentType = (typeof documentTypes)[number]

/** The forms of JSON-LD 1.1 (section 4.1 of its API). */
export const jsonLdForms = ['expanded', 'compacted', 'flattened', 'framed'] as const

export type JsonLdForm = (typeof jsonLdForms)[number]

/** The context that JSON-LD documents may refer to: no other is known, and none is fetched. */
export type KnownContext = { readonly iri: string; readonly document: string }

export type DocumentRequest =
  | {
      readonly kind: 'read'
      readonly type: DocumentType
      readonly text: string
      /** The IRI against which relative IRIs are resolved. */
      readonly base: string
    }
  | {
      readonly kind: 'rewrite'
      readonly text: string
      readonly form: JsonLdForm
      /** The frame as JSON, for the form `framed`. */
      readonly frame: string
    }
  | {
      readonly kind: 'frame'
      readonly ntriples: string
      /** The frame as JSON. */
      readonly frame: string
    }

/** A triple of a document. Blank nodes are written as `_:b0`. */
export type DocumentStatement = {
  readonly s: string
  readonly p: string
  readonly o: string
  /** The datatype of a literal, or its language as `@en`; undefined for an IRI and a blank node. */
  readonly literal?: string | undefined
}

export type ReadDocument = {
  /** From the thread, each of them once. */
  readonly statements: readonly DocumentStatement[]
  /** The members of a JSON-LD document's outermost object that say nothing, by their names. */
  readonly meaningless: ReadonlyMap<string, unknown>
}

export type DocumentAnswer =
  /** Some of the statements, and the members that say nothing. */
  | ({ readonly kind: 'statements' } & ReadDocument)
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'rejected'
      readonly reason: 'invalid' | 'too large'
      readonly message: string
    }
