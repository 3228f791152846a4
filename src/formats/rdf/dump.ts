// All that is public as one file: N-Quads in, N-Triples or Turtle out, a piece at a time.

import { DataFactory, Parser, Writer } from 'n3'

import type { Addresses } from '../../model/iris.js'
import { prefixes } from '../../rdf/namespaces.js'
import { type Quad, writeNQuads } from '../../rdf/terms.js'

/** N-Quads in pieces, each of whole lines. */
export type Pieces = AsyncIterable<string>

export type Dump = (pieces: Pieces, addresses: Addresses) => AsyncIterable<string>

export async function* dumpNTriples(pieces: Pieces, addresses: Addresses): AsyncGenerator<string> {
  for await (const piece of pieces) yield writeNQuads(triplesIn(piece, addresses))
}

export async function* dumpTurtle(pieces: Pieces, addresses: Addresses): AsyncGenerator<string> {
  let written: string[] = []
  const writer = new Writer(
    {
      write: (text: string, _encoding: string, done?: () => void) => {
        written.push(text)
        done?.()
      },
      end: (done?: () => void) => done?.(),
    },
    { prefixes: { ...prefixes, zc: addresses.term('').value } },
  )
  const taken = (): string => {
    const text = written.join('')
    written = []
    return text
  }
  for await (const piece of pieces) {
    writer.addQuads(triplesIn(piece, addresses))
    yield taken()
  }
  writer.end()
  yield taken()
}

/** The triples of a piece, without what only tells this service in which order values were given. */
function triplesIn(piece: string, addresses: Addresses): Quad[] {
  const order = addresses.term('order')
  return new Parser({ format: 'N-Quads' })
    .parse(piece)
    .filter(({ predicate }) => !predicate.equals(order))
    .map(({ subject, predicate, object }) => DataFactory.quad(subject, predicate, object))
}
