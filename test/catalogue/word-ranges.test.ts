// Where in a text the words of a search stand, and how that is marked.

import { expect } from 'chai'

import { createRangeFinder, readTokens } from '../../src/catalogue/search/word-ranges.js'
import { markRanges } from '../../src/model/marked-text.js'
import { parseTextQuery } from '../../src/queries/text-query.js'

/** The text with what is found of the search in brackets. */
function mark(q: string, text: string, isTolerant = false, maxLength?: number): string {
  const { clauses } = parseTextQuery(q, new Set())
  const tokens = readTokens(text)
  const ranges = clauses.flatMap((_, position) => [
    ...createRangeFinder(clauses, position, isTolerant)(tokens),
  ])
  return markRanges(text, ranges, maxLength)
    .map((part) => (part.isMarked ? `[${part.text}]` : part.text))
    .join('')
}

describe('the words of a search in a text', () => {
  for (const [what, q, text, expected] of [
    ['in any case', 'PUNK', 'A punk zine', 'A [punk] zine'],
    ['without accents', 'cafe', 'Le Café. Closed', 'Le [Café]. Closed'],
    ['with letters of their own', 'lodz straße', 'Łódź, Strasse', '[Łódź], [Strasse]'],
    ['with combining accents', 'cafe', 'Cafe\u0301s', '[Cafe\u0301s]'],
    ['in the plural', 'zines', 'One zine', 'One [zine]'],
    ['without apostrophes', 'cant', 'You can’t', 'You [can’t]'],
    ['as the beginning of the last word', 'riot manif', 'riot, manifesto', '[riot], [manifesto]'],
    ['by their parts', 'making', 'Zine-making!', 'Zine-[making]!'],
    ['as a whole', 'zinemaking', 'Zine-making', '[Zine-making]'],
    ['as initials', 'jrr', 'by J. R. R. Smith', 'by [J. R. R]. Smith'],
    ['as a phrase only', '"riot grrrl"', 'grrrl riot, riot grrrl', 'grrrl riot, [riot grrrl]'],
    ['for a sign', 'rock & roll', 'Rock and roll', '[Rock] [and] [roll]'],
    ['behind an article', 'anarchie', 'Vive l’anarchie !', 'Vive [l’anarchie] !'],
    ['joined behind an article', 'questce', 'Qu’est-ce que', '[Qu’est-ce] que'],
    ['inside a script without spaces', '雑誌', '第2ミニコミ雑誌号', '第2ミニコミ[雑誌]号'],
    ['of many letters', 'ミニコミ', 'ミニコミ雑誌', '[ミニコミ]雑誌'],
    ['of one letter', '雑', '雑誌と雑', '[雑誌]と[雑]'],
    ['that are signs', '★ !!!', '★ punk !!! ★★', '[★] punk [!!!] [★★]'],
    ['that are a month', 'july 2003', '2003-07', '[2003-07]'],
    ['before a number', 'issue 36', 'no. 36', '[no]. [36]'],
    ['not at all', 'punk', 'Folk', 'Folk'],
  ] as const)
    it(`are found ${what}`, () => {
      expect(mark(q, text)).to.equal(expected)
    })

  it('are found with other spellings, apart and together, only where that is asked', () => {
    expect(mark('freedmann', 'Jenna Freedman')).to.equal('Jenna Freedman')
    expect(mark('freedmann', 'Jenna Freedman', true)).to.equal('Jenna [Freedman]')
    expect(mark('riotgrrrl', 'Riot Grrrl', true)).to.equal('[Riot Grrrl]')
    expect(mark('come bus', 'Comebus', true)).to.equal('[Comebus]')
    // Too far off, and too short to be misspelt.
    expect(mark('freemason', 'Freedman', true)).to.equal('Freedman')
    expect(mark('ab', 'Ad', true)).to.equal('Ad')
  })

  it('leave no part of the text out, whatever it contains', () => {
    for (const text of ['<b>&amp; & “x”</b>', ' a\n\nb ', '\u{1F4D3}punk\u{1F4D3}', '...-. .'])
      expect(
        mark('punk a b amp', text).replaceAll('[', '').replaceAll(']', ''),
        JSON.stringify(text),
      ).to.equal(text)
  })
})

describe('a long text with marks', () => {
  const long = `${'before '.repeat(40)}punk ${'after '.repeat(40)}`.trim()

  it('is shortened around the first, between words', () => {
    const shown = mark('punk', long, false, 60)
    expect(shown).to.match(/^…(?:before )+\[punk\] (?:after )*after…$/)
    expect(shown.length).to.be.below(70)
  })

  it('is shown from its beginning where the mark is there, and to its end', () => {
    expect(mark('before', long, false, 60)).to.match(/^\[before\].*…$/)
    const atEnd = `${'before '.repeat(40)}punk`
    expect(mark('punk', atEnd, false, 60)).to.match(/^….*\[punk\]$/)
  })

  it('without spaces is cut at its length', () => {
    expect(mark('x', 'y'.repeat(500), false, 60).length).to.be.below(70)
  })
})
