// Parses Turtle files of the package and of the data directory.

import { readFile } from 'node:fs/promises'

import { Parser } from 'n3'

import { ExpectedError } from '../errors.js'
import type { Quad } from './terms.js'

/**
 * The triples of a Turtle file, in the default graph.
 * @param base the IRI against which relative IRIs are resolved
 * @throws ExpectedError when the file is not valid Turtle
 */
export async function readTurtle(file: string, base: string): Promise<Quad[]> {
  const turtle = await readFile(file, 'utf8')
  try {
    return parseTurtle(turtle, base)
  } catch (cause) {
    throw new ExpectedError(`${file}: ${(cause as Error).message}`, { cause })
  }
}

/** The triples of a Turtle text that this program generated. */
export const parseTurtle = (turtle: string, base: string): Quad[] =>
  new Parser({ baseIRI: base, format: 'text/turtle' }).parse(turtle)
