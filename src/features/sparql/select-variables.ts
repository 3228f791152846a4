// Finds the variables of `SELECT *` in the order in which the query mentions them. Oxigraph would
// sort them by name, other engines as they like.

import type { Expression, Pattern, PropertyPath, Query, SelectQuery, Term } from 'sparqljs'

import type { Token } from './lexer.js'
import { scan } from './lexer.js'

/**
 * The visible variables of a `SELECT *` (SPARQL 1.1 Query, 18.2.1); undefined for other queries,
 * and for one without variables.
 */
export function starVariables(query: Query): readonly string[] | undefined {
  if (query.queryType !== 'SELECT' || !hasStar(query)) return undefined
  const names = visibleIn(query)
  return names.length > 0 ? names : undefined
}

/** The query with its variables in place of `*`. */
export function withNamedVariables(text: string, query: Query): string {
  const names = starVariables(query)
  const star = names && findStar(text)
  if (!star) return text
  const variables = names.map((name) => `?${name}`).join(' ')
  return `${text.slice(0, star.start)} ${variables} ${text.slice(star.end)}`
}

/** The `*` behind the query's own SELECT. Only a prologue, which has no operators, is before it. */
function findStar(text: string): Token | undefined {
  let star: Token | undefined
  let isSelect = false
  scan(text, (token) => {
    const word = text.slice(token.start, token.end).toUpperCase()
    if (token.kind === 'word' && word === 'SELECT') isSelect = true
    else if (isSelect && token.kind === 'sign' && word === '*') star ??= token
  })
  return star
}

const hasStar = ({ variables }: SelectQuery): boolean =>
  variables.some((variable) => 'termType' in variable && variable.termType === 'Wildcard')

function visibleIn(query: SelectQuery): string[] {
  const projected = hasStar(query)
    ? (query.where ?? []).flatMap(variablesIn)
    : query.variables.flatMap((variable) =>
        nameOf('variable' in variable ? variable.variable : (variable as Term)),
      )
  return [...new Set([...projected, ...valuesNames(query.values)])]
}

function variablesIn(pattern: Pattern): string[] {
  switch (pattern.type) {
    case 'bgp':
      return pattern.triples.flatMap(({ subject, predicate, object }) => [
        ...nameOf(subject),
        ...nameOf(predicate),
        ...nameOf(object),
      ])
    case 'graph':
      return [...nameOf(pattern.name), ...pattern.patterns.flatMap(variablesIn)]
    case 'group':
    case 'union':
    case 'optional':
      return pattern.patterns.flatMap(variablesIn)
    case 'bind':
      return nameOf(pattern.variable)
    case 'values':
      return valuesNames(pattern.values)
    case 'query':
      return visibleIn(pattern)
    default:
      // FILTER and MINUS bind nothing; SERVICE is rejected.
      return []
  }
}

const nameOf = (term: Term | PropertyPath | Expression): string[] =>
  'termType' in term && term.termType === 'Variable' ? [term.value] : []

const valuesNames = (rows: readonly object[] = []): string[] =>
  Object.keys(rows[0] ?? {}).map((name) => name.replace(/^[?$]/, ''))
