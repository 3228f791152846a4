// Tests over HTTP that the undo of an import takes away the terms that it made, wherever they are seen, and leaves those
// that something else uses.

import { appendFile, mkdir, readFile, rename, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

import { expect } from 'chai'

import { minimal } from '../../examples.js'
import { rowsOf } from '../sparql/client.js'
import { BASE_URL, type TestService, startService } from '../../service.js'
import { listPath, recordPath, unique, useCatalogue } from '../../http/catalogue.js'
import { importClient } from './import-client.js'

type Term = { readonly create: { readonly code: string; readonly label: string } }

const termOf = (code: string): Term => ({ create: { code, label: `Term ${code}` } })

/** What decides about the rows of a file with the tag "new tag". */
const answers = (code: string, decision: object = termOf(code)) => ({
  identifiers: { zines: `${code}-{row}`, holdings: '{zine}-{item}', agents: `${code}-` },
  terms: { subjects: { 'new tag': decision } },
  defaults: {
    zines: { genre: ['zine'], language: ['en'], rights: [], date: null },
    holdings: { repository_id: 'library' },
  },
})

/** Begins an import of the rows. @returns its identifier */
const begin = async (
  client: ReturnType<typeof importClient>,
  code: string,
  decisions: object = answers(code),
): Promise<string> =>
  (
    await client.begin(
      `Title,Author,Tags\nSongs of ${code},Maker ${code},new tag`,
      `filename=${unique(code)}.csv`,
      decisions,
    )
  ).id

const isListed = async (service: TestService, code: string): Promise<boolean> =>
  (await service.get(`/api/vocabularies/subjects/${code}/`)).status === 200

/** In which views a term is. */
async function viewsWith(service: TestService, code: string): Promise<readonly string[]> {
  const concept = `${BASE_URL}/vocabularies/subjects#${code}`
  const textOf = async (path: string): Promise<string> => (await service.get(path)).text
  const dump = await fetch(`${service.url}/dumps/catalogue.nt.gz`)
  const rows = await rowsOf(
    service,
    `SELECT ?s ?p ?o WHERE { GRAPH ?g { { <${concept}> ?p ?o } UNION { ?s ?p <${concept}> } } }`,
  )
  const isIn = {
    entry: await isListed(service, code),
    list: (await textOf('/api/vocabularies/subjects/')).includes(concept),
    document: (await textOf('/vocabularies/subjects')).includes(code),
    page: (
      await service.get('/api/vocabularies/subjects/', { headers: { accept: 'text/html' } })
    ).text.includes(code),
    suggestions: (await textOf(`/reconcile/suggest/entity?prefix=${code}`)).includes(code),
    dump: gunzipSync(await dump.arrayBuffer()).includes(concept),
    sparql: rows.length > 0,
    file: await readFile(join(service.dataDir, 'vocabularies', 'subjects.ttl'), 'utf8').then(
      (text) => text.includes(code),
      () => false,
    ),
  }
  return Object.entries(isIn).flatMap(([view, has]) => (has ? [view] : []))
}

const allViews = [
  'entry',
  'list',
  'document',
  'page',
  'suggestions',
  'dump',
  'sparql',
  'file',
] as const

describe('the undo of an import with new terms', () => {
  const { service, given } = useCatalogue({ SPARQL_WORKERS: '1' })
  const client = importClient(service)

  /** Imports the rows with a new term. @returns the identifier of the import */
  async function write(code: string, decisions?: object): Promise<string> {
    const id = await begin(client, code, decisions)
    await client.write(id)
    return id
  }

  async function undo(id: string): Promise<any> {
    const undone = await client.post(id, 'undo/')
    expect(undone.state, undone.message).to.equal('undone')
    expect(undone.kept).to.deep.equal([])
    return undone
  }

  it('takes them away from all views, and leaves the file as it was', async () => {
    const file = join(service().dataDir, 'vocabularies', 'subjects.ttl')
    const stays = await write(unique('stays'))
    expect((await client.get(stays)).state).to.equal('written')
    const before = await readFile(file, 'utf8')
    const code = unique('gone')
    const id = await write(code)
    expect(await viewsWith(service(), code)).to.deep.equal(allViews)
    expect((await undo(id)).message).to.equal(null)
    expect(await viewsWith(service(), code)).to.deep.equal([])
    expect(await readFile(file, 'utf8')).to.equal(before)
    const refused = await service().post(
      listPath('zines'),
      minimal.zines(unique('late'), { subject: [code] }),
    )
    expect(refused.status, refused.text).to.equal(400)
  })

  for (const [what, more] of [
    ['another record', {}],
    ['a hidden record', { visibility: 'hidden' }],
    ['a draft', { visibility: 'draft' }],
  ] as const)
    it(`leaves a term that ${what} has, and says so`, async () => {
      const code = unique('used')
      const id = await write(code)
      const body = minimal.zines(unique('other'), { subject: [code], ...more })
      const { status, text } = await service().post(listPath('zines'), body)
      expect(status, text).to.equal(201)
      expect((await undo(id)).message).to.contain(`Term ${code}`)
      expect(await viewsWith(service(), code)).to.deep.equal(allViews)
    })

  for (const [what, vocabulary, field] of [
    ['rights', 'rights-status', 'rights'],
    ['a genre', 'genres', 'genre'],
    ['a format', 'formats', 'format'],
  ] as const)
    it(`takes ${what} away where no other record has it`, async () => {
      const withColumn = async (code: string): Promise<string> => {
        const { id } = await client.begin(
          [`Title,Author,${field}`, `Songs of ${code},Maker ${code},${code}`].join('\n'),
          `filename=${code}.csv`,
          {
            ...answers(code),
            rules: [
              { from: 'Title', to: 'zines.title' },
              { from: 'Author', to: 'zines.creator' },
              { from: field, to: `zines.${field}` },
            ],
            terms: { [vocabulary]: { [code]: termOf(code) } },
            defaults: {
              zines: {
                subject: ['punk'],
                genre: ['zine'],
                language: ['en'],
                rights: [],
                date: null,
              },
              holdings: { repository_id: 'library' },
            },
          },
        )
        await client.write(id)
        return id
      }
      const [used, unused] = [unique('used'), unique('unused')]
      const ids = [await withColumn(used), await withColumn(unused)]
      await given.zine({ [field]: [used] })
      for (const id of ids) await undo(id)
      const statusOf = async (code: string): Promise<number> =>
        (await service().get(`/api/vocabularies/${vocabulary}/${code}/`)).status
      expect([await statusOf(used), await statusOf(unused)]).to.deep.equal([200, 404])
    })

  it('leaves a term that another import was told to take', async () => {
    const code = unique('decided')
    const id = await write(code)
    await begin(client, unique('other'), answers(unique('other'), { code }))
    await undo(id)
    expect(await isListed(service(), code)).to.equal(true)
  })

  it('leaves a term that a second import asked for too, whose undo takes it away', async () => {
    const [made, again] = [unique('made'), unique('again')]
    const first = await write(made)
    // The second import finds the term of the first.
    const second = await write(again, answers(again, termOf(made)))
    await undo(first)
    expect(await isListed(service(), made), 'the second import has it').to.equal(true)
    await undo(second)
    expect(await isListed(service(), made), 'no import has it').to.equal(false)
  })

  it('makes a term anew when the import is written again', async () => {
    const code = unique('anew')
    const id = await write(code)
    await undo(id)
    await client.write(id)
    expect(await viewsWith(service(), code)).to.deep.equal(allViews)
    await undo(id)
    expect(await viewsWith(service(), code)).to.deep.equal([])
  })

  it('is itself undone with the terms', async () => {
    const code = unique('redone')
    const id = await write(code)
    const { undo: batch } = await undo(id)
    expect(await isListed(service(), code)).to.equal(false)
    const redone = await service().post(`/api/batches/${batch}/undo/`, {})
    expect(redone.status, redone.text).to.equal(200)
    expect(await viewsWith(service(), code)).to.deep.equal(allViews)
    const { body: zine } = await service().get(recordPath('zines', `${code}-1`))
    expect(zine.subject.map((one: any) => one.label)).to.deep.equal([`Term ${code}`])
  })

  it('takes them away also when its batch is undone as such', async () => {
    const code = unique('batch')
    const { batch } = await client.get(await write(code))
    const undone = await service().post(`/api/batches/${batch}/undo/`, {})
    expect(undone.status, undone.text).to.equal(200)
    expect(await viewsWith(service(), code)).to.deep.equal([])
  })
})

describe('the undo of an import with new terms, and the file that has them', () => {
  const file = (service: TestService): string =>
    join(service.dataDir, 'vocabularies', 'subjects.ttl')

  type Restart = (meanwhile?: () => Promise<unknown>) => Promise<TestService>

  /** Works with a service, which can be ended and started again, after something was done with its files. */
  async function withService(
    work: (service: TestService, restart: Restart) => Promise<void>,
  ): Promise<void> {
    let service = await startService({ SPARQL_WORKERS: '1' })
    try {
      await service.post(listPath('repositories'), minimal.repositories('library'))
      await work(service, async (meanwhile) => {
        await service.close()
        await meanwhile?.()
        service = await startService({ DATA_DIR: service.dataDir, SPARQL_WORKERS: '1' })
        return service
      })
    } finally {
      await service.stop()
    }
  }

  it('survive restarts', () =>
    withService(async (service, restart) => {
      const code = unique('restarted')
      const { id } = await importClient(() => service).write(
        await begin(
          importClient(() => service),
          code,
        ),
      )
      const second = await restart()
      expect(await viewsWith(second, code)).to.deep.equal(allViews)
      const undone = await importClient(() => second).post(id, 'undo/')
      expect(undone.state, undone.message).to.equal('undone')
      const third = await restart()
      expect(await viewsWith(third, code)).to.deep.equal([])
    }))

  it('go on after a failure between the records and the terms, and a restart', () =>
    withService(async (service, restart) => {
      const code = unique('between')
      const client = importClient(() => service)
      const { id } = await client.write(await begin(client, code))
      await rename(file(service), `${file(service)}.aside`)
      await mkdir(file(service))
      const failed = await client.post(id, 'undo/')
      expect(failed.state).to.equal('written')
      expect((await service.get(recordPath('zines', `${code}-1`))).status).to.equal(404)
      const again = await restart(async () => {
        await rmdir(file(service))
        await rename(`${file(service)}.aside`, file(service))
      })
      expect(await isListed(again, code), 'the term is there').to.equal(true)
      const undone = await importClient(() => again).post(id, 'undo/')
      expect(undone.state, undone.message).to.equal('undone')
      expect(await viewsWith(again, code)).to.deep.equal([])
    }))

  it('leaves a term that the institution wrote itself', () =>
    withService(async (service, restart) => {
      const code = unique('own')
      const own = await restart(async () => {
        await mkdir(join(service.dataDir, 'vocabularies'), { recursive: true })
        await writeFile(
          file(service),
          `@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n\n<#${code}> a skos:Concept ;\n  skos:notation "${code}" ;\n  skos:prefLabel "Term ${code}"@en .\n`,
        )
      })
      const client = importClient(() => own)
      const { id } = await client.write(await begin(client, code))
      await client.post(id, 'undo/')
      expect(await isListed(own, code)).to.equal(true)
    }))

  it('leaves a term that somebody changed in the file since, and says so', () =>
    withService(async (service) => {
      const code = unique('edited')
      const client = importClient(() => service)
      const { id } = await client.write(await begin(client, code))
      await appendFile(file(service), `\n<#${code}> skos:altLabel "Edited"@en .\n`)
      expect((await client.post(id, 'undo/')).message).to.contain(`Term ${code}`)
      expect(await readFile(file(service), 'utf8')).to.contain(`<#${code}> a skos:Concept`)
    }))
})
