// Parses LevelDB's files and verifies their checksums: the records of a log or manifest, and the
// blocks of a table (doc/log_format.md and doc/table_format.md of LevelDB). It works on bytes that
// the caller read.

/** The records of a log, and its first corruption. Nothing after that is read. */
export type LogRecords = {
  readonly records: readonly Buffer[]
  readonly broken: Corruption | undefined
}

/** `isTruncatedTail` when nothing valid follows, as in the log of a process that was killed. */
type Corruption = { readonly at: number; readonly isTruncatedTail: boolean }

/**
 * The content of a manifest: the tables with their sizes, the number of the oldest live log, and
 * the sequence number of the last write when it was written.
 */
export type Manifest = {
  readonly tables: ReadonlyMap<number, number>
  readonly log: number
  readonly lastSequence: number
}

/** Parses a log. A manifest has the same format. */
export function readLog(bytes: Buffer): LogRecords {
  const records: Buffer[] = []
  let parts: Buffer[] = []
  let recordStart = 0
  let at = 0
  while (at < bytes.length) {
    const remaining = blockSize - (at % blockSize)
    // The end of a block that is too short for a header is filled with zeros.
    if (remaining < headerSize) {
      at += remaining
      continue
    }
    const fragment = fragmentAt(bytes, at, remaining)
    // A fragment is a whole record, or the first, a middle or the last part of one.
    const isOutOfPlace = fragment && fragment.starts !== (parts.length === 0)
    if (!fragment || isOutOfPlace)
      return { records, broken: describeCorruption(bytes, at, recordStart, parts) }
    if (fragment.starts) recordStart = at
    parts.push(fragment.content)
    at = fragment.end
    if (!fragment.ends) continue
    records.push(Buffer.concat(parts))
    parts = []
  }
  return {
    records,
    broken: parts.length > 0 ? { at: recordStart, isTruncatedTail: true } : undefined,
  }
}

/**
 * Applies the records of a manifest one after the other.
 * @throws Error for a record with an unknown tag
 */
export function readManifest(records: readonly Buffer[]): Manifest {
  const tables = new Map<number, number>()
  let log = 0
  let lastSequence = 0
  for (const record of records) {
    const reader = createReader(record)
    while (!reader.atEnd()) {
      const tag = reader.number()
      if (tag === 1) reader.skipText()
      else if (tag === 2) log = reader.number()
      else if (tag === 4) lastSequence = reader.number()
      else if (tag === 3 || tag === 9) reader.number()
      else if (tag === 5) {
        reader.number()
        reader.skipText()
      } else if (tag === 6) {
        reader.number()
        tables.delete(reader.number())
      } else if (tag === 7) {
        reader.number()
        tables.set(reader.number(), reader.number())
        reader.skipText()
        reader.skipText()
      } else throw new Error(`the tag ${tag} is unknown`)
    }
  }
  return { tables, log, lastSequence }
}

/** One step of a batch: the key gets this value, or is removed when `value` is undefined. */
export type BatchStep = { readonly key: Buffer; readonly value: Buffer | undefined }

/**
 * The sequence numbers of a log record: its first step has `first`, the first step of the next
 * record has `next`.
 * @throws RangeError for a record that is too short
 */
export function readSequence(record: Buffer): { readonly first: number; readonly next: number } {
  const first = Number(record.readBigUInt64LE(0))
  return { first, next: first + record.readUInt32LE(8) }
}

/** The steps of a log record, which follow its sequence number and the number of steps. */
export function readBatch(record: Buffer): readonly BatchStep[] {
  const reader = createReader(record)
  reader.skip(12)
  const steps: BatchStep[] = []
  while (!reader.atEnd()) {
    const isPut = reader.number() === 1
    steps.push({ key: reader.text(), value: isPut ? reader.text() : undefined })
  }
  return steps
}

/** The offset of the first corrupt block of a table; undefined when all are valid. */
export function findCorruptBlock(table: Buffer): number | undefined {
  const footer = table.length - footerSize
  if (footer < 0 || table.readBigUInt64LE(footer + 40) !== tableMagic) return Math.max(footer, 0)
  try {
    const handles = createReader(table.subarray(footer))
    const [meta, index] = [handles.handle(), handles.handle()]
    for (const handle of [index, meta]) if (!isValidBlock(table, handle)) return handle.offset
    const blocks = [...readHandles(table, index), ...readHandles(table, meta)]
    return blocks.find((handle) => !isValidBlock(table, handle))?.offset
  } catch {
    return footer
  }
}

/** A version of an entry: what a write of this sequence number made of a key. */
export type EntryVersion = {
  readonly key: Buffer
  readonly sequence: number
  /** Undefined where the write removed the entry. */
  readonly value: Buffer | undefined
}

/**
 * The versions in a table, by key, the newest of a key first.
 * @throws RangeError for what is no table
 */
export function* readTable(table: Buffer): Generator<EntryVersion> {
  const footer = createReader(table.subarray(table.length - footerSize))
  footer.handle()
  for (const { value: handle } of readBlock(table, footer.handle()))
    for (const { key, value } of readBlock(table, createReader(handle).handle())) {
      // The number ends with a byte that says whether it is a value.
      const number = key.readBigUInt64LE(key.length - 8)
      yield {
        key: key.subarray(0, -8),
        sequence: Number(number >> 8n),
        value: (number & 1n) === 1n ? value : undefined,
      }
    }
}

const blockSize = 32 * 1024
const headerSize = 7
const footerSize = 48
const trailerSize = 5
const tableMagic = 0xdb4775248b80fb57n

