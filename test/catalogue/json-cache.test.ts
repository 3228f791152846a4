// The cached JSON of records is compared with that of a catalogue that has cached nothing.

import { expect } from 'chai'
import fc from 'fast-check'

import { NotFoundError } from '../../src/errors.js'
import { type Catalogue, createCatalogue } from '../../src/catalogue/catalogue.js'
import { createMonotonicClock } from '../../src/catalogue/clock.js'
import { createStoredRedirects } from '../../src/catalogue/redirects.js'
import { createRevisionOf } from '../../src/catalogue/revision.js'
import { SparqlRecordIndex } from '../../src/catalogue/sparql-record-index.js'
import { type ResourceName, createIris, resourceNames } from '../../src/model/iris.js'
import { createValidator } from '../../src/model/validation/validator.js'
import { ValidationError } from '../../src/model/record/input.js'
import { noBatchLog } from '../../src/store/key-value/batch-log.js'
import { noUnfinishedRedactions } from '../../src/store/key-value/unfinished-redactions.js'
import { DiskFailedError } from '../../src/lib/key-value/errors.js'
import { memoryHome, openRecords } from '../store/memory-store.js'
import { openModel } from '../model/model.js'

const iris = createIris('https://zines.example')
const { declared, resources, mapper } = await openModel(iris)

describe('the JSON cache', () => {
  it('has the JSON of the current records after every write', async () => {
    await fc.assert(
      fc.asyncProperty(anySteps, (steps) => withCatalogue(expectCurrentAfter(steps))),
      { numRuns: 12 },
    )
  })

  it('has the JSON also when the disk cannot be read', async () => {
    const home = memoryHome()
    await withCatalogue(async (catalogue, another) => {
      await catalogue.create('agents', new Map(Object.entries(bodies.agents('a', 'b', 'Name'))))
      await catalogue.create('zines', new Map(Object.entries(bodies.zines('a', 'a', 'Title'))))
      const json = await printed(await another(), 'zines', 'a')
      const list = await (await another()).listJson('zines', firstPage)
      home.getNow = () => {
        throw new DiskFailedError('the disk failed')
      }
      const other = await another()
      expect(await printed(other, 'zines', 'a')).to.deep.equal(json)
      expect(await (await another()).listJson('zines', firstPage)).to.deep.equal(list)
      expect(json?.json).to.include('Title').and.include('Name')
    }, home)
  })

  it('never has private fields', async () => {
    await withCatalogue(async (catalogue) => {
      const agent = { ...bodies.agents('a', 'b', 'Name'), public: false, email: 'a@hidden.example' }
      await catalogue.create('agents', new Map(Object.entries(agent)), { view: 'private' })
      await catalogue.read('agents', 'a', 'private')
      const { json } = await catalogue.readJson('agents', 'a')
      const { items } = await catalogue.listJson('agents', firstPage)
      expect(json + items.join('')).not.to.include('hidden')
      expect((await catalogue.read('agents', 'a', 'private')).json).to.include('hidden')
    })
  })
})

/** Takes the steps, and compares with a catalogue that has cached nothing after each. */
const expectCurrentAfter =
  (steps: readonly Step[]) =>
  async (catalogue: Catalogue, another: () => Promise<Catalogue>): Promise<void> => {
    for (const step of steps) {
      await take(catalogue, step)
      // Both what was read before this step and what was not.
      const plain = await another()
      for (const name of resourceNames) {
        for (const id of ids)
          expect(await printed(catalogue, name, id)).to.deep.equal(await readOf(plain, name, id))
        const list = await catalogue.listJson(name, firstPage)
        expect(list).to.deep.equal(await (await another()).listJson(name, firstPage))
      }
    }
  }

const firstPage = { filters: new Map(), search: '', ordering: [], page: 1, pageSize: 100 }

const ids = ['a', 'b', 'c']

type Step = {
  readonly how: 'create' | 'replace' | 'change' | 'remove'
  readonly name: ResourceName
  readonly id: string
  readonly other: string
  readonly word: string
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  // More is made than removed, or there would be little to look at.
  how: fc.constantFrom('create', 'create', 'create', 'replace', 'change', 'change', 'remove'),
  name: fc.constantFrom(...resourceNames),
  id: fc.constantFrom(...ids),
  other: fc.constantFrom(...ids),
  word: fc.constantFrom('Name', 'Another', 'A third'),
})

const anySteps = fc.array(anyStep, { minLength: 5, maxLength: 25 })

const bodies: Readonly<Record<ResourceName, (id: string, other: string, word: string) => object>> =
  {
    agents: (id, _, word) => ({
      agent_id: id,
      kind: 'Person',
      display_name: word,
      public: true,
      biography: word,
    }),
    repositories: (id, _, word) => ({
      repo_id: id,
      repository_name: word,
      repository_kind: 'archive',
      country: 'US',
    }),
    zines: (id, other, word) => ({
      zine_id: id,
      title: word,
      creator: [other],
      contributor: id === other ? [] : [id],
      subject: ['punk'],
      genre: [],
      date: [],
      language: ['en'],
      rights: [],
    }),
    holdings: (id, other, word) => ({
      holding_id: id,
      zine_id: other,
      repository_id: id,
      location: word,
    }),
  }

async function take(catalogue: Catalogue, { how, name, id, other, word }: Step): Promise<void> {
  const body = new Map(Object.entries(bodies[name](id, other, word)))
  try {
    if (how === 'create') await catalogue.create(name, body)
    else if (how === 'remove') await catalogue.remove(name, id)
    else await catalogue[how](name, id, body)
  } catch (error) {
    // What is not there cannot be changed, nor named.
    if (!(error instanceof NotFoundError || error instanceof ValidationError)) throw error
  }
}

const printed = (catalogue: Catalogue, name: ResourceName, id: string) =>
  catalogue.readJson(name, id).then(({ json, version }) => ({ json, version }), orNothing)

const readOf = (catalogue: Catalogue, name: ResourceName, id: string) =>
  catalogue.read(name, id).then(({ json, version }) => ({ json, version }), orNothing)

function orNothing(error: unknown): undefined {
  if (!(error instanceof NotFoundError)) throw error
}

async function withCatalogue(
  work: (catalogue: Catalogue, another: () => Promise<Catalogue>) => Promise<void>,
  home = memoryHome(),
): Promise<void> {
  const { changeLog, store } = await openRecords(home)
  const validator = createValidator(declared.shapes, { iris, resources, mapper })
  const recordIndex = new SparqlRecordIndex({ store, iris, resources, mapper })
  const redirects = createStoredRedirects(store, iris)
  const open = async () => {
    const now = createMonotonicClock((await recordIndex.statistics()).modified)
    const model = { iris, resources, mapper, validator }
    return createCatalogue({
      repositoryOf: () => undefined,
      store,
      changeLog,
      batchLog: noBatchLog,
      unfinishedRedactions: noUnfinishedRedactions,
      recordIndex,
      redirects,
      revision: createRevisionOf(store, false),
      ...model,
      now,
    })
  }
  await work(await open(), open)
}
