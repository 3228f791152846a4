#!/usr/bin/env node
// Starts and stops the process. Environment, arguments and signals are read here and nowhere else.

import { openBackend } from './app/backend.js'
import { loadModel, loadResources } from './app/load-model.js'
import { openService } from './app/service.js'
import {
  exportData,
  importData,
  rebaseData,
  scheduleRemoteRebuild,
} from './app/offline-commands.js'
import { ArchiveError, archiveUsage } from './commands/archive.js'
import { accountUsage, runAccountCommand } from './commands/account-command.js'
import { type Backup, backUpTo, restore } from './commands/backup.js'
import { checkDataDirectory, runDoctor } from './commands/doctor.js'
import {
  type LoadOptions,
  LoadError,
  type LoadTarget,
  loadFiles,
  loadUsage,
  readLoadOptions,
} from './commands/load.js'
import { createProgress } from './commands/progress.js'
import { catalogueTarget, httpTarget } from './commands/load-targets.js'
import { ConfigError, readConfig } from './config.js'
import { ExpectedError } from './errors.js'
import { openLog } from './log.js'
import { DataDirectoryInUseError } from './store/errors.js'

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
  process.stderr.write(`${messageFor(error)}\n`)
  process.exitCode = 1
}

async function serve(): Promise<void> {
  const config = readConfig(process.env)
  const log = openLog(config.logLevel)
  const progress = createProgress('records loaded', undefined)
  let records = 0
  // While it loads there is nothing under way to be finished.
  let stop = (): void => process.exit(0)
  process.once('SIGTERM', () => stop())
  process.once('SIGINT', () => stop())
  const service = await openService(config, {
    log,
    onLoaded: (count) => progress.show((records = count)),
    onFatal(failure) {
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
      resources: await loadResources(),
      refuse: (line) => process.stderr.write(`${line}\n`),
    })
    const also = replaced > 0 ? `${replaced} replaced` : `${there} there already`
    process.stdout.write(`${created} created, ${also}, ${refused} refused\n`)
    if (refused > 0) process.exitCode = 1
  } finally {
    await sink.close()
  }
}

async function openSink({ url, token, replace }: LoadOptions): Promise<LoadTarget> {
  if (url !== undefined) {
    const known = token ?? process.env.ZINE_CATALOGUE_TOKEN
    if (!known) throw new LoadError('--url needs --token, or ZINE_CATALOGUE_TOKEN set')
    return httpTarget(url, known, { replace })
  }
  const progress = createProgress('records loaded', undefined)
  const backend = await openBackend(readConfig(process.env), {
    onLoaded: (count) => progress.show(count),
  }).catch((error: unknown) => {
    if (error instanceof DataDirectoryInUseError)
      throw new LoadError(`${error.message}: name its address with --url, or stop it first`)
    throw error
  })
  return {
    ...catalogueTarget(backend.catalogue, { replace }),
    close: () => backend.close(),
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
  const records = await rebaseData(config)
  print(
    `${records} records moved to ${config.baseUrl}; set BASE_URL=${config.baseUrl} from now on.`,
  )
}

async function exportAll(args: readonly string[]): Promise<void> {
  const [file, ...more] = args
  if (file === undefined || more.length > 0) throw new ArchiveError(archiveUsage)
  const { records, accounts } = await exportData(readConfig(process.env), file)
  print(`${records} records and ${accounts} accounts written to ${file}; keep it secret.`)
}

async function importAll(args: readonly string[]): Promise<void> {
  const [file, ...more] = args.filter((one) => one !== '--replace')
  if (file === undefined || more.length > 0) throw new ArchiveError(archiveUsage)
  const replace = args.includes('--replace')
  const config = readConfig(process.env)
  const { records, accounts } = await importData(config, file, { replace })
  print(`${records} records and ${accounts} accounts read from ${file}.`)
}

async function rebuild(args: readonly string[]): Promise<void> {
  if (args.length > 0) throw new ArchiveError('usage: zine-catalogue rebuild')
  await scheduleRemoteRebuild(readConfig(process.env))
  print('The store is filled with what DATA_DIR holds when the service is started next.')
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
  const look = (tell: Parameters<typeof checkDataDirectory>[2]) =>
    checkDataDirectory(dataDir, (baseUrl) => loadModel({ baseUrl, dataDir }), tell)
  if (!(await runDoctor(args, look, print))) process.exitCode = 1
}

function fileArgument(command: string, args: readonly string[]): string {
  const [file, ...more] = args
  if (file === undefined || more.length > 0)
    throw new ConfigError(`usage: zine-catalogue ${command} FILE`)
  return file
}

function summaryOf({ entries, files }: Backup): string {
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

/** The message alone for what the person at the command line can put right; else the stack. */
function messageFor(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isExpected =
    error instanceof ExpectedError ||
    // Errors of the system, such as a port in use, and of parseArgs say all in their message.
    'syscall' in error ||
    codeOf(error).startsWith('ERR_PARSE_ARGS')
  return isExpected ? error.message : (error.stack ?? error.message)
}
