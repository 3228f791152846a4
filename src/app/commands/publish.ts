// `publish DIR`: a copy of the catalogue that needs no server. It is made of a backup of the moment, by a
// service over it that nobody else can reach: the catalogue itself is not touched, whether its service
// runs or not.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { backUpTo, restore } from '../../commands/backup.js'
import { createProgress } from '../../commands/progress.js'
import { publishUsage } from '../../commands/usage.js'
import { type Config, dataFiles, readConfig } from '../../config.js'
import { ExpectedError } from '../../errors.js'
import { publishInThread } from '../../features/static-copy/publish-thread.js'
import { type Language, languages } from '../../messages/languages.js'
import { dataDirectoryOf } from '../data-directory.js'
import { openService } from '../service.js'
import type { CommandContext } from './command.js'

/** @throws ExpectedError, and what backUpTo and openService throw */
export async function publishCopy({ args, env, print }: CommandContext): Promise<void> {
  const { directory, language } = readOptions(args)
  const config = readConfig(env)
  const temporary = await mkdtemp(join(tmpdir(), 'zine-catalogue-copy-'))
  try {
    const snapshot = { ...config, dataDir: join(temporary, 'data') }
    const file = join(temporary, 'backup')
    await backUpTo(file, dataDirectoryOf(config))
    const { base } = await restore(file, dataDirectoryOf(snapshot))
    await rm(file)
    const { files, written, removed, bytes } = await publishFrom(
      { ...snapshot, baseUrl: base, isBaseUrlSet: true },
      resolve(directory),
      language,
    )
    print(
      `${directory}: ${files} files, ${Math.ceil(bytes / 1e6)} MB; ${written} written, ${removed} removed`,
    )
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

function readOptions(args: readonly string[]): {
  readonly directory: string
  readonly language: Language
} {
  const { positionals, values } = parse(args)
  const [directory, ...extra] = positionals
  const language = languages.find((name) => name === values.lang)
  if (directory === undefined || extra.length > 0 || language === undefined)
    throw new ExpectedError(publishUsage)
  return { directory, language }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { lang: { type: 'string', default: 'en' } },
    })
  } catch (cause) {
    throw new ExpectedError(`${(cause as Error).message}\n\n${publishUsage}`, { cause })
  }
}

async function publishFrom(config: Config, directory: string, language: Language) {
  const service = await openService(forCopy(config))
  const progress = createProgress('pages', undefined)
  let known = 0
  try {
    return await publishInThread(
      {
        origin: service.url,
        base: config.baseUrl,
        directory,
        language,
        terms: dataFiles(config.dataDir).vocabularies,
      },
      (pages) => progress.show((known = pages)),
    )
  } finally {
    progress.end(known)
    await service.close()
  }
}

/** The same catalogue for this process alone: it asks nobody else and waits for nothing. */
const forCopy = (config: Config): Config => ({
  ...config,
  host: '127.0.0.1',
  port: 0,
  store: 'embedded',
  writer: undefined,
  admin: undefined,
  backups: undefined,
  webhooks: false,
  demo: false,
  trustProxy: false,
  throttle: { anon: undefined, user: undefined },
  logLevel: 'error',
  sparql: { ...config.sparql, workers: 0 },
})
