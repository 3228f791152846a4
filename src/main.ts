#!/usr/bin/env node
// Starts and stops the process. Environment, arguments and signals are read here and nowhere else.

import { AccountRefused } from './accounts/accounts.js'
import { KeyRefused } from './accounts/token.js'
import { openCollection } from './app/backend.js'
import { openModel, readResources } from './app/load-model.js'
import { openService } from './app/service.js'
import {
  exportCollection,
  importCollection,
  moveCollection,
  rebuildStore,
} from './app/offline-commands.js'
import { ArchiveRefused, archiveUsage } from './commands/archive.js'
import { UsageError, accountUsage, runAccountCommand } from './commands/account-command.js'
import { type Backup, BackupRefused, backUpTo, restore } from './commands/backup.js'
import { ControlFailed, ControlUnreachable } from './commands/control-socket.js'
import { examine, runDoctor } from './commands/doctor.js'
import {
  type LoadOptions,
  LoadRefused,
  type Sink,
  loadFiles,
  loadUsage,
  readLoadOptions,
} from './commands/load.js'
import { openProgress } from './commands/progress.js'
import { catalogueSink, serviceSink } from './commands/load-targets.js'
import { ConfigError, readConfig } from './config.js'
import { openLog } from './log.js'
import { FactMissing } from './model/resources.js'
import { VocabularyError } from './model/vocabulary.js'
import { TurtleError } from './rdf/turtle-reader.js'
import { BaseRefused } from './store/key-value/base-url.js'
import {
  HomeDamaged,
  HomeInUse,
  StorageFailed,
  StorageFull,
  StoreRefused,
  StoreUnavailable,
} from './store/errors.js'

const usage = `usage: zine-catalogue [serve]
${loadUsage.replace('usage:', '      ')}
${accountUsage.replace('usage:', '      ')}
${archiveUsage.replace('usage:', '      ')}
       zine-catalogue rebase URL
       zine-catalogue rebuild
       zine-catalogue backup FILE
       zine-catalogue restore FILE
       zine-catalogue doctor [--json]

Settings are environment variables; README.md lists them.`

const commands: ReadonlyMap<string, (args: readonly string[]) => Promise<void>> = new Map([
  ['serve', serve],
  ['load', load],
  ['account', manageAccounts],
  ['token', manageAccounts],
  ['export', exportAll],
  ['import', importAll],
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
  if (!run) throw new ConfigError(`There is no command ${command}.\n\n${usage}`)
  await run(args)
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
}

async function serve(): Promise<void> {
  const config = readConfig(process.env)
  const log = openLog(config.logLevel)
  const progress = openProgress('records loaded', undefined)
  let records = 0
  // While it loads there is nothing under way to be finished.
  let stop = (): void => process.exit(0)
  process.once('SIGTERM', () => stop())
  process.once('SIGINT', () => stop())
  const service = await openService(config, {
    log,
    loaded: (count) => progress.show((records = count)),
    broken(failure) {
      log.fatal({ err: failure }, 'the disk failed; stopping, so that nothing is built on it')
      // Those who wait for their write are still told that it failed.
      setTimeout(() => process.exit(1), 200).unref()
    },
  })
  progress.end(records)
  log.info(`listening at ${service.url}, as ${config.baseUrl}`)

  stop = () => {
    log.info('finishing what is under way')
    service.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.fatal({ err: error }, 'could not close')
        process.exit(1)
      },
    )
  }
}

async function load(args: readonly string[]): Promise<void> {
  const options = readLoadOptions(args)
  const sink = await openSink(options)
  try {
    const { created, replaced, there, refused } = await loadFiles({
      files: options.files,
      sink,
      resources: await readResources(),
      refuse: (line) => process.stderr.write(`${line}\n`),
    })
    const also = replaced > 0 ? `${replaced} replaced` : `${there} there already`
    process.stdout.write(`${created} created, ${also}, ${refused} refused\n`)
    if (refused > 0) process.exitCode = 1
  } finally {
    await sink.close()
  }
}

