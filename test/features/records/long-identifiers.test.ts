// Identifiers of any length and of characters of every plane, one often the beginning of another, through everything that
// takes an identifier: all of it agrees with a simple model (docs/reference/records.md,
// "Identifiers").

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

import { expect } from 'chai'
import fc from 'fast-check'

import { loadModel } from '../../../src/app/load-model.js'
import { dataDirectoryOf } from '../../../src/app/data-directory.js'
import { backUpTo, restore } from '../../../src/commands/backup.js'
import { checkDataDirectory } from '../../../src/commands/doctor.js'
import { agent, zine } from '../../examples.js'
import { anyIdentifier } from '../../identifiers.js'
import { BASE_URL, type TestService, startService, useService } from '../../service.js'
import { rowsOf } from '../sparql/client.js'
import { listPath, recordPath, resourceOf } from '../../http/catalogue.js'
import { harvestHeaders } from '../harvesting/oai-client.js'
import { image, sendPicture } from '../pictures/picture-files.js'

type Kind = 'agents' | 'zines'

type Key = `${Kind}/${string}`

/** What the model knows of a record. */
type Values = {
  readonly name: string
  /** The legal name of an agent who is not public. */
  readonly secret?: string
  /** The agent who made a zine. */
  readonly creator?: string
  /** What is to be seen in the pictures of a zine. */
  readonly pictures: readonly string[]
}

type Model = {
  readonly records: Map<Key, Values>
  /** From the keys of records that were merged or renamed to those of the others. */
  readonly redirects: Map<Key, Key>
  /** The values of deleted records, with what led to them. */
  readonly deleted: Map<Key, { readonly values: Values; readonly ledTo: readonly Key[] }>
  /** How many versions the history of a record has. */
  readonly versions: Map<Key, number>
}

const anyPool = fc
  .array(anyIdentifier, { minLength: 2, maxLength: 3 })
  .map((ids) => [...new Set(ids.flatMap((id) => [id, Array.from(id).slice(0, -1).join('')]))])
  .map((ids) => ids.filter((id) => id !== '' && id === id.normalize('NFC')))
  .filter((ids) => ids.length > 2)

const anyOperation = fc.constantFrom<Operation | 'restart' | 'move'>(
  ...(['create', 'create', 'change', 'batch', 'replace', 'remove', 'restore'] as const),
  ...(['merge', 'rename', 'addPicture', 'restart', 'move'] as const),
)

const anyStep = fc.record({
  operation: anyOperation,
  kind: fc.constantFrom<Kind>('agents', 'zines'),
  one: fc.nat(),
  other: fc.nat(),
})

const keyOf = (kind: Kind, id: string): Key => `${kind}/${id}`
const kindOf = (key: Key): Kind => key.slice(0, key.indexOf('/')) as Kind
const idOf = (key: Key): string => key.slice(key.indexOf('/') + 1)
const pathOf = (key: Key): string => recordPath(kindOf(key), idOf(key))

/** IDENTIFIER_ROUNDS asks for more. */
const rounds = Number(process.env.IDENTIFIER_ROUNDS ?? 4)

const nameField = { agents: 'display_name', zines: 'title' } as const

describe('identifiers of any length', () => {
  before(function () {
    // Over a remote store they are limited: docs/explanation/remote-store.md, "Engines".
    if (process.env.TEST_STORE) this.skip()
  })

  describe('one of which is the beginning of another', () => {
    const service = useService()

    it('are deleted and restored, each with its own values', async () => {
      const ids = Array.from({ length: 60 }, (_, count) => '日'.repeat(count + 1))
      const nameOf = (id: string): string => `Person ${id.length}`
      for (const id of ids) {
        const body = agent(id, { public: false, legal_name: nameOf(id) })
        expect((await service().post('/api/agents/', body)).status).to.equal(201)
      }
      const { admin } = service().tokens
      for (const id of ids) {
        const path = recordPath('agents', id)
        const read = () => service().get(`${path}?private=true`, { token: admin })
        const before = await read()
        expect(before.body).to.include({ agent_id: id, legal_name: nameOf(id) })
        expect((await service().delete(path)).status).to.equal(204)
        expect((await service().get(path)).status).to.equal(404)
        const back = await service().post(`${path}history/1/restore/`, { private: true })
        expect(back.status, back.text).to.equal(200)
        const after = await read()
        expect({ ...after.body, updated_at: '' }).to.deep.equal({ ...before.body, updated_at: '' })
      }
    })
  })

  it('are read, written, moved, listed, exported and harvested as a simple model says', () =>
    fc.assert(
      fc.asyncProperty(anyPool, fc.array(anyStep, { minLength: 10, maxLength: 60 }), runSteps),
      // To shrink takes hours, as each run starts services.
      { numRuns: rounds, endOnFailure: true },
    ))
})

