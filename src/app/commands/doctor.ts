// `doctor`: checks the data directory of a stopped service.

import { type OnFinding, checkDataDirectory, runDoctor } from '../../commands/doctor.js'
import { readConfig } from '../../config.js'
import { dataDirectoryOf } from '../data-directory.js'
import { loadModel } from '../load-model.js'
import type { CommandContext } from './command.js'

/** @throws what checkDataDirectory throws */
export async function doctor({ args, env, print, fail }: CommandContext): Promise<void> {
  const config = readConfig(env)
  const check = (onFinding: OnFinding) =>
    checkDataDirectory(
      dataDirectoryOf(config),
      (baseUrl) => loadModel({ baseUrl, dataDir: config.dataDir }),
      onFinding,
    )
  if (!(await runDoctor(args, check, print))) fail()
}
