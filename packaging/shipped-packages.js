// The packages that are shipped, by package-lock.json: those in the bundle, those in files that browsers
// get, and those that are installed beside it.

import { readFileSync } from 'node:fs'
import { join } from 'node:path/posix'

import { browserFiles } from './program.js'

/** The licences of packages that state none in package.json: each is in their file LICENSE. */
const licencesInFiles = new Map([['jsuri', 'MIT']])

/**
 * @typedef {{ path: string, name: string, version: string, license: string, isBundled: boolean }} ShippedPackage
 * path: where it is installed; isBundled: its code is in our files, and it is no package of its own
 */

/**
 * @param inputs the files of the bundle, as esbuild says them
 * @returns {ShippedPackage[]} in the order of their paths
 */
export function shippedPackages(inputs) {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const { dependencies, optionalDependencies } = packages['']
  const inFiles = Object.keys(inputs).map(packagePath).filter(Boolean)
  const bundled = new Set([
    ...inFiles,
    ...withDependencies(packages, browserFiles.map(packagePath)),
  ])
  const names = Object.keys({ ...dependencies, ...optionalDependencies })
  const installed = names.map((name) => join('node_modules', name))
  return [...new Set([...bundled, ...withDependencies(packages, installed)])].sort().map((path) => {
    const {
      version,
      license,
      name = path.slice(path.lastIndexOf('node_modules/') + 13),
    } = packages[path]
    return {
      path,
      name,
      version,
      license: license ?? licencesInFiles.get(name) ?? 'not stated',
      isBundled: bundled.has(path),
    }
  })
}

/** The folder of the package that has a file; undefined for files of ours. */
const packagePath = (file) =>
  // `node_modules` of a checkout may be a link to another folder.
  /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0]

/** These packages, and all that they depend on. */
function withDependencies(packages, paths) {
  const all = new Set(paths)
  for (const path of all) {
    const { dependencies, optionalDependencies } = packages[path]
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const installed = nearest(packages, path, name)
      // Links lead to the empty packages of packaging/empty/.
      if (installed && !packages[installed].link) all.add(installed)
    }
  }
  return all
}

/** Where Node finds a package from a folder: in the nearest `node_modules` above. */
function nearest(packages, from, name) {
  let folder = from
  while (!(join(folder, 'node_modules', name) in packages)) {
    if (folder === '') return undefined
    folder = folder.replace(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, '')
  }
  return join(folder, 'node_modules', name)
}
