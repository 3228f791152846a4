// The namespaces of the RDF vocabularies in use, and their prefixes in every Turtle file of the
// repository.

import type { NamedNode } from '@rdfjs/types'
import { namedNode } from './data-factory.js'

export type Namespace = (name: string) => NamedNode

/** Prefix to namespace, in the order of output. Our own terms, `zc:`, are under the base URL. */
export const prefixes = {
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  owl: 'http://www.w3.org/2002/07/owl#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  dcterms: 'http://purl.org/dc/terms/',
  skos: 'http://www.w3.org/2004/02/skos/core#',
  foaf: 'http://xmlns.com/foaf/0.1/',
  schema: 'http://schema.org/',
  bibo: 'http://purl.org/ontology/bibo/',
  bf: 'http://id.loc.gov/ontologies/bibframe/',
  holding: 'http://purl.org/ontology/holding#',
  org: 'http://www.w3.org/ns/org#',
  vcard: 'http://www.w3.org/2006/vcard/ns#',
  vivo: 'http://vivoweb.org/ontology/core#',
  adms: 'http://www.w3.org/ns/adms#',
  rdau: 'http://rdaregistry.info/Elements/u/',
  lv: 'http://purl.org/lobid/lv#',
  wdrs: 'http://www.w3.org/2007/05/powder-s#',
  prov: 'http://www.w3.org/ns/prov#',
  void: 'http://rdfs.org/ns/void#',
  sh: 'http://www.w3.org/ns/shacl#',
  edtf: 'http://id.loc.gov/datatypes/edtf/',
  hydra: 'http://www.w3.org/ns/hydra/core#',
  gn: 'http://www.geonames.org/ontology#',
  geo: 'http://www.w3.org/2003/01/geo/wgs84_pos#',
} as const

/** Prefix to namespace. */
export type Prefixes = Readonly<Record<string, string>>

/** All prefixes, including our own. */
export const prefixesUnder = (base: string): Prefixes => ({ ...prefixes, zc: `${base}/ns#` })

// Each name is made once. They stand in the code, so there are not many.
function namespace(prefix: keyof typeof prefixes): Namespace {
  const made = new Map<string, NamedNode>()
  return (name) => {
    const known = made.get(name)
    if (known) return known
    const term = namedNode(prefixes[prefix] + name)
    made.set(name, term)
    return term
  }
}

export const rdf = namespace('rdf')
export const rdfs = namespace('rdfs')
export const xsd = namespace('xsd')
export const dcterms = namespace('dcterms')
export const skos = namespace('skos')
export const foaf = namespace('foaf')
export const schema = namespace('schema')
export const bibo = namespace('bibo')
export const bf = namespace('bf')
export const holding = namespace('holding')
export const org = namespace('org')
export const vcard = namespace('vcard')
export const vivo = namespace('vivo')
export const adms = namespace('adms')
export const rdau = namespace('rdau')
export const lv = namespace('lv')
export const sh = namespace('sh')
export const wdrs = namespace('wdrs')
export const prov = namespace('prov')
export const edtf = namespace('edtf')
export const hydra = namespace('hydra')
export const gn = namespace('gn')
export const geo = namespace('geo')
