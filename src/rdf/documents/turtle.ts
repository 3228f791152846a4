// Reads Turtle and N-Triples as statements. It runs in a thread (document-worker.ts).

import { EventEmitter } from 'node:events'

import { Parser } from 'n3'

import { InvalidError, TooLargeError } from '../../errors.js'
import type { Quad, Term } from '../terms.js'
import { documentLimits } from './limits.js'
import type { DocumentStatement, DocumentType, ReadDocument } from './protocol.js'

/** @throws InvalidError, TooLargeError */
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
      throw new TooLargeError('The document has too many prefixes.')
  }
  const statements = parse(() => parseInPieces(parser, text, onPrefix)).map(toStatement)
  return { statements, meaningless: new Map() }
}

/** How many characters are read before the statements are counted. */
const pieceLength = 64 * 1024

/**
 * @throws TooLargeError as soon as there are too many statements; the errors of the parser
 */
function parseInPieces(parser: Parser, text: string, onPrefix: () => void): Quad[] {
  const quads: Quad[] = []
  const input = new EventEmitter()
  let failure: Error | undefined
  parser.parse(
    input,
    (error, quad) => {
      // Typed as if there always were an error.
      if (error as Error | null) failure ??= error
      if (quad as Quad | null) quads.push(quad)
    },
    onPrefix,
  )
  const send = (event: string, piece?: string): void => {
    input.emit(event, piece)
    if (failure) throw failure
    if (quads.length > documentLimits.statements)
      throw new TooLargeError('The document has too many statements.')
  }
  for (let start = 0; start < text.length; start += pieceLength)
    send('data', text.slice(start, start + pieceLength))
  send('end')
  return quads
}

/** The triples of a text that this service wrote. */
export const parseNTriples = (text: string): Quad[] =>
  new Parser({ format: 'application/n-triples' }).parse(text)

function parse(task: () => Quad[]): Quad[] {
  try {
    return task()
  } catch (error) {
    if (error instanceof TooLargeError) throw error
    throw new InvalidError((error as Error).message, { cause: error })
  }
}

function toStatement({ subject, predicate, object }: Quad): DocumentStatement {
  const statement = { s: nameOf(subject), p: nameOf(predicate), o: nameOf(object) }
  if (object.termType !== 'Literal') return statement
  const { language, datatype } = object
  return { ...statement, literal: language === '' ? datatype.value : `@${language}` }
}

/** @throws InvalidError for a triple as a term */
function nameOf(term: Term): string {
  if (term.termType === 'Quad') throw new InvalidError('A triple about a triple is not read here.')
  return term.termType === 'BlankNode' ? `_:${term.value}` : term.value
}
