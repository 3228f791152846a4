// Writes the results of queries as Turtle. Records are written by formats/rdf/turtle.ts.

import { Writer } from 'n3'

import type { Quad, Term } from './terms.js'

/** Turtle with those of the prefixes that it uses. */
export function writeTurtle(
  quads: readonly Quad[],
  known: Readonly<Record<string, string>>,
): string {
  const used = new Set(
    quads.flatMap(({ subject, predicate, object }) => [
      namespaceOf(subject),
      namespaceOf(predicate),
      namespaceOf(object.termType === 'Literal' ? object.datatype : object),
    ]),
  )
  const writer = new Writer({
    prefixes: Object.fromEntries(Object.entries(known).filter(([, space]) => used.has(space))),
  })
  writer.addQuads([...quads])
  let turtle = ''
  writer.end((error: unknown, text: string) => {
    if (error) throw error as Error
    turtle = text
  })
  return turtle
}

const namespaceOf = ({ value }: Term): string =>
  value.slice(0, Math.max(value.lastIndexOf('#'), value.lastIndexOf('/')) + 1)
