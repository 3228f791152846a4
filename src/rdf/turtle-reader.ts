// Turtle files that ship with the service or come from its data directory, read into quads.

import { readFile } from 'node:fs/promises'

import { Parser } from 'n3'

import { ExpectedError } from '../errors.js'
import type { Quad } from './terms.js'

/** A file is not Turtle; the message names the file, the line and what is wrong. */
export class TurtleError extends ExpectedError {}

/**
 * The triples of a Turtle file, in the default graph.
 * @param base the IRI that relative ones are resolved against
 * @throws TurtleError when the file is not Turtle
 */
export async function readTurtle(file: string, base: string): Promise<Quad[]> {
  const turtle = await readFile(file, 'utf8')
  try {
    return parseTurtle(turtle, base)
  } catch (cause) {
    throw new TurtleError(`${file}: ${(cause as Error).message}`, { cause })
  }
}

/** The triples of a text that we wrote ourselves. */
export const parseTurtle = (turtle: string, base: string): Quad[] =>
  new Parser({ baseIRI: base, format: 'text/turtle' }).parse(turtle)