async function runSteps(
  ids: readonly string[],
  steps: readonly (typeof anyStep extends fc.Arbitrary<infer Step> ? Step : never)[],
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
  const start = (dataDir: string) => startService({ SPARQL_WORKERS: '1', DATA_DIR: dataDir })
  const model: Model = {
    records: new Map([['agents/maker', { name: 'Maker maker', pictures: [] }]]),
    redirects: new Map(),
    deleted: new Map(),
    versions: new Map([['agents/maker', 1]]),
  }
  const idAt = (index: number): string => ids[index % ids.length] ?? ''
  let dataDir = join(directory, 'data')
  let service = await start(dataDir)
  try {
    await service.post('/api/agents/', agent('maker'))
    for (const [number, { operation, kind, one, other }] of steps.entries()) {
      if (operation !== 'restart' && operation !== 'move') {
        const [key, otherKey] = [keyOf(kind, idAt(one)), keyOf(kind, idAt(other))]
        await operations[operation]({ service, model, kind, key, other: otherKey, number })
        continue
      }
      await expectModel(service, model)
      await service.close()
      if (operation === 'move') {
        const backup = join(directory, `${number}.gz`)
        await backUpTo(backup, dataDirectoryOf({ dataDir }))
        dataDir = join(directory, `moved-${number}`)
        await restore(backup, dataDirectoryOf({ dataDir }))
      }
      service = await start(dataDir)
    }
    await expectModel(service, model)
  } finally {
    await service.close()
  }
  await expectHealthy(dataDir, model)
  await rm(directory, { recursive: true, force: true })
}

/** Expects that the doctor finds nothing. */
async function expectHealthy(dataDir: string, { records }: Model): Promise<void> {
  const findings: unknown[] = []
  const summary = await checkDataDirectory(
    dataDirectoryOf({ dataDir }),
    (baseUrl) => loadModel({ baseUrl, dataDir }),
    (finding) => findings.push(finding),
  )
  expect(findings).to.deep.equal([])
  expect(summary.records).to.equal(records.size)
}

type Action = {
  readonly service: TestService
  readonly model: Model
  readonly kind: Kind
  readonly key: Key
  readonly other: Key
  /** Makes the values of each step different. */
  readonly number: number
}

type Operation =
  | 'create'
  | 'change'
  | 'batch'
  | 'replace'
  | 'remove'
  | 'restore'
  | 'merge'
  | 'rename'
  | 'addPicture'

