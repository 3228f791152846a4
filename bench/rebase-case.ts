// The benchmark case `rebase`: what the command that moves all records to another base URL costs.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import type { Bench } from './case.js'
import { base, prepareDirectory } from './fixtures.js'
import type { Figure } from './report.js'

const program = fileURLToPath(new URL('../src/main.js', import.meta.url))

/** Loaded before the program: its last line says what it used. */
const reportUse = `data:text/javascript,process.on('exit',()=>console.log(JSON.stringify(process.resourceUsage())))`

export async function rebaseCase({ zines, resources }: Bench): Promise<Figure[]> {
  const directory = await prepareDirectory(zines, resources)
  try {
    const child = spawn(
      process.execPath,
      ['--import', reportUse, program, 'rebase', `${base}.example`],
      {
        env: { PATH: process.env.PATH, DATA_DIR: directory.dataDir },
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    )
    let out = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
    const [code] = (await once(child, 'close')) as [number]
    if (code !== 0) throw new Error(`rebase ended with ${code}: ${out}`)
    // The cast: Node wrote it.
    const used = JSON.parse(out.trim().split('\n').at(-1) ?? '') as NodeJS.ResourceUsage
    const most = (value: number) => ({ target: { at: 'most', value } }) as const
    const row = { row: 'rebase', note: out.split(';', 1)[0] ?? '' }
    return [
      {
        ...row,
        what: 'processor time',
        value: (used.userCPUTime + used.systemCPUTime) / 1e6,
        unit: 's',
        ...most(zines / 1000),
      },
      {
        ...row,
        what: 'memory at most',
        value: used.maxRSS / 2 ** 20,
        unit: 'GiB',
        ...most(600 / 1024),
      },
    ]
  } finally {
    await directory.remove()
  }
}
