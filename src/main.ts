#!/usr/bin/env node
// The program `zine-catalogue`: chooses the command, starts and stops the service. Only this file reads
// the environment, the arguments and the signals.

import { type Backend, openBackend } from './app/backend.js'
import { loadModel, loadResources } from './app/load-model.js'
import { openService } from './app/service.js'
import { startHints } from './app/start-hints.js'
import {
  exportData,
  importData,
  rebaseData,
  scheduleRemoteRebuild,
} from './app/offline-commands.js'
import { ArchiveError, type ArchiveSummary } from './commands/archive-file.js'
import { accountUsage, runAccountCommand } from './commands/account-command.js'
import { backUpTo, restore } from './commands/backup.js'
import { type OnFinding, checkDataDirectory, runDoctor } from './commands/doctor.js'
import { exportUsage } from './commands/export.js'
import {
  type LoadOptions,
  LoadError,
  loadFiles,
  loadUsage,
  readLoadOptions,
} from './commands/load.js'
import { importUsage, readImportCommand, runImport } from './commands/import.js'
import { type ImportTarget, httpImportTarget, localTarget } from './commands/import-targets.js'
import { createProgress } from './commands/progress.js'
import type { LoadTarget } from './commands/load-records.js'
import { catalogueTarget, httpTarget } from './commands/load-targets.js'
import { ConfigError, readConfig } from './config.js'
import { ExpectedError } from './errors.js'
import { createLog } from './log.js'
import type { Resources } from './model/resources.js'
import { DataDirectoryInUseError } from './store/errors.js'

const usage = `usage: zine-catalogue [serve]
${loadUsage.replace('usage:', '      ')}
${accountUsage.replace('usage:', '      ')}
${exportUsage.replace('usage:', '      ')}
${importUsage.replace('usage:', '      ')}
       zine-catalogue rebase URL
       zine-catalogue rebuild
       zine-catalogue backup FILE
       zine-catalogue restore FILE
       zine-catalogue doctor [--json]

Settings are environment variables; docs/operations.md lists them.`

const commands: ReadonlyMap<string, (args: readonly string[]) => Promise<void>> = new Map([
  ['serve', serve],
  ['load', load],
  ['account', manageAccounts],
  ['token', manageAccounts],
  ['export', exportAll],
  ['import', runImportCommand],
  ['rebase', rebase],
  ['rebuild', rebuild],
  ['backup', makeBackup],
  ['restore', restoreBackup],
  ['doctor', doctor],
  ['help', help],
  ['--help', help],
])

try {
  const [command = 'serve', ...args] = process.argv.slice(2)
  const run = args.includes('--help') ? help : commands.get(command)
  if (!run) throw new ConfigError(`Unknown command: ${command}\n\n${usage}`)
  await run(args)
} catch (error) {
  process.stderr.write(`${messageFor(error)}\n`)
  process.exitCode = 1
}