/** What each operation does, in the service and in the model. */
const operations: Readonly<Record<Operation, (action: Action) => Promise<void>>> = {
  async create({ service, model, kind, key, number }) {
    const name = `Name ${number}`
    const agents = [...model.records.keys()].filter((one) => kindOf(one) === 'agents')
    const own =
      kind === 'agents'
        ? { secret: `${secretMark} ${number}` }
        : { creator: idOf(agents[number % agents.length] ?? key) }
    const { status, text } = await service.post(listPath(kind), bodyOf(key, { name, ...own }))
    expect(status, text).to.equal(isFree(model, key) ? 201 : 400)
    if (isFree(model, key)) put(model, key, { name, ...own, pictures: [] })
  },
  async change({ service, model, kind, key, number }) {
    const name = `Name ${number}`
    const had = model.records.get(key)
    const { status, text } = await service.patch(pathOf(key), { [nameField[kind]]: name })
    expect(status, text).to.equal(had ? 200 : 404)
    if (had) put(model, key, { ...had, name })
  },
  async batch({ service, model, kind, key, number }) {
    const name = `Name ${number}`
    const had = model.records.get(key)
    const line = { op: 'change', kind, id: idOf(key), body: { [nameField[kind]]: name } }
    const { status, text } = await service.ask('POST', '/api/batches/', {
      raw: JSON.stringify(line),
      headers: { 'content-type': 'application/x-ndjson' },
    })
    expect(status, text).to.equal(had ? 200 : 400)
    if (had) put(model, key, { ...had, name })
  },
  // Without the legal name, which stays.
  async replace({ service, model, key, number }) {
    const name = `Name ${number}`
    const had = model.records.get(key)
    const body = bodyOf(key, { name, creator: had?.creator ?? 'maker' })
    const { status, text } = await service.put(pathOf(key), body)
    expect(status, text).to.equal(had ? 200 : 404)
    if (had) put(model, key, { ...had, name })
  },
  async remove({ service, model, key }) {
    const had = model.records.get(key)
    if (isCreator(model.records.values(), key)) return
    const { status, text } = await service.delete(pathOf(key))
    expect(status, text).to.equal(had ? 204 : 404)
    if (!had) return
    const ledTo = leadingTo(model, key)
    for (const one of [key, ...ledTo]) {
      model.records.delete(one)
      model.redirects.delete(one)
      countVersion(model, one)
    }
    model.deleted.set(key, { values: had, ledTo })
  },
  async restore({ service, model, key }) {
    const deletion = model.deleted.get(key)
    if (!deletion || ![key, ...deletion.ledTo].every((one) => isFree(model, one))) return
    const version = (model.versions.get(key) ?? 0) - 1
    const path = `${pathOf(key)}history/${version}/restore/`
    const { status, text } = await service.post(path, { private: true })
    expect(status, text).to.equal(200)
    put(model, key, deletion.values)
    for (const one of deletion.ledTo) lead(model, one, key)
  },
  async merge({ service, model, key, other }) {
    const [goes, stays] = [model.records.get(key), model.records.get(other)]
    if (
      isCreator(
        [...model.deleted.values()].map(({ values }) => values),
        key,
      )
    )
      return
    const { status, text } = await service.post(`${pathOf(key)}merge/`, { into: idOf(other) })
    expect(status, text).to.equal(goes ? (stays && key !== other ? 200 : 400) : 404)
    if (!goes || !stays || key === other) return
    model.records.set(other, { ...stays, pictures: [...stays.pictures, ...goes.pictures] })
    moveAll(model, key, other)
  },
  async rename({ service, model, key, other }) {
    const had = model.records.get(key)
    if (
      isCreator(
        [...model.deleted.values()].map(({ values }) => values),
        key,
      )
    )
      return
    const { status, text } = await service.post(`${pathOf(key)}rename/`, { id: idOf(other) })
    expect(status, text).to.equal(had ? (isFree(model, other) ? 200 : 400) : 404)
    if (!had || !isFree(model, other)) return
    put(model, other, had)
    moveAll(model, key, other)
  },
  async addPicture({ service, model, kind, key, number }) {
    const alt = `Picture ${number}`
    const had = model.records.get(key)
    if (kind !== 'zines' || !had) return
    const file = await image(2, 2).png().toBuffer()
    const path = `${pathOf(key)}pictures/`
    const { status, body } = await sendPicture(service, path, file, { alt, public: 'true' })
    expect(status, JSON.stringify(body)).to.equal(201)
    model.records.set(key, { ...had, pictures: [...had.pictures, alt] })
  },
}

/** In the legal names of agents who are not public, and in nothing else. */
const secretMark = 'Kept from all'

const isFree = ({ records, redirects }: Model, key: Key): boolean =>
  !records.has(key) && !redirects.has(key)

const leadingTo = ({ redirects }: Model, key: Key): Key[] =>
  [...redirects].flatMap(([from, into]) => (into === key ? [from] : []))

const isCreator = (zines: Iterable<Values>, key: Key): boolean =>
  kindOf(key) === 'agents' && [...zines].some(({ creator }) => creator === idOf(key))

const countVersion = ({ versions }: Model, key: Key): void =>
  void versions.set(key, (versions.get(key) ?? 0) + 1)

function put(model: Model, key: Key, values: Values): void {
  model.records.set(key, values)
  model.deleted.delete(key)
  countVersion(model, key)
}

function lead(model: Model, key: Key, into: Key): void {
  model.redirects.set(key, into)
  model.deleted.delete(key)
  countVersion(model, key)
}

/** What led to a record, or referred to it, and the record itself, lead and refer to another one. */
function moveAll(model: Model, key: Key, into: Key): void {
  model.records.delete(key)
  for (const one of [key, ...leadingTo(model, key)]) lead(model, one, into)
  if (kindOf(key) === 'agents')
    for (const [zine, values] of model.records)
      if (values.creator === idOf(key)) put(model, zine, { ...values, creator: idOf(into) })
}

const bodyOf = (key: Key, { name, secret, creator }: Omit<Values, 'pictures'>): object =>
  kindOf(key) === 'agents'
    ? agent(idOf(key), { display_name: name, public: false, ...(secret && { legal_name: secret }) })
    : zine(idOf(key), { title: name, creator: [creator] })

