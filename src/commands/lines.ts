// Splits a stream of bytes into lines, for JSON Lines files. Not `node:readline`: on Node 24 it
// also ends lines at U+2028 and U+2029, which JSON allows inside of strings.

const lineFeed = 0x0a

/** The lines without their line feeds; an empty last line is left out. */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let beginning: Buffer[] = []
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      yield Buffer.concat([...beginning, chunk.subarray(start, end)])
      beginning = []
      start = end + 1
    }
    beginning.push(chunk.subarray(start))
  }
  if (beginning.some(({ length }) => length > 0)) yield Buffer.concat(beginning)
}
