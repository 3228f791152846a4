// Finds the patterns with zc:matches in a query, and puts what the search finds in their place, as
// VALUES. Which records have the words is left to word-search.ts, in the main thread.

import { DataFactory } from 'n3'
import type { BgpPattern, IriTerm, Pattern, Query, Term, Triple, VariableTerm } from 'sparqljs'

import { InvalidError } from '../../errors.js'
import type { ResourceName } from '../../model/iris.js'
import { bf, foaf, org, rdf, xsd } from '../../rdf/namespaces.js'
import { starVariables } from './select-variables.js'
import { type QueryNode, isPath, nodesOf } from './query-tree.js'
import { type WordHit, type WordSearch, maxFound } from './word-search-protocol.js'

/** So many different searches may be in one query. */
const maxSearches = 4

/** The classes by which a query says which kind of record it wants. */
const kindsByClass: ReadonlyMap<string, ResourceName> = new Map([
  [bf('Instance').value, 'zines'],
  [foaf('Agent').value, 'agents'],
  [org('Organization').value, 'repositories'],
  [bf('Item').value, 'holdings'],
])

/** Searches several times, each with the records of one kind or of all. */
export type FindWords = (
  searches: readonly WordSearch[],
) => Promise<readonly (readonly WordHit[])[]>

/** What stands before and behind zc:matches. */
type WordPattern = {
  readonly record: VariableTerm | IriTerm
  readonly score: VariableTerm | undefined
  readonly search: WordSearch
}

/** A block of triples, with its patterns of words and its other triples. */
type WordBlock = {
  readonly block: BgpPattern
  readonly patterns: readonly WordPattern[]
  readonly rest: readonly Triple[]
}

/**
 * Replaces each pattern of words in a query by what is found.
 * @param endpoint the IRI of the endpoint, beside which the vocabulary is
 * @param hasAllGraphs whether the default graph of the query has all public triples
 * @returns whether the query has any
 * @throws InvalidError for a pattern that cannot be read, and what `find` throws
 */
export async function replaceWordPatterns(
  query: Query,
  endpoint: string,
  hasAllGraphs: boolean,
  find: FindWords,
): Promise<boolean> {
  const property = `${endpoint.replace(/sparql$/, '')}ns#matches`
  const nodes = [...nodesOf(query)]
  const blocks = nodes.flatMap((node) => readBlock(node, property))
  if (blocks.length === 0) return false
  const isAboutAll = hasAllGraphs && !nodes.some(({ type }) => type === 'graph')
  const searches = new Map(
    blocks.flatMap(({ patterns }) => patterns.map(({ search }) => [keyOf(search), search])),
  )
  if (searches.size > maxSearches)
    throw new InvalidError(`A query may have ${maxSearches} searches with zc:matches at most.`)
  const results = await find([...searches.values()])
  const found = new Map([...searches.keys()].map((key, index) => [key, results[index] ?? []]))
  // Before the patterns are replaced, which moves their variables.
  const names = starVariables(query)
  if (names && query.queryType === 'SELECT')
    query.variables = names.map((name) => DataFactory.variable(name) as VariableTerm)
  for (const { block, patterns, rest } of blocks) {
    const triples = isAboutAll ? rest.filter((triple) => !isKnownClass(triple, patterns)) : rest
    // The block becomes a group in its place: what refers to it stays as it is.
    Object.assign(block, {
      type: 'group',
      triples: undefined,
      patterns: [
        ...patterns.flatMap((pattern) =>
          valuesFor(pattern, found.get(keyOf(pattern.search)) ?? []),
        ),
        ...(triples.length > 0 ? [{ type: 'bgp', triples }] : []),
      ],
    })
  }
  return true
}

/**
 * Whether a triple says of a variable the class that all found records have for which it stands.
 * Oxigraph would go through all records of that class first.
 */
const isKnownClass = (
  { subject, predicate, object }: Triple,
  patterns: readonly WordPattern[],
): boolean =>
  subject.termType === 'Variable' &&
  isIri(predicate, rdf('type').value) &&
  patterns.some(
    ({ record, search }) =>
      record.termType === 'Variable' &&
      record.value === subject.value &&
      search.kind !== undefined &&
      search.kind === kindsByClass.get(object.value),
  )

const keyOf = (search: WordSearch): string => JSON.stringify(search)

function readBlock(node: QueryNode, property: string): readonly WordBlock[] {
  if (isPath(node.predicate) && [...stepsOf(node.predicate)].includes(property))
    throw new InvalidError('zc:matches cannot be a step of a path.')
  if (node.type !== 'bgp') return []
  const block = node as BgpPattern
  const matching = block.triples.filter(({ predicate }) => isIri(predicate, property))
  if (matching.length === 0) return []
  const lists = readLists(block.triples)
  const patterns = matching.map((triple) => readPattern(triple, lists, block.triples))
  const used = new Set(
    matching.flatMap((triple) => [
      triple,
      ...(lists.get(triple.subject.value)?.triples ?? []),
      ...(lists.get(triple.object.value)?.triples ?? []),
    ]),
  )
  return [{ block, patterns, rest: block.triples.filter((triple) => !used.has(triple)) }]
}

