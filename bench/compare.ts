// `npm run bench -- --compare COMMIT`: measures another commit and the files as they are in turn, each with a copy of the same
// data. The commit is checked out and built in a temporary directory, with the packages that are installed here.

import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

import type { Resources } from '../src/model/resources.js'
import { runLoad } from './client.js'
import { type ComparedRound, compareRounds, formatComparison, isBeforeFirst } from './comparison.js'
import { base, prepareDirectory } from './fixtures.js'
import { type Service, startService } from './processes.js'
import {
  type RequestStream,
  type StreamOptions,
  anyZine,
  changedZines,
  htmlPages,
  mixedReads,
  mixedReadsAndWrites,
  newLists,
  newZines,
  newlyReadZines,
  repeatedZines,
} from './request-streams.js'
import { checkStatuses, connections, loadsOf, withProcessorTime } from './rounds.js'

/** What is compared, by the names that `--only` has. The order matters: what was read is cached. */
export const comparedStreams: ReadonlyMap<string, (options: StreamOptions) => RequestStream> =
  new Map([
    ['get-new', newlyReadZines],
    ['list-new', newLists],
    ['mixed', mixedReads],
    ['mixed-writes', mixedReadsAndWrites],
    ['page', htmlPages],
    ['get', repeatedZines],
    ['get-any', anyZine],
    ['post', newZines],
    ['patch', changedZines],
  ])

type CompareOptions = {
  readonly commit: string
  readonly only: readonly string[]
  readonly zines: number
  readonly resources: Resources
  readonly rounds: number
  readonly milliseconds: number
}

type Compared = { readonly service: Service; readonly stream: RequestStream }

/** Prints a table of the processor time of a request, of the commit and of the files as they are. */
export async function compareCommits(options: CompareOptions): Promise<void> {
  const { commit, only, zines, resources } = options
  const checkout = await checkOut(commit)
  const opened: { end(): Promise<void> }[] = [checkout]
  async function open(program?: string): Promise<Service> {
    const directory = await prepareDirectory(zines, resources)
    opened.unshift({ end: () => directory.remove() })
    const service = await startService(directory.dataDir, {
      env: { BASE_URL: base, LOG_LEVEL: 'warn' },
      ...(program === undefined ? {} : { program }),
    })
    opened.unshift(service)
    return service
  }
  try {
    const before = await open(join(checkout.directory, 'build/src/main.js'))
    const after = await open()
    process.stdout.write(
      `${zines} zines; processor time of a request, of ${commit} and now\n\n` +
        '| case | before | now | ratio | of the rounds | |\n| --- | --- | --- | --- | --- | --- |\n',
    )
    for (const name of only) {
      const createStream = comparedStreams.get(name)
      if (!createStream)
        throw new Error(
          `${name} cannot be compared; these can: ${[...comparedStreams.keys()].join(', ')}`,
        )
      const compared = [before, after].map((service) => ({
        service,
        stream: createStream({ zines, resources, token: service.token, run: name }),
      }))
      const [old, current] = compared
      if (!old || !current) continue
      const rounds = await measureInTurn(old, current, options)
      process.stdout.write(`${formatComparison(name, compareRounds(rounds))}\n`)
    }
  } finally {
    for (const one of opened) await one.end()
  }
}

async function measureInTurn(
  before: Compared,
  after: Compared,
  { rounds: count, milliseconds }: CompareOptions,
): Promise<ComparedRound[]> {
  const options = { clients: connections, milliseconds }
  const { warmUpLimits, roundLimits } = loadsOf(before.stream, count)
  async function warmUp({ service, stream }: Compared): Promise<void> {
    const requests = loadsOf(stream, count).warmUp
    checkStatuses(await runLoad(service.url, requests, { ...options, ...warmUpLimits }), stream)
  }
  async function measure({ service, stream }: Compared): Promise<number> {
    const measured = await withProcessorTime(service, () =>
      runLoad(service.url, stream.next, { ...options, ...roundLimits }),
    )
    checkStatuses(measured, stream)
    return measured.cpu
  }

  await warmUp(before)
  await warmUp(after)
  const rounds: ComparedRound[] = []
  for (let round = 0; round < count; round += 1) {
    if (isBeforeFirst(round)) {
      const figure = await measure(before)
      rounds.push({ before: figure, after: await measure(after) })
    } else {
      const figure = await measure(after)
      rounds.push({ before: await measure(before), after: figure })
    }
  }
  return rounds
}

const run = promisify(execFile)

/** Checks out a commit in a temporary directory, and builds it there. */
async function checkOut(commit: string) {
  const parent = await mkdtemp(join(tmpdir(), 'zine-bench-commit-'))
  const directory = join(parent, 'checkout')
  async function end(): Promise<void> {
    await run('git', ['worktree', 'remove', '--force', directory]).catch(() => undefined)
    await rm(parent, { recursive: true, force: true })
  }
  try {
    process.stderr.write(`building ${commit} in ${directory}\n`)
    await run('git', ['worktree', 'add', '--detach', directory, commit])
    await symlink(resolve('node_modules'), join(directory, 'node_modules'))
    await run('npm', ['run', '--silent', 'build'], { cwd: directory })
  } catch (error) {
    await end()
    throw error
  }
  return { directory, end }
}
