// Errors of reading and rewriting RDF documents of clients.

/** The document is not valid, refers to something unknown, or takes too long. */
export class DocumentError extends Error {}

/** The document has more nodes, levels, terms or statements than allowed. */
export class DocumentTooLargeError extends Error {}

/** Too many documents wait to be read. */
export class DocumentsBusyError extends Error {}
