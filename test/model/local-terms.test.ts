// Tests how terms are written into the file of an institution, and taken out of it again.

import { expect } from 'chai'
import fc from 'fast-check'

import {
  type LocalTerm,
  appendTerms,
  withoutTerms,
} from '../../src/model/declarations/local-terms.js'

const scheme = 'https://zines.example/vocabularies/subjects'

const add = (text: string, terms: readonly LocalTerm[]): string =>
  appendTerms(text, scheme, terms, 'subjects.ttl').text

const own = '# Ours\n@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n'

describe('the terms in the file of an institution', () => {
  const terms = fc.uniqueArray(
    fc.record({
      code: fc.stringMatching(/^[a-z]{1,3}(-[a-z0-9]{1,2})?$/),
      label: fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => `“${text}”\n<#a> a .`),
    }),
    { selector: ({ code }) => code, maxLength: 6 },
  )

  it('are taken out so that the file is as if they had never been in it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(own, `${own}\n<#own> skos:notation "own" ; skos:prefLabel "Own" .\n`),
        terms,
        fc.func(fc.boolean()),
        (text, all, isRemoved) => {
          const removed = all.filter(({ code }) => isRemoved(code))
          const others = all.filter((one) => !removed.includes(one))
          const without = withoutTerms(all.length > 0 ? add(text, all) : text, scheme, removed)
          expect(without.codes).to.deep.equal(removed.map(({ code }) => code))
          expect(without.text).to.equal(others.length > 0 ? add(text, others) : text)
        },
      ),
    )
  })

  const term = { code: 'riverside', label: 'Riverside' }
  const changed: readonly (readonly [what: string, text: string])[] = [
    ['has another label by now', add(own, [term]).replace('"Riverside"', '"River"')],
    ['has another statement', `${add(own, [term])}<#riverside> skos:altLabel "River" .\n`],
    ['is named by another term', `${add(own, [term])}<#canals> skos:broader <#riverside> .\n`],
    ['is in a literal', `${own}<#other> skos:note """\n${add('', [term])}""" .\n`],
    ['is in no Turtle', `${add(own, [term])}<#half`],
    ['is not there', own],
  ]
  for (const [what, text] of changed)
    it(`stay where one ${what}`, () => {
      expect(withoutTerms(text, scheme, [term])).to.deep.equal({ text, codes: [] })
    })
})
