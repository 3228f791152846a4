// `load FILE…`: puts JSON lines or CSV in the write shapes into a running service over HTTP, or into a
// stopped one's data directory. Safe to run again: what is there already is left as it is.

import { createReadStream } from 'node:fs'
import { parseArgs } from 'node:util'

import { ExpectedError } from '../errors.js'
import type { ResourceName } from '../model/iris.js'
import { readCell } from '../model/record/csv-cells.js'
import type { Resources } from '../model/resources.js'
import type { FieldErrors } from '../model/record/input.js'
import { type CsvRow, readRows } from './csv.js'
import { createProgress } from './progress.js'

/** What became of one record: made, made anew, there already, or refused with its messages. */
export type LoadOutcome = 'created' | 'replaced' | 'there' | FieldErrors

/** Where records go: a service over HTTP, or a catalogue in this process. */
export type LoadTarget = {
  /** @throws LoadRefused when no further record could be written either */
  put(resource: ResourceName, id: string, record: object): Promise<LoadOutcome>
  close(): Promise<void>
}

/** The load cannot begin or go on; the message says why. What was loaded stays. */
export class LoadError extends ExpectedError {}

export const loadUsage = `usage: zine-catalogue load FILE… [--url URL [--token TOKEN]] [--replace]
       without --url, into the data directory of a stopped service;
       a FILE whose name ends in .csv is CSV, every other JSON lines`

export type LoadOptions = {
  readonly files: readonly string[]
  /** The origin of a running service. */
  readonly url: string | undefined
  readonly token: string | undefined
  /** Replace what is there already. */
  readonly replace: boolean
}

/** @throws LoadRefused with the usage */
export function readLoadOptions(args: readonly string[]): LoadOptions {
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        token: { type: 'string' },
        replace: { type: 'boolean', default: false },
      },
    })
    if (positionals.length === 0) throw new Error('No file is named.')
    return { files: positionals, url: values.url, token: values.token, replace: values.replace }
  } catch (cause) {
    throw new LoadError(`${(cause as Error).message}\n\n${loadUsage}`, { cause })
  }
}

type LoadCounts = { created: number; replaced: number; there: number; refused: number }

export type LoadRun = {
  readonly files: readonly string[]
  readonly sink: LoadTarget
  readonly resources: Resources
  /** Told of every line that was not taken: file, line number, messages. */
  readonly refuse: (line: string) => void
}

/**
 * Loads the files, agents and repositories before the zines and holdings that name them, whatever
 * the order of the files.
 */
export async function loadFiles({ files, sink, resources, refuse }: LoadRun): Promise<LoadCounts> {
  const tally: LoadCounts = { created: 0, replaced: 0, there: 0, refused: 0 }
  const contents = new Map<string, ReadonlySet<ResourceName>>()
  let total = 0
  for (const file of files) {
    const kinds = new Set<ResourceName>()
    for await (const line of readLines(file)) {
      total += 1
      if (line.record) kinds.add(line.record.resource)
      else reject(line, line.why)
    }
    contents.set(file, kinds)
  }

  const progress = createProgress('lines', total)
  const done = (): number => tally.created + tally.replaced + tally.there + tally.refused
  for (const resource of order)
    for (const file of files.filter((one) => contents.get(one)?.has(resource)))
      await inParallel(readLines(file), async (line) => {
        if (line.record?.resource !== resource) return
        const { id, body } = line.record
        const outcome = await sink.put(resource, id, body)
        if (typeof outcome === 'string') tally[outcome] += 1
        else reject(line, tell(outcome))
        progress.show(done())
      })
  progress.end(done())
  return tally

  function reject({ file, number }: SourceLine, why: string): void {
    tally.refused += 1
    refuse(`${file}:${number}: ${why}`)
  }

  async function* readLines(file: string): AsyncGenerator<SourceLine> {
    if (/\.csv$/i.test(file))
      for await (const row of failing(file, readRows(file))) yield lineOf(file, row, resources)
    else
      for await (const { number, bytes } of failing(file, splitLines(file)))
        if (bytes.some((byte) => byte > 0x20)) yield readLine(file, number, bytes)
  }
}

// What others name comes first.
const order: readonly ResourceName[] = ['agents', 'repositories', 'zines', 'holdings']

type SourceLine = { readonly file: string; readonly number: number } & (
  | {
      readonly record: {
        readonly resource: ResourceName
        readonly id: string
        readonly body: object
      }
    }
  | { readonly record: undefined; readonly why: string }
)

/** The fields that hold the identifiers, as the specification names them. */
export const identifiers: Readonly<Record<ResourceName, string>> = {
  zines: 'zine_id',
  agents: 'agent_id',
  repositories: 'repo_id',
  holdings: 'holding_id',
}

/** A record's resource, told by its identifier's name; a holding also names a zine, so it is asked first. */
function kindOf(
  body: object,
): { readonly resource: ResourceName; readonly id: string } | undefined {
  const members = new Map<string, unknown>(Object.entries(body))
  const resource = [...order].reverse().find((name) => members.has(identifiers[name]))
  // As the service will store it.
  return (
    resource && { resource, id: String(members.get(identifiers[resource])).trim().normalize('NFC') }
  )
}

function readLine(file: string, number: number, bytes: Uint8Array): SourceLine {
  const bad = (why: string): SourceLine => ({ file, number, record: undefined, why })
  try {
    const body: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (typeof body !== 'object' || body === null) return bad('not a JSON object')
    const kind = kindOf(body)
    return kind
      ? { file, number, record: { ...kind, body } }
      : bad('no identifier that names its resource')
  } catch (error) {
    return bad(`not JSON: ${(error as Error).message}`)
  }
}

/** What a row of a table says, as a client would send it; empty cells say nothing. */
function lineOf(file: string, row: CsvRow, resources: Resources): SourceLine {
  const { number } = row
  const bad = (why: string): SourceLine => ({ file, number, record: undefined, why })
  if (row.why !== undefined) return bad(row.why)
  const kind = kindOf(Object.fromEntries(row.cells))
  if (!kind) return bad('no column that names its resource')
  const body = resources[kind.resource].inputFields.flatMap((field) => {
    const cell = row.cells.get(field.name)
    const value = cell === undefined ? undefined : readCell(field, cell)
    return value === undefined ? [] : [[field.name, value] as const]
  })
  return { file, number, record: { ...kind, body: Object.fromEntries(body) } }
}

/** Says which file it was that could not be read. */
async function* failing<Item>(file: string, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* items
  } catch (cause) {
    throw new LoadError(`${file}: ${(cause as Error).message}`, { cause })
  }
}

async function* splitLines(file: string) {
  let rest = Buffer.alloc(0)
  let number = 0
  for await (const chunk of createReadStream(file)) {
    rest = Buffer.concat([rest, chunk as Buffer])
    let start = 0
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10, start)) {
      yield { number: ++number, bytes: rest.subarray(start, end) }
      start = end + 1
    }
    rest = rest.subarray(start)
  }
  yield { number: ++number, bytes: rest }
}

/** How many records are under way at once: enough to share each sync of the disk. */
const maxConcurrent = 16

async function inParallel<Item>(
  items: AsyncIterator<Item> & AsyncIterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const worker = async (): Promise<void> => {
    for (let next = await items.next(); !next.done; next = await items.next())
      await work(next.value)
  }
  await Promise.all(Array.from({ length: maxConcurrent }, worker))
}

const tell = (failures: FieldErrors): string =>
  [...failures].map(([field, messages]) => `${field}: ${messages.join(' ')}`).join(' | ')
