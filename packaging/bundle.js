// Bundles the program into dist/, which `npm start` runs and `npm pack` ships. Does nothing when nothing
// changed.

import { chmodSync, copyFileSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

import { build } from 'esbuild'

import { thirdPartyNotices } from './notices.js'
import { browserFiles, bundleProgram, directory, filesIn } from './program.js'
import { shippedPackages } from './shipped-packages.js'

const assets = join(directory, 'assets')
const lastFile = join(directory, 'THIRD-PARTY-NOTICES')

async function bundle() {
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(assets, { recursive: true })
  for (const path of browserFiles) copyFileSync(path, join(assets, basename(path)))
  copyFileSync('node_modules/oxigraph/node_bg.wasm', join(directory, 'node_bg.wasm'))
  // It is looked for beside the thread that uses it.
  mkdirSync(join(directory, 'features/dataset/releases'), { recursive: true })
  copyFileSync(
    'node_modules/node-sqlite3-wasm/dist/node-sqlite3-wasm.wasm',
    join(directory, 'features/dataset/releases/node-sqlite3-wasm.wasm'),
  )
  await build({ entryPoints: ['src/views/client/*.ts'], outdir: assets, target: 'es2022' })
  // A page that is opened from a folder loads no modules.
  const copySearch = 'src/features/static-copy/client/copy-search.ts'
  const bundled = { bundle: true, format: 'iife', target: 'es2022' }
  await build({ entryPoints: [copySearch], outdir: assets, ...bundled })
  const { inputs } = await bundleProgram()
  chmodSync(join(directory, 'main.js'), 0o755)
  writeFileSync(lastFile, thirdPartyNotices(shippedPackages(inputs)))
}

/** Whether the bundle is newer than all that it is made of. */
function isCurrent() {
  const timeOf = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const sources = ['package-lock.json', 'src', ...filesIn('src'), ...filesIn('packaging')]
  const bundledAt = timeOf(lastFile)
  return sources.every((path) => timeOf(path) < bundledAt)
}

if (!isCurrent()) {
  console.error('Building the program, as it changed since it was built …')
  await bundle()
}
