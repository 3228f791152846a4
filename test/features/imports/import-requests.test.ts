// Tests over HTTP what happens to an import when several requests change it at once, and when the service ends
// while it is written.

import { expect } from 'chai'

import { type TestService, startService } from '../../service.js'
import { unique, useCatalogue } from '../../http/catalogue.js'
import { importClient } from './import-client.js'

const answers = {
  defaults: {
    zines: { subject: ['zines'], genre: ['zine'], language: ['en'], rights: [], date: null },
  },
}

describe('requests for one import at the same time:', () => {
  const { service } = useCatalogue()
  const { begin, decide, ended, get, pathOf, post } = importClient(service)

  const statuses = async (requests: readonly Promise<{ readonly status: number }>[]) =>
    (await Promise.all(requests)).map(({ status }) => status).sort()

  async function previewed(): Promise<string> {
    const prefix = unique('atonce')
    const text = ['Title,Author', `${prefix} one,Ann`, `${prefix} two,Bob`].join('\n')
    const { id } = await begin(text, `filename=${prefix}.csv`, answers)
    await post(id, 'preview/')
    return id
  }

  it('of three that write it, one is taken, and it can be taken back', async () => {
    const id = await previewed()
    const commit = () => service().post(pathOf(id, 'commit/'), {})
    const [first, ...others] = await statuses([commit(), commit(), commit()])
    expect(first).to.be.oneOf([200, 202])
    expect(others).to.deep.equal([409, 409])
    expect((await ended(id)).written.zines).to.deep.equal({ created: 2 })
    const undone = await post(id, 'undo/')
    expect([undone.state, undone.kept]).to.deep.equal(['undone', []])
  })

  it('of one that writes, one that previews and one that decides, one is taken', async () => {
    const id = await previewed()
    const [first, ...others] = await statuses([
      service().post(pathOf(id, 'commit/'), {}),
      service().post(pathOf(id, 'preview/'), {}),
      decide(id, { description: 'changed' }),
    ])
    expect(first).to.be.oneOf([200, 202])
    expect(others).to.deep.equal([409, 409])
  })

  it('of three decisions with the same revision, one is taken', async () => {
    const id = await previewed()
    const { revision } = await get(id)
    const all = ['a', 'b', 'c'].map((description) => decide(id, { revision, description }))
    expect(await statuses(all)).to.deep.equal([200, 409, 409])
    expect((await get(id)).revision).to.equal(Number(revision) + 1)
  })

  it('decisions without a revision are all taken, and say what they overwrite', async () => {
    const id = await previewed()
    const names = ['Ann', 'Bob', 'Cat'].map((name) => ({ [name]: { drop: true } }))
    const decided = await Promise.all(names.map((decision) => decide(id, { names: decision })))
    expect(decided.map(({ body }) => body.overwritten)).to.deep.equal([[], [], []])
    expect(Object.keys((await get(id)).profile.names)).to.have.members(['Ann', 'Bob', 'Cat'])
    const { body } = await decide(id, {
      names: { Ann: { use: 'ann' }, Bob: { drop: true }, Cat: 'none' },
      defaults: { zines: { genre: ['perzine'] } },
    })
    expect(body.overwritten).to.deep.equal([
      { path: ['names', 'Ann'], before: { drop: true } },
      { path: ['names', 'Cat'], before: { drop: true } },
      { path: ['defaults', 'zines', 'genre'], before: ['zine'] },
    ])
  })
})