async function openSink({ url, token, replace }: LoadOptions): Promise<Sink> {
  if (url !== undefined) {
    const known = token ?? process.env.ZINE_CATALOGUE_TOKEN
    if (!known) throw new LoadRefused('--url needs --token, or ZINE_CATALOGUE_TOKEN set')
    return serviceSink(url, known, { replace })
  }
  const progress = openProgress('records loaded', undefined)
  const collection = await openCollection(readConfig(process.env), {
    loaded: (count) => progress.show(count),
  }).catch((error: unknown) => {
    if (error instanceof HomeInUse)
      throw new LoadRefused(`${error.message}: name its address with --url, or stop it first`)
    throw error
  })
  return {
    ...catalogueSink(collection.catalogue, { replace }),
    close: () => collection.close(),
  }
}

async function manageAccounts(): Promise<void> {
  await runAccountCommand(process.argv.slice(2), {
    dataDir: readConfig(process.env).dataDir,
    stdin: process.stdin,
    print,
  })
}

async function rebase(args: readonly string[]): Promise<void> {
  const [base, ...more] = args
  if (base === undefined || more.length > 0)
    throw new ConfigError('usage: zine-catalogue rebase URL')
  const config = readConfig({ ...process.env, BASE_URL: base })
  const records = await moveCollection(config)
  print(
    `${records} records moved to ${config.baseUrl}; set BASE_URL=${config.baseUrl} from now on.`,
  )
}

async function exportAll(args: readonly string[]): Promise<void> {
  const [file, ...more] = args
  if (file === undefined || more.length > 0) throw new ArchiveRefused(archiveUsage)
  const { records, accounts } = await exportCollection(readConfig(process.env), file)
  print(`${records} records and ${accounts} accounts written to ${file}; keep it secret.`)
}

async function importAll(args: readonly string[]): Promise<void> {
  const [file, ...more] = args.filter((one) => one !== '--replace')
  if (file === undefined || more.length > 0) throw new ArchiveRefused(archiveUsage)
  const replace = args.includes('--replace')
  const config = readConfig(process.env)
  const { records, accounts } = await importCollection(config, file, { replace })
  print(`${records} records and ${accounts} accounts read from ${file}.`)
}

async function rebuild(args: readonly string[]): Promise<void> {
  if (args.length > 0) throw new ArchiveRefused('usage: zine-catalogue rebuild')
  await rebuildStore(readConfig(process.env))
  print('The store is filled with what DATA_DIR holds when the service is started next.')
}

async function makeBackup(args: readonly string[]): Promise<void> {
  const file = fileIn('backup', args)
  print(`${told(await backUpTo(file, readConfig(process.env).dataDir))} backed up to ${file}`)
}

async function restoreBackup(args: readonly string[]): Promise<void> {
  const { dataDir } = readConfig(process.env)
  const backup = await restore(fileIn('restore', args), dataDir)
  print(
    `${told(backup)}, as of ${backup.made}, restored to ${dataDir}; ` +
      `start it with BASE_URL=${backup.base}`,
  )
}

async function doctor(args: readonly string[]): Promise<void> {
  const { dataDir } = readConfig(process.env)
  const look = (tell: Parameters<typeof examine>[2]) =>
    examine(dataDir, (baseUrl) => openModel({ baseUrl, dataDir }), tell)
  if (!(await runDoctor(args, look, print))) process.exitCode = 1
}

function fileIn(command: string, args: readonly string[]): string {
  const [file, ...more] = args
  if (file === undefined || more.length > 0)
    throw new ConfigError(`usage: zine-catalogue ${command} FILE`)
  return file
}

function told({ entries, files }: Backup): string {
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

/** One line for what whoever runs the service can mend; the whole story for what nobody foresaw. */
function explain(error: unknown): string {
  const foreseen = [
    ConfigError,
    UsageError,
    LoadRefused,
    AccountRefused,
    ArchiveRefused,
    KeyRefused,
    BackupRefused,
    ControlFailed,
    ControlUnreachable,
    BaseRefused,
    FactMissing,
    HomeDamaged,
    HomeInUse,
    TurtleError,
    VocabularyError,
    StorageFull,
    StorageFailed,
    StoreRefused,
    StoreUnavailable,
  ]
  const isForeseen =
    foreseen.some((kind) => error instanceof kind) ||
    // What the system refused, such as a port that is taken, says all there is to say; so do options
    // that there are not.
    (error instanceof Error && ('syscall' in error || codeOf(error).startsWith('ERR_PARSE_ARGS')))
  return error instanceof Error && !isForeseen
    ? (error.stack ?? error.message)
    : (error as Error).message
}
