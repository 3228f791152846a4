// The style sheets, scripts and fonts of pages: ours, and those of other packages.

import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { type Assets, loadAssets } from '../http/middleware/static-files.js'
import { packageRoot, programDirectory } from '../lib/package-files.js'

const ownAssets = join(packageRoot, 'src', 'views', 'assets')

/** The scripts of pages and the files of other packages, as packaging/bundle.js puts them together. */
const bundledAssets = join(programDirectory, 'assets')

export const loadPackageAssets = (): Promise<Assets> =>
  loadAssets([
    ...filesIn(ownAssets, /\.(?:css|svg)$/),
    ...(existsSync(bundledAssets)
      ? filesIn(bundledAssets)
      : [...filesIn(join(packageRoot, 'build', 'client'), /\.js$/), ...filesOfPackages()]),
  ])

const filesIn = (directory: string, names = /./): readonly string[] =>
  readdirSync(directory)
    .filter((name) => names.test(name))
    .map((name) => join(directory, name))

function filesOfPackages(): readonly string[] {
  // The cast: the file is a list of paths.
  const list = JSON.parse(
    readFileSync(join(ownAssets, 'of-packages.json'), 'utf8'),
  ) as readonly string[]
  return list.map((path) => join(packageRoot, 'node_modules', path))
}
