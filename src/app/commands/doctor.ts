// `doctor`: checks the data directory of a stopped service, or looks for texts in it that are to be
// gone.

import { type OnFinding, checkDataDirectory, runDoctor } from '../../commands/doctor.js'
import { findForgotten, printProof } from '../../commands/removal-proof.js'
import { readConfig } from '../../config.js'
import { dataDirectoryOf } from '../data-directory.js'
import { loadModel } from '../load-model.js'
import type { CommandContext } from './command.js'

/** @throws what checkDataDirectory throws */
export async function doctor({ args, env, stdin, print, fail }: CommandContext): Promise<void> {
  const config = readConfig(env)
  if (args.includes('--forgotten')) {
    const { dataDir, host, port } = config
    const proof = await findForgotten(dataDir, originOf(host, port), stdin)
    if (!printProof(proof, print)) fail()
    return
  }
  const check = (onFinding: OnFinding) =>
    checkDataDirectory(
      dataDirectoryOf(config),
      (baseUrl) => loadModel({ baseUrl, dataDir: config.dataDir }),
      onFinding,
    )
  if (!(await runDoctor(args, check, print))) fail()
}

/** Where a service with these settings answers on this machine. */
const originOf = (host: string, port: number): string =>
  `http://${['0.0.0.0', '::'].includes(host) ? 'localhost' : host}:${port}`
