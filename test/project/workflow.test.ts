// The workflow that publishes a release: it has no more rights than it needs, runs nothing that can change
// under its name, and names scripts and files that there are.

import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import { expect } from 'chai'
import { parse } from 'yaml'

type Step = { readonly uses?: string; readonly run?: string; readonly with?: object }
type Job = { readonly permissions: object; readonly steps: readonly Step[] }

const file = '.github/workflows/release.yml'

describe('the workflow of a release', () => {
  let text: string
  let workflow: {
    readonly on: object
    readonly permissions: object
    readonly jobs: Record<string, Job>
  }
  let manifest: {
    readonly name: string
    readonly version: string
    readonly scripts: object
    readonly engines: { readonly node: string }
  }

  before(async () => {
    text = await readFile(file, 'utf8')
    workflow = parse(text, { strict: true }) as typeof workflow
    manifest = JSON.parse(await readFile('package.json', 'utf8')) as typeof manifest
  })

  const steps = (): readonly Step[] => Object.values(workflow.jobs).flatMap(({ steps }) => steps)

  it('starts with the tag of a version, and with nothing else', () => {
    expect(workflow.on).to.deep.equal({ push: { tags: ['v*'] } })
  })

  it('may only read to test, and only publishing may write', () => {
    expect(workflow.permissions).to.deep.equal({})
    expect(workflow.jobs.test?.permissions).to.deep.equal({ contents: 'read' })
    expect(workflow.jobs.publish?.permissions).to.deep.equal({
      contents: 'write',
      'id-token': 'write',
      attestations: 'write',
    })
    expect(workflow.jobs.publish).to.include({ needs: 'test', environment: 'release' })
  })

  it('uses actions of GitHub alone, at a commit whose version is said', () => {
    const uses = text.split('\n').filter((line) => line.includes('uses:'))
    expect(uses).to.have.lengthOf(steps().filter((step) => step.uses).length)
    for (const line of uses)
      expect(line).to.match(/^ +- uses: actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  it('keeps no secret', () => {
    expect(text)
      .not.to.include('secrets.')
      .and.not.to.match(/NPM_TOKEN|NODE_AUTH_TOKEN/)
    for (const { uses, with: options } of steps())
      if (uses?.startsWith('actions/checkout@'))
        expect(options).to.deep.equal({ 'persist-credentials': false })
  })

  it('runs scripts that package.json has, with a Node that it names', () => {
    const named = steps().flatMap(({ run }) => [...(run ?? '').matchAll(/npm run ([\w:-]+)/g)])
    expect(named.map(([, script]) => script)).to.deep.equal(['release'])
    expect(manifest.scripts).to.include.keys('release', 'test')
    const nodes = steps().flatMap(({ with: options }) =>
      options && 'node-version' in options ? String(options['node-version']) : [],
    )
    expect(nodes).to.have.lengthOf(2)
    for (const node of nodes) expect(manifest.engines.node.split(' || ')).to.include(node)
  })

  it('publishes the files that the release makes', async () => {
    const { directory, releaseFiles } = (await import(
      pathToFileURL(resolve('packaging/release.js')).href
    )) as { directory: string; releaseFiles: (of: object) => Record<string, string> }
    const { program = '', notes = '', sums = '' } = releaseFiles(manifest)
    expect(program).to.match(/\.tgz$/)
    const commands = steps()
      .map(({ run }) => run ?? '')
      .join('\n')
    expect(commands).to.include(`npm publish ./${directory}/*.tgz --provenance`)
    expect(commands).to.include(`${directory}/* `).and.include(`--notes-file ${directory}/${notes}`)
    const attested = steps().find(({ uses }) =>
      uses?.startsWith('actions/attest-build-provenance@'),
    )
    expect(attested?.with).to.deep.equal({ 'subject-checksums': `${directory}/${sums}` })
  })
})
