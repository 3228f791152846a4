// Prints what is shipped as CycloneDX: what npm says of package-lock.json, without the packages that are
// for development alone.

import { execFileSync } from 'node:child_process'

import { bundleProgram } from './program.js'
import { shippedPackages } from './shipped-packages.js'

const { inputs } = await bundleProgram({ write: false })
const shipped = new Set(shippedPackages(inputs).map(({ name, version }) => `${name}@${version}`))

const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx']
const sbom = JSON.parse(execFileSync('npm', args, { encoding: 'utf8', maxBuffer: 2 ** 26 }))

const components = sbom.components.filter(({ 'bom-ref': ref }) => shipped.has(ref))
const known = new Set([
  sbom.metadata.component['bom-ref'],
  ...components.map(({ 'bom-ref': ref }) => ref),
])
const dependencies = sbom.dependencies
  .filter(({ ref }) => known.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => known.has(one)) }))

console.log(JSON.stringify({ ...sbom, components, dependencies }, undefined, 2))