async function serve(): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  const progress = createProgress('records loaded', undefined)
  let records = 0
  // While it loads there are no requests to wait for.
  let stop = (): void => process.exit(0)
  process.once('SIGTERM', () => stop())
  process.once('SIGINT', () => stop())
  const service = await openService(config, {
    log,
    onLoaded: (count) => progress.show((records = count)),
    onFatal(failure) {
      log.fatal({ err: failure }, 'the disk failed; stopping')
      // Clients that wait for a write are still answered that it failed.
      setTimeout(() => process.exit(1), 200).unref()
    },
  })
  progress.end(records)
  log.info(`listening at ${service.url}, as ${config.baseUrl}`)
  if (process.stdout.isTTY) {
    // A reading process has no accounts of its own; they are added where it writes.
    const hasAccounts = config.writer !== undefined || service.accounts.list().length > 0
    for (const hint of startHints({ url: service.url, hasAccounts })) log.info(hint)
  }

  stop = () => {
    log.info('stopping: waiting for running requests')
    service.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.fatal({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
}

async function load(args: readonly string[]): Promise<void> {
  const options = readLoadOptions(args)
  const resources = await loadResources()
  const target = await openTarget(options, resources)
  try {
    const writeError = (text: string): void => void process.stderr.write(`${text}\n`)
    const { created, replaced, unchanged, different, refused } = await loadFiles({
      files: options.files,
      target,
      resources,
      options,
      onWarning: writeError,
      onRefused: writeError,
    })
    const existing = options.replace
      ? `${replaced} replaced, ${unchanged} unchanged`
      : `${unchanged} unchanged, ${different} different`
    print(`${created} created, ${existing}, ${refused} refused`)
    if (refused > 0) process.exitCode = 1
  } finally {
    await target.close()
  }
}

async function openTarget(options: LoadOptions, resources: Resources): Promise<LoadTarget> {
  if (options.url !== undefined) return httpTarget(options.url, tokenOf(options), resources)
  const backend = await openStopped()
  return {
    ...catalogueTarget(backend.catalogue),
    close: () => backend.close(),
  }
}

/** Where a running service is, and who asks. */
type ServiceAddress = Pick<LoadOptions, 'url' | 'token'>

/** @throws LoadError without a token */
function tokenOf({ token }: ServiceAddress): string {
  const knownToken = token ?? process.env.ZINE_CATALOGUE_TOKEN
  if (!knownToken)
    throw new LoadError('--url needs --token or the environment variable ZINE_CATALOGUE_TOKEN')
  if (token !== undefined)
    process.stderr.write(
      '--token can be seen by other users of this machine (ps); ZINE_CATALOGUE_TOKEN cannot\n',
    )
  return knownToken
}

/** Opens the data directory of a stopped service. @throws LoadError when it runs */
async function openStopped(): Promise<Backend> {
  const progress = createProgress('records loaded', undefined)
  return openBackend(readConfig(process.env), {
    onLoaded: (count) => progress.show(count),
  }).catch((error: unknown) => {
    if (error instanceof DataDirectoryInUseError)
      throw new LoadError(`${error.message}: give its address with --url, or stop it first`)
    throw error
  })
}

async function manageAccounts(): Promise<void> {
  await runAccountCommand(process.argv.slice(2), {
    dataDir: readConfig(process.env).dataDir,
    stdin: process.stdin,
    print,
  })
}

async function rebase(args: readonly string[]): Promise<void> {
  const [base, ...extra] = args
  if (base === undefined || extra.length > 0)
    throw new ConfigError('usage: zine-catalogue rebase URL')
  const config = readConfig({ ...process.env, BASE_URL: base })
  const records = await rebaseData(config)
  print(
    `${records} records moved to ${config.baseUrl}; set BASE_URL=${config.baseUrl} from now on.`,
  )
}

async function exportAll(args: readonly string[]): Promise<void> {
  const [file, ...extra] = args
  if (file === undefined || extra.length > 0) throw new ArchiveError(exportUsage)
  const { records, accounts } = await exportData(readConfig(process.env), file)
  print(
    `${records} records and ${accounts} accounts written to ${file}. It has private data: keep it secret.`,
  )
}

async function runImportCommand(args: readonly string[]): Promise<void> {
  const command = await readImportCommand(args)
  if (command.name === 'archive') return importArchive(command)
  const target = await openImportTarget(command)
  try {
    const warn = (line: string): void => void process.stderr.write(`${line}\n`)
    if (!(await runImport(command, target, { print, warn }))) process.exitCode = 1
  } finally {
    await target.close()
  }
}

async function openImportTarget(service: ServiceAddress): Promise<ImportTarget> {
  if (service.url !== undefined) return httpImportTarget(service.url, tokenOf(service))
  const backend = await openStopped()
  return { ...localTarget(backend.imports), close: () => backend.close() }
}

async function importArchive({ file, replace }: { file: string; replace: boolean }): Promise<void> {
  const config = readConfig(process.env)
  const { records, accounts } = await importData(config, file, { replace })
  print(`${records} records and ${accounts} accounts read from ${file}.`)
}

async function rebuild(args: readonly string[]): Promise<void> {
  if (args.length > 0) throw new ArchiveError('usage: zine-catalogue rebuild')
  await scheduleRemoteRebuild(readConfig(process.env))
  print('The next start of the service fills the store from DATA_DIR.')
}

async function makeBackup(args: readonly string[]): Promise<void> {
  const file = fileArgument('backup', args)
  print(`${summaryOf(await backUpTo(file, readConfig(process.env).dataDir))} backed up to ${file}`)
}

async function restoreBackup(args: readonly string[]): Promise<void> {
  const { dataDir } = readConfig(process.env)
  const backup = await restore(fileArgument('restore', args), dataDir)
  print(
    `${summaryOf(backup)}, as of ${backup.made}, restored to ${dataDir}; ` +
      `start it with BASE_URL=${backup.base}`,
  )
}

async function doctor(args: readonly string[]): Promise<void> {
  const { dataDir } = readConfig(process.env)
  const check = (onFinding: OnFinding) =>
    checkDataDirectory(dataDir, (baseUrl) => loadModel({ baseUrl, dataDir }), onFinding)
  if (!(await runDoctor(args, check, print))) process.exitCode = 1
}

function fileArgument(command: string, args: readonly string[]): string {
  const [file, ...extra] = args
  if (file === undefined || extra.length > 0)
    throw new ConfigError(`usage: zine-catalogue ${command} FILE`)
  return file
}

function summaryOf({ entries, files }: ArchiveSummary): string {
  return `${entries} entries and ${files} files`
}

function codeOf(error: NodeJS.ErrnoException): string {
  return error.code ?? ''
}

function help(): Promise<void> {
  print(usage)
  return Promise.resolve()
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** The message alone for errors that the person at the command line can repair; the stack for others. */
function messageFor(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isExpected =
    error instanceof ExpectedError ||
    // Errors of the operating system, such as a port in use, and unknown options say all in the message.
    'syscall' in error ||
    codeOf(error).startsWith('ERR_PARSE_ARGS')
  return isExpected ? error.message : (error.stack ?? error.message)
}
