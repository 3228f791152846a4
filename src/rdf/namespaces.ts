// The namespaces of the RDF vocabularies in use, and their prefixes in every Turtle file of the
// repository.

import type { NamedNode } from '@rdfjs/types'
import { prefixes } from '../lib/rdf-prefixes.js'
import { namedNode } from './data-factory.js'

export { prefixes }

export type Namespace = (name: string) => NamedNode

/** Prefix to namespace. */
export type Prefixes = Readonly<Record<string, string>>

/** All prefixes, including our own. */
export const prefixesUnder = (base: string): Prefixes => ({ ...prefixes, zc: `${base}/ns#` })

// Each name is made once. They stand in the code, so there are not many.
function namespace(prefix: keyof typeof prefixes): Namespace {
  const nodes = new Map<string, NamedNode>()
  return (name) => {
    const known = nodes.get(name)
    if (known) return known
    const term = namedNode(prefixes[prefix] + name)
    nodes.set(name, term)
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
