// A query with a name, and its description in RDF: SHACL's sh:SPARQLExecutable with sh:parameter
// (SHACL Advanced Features, 5.1 and 8.1), as the shipped examples have it.

import { DataFactory } from 'n3'

import {
  type NamedNode,
  type Quad,
  type Term,
  integer,
  iri,
  stringLiteral,
  triple,
  typedLiteral,
} from '../../rdf/terms.js'
import { dcterms, rdf, rdfs, schema, sh, xsd } from '../../rdf/namespaces.js'

export const parameterTypes = ['text', 'number', 'iri'] as const

export type ParameterType = (typeof parameterTypes)[number]

export type QueryParameter = {
  /** The name of the variable that it binds, without the question mark. */
  readonly name: string
  readonly label: string
  readonly type: ParameterType
  /** Empty for none. */
  readonly default: string
  /** Whether the variable may stay free. */
  readonly isOptional: boolean
}

export type NamedQuery = {
  readonly name: string
  /** The question that it answers, by the tag of the language. */
  readonly questions: Readonly<Record<string, string>>
  readonly query: string
  readonly form: QueryForm
  readonly parameters: readonly QueryParameter[]
  /** Counted from 1; 0 for one that was written into a file by hand, or is shipped. */
  readonly version: number
  /** The account that saved it; empty for a file. */
  readonly account: string
  /** When it was saved, as ISO 8601; empty for a file. */
  readonly at: string
}

/** The properties that have a query, by its form. */
const queryProperties = {
  SELECT: sh('select'),
  CONSTRUCT: sh('construct'),
  ASK: sh('ask'),
  DESCRIBE: sh('describe'),
} as const

type QueryForm = keyof typeof queryProperties

// The cast: an object has the keys of its type.
const queryForms = Object.keys(queryProperties) as QueryForm[]

/** The question in a language, else in English, else in any, with the language that it is in. */
export function questionOf(
  { questions, name }: NamedQuery,
  language: string,
): { readonly text: string; readonly language: string } {
  for (const tag of [language, 'en', ...Object.keys(questions)]) {
    const text = questions[tag]
    if (text !== undefined) return { text, language: tag }
  }
  return { text: name, language: '' }
}

/**
 * The queries that are described, in the order of the descriptions. The end of the IRI is the name.
 */
export function readNamedQueries(quads: readonly Quad[]): NamedQuery[] {
  const valuesOf = (subject: Term, property: Term): readonly Term[] =>
    quads
      .filter((quad) => quad.subject.equals(subject) && quad.predicate.equals(property))
      .map(({ object }) => object)
  const textOf = (subject: Term, property: Term): string =>
    valuesOf(subject, property)[0]?.value ?? ''
  return quads.flatMap(({ subject, predicate, object }) => {
    const form = queryForms.find((candidate) => queryProperties[candidate].equals(predicate))
    if (!form) return []
    return {
      name: endOf(subject.value),
      questions: Object.fromEntries(
        valuesOf(subject, rdfs('comment')).map((term) => [
          term.termType === 'Literal' ? term.language : '',
          term.value,
        ]),
      ),
      query: object.value,
      form,
      parameters: [...valuesOf(subject, sh('parameter'))]
        .sort((a, b) => Number(textOf(a, sh('order'))) - Number(textOf(b, sh('order'))))
        .map((parameter) => ({
          name: endOf(textOf(parameter, sh('path'))),
          label: textOf(parameter, sh('name')),
          type: typeOf(textOf(parameter, sh('datatype')), textOf(parameter, sh('nodeKind'))),
          default: textOf(parameter, sh('defaultValue')),
          isOptional: textOf(parameter, sh('optional')) === 'true',
        })),
      version: Number(textOf(subject, schema('version'))),
      account: textOf(subject, dcterms('creator')),
      at: textOf(subject, dcterms('modified')),
    }
  })
}

/** Those that can be asked as they are. */
export const examplesOf = (quads: readonly Quad[]): NamedQuery[] =>
  readNamedQueries(quads).filter(({ parameters }) => parameters.length === 0)

const endOf = (address: string): string =>
  address.slice(Math.max(address.lastIndexOf('/'), address.lastIndexOf('#')) + 1)

function typeOf(datatype: string, nodeKind: string): ParameterType {
  if (nodeKind === sh('IRI').value) return 'iri'
  return datatype === xsd('integer').value ? 'number' : 'text'
}

/**
 * The description of a query.
 * @param base the IRI under which the queries are, with a slash at its end
 */
export function describeQuery(named: NamedQuery, base: string): Quad[] {
  const { form } = named
  const subject = iri(base + named.name)
  const add = (property: NamedNode, object: Quad['object'], of = subject): Quad =>
    triple(of, property, object)
  return [
    add(rdf('type'), sh('SPARQLExecutable')),
    ...(form === 'DESCRIBE' ? [] : [add(rdf('type'), sh(executables[form]))]),
    ...Object.entries(named.questions).map(([language, text]) =>
      add(rdfs('comment'), DataFactory.literal(text, language)),
    ),
    add(queryProperties[form], stringLiteral(named.query)),
    ...(named.version > 0 ? [add(schema('version'), integer(named.version))] : []),
    ...(named.account ? [add(dcterms('creator'), stringLiteral(named.account))] : []),
    ...(named.at ? [add(dcterms('modified'), typedLiteral(named.at, xsd('dateTime')))] : []),
    ...named.parameters.flatMap((parameter, index) => {
      const node = iri(`${subject.value}#parameter-${parameter.name}`)
      const isIri = parameter.type === 'iri'
      const datatype = xsd(parameter.type === 'number' ? 'integer' : 'string')
      const valueOf = (text: string) => (isIri ? iri(text) : typedLiteral(text, datatype))
      return [
        add(sh('parameter'), node),
        add(sh('path'), iri(`${subject.value}#${parameter.name}`), node),
        add(sh('order'), integer(index + 1), node),
        add(sh('name'), stringLiteral(parameter.label), node),
        isIri ? add(sh('nodeKind'), sh('IRI'), node) : add(sh('datatype'), datatype, node),
        ...(parameter.default ? [add(sh('defaultValue'), valueOf(parameter.default), node)] : []),
        ...(parameter.isOptional
          ? [add(sh('optional'), typedLiteral('true', xsd('boolean')), node)]
          : []),
      ]
    }),
  ]
}

const executables = {
  SELECT: 'SPARQLSelectExecutable',
  CONSTRUCT: 'SPARQLConstructExecutable',
  ASK: 'SPARQLAskExecutable',
} as const
