// What the bundle has: the modules of src/ with the packages that they use, in a file for each entry and
// for what entries share. classic-level and sharp have binaries and stay packages of their own.

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { build } from 'esbuild'

export const directory = 'dist'

/** Files of packages that browsers get as they are. */
export const browserFiles = JSON.parse(
  readFileSync('src/views/assets/of-packages.json', 'utf8'),
).map((path) => join('node_modules', path))

/** All files of a folder, and its folders. */
export const filesIn = (folder) =>
  readdirSync(folder, { recursive: true }).map((name) => join(folder, name))

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
