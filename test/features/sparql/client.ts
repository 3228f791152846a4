// Shared by the tests of the SPARQL endpoint: sending a query, reading its rows, and queries that
// overload a worker.

import { expect } from 'chai'

import type { Answer, TestService } from '../../service.js'

export const PREFIXES = `PREFIX bf: <http://id.loc.gov/ontologies/bibframe/>
PREFIX dcterms: <http://purl.org/dc/terms/>
PREFIX foaf: <http://xmlns.com/foaf/0.1/>
PREFIX org: <http://www.w3.org/ns/org#>
PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX schema: <http://schema.org/>
PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
PREFIX zc: <https://zines.example/ns#>
`

export const GRAPHS = {
  public: 'https://zines.example/graphs/public',
  private: 'https://zines.example/graphs/private',
  vocabularies: 'https://zines.example/graphs/vocabularies',
}

/** Posts a query as it is, without an account unless told otherwise. */
export function ask(
  service: TestService,
  query: string,
  {
    accept = 'application/sparql-results+json',
    parameters = '',
    token = null as string | null,
  } = {},
): Promise<Answer> {
  return service.ask('POST', `/sparql${parameters}`, {
    raw: query,
    token,
    headers: { 'content-type': 'application/sparql-query', accept },
  })
}

/** The rows of a SELECT, each as the values of its variables. */
export async function rowsOf(
  service: TestService,
  query: string,
): Promise<Record<string, string>[]> {
  const answer = await ask(service, PREFIXES + query)
  expect(answer.status, answer.text).to.equal(200)
  return answer.body.results.bindings.map((row: Record<string, { value: string }>) =>
    Object.fromEntries(Object.entries(row).map(([name, term]) => [name, term.value])),
  )
}

/** A cross product that no time limit is long enough for; it never holds more than a row. */
export const BOMB = 'SELECT (COUNT(*) AS ?c) { ?a ?b ?c0 . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }'

/** Forty-nine triple patterns that share their variables, which is the planning that takes long. */
export const PLANNING_BOMB = `SELECT * { ${Array.from(
  { length: 49 },
  (_, number) => `?v${number} ?p${number} ?v${(number * 7 + 1) % 49} .`,
).join(' ')} }`