function* stepsOf(path: object): Generator<string> {
  const remaining: object[] = [path]
  for (let part = remaining.pop(); part; part = remaining.pop())
    if (isPath(part)) remaining.push(...part.items)
    else yield (part as IriTerm).value
}

const isIri = (term: object, iri: string): boolean =>
  'termType' in term && term.termType === 'NamedNode' && (term as IriTerm).value === iri

type ListOfTerms = { readonly terms: readonly Term[]; readonly triples: readonly Triple[] }

/** The lists that are written in brackets, by the blank node at which each begins. */
function readLists(triples: readonly Triple[]): ReadonlyMap<string, ListOfTerms> {
  const firsts = triplesBy(triples, rdf('first').value)
  const rests = triplesBy(triples, rdf('rest').value)
  const lists = new Map<string, ListOfTerms>()
  for (const start of firsts.keys()) {
    const parts: Triple[] = []
    const terms: Term[] = []
    // A list that leads back to itself ends too.
    for (let node = start; terms.length <= maxTerms;) {
      const [first, rest] = [firsts.get(node), rests.get(node)]
      if (!first || !rest) break
      terms.push(first.object)
      parts.push(first, rest)
      node = rest.object.value
    }
    lists.set(start, { terms, triples: parts })
  }
  return lists
}

/** No list of a pattern has more. */
const maxTerms = 2

const triplesBy = (triples: readonly Triple[], predicate: string): ReadonlyMap<string, Triple> =>
  new Map(
    triples
      .filter((triple) => triple.subject.termType === 'BlankNode')
      .filter((triple) => isIri(triple.predicate, predicate))
      .map((triple) => [triple.subject.value, triple]),
  )

function readPattern(
  { subject, object }: Triple,
  lists: ReadonlyMap<string, ListOfTerms>,
  block: readonly Triple[],
): WordPattern {
  const termsOf = (term: Term): readonly (Term | undefined)[] =>
    (term.termType === 'BlankNode' ? lists.get(term.value)?.terms : undefined) ?? [term]
  const [record, score, ...moreBefore] = termsOf(subject)
  const [words, limit, ...moreBehind] = termsOf(object)
  const isRecord = record?.termType === 'Variable' || record?.termType === 'NamedNode'
  if (
    !isRecord ||
    (score && (score.termType !== 'Variable' || score.value === record.value)) ||
    moreBefore.length > 0
  )
    throw new InvalidError(
      'Before zc:matches there is a variable or an IRI, or both that and a variable for the score: (?zine ?score).',
    )
  if (words?.termType !== 'Literal' || words.value.trim() === '' || moreBehind.length > 0)
    throw new InvalidError(
      'Behind zc:matches there are words in quotes, or these and a number: ("soup kitchen" 50). A variable cannot be there.',
    )
  const kind = record.termType === 'Variable' ? kindOf(record, block) : undefined
  return { record, score, search: { words: words.value, limit: readLimit(limit), kind } }
}

function readLimit(term: Term | undefined): number | undefined {
  if (term === undefined) return undefined
  const limit = term.termType === 'Literal' ? Number(term.value) : NaN
  if (!Number.isInteger(limit) || limit < 1 || limit > maxFound)
    throw new InvalidError(`The number behind the words of zc:matches is from 1 to ${maxFound}.`)
  return limit
}

/** The only kind of record that a variable may stand for; undefined where that is not said. */
function kindOf(record: VariableTerm, block: readonly Triple[]): ResourceName | undefined {
  const [kind] = block
    .filter(({ subject }) => subject.termType === 'Variable' && subject.value === record.value)
    .filter(({ predicate }) => isIri(predicate, rdf('type').value))
    .flatMap(({ object }) => kindsByClass.get(object.value) ?? [])
  return kind
}

function valuesFor({ record, score }: WordPattern, found: readonly WordHit[]): readonly Pattern[] {
  const isVariable = record.termType === 'Variable'
  const fitting = isVariable ? found : found.filter(({ iri }) => iri === record.value)
  const rowOf = ({ iri, score: value }: WordHit) => ({
    ...(isVariable && { [`?${record.value}`]: DataFactory.namedNode(iri) as IriTerm }),
    ...(score && {
      [`?${score.value}`]: DataFactory.literal(String(value), xsd('integer')),
    }),
  })
  // VALUES without variables cannot be written by sparqljs. Of a named record there is one row.
  const toValues = (hits: readonly WordHit[]): readonly Pattern[] =>
    isVariable || score ? [{ type: 'values', values: hits.map(rowOf) }] : []
  if (fitting.length > 0) return toValues(fitting)
  // VALUES without rows cannot be either: sparqljs takes the variables from the first.
  return [
    ...toValues([{ iri: 'about:nothing', score: 0 }]),
    { type: 'filter', expression: DataFactory.literal('false', xsd('boolean')) },
  ]
}
