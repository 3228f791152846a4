// Bundles the program into dist/, which `npm start` runs and `npm pack` ships: the modules of src/ with
// the packages that they use, in a file for each entry and for what entries share. Does nothing when
// nothing changed. classic-level and sharp have binaries and stay packages of their own.

import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { build } from 'esbuild'

const directory = 'dist'
const program = join(directory, 'main.js')
const assets = join(directory, 'assets')

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true }).map((name) => join(folder, name))

/** Files of packages that browsers get as they are. */
export const browserFiles = JSON.parse(
  readFileSync('src/views/assets/of-packages.json', 'utf8'),
).map((path) => join('node_modules', path))

/** Modules that threads run: threadModule of src/lib/package-files.ts names them. */
const threadModules = () =>
  filesIn('src')
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/threadModule\('(.+)\.js'\)/g)])
    .map(([, path]) => `src/${path}.ts`)

/** Bundles the program. @returns what esbuild says of its files */
export async function bundleProgram(options) {
  const { metafile } = await build({
    entryPoints: ['src/main.ts', ...threadModules()],
    outbase: 'src',
    outdir: directory,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: ['classic-level', 'sharp'],
    // What modules of CommonJS have, which are in the bundle.
    banner: {
      js: `import { createRequire as createRequireOfBundle } from 'node:module'
const require = createRequireOfBundle(import.meta.url)
const __dirname = import.meta.dirname`,
    },
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    logLevel: 'warning',
    ...options,
  })
  return metafile
}

async function bundle() {
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(assets, { recursive: true })
  for (const path of [...browserFiles, 'node_modules/oxigraph/node_bg.wasm'])
    copyFileSync(path, join(path.endsWith('.wasm') ? directory : assets, basename(path)))
  await build({ entryPoints: ['src/views/client/*.ts'], outdir: assets, target: 'es2022' })
  // Last, since its time tells whether something changed.
  await bundleProgram()
  chmodSync(program, 0o755)
}

function isCurrent() {
  const timeOf = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const sources = ['package-lock.json', 'packaging/bundle.js', 'src', ...filesIn('src')]
  const bundledAt = timeOf(program)
  return sources.every((path) => timeOf(path) < bundledAt)
}

if (import.meta.url === pathToFileURL(process.argv[1]).href && !isCurrent()) {
  console.error('Building the program, as it changed since it was built …')
  await bundle()
}
