// The package that `npm pack` makes: installed into an empty folder, it runs with each Node that `engines`
// names, and without sharp. Needs the registry of npm, for the two packages that it depends on and for
// other versions of Node.

import { execFile } from 'node:child_process'
import { readFile, readdir, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect } from 'chai'

import { agent, zine } from '../examples.js'
import { adminSettings, serve, tokenAt } from '../process.js'
import { skipWithoutRegistry } from '../registry.js'
import { browse } from '../views/browser.js'

const run = promisify(execFile)

/** The versions of Node besides the one that runs the tests. */
const otherNodes = ['20.19', '22', '24', '26']

describe('the package', () => {
  let directory: string
  /** The folders in which it is installed: with its optional package and without. */
  let [whole, withoutSharp] = ['', '']

  before(async function () {
    directory = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
    await skipWithoutRegistry(this)
    const packed = await run('npm', ['pack', '--silent', '--pack-destination', directory])
    const file = join(directory, packed.stdout.trim().split('\n').at(-1) ?? '')
    whole = await install('whole', file)
    withoutSharp = await install('without-sharp', file, '--omit=optional')
  })
  after(() => rm(directory, { recursive: true, force: true }))

  /** Installs a package into an empty folder, without scripts of packages. */
  async function install(name: string, ...args: readonly string[]): Promise<string> {
    const folder = join(directory, name)
    await mkdir(folder)
    await writeFile(join(folder, 'package.json'), '{}')
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent']
    await run('npm', ['install', ...options, ...args], { cwd: folder })
    return folder
  }

  const start = (folder: string, node = process.execPath) =>
    serve(
      { ...adminSettings, DATA_DIR: join(folder, 'data'), SPARQL_WORKERS: '1' },
      ['bash', '-c', 'exec "$0" "${@:2}"', node],
      join(folder, 'node_modules/zine-catalogue/dist/main.js'),
    )

  it('has two dependencies, of which one is optional', async () => {
    const { dependencies, optionalDependencies } = JSON.parse(
      await readFile(join(whole, 'node_modules/zine-catalogue/package.json'), 'utf8'),
    ) as Record<string, object>
    expect(Object.keys(dependencies ?? {})).to.deep.equal(['classic-level'])
    expect(Object.keys(optionalDependencies ?? {})).to.deep.equal(['sharp'])
  })

  it('takes less than 70 MB with all that it depends on, in at most twenty packages', async () => {
    const { stdout } = await run('du', ['-sm', join(whole, 'node_modules')])
    expect(parseInt(stdout, 10)).to.be.below(70)
    expect(await installedIn(join(whole, 'node_modules'))).to.have.length.at.most(20)
  })

  it('has nothing of the tests, and no source but the texts and styles of pages', async () => {
    const shipped = await readdir(join(whole, 'node_modules/zine-catalogue'), { recursive: true })
    expect(shipped).to.include.members(['README.md', 'LICENSE', 'dist/main.js', 'dist/main.js.map'])
    expect(shipped.filter((path) => /^(?:test|bench|build)\b|\.tsx?$/.test(path))).to.deep.equal([])
  })

  it('is started by its name', async () => {
    const { stdout } = await run(join(whole, 'node_modules/.bin/zine-catalogue'), ['--help'])
    expect(stdout).to.match(/^usage: zine-catalogue/)
  })

  it('loads the sample that comes with it', async () => {
    const { stdout } = await run('npx', ['zine-catalogue', 'load', '--sample'], {
      cwd: whole,
      env: { ...process.env, DATA_DIR: join(directory, 'sample-data') },
    })
    expect(stdout).to.match(/^\d+ created, 0 unchanged, 0 different, 0 refused/)
  })

  it('writes and answers with the Node that runs the tests', () => useService(whole))

  for (const version of otherNodes)
    it(`writes and answers with Node ${version}`, async function () {
      const node = await otherNode(version)
      if (node === undefined) {
        console.log(`        skipped: the registry has no Node ${version} for this machine`)
        this.skip()
      }
      await useService(whole, node)
    })

  /** The program of a version of Node, from its package in the registry. */
  async function otherNode(version: string): Promise<string | undefined> {
    const name = `node-${process.platform}-${process.arch}`
    try {
      const folder = await install(`node-${version}`, '--no-save', `${name}@${version}`)
      return join(folder, 'node_modules', name, 'bin/node')
    } catch {
      return undefined
    }
  }

  it('takes pictures, as sharp is there', async () => {
    const { status } = await withPicture(whole)
    expect(status).to.equal(201)
  })

  it('refuses pictures and says why where sharp is not installed, and does all else', async () => {
    expect(await installedIn(join(withoutSharp, 'node_modules'))).not.to.include('sharp')
    await useService(withoutSharp)
    const { status, body, cover, form } = await withPicture(withoutSharp)
    expect(status).to.equal(501)
    const reason = 'Pictures cannot be uploaded here, since the package sharp is not installed.'
    expect(JSON.parse(body)).to.deep.equal({ detail: reason })
    expect(cover).to.match(/^<svg /)
    expect(form).to.include(reason).and.not.include('type="file"')
  })

  /** A first record, and what it is in the forms that readers ask for. */
  async function useService(folder: string, node?: string): Promise<void> {
    await rm(join(folder, 'data'), { recursive: true, force: true })
    const service = await start(folder, node)
    const { url } = service
    const headers = await adminHeaders(url)
    for (const [path, record] of [
      ['agents', agent('maker')],
      ['zines', zine('first', { title: 'From a package' })],
    ] as const) {
      const body = JSON.stringify(record)
      const answer = await fetch(`${url}/api/${path}/`, { method: 'POST', headers, body })
      expect(answer.status, path).to.equal(201)
    }
    const read = async (path: string, accept: string): Promise<string> => {
      const answer = await fetch(url + path, { headers: { accept } })
      expect(answer.status, path).to.equal(200)
      return answer.text()
    }
    const query = 'SELECT ?title { ?zine <http://purl.org/dc/terms/title> ?title }'
    const results = await read(`/sparql?query=${encodeURIComponent(query)}`, 'text/csv')
    expect(results).to.include('From a package')
    expect(await read('/api/zines/first/', 'text/turtle')).to.include('"From a package"')
    const page = await read('/api/zines/first/', 'text/html')
    expect(page).to.include('From a package')
    expect(await read('/api/zines/first/citations/', 'application/json')).to.include('apa')
    // The style sheets, scripts and fonts of pages, of which some are of other packages.
    for (const path of ['/api/zines/first/', '/sparql', '/api/schema/'])
      for (const [, asset = ''] of (await read(path, 'text/html')).matchAll(/"(\/assets\/[^"]+)"/g))
        await read(asset, '*/*')
    const { code, err } = await service.end('SIGTERM')
    expect(code, err).to.equal(0)
  }

  /** Sends a picture of the first record, as a client and as the page that has the form for it. */
  async function withPicture(folder: string) {
    const service = await start(folder)
    const { url } = service
    try {
      const headers = await adminHeaders(url)
      const form = new FormData()
      form.set('file', new Blob([onePixel], { type: 'image/png' }), 'cover.png')
      const answer = await fetch(`${url}/api/zines/first/pictures/`, {
        method: 'POST',
        headers: { authorization: headers.authorization },
        body: form,
      })
      return {
        status: answer.status,
        body: await answer.text(),
        cover: await (await fetch(`${url}/api/zines/first/cover/`)).text(),
        form: await formOfPictures(url),
      }
    } finally {
      await service.end('SIGTERM')
    }
  }
})

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const adminHeaders = async (url: string) => ({
  authorization: `Token ${await tokenAt(url)}`,
  'content-type': 'application/json',
})

async function formOfPictures(url: string): Promise<string> {
  const browser = browse(url)
  await browser.signIn('admin', adminSettings.ADMIN_PASSWORD)
  return (await browser.get('/manage/zines/pictures/first')).text
}

/** The names of the packages in a folder `node_modules`. */
async function installedIn(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.'))
  const all = names.map(async (name) =>
    name.startsWith('@')
      ? (await readdir(join(folder, name))).map((inner) => `${name}/${inner}`)
      : [name],
  )
  return (await Promise.all(all)).flat()
}