type LogFragment = {
  readonly content: Buffer
  readonly end: number
  readonly starts: boolean
  readonly ends: boolean
}

/** The fragment at an offset of a log; undefined when there is no valid one. */
function fragmentAt(bytes: Buffer, at: number, remaining: number): LogFragment | undefined {
  if (at + headerSize > bytes.length) return undefined
  const [length, type] = [bytes.readUInt16LE(at + 4), bytes.readUInt8(at + 6)]
  const end = at + headerSize + length
  if (type < 1 || type > 4 || headerSize + length > remaining || end > bytes.length)
    return undefined
  if (unmask(bytes.readUInt32LE(at)) !== crc32c(bytes, at + 6, end)) return undefined
  return {
    content: bytes.subarray(at + headerSize, end),
    end,
    starts: type === 1 || type === 2,
    ends: type === 1 || type === 4,
  }
}

// Looks for a valid fragment after the corruption: each block of a log begins with one, and within
// the corrupt block one may begin at any byte.
function describeCorruption(
  bytes: Buffer,
  at: number,
  recordStart: number,
  parts: readonly Buffer[],
): Corruption {
  const blockEnd = Math.min(bytes.length, (Math.floor(at / blockSize) + 1) * blockSize)
  for (let place = at + 1; place + headerSize <= blockEnd; place += 1)
    if (fragmentAt(bytes, place, blockEnd - place)) return { at, isTruncatedTail: false }
  for (let place = blockEnd; place < bytes.length; place += blockSize)
    if (fragmentAt(bytes, place, blockSize)) return { at, isTruncatedTail: false }
  return { at: parts.length > 0 ? recordStart : at, isTruncatedTail: true }
}

type BlockHandle = { readonly offset: number; readonly size: number }

function createReader(bytes: Buffer) {
  let at = 0
  /** A varint. Those that occur here fit into a number. */
  const number = (): number => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes.readUInt8(at)
      at += 1
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }
  const skip = (length: number): void => {
    at += length
    if (at > bytes.length) throw new RangeError('the record is too short')
  }
  const read = (length: number): Buffer => {
    skip(length)
    return bytes.subarray(at - length, at)
  }
  return {
    number,
    skip,
    bytes: read,
    text: () => read(number()),
    skipText: () => skip(number()),
    handle: (): BlockHandle => ({ offset: number(), size: number() }),
    atEnd: () => at >= bytes.length,
  }
}

function isValidBlock(table: Buffer, { offset, size }: BlockHandle): boolean {
  const end = offset + size
  if (end + trailerSize > table.length) return false
  return unmask(table.readUInt32LE(end + 1)) === crc32c(table, offset, end + 1)
}

/** The blocks that an index block lists. */
const readHandles = (table: Buffer, index: BlockHandle): BlockHandle[] =>
  [...readBlock(table, index)].map(({ value }) => createReader(value).handle())

type BlockEntry = { readonly key: Buffer; readonly value: Buffer }

/**
 * The keys and values of a block, after which it has restart points. A key begins like the one
 * before it.
 */
function* readBlock(table: Buffer, { offset, size }: BlockHandle): Generator<BlockEntry> {
  const stored = table.subarray(offset, offset + size)
  const block = table.readUInt8(offset + size) === 1 ? decompressSnappy(stored) : stored
  const restarts = block.readUInt32LE(block.length - 4)
  const entries = createReader(block.subarray(0, block.length - 4 * (restarts + 1)))
  let key = Buffer.alloc(0)
  while (!entries.atEnd()) {
    const [shared, unshared, valueSize] = [entries.number(), entries.number(), entries.number()]
    key = Buffer.concat([key.subarray(0, shared), entries.bytes(unshared)])
    yield { key, value: entries.bytes(valueSize) }
  }
}

/** Decompresses Snappy (its format_description.txt): literals, and copies of earlier output. */
function decompressSnappy(bytes: Buffer): Buffer {
  let [at, shift, length] = [0, 0, 0]
  for (;;) {
    const byte = bytes.readUInt8(at++)
    length += (byte & 127) * 2 ** shift
    shift += 7
    if (byte < 128) break
  }
  const out = Buffer.alloc(length)
  let done = 0
  while (at < bytes.length) {
    const tag = bytes.readUInt8(at++)
    const kind = tag & 3
    if (kind === 0) {
      let size = (tag >> 2) + 1
      if (size > 60) {
        const wide = size - 60
        size = bytes.readUIntLE(at, wide) + 1
        at += wide
      }
      done += bytes.copy(out, done, at, at + size)
      at += size
      continue
    }
    const size = kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1
    const wide = kind === 1 ? 1 : kind === 2 ? 2 : 4
    const back = bytes.readUIntLE(at, wide) + (kind === 1 ? (tag >> 5) * 256 : 0)
    at += wide
    // A copy may overlap its own output, so it is made byte by byte.
    for (let end = done + size; done < end; done += 1) out[done] = out[done - back] ?? 0
  }
  return out
}

/** LevelDB masks its checksums, because checksummed data may itself contain checksums. */
function unmask(masked: number): number {
  const rotated = (masked - 0xa282ead8) >>> 0
  return ((rotated >>> 17) | (rotated << 15)) >>> 0
}

// Castagnoli's polynomial; Node's own crc32 uses another one.
const crcTable = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
  return crc
})

function crc32c(bytes: Buffer, start: number, end: number): number {
  let crc = -1
  for (let at = start; at < end; at += 1)
    crc = (crcTable[(crc ^ (bytes[at] ?? 0)) & 255] ?? 0) ^ (crc >>> 8)
  return ~crc >>> 0
}
