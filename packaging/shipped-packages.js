// The packages that are shipped, by package-lock.json: those in the bundle, those in files that browsers
// get, and those that are installed beside it.

import { readFileSync } from 'node:fs'
import { join } from 'node:path/posix'

import { browserFiles, bundleProgram } from './bundle.js'

/**
 * Their entries in package-lock.json, by the paths where they are installed.
 * @returns {Promise<Map<string, { name?: string, version: string, license?: string }>>}
 */
export async function shippedPackages() {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const { dependencies, optionalDependencies } = packages['']
  const { inputs } = await bundleProgram({ write: false })
  const bundled = Object.keys(inputs).map(packagePath).filter(Boolean)
  const names = Object.keys({ ...dependencies, ...optionalDependencies })
  const installed = names.map((name) => join('node_modules', name))
  const paths = new Set([
    ...bundled,
    ...withDependencies(packages, [...browserFiles.map(packagePath), ...installed]),
  ])
  return new Map([...paths].sort().map((path) => [path, packages[path]]))
}

/** The folder of the package that has a file; undefined for files of ours. */
const packagePath = (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0]

/** These packages, and all that they depend on. */
function withDependencies(packages, paths) {
  const all = new Set(paths)
  for (const path of all) {
    const { dependencies, optionalDependencies } = packages[path]
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = nearest(packages, path, name)
      if (found) all.add(found)
    }
  }
  return all
}

/** Where Node finds a package from a folder: in the nearest `node_modules` above. */
function nearest(packages, from, name) {
  for (
    let folder = from;
    ;
    folder = folder.replace(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, '')
  ) {
    const path = join(folder, 'node_modules', name)
    if (path in packages) return path
    if (folder === '') return undefined
  }
}
