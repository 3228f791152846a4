// Reads RDF documents with parsers that are not ours, as sorted lines of N-Triples that can be
// compared.

import { spawnSync } from 'node:child_process'

import jsonld from 'jsonld'
import type { JsonLdDocument } from 'jsonld'
import { JsonLdParser } from 'jsonld-streaming-parser'
import { Parser } from 'n3'

import { contextIri, createJsonLdContext } from '../../src/formats/jsonld/context.js'
import { type Quad, writeNQuads } from '../../src/rdf/terms.js'
import { BASE_URL } from '../service.js'
import { iris, mapper, resources } from './fixtures.js'

const context = createJsonLdContext({ iris, resources, mapper })

/** The triples that n3 reads. */
export const readText = (text: string, format: 'text/turtle' | 'application/n-triples'): string[] =>
  canonical(writeNQuads(new Parser({ format }).parse(text)))

/** The triples that jsonld reads, with our context and no other. */
export async function readJsonld(text: string): Promise<string[]> {
  const options = { format: 'application/n-quads', documentLoader: loadContext } as object
  const quads = await jsonld.toRDF(JSON.parse(text) as JsonLdDocument, options)
  // With this format the result is text, which is parsed again since its escapes differ from ours.
  return readText(quads as unknown as string, 'application/n-triples')
}

/** The triples of a document with blank nodes, whose labels differ between syntaxes (RDFC-1.0). */
export async function readCanonical(text: string, type: string): Promise<string> {
  const quads =
    type === 'application/ld+json'
      ? await readJsonld(text)
      : writeNQuads(new Parser({ format: type }).parse(text)).split('\n')
  // The types do not know that the input may be text.
  return jsonld.canonize(
    quads.join('\n') as never,
    {
      algorithm: 'URDNA2015',
      inputFormat: 'application/n-quads',
      format: 'application/n-quads',
    } as object,
  )
}

/** A JSON-LD document compacted by our context, by a program that does not know its terms. */
export async function compactJsonld(text: string): Promise<any> {
  const options = { documentLoader: loadContext } as object
  const expanded = await jsonld.expand(JSON.parse(text) as JsonLdDocument, options)
  return jsonld.compact(expanded, contextIri(BASE_URL) as never, options)
}

/** The triples that jsonld-streaming-parser reads, the parser of Comunica and of many RDF/JS tools. */
export async function readJsonldStream(text: string): Promise<string[]> {
  const load = async (url: string) => (await loadContext(url)).document as never
  const parser = new JsonLdParser({ documentLoader: { load }, baseIRI: BASE_URL })
  const quads: Quad[] = []
  await new Promise((resolve, reject) => {
    parser.on('data', (quad: Quad) => quads.push(quad))
    parser.on('error', reject)
    parser.on('end', resolve)
    parser.end(text)
  })
  return readText(writeNQuads(quads), 'application/n-triples')
}

function loadContext(url: string) {
  if (url !== contextIri(BASE_URL)) throw new Error(`nothing but our context is loaded: ${url}`)
  return Promise.resolve({ documentUrl: url, document: JSON.parse(context.document) as object })
}

const hasRapper = spawnSync('rapper', ['--version']).status === 0

/** The triples that rapper reads; undefined when rapper is not installed. */
export function readByRapper(text: string, syntax: 'turtle' | 'ntriples' | 'rdfxml') {
  if (!hasRapper) return undefined
  const { stdout, stderr, status } = spawnSync(
    'rapper',
    ['-q', '-i', syntax, '-o', 'ntriples', '-', BASE_URL],
    { input: text, encoding: 'utf8' },
  )
  if (status !== 0 || stderr !== '') throw new Error(stderr || `rapper ended with ${status}`)
  return readText(stdout, 'application/n-triples')
}

export function skipWithoutRapper(test: Mocha.Context): void {
  if (hasRapper) return
  console.log('skipped: rapper is not installed')
  test.skip()
}

export const canonical = (lines: string): string[] =>
  [...new Set(lines.split('\n').filter((line) => line !== ''))].sort()
