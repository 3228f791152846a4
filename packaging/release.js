// Makes the files of a release, in release/, from a clean checkout of its tag. The same commit gives the
// same bytes. CONTRIBUTING.md, "A release", says what comes before and after.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { directory as bundle } from './program.js'

export const directory = 'release'

const run = (command, ...args) =>
  execFileSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 26 }).trim()

/** The names of the files; the sums are of all others. */
export const releaseFiles = ({ name, version }) => ({
  program: `${name}-${version}.tgz`,
  sbom: `${name}-${version}.cdx.json`,
  notices: 'THIRD-PARTY-NOTICES',
  notes: 'NOTES.md',
  sums: 'SHA256SUMS',
})

function createRelease() {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
  check(manifest)
  const notes = notesOf(manifest)
  const files = releaseFiles(manifest)
  const time = new Date(run('git', 'log', '-1', '--format=%cI'))
  const write = (name, content) => writeFileSync(join(directory, name), content)

  // Nothing of a build of before.
  for (const path of [directory, bundle]) rmSync(path, { recursive: true, force: true })
  mkdirSync(directory)
  run('npm', 'pack', '--silent', '--pack-destination', directory)
  write(files.sbom, `${JSON.stringify(billOfMaterials(time), undefined, 2)}\n`)
  copyFileSync(join(bundle, files.notices), join(directory, files.notices))
  write(files.notes, notes)
  const { sums, ...others } = files
  write(sums, Object.values(others).map(sumOf).join(''))
  for (const name of Object.values(files)) utimesSync(join(directory, name), time, time)
  console.log(
    Object.values(files)
      .map((name) => join(directory, name))
      .join('\n'),
  )
}

/** @throws when the checkout is not what the tag of this version names */
function check({ version, files, repository }) {
  const tag = `v${version}`
  if (run('git', 'status', '--porcelain') !== '') refuse('the checkout has changes; commit them')
  if (!run('git', 'tag', '--points-at', 'HEAD').split('\n').includes(tag))
    refuse(`the commit has no tag ${tag}, the version of package.json`)
  const shipped = files.filter((path) => path !== bundle)
  const ignored = run('git', 'ls-files', '--others', '--ignored', '--exclude-standard', ...shipped)
  if (ignored !== '') refuse(`these files would be shipped, and are not in the commit:\n${ignored}`)
  if (process.argv.includes('--publishable') && !repository)
    refuse('package.json names no repository, which the provenance of npm is compared with')
}

/** What the changelog says of a version, once it has a date. */
function notesOf({ version }) {
  const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^(?=## )/m)
  const isOfVersion = (section) => section.slice(3).split(/\s/, 1)[0] === version
  const section = sections.find(isOfVersion) ?? refuse(`CHANGELOG.md has no section ${version}`)
  const [heading, ...lines] = section.split('\n')
  if (!/ \(\d{4}-\d\d-\d\d\)$/.test(heading))
    refuse(`CHANGELOG.md gives ${version} no date, as in: ## ${version} (2027-01-31)`)
  return `${lines.join('\n').trim()}\n`
}

/** Its number follows from its content, and its time is that of the commit. */
function billOfMaterials(time) {
  const { serialNumber: _, ...sbom } = JSON.parse(run('node', 'packaging/sbom.js'))
  const content = { ...sbom, metadata: { ...sbom.metadata, timestamp: time.toISOString() } }
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  // A UUID of version 8 (RFC 9562, section 5.8).
  const uuid = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
  return { ...content, serialNumber: `urn:uuid:${uuid}` }
}

/** A line as `sha256sum` writes it. */
const sumOf = (name) =>
  `${createHash('sha256')
    .update(readFileSync(join(directory, name)))
    .digest('hex')}  ${name}\n`

function refuse(reason) {
  throw new Error(reason)
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  try {
    createRelease()
  } catch ({ message }) {
    console.error(`no release was made: ${message}`)
    process.exitCode = 1
  }
