// Values of a source and terms of vocabularies.

import { expect } from 'chai'

import { type Term, createTermMatcher } from '../../../src/model/term-lists.js'
import { processorTime } from '../../waiting.js'

const term = (
  code: string,
  label: string,
  altLabels: string[] = [],
  broader: string[] = [],
): Term => ({
  code,
  label,
  altLabels,
  broader,
})

const subjects = {
  name: 'subjects',
  terms: [
    term('feminism', 'Feminism', ['Feminist']),
    term('bicycles', 'Bicycles and cycling', ['Bicycles', 'Bike touring', 'Cycling']),
    term('bicycle-repair', 'Bicycle repair', [], ['bicycles']),
    term('punk', 'Punk', ['Punk rock'], ['music']),
    term('music', 'Music'),
    term('gardening', 'Gardening'),
    term('food', 'Food'),
    term('hiv-aids', 'HIV and AIDS', ['AIDS', 'HIV']),
    term('cafes', 'Restaurants and cafés', ['Cafés', 'Diners']),
    term('straight-edge', 'Straight edge', ['sXe']),
    term('stars', 'Stars', ['Astronomy']),
    term('celebrities', 'Celebrities', ['Famous people', 'Astronomy']),
  ],
}

const others = [
  {
    name: 'genres',
    terms: [term('perzine', 'Perzine', ['Personal zine']), term('flyer', 'Flyer')],
  },
  { name: 'languages', terms: [term('es', 'Spanish')] },
]

const matcher = createTermMatcher(subjects, others)

describe('values of a source', () => {
  const exact: readonly (readonly [string, string])[] = [
    ['feminism', 'feminism'],
    ['FEMINISM.', 'feminism'],
    ['feminist', 'feminism'],
    ['feminists', 'feminism'],
    ['bicycle-repair', 'bicycle-repair'],
    ['Bicycles & cycling', 'bicycles'],
    ['bicycles &amp; cycling', 'bicycles'],
    ['bicycle', 'bicycles'],
    ['punk-rock', 'punk'],
    ['punkrock', 'punk'],
    ['HIV/AIDS', 'hiv-aids'],
    ['cafes', 'cafes'],
    ['straightedge', 'straight-edge'],
    ['SXE', 'straight-edge'],
  ]
  for (const [value, code] of exact)
    it(`are terms: ${value}`, () => {
      expect(matcher.match(value)).to.deep.include({ kind: 'exact', code })
    })

  const suggested: readonly (readonly [string, readonly string[]])[] = [
    ['Feminism -- United States -- Periodicals', ['heading feminism']],
    ['Punk rock music--History', ['broader punk']],
    ['Punk rock--History', ['heading punk']],
    ['food/gardening', ['part food', 'part gardening']],
    ['gardening, food and more', ['part gardening', 'part food']],
    ['feminnism', ['spelling feminism']],
    ['feminist fairy tales', ['broader feminism']],
    ['touring', ['narrower bicycles']],
    ['spanish', ['elsewhere es']],
    ['personal', ['elsewhere perzine']],
    ['Touring, bike', ['heading bicycles']],
    ['Repair, Bicycle -- Handbooks', ['heading bicycle-repair']],
    ['Punk (Music)', ['heading punk']],
    ['astronomy', ['ambiguous stars', 'ambiguous celebrities']],
    ['punk music bike touring', ['broader bicycles', 'broader punk']],
  ]
  for (const [value, suggestions] of suggested)
    it(`are like terms: ${value}`, () => {
      const match = matcher.match(value)
      const found = match.kind === 'suggested' ? match.suggestions : []
      const reasons = found.map(({ reason, code }) => `${reason} ${code}`)
      expect(reasons.filter((one) => suggestions.includes(one))).to.deep.equal(suggestions)
    })

  it('are of punk rather than music where they name both', () => {
    const match = matcher.match('punk music zines')
    const codes = match.kind === 'suggested' ? match.suggestions.map(({ code }) => code) : []
    expect(codes).to.deep.equal(['punk'])
  })

  for (const value of ['aid', 'pittsburgh', '', '???', 'zine', 'the'])
    it(`are no terms: "${value}"`, () => {
      expect(matcher.match(value).kind).to.equal('none')
    })

  it('are no other spelling where they are words of terms themselves, or a list', () => {
    const list = {
      name: 'subjects',
      terms: [
        {
          code: 'sexual-violence',
          label: 'Sexual violence',
          altLabels: ['Rape culture'],
          broader: [],
        },
        { code: 'zines', label: 'Zine culture', altLabels: [], broader: [] },
        { code: 'race', label: 'Race', altLabels: [], broader: [] },
        { code: 'how-to', label: 'How to', altLabels: [], broader: [] },
        { code: 'diy', label: 'DIY', altLabels: [], broader: [] },
      ],
    }
    const matcher = createTermMatcher(list)
    const codesOf = (value: string): readonly string[] => {
      const found = matcher.match(value)
      return found.kind === 'suggested' ? found.suggestions.map(({ code }) => code) : []
    }
    expect(codesOf('Race Culture')).to.deep.equal(['race'])
    expect(codesOf('Race / Culture')).to.deep.equal(['race'])
    expect(codesOf('Pop culture'), 'this is not about zines').to.deep.equal([])
    expect(codesOf('Rapé cultur')).to.deep.equal(['sexual-violence'])
    const several = matcher.match('How To / DIY')
    expect(several.kind === 'suggested' && several.all).to.deep.equal(['how-to', 'diy'])
    const partly = matcher.match('How To / Bees')
    expect(partly.kind === 'suggested' && partly.all).to.equal(undefined)
  })

  it('prefer a code or a label to an alternative label', () => {
    const terms = [term('a', 'One', ['Two']), term('b', 'Two')]
    expect(createTermMatcher({ name: 'subjects', terms }).match('two')).to.deep.include({
      code: 'b',
    })
  })

  it('of a large source are matched in seconds', () => {
    const terms = Array.from({ length: 3000 }, (_, index) =>
      term(`t${index}`, `Term ${index} of art`),
    )
    const large = createTermMatcher({ name: 'subjects', terms })
    const start = processorTime()
    for (let index = 0; index < 20_000; index += 1) large.match(`art and terms ${index}`)
    expect(processorTime() - start).to.be.below(15_000)
  })
})
