// The search of a copy, in the browser. It loads the parts of the index that it needs as scripts, which
// works from a folder too (search-index.ts). esbuild makes one script of it and what it imports.

import { type SearchedWord, beginningOf, isFoundBy, searchedWords } from '../search-words.js'

type Index = {
  readonly count: number
  /** The first word of each part. */
  readonly words: readonly string[]
  /** How many records each part has. */
  readonly records: readonly number[]
}
type Words = readonly (readonly [word: string, numbers: string])[]
type Shown = readonly [href: string, title: string, line: string]

const shownAtOnce = 50

const waiting = new Map<string, (content: unknown) => void>()
Object.assign(globalThis, {
  zineSearch: (name: string, content: unknown): void => waiting.get(name)?.(content),
})

const parts = new Map<string, Promise<unknown>>()

/** A part of the index. The cast: the copy has them as the types say. */
function load<Part>(name: string): Promise<Part> {
  const known = parts.get(name)
  if (known) return known as Promise<Part>
  const part = new Promise<unknown>((resolve, reject) => {
    waiting.set(name, resolve)
    const script = document.createElement('script')
    script.src = `search/${name}.js`
    script.addEventListener('error', () => reject(new Error(`${name} cannot be read`)))
    document.head.append(script)
  })
  parts.set(name, part)
  return part as Promise<Part>
}

function decode(text: string): number[] {
  let number = 0
  return text.split(' ').map((step) => (number += parseInt(step, 36)))
}

/** The numbers of the records that have one of the words that a function takes. */
async function numbersOf(
  index: Index,
  start: string,
  takes: (word: string) => boolean,
): Promise<ReadonlySet<number>> {
  const numbers = new Set<number>()
  const names = index.words.flatMap((first, part) => {
    const next = index.words[part + 1]
    const mayHave =
      (first <= start || first.startsWith(start)) && (next === undefined || next >= start)
    return mayHave ? [`words-${part}`] : []
  })
  for (const words of await Promise.all(names.map((name) => load<Words>(name))))
    for (const [word, list] of words)
      if (word.startsWith(start) && takes(word))
        decode(list).forEach((number) => numbers.add(number))
  return numbers
}

const withWord = (index: Index, word: SearchedWord): Promise<ReadonlySet<number>> =>
  numbersOf(index, beginningOf(word), (candidate) => isFoundBy(word, candidate))

async function search(index: Index, parameters: URLSearchParams): Promise<readonly number[]> {
  const filters = [...parameters].filter(([name, value]) => name !== 'q' && value !== '')
  const conditions = await Promise.all([
    ...searchedWords(parameters.get('q') ?? '').map((word) => withWord(index, word)),
    ...filters.map(([name, value]) => {
      const key = `=${name}=${value}`
      return numbersOf(index, key, (word) => word === key)
    }),
  ])
  const all = Array.from({ length: index.count }, (_, number) => number)
  return all.filter((number) => conditions.every((numbers) => numbers.has(number)))
}

async function recordAt(index: Index, number: number): Promise<Shown | undefined> {
  let before = 0
  for (const [part, length] of index.records.entries()) {
    if (number < before + length)
      return (await load<readonly Shown[]>(`records-${part}`))[number - before]
    before += length
  }
  return undefined
}

function rowOf([href, title, line]: Shown): HTMLLIElement {
  const link = Object.assign(document.createElement('a'), { href, textContent: title, dir: 'auto' })
  const heading = document.createElement('h3')
  heading.append(link)
  const text = Object.assign(document.createElement('p'), { className: 'line', textContent: line })
  text.dir = 'auto'
  const row = document.createElement('li')
  row.append(heading, text)
  return row
}

async function showResults(form: HTMLFormElement): Promise<void> {
  const parameters = new URLSearchParams(location.search)
  for (const [name, value] of parameters) {
    const field = form.elements.namedItem(name)
    if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value
  }
  const count = document.getElementById('copy-count')
  const list = document.getElementById('copy-results')
  const more = document.getElementById('copy-more')
  if (!count || !list || !more) return
  const index = await load<Index>('index')
  const numbers = await search(index, parameters)
  const { none = '', one = '', other = '' } = count.dataset
  const language = document.documentElement.lang
  const pattern = numbers.length === 0 ? none : numbers.length === 1 ? one : other
  count.textContent = pattern.replace('{count}', numbers.length.toLocaleString(language))
  let shown = 0
  const showMore = async (): Promise<void> => {
    const next = numbers.slice(shown, (shown += shownAtOnce))
    more.hidden = shown >= numbers.length
    const records = await Promise.all(next.map((number) => recordAt(index, number)))
    const rows = records.filter((record) => record !== undefined).map(rowOf)
    list.append(...rows)
    if (shown > shownAtOnce) rows[0]?.querySelector('a')?.focus()
  }
  more.addEventListener('click', () => void showMore())
  await showMore()
  list.dataset.done = ''
}

const form = document.querySelector<HTMLFormElement>('form#copy-search')
if (form) void showResults(form)
