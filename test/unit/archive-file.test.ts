// The one file format of `backup` and `export`: what is written is read again, and nothing else is.

import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'

import { expect } from 'chai'

import {
  ArchiveError,
  type ArchiveKind,
  type ArchivePart,
  createArchive,
  readArchive,
} from '../../src/commands/archive-file.js'
import { failureOf } from './error-of.js'

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
  for (const kind of ['backup', 'export'] as const)
    for (const compress of [true, false])
      it(`of the kind "${kind}" ${compress ? 'with' : 'without'} gzip gives back every part as it was`, async () => {
        const bytes = await archive(kind, compress)
        expect(compress ? gunzipSync(bytes).length : bytes.length).to.be.greaterThan(1_000_000)
        for (const chunkSize of [bytes.length, 4096, ...(compress ? [1] : [])]) {
          const read: ArchivePart[] = []
          const { made, ...summary } = await readChunks(bytes, chunkSize, kind, (part) => {
            read.push(part)
          })
          expect(read).to.deep.equal(parts)
          expect(Date.parse(made)).to.be.closeTo(Date.now(), 60_000)
          const base = 'https://zines.example'
          expect(summary).to.deep.equal({ kind, base, entries: 4, files: 1 })
        }
      })

  it('of the other kind is refused with the command that reads it', async () => {
    const messages = await Promise.all(
      (
        [
          ['backup', 'export'],
          ['export', 'backup'],
        ] as const
      ).map(async ([made, read]) => {
        const bytes = await archive(made, false)
        const error = await failureOf(readChunks(bytes, bytes.length, read, () => undefined))
        expect(error).to.be.instanceOf(ArchiveError)
        return error.message
      }),
    )
    expect(messages).to.deep.equal([
      'the file is a backup, which "restore" reads',
      'the file is an export, which "import" reads',
    ])
  })

  it('whose parts cannot be read fails with the error of the parts', async () => {
    async function* broken(): AsyncGenerator<ArchivePart> {
      yield await Promise.resolve({ key: 'a', value: 'b' })
      throw new Error('the disk failed')
    }
    for (const compress of [true, false]) {
      const error = await failureOf(buffer(createArchive('backup', broken(), { compress })))
      expect(error.message).to.equal('the disk failed')
    }
  })

  it('whose source fails while it is read fails with the error of the source', async () => {
    const bytes = await archive('backup', true)
    async function* cut(): AsyncGenerator<Buffer> {
      yield await Promise.resolve(bytes.subarray(0, 100))
      throw new Error('the connection was lost')
    }
    const source = Readable.from(cut())
    const expected = { name: 'the file', kind: 'backup' } as const
    const error = await failureOf(readArchive(source, expected, () => undefined))
    expect(error.message).to.equal('the connection was lost')
  })
})

const archive = (kind: ArchiveKind, compress: boolean): Promise<Buffer> =>
  buffer(createArchive(kind, Readable.from(parts), { compress }))

function readChunks(
  bytes: Buffer,
  chunkSize: number,
  kind: ArchiveKind,
  onPart: (part: ArchivePart) => void,
) {
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkSize) }, (_, index) =>
    bytes.subarray(index * chunkSize, (index + 1) * chunkSize),
  )
  return readArchive(Readable.from(chunks), { name: 'the file', kind }, onPart)
}
