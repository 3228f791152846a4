// All that is public as one file: N-Quads in, N-Triples or Turtle out, a piece at a time.

import { DataFactory, Parser, Writer } from 'n3'

import type { Iris } from '../../model/iris.js'
import { prefixes } from '../../rdf/namespaces.js'
import { type Quad, writeNQuads } from '../../rdf/terms.js'

/** N-Quads in pieces, each of whole lines. */
export type NQuadChunks = AsyncIterable<string>

export type DumpWriter = (pieces: NQuadChunks, iris: Iris) => AsyncIterable<string>

export async function* dumpNTriples(pieces: NQuadChunks, iris: Iris): AsyncGenerator<string> {
  for await (const piece of pieces) yield writeNQuads(triplesIn(piece, iris))
}

export async function* dumpTurtle(pieces: NQuadChunks, iris: Iris): AsyncGenerator<string> {
  let written: string[] = []
  const writer = new Writer(
    {
      write: (text: string, _encoding: string, done?: () => void) => {
        written.push(text)
        done?.()
      },
      end: (done?: () => void) => done?.(),
    },
    { prefixes: { ...prefixes, zc: iris.term('').value } },
  )
  const taken = (): string => {
    const text = written.join('')
    written = []
    return text
  }
  for await (const piece of pieces) {
    writer.addQuads(triplesIn(piece, iris))
    yield taken()
  }
  writer.end()
  yield taken()
}

/** The triples of a piece, without what only tells this service in which order values were given. */
function triplesIn(piece: string, iris: Iris): Quad[] {
  const order = iris.term('order')
  return new Parser({ format: 'N-Quads' })
    .parse(piece)
    .filter(({ predicate }) => !predicate.equals(order))
    .map(({ subject, predicate, object }) => DataFactory.quad(subject, predicate, object))
}
