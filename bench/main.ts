// Runs the benchmark cases: `npm run bench -- --only get,post --size 20000`, or compares two commits:
// `npm run bench -- --compare COMMIT`. README.md in this directory says what they measure.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { loadResources } from '../src/app/load-model.js'
import { type Figure, formatReport, buildReport } from './report.js'
import { base, cacheDirectory, prepareDirectory } from './fixtures.js'
import { startService } from './processes.js'
import { cases } from './cases.js'
import { compareCommits, comparedStreams } from './compare.js'

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    size: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    milliseconds: { type: 'string', default: '2000' },
    /** A directory for CPU profiles of the service and the reference. */
    profile: { type: 'string' },
    /** A commit that the files as they are are compared with. */
    compare: { type: 'string' },
  },
})

const resources = await loadResources()
const { compare: commit, size = commit === undefined ? '20000,100000' : '20000' } = options
const { only = [...(commit === undefined ? cases : comparedStreams).keys()].join(',') } = options
const [rounds, milliseconds] = [Number(options.rounds), Number(options.milliseconds)]

for (const zines of size.split(',').map(Number)) {
  if (commit !== undefined) {
    await compareCommits({ commit, only: only.split(','), zines, resources, rounds, milliseconds })
    continue
  }
  const directory = await prepareDirectory(zines, resources)
  const service = await startService(directory.dataDir, {
    profile: options.profile,
    // The reference does not log its requests either.
    env: { BASE_URL: base, LOG_LEVEL: 'warn' },
  })
  const figures: Figure[] = []
  try {
    for (const name of only.split(',')) {
      const runCase = cases.get(name)
      if (!runCase)
        throw new Error(`unknown case ${name}; the cases are ${[...cases.keys()].join(', ')}`)
      process.stderr.write(`${name} …\n`)
      const measured = await runCase({
        zines,
        resources,
        directory,
        service,
        rounds,
        milliseconds,
        profile: options.profile,
      })
      figures.push(...measured)
    }
  } finally {
    await service.end()
    await directory.remove()
  }
  const report = buildReport(zines, figures)
  process.stdout.write(`\n${formatReport(report)}`)
  await writeFile(
    join(cacheDirectory, `figures-${zines}.json`),
    `${JSON.stringify(report, null, 2)}\n`,
  )
}
