// What `load` and `import` share: where the service is that they write to.

import { createReadStream } from 'node:fs'

import { ExpectedError } from '../../errors.js'
import type { TokenOptions } from '../../commands/load.js'
import { createProgress } from '../../commands/progress.js'
import { readLine } from '../../lib/read-line.js'
import { DataDirectoryInUseError } from '../../lib/key-value/errors.js'
import { type Backend, openBackend } from '../backend.js'
import { readStoppedConfig } from '../offline-commands.js'
import type { CommandContext } from './command.js'

/**
 * The token for a running service: that of the options, else of the environment variable.
 * @throws ExpectedError without a token
 */
export async function readToken(
  { token: visible, tokenFile }: TokenOptions,
  { env, stdin, warn }: Pick<CommandContext, 'env' | 'stdin' | 'warn'>,
): Promise<string> {
  const token = tokenFile === undefined ? visible : await readTokenFile(tokenFile, stdin)
  if (tokenFile === undefined && visible !== undefined)
    warn('--token can be seen by other users of this machine (ps); --token-file cannot')
  const chosenToken = token ?? env.ZINE_CATALOGUE_TOKEN
  if (!chosenToken)
    throw new ExpectedError(
      '--url needs --token-file or the environment variable ZINE_CATALOGUE_TOKEN',
    )
  return chosenToken
}

/** @param file its path, or `-` for standard input */
async function readTokenFile(file: string, stdin: NodeJS.ReadableStream): Promise<string> {
  try {
    return (await readLine(file === '-' ? stdin : createReadStream(file), maxTokenBytes)).trim()
  } catch (cause) {
    throw new ExpectedError(`--token-file ${file}: ${(cause as Error).message}`, { cause })
  }
}

const maxTokenBytes = 200

/** Opens the data directory of a stopped service. @throws ExpectedError when it runs */
export async function openStopped({
  env,
  warn,
}: Pick<CommandContext, 'env' | 'warn'>): Promise<Backend> {
  const progress = createProgress('records loaded', undefined)
  const moved = createProgress('records moved', undefined)
  try {
    return await openBackend(await readStoppedConfig(env), {
      onLoaded: (count) => progress.show(count),
      onNotice: warn,
      onMoved: (count) => moved.show(count),
    })
  } catch (error) {
    if (error instanceof DataDirectoryInUseError)
      throw new ExpectedError(`${error.message}: give its address with --url, or stop it first`)
    throw error
  }
}
