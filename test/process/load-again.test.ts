// Files that are loaded into a catalogue which has some of their records already, and exports that are
// loaded again. The command itself: load.test.ts.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'

import { openBackend } from '../../src/app/backend.js'
import { loadResources } from '../../src/app/load-model.js'
import type { LoadTarget, ReplaceOptions } from '../../src/commands/load-records.js'
import { catalogueTarget, httpTarget } from '../../src/commands/load-targets.js'
import { loadFiles } from '../../src/commands/load.js'
import { readConfig } from '../../src/config.js'
import type { Resources } from '../../src/model/resources.js'
import { agent, holding, repository, zine } from '../examples.js'
import { BASE_URL, type TestService, useService } from '../service.js'

const keepExisting: ReplaceOptions = { replace: false, force: false }
const replacing: ReplaceOptions = { replace: true, force: false }
const forcing: ReplaceOptions = { replace: true, force: true }

describe('load of records that exist', () => {
  const service = useService()
  let directory: string
  let resources: Resources

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zine-catalogue-load-'))
    resources = await loadResources()
  })
  after(() => rm(directory, { recursive: true }))

  /** Loads a file, and returns the numbers that are not 0, and what was printed. */
  async function load(
    target: LoadTarget,
    options: ReplaceOptions,
    contents: Readonly<Record<string, string>>,
  ) {
    const lines: string[] = []
    const files = Object.keys(contents).map((name) => join(directory, name))
    for (const [name, text] of Object.entries(contents))
      await writeFile(join(directory, name), text)
    const counts = await loadFiles({
      files,
      target,
      resources,
      options,
      onWarning: (text) => lines.push(text.replace(`${directory}/`, '')),
      onRefused: (text) => lines.push(text.replaceAll(`${directory}/`, '')),
    })
    const nonZero = Object.entries(counts).filter(([, count]) => count > 0)
    return { counts: Object.fromEntries(nonZero), lines }
  }

  const toLines = (...records: readonly unknown[]): string =>
    records.map((record) => `${JSON.stringify(record)}\n`).join('')

  const overHttp = (): LoadTarget => httpTarget(service().url, service().tokens.admin, resources)

  /** Works on an empty catalogue of a stopped service. */
  async function withCatalogue(work: (target: LoadTarget) => Promise<void>): Promise<void> {
    const dataDir = await mkdtemp(join(directory, 'data-'))
    const backend = await openBackend(readConfig({ BASE_URL, DATA_DIR: dataDir }))
    try {
      await work({ ...catalogueTarget(backend.catalogue), close: () => Promise.resolve() })
    } finally {
      await backend.close()
    }
  }

  const targets = [
    ['a running service', (work: (target: LoadTarget) => Promise<void>) => work(overHttp())],
    ['a stopped service', withCatalogue],
  ] as const
  for (const [where, withTarget] of targets)
    describe(`into ${where}`, () => {
      const id = `maker-${where.length}`

      it('counts equal and different records apart, and replaces the different ones only', () =>
        withTarget(async (target) => {
          const [one, two] = [
            agent(`${id}-1`),
            agent(`${id}-2`, { public: false, email: 'x@y.org' }),
          ]
          const file = { 'agents.jsonl': toLines(one, two) }
          expect((await load(target, keepExisting, file)).counts).to.deep.equal({ created: 2 })
          expect((await load(target, keepExisting, file)).counts).to.deep.equal({ unchanged: 2 })
          const edited = { 'agents.jsonl': toLines({ ...one, display_name: 'Renamed' }, two) }
          expect((await load(target, keepExisting, edited)).counts).to.deep.equal({
            unchanged: 1,
            different: 1,
          })
          const before = await target.find('agents', `${id}-2`)
          expect((await load(target, replacing, edited)).counts).to.deep.equal({
            replaced: 1,
            unchanged: 1,
          })
          expect(await target.find('agents', `${id}-2`)).to.deep.equal(before)
        }))

      it('refuses to replace a record that was changed after the export, unless forced', () =>
        withTarget(async (target) => {
          const name = `${id}-changed`
          await load(target, keepExisting, { 'agents.jsonl': toLines(agent(name)) })
          const exported = {
            ...agent(name, { display_name: 'From the file' }),
            updated_at: (await target.find('agents', name))?.updatedAt,
          }
          // A colleague changes it.
          const change = { 'agents.jsonl': toLines(agent(name, { display_name: 'Theirs' })) }
          await load(target, replacing, change)
          const file = { 'agents.jsonl': toLines(exported) }
          const { counts, lines } = await load(target, replacing, file)
          expect(counts).to.deep.equal({ refused: 1 })
          expect(lines.join()).to.match(
            /^agents\.jsonl:1: updated_at: .*after the file was exported/,
          )
          expect((await target.find('agents', name))?.values.display_name).to.equal('Theirs')
          expect((await load(target, forcing, file)).counts).to.deep.equal({ replaced: 1 })
        }))
    })

  it('refuses the second of two different lines with the same identifier, in whatever file', async () => {
    const { counts, lines } = await load(overHttp(), keepExisting, {
      'one.jsonl': toLines(agent('twice'), agent('twice')),
      'two.jsonl': toLines(agent('twice', { display_name: 'Another' })),
    })
    expect(counts).to.deep.equal({ created: 1, unchanged: 1, refused: 1 })
    expect(lines.join()).to.match(/^two\.jsonl:1: agent_id: .*this identifier is in .*one\.jsonl:1/)
  })

  it('names the columns that are no fields, before it writes anything', async () => {
    const found: (number | undefined)[] = []
    const target = overHttp()
    const csv =
      'agent_id,kind,display_name,public,my_column,created_at\ncolumns,Person,X,true,a,b\n'
    await writeFile(join(directory, 'agents.csv'), csv)
    let warning = ''
    await loadFiles({
      files: [join(directory, 'agents.csv')],
      target: {
        ...target,
        create(record) {
          found.push(warning.length)
          return target.create(record)
        },
      },
      resources,
      options: keepExisting,
      onWarning: (text) => (warning = text),
      onRefused: () => undefined,
    })
    expect(warning).to.match(
      /agents\.csv: not loaded, since they are no fields: my_column\. The command import/,
    )
    expect(found).to.deep.equal([warning.length])
  })

  describe('after an agent that zines refer to was deleted', () => {
    before(async () => {
      const { post } = service()
      await post('/api/agents/', agent('dot'))
      await post('/api/agents/', agent('stays'))
      await post('/api/repositories/', repository('library'))
      await post('/api/zines/', zine('one', { creator: ['dot'] }))
      await post('/api/zines/', zine('two', { creator: ['stays', 'dot'] }))
      await post('/api/holdings/', holding('copy', { zine_id: 'one', repository_id: 'library' }))
      expect((await service().delete('/api/agents/dot/')).status).to.equal(204)
    })

    async function exportAll({ get }: TestService, format: string) {
      const names = ['agents', 'repositories', 'zines', 'holdings']
      const files = await Promise.all(
        names.map(async (name) => {
          const { text } = await get(`/api/export/${name}/?format=${format}`)
          return [`${name}.${format}`, text] as const
        }),
      )
      return Object.fromEntries(files)
    }

    for (const format of ['jsonl', 'csv'])
      it(`an export in ${format} loads into an empty catalogue of a stopped service`, () =>
        withCatalogue(async (target) => {
          const { counts, lines } = await load(
            target,
            keepExisting,
            await exportAll(service(), format),
          )
          expect(lines).to.deep.equal([])
          expect(Object.keys(counts)).to.deep.equal(['created'])
          expect((await target.find('zines', 'two'))?.values.creator).to.deep.equal([
            'stays',
            'dot',
          ])
          expect((await target.find('holdings', 'copy'))?.values.zine_id).to.equal('one')
        }))

    it('a running service still refuses references to agents that do not exist', async () => {
      const file = {
        'zines.jsonl': toLines({ ...zine('new', { creator: ['dot'] }), deleted_agents: ['dot'] }),
      }
      const { lines } = await load(overHttp(), keepExisting, file)
      expect(lines.join()).to.include("Agent 'dot' does not exist")
    })

    it('a row that nobody exported may not refer to an agent that does not exist', () =>
      withCatalogue(async (target) => {
        const row = { title: 'X', creator: 'typo', creator_names: '', updated_at: '' }
        const values = {
          zine_id: 'new',
          subject: 'punk',
          genre: 'perzine',
          date: '1999',
          language: 'en',
          rights: 'cc-by',
          ...row,
        }
        const file = {
          'zines.csv': `${Object.keys(values).join(',')}\n${Object.values(values).join(',')}\n`,
        }
        const { lines } = await load(target, keepExisting, file)
        expect(lines.join()).to.include("Agent 'typo' does not exist")
      }))
  })
})
