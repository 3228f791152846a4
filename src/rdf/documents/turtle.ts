// Reads Turtle and N-Triples as statements. It runs in a thread (document-worker.ts).

import { Parser } from 'n3'

import type { Quad, Term } from '../terms.js'
import { DocumentError, DocumentTooLargeError } from './errors.js'
import { documentLimits } from './limits.js'
import type { DocumentStatement, DocumentType, ReadDocument } from './protocol.js'

/** @throws DocumentError, DocumentTooLargeError */
export function readTurtleDocument(
  text: string,
  format: Exclude<DocumentType, 'application/ld+json'>,
  base: string,
): ReadDocument {
  const isTurtle = format === 'text/turtle'
  const parser = new Parser(isTurtle ? { format, baseIRI: base } : { format })
  let prefixes = 0
  const onPrefix = (): void => {
    prefixes += 1
    if (prefixes > documentLimits.terms)
      throw new DocumentTooLargeError('The document has too many prefixes.')
  }
  const statements = parse(() => parser.parse(text, null, onPrefix)).map(toStatement)
  if (statements.length > documentLimits.statements)
    throw new DocumentTooLargeError('The document has too many statements.')
  return { statements, meaningless: new Map() }
}

function parse(task: () => Quad[]): Quad[] {
  try {
    return task()
  } catch (error) {
    if (error instanceof DocumentTooLargeError) throw error
    throw new DocumentError((error as Error).message, { cause: error })
  }
}

function toStatement({ subject, predicate, object }: Quad): DocumentStatement {
  const statement = { s: nameOf(subject), p: nameOf(predicate), o: nameOf(object) }
  if (object.termType !== 'Literal') return statement
  const { language, datatype } = object
  return { ...statement, literal: language === '' ? datatype.value : `@${language}` }
}

/** @throws DocumentError for a triple as a term */
function nameOf(term: Term): string {
  if (term.termType === 'Quad') throw new DocumentError('A triple about a triple is not read here.')
  return term.termType === 'BlankNode' ? `_:${term.value}` : term.value
}
