// The entries of a vocabulary below their broader ones.

import { expect } from 'chai'
import { DataFactory } from 'n3'

import {
  type TermNode,
  buildTermTree,
  countBelow,
} from '../../../src/features/vocabularies/term-tree.js'
import { buildVocabulary } from '../../../src/model/vocabulary.js'
import { skos } from '../../../src/rdf/namespaces.js'
import { iri, triple } from '../../../src/rdf/terms.js'

const scheme = 'https://zines.example/vocabularies/subjects'

/** @param broader the codes above each code */
function vocabularyOf(broader: Readonly<Record<string, readonly string[]>>) {
  const concept = (code: string) => iri(`${scheme}#${code}`)
  const quads = Object.entries(broader).flatMap(([code, above]) => [
    triple(concept(code), skos('notation'), DataFactory.literal(code)),
    triple(concept(code), skos('prefLabel'), DataFactory.literal(code.toUpperCase(), 'en')),
    ...above.map((one) => triple(concept(code), skos('broader'), concept(one))),
  ])
  return buildVocabulary({ name: 'subjects', scheme, quads, file: 'subjects.ttl' })
}

/** `art(comics,zines)` */
const written = (nodes: readonly TermNode[]): string =>
  nodes
    .map(
      ({ entry, narrower }) => entry.code + (narrower.length > 0 ? `(${written(narrower)})` : ''),
    )
    .join(',')

const treeOf = (broader: Readonly<Record<string, readonly string[]>>) => {
  const vocabulary = vocabularyOf(broader)
  return buildTermTree(vocabulary, vocabulary.entries)
}

describe('the tree of terms', () => {
  it('has each term below its broader ones, in the order of labels', () => {
    const tree = treeOf({ zines: ['art'], art: [], work: [], comics: ['art'], strips: ['comics'] })
    expect(written(tree)).to.equal('art(comics(strips),zines),work')
  })

  it('has a term below each of its broader ones, and counts it once', () => {
    const tree = treeOf({ a: [], b: ['a'], c: ['a'], d: ['b', 'c'] })
    expect(written(tree)).to.equal('a(b(d),c(d))')
    expect(tree.map(countBelow)).to.deep.equal([3])
  })

  it('has all terms of a circle, and ends', () => {
    expect(written(treeOf({ a: ['b'], b: ['a'], c: [] }))).to.equal('c,a(b)')
    expect(written(treeOf({ a: ['a'], b: ['a'] }))).to.equal('a(b)')
  })

  it('has a term on top whose broader one is of another scheme', () => {
    const vocabulary = vocabularyOf({ a: [], b: ['a'] })
    const [, b] = vocabulary.entries
    expect(written(buildTermTree(vocabulary, b ? [b] : []))).to.equal('b')
  })
})
