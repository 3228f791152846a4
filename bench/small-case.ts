// The benchmark case `small`: whether the service can do its work on a small machine, with one processor and little
// memory, and what fails first with less.

import { setTimeout as sleep } from 'node:timers/promises'

import type { Bench } from './case.js'
import { runLoad } from './client.js'
import { base, prepareDirectory } from './fixtures.js'
import { measureImport } from './import-case.js'
import { askAll, everything, readExamples } from './memory-case.js'
import { type MemoryLimit, limitMemory } from './memory-limit.js'
import { type Service, startService } from './processes.js'
import type { Figure } from './report.js'
import { mixedReads } from './request-streams.js'
import { checkStatuses, streamOptions } from './rounds.js'

/** The most zines for so much memory, in MiB, and the steps in which less is tried. */
const machines = [
  { zines: 5_000, memory: 512, step: 64 },
  { zines: 30_000, memory: 1024, step: 128 },
]

const requests = 5_000
const importedRows = 1_000

/** What was measured until all was done, or something failed. */
type Attempt = {
  readonly figures: readonly Figure[]
  readonly failure?: { readonly step: string; readonly reason: string }
}

/** The one step that needs all triples in memory, and may fail on a small machine. */
const wholeCatalogue = 'a query about every triple'

export async function smallCase(bench: Bench): Promise<Figure[]> {
  const machine = machines.find(({ zines }) => bench.zines <= zines)
  if (!machine) return skip(`more than ${machines.at(-1)?.zines} zines need a larger machine`)
  const figures: Figure[] = []
  const failures: string[] = []
  let enough = Infinity
  for (let { memory } = machine; memory > 0; memory -= machine.step) {
    const limit = await limitMemory(memory)
    if (!limit)
      return skip('no group for processes of the memory controller (cgroup v1) can be made')
    process.stderr.write(`small, ${memory} MiB …\n`)
    const attempt = await tryAll(bench, limit)
    await limit.remove()
    if (memory === machine.memory) figures.push(...attempt.figures)
    const { failure } = attempt
    if (failure) failures.push(`with ${memory} MiB: ${failure.step}: ${failure.reason}`)
    if (failure && failure.step !== wholeCatalogue) break
    enough = memory
  }
  return [
    ...figures,
    {
      ...figureOf('the least memory with which all works but that query', enough / 1024, 'GiB'),
      target: { at: 'most', value: machine.memory / 1024 },
      note: failures.join('; '),
    },
  ]
}

function skip(reason: string): Figure[] {
  process.stderr.write(`small: skipped: ${reason}\n`)
  return []
}

/** Starts, stops, starts again, answers, imports, and answers SPARQL. */
async function tryAll(bench: Bench, { within }: MemoryLimit): Promise<Attempt> {
  const directory = await prepareDirectory(bench.zines, bench.resources)
  const env = { BASE_URL: base, LOG_LEVEL: 'warn', MALLOC_ARENA_MAX: '2' }
  const start = () => startService(directory.dataDir, { within, env })
  const figures: Figure[] = []
  let step = 'the first start'
  let service: Service | undefined
  const steps: Readonly<Record<string, (running: Service) => Promise<readonly Figure[]>>> = {
    'the requests of `mixed`': (running) => answerRequests({ ...bench, service: running }),
    'an import': (running) => measureImport(running, 'import.mrc', importedRows),
    'the examples of SPARQL': async (running) =>
      askAll(running, 'the example queries', await readExamples(running)),
    [wholeCatalogue]: (running) => askAll(running, wholeCatalogue, [everything]),
  }
  try {
    const first = await start()
    figures.push(figureOf(`until it answers`, first.started, 's'))
    await first.end()
    step = 'a start after a stop'
    service = await start()
    figures.push(figureOf('until it answers, after a stop', service.started, 's'))
    for (const [name, work] of Object.entries(steps)) {
      step = name
      const measured = await Promise.race([work(service), service.ended])
      figures.push(...measured.map((figure) => ({ ...figure, row: 'small' })))
      const { rss } = await Promise.race([service.probe(), service.ended])
      figures.push(figureOf(`memory after ${name}`, rss / 2 ** 30, 'GiB'))
    }
    return { figures }
  } catch (error) {
    // A request that was broken off does not say that the process ended, and by what.
    const ended = service ? [service.ended.catch((end: unknown) => (end as Error).message)] : []
    const reason = await Promise.race([...ended, sleep(5_000, (error as Error).message)])
    return { figures, failure: { step, reason } }
  } finally {
    await service?.end()
    await directory.remove()
  }
}

async function answerRequests(bench: Bench): Promise<Figure[]> {
  const stream = mixedReads(streamOptions(bench))
  const result = await runLoad(bench.service.url, stream.next, {
    clients: 8,
    milliseconds: 0,
    minRequests: requests,
  })
  checkStatuses(result, stream)
  const note = `p99 ${result.p99.toFixed(1)} ms`
  return [{ ...figureOf('the requests of `mixed`', result.perSecond, '/s'), note }]
}

const figureOf = (what: string, value: number, unit: Figure['unit']): Figure => ({
  row: 'small',
  what,
  value,
  unit,
})
