// The description of the endpoint (SPARQL 1.1 Service Description).

import { parseTurtle } from '../../rdf/turtle-reader.js'
import type { Quad } from '../../rdf/terms.js'
import type { PoolSettings } from './worker-pool.js'

/** The prefixes of the description, in addition to those of every document. */
export const descriptionPrefixes = {
  sd: 'http://www.w3.org/ns/sparql-service-description#',
  formats: 'http://www.w3.org/ns/formats/',
  entailment: 'http://www.w3.org/ns/entailment/',
}

/** Written as Turtle and parsed. No value in it comes from a client. */
export const descriptionOf = ({
  base,
  graphs,
  timeout,
  limits,
  searchWords,
}: PoolSettings): Quad[] =>
  parseTurtle(
    `
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix sd: <${descriptionPrefixes.sd}> .
@prefix formats: <${descriptionPrefixes.formats}> .
@prefix entailment: <${descriptionPrefixes.entailment}> .

<sparql>
  a sd:Service ;
  dcterms:title "SPARQL endpoint of the zine catalogue"@en ;
  dcterms:description "Answers SPARQL 1.1 queries about all public data of the catalogue. A change is visible as soon as it is acknowledged. A query may run for ${timeout} seconds; a result may have ${limits.rows} rows and ${limits.bytes} bytes. A query that exceeds a limit is rejected with the reason; no result is truncated."@en ;
  rdfs:seeAlso <.well-known/sparql-examples> ;
  sd:endpoint <sparql> ;
  sd:supportedLanguage sd:SPARQL11Query ;
  sd:feature sd:UnionDefaultGraph ;
${searchWords ? '  sd:propertyFeature <ns#matches> ;\n' : ''}  sd:defaultEntailmentRegime entailment:Simple ;
  sd:resultFormat
    formats:SPARQL_Results_JSON, formats:SPARQL_Results_XML,
    formats:SPARQL_Results_CSV, formats:SPARQL_Results_TSV,
    formats:Turtle, formats:N-Triples, formats:RDF_XML, formats:JSON-LD ;
  sd:defaultDataset <sparql#dataset> .

<sparql#dataset>
  a sd:Dataset ;
  sd:defaultGraph <sparql#default-graph> ;
  sd:namedGraph ${graphs.map((_, number) => `<sparql#graph-${number + 1}>`).join(', ')} .

<sparql#default-graph> a sd:Graph .
${graphs.map((graph, number) => `<sparql#graph-${number + 1}> a sd:NamedGraph ; sd:name <${graph}> .`).join('\n')}
`,
    `${base}/`,
  )
