// What `doctor` reports about entries that something else than the service changed.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'
import { ClassicLevel } from 'classic-level'

import { loadModel } from '../../src/app/load-model.js'
import { dataDirectoryOf } from '../../src/app/data-directory.js'
import { type Finding, checkDataDirectory } from '../../src/commands/doctor.js'
import { prefixes } from '../../src/store/key-value/keys.js'
import { openKeyValueStore } from '../../src/lib/key-value/key-value-store.js'
import { checkEntries } from '../doctor.js'
import { agent, fullAgent, fullHolding, fullRepository, fullZine, zine } from '../examples.js'
import { run, withDirectory } from '../process.js'
import { type TestService, startService } from '../service.js'
import { browse } from '../views/browser.js'

/** A change of one entry, and the line that the doctor must print. */
type Case = readonly [
  what: string,
  key: string,
  change: (value: string) => string | undefined,
  found: RegExp,
]

const to = (value: string | undefined) => (): string | undefined => value

const swap = (from: string | RegExp, into: string) => (value: string) => {
  const changed = value.replace(from, into)
  if (changed === value) throw new Error(`${String(from)} is not in ${value}`)
  return changed
}

// prettier-ignore
const cases: readonly Case[] = [
  ['a record that cannot be read',         'record/zines/full',        (value) => value.slice(0, -9),                          /^error: record\/zines\/full: cannot be read/],
  ['a record of an unknown resource',      'record/books/x',           to('<a:b> <a:b> <a:b> .\n'),                           /^error: record\/books\/x: there is no such resource/],
  ['a record under another identifier',    'record/zines/other',       to('full'),                                            /^error: record\/zines\/other: zine_id: /],
  ['an unknown code',                      'record/zines/full',        swap(/subjects#feminism/g, 'subjects#gone'),           /^error: record\/zines\/full: subject: Invalid subject codes: gone/],
  ['a field without a value',              'record/zines/full',        swap(/^.*dc\/terms\/title>.*\n/m, ''),                 /^error: record\/zines\/full: title: This field is required/],
  ['a field that is too long',             'record/zines/full',        swap('no. 24', 'no'.repeat(60)),                       /^error: record\/zines\/full: issue_designation: Ensure this field has no more/],
  ['a time that is not valid',             'record/zines/full',        swap(/(terms\/created>) "[^"]*"/, '$1 "yesterday"'),                 /^error: record\/zines\/full: (?:created|updated)_at: is not a time/],
  ['a quad that belongs to no field',      'record/zines/full',        (value) => `${value}${value.split('\n')[0]?.replace(/> <[^>]*>/, '> <http://x.example/y>') ?? ''}\n`, /^error: record\/zines\/full: belongs to no field: .*x\.example/],
  ['a private quad of a public agent',     'record/agents/maker',      swap(/(display|name>.*)graphs\/public/, '$1graphs/private'), /^error: record\/agents\/maker: should not be in the private graph/],
  ['a hidden name among the public',       'record/agents/hidden',     (value) => value.replaceAll('graphs/private', 'graphs/public'), /^error: record\/agents\/hidden: belongs to no field: /],
  ['a missing zine of a holding',          'record/zines/full',        to(undefined),                                         /^error: record\/holdings\/h: zine_id: zines\/full does not exist/],
  ['a missing repository of a holding',    'record/repositories/full', to(undefined),                                         /^error: record\/holdings\/h: repository_id: repositories\/full does not exist/],
  ['a deleted creator as a note',          'record/agents/helper',     to(undefined),                                         /^note: record\/zines\/full: creator: agents\/helper does not exist/],
  ['an account that cannot be read',       'account/admin',            to('{}'),                                              /^error: account\/admin: cannot be read/],
  ['values of forms that cannot be read',  'account-values/admin',     to('{"language":1}'),                                  /^error: account-values\/admin: cannot be read/],
  ['a request that cannot be read',        'request/000000000001',     to('{'),                                               /^error: request\/000000000001: cannot be read/],
  ['a request about an unknown resource',  'request/000000000001',     swap('"agents"', '"books"'),                           /^error: request\/000000000001: cannot be read/],
  ['an entry with an unknown key',         'records/x',                to('1'),                                               /^error: records\/x: no entry has such a key/],
  ['a record that the log has alone',      'record/zines/full',        to(undefined),                                         /^error: record\/zines\/full: is not there, though the log last says that it was created/],
  ['a record that the log says is gone',   'change/000000000002',      swap('"created"', '"deleted"'),                        /^error: record\/agents\/helper: exists, though the log last says that it was deleted/],
  ['a deletion that kept no values',       'change/000000000002',      swap('"created"', '"deleted","before":{}'),            /^error: change\/0{11}2: does not have the values of agents\/helper before it/],
  ['another data version',                 'meta/version',             to('2'),                                               /^error: meta\/version: the data are of version 2/],
  ['a missing base URL',                   'meta/base',                to(undefined),                                         /^error: .*base/],
]

describe('the doctor', () => {
  let service: TestService
  let entries: Map<string, string>
  let directory: string

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
    service = await startService({ DATA_DIR: directory })
    await service.post('/api/agents/', agent('maker'))
    await service.post('/api/agents/', agent('helper'))
    await service.post('/api/agents/', fullAgent('press'))
    const hidden = fullAgent('hidden', {
      public: false,
      legal_name: 'Hidden',
      email: 'h@x.example',
    })
    await service.post('/api/agents/', hidden)
    await service.post('/api/repositories/', fullRepository('full'))
    await service.post('/api/zines/', fullZine('full'))
    await service.post('/api/zines/', zine('ü/"?'))
    const asked = await browse(service.url).send('/requests/new?kind=agents&id=maker', {
      topic: 'remove',
      text: 'Please remove me.',
    })
    expect(asked.status).to.equal(303)
    const holding = fullHolding('h', { zine_id: 'full', repository_id: 'full' })
    expect((await service.post('/api/holdings/', holding)).status).to.equal(201)
  })

  after(() => rm(directory, { recursive: true, force: true }))

  it('reports nothing about correct data, while the service runs and when it is stopped', async () => {
    const running = await run(['doctor'], { DATA_DIR: directory })
    expect(running.out, running.err).to.equal('8 records checked: 0 errors, 0 notes\n')
    expect(running.code).to.equal(0)
    await service.close()
    const store = await openKeyValueStore(join(directory, 'store'))
    entries = new Map()
    for await (const [key, value] of store.entries('')) entries.set(key, value)
    await store.close()
    const stopped = await run(['doctor', '--json'], { DATA_DIR: directory })
    expect(JSON.parse(stopped.out)).to.deep.equal({ records: 8, errors: 0, notes: 0 })
    expect(stopped.code).to.equal(0)
  })

  for (const [what, key, change, found] of cases)
    it(`reports ${what}`, async () => {
      const changed = new Map(entries)
      const value = change(entries.get(key) ?? '')
      if (value === undefined) changed.delete(key)
      // The name of another record, whose quads these are.
      else changed.set(key, entries.get(`record/zines/${value}`) ?? value)
      const lines = (await check(changed)).map(({ level, key, field, what }) =>
        [level, key, field, what].filter((part) => part !== undefined).join(': '),
      )
      expect(
        lines.filter((line) => found.test(line)),
        lines.join('\n'),
      ).not.to.have.length(0)
    })

  it('reports a record that its key does not lead to', async () => {
    const read = Reflect.get(ClassicLevel.prototype, 'getSync') as (...of: unknown[]) => unknown
    Object.assign(ClassicLevel.prototype, {
      getSync(key: unknown, ...rest: unknown[]) {
        return String(key) === 'record/agents/helper' ? undefined : read.call(this, key, ...rest)
      },
    })
    try {
      const findings: Finding[] = []
      await checkDataDirectory(
        dataDirectoryOf({ dataDir: directory }),
        (baseUrl) => loadModel({ baseUrl, dataDir: directory }),
        (finding) => findings.push(finding),
      )
      expect(findings).to.deep.equal([
        {
          level: 'error',
          key: 'record/agents/helper',
          what: 'is read as absent, or as something else, by its key',
        },
      ])
    } finally {
      Reflect.deleteProperty(ClassicLevel.prototype, 'getSync')
    }
  })

  it('reports a logo that cannot be shown, which stops the start too', () =>
    withDirectory(async (data) => {
      const made = await startService({ DATA_DIR: data })
      await made.close()
      await mkdir(join(data, 'site'))
      await writeFile(join(data, 'site', 'logo.svg'), '<html/>')
      const { code, out } = await run(['doctor'], { DATA_DIR: data })
      expect(out).to.match(/^error: .*logo\.svg: is no SVG image: its root is no svg element$/m)
      expect(code).to.equal(1)
      const failure = await startService({ DATA_DIR: data }).catch((error: unknown) => error)
      expect(String(failure)).to.include('logo.svg: is no SVG image')
    }))

  it('reports a file of catalogues that cannot be used, which stops the start too', () =>
    withDirectory(async (data) => {
      const made = await startService({ DATA_DIR: data })
      await made.close()
      await writeFile(join(data, 'catalogues.json'), '[{ "type": "z39.50" }]')
      const { code, out } = await run(['doctor'], { DATA_DIR: data })
      const what = 'catalogues.json: catalogue 1: "type" takes service, sru, oai-pmh'
      expect(out).to.match(/^error: /m)
      expect(out).to.include(what)
      expect(code).to.equal(1)
      const failure = await startService({ DATA_DIR: data }).catch((error: unknown) => error)
      expect(String(failure)).to.include(what)
    }))

  it('reports nothing about the entries of a remote store', async () => {
    const findings = await check(
      new Map([
        ...entries,
        ['meta/catalogue', '3f0c2b5e-5a34-4d8c-9f10-0d6a4e1f7b21'],
        ['remote/commit', '12'],
        ['remote/pending', '{"number":13,"changes":[],"back":false,"sent":true}'],
      ]),
    )
    expect(findings).to.deep.equal([])
  })

  it('has a check for every kind of entry', async () => {
    const findings = await check(new Map(Object.values(prefixes).map((kind) => [`${kind}x`, ''])))
    expect(findings.filter(({ what }) => what === 'no entry has such a key')).to.deep.equal([])
  })

  it('exits with 1 for errors and with 0 for notes only', () =>
    withDirectory(async (other) => {
      const store = join(other, 'store')
      const changed = new Map(entries)
      // The log says that the agent is gone.
      const created = changed.get('change/000000000002') ?? ''
      changed.set('change/000000000002', swap('"created"', '"deleted"')(created))
      for (const [gone, code] of [
        ['record/agents/helper', 0],
        ['record/zines/full', 1],
      ] as const) {
        changed.delete(gone)
        const home = await openKeyValueStore(store)
        await home.write([
          ...[...changed].map(([key, value]) => ({ key, value })),
          { key: gone, value: undefined },
        ])
        await home.close()
        const { code: ended, out } = await run(['doctor', '--json'], { DATA_DIR: other })
        expect(ended, out).to.equal(code)
        const lines = out
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as object)
        expect(lines.at(-1)).to.include.keys('records', 'errors', 'notes')
        expect(lines[0]).to.include.keys('level', 'key', 'field', 'what')
      }
    }))

  it('notes terms that cannot be told apart by their labels', async () => {
    const own = join(directory, 'vocabularies')
    await mkdir(own, { recursive: true })
    await writeFile(
      join(own, 'subjects.ttl'),
      '@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n' +
        '<#own-punk> a skos:Concept ; skos:notation "own-punk" ; skos:prefLabel "PUNK"@en .\n',
    )
    const notes = (await check(entries)).filter(({ what }) => what.includes('the same label'))
    await rm(own, { recursive: true })
    expect(notes).to.deep.equal([
      { level: 'note', what: 'subjects: “punk” and “own-punk” have the same label, “punk”' },
    ])
  })

  const check = (changed: ReadonlyMap<string, string>): Promise<readonly Finding[]> =>
    checkEntries(inOrder(changed), (baseUrl) => loadModel({ baseUrl, dataDir: directory }))
})

const inOrder = (entries: ReadonlyMap<string, string>) =>
  [...entries].sort(([a], [b]) => (a < b ? -1 : 1))
