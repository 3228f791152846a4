// Makes identifiers: of zines and holdings by the patterns of a profile, of agents from their
// names.

/** What stands between braces in a pattern, without what the service itself knows. */
export function placeholdersOf(pattern: string): readonly string[] {
  const names = [...pattern.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)
  return [...new Set(names)].filter((name) => !ownNames.includes(name))
}

const ownNames = ['row', 'item', 'zine', 'source', 'import']

/** The longest identifier that shapes allow. */
const maxLength = 255

/** An identifier, and what says whose it is. */
export type WantedIdentifier = {
  readonly id: string
  /**
   * - `record`: the source names a record of this catalogue
   * - `number`: it is made of what the source calls its record
   * - `row`: it is made of the number of the row, which another file has for something else
   */
  readonly by: 'record' | 'number' | 'row'
}

/**
 * The identifier that a pattern makes: of several patterns, between `|`, the first one whose values
 * are all there. Undefined where none is complete, or where the service cannot have the identifier.
 */
export function makeIdentifier(
  pattern: string,
  values: Readonly<Record<string, string>>,
): WantedIdentifier | undefined {
  const valueOf = (name: string): string =>
    segmentOf(Object.hasOwn(values, name) ? (values[name] ?? '') : '')
  for (const alternative of pattern.split('|')) {
    const names = [...alternative.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)
    if (names.some((name) => valueOf(name) === '')) continue
    const id = alternative.replace(/\{([^{}]+)\}/g, (_, name: string) => valueOf(name)).trim()
    if (isPossible(id)) return { id, by: names.includes('row') ? 'row' : 'number' }
  }
  return undefined
}

const isPossible = (id: string): boolean =>
  id !== '' && id !== '.' && id !== '..' && Array.from(id).length <= maxLength

/** A value without what has a meaning in addresses. */
const segmentOf = (value: string): string =>
  value
    .slice(0, 1000)
    .normalize('NFC')
    .trim()
    // Control characters, which shapes/common.ttl forbids, are among them.
    .replace(/[\s/\\?#%&"<>|\u0000-\u001f\u007f-\u009f]+/g, '-')
    .replace(/^-+|-+$/g, '')

/** The first of `slug`, `slug-2`, `slug-3` … that is free. */
export function freeIdentifier(slug: string, isTaken: (id: string) => boolean): string {
  if (!isTaken(slug)) return slug
  let number = 2
  while (isTaken(`${slug}-${number}`)) number++
  return `${slug}-${number}`
}
