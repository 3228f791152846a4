// Converts the public data from N-Quads to N-Triples or Turtle, a chunk at a time, for the files
// under /dumps/.

import { DataFactory, Writer } from 'n3'

import type { Iris } from '../../model/iris.js'
import { prefixes } from '../../rdf/namespaces.js'
import { readNQuads } from '../../rdf/nquads.js'
import { type Quad, writeNQuads } from '../../rdf/terms.js'

/** N-Quads in chunks, each of whole lines. */
export type NQuadChunks = AsyncIterable<string>

export type DumpWriter = (chunks: NQuadChunks, iris: Iris) => AsyncIterable<string>

export async function* dumpNTriples(chunks: NQuadChunks): AsyncGenerator<string> {
  for await (const chunk of chunks) yield writeNQuads(triplesOfChunk(chunk))
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
    writer.addQuads(triplesOfChunk(chunk))
    yield takeWritten()
  }
  writer.end()
  yield takeWritten()
}

const triplesOfChunk = (chunk: string): Quad[] =>
  readNQuads(chunk).map(({ subject, predicate, object }) =>
    DataFactory.quad(subject, predicate, object),
  )
