// What the bytes of a text may look like, and where they are found in files.

import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'chai'

import { openKeyValueStore } from '../../src/lib/key-value/key-value-store.js'
import { TextTraces } from '../../src/lib/text-traces.js'
import { withDirectory } from '../process.js'

describe('the traces of a text', () => {
  const name = 'Zoë "Ox" O’Brien'
  const traces = new TextTraces([name])
  const writings: Readonly<Record<string, string | Buffer>> = {
    'as it is': name,
    decomposed: name.normalize('NFD'),
    'in small letters': name.toLowerCase(),
    'in capital letters': name.toUpperCase(),
    'with other space between the words': 'Zoë\n  "Ox" O’Brien',
    'as JSON writes it': JSON.stringify(name),
    'percent-encoded': encodeURIComponent(name),
    'percent-encoded with plus signs': encodeURIComponent(name).replaceAll('%20', '+'),
    'with named entities': 'Zoë &quot;Ox&quot; O’Brien',
    'with decimal entities': 'Zo&#235; &#34;Ox&#34; O&#8217;Brien',
    'with hexadecimal entities': 'Zo&#xEB; &#x22;Ox&#x22; O&#x2019;Brien',
    'in UTF-16, little endian': Buffer.from(name, 'utf16le'),
    'in UTF-16, big endian': Buffer.from(name, 'utf16le').swap16(),
  }
  for (const [how, written] of Object.entries(writings))
    it(`are found ${how}`, () => {
      const bytes = Buffer.concat([Buffer.from('before '), Buffer.from(written), Buffer.from('.')])
      expect(traces.areIn(bytes)).to.equal(true)
    })

  it('are found escaped as JSON escapes all but ASCII, and in Latin-1', () => {
    const simple = new TextTraces(['Zoë Quill'])
    expect(simple.areIn(Buffer.from('Zo\\u00eb Quill'))).to.equal(true)
    expect(simple.areIn(Buffer.from('Zoë Quill', 'latin1'))).to.equal(true)
    expect(simple.areIn(Buffer.from('Zoe Quill'))).to.equal(false)
  })

  it('are found where the parts of a stream are cut', async () => {
    async function* cut() {
      yield Buffer.concat([Buffer.alloc(2_000_000, 'x'), Buffer.from('Zo\u00eb "O')])
      yield Buffer.from('x" O’Brien')
      await Promise.resolve()
    }
    expect(await traces.areInStream(cut())).to.equal(true)
  })

  it('are found in compressed tables and in names of files, until they are removed', () =>
    withDirectory(async (directory) => {
      const store = join(directory, 'store')
      const opened = await openKeyValueStore(store)
      const long = 'Zoë Quill '.repeat(500)
      const word = new TextTraces(['zoë quill'])
      const files = async (): Promise<string[]> => {
        const found: string[] = []
        for await (const file of word.filesIn(directory)) found.push(file)
        return found
      }
      await opened.write([
        { key: 'another', value: 'stays' },
        { key: 'a', value: long },
        { key: 'key/zoë quill/1', value: 'x' },
      ])
      expect((await files()).join()).to.match(/\.log/)
      await opened.compact()
      expect((await files()).filter((file) => file.endsWith('.ldb'))).to.have.length(1)
      await opened.write([
        { key: 'a', value: undefined },
        { key: 'key/zoë quill/1', value: undefined },
      ])
      await opened.compact()
      expect(await files()).to.deep.equal([])
      await opened.close()
      await mkdir(join(directory, 'Zoë Quill'))
      await writeFile(join(directory, 'Zoë Quill', 'file'), '')
      expect(await files()).to.deep.equal(['Zoë Quill'])
      await rm(join(directory, 'Zoë Quill'), { recursive: true })
    }))
})
