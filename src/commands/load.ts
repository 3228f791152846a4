// `load FILE…`: reads records from JSON Lines or CSV files and writes them to a target
// (load-targets.ts). Safe to run again: existing records stay as they are. What happens to one
// record: load-records.ts. How rows of CSV are read: csv.ts.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { parseArgs } from 'node:util'
import { createGunzip } from 'node:zlib'

import { ExpectedError } from '../errors.js'
import { sampleFiles } from '../features/first-run/sample.js'
import type { ResourceName } from '../model/iris.js'
import { namesColumn, readCell, splitCell, titleColumn } from '../model/record/csv-cells.js'
import { type Resource, type Resources, mayNameDeleted } from '../model/resources.js'
import type { FieldErrors } from '../model/record/input.js'
import { JsonNumber, parseJsonInput } from '../model/record/json-input.js'
import { type CsvRow, readRows } from './csv.js'
import { loadUsage } from './usage.js'
import { splitLines } from './lines.js'
import {
  type LoadRecord,
  type LoadTarget,
  type ReplaceOptions,
  loadRecord,
} from './load-records.js'
import { createProgress } from './progress.js'

/** Where the token for a running service is. */
export type TokenOptions = {
  readonly token: string | undefined
  /** The file that has it as its first line; `-` is standard input. */
  readonly tokenFile: string | undefined
}

export type LoadOptions = ReplaceOptions &
  TokenOptions & {
    readonly files: readonly string[]
    /** The origin of a running service. */
    readonly url: string | undefined
  }

/** @throws ExpectedError with the usage */
export function readLoadOptions(args: readonly string[]): LoadOptions {
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        token: { type: 'string' },
        'token-file': { type: 'string' },
        replace: { type: 'boolean', default: false },
        force: { type: 'boolean', default: false },
        sample: { type: 'boolean', default: false },
      },
    })
    const files = [...positionals, ...(values.sample ? sampleFiles : [])]
    if (files.length === 0) throw new Error('FILE is missing.')
    if (values.force && !values.replace) throw new Error('--force needs --replace.')
    const { url, token, 'token-file': tokenFile, replace, force } = values
    return { files, url, token, tokenFile, replace, force }
  } catch (cause) {
    throw new ExpectedError(`${(cause as Error).message}\n\n${loadUsage}`, { cause })
  }
}

export type LoadCounts = {
  created: number
  replaced: number
  /** Existing records that the files have with the same values. */
  unchanged: number
  /** Existing records that the files have with other values. */
  different: number
  refused: number
}

export type LoadRun = {
  readonly files: readonly string[]
  readonly target: LoadTarget
  readonly resources: Resources
  readonly options: ReplaceOptions
  /** Called before anything is written, with a text about each file whose columns are no fields. */
  readonly onWarning: (text: string) => void
  /** Called for every line that was not loaded, with a text: file, line number, messages. */
  readonly onRefused: (text: string) => void
}

/**
 * Loads the files: agents and repositories before the zines and holdings that refer to them,
 * whatever the order of the files. So each file is read once to see what is in it, and again for
 * each resource.
 */
