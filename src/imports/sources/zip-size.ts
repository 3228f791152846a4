// How large a ZIP archive is when it is unpacked. What the archive itself says about it need not be true, so each
// file is unpacked, up to the limit.

import { inflateRawSync } from 'node:zlib'

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const localSignature = 0x04034b50
const maxEntries = 10_000

/** @throws Error if the archive is larger than the limit, or broken; not if the file is no archive */
export function checkUnpackedSize(file: Buffer, maxBytes: number): void {
  if (file.length < 22 || file.readUInt32LE(0) !== localSignature) return
  const end = findEnd(file)
  const count = file.readUInt16LE(end + 10)
  if (count > maxEntries) throw new Error('it has too many parts.')
  let position = file.readUInt32LE(end + 16)
  let left = maxBytes
  for (let index = 0; index < count; index += 1) {
    if (position + 46 > file.length || file.readUInt32LE(position) !== entrySignature)
      throw new Error('it is damaged.')
    left -= unpackedSize(file, position, left)
    position +=
      46 +
      file.readUInt16LE(position + 28) +
      file.readUInt16LE(position + 30) +
      file.readUInt16LE(position + 32)
  }
}

function findEnd(file: Buffer): number {
  // A comment of at most 65,535 bytes may follow.
  for (let at = file.length - 22; at >= Math.max(0, file.length - 22 - 0xffff); at -= 1)
    if (file.readUInt32LE(at) === endSignature) return at
  throw new Error('it is damaged.')
}

function unpackedSize(file: Buffer, entry: number, maxBytes: number): number {
  const method = file.readUInt16LE(entry + 10)
  const packed = file.readUInt32LE(entry + 20)
  const local = file.readUInt32LE(entry + 42)
  if (local + 30 > file.length || file.readUInt32LE(local) !== localSignature)
    throw new Error('it is damaged.')
  const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
  if (method === 0) return packed
  if (method !== 8) throw new Error('it is packed in an unusual way.')
  try {
    return inflateRawSync(file.subarray(start, start + packed), {
      maxOutputLength: Math.max(1, maxBytes),
    }).length
  } catch (cause) {
    const isTooLarge = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw new Error(isTooLarge ? 'it is too large when it is unpacked.' : 'it is damaged.', {
      cause,
    })
  }
}
