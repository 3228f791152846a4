// The index that the search of a copy reads in the browser: scripts, since a page that is opened from a
// folder may load no other files. It is made of the public records as the copy has them.
//
// search/index.js     how many records there are, and the first word of each part
// search/words-N.js   the records that have each word, and each value of a filter
// search/records-N.js what is shown of each record

import { wordsAsWritten } from './search-words.js'

/** What the search finds. */
export type IndexedZine = {
  /** The address of its page, relative to the page of the search. */
  readonly href: string
  readonly title: string
  /** Who made it and when. */
  readonly line: string
  /** What its words are taken from. */
  readonly texts: readonly string[]
  /** The values by which it is filtered, such as `subject=punk`. */
  readonly filters: readonly string[]
}

type IndexFile = { readonly file: string; readonly content: string }

/** How large a part may grow, in UTF-8 bytes; the promise is 200 KB. */
const maxPartBytes = 150_000

/** @param zines in the order in which they are shown */
export function searchIndexFiles(zines: readonly IndexedZine[]): readonly IndexFile[] {
  const postings = postingsOf(zines)
  const words = [...postings.keys()].sort()
  const wordParts = toParts(words.map((word) => [word, encode(postings.get(word) ?? [])] as const))
  const recordParts = toParts(zines.map(({ href, title, line }) => [href, title, line] as const))
  return [
    script('index', {
      count: zines.length,
      words: wordParts.map(([first]) => first?.[0] ?? ''),
      records: recordParts.map(({ length }) => length),
    }),
    ...wordParts.map((part, index) => script(`words-${index}`, part)),
    ...recordParts.map((part, index) => script(`records-${index}`, part)),
  ]
}

function postingsOf(zines: readonly IndexedZine[]): ReadonlyMap<string, readonly number[]> {
  const postings = new Map<string, number[]>()
  zines.forEach(({ texts, filters }, number) => {
    for (const key of new Set([
      ...texts.flatMap(wordsAsWritten),
      ...filters.map((value) => `=${value}`),
    ])) {
      const numbers = postings.get(key)
      if (numbers) numbers.push(number)
      else postings.set(key, [number])
    }
  })
  return postings
}

/** Ascending numbers as their differences, which are short. */
const encode = (numbers: readonly number[]): string =>
  numbers.map((number, index) => (number - (numbers[index - 1] ?? 0)).toString(36)).join(' ')

function toParts<Entry>(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const parts: Entry[][] = []
  let size = maxPartBytes
  for (const entry of entries) {
    const entrySize = Buffer.byteLength(JSON.stringify(entry)) + 1
    if (size + entrySize > maxPartBytes) {
      parts.push([])
      size = 0
    }
    parts.at(-1)?.push(entry)
    size += entrySize
  }
  return parts
}

const script = (name: string, content: object): IndexFile => ({
  file: `search/${name}.js`,
  content: `zineSearch(${JSON.stringify(name)},${JSON.stringify(content)})\n`,
})
