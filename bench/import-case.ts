// The benchmark case `import`: how many rows a second are read, previewed, written and taken back, for a file of MARC
// and one of CSV; how long each step blocks the event loop; and the memory after it.

import type { Subfields } from '../src/formats/marc/fields.js'
import { serializeIso2709 } from '../src/formats/marc/iso2709.js'
import type { Bench } from './case.js'
import type { Service } from './processes.js'
import type { Figure } from './report.js'

/** What a row says, in one format or the other. */
type Row = {
  readonly id: string
  readonly title: string
  readonly maker: readonly [family: string, given: string]
  readonly year: string
  readonly subjects: readonly string[]
  readonly callNumber: string
}

const subjects = ['Punk', 'Feminism', 'Food', 'Travel', 'Music', 'Poetry', 'Comics', 'Bicycling']

/** A maker has five zines, as in real collections. */
const makeRows = (length: number): readonly Row[] =>
  Array.from({ length }, (_, index) => ({
    id: String(index),
    title: `Imported zine ${index}`,
    maker: [`Family${Math.floor(index / 5)}`, 'Given'],
    year: String(1970 + (index % 50)),
    subjects: [0, 3].map((step) => subjects[(index + step) % subjects.length] ?? ''),
    callNumber: `I ${index}`,
  }))

const toTexts = {
  'import.mrc': (rows: readonly Row[]) => rows.map(toMarc).join(''),
  'import.csv': (rows: readonly Row[]) =>
    `ID,Title,Author,Year,Tags,Call number\n${rows.map(toCsv).join('')}`,
}

function toMarc({ id, title, maker, year, subjects, callNumber }: Row): string {
  return serializeIso2709({
    leader: '00000nam a2200000 i 4500',
    control: [['001', id]],
    data: [
      field('100', '1_', [['a', maker.join(', ')]]),
      field('245', '10', [['a', title]]),
      field('264', '_1', [['c', year]]),
      field('300', '__', [['a', '24 pages']]),
      ...subjects.map((subject) => field('650', '_0', [['a', subject]])),
      field('952', '__', [
        ['o', callNumber],
        ['p', `p${id}`],
      ]),
    ],
  })
}

const field = (tag: string, indicators: string, subfields: Subfields) => ({
  tag,
  indicators,
  subfields,
})

const toCsv = ({ id, title, maker, year, subjects, callNumber }: Row): string =>
  `${id},${title},"${maker.join(', ')}",${year},"${subjects.join('; ')}",${callNumber}\n`

export async function importCase({ service }: Bench): Promise<Figure[]> {
  const rowCount = 10_000
  return [
    ...(await measureImport(service, 'import.mrc', rowCount)),
    ...(await measureImport(service, 'import.csv', rowCount)),
  ]
}

/** Imports a file of so many rows, and takes it back. */
export async function measureImport(
  service: Service,
  name: keyof typeof toTexts,
  rowCount: number,
): Promise<Figure[]> {
  const figures: Figure[] = []
  const measure = async (step: string, work: () => Promise<State>): Promise<State> => {
    await service.probe()
    const start = performance.now()
    const state = await work()
    const seconds = (performance.now() - start) / 1000
    const { blocked, rss } = await service.probe()
    figures.push({
      row: 'import',
      what: `${name}, ${step}`,
      value: rowCount / seconds,
      unit: '/s',
      note: `event loop blocked ${blocked.toFixed(0)} ms, memory ${(rss / 2 ** 30).toFixed(2)} GiB`,
    })
    return state
  }
  const text = toTexts[name](makeRows(rowCount))
  const { id } = await measure('reading', () => begin(service, name, text))
  const step = (part: string): Promise<State> =>
    ask(service, 'POST', `/api/imports/${id}/${part}/`, {})
  await ask(service, 'PATCH', `/api/imports/${id}/`, {
    identifiers: { zines: `${name}-{row}`, holdings: `${name}-{row}`, agents: `${name}-` },
    defaults: {
      zines: { genre: ['zine'], language: ['en'], rights: [], subject: ['zines'] },
      holdings: { repository_id: 'repository-0' },
    },
  })
  await measure('preview', () => step('preview'))
  await measure('writing', () => step('commit'))
  await measure('taking back', () => step('undo'))
  await fetch(`${service.url}/api/imports/${id}/`, {
    method: 'DELETE',
    headers: { authorization: `Token ${service.token}` },
  })
  return figures
}

/** What is used of an import's answer. */
type State = { readonly id: string; readonly progress: unknown; readonly state: string }

const begin = (service: Service, name: string, text: string): Promise<State> =>
  ask(service, 'POST', `/api/imports/?filename=${name}`, text)

/** Asks, and waits until no work goes on. @param body JSON, or a file as a text */
async function ask(
  service: Service,
  method: string,
  path: string,
  body: object | string,
): Promise<State> {
  const isFile = typeof body === 'string'
  const authorization = `Token ${service.token}`
  const response = await fetch(service.url + path, {
    method,
    headers: {
      authorization,
      'content-type': isFile ? 'application/octet-stream' : 'application/json',
    },
    body: isFile ? body : JSON.stringify(body),
  })
  if (!response.ok)
    throw new Error(`${path} is answered with ${response.status}: ${await response.text()}`)
  let state = (await response.json()) as State // As all answers about imports are.
  while (state.progress !== null) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    const again = await fetch(`${service.url}/api/imports/${state.id}/`, {
      headers: { authorization },
    })
    state = (await again.json()) as State // Likewise.
  }
  if (!['open', 'written', 'undone'].includes(state.state))
    throw new Error(`${path}: the import is ${state.state}`)
  return state
}
