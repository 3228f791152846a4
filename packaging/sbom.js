// Prints what is shipped as CycloneDX: what npm says of package-lock.json, without the packages that are
// for development alone. What is in the bundle is required, though npm takes it for development.

import { execFileSync } from 'node:child_process'

import { bundleProgram } from './program.js'
import { shippedPackages } from './shipped-packages.js'

const { inputs } = await bundleProgram({ write: false })
const shipped = new Map(
  shippedPackages(inputs).map(({ name, version, isBundled }) => [`${name}@${version}`, isBundled]),
)

const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx']
const sbom = JSON.parse(execFileSync('npm', args, { encoding: 'utf8', maxBuffer: 2 ** 26 }))

const components = sbom.components
  .filter(({ 'bom-ref': ref }) => shipped.has(ref))
  .map((component) =>
    shipped.get(component['bom-ref'])
      ? { ...component, scope: 'required', properties: [] }
      : component,
  )
// npm takes the name of the folder.
const [name] = sbom.metadata.component['bom-ref'].split('@', 1)
const component = { ...sbom.metadata.component, type: 'application', name }
const known = new Set([
  sbom.metadata.component['bom-ref'],
  ...components.map(({ 'bom-ref': ref }) => ref),
])
const dependencies = sbom.dependencies
  .filter(({ ref }) => known.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => known.has(one)) }))

const metadata = { ...sbom.metadata, component }
console.log(JSON.stringify({ ...sbom, metadata, components, dependencies }, undefined, 2))
