// Converts the public data from N-Quads to N-Triples or Turtle, a chunk at a time, for the files
// under /dumps/.

import { DataFactory, Parser, Writer } from 'n3'

import type { Iris } from '../../model/iris.js'
import { prefixes } from '../../rdf/namespaces.js'
import { type Quad, writeNQuads } from '../../rdf/terms.js'

/** N-Quads in chunks, each of whole lines. */
export type NQuadChunks = AsyncIterable<string>

export type DumpWriter = (chunks: NQuadChunks, iris: Iris) => AsyncIterable<string>

export async function* dumpNTriples(chunks: NQuadChunks, iris: Iris): AsyncGenerator<string> {
  for await (const chunk of chunks) yield writeNQuads(triplesOfChunk(chunk, iris))
}

export async function* dumpTurtle(chunks: NQuadChunks, iris: Iris): AsyncGenerator<string> {
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
  const takeWritten = (): string => {
    const text = written.join('')
    written = []
    return text
  }
  for await (const chunk of chunks) {
    writer.addQuads(triplesOfChunk(chunk, iris))
    yield takeWritten()
  }
  writer.end()
  yield takeWritten()
}

/**
 * The triples of a chunk, without those of `zc:order`, which keep the order of values for this
 * service only.
 */
function triplesOfChunk(chunk: string, iris: Iris): Quad[] {
  const order = iris.term('order')
  return new Parser({ format: 'N-Quads' })
    .parse(chunk)
    .filter(({ predicate }) => !predicate.equals(order))
    .map(({ subject, predicate, object }) => DataFactory.quad(subject, predicate, object))
}