/** Asks everything that shows records, and expects what the model says. */
async function expectModel(
  service: TestService,
  { records, redirects, deleted, versions }: Model,
): Promise<void> {
  const token = service.tokens.admin
  for (const [key, values] of records) {
    const { status, body, text } = await service.get(`${pathOf(key)}?private=true`, { token })
    expect(status, text).to.equal(200)
    const kind = kindOf(key)
    expect(body[nameField[kind]]).to.equal(values.name)
    if (kind === 'agents') expect(body.legal_name ?? '').to.equal(values.secret ?? '')
    else expect(body.creator.map((one: any) => one.agent_id)).to.deep.equal([values.creator])
    const history = await service.get(`${pathOf(key)}history/`, { token })
    expect(history.body.count).to.equal(versions.get(key))
    if (kind === 'agents') continue
    const pictures = await service.get(`${pathOf(key)}pictures/`)
    expect(pictures.body.results.map(({ alt }: any) => alt)).to.deep.equal(values.pictures)
  }
  for (const [key, into] of redirects) {
    const { status, headers } = await service.get(pathOf(key))
    expect(status).to.equal(301)
    expect(headers.get('location')).to.equal(service.url + pathOf(into))
  }
  for (const key of deleted.keys())
    if (!records.has(key) && !redirects.has(key))
      expect((await service.get(pathOf(key))).status).to.equal(404)

  const keys = [...records.keys()].sort()
  expect(await listedKeys(service)).to.deep.equal(keys)
  expect(await exportedKeys(service)).to.deep.equal(keys)
  expect(await harvestedKeys(service)).to.deep.equal(keys)

  const iriOf = (key: Key): string =>
    `${BASE_URL}/id/${kindOf(key)}/${encodeURIComponent(idOf(key))}`
  const names = [...records].map(([key, { name }]) => `${iriOf(key)} ${name}`).sort()
  const things = 'FILTER(STRSTARTS(STR(?one), "https://zines.example/id/"))'
  const named = `SELECT ?one ?other { ?one dcterms:title|foaf:name ?other . ${things} }`
  expect(await pairsOf(service, named), 'SPARQL').to.deep.equal(names)
  const { subjects, leading, text } = await readDump(service)
  expect(subjects, 'dump').to.deep.equal(keys.map(iriOf).sort())
  const expectedLeading = [...redirects].map(([key, into]) => `${iriOf(key)} ${iriOf(into)}`).sort()
  expect(leading, 'dump').to.deep.equal(expectedLeading)
  const replaced = 'SELECT ?one ?other { ?one dcterms:isReplacedBy ?other }'
  expect(await pairsOf(service, replaced), 'SPARQL').to.deep.equal(expectedLeading)
  expect(text).not.to.include(secretMark)
}

const kinds = ['agents', 'zines'] as const

async function listedKeys(service: TestService): Promise<Key[]> {
  const keys: Key[] = []
  for (const kind of kinds) {
    const { body } = await service.get(`${listPath(kind)}?page_size=100`)
    keys.push(...body.results.map((one: any) => keyOf(kind, one[resourceOf(kind).idField])))
  }
  return keys.sort()
}

async function exportedKeys(service: TestService): Promise<Key[]> {
  const keys: Key[] = []
  for (const kind of kinds) {
    const { text } = await service.get(`/api/export/${kind}/?format=jsonl`)
    const lines = text.split('\n').filter((line) => line !== '')
    const ids = lines.map((line) => JSON.parse(line)[resourceOf(kind).idField])
    keys.push(...ids.map((id) => keyOf(kind, id)))
  }
  return keys.sort()
}

async function harvestedKeys(service: TestService): Promise<Key[]> {
  const prefix = `oai:${new URL(BASE_URL).host}:`
  return (await harvestHeaders(service))
    .filter(({ isDeleted }) => !isDeleted)
    .map(({ identifier }) => decodeURIComponent(identifier.slice(prefix.length)) as Key)
    .sort()
}

async function pairsOf(service: TestService, query: string): Promise<string[]> {
  const rows = await rowsOf(service, query)
  return rows.map(({ one, other }) => `${one} ${other}`).sort()
}

async function readDump(service: TestService) {
  const response = await fetch(`${service.url}/dumps/catalogue.nt.gz`)
  const text = gunzipSync(Buffer.from(await response.arrayBuffer())).toString()
  const primary = /^\S+ <http:\/\/xmlns\.com\/foaf\/0\.1\/primaryTopic> <(\S+)> \.$/gm
  const replaced = /^<(\S+)> <http:\/\/purl\.org\/dc\/terms\/isReplacedBy> <(\S+)> \.$/gm
  return {
    text,
    subjects: [...text.matchAll(primary)].map(([, iri = '']) => iri).sort(),
    leading: [...text.matchAll(replaced)].map(([, from, to]) => `${from} ${to}`).sort(),
  }
}
