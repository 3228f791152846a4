// The scripts of examples/, each run as a researcher runs it. What they print is compared with what the API lists.

import { spawn, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'

import { expect } from 'chai'

import { useService } from '../../service.js'

type Rows = readonly (readonly string[])[]

const runs = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0

/** Debian's Python has Debian's packages, which another one before it does not see. */
const python = ['python3', '/usr/bin/python3'].find((command) =>
  runs(command, '-c', 'import rdflib, requests'),
)

/** The tables that a script prints, by the first words of their titles. */
async function tablesOf(command: string, args: readonly string[]): Promise<Map<string, Rows>> {
  // Else both write letters beyond ASCII as the system has them.
  const child = spawn(command, args, { env: { ...process.env, LC_ALL: 'C.UTF-8' } })
  const [output, errors, [status]] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    new Promise<[number | null]>((resolve) => child.on('close', (code) => resolve([code]))),
  ])
  expect([status, errors]).to.deep.equal([0, ''])
  return new Map(
    output.split('# ').flatMap((section) => {
      const [title = '', ...lines] = section.split('\n')
      const rows = lines.filter((line) => line.includes('\t')).map((line) => line.split('\t'))
      return title === '' ? [] : [[title, rows] as const]
    }),
  )
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of stream.setEncoding('utf8')) text += String(chunk)
  return text
}

/** How often each value occurs, most first, equal ones by name; the first 20. */
function count(values: readonly string[]): Rows {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .sort(([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1))
    .slice(0, 20)
    .map(([value, number]) => [...value.split('\t'), String(number)])
}

const pairsOf = (values: readonly string[]): string[] => {
  const sorted = values.toSorted()
  return sorted.flatMap((one, index) => sorted.slice(index + 1).map((other) => `${one}\t${other}`))
}

const swapped = (pair: string): string => pair.split('\t').toReversed().join('\t')

describe('the scripts of examples/', () => {
  const service = useService({ SPARQL_WORKERS: '1' })
  let zines: any[]

  before(async () => {
    for (const resource of ['agents', 'repositories', 'zines'])
      for (const line of (await readFile(`sample/${resource}.jsonl`, 'utf8')).trim().split('\n')) {
        // The places of the sample are invented.
        const places = line.includes('stapler')
          ? { place_of_publication: ['Portland, Oregon'] }
          : {}
        const record = { ...JSON.parse(line), ...(resource === 'zines' && places) }
        expect((await service().post(`/api/${resource}/`, record)).status).to.equal(201)
      }
    const { text } = await service().get('/api/export/zines/?format=jsonl')
    zines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(zines).to.have.length(36)
  })

  const pairs = (): string[] => zines.flatMap(({ subject = [] }) => pairsOf(subject))

  it('in Python print what the API lists', async function () {
    if (!python) {
      console.log('      skipped: rdflib and requests of Python are not installed')
      this.skip()
    }
    const tables = await tablesOf(python, ['examples/figures.py', `${service().url}/`])
    expect(tables.get('Zines of each decade')).to.deep.equal(await decadesOfFacet())
    expect(tables.get('Zines of each place, the first 20')?.map(([place]) => place)).to.deep.equal([
      'Portland',
    ])
    const shown = tables.get('Subjects that occur together, the first 20') ?? []
    // These are named, the others are codes.
    expect(shown.map(([, , number]) => number)).to.deep.equal(
      count(pairs()).map(([, , number]) => number),
    )
    const together = new Set<string>(
      zines
        .flatMap(({ creator = [] }) => pairsOf(creator))
        .flatMap((pair) => [pair, swapped(pair)]),
    )
    const { results } = (await service().get('/api/agents/?page_size=100')).body
    const names = new Map<string, string>(
      results.map(({ agent_id, display_name }: any) => [agent_id, display_name]),
    )
    const makers = Array.from(together, (pair) => names.get(pair.split('\t')[0] ?? '') ?? '')
    expect(
      tables.get('Makers by the number of those they worked with, the first 20'),
    ).to.deep.equal(count(makers))
  })

  it('in R print what the API lists', async function () {
    if (!runs('Rscript', '--version')) {
      console.log('      skipped: Rscript is not installed')
      this.skip()
    }
    const tables = await tablesOf('Rscript', ['examples/figures.R', service().url])
    const of = (field: string): string[] => zines.flatMap((zine) => zine[field] ?? [])
    expect(tables.get('Zines of each place, the first 20')).to.deep.equal(
      count(of('place_of_publication')),
    )
    expect(tables.get('Zines in each language')).to.deep.equal(count(of('language')))
    expect(tables.get('Subjects that occur together, the first 20')).to.deep.equal(count(pairs()))
    const years = zines.flatMap(({ date = [] }) => /[12]\d{2}[\dX]/.exec(date.join(' '))?.[0] ?? [])
    const decades = count(years.map((year) => `${year.slice(0, 3)}0s`)).toSorted()
    expect(tables.get('Zines of each decade')).to.deep.equal(decades)
    const withoutDate = zines.filter(({ date = [] }) => date.length === 0).length
    expect(tables.get('Zines without a field')).to.deep.include(['date', String(withoutDate)])
  })

  async function decadesOfFacet(): Promise<Rows> {
    const { body } = await service().get('/api/zines/facets/?facet=decade')
    const rows = body.decade.map(({ value, count: zinesOfIt }: any) => [
      `${value}s`,
      String(zinesOfIt),
    ])
    return rows.toSorted()
  }
})
