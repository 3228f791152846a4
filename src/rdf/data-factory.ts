// RDF/JS terms and quads that are quick to make and to write as N-Quads: a write makes some thirty
// of them for each record. Those of n3 keep a literal as one text, from which they cut its value
// each time it is read.

import type { BlankNode, DefaultGraph, Literal, NamedNode, Quad, Term } from '@rdfjs/types'

type Other = Term | null | undefined

class IriNode implements NamedNode {
  readonly termType = 'NamedNode'
  #text: string | undefined

  constructor(readonly value: string) {}

  /** As N-Quads, made once: constants and subjects are written many times. */
  get text(): string {
    return (this.#text ??= `<${this.value}>`)
  }

  equals(other: Other): boolean {
    return other === this || (other?.termType === 'NamedNode' && other.value === this.value)
  }
}

class TextLiteral implements Literal {
  readonly termType = 'Literal'
  readonly language = ''

  constructor(
    readonly value: string,
    readonly datatype: NamedNode,
  ) {}

  /** As N-Quads. */
  get text(): string {
    const { value, datatype } = this
    const escaped = needsEscape.test(value) ? value.replace(escapedCharacters, escapeOne) : value
    return datatype === xsdString ? `"${escaped}"` : `"${escaped}"^^${textOf(datatype)}`
  }

  equals(other: Other): boolean {
    return (
      other === this ||
      (other?.termType === 'Literal' &&
        other.value === this.value &&
        other.language === '' &&
        other.datatype.value === this.datatype.value)
    )
  }
}

class Statement implements Quad {
  readonly termType = 'Quad'
  readonly value = ''

  constructor(
    readonly subject: NamedNode | BlankNode,
    readonly predicate: NamedNode,
    readonly object: NamedNode | BlankNode | Literal,
    readonly graph: NamedNode | DefaultGraph,
  ) {}

  equals(other: Other): boolean {
    return (
      other?.termType === 'Quad' &&
      this.subject.equals(other.subject) &&
      this.predicate.equals(other.predicate) &&
      this.object.equals(other.object) &&
      this.graph.equals(other.graph)
    )
  }
}

const xsdString: NamedNode = new IriNode('http://www.w3.org/2001/XMLSchema#string')

export const namedNode = (value: string): NamedNode => new IriNode(value)

/** @param datatype that of a plain string, unless given */
export const literal = (value: string, datatype: NamedNode = xsdString): Literal =>
  new TextLiteral(value, datatype.value === xsdString.value ? xsdString : datatype)

export const createQuad = (
  subject: NamedNode,
  predicate: NamedNode,
  object: NamedNode | Literal,
  graph: NamedNode,
): Quad => new Statement(subject, predicate, object, graph)

/** A term as N-Quads; undefined for one that was made elsewhere. */
export function ownTextOf(term: Term): string | undefined {
  return term instanceof IriNode || term instanceof TextLiteral ? term.text : undefined
}

const textOf = (iri: NamedNode): string => (iri instanceof IriNode ? iri.text : `<${iri.value}>`)

const needsEscape = /["\\\n\r]/
const escapedCharacters = /["\\\n\r]/g

const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
}

const escapeOne = (character: string): string => escapes[character] ?? character
