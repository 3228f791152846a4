// Makes MARC records for tests, in ISO 2709.

/** A tag, and the content with indicators; subfields are written with `$`, and `\x1b` and other bytes as Latin-1. */
export type MarcField = readonly [string, string]

/** @param leader what it has instead of ` ` at its ninth place: `a` for UTF-8 */
export function makeRecord(
  fields: readonly MarcField[],
  { encoding = ' ', text = 'latin1' }: { encoding?: string; text?: 'latin1' | 'utf8' } = {},
): Buffer {
  const contents = fields.map(([, content]) =>
    Buffer.concat([Buffer.from(content.replaceAll('$', '\x1f'), text), Buffer.from('\x1e')]),
  )
  let position = 0
  const directory = fields.map(([tag], index) => {
    const length = contents[index]?.length ?? 0
    const entry = tag + String(length).padStart(4, '0') + String(position).padStart(5, '0')
    position += length
    return entry
  })
  const base = 24 + directory.length * 12 + 1
  const length = base + position + 1
  const leader = `${String(length).padStart(5, '0')}nam ${encoding}22${String(base).padStart(5, '0')} a 4500`
  return Buffer.concat([
    Buffer.from(`${leader}${directory.join('')}\x1e`),
    ...contents,
    Buffer.from('\x1d'),
  ])
}
