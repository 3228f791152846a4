// The values of an SQLite database that are too long for a page, put together from the pages that they
// are on (https://sqlite.org/fileformat2.html, 1.6). Shorter ones are whole in the bytes of the file,
// on free pages too.

import type { FileHandle } from 'node:fs/promises'

type Pages = {
  readonly read: (page: number) => Promise<Buffer>
  readonly count: number
  /** The bytes of a page that are used. */
  readonly usable: number
}

/**
 * The values that go on to other pages. All pages are read as if they were in use, so that those of
 * deleted rows are found as long as nothing was written over them.
 */
export async function* overflowingValues(file: FileHandle): AsyncGenerator<AsyncIterable<Buffer>> {
  const pages = await openPages(file)
  for (let page = 1; page <= pages.count; page += 1) {
    const bytes = await pages.read(page)
    for (const cell of overflowingCells(bytes, page === 1 ? 100 : 0, pages.usable))
      yield readValue(pages, cell)
  }
}

async function openPages(file: FileHandle): Promise<Pages> {
  const { buffer: header } = await file.read(Buffer.alloc(100), 0, 100, 0)
  const size = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  return {
    count: size < 512 ? 0 : Math.floor((await file.stat()).size / size),
    usable: size - header.readUInt8(20),
    async read(page) {
      const position = (page - 1) * size
      return (await file.read(Buffer.alloc(size), 0, size, position)).buffer
    },
  }
}

/** The beginning of a value, how many bytes are missing, and the page that has the next ones. */
type OverflowingCell = { readonly start: Buffer; readonly rest: number; readonly next: number }

/** Where the header of a page ends, and what the cells of its kind have before their values. */
const layouts: Readonly<Record<number, { header: number; child: number; isTable: boolean }>> = {
  0x02: { header: 12, child: 4, isTable: false },
  0x0a: { header: 8, child: 0, isTable: false },
  0x0d: { header: 8, child: 0, isTable: true },
}

function* overflowingCells(
  page: Buffer,
  start: number,
  usable: number,
): Generator<OverflowingCell> {
  const layout = layouts[page[start] ?? 0]
  if (!layout) return
  const first = start + layout.header
  const count = Math.min(page.readUInt16BE(start + 3), Math.floor((page.length - first) / 2))
  for (let cell = 0; cell < count; cell += 1) {
    const at = page.readUInt16BE(first + 2 * cell) + layout.child
    const [size, afterSize] = readVarint(page, at)
    const [, afterKey] = layout.isTable ? readVarint(page, afterSize) : [0, afterSize]
    const local = localBytes(size, usable, layout.isTable)
    const end = afterKey + local
    if (local < size && end + 4 <= page.length)
      yield {
        start: page.subarray(afterKey, end),
        rest: size - local,
        next: page.readUInt32BE(end),
      }
  }
}

/** How many bytes of a value are on the page of its cell. */
function localBytes(size: number, usable: number, isTable: boolean): number {
  const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23
  if (size <= most) return size
  const least = Math.floor(((usable - 12) * 32) / 255) - 23
  const wanted = least + ((size - least) % (usable - 4))
  return wanted <= most ? wanted : least
}

/** @returns the number, and where it ends */
function readVarint(page: Buffer, at: number): readonly [number, number] {
  let value = 0
  for (let byte = 0; byte < 8; byte += 1) {
    const bits = page[at + byte] ?? 0
    value = value * 128 + (bits & 0x7f)
    if (bits < 128) return [value, at + byte + 1]
  }
  return [value * 256 + (page[at + 8] ?? 0), at + 9]
}

/** Each page is read at most once, since what is on a free page may lead anywhere. */
async function* readValue(
  { read, count, usable }: Pages,
  { start, rest, next: first }: OverflowingCell,
): AsyncGenerator<Buffer> {
  yield start
  const seen = new Set<number>()
  let missing = rest
  for (let next = first; missing > 0 && next > 0 && next <= count && !seen.has(next);) {
    seen.add(next)
    const page = await read(next)
    yield page.subarray(4, Math.min(usable, 4 + missing))
    missing -= usable - 4
    next = page.readUInt32BE(0)
  }
}
