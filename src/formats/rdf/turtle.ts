// The syntax of Turtle, laid out for people: a block for each subject, its types first, the other
// properties in the order of the triples, which is that of the fields.

import { rdf } from '../../rdf/namespaces.js'
import type { Prefixes } from '../../rdf/namespaces.js'
import { type Literal, type Quad, type Term, groupBySubject } from '../../rdf/terms.js'
import { type ToPrefixedName, createPrefixer, hasTurtleShorthand } from './prefixed-names.js'
import type { RdfSyntax } from './syntax.js'

export const turtle: RdfSyntax = {
  name: 'turtle',
  title: 'Turtle',
  type: 'text/turtle',
  extension: 'ttl',
  open: (prefixes) =>
    Object.entries(prefixes)
      .map(([prefix, namespace]) => `@prefix ${prefix}: <${namespace}> .\n`)
      .join(''),
  statements: writeBlocks,
  close: () => '',
}

function writeBlocks(triples: readonly Quad[], prefixes: Prefixes): string {
  const toPrefixedName = createPrefixer(prefixes)
  return [...groupBySubject(triples).values()]
    .map((block) => writeBlock(block, toPrefixedName))
    .join('')
}

function writeBlock(triples: readonly Quad[], toPrefixedName: ToPrefixedName): string {
  const [first] = triples
  if (!first) return ''
  const byPredicate = new Map<string, Term[]>([[rdf('type').value, []]])
  for (const { predicate, object } of triples)
    byPredicate.set(predicate.value, [...(byPredicate.get(predicate.value) ?? []), object])
  const lines = [...byPredicate]
    .filter(([, objects]) => objects.length > 0)
    .map(([predicate, objects]) => {
      const verb = predicate === rdf('type').value ? 'a' : writeIri(predicate, toPrefixedName)
      return `${verb} ${writeObjects(objects.map((object) => writeTerm(object, toPrefixedName)))}`
    })
  return `\n${writeTerm(first.subject, toPrefixedName)}\n    ${lines.join(' ;\n    ')} .\n`
}

/** Objects on one line where they fit, else one per line. */
function writeObjects(objects: readonly string[]): string {
  const line = objects.join(', ')
  return line.length <= 90 ? line : objects.join(' ,\n        ')
}

function writeTerm(term: Term, toPrefixedName: ToPrefixedName): string {
  if (term.termType === 'BlankNode') return `_:${term.value}`
  return term.termType === 'Literal'
    ? writeLiteral(term, toPrefixedName)
    : writeIri(term.value, toPrefixedName)
}

function writeIri(iri: string, toPrefixedName: ToPrefixedName): string {
  const name = toPrefixedName(iri)
  return name ? name.join(':') : `<${iri.replace(/[\0-\x20<>"{}|^`\\]/g, escapeCode)}>`
}

function writeLiteral(
  { value, language, datatype }: Literal,
  toPrefixedName: ToPrefixedName,
): string {
  if (language !== '') return `${quote(value)}@${language}`
  if (datatype.value.endsWith('#string')) return quote(value)
  if (hasTurtleShorthand(datatype.value, value)) return value
  return `${quote(value)}^^${writeIri(datatype.value, toPrefixedName)}`
}

/** A quoted string; text of several lines is in long quotes. */
function quote(value: string): string {
  const escaped = value.replace(/[\\"\r\0-\x08\v\f\x0e-\x1f\x7f]/g, escape)
  return value.includes('\n') ? `"""${escaped}"""` : `"${escaped}"`
}

const escape = (character: string): string => short.get(character) ?? escapeCode(character)

const short = new Map([
  ['\\', '\\\\'],
  ['"', '\\"'],
  ['\r', '\\r'],
  ['\b', '\\b'],
  ['\f', '\\f'],
])

const escapeCode = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
