// The text of drawn covers: how titles are broken into lines, and in which size.

import { expect } from 'chai'

import { type CoverRoom, fitText, lineHeight } from '../../../src/features/covers/cover-text.js'

const room: CoverRoom = { width: 164, height: 196, sizes: [30, 25, 21, 17, 14, 11] }

const linesOf = (text: string): readonly string[] =>
  fitText(text, room).lines.map((line) => line.text)

describe('the text of a drawn cover', () => {
  it('is in the largest letters when it is short', () => {
    expect(fitText('Doris', room)).to.deep.equal({
      size: 30,
      lines: [{ text: 'Doris', width: 3 }],
      isRightToLeft: false,
    })
  })

  it('is broken between words, and after the punctuation that belongs to them', () => {
    expect(linesOf('The East Village Inky')).to.deep.equal(['The East', 'Village', 'Inky'])
    expect(linesOf('Twenty-six "Days" (again)')).to.deep.equal([
      'Twenty-',
      'six',
      '"Days"',
      '(again)',
    ])
  })

  it('has smaller letters rather than a broken word', () => {
    expect(fitText('Interesting!', room)).to.include({ size: 21 })
    expect(linesOf('Interesting!')).to.deep.equal(['Interesting!'])
  })

  it('breaks a word that is too long for every size', () => {
    const lines = linesOf('x'.repeat(60))
    expect(lines.join('')).to.equal('x'.repeat(60))
    expect(lines.length).to.be.above(1)
  })

  it('of Chinese and Japanese is broken without spaces, and its letters are as wide as high', () => {
    const { lines, size } = fitText('東京の小さな雑誌をつくる人たちの記録', room)
    expect(lines.length).to.be.above(1)
    expect(lines.map(({ text }) => text).join('')).to.equal('東京の小さな雑誌をつくる人たちの記録')
    for (const { text, width } of lines) expect(width).to.be.closeTo(text.length * 1.05, 0.001)
    expect(Math.max(...lines.map(({ width }) => width)) * size).to.be.at.most(room.width)
  })

  it('of Arabic and Hebrew goes from right to left', () => {
    expect(fitText('«مجلة» صغيرة', room).isRightToLeft).to.equal(true)
    expect(fitText('זין 3', room).isRightToLeft).to.equal(true)
    expect(fitText('Zine مجلة', room).isRightToLeft).to.equal(false)
  })

  it('is cut where it is too long, and fits into its room whatever it is', () => {
    const texts = [
      'a long title '.repeat(100),
      '編'.repeat(400),
      '\u202e\u0000 \n',
      '',
      'é\u0301'.repeat(90),
      '\ud83d',
      '👩‍👩‍👧‍👧'.repeat(80),
    ]
    for (const text of texts) {
      const { lines, size } = fitText(text, room)
      expect(lines.length * size * lineHeight, text).to.be.at.most(room.height)
      for (const { width } of lines) expect(width * size, text).to.be.at.most(room.width + 0.001)
    }
    expect(linesOf('a long title '.repeat(100)).at(-1)).to.match(/…$/)
    expect(linesOf('\u202e\u0000 \n')).to.deep.equal([])
  })
})
