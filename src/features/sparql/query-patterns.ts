// Finds which quads a query may need. Its result over these alone is the same as over all quads.

import type { BgpPattern, Pattern, PropertyPath, Query, Term, Triple } from 'sparqljs'

import { writeTerm } from '../../rdf/terms.js'
import type { QuadPattern } from './quad-patterns.js'
import { type QueryNode, isPath, nodesOf } from './query-tree.js'

/** The pattern of all quads. */
export const everything: QuadPattern = {}

/**
 * @returns patterns of which each quad that the query may need has one at least; none of them twice
 */
export function neededPatterns(query: Query): readonly QuadPattern[] {
  const patterns: QuadPattern[] = []
  /** For triples that are joined to others, the variables that some triple of the group binds. */
  const boundIn = new Map<object, ReadonlySet<string>>()
  for (const node of nodesOf(query)) {
    for (const group of groupsOf(node)) {
      const blocks = group.filter((pattern) => pattern.type === 'bgp')
      const bound = variablesBoundBy(blocks.flatMap(({ triples }) => triples))
      for (const block of blocks) boundIn.set(block, bound)
    }
    if (node.type === 'bgp') {
      const { triples } = node as BgpPattern
      const bound = boundIn.get(node) ?? variablesBoundBy(triples)
      patterns.push(...triples.flatMap((triple) => patternsOf(triple, bound)))
    }
  }
  if (query.queryType === 'DESCRIBE')
    for (const described of query.variables)
      patterns.push(
        described.termType === 'NamedNode' ? { subject: writeTerm(described) } : everything,
      )
  if (patterns.some(isEverything)) return [everything]
  return [...new Map(patterns.map((pattern) => [JSON.stringify(pattern), pattern])).values()]
}

const isEverything = ({ subject, predicate, object }: QuadPattern): boolean =>
  subject === undefined && predicate === undefined && object === undefined

/** The patterns whose solutions are joined, for each part of a node that has such. */
const groupsOf = ({ type, patterns, where }: QueryNode): (readonly Pattern[])[] =>
  // The alternatives of a UNION are not joined.
  [...(patterns && type !== 'union' ? [patterns] : []), ...(where ? [where] : [])]

function patternsOf(
  { subject, predicate, object }: Triple,
  bound: ReadonlySet<string>,
): readonly QuadPattern[] {
  if (isPath(predicate)) {
    const steps = stepsOf(predicate)
    if (!steps) return [everything]
    const ends = isNullable(predicate) ? nodePatterns([subject, object], bound) : []
    return [...steps.map((step) => ({ predicate: step })), ...ends]
  }
  // A term of another type, such as a variable or a blank node, may stand for any term.
  if (isIri(subject)) return [{ subject: writeTerm(subject) }]
  return [
    {
      ...(isIri(predicate) ? { predicate: writeTerm(predicate) } : {}),
      ...(isExact(object) ? { object: writeTerm(object) } : {}),
    },
  ]
}

/**
 * The patterns of the ends of a path that leads from each node to itself. Where both ends may be
 * any node, all nodes are needed. Oxigraph has to find in its quads the node that a query names.
 */
function nodePatterns(ends: readonly Term[], bound: ReadonlySet<string>): readonly QuadPattern[] {
  const named = ends.filter((end) => !isOpen(end))
  if (named.length === 0) return ends.every((end) => isFree(end, bound)) ? [everything] : []
  return named.flatMap((end) =>
    isExact(end) ? [{ subject: writeTerm(end) }, { object: writeTerm(end) }] : [everything],
  )
}

const isIri = (term: Term): boolean => term.termType === 'NamedNode'

/**
 * Whether a term stands for what is written exactly so. A number or a time may be written in
 * several ways, and a language in letters of both cases.
 */
const isExact = (term: Term): boolean =>
  isIri(term) || (term.termType === 'Literal' && term.datatype.value === xsdString)

const xsdString = 'http://www.w3.org/2001/XMLSchema#string'

/** The variables of triples that need a quad. */
const variablesBoundBy = (triples: readonly Triple[]): ReadonlySet<string> =>
  new Set(
    triples
      .filter(({ predicate }) => !isPath(predicate) || !isNullable(predicate))
      .flatMap(({ subject, object }) => [subject, object])
      .filter(isOpen)
      .map(nameOf),
  )

const isOpen = ({ termType }: Term): boolean => termType === 'Variable' || termType === 'BlankNode'

const nameOf = ({ termType, value }: Term): string => `${termType} ${value}`

/** Whether a variable may stand for a node that no other triple of the group has. */
const isFree = (term: Term, bound: ReadonlySet<string>): boolean => !bound.has(nameOf(term))

/**
 * Whether a path leads from each node to itself (SPARQL 1.1 Query, 18.4): then it is about all
 * nodes that there are.
 */
function isNullable(path: PathPart): boolean {
  if (!isPath(path)) return false
  const { pathType, items } = path
  if (pathType === '*' || pathType === '?') return true
  if (pathType === '!') return false
  return pathType === '|' ? items.some(isNullable) : items.every(isNullable)
}

/** The predicates of a path; undefined where it may have any. */
function stepsOf(path: PropertyPath): readonly string[] | undefined {
  const steps: string[] = []
  const remaining: PathPart[] = [path]
  for (let part = remaining.pop(); part; part = remaining.pop()) {
    if (!isPath(part)) steps.push(writeTerm(part))
    else if (part.pathType === '!') return undefined
    else remaining.push(...part.items)
  }
  return steps
}

type PathPart = PropertyPath['items'][number]
