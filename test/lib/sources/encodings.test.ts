import { expect } from 'chai'

import { InvalidError } from '../../../src/errors.js'
import { recognizeEncoding } from '../../../src/lib/sources/tables/encodings.js'
import { encode, misread, recognize, rowsOfText, textsOf, writeSource } from './files.js'

const table = 'title,maker\nCafé “Été”,Zoë Müller\nEl Niño – ¿qué?,José Peña\nDéjà vu,Françoise\n'

const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()

const encodings: readonly (readonly [string, string, Buffer])[] = [
  ['UTF-8', 'utf-8', Buffer.from(table)],
  ['UTF-8 with a byte order mark', 'utf-8', Buffer.from(`\uFEFF${table}`)],
  ['UTF-16 LE with a byte order mark', 'utf-16le', Buffer.from(`\uFEFF${table}`, 'utf16le')],
  ['UTF-16 BE with a byte order mark', 'utf-16be', utf16be(`\uFEFF${table}`)],
  ['UTF-16 LE without a byte order mark', 'utf-16le', Buffer.from(table, 'utf16le')],
  ['UTF-16 BE without a byte order mark', 'utf-16be', utf16be(table)],
  ['Windows-1252', 'windows-1252', encode(table, 'windows-1252')],
  ['MacRoman', 'macintosh', encode(table, 'macintosh')],
]

describe('the encoding of a file', () => {
  for (const [title, name, content] of encodings)
    it(`is recognized as ${title}, and its text is read`, async () => {
      const path = await writeSource('csv', content)
      expect((await recognize(path)).options.encoding).to.equal(name)
      const [first] = await rowsOfText('csv', content)
      expect(textsOf(first)).to.deep.equal({ title: 'Café “Été”', maker: 'Zoë Müller' })
    })

  it('is found though its first accented letter comes after a million characters', async () => {
    const late = Buffer.concat([
      Buffer.from('title\n' + 'plain\n'.repeat(170_000)),
      encode('été', 'macintosh'),
    ])
    expect(await recognizeEncoding(await writeSource('csv', late))).to.equal('macintosh')
  })

  it('is UTF-8 though one character is damaged', async () => {
    const damaged = Buffer.concat([
      Buffer.from('a\n' + 'é ü ñ ç è à\n'.repeat(5)),
      Buffer.from([0xff]),
    ])
    expect(await recognizeEncoding(await writeSource('csv', damaged))).to.equal('utf-8')
  })

  it('is MacRoman where text in UTF-8 was read as Windows-1252 before', async () => {
    const text = misread('It’s “new” – isn’t it? '.repeat(5), 'windows-1252').replaceAll(
      '\u009d',
      'ù',
    )
    expect(await recognizeEncoding(await writeSource('csv', encode(text, 'macintosh')))).to.equal(
      'macintosh',
    )
  })

  it('can be given', async () => {
    const rows = await rowsOfText('csv', encode(table, 'windows-1252'), { encoding: 'MacRoman' })
    expect(textsOf(rows[2]).maker).to.equal('FranÁoise')
  })

  it('is refused if it is unknown', async () => {
    const error = await recognize(await writeSource('csv', table), { encoding: 'utf-9' }).catch(
      (one: unknown) => one,
    )
    expect(error)
      .to.be.instanceOf(InvalidError)
      .with.property('message', 'There is no encoding with the name "utf-9".')
  })
})
