// `load FILE…`: reads records from JSON Lines or CSV files and writes them to a target (load-targets.ts).
// Safe to run again: existing records stay as they are. How rows of CSV are read: csv.ts.

import { createReadStream } from 'node:fs'
import { parseArgs } from 'node:util'

import { ExpectedError } from '../errors.js'
import type { ResourceName } from '../model/iris.js'
import { readCell } from '../model/record/csv-cells.js'
import type { Resources } from '../model/resources.js'
import type { FieldErrors } from '../model/record/input.js'
import { JsonNumber, parseJsonInput } from '../model/record/json-input.js'
import { type CsvRow, readRows } from './csv.js'
import { splitLines } from './lines.js'
import { createProgress } from './progress.js'

/** What happened to one record: written, left as it was because it exists, or refused with errors. */
export type LoadOutcome = 'created' | 'replaced' | 'unchanged' | FieldErrors

/** Where records are written to. */
export type LoadTarget = {
  /** @throws LoadError when no further record could be written either */
  put(resource: ResourceName, id: string, record: object): Promise<LoadOutcome>
  close(): Promise<void>
}

/** Loading cannot begin or go on; the message says why. Records loaded so far stay. */
export class LoadError extends ExpectedError {}

export const loadUsage = `usage: zine-catalogue load FILE… [--url URL [--token TOKEN]] [--replace]
       without --url, into the data directory of a stopped service;
       a FILE whose name ends in .csv is CSV, every other is JSON Lines`

export type LoadOptions = {
  readonly files: readonly string[]
  /** The origin of a running service. */
  readonly url: string | undefined
  readonly token: string | undefined
  /** Replace existing records. */
  readonly replace: boolean
}

/** @throws LoadError with the usage */
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
    if (positionals.length === 0) throw new Error('FILE is missing.')
    return { files: positionals, url: values.url, token: values.token, replace: values.replace }
  } catch (cause) {
    throw new LoadError(`${(cause as Error).message}\n\n${loadUsage}`, { cause })
  }
}

type LoadCounts = { created: number; replaced: number; unchanged: number; refused: number }

export type LoadRun = {
  readonly files: readonly string[]
  readonly target: LoadTarget
  readonly resources: Resources
  /** Called for every line that was not loaded, with a text: file, line number, messages. */
  readonly onRefused: (text: string) => void
}

/**
 * Loads the files: agents and repositories before the zines and holdings that refer to them, whatever
 * the order of the files. So each file is read once to see what is in it, and again for each resource.
 */
export async function loadFiles(run: LoadRun): Promise<LoadCounts> {
  const { files, target, resources, onRefused } = run
  const counts: LoadCounts = { created: 0, replaced: 0, unchanged: 0, refused: 0 }
  const refuse = ({ file, number }: SourceLine, reason: string): void => {
    counts.refused += 1
    onRefused(`${file}:${number}: ${reason}`)
  }

  let total = 0
  const resourcesIn = new Map<string, ReadonlySet<ResourceName>>()
  for (const file of files) {
    const found = new Set<ResourceName>()
    for await (const line of readLines(file, resources)) {
      total += 1
      if (line.record) found.add(line.record.resource)
      else refuse(line, line.reason)
    }
    resourcesIn.set(file, found)
  }

  const progress = createProgress('lines', total)
  const done = (): number => Object.values(counts).reduce((sum, count) => sum + count, 0)
  for (const resource of loadOrder)
    for (const file of files.filter((name) => resourcesIn.get(name)?.has(resource)))
      await forEachConcurrently(readLines(file, resources), async (line) => {
        if (line.record?.resource !== resource) return
        const { id, body } = line.record
        const outcome = await target.put(resource, id, body)
        if (typeof outcome === 'string') counts[outcome] += 1
        else refuse(line, formatErrors(outcome))
        progress.show(done())
      })
  progress.end(done())
  return counts
}

