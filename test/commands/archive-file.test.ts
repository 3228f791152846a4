// The file format of backups: what is written is read again.

import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'

import { expect } from 'chai'

import { type ArchivePart, createArchive, readArchive } from '../../src/commands/archive-file.js'
import { failureOf } from '../error-of.js'

/** Characters that end lines elsewhere: for `readline`, in Unicode, in JavaScript before ES2019. */
const separators = '\u2028 \u2029 \u0085 \v \f \r \r\n \n'

const parts: readonly ArchivePart[] = [
  { key: 'meta/base', value: 'https://zines.example' },
  { key: `record/zines/a${separators}`, value: `"Zine${separators}"` },
  { key: 'record/zines/long', value: 'ü€🦊'.repeat(200_000) },
  { key: 'record/zines/short', value: '' },
  { name: 'token.key', content: Buffer.from([0, 10, 13, 0xe2, 0x80, 0xa8, 0xff]) },
]

describe('an archive', () => {
  for (const isCompressed of [true, false])
    it(`${isCompressed ? 'with' : 'without'} gzip gives back every part as it was`, async () => {
      const archive = await archiveOf(parts)
      const bytes = isCompressed ? archive : gunzipSync(archive)
      expect(gunzipSync(archive).length).to.be.greaterThan(1_000_000)
      for (const chunkSize of [bytes.length, 4096, ...(isCompressed ? [1] : [])]) {
        const read: ArchivePart[] = []
        const { made, ...summary } = await readChunks(bytes, chunkSize, (part) => {
          read.push(part)
        })
        expect(read).to.deep.equal(parts)
        expect(Date.parse(made)).to.be.closeTo(Date.now(), 60_000)
        expect(summary).to.deep.equal({
          format: 'zine-catalogue backup 1',
          base: 'https://zines.example',
          entries: 4,
          files: 1,
        })
      }
    })

  it('whose parts cannot be read fails with the error of the parts', async () => {
    async function* broken(): AsyncGenerator<ArchivePart> {
      yield await Promise.resolve({ key: 'a', value: 'b' })
      throw new Error('the disk failed')
    }
    const error = await failureOf(archiveOf(broken()))
    expect(error.message).to.equal('the disk failed')
  })

  it('whose source fails while it is read fails with the error of the source', async () => {
    const bytes = await archiveOf(parts)
    async function* cut(): AsyncGenerator<Buffer> {
      yield await Promise.resolve(bytes.subarray(0, 100))
      throw new Error('the connection was lost')
    }
    const source = Readable.from(cut())
    const error = await failureOf(readArchive(source, 'the file', () => undefined))
    expect(error.message).to.equal('the connection was lost')
  })
})

const archiveOf = (parts: Iterable<ArchivePart> | AsyncIterable<ArchivePart>): Promise<Buffer> =>
  buffer(createArchive(Readable.from(parts)))

function readChunks(bytes: Buffer, chunkSize: number, onPart: (part: ArchivePart) => void) {
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkSize) }, (_, index) =>
    bytes.subarray(index * chunkSize, (index + 1) * chunkSize),
  )
  return readArchive(Readable.from(chunks), 'the file', onPart)
}
