// What `load` and `import` share: where the service is that they write to.

import { LoadError } from '../../commands/load.js'
import { createProgress } from '../../commands/progress.js'
import { DataDirectoryInUseError } from '../../store/errors.js'
import { type Backend, openBackend } from '../backend.js'
import { readStoppedConfig } from '../offline-commands.js'
import type { CommandContext } from './command.js'

/**
 * The token for a running service: the option, else the environment variable.
 * @throws LoadError without a token
 */
export function tokenOf(
  option: string | undefined,
  { env, warn }: Pick<CommandContext, 'env' | 'warn'>,
): string {
  const token = option ?? env.ZINE_CATALOGUE_TOKEN
  if (!token)
    throw new LoadError('--url needs --token or the environment variable ZINE_CATALOGUE_TOKEN')
  if (option !== undefined)
    warn('--token can be seen by other users of this machine (ps); ZINE_CATALOGUE_TOKEN cannot')
  return token
}

/** Opens the data directory of a stopped service. @throws LoadError when it runs */
export async function openStopped({ env }: Pick<CommandContext, 'env'>): Promise<Backend> {
  const progress = createProgress('records loaded', undefined)
  try {
    return await openBackend(await readStoppedConfig(env), {
      onLoaded: (count) => progress.show(count),
    })
  } catch (error) {
    if (error instanceof DataDirectoryInUseError)
      throw new LoadError(`${error.message}: give its address with --url, or stop it first`)
    throw error
  }
}