async function* readLines(file: string, resources: Resources): AsyncGenerator<SourceLine> {
  if (/\.csv$/i.test(file))
    for await (const row of withFileName(file, readRows(file))) yield parseRow(file, row, resources)
  else
    for await (const { number, bytes } of withFileName(file, numberedLines(file)))
      if (!isBlank(bytes)) yield parseLine(file, number, bytes, resources)
}

const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => byte <= 0x20)

// Referred records come first.
const loadOrder: readonly ResourceName[] = ['agents', 'repositories', 'zines', 'holdings']

type SourceLine = { readonly file: string; readonly number: number } & (
  | {
      readonly record: {
        readonly resource: ResourceName
        readonly id: string
        readonly body: object
      }
    }
  | { readonly record: undefined; readonly reason: string }
)

/**
 * The resource and the identifier of a record, by the field that has the identifier. A holding has the
 * identifier of a zine too, so holdings are tried first.
 */
function identify(
  body: object,
  resources: Resources,
): { readonly resource: ResourceName; readonly id: string } | undefined {
  const members = new Map<string, unknown>(Object.entries(body))
  const resource = loadOrder.toReversed().find((name) => members.has(resources[name].id.name))
  if (!resource) return undefined
  const id = members.get(resources[resource].id.name)
  // In the form in which the service will store it.
  const text = id instanceof JsonNumber ? id.text : String(id)
  return { resource, id: text.trim().normalize('NFC') }
}

function parseLine(
  file: string,
  number: number,
  bytes: Uint8Array,
  resources: Resources,
): SourceLine {
  const refused = (reason: string): SourceLine => ({ file, number, record: undefined, reason })
  try {
    const body = parseJsonInput(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (typeof body !== 'object' || body === null) return refused('not a JSON object')
    const identity = identify(body, resources)
    return identity
      ? { file, number, record: { ...identity, body } }
      : refused(`no identifier: it needs one of ${idNames(resources)}`)
  } catch (error) {
    return refused(`not JSON: ${(error as Error).message}`)
  }
}

/** The record of a row in the form that clients send; fields with empty cells are left out. */
function parseRow(file: string, row: CsvRow, resources: Resources): SourceLine {
  const { number } = row
  const refused = (reason: string): SourceLine => ({ file, number, record: undefined, reason })
  if (row.reason !== undefined) return refused(row.reason)
  const identity = identify(Object.fromEntries(row.cells), resources)
  if (!identity) return refused(`no column with identifiers: it needs one of ${idNames(resources)}`)
  const body = resources[identity.resource].inputFields.flatMap((field) => {
    const cell = row.cells.get(field.name)
    const value = cell === undefined ? undefined : readCell(field, cell)
    return value === undefined ? [] : [[field.name, value] as const]
  })
  return { file, number, record: { ...identity, body: Object.fromEntries(body) } }
}

const idNames = (resources: Resources): string =>
  Object.values(resources)
    .map(({ id }) => id.name)
    .join(', ')

/** Names the file in the error when it cannot be read. */
async function* withFileName<Item>(file: string, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* items
  } catch (cause) {
    throw new LoadError(`${file}: ${(cause as Error).message}`, { cause })
  }
}

async function* numberedLines(file: string) {
  let number = 0
  for await (const bytes of splitLines(createReadStream(file))) yield { number: ++number, bytes }
}

/** How many records are written at once: enough for several to share each sync of the disk. */
const maxConcurrent = 16

async function forEachConcurrently<Item>(
  items: AsyncIterator<Item> & AsyncIterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const worker = async (): Promise<void> => {
    for (let next = await items.next(); !next.done; next = await items.next())
      await work(next.value)
  }
  await Promise.all(Array.from({ length: maxConcurrent }, worker))
}

const formatErrors = (errors: FieldErrors): string =>
  [...errors].map(([field, messages]) => `${field}: ${messages.join(' ')}`).join(' | ')