describe('a source that is read in another way', () => {
  const { service } = useCatalogue()
  const { begin, decide, settled } = importClient(service)

  it('keeps the decisions that still apply, and says which it drops', async () => {
    const text = ['Title;Maker,Mood', 'Heron;Ann,good', 'Egret;Bob,bad'].join('\n')
    const one = await begin(text, 'filename=a.csv', { source: { delimiter: ',' } })
    expect(one.profile.source.delimiter).to.equal(',')
    const decided = await settled(
      await decide(one.id, {
        rules: [...one.profile.rules, { from: 'Mood', to: 'zines.public_notes' }],
        names: { Ann: { drop: true } },
        terms: { subjects: { punk: { drop: true } } },
        defaults: { zines: { genre: ['zine'] } },
        duplicates: { source: 'skip', rows: { 2: 'skip' } },
      }),
    )
    const again = await settled(await decide(one.id, { source: { delimiter: ';' } }))
    const { profile, message } = again
    expect(profile.names).to.deep.equal({ Ann: { drop: true } })
    expect(profile.terms).to.deep.equal(decided.profile.terms)
    expect(profile.defaults.zines.genre).to.deep.equal(['zine'])
    expect(profile.duplicates).to.deep.include({ source: 'skip', rows: {} })
    expect(profile.rules.map(({ from, to }: any) => [from, to])).to.deep.include([
      'Title',
      'zines.title',
    ])
    expect(message)
      .to.include('“Mood” goes to zines.public_notes')
      .and.to.include('what is done with single rows')
    const encoded = await settled(await decide(one.id, { source: { encoding: 'windows-1252' } }))
    expect(encoded.message).to.equal(null)
    expect(encoded.profile.rules).to.deep.equal(profile.rules)
  })

  it('has the names of its columns where they are in the new way', async () => {
    const text = ['A list of zines', 'Title;Maker;Year', 'Heron;Ann;1999', 'Egret;Bob;2000'].join(
      '\n',
    )
    const one = await begin(text, 'filename=a.csv', { source: { delimiter: ',', skipRows: 0 } })
    expect(one.rows).to.equal(3)
    const again = await settled(await decide(one.id, { source: { delimiter: ';' } }))
    expect([again.rows, again.profile.source.skipRows]).to.deep.equal([2, 1])
  })
})

describe('an import that the end of the service stopped', () => {
  // Names that are like others of the file, and zines that are there twice, so that what was written would be found
  // in the catalogue.
  const text = [
    'ID,Title,Author,Year',
    ...Array.from({ length: 500 }, (_, row) => {
      const maker = ['Jon Smith', 'John Smith', 'J. Smith', 'Jon A. Smith', 'Smith Press', ''][
        row % 6
      ]
      return `${row},Zine ${row % 400},${maker} ${row % 50},${1990 + (row % 3)}`
    }),
  ].join('\n')

  /** What an import made, with nothing that is of the import or of the moment. */
  async function made(service: TestService): Promise<readonly object[]> {
    const records: object[] = []
    for (const kind of ['agents', 'zines']) {
      const { text: lines } = await service.get(`/api/${kind}/export/?format=jsonl`)
      for (const line of lines.split('\n').filter(Boolean)) {
        const { created_at, updated_at, ...record } = JSON.parse(line)
        expect([created_at, updated_at]).to.have.length(2)
        records.push(record)
      }
    }
    return records.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  }

  /** A service that ended while it wrote the import, started again; undefined if the import was done before. */
  async function stoppedService(): Promise<{ service: TestService; id: string } | undefined> {
    const service = await startService()
    const client = importClient(() => service)
    const { id } = await client.begin(text, 'filename=a.csv', answers)
    await client.post(id, 'preview/')
    const asked = service.post(client.pathOf(id, 'commit/'), {}).catch(() => undefined)
    for (let done = 0; done === 0;) {
      const one = await client.get(id)
      done = one.progress?.done ?? (one.state === 'written' ? 1 : 0)
    }
    await Promise.all([service.close(), asked])
    const again = await startService({ DATA_DIR: service.dataDir })
    const { state, progress } = await importClient(() => again).get(id)
    expect(progress, state).to.equal(null)
    if (state === 'stopped') return { service: again, id }
    await again.stop()
    return undefined
  }

  it('makes the same when it goes on as one that was not stopped', async function () {
    // Two services would share the engine.
    if (process.env.TEST_STORE) this.skip()
    const whole = await startService()
    let stopped = await stoppedService()
    while (!stopped) stopped = await stoppedService()
    const { service, id } = stopped
    try {
      const wholeClient = importClient(() => whole)
      const begun = await wholeClient.begin(text, 'filename=a.csv', answers)
      const uninterrupted = await wholeClient.write(begun.id)
      const resumed = await importClient(() => service).write(id)
      expect(resumed.written).to.deep.equal(uninterrupted.written)
      expect(await made(service)).to.deep.equal(await made(whole))
    } finally {
      await Promise.all([service.stop(), whole.stop()])
    }
  })
})
