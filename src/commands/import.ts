// `import FILE`, `import list` and `import undo ID`: what the pages of an import do, in one step,
// with a profile (docs/how-to/import.md, "On the command line"). Where the imports are:
// import-targets.ts.

import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'

import { ExpectedError } from '../errors.js'
import type { ImportSource, ImportSummary, ImportTarget } from './import-targets.js'
import type { TokenOptions } from './load.js'
import { createProgress } from './progress.js'
import { importUsage } from './usage.js'

export type ImportCommand = Service &
  (
    | { readonly name: 'list' }
    | { readonly name: 'undo'; readonly id: string }
    | {
        readonly name: 'source'
        readonly source: ImportSource
        /** The name of the source; else one is proposed. */
        readonly sourceName: string | undefined
        /** The file of a profile. */
        readonly profile: string | undefined
        readonly isDryRun: boolean
        /** The file that the report is written to. */
        readonly report: string | undefined
      }
  )

/** The running service, if there is one. */
type Service = TokenOptions & { readonly url: string | undefined }

/** @throws ExpectedError with the usage */
export function readImportCommand(args: readonly string[]): ImportCommand {
  const { positionals, values } = parseImportArgs(args)
  const [first, second, ...extra] = positionals
  const { url, token, profile, report, prefix = 'oai_dc', set, source: sourceName } = values
  const service = { url, token, tokenFile: values['token-file'] }
  if (first === undefined || extra.length > 0) throw usageError('FILE is missing.')
  if (first === 'list' && second === undefined) return { name: 'list', ...service }
  if (first === 'undo' && second !== undefined) return { name: 'undo', id: second, ...service }
  if (second !== undefined) throw usageError(`${second} is one argument too many.`)
  const source: ImportSource = /^https?:\/\//.test(first)
    ? { url: first, metadataPrefix: prefix, set }
    : { file: first }
  return {
    name: 'source',
    source,
    sourceName,
    profile,
    isDryRun: values['dry-run'],
    report,
    ...service,
  }
}

function parseImportArgs(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        source: { type: 'string' },
        profile: { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
        report: { type: 'string' },
        prefix: { type: 'string' },
        set: { type: 'string' },
        url: { type: 'string' },
        token: { type: 'string' },
        'token-file': { type: 'string' },
      },
    })
  } catch (cause) {
    throw usageError((cause as Error).message)
  }
}

const usageError = (message: string): ExpectedError =>
  new ExpectedError(`${message}\n\n${importUsage}`)

type Output = {
  readonly print: (line: string) => void
  /** For what is not a result, such as refused rows. */
  readonly warn: (line: string) => void
}

/** @returns whether all went well */
export async function runImport(
  command: ImportCommand,
  target: ImportTarget,
  output: Output,
): Promise<boolean> {
  if (command.name === 'list') {
    for (const job of await target.list()) output.print(describe(job))
    return true
  }
  if (command.name === 'undo') return undo(command.id, target, output)
  return importSource(command, target, output)
}

const describe = ({ id, createdAt, name, state, rows, written }: ImportSummary): string =>
  [id, createdAt, state, `${rows} rows`, formatCounts(written), name].filter(Boolean).join('  ')

async function undo(id: string, target: ImportTarget, { print, warn }: Output): Promise<boolean> {
  await target.undo(id)
  const { state, message, keptRecords } = await wait(id, target, 'steps')
  if (state !== 'undone') throw new ExpectedError(message ?? `The import is ${state}.`)
  for (const record of keptRecords)
    warn(`kept, since it was changed since or others refer to it: ${record}`)
  print(`Import ${id} taken back; ${keptRecords.length} records kept.`)
  return keptRecords.length === 0
}

type RefusedRow = { readonly number: number; readonly reasons: readonly string[] }

/** How many rows of a kind of refusal are named. */
const namedRows = 3

