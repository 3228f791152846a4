// The registry of npm, for tests that install packages.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** In a `before`: skips its tests, and says so, where the registry cannot be reached. */
export async function skipWithoutRegistry(context: Mocha.Context): Promise<void> {
  const asked = promisify(execFile)('npm', [
    'view',
    'classic-level',
    'version',
    '--fetch-retries=0',
  ])
  const answers = await asked.then(
    () => true,
    () => false,
  )
  if (answers) return
  console.log('      skipped: the registry of npm does not answer')
  context.skip()
}
