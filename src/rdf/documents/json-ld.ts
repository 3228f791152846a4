// Reads JSON-LD as statements, and rewrites it in other forms, with the processor jsonld. It runs
// in a thread (document-worker.ts). Nothing is fetched: the only context that a document can refer
// to is given.

import jsonld, { type JsonLdDocument } from 'jsonld'

import { InvalidError, TooLargeError } from '../../errors.js'
import type { Quad } from '../terms.js'
import { documentLimits } from './limits.js'
import type { DocumentStatement, JsonLdForm, KnownContext, ReadDocument } from './protocol.js'
import { parseNTriples } from './turtle.js'

/**
 * What is used of the processor. Its published types know neither the event handler nor the
 * dataset.
 */
type Processor = {
  fromRDF(quads: readonly Quad[], options: object): Promise<object>
  toRDF(document: object, options: object): Promise<readonly ProcessorQuad[]>
  expand(document: object, options: object): Promise<object>
  compact(document: object, context: string, options: object): Promise<object>
  flatten(document: object, context: undefined, options: object): Promise<object>
  frame(document: object, frame: object, options: object): Promise<object>
}

type ProcessorTerm = {
  readonly termType: string
  readonly value: string
  readonly datatype?: { readonly value: string }
  readonly language?: string
}

type ProcessorQuad = {
  readonly subject: ProcessorTerm
  readonly predicate: ProcessorTerm
  readonly object: ProcessorTerm
  readonly graph: ProcessorTerm
}

// The cast: the functions take what is described above.
const processor = jsonld as unknown as Processor

export function createJsonLdTools({ iri, document }: KnownContext) {
  const context = JSON.parse(document) as JsonLdDocument
  // One root is an object, and not a list of one.
  const options = { documentLoader, base: null, omitGraph: true }

  function documentLoader(url: string) {
    if (url !== iri)
      throw new InvalidError(`The document refers to <${url}>; only <${iri}> can be referred to.`)
    return Promise.resolve({ contextUrl: undefined, documentUrl: url, document: context })
  }

  /** @throws InvalidError, TooLargeError */
  async function read(text: string, base: string): Promise<ReadDocument> {
    const parsed = parse(text)
    const dropped = new Set<string>()
    const quads = await attempt(() =>
      processor.toRDF(parsed, {
        base,
        documentLoader,
        eventHandler: ({ event }: DroppedEvent) => {
          if (event.code === 'invalid property') dropped.add(String(event.details.property))
        },
      }),
    )
    if (quads.length > documentLimits.statements) throw tooLarge('statements')
    const members = Object.entries(outermostNode(parsed)).filter(([name]) => dropped.has(name))
    return { statements: quads.map(toStatement), meaningless: new Map(members) }
  }

  /** @throws InvalidError, TooLargeError */
  async function rewrite(text: string, form: JsonLdForm, frame: string): Promise<string> {
    const source = JSON.parse(text) as object
    const rewriters: Readonly<Record<JsonLdForm, () => Promise<object>>> = {
      expanded: () => processor.expand(source, options),
      compacted: () => processor.compact(source, iri, options),
      flattened: () => processor.flatten(source, undefined, options),
      framed: () => processor.frame(source, parse(frame, documentLimits.frameDepth), options),
    }
    return stringify(await attempt(rewriters[form]))
  }

  /** A graph in the form that a frame gives it. @throws InvalidError, TooLargeError */
  async function frameGraph(ntriples: string, frame: string): Promise<string> {
    const parsed = parse(frame, documentLimits.frameDepth)
    const source = await attempt(() => processor.fromRDF(parseNTriples(ntriples), {}))
    return stringify(await attempt(() => processor.frame(source, parsed, options)))
  }

  return { read, rewrite, frameGraph }
}

type DroppedEvent = {
  readonly event: { readonly code: string; readonly details: { readonly property?: unknown } }
}

/** @throws InvalidError for the processor's own errors */
async function attempt<Result>(task: () => Promise<Result>): Promise<Result> {
  try {
    return await task()
  } catch (error) {
    const cause = causeOf(error)
    if (cause) throw cause
    throw new InvalidError((error as Error).message, { cause: error })
  }
}

/** An error of this project that the processor has put into one of its own. */
function causeOf(error: unknown): Error | undefined {
  if (error instanceof InvalidError || error instanceof TooLargeError) return error
  const { details } = error as { readonly details?: { readonly cause?: unknown } }
  return details?.cause === undefined ? undefined : causeOf(details.cause)
}

/** @throws TooLargeError, since a frame can repeat a node in many places */
function stringify(document: object): string {
  const text = JSON.stringify(document)
  if (text.length > documentLimits.rewritten)
    throw new TooLargeError('In this form, the document is too large.')
  return text
}

/** A document or a frame. @throws InvalidError, TooLargeError */
function parse(text: string, maxDepth: number = documentLimits.depth): object {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null)
    throw new InvalidError('A JSON-LD document is an object or an array.')
  checkSize(value, maxDepth)
  return value
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The message of the parser quotes the document.
    throw new InvalidError('The document is not JSON.')
  }
}

/** Checks a document level by level, so that no depth exhausts the stack. */
function checkSize(document: object, maxDepth: number): void {
  let level: readonly object[] = [document]
  let nodes = 0
  let terms = 0
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxDepth) throw tooLarge('levels')
    nodes += level.length
    if (nodes > documentLimits.nodes) throw tooLarge('nodes')
    const next: object[] = []
    for (const object of level)
      for (const [name, value] of Object.entries(object)) {
        // The processor uses plain objects with the names of the document.
        if (name === '__proto__') throw new InvalidError('No member may be named __proto__.')
        if (name === '@context') terms += countTerms(value)
        if (isInexact(value))
          throw new InvalidError(
            `The number ${String(value)} has more digits than a number can have here: send it as a text.`,
          )
        if (typeof value === 'object' && value !== null) next.push(value as object)
      }
    if (terms > documentLimits.terms) throw tooLarge('terms')
    level = next
  }
}

const isInexact = (value: unknown): boolean =>
  typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER

/** The terms of a context; those of contexts inside it are counted where these are met. */
const countTerms = (context: unknown): number =>
  [context]
    .flat()
    .reduce<number>(
      (sum, part) =>
        sum + (typeof part === 'object' && part !== null ? Object.keys(part).length : 1),
      0,
    )

const tooLarge = (what: string): TooLargeError =>
  new TooLargeError(`The document has too many ${what}.`)

/** The one object of a document; none of its members where there are several. */
function outermostNode(document: object): object {
  const [node, ...others] = [document].flat() as readonly unknown[]
  return others.length === 0 && typeof node === 'object' && node !== null ? node : {}
}

/** @throws InvalidError for a named graph */
function toStatement({ subject, predicate, object, graph }: ProcessorQuad): DocumentStatement {
  if (graph.termType !== 'DefaultGraph')
    throw new InvalidError(`The document has a graph with a name, ${graph.value}.`)
  const statement = { s: nameOf(subject), p: predicate.value, o: nameOf(object) }
  if (object.termType !== 'Literal') return statement
  const { language = '', datatype } = object
  return { ...statement, literal: language === '' ? (datatype?.value ?? '') : `@${language}` }
}

const nameOf = ({ termType, value }: ProcessorTerm): string =>
  termType === 'BlankNode' && !value.startsWith('_:') ? `_:${value}` : value