/**
 * A line for each kind of refusal: why its first row is refused, how many rows are, and the numbers
 * of three of them. Reasons that differ only in what they quote are of one kind.
 */
export function summarizeRefusals(rows: readonly RefusedRow[]): readonly string[] {
  const kinds = new Map<string, { readonly reason: string; readonly numbers: number[] }>()
  for (const { number, reasons } of rows) {
    const reason = reasons.join(' ')
    const kind = reason.replace(/["“'][^"“”']*["”']|:[^.]*|\d/g, '')
    const known = kinds.get(kind)
    if (known) known.numbers.push(number)
    else kinds.set(kind, { reason, numbers: [number] })
  }
  return [...kinds.values()].map(({ reason, numbers }) => {
    const named = numbers.slice(0, namedRows).join(', ')
    const more = numbers.length > namedRows ? ', …' : ''
    return numbers.length === 1
      ? `row ${named}: ${reason}`
      : `${numbers.length} rows (${named}${more}): ${reason}`
  })
}

type SourceCommand = Extract<ImportCommand, { readonly name: 'source' }>

async function importSource(
  { source, sourceName, profile, isDryRun, report }: SourceCommand,
  target: ImportTarget,
  { print, warn }: Output,
): Promise<boolean> {
  const patch = profile === undefined ? undefined : await readProfile(profile)
  const id = await target.begin(source, sourceName)
  try {
    const read = await wait(id, target)
    if (read.state !== 'open')
      throw new ExpectedError(read.message ?? `The import is ${read.state}.`)
    print(`${read.source}: ${read.rows} rows of the source “${read.sourceName}”`)
    if (patch) {
      await target.change(id, patch)
      await wait(id, target)
    }
    for (const field of await target.unmapped(id)) warn(`goes nowhere: ${field}`)
    await target.preview(id)
    const previewed = await wait(id, target)
    if (!previewed.preview) throw new ExpectedError(previewed.message ?? 'There is no preview.')
    const { counts, rows, hash } = previewed.preview
    summarizeRefusals(await target.refused(id)).forEach(warn)
    if (isDryRun) print(`Would be written: ${formatCounts(counts) || 'nothing'}`)
    else {
      await target.commit(id, hash)
      const { state, message, written } = await wait(id, target)
      print(`Written: ${formatCounts(written) || 'nothing'}`)
      if (state !== 'written') throw new ExpectedError(message ?? `The import is ${state}.`)
      print(`To take it back: zine-catalogue import undo ${id}`)
    }
    if (rows.refused > 0) print(`${rows.refused} rows refused`)
    if (report !== undefined)
      await pipeline(await target.report(id), createWriteStream(report, { mode: 0o600 }))
    return rows.refused === 0
  } finally {
    if (isDryRun) await target.remove(id)
  }
}

async function readProfile(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const profile: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (typeof profile === 'object' && profile !== null && !Array.isArray(profile))
      return { ...profile }
  } catch (cause) {
    throw new ExpectedError(`${file}: ${(cause as Error).message}`, { cause })
  }
  throw new ExpectedError(`${file}: a profile is a JSON object`)
}

/** Waits for the work that goes on, and shows how far it is. */
async function wait(id: string, target: ImportTarget, noun = 'rows'): Promise<ImportSummary> {
  let job = await target.get(id)
  if (!job.progress) return job
  const progress = createProgress(noun, job.progress.total || undefined)
  let done = 0
  while (job.progress) {
    progress.show((done = job.progress.done))
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    job = await target.get(id)
  }
  progress.end(Math.max(done, noun === 'rows' ? job.rows : done))
  return job
}

const pollMs = 200

/** `12 zines created, 3 holdings unchanged`. */
const formatCounts = (counts: ImportSummary['written']): string =>
  Object.entries(counts)
    .flatMap(([kind, changes]) =>
      Object.entries(changes).map(([change, count]) => `${count} ${kind} ${change}`),
    )
    .join(', ')