export async function loadFiles(run: LoadRun): Promise<LoadCounts> {
  const { files, target, resources, options, onRefused } = run
  const counts: LoadCounts = { created: 0, replaced: 0, unchanged: 0, different: 0, refused: 0 }
  const refuse = ({ file, number }: SourceLine, reason: string): void => {
    counts.refused += 1
    onRefused(`${file}:${number}: ${reason}`)
  }

  let total = 0
  const resourcesIn = new Map<string, ReadonlySet<ResourceName>>()
  const repetitions = createRepetitionCheck()
  for (const file of files) {
    const resourcesInFile = new Set<ResourceName>()
    const unknownNames = new Set<string>()
    for await (const line of readLines(file, resources)) {
      total += 1
      if (!line.record) {
        refuse(line, line.reason)
        continue
      }
      resourcesInFile.add(line.record.resource)
      line.unknownNames.forEach((name) => unknownNames.add(name))
      const repetition = repetitions.check(line, line.record)
      if (repetition === 'same') counts.unchanged += 1
      else if (repetition)
        refuse(line, formatErrors(new Map([[repetition.idName(resources), [repetition.message]]])))
    }
    resourcesIn.set(file, resourcesInFile)
    if (unknownNames.size > 0)
      run.onWarning(
        `${file}: not loaded, since they are no fields: ${[...unknownNames].join(', ')}. The command import says where other columns go.`,
      )
  }

  const progress = createProgress('lines', total)
  const done = (): number => Object.values(counts).reduce((sum, count) => sum + count, 0)
  for (const resource of loadOrder)
    for (const file of files.filter((name) => resourcesIn.get(name)?.has(resource)))
      await forEachConcurrently(readLines(file, resources), async (line) => {
        if (line.record?.resource !== resource || repetitions.has(line)) return
        const outcome = await loadRecord(line.record, target, resources, options)
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

type Place = { readonly file: string; readonly number: number }

type SourceLine = Place &
  (
    | {
        readonly record: LoadRecord
        /** The members or columns that are no fields. */
        readonly unknownNames: readonly string[]
      }
    | { readonly record: undefined; readonly reason: string }
  )

/** Finds the lines with an identifier that an earlier line has too. */
function createRepetitionCheck() {
  const first = new Map<string, Place & { readonly hash: string }>()
  const repeated = new Set<string>()
  const placeKey = ({ file, number }: Place): string => `${number} ${file}`
  return {
    has: (place: Place): boolean => repeated.has(placeKey(place)),
    /** Whether the record of an earlier line is the same, or a message about a different one. */
    check(place: Place, { resource, id, body }: LoadRecord) {
      const key = `${resource}/${id}`
      const hash = createHash('sha256')
        .update(JSON.stringify([...body]))
        .digest('base64')
      const before = first.get(key)
      if (!before) {
        first.set(key, { file: place.file, number: place.number, hash })
        return undefined
      }
      repeated.add(placeKey(place))
      if (before.hash === hash) return 'same' as const
      return {
        idName: (resources: Resources): string => resources[resource].id.name,
        message: `Another record with this identifier is in ${before.file}:${before.number}.`,
      }
    },
  }
}

/**
 * The resource and the identifier of a record, by the field that has the identifier. A holding has
 * the identifier of a zine too, so holdings are tried first.
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
    if (!identity) return refused(`no identifier: it needs one of ${idNames(resources)}`)
    const members = new Map<string, unknown>(Object.entries(body))
    const { updated_at, deleted_agents } = Object.fromEntries(members)
    return {
      file,
      number,
      record: {
        ...identity,
        body: members,
        updatedAt: typeof updated_at === 'string' ? updated_at : undefined,
        deletedAgents: new Set(Array.isArray(deleted_agents) ? deleted_agents.map(String) : []),
      },
      unknownNames: unknownNames(resources, identity.resource, [...members.keys()]),
    }
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
  // An empty cell means that the row was not exported, but written by somebody.
  const cell = row.cells.get('updated_at')
  const updatedAt = cell === '' ? undefined : cell
  return {
    file,
    number,
    record: {
      ...identity,
      body: new Map(body),
      updatedAt,
      deletedAgents:
        updatedAt === undefined
          ? new Set()
          : deletedAgents(row.cells, resources[identity.resource]),
    },
    unknownNames: unknownNames(resources, identity.resource, [...row.cells.keys()]),
  }
}

/**
 * The agents of an exported row that were deleted: the column beside a field of agents has their
 * names, and only a deleted agent has no name (docs/reference/csv.md, "CSV").
 */
function deletedAgents(
  cells: ReadonlyMap<string, string>,
  resource: Resource,
): ReadonlySet<string> {
  const deleted = resource.inputFields.flatMap((field) => {
    const names = cells.get(namesColumn(field))
    if (!mayNameDeleted(field) || names === undefined) return []
    const ids = splitCell(cells.get(field.name) ?? '')
    const nameList = splitCell(names)
    return ids.length === nameList.length ? ids.filter((_, index) => nameList[index] === '') : []
  })
  return new Set(deleted)
}

/** The names that are neither fields of the resource nor columns of its exports. */
function unknownNames(
  resources: Resources,
  name: ResourceName,
  names: readonly string[],
): readonly string[] {
  const known = new Set(['deleted_agents'])
  for (const field of resources[name].fields)
    for (const column of [field.name, titleColumn(resources, field)])
      if (column !== undefined) known.add(column)
  return names.filter((column) => !known.has(column))
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
    throw new ExpectedError(`${file}: ${(cause as Error).message}`, { cause })
  }
}

async function* numberedLines(file: string) {
  let number = 0
  const stream = createReadStream(file)
  // A file that cannot be read ends the lines with its error.
  const lines = /\.gz$/i.test(file) ? pipeline(stream, createGunzip(), () => undefined) : stream
  for await (const bytes of splitLines(lines)) yield { number: ++number, bytes }
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

export const formatErrors = (errors: FieldErrors): string =>
  [...errors].map(([field, messages]) => `${field}: ${messages.join(' ')}`).join(' | ')
