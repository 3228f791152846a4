// The syntax of RDF/XML: an element for each subject, named by its first type.

import { rdf } from '../../rdf/namespaces.js'
import { type Quad, type Term, groupBySubject } from '../../rdf/terms.js'
import { notInXml } from '../../rdf/xml.js'
import { type ToPrefixedName, createPrefixer } from './prefixed-names.js'
import type { RdfSyntax } from './syntax.js'

export const rdfxml: RdfSyntax = {
  name: 'rdfxml',
  title: 'RDF/XML',
  type: 'application/rdf+xml',
  extension: 'rdf',
  open: (prefixes) => {
    const namespaces = Object.entries({ rdf: rdf('').value, ...prefixes })
    const attributes = namespaces.map(([prefix, iri]) => `\n    xmlns:${prefix}="${escape(iri)}"`)
    return `<?xml version="1.0" encoding="UTF-8"?>\n<rdf:RDF${attributes.join('')}>\n`
  },
  statements: (triples, prefixes) => {
    const toPrefixedName = createPrefixer({ rdf: rdf('').value, ...prefixes })
    return [...groupBySubject(triples).values()]
      .map((group) => writeNode(group, toPrefixedName))
      .join('')
  },
  close: () => '</rdf:RDF>\n',
}

function writeNode(triples: readonly Quad[], toPrefixedName: ToPrefixedName): string {
  const [first] = triples
  if (!first) return ''
  // A type whose IRI gives no XML name is written as an ordinary property.
  const type = triples.find(
    ({ predicate, object }) => isType(predicate) && toPrefixedName(object.value),
  )
  const { name, declared } = nameOf(
    type?.object.value ?? rdf('Description').value,
    toPrefixedName,
  ) ?? {
    name: 'rdf:Description',
    declared: '',
  }
  const others = triples.filter((triple) => triple !== type)
  const properties = others.map((triple) => `    ${writeProperty(triple, toPrefixedName)}\n`)
  return `  <${name}${declared}${subjectOf(first.subject)}>\n${properties.join('')}  </${name}>\n`
}

function writeProperty({ predicate, object }: Quad, toPrefixedName: ToPrefixedName): string {
  const element = nameOf(predicate.value, toPrefixedName)
  // RDF/XML cannot express such a property (RDF 1.1 XML Syntax, 8).
  if (!element)
    return `<!-- no XML name ends ${escape(predicate.value).replaceAll('--', '-&#45;')} -->`
  const { name, declared } = element
  if (object.termType === 'Literal') {
    const { value, language, datatype } = object
    const kind =
      language !== ''
        ? ` xml:lang="${language}"`
        : datatype.value.endsWith('#string')
          ? ''
          : ` rdf:datatype="${escape(datatype.value)}"`
    return `<${name}${declared}${kind}>${escape(value)}</${name}>`
  }
  return `<${name}${declared}${objectOf(object)}/>`
}

/** The name of an element, with a declaration of its namespace where it has no prefix of ours. */
function nameOf(
  iri: string,
  toPrefixedName: ToPrefixedName,
): { name: string; declared: string } | undefined {
  const known = toPrefixedName(iri)
  if (known) return { name: known.join(':'), declared: '' }
  const local = /(?<![\w.-])[\d.-]*([A-Za-z_][\w.-]*)$/.exec(iri)?.[1]
  if (local === undefined || local === iri) return undefined
  const namespace = escape(iri.slice(0, -local.length))
  return { name: `n:${local}`, declared: ` xmlns:n="${namespace}"` }
}

const isType = (predicate: Term): boolean => predicate.equals(rdf('type'))

const subjectOf = (term: Term): string =>
  term.termType === 'BlankNode'
    ? ` rdf:nodeID="${term.value}"`
    : ` rdf:about="${escape(term.value)}"`

const objectOf = (term: Term): string =>
  term.termType === 'BlankNode'
    ? ` rdf:nodeID="${term.value}"`
    : ` rdf:resource="${escape(term.value)}"`

/**
 * Escapes text for an element or an attribute. A carriage return becomes a character reference,
 * since XML would read it as a line feed; characters that XML 1.0 forbids become the replacement
 * character.
 */
const escape = (value: string): string =>
  value
    .replace(notInXml, '\uFFFD')
    .replace(/[&<>"\r]/g, (character) => references.get(character) ?? character)

const references = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ['\r', '&#xD;'],
])
