import { expect } from 'chai'

import { repairText } from '../../../src/lib/sources/tables/repair.js'
import { encode, misread, rowsOfText, textsOf } from './files.js'

const texts = [
  'transpédégouine',
  'Hüsker Dü',
  'It’s “new” – isn’t it…',
  'Íñigo Àlvarez, façade',
  'čeština: šály, žába',
  'Привет, мир',
  'שלום',
  '日本語',
  'i ♥ zines 😀',
  '10 € ™',
]

describe('text that was encoded twice', () => {
  for (const encoding of ['windows-1252', 'macintosh'] as const)
    for (const text of texts)
      it(`is repaired where UTF-8 was read as ${encoding}: ${text}`, () => {
        const { text: repaired, repaired: message, damaged } = repairText(misread(text, encoding))
        expect(repaired).to.equal(text)
        expect(message).to.equal('The text was encoded twice.')
        expect(damaged).to.equal(undefined)
      })

  it('is repaired where it was encoded three times', () => {
    const twice = misread(misread('Gwenaël', 'windows-1252'), 'windows-1252')
    expect(repairText(twice).text).to.equal('Gwenaël')
  })

  it('is repaired where a byte that Windows-1252 lacks became a letter of MacRoman', () => {
    expect(repairText('â€œDIY,â€ù they said').text).to.equal('“DIY,” they said')
  })

  it('has an ellipsis for a lost character after two that remain, and says so', () => {
    const { text, repaired, damaged } = repairText('and the rest unfoldsâ€_')
    expect(text).to.equal('and the rest unfolds…')
    expect(repaired).to.contain('it most likely was … or ″')
    expect(damaged).to.equal(undefined)
  })

  it('has inches for a lost character after dimensions', () => {
    expect(repairText('in a 4Ã—8â€_ space').text).to.equal('in a 4×8″ space')
  })

  it('is damaged where letters are lost', () => {
    const { text, repaired, damaged } = repairText('Falafel â€“ _ê_©_ª _—_™_œ is')
    expect(text).to.equal('Falafel – _ê_©_ª _—_™_œ is')
    expect(repaired).to.equal('The text was encoded twice.')
    expect(damaged).to.equal('The text was encoded twice, and characters of it are lost.')
  })

  it('is damaged where half of a letter stands before what may be a soft hyphen', () => {
    const text = 'Fonds reÃÂ\u00adgional d’artÃ©'
    expect(repairText(text)).to.deep.equal({
      text: 'Fonds reÃÂ\u00adgional d’arté',
      repaired: 'The text was encoded twice.',
      damaged: 'The text was encoded twice, and characters of it are lost.',
    })
    expect(repairText('BiografÃƒÂ\u00ada').text).to.equal('Biografía')
  })

  const right = [
    'Café Été, “déjà vu” – naïve',
    '„Spaß“ und „MENÜ“, CAFÉ\u00a0!',
    '“AMANHÔ, São Paulo',
    'Ærøskøbing Åland',
    'Â…',
    'Привет, ÇA VA ? voilà…',
    '√2 ≤ π',
    'AT&T & R&B &c; &unknown;',
    '© 1999 ™ 50 %',
  ]
  for (const text of right)
    it(`is not seen in text that is right: ${text}`, () => {
      expect(repairText(text)).to.deep.equal({ text, repaired: undefined, damaged: undefined })
    })
})

describe('HTML entities', () => {
  it('are repaired once', () => {
    expect(repairText('pb&amp;j &eacute;t&#233; &#x2019; &amp;lt;').text).to.equal(
      'pb&j été ’ &lt;',
    )
  })

  it('for control characters and no characters stay', () => {
    expect(repairText('&#0; &#x110000; &#xD800;').text).to.equal('&#0; &#x110000; &#xD800;')
  })
})

describe('a row', () => {
  const source = encode(
    `title,notes\n${misread('Gwenaël', 'windows-1252')},R&amp;B\nplain,text\n`,
    'macintosh',
  )

  it('says what was repaired, and how it was before', async () => {
    const [first, second] = await rowsOfText('csv', source, { encoding: 'macintosh', repair: true })
    expect(textsOf(first)).to.deep.equal({ title: 'Gwenaël', notes: 'R&B' })
    expect(first?.remarks).to.deep.equal([
      {
        kind: 'repaired',
        field: 'title',
        message: 'The text was encoded twice.',
        before: 'GwenaÃ«l',
      },
      {
        kind: 'repaired',
        field: 'notes',
        message: 'The text had HTML entities.',
        before: 'R&amp;B',
      },
    ])
    expect(second?.remarks).to.deep.equal([])
  })

  it('stays as it is without repair, and says that it is damaged', async () => {
    const [first] = await rowsOfText('csv', source, { encoding: 'macintosh', repair: false })
    expect(textsOf(first)).to.deep.equal({ title: 'GwenaÃ«l', notes: 'R&amp;B' })
    expect(first?.remarks.map(({ kind }) => kind)).to.deep.equal(['damaged', 'damaged'])
  })
})
