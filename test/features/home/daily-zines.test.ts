// The zines of the day: which ones the home page shows, and when they are chosen again.

import { expect } from 'chai'

import { createDailyZines, wallSize } from '../../../src/features/home/daily-zines.js'
import type { ResolvedRecord } from '../../../src/model/record/views.js'

const idsOf = (records: readonly ResolvedRecord[]): readonly unknown[] =>
  records.map(({ values }) => values.zine_id)

/** A catalogue of zines from `z0` on, which counts what is read of it. */
function createZines(count: number) {
  const ids = Array.from({ length: count }, (_, index) => `z${index}`)
  const gone = new Set<string>()
  let reads = 0
  const left = () => ids.filter((id) => !gone.has(id))
  return {
    gone,
    ids,
    reads: () => reads,
    count: () => Promise.resolve(left().length),
    findIds: (_name: unknown, _query: unknown, range: { offset: number; limit: number }) => {
      reads += range.limit
      const part = left().slice(range.offset, range.offset + range.limit)
      return Promise.resolve({ count: left().length, ids: part })
    },
    // The cast: nothing else of a record is looked at.
    readForLists: (references: readonly { readonly id: string }[]) =>
      Promise.resolve(
        references
          .filter(({ id }) => !gone.has(id))
          .map(({ id }) => ({ values: { zine_id: id } }) as unknown as ResolvedRecord),
      ),
    // As after a write each time.
    keepUntilNextWrite: <Value>(_key: string, make: () => Promise<Value>) => make(),
  }
}

function createWall(catalogue: ReturnType<typeof createZines>, pictured: readonly string[] = []) {
  let now = '2026-03-01T08:00:00Z'
  const zines = createDailyZines({
    catalogue,
    pictures: { withPublicPicture: () => pictured },
    now: () => new Date(now),
  })
  return {
    setTime: (time: string) => (now = time),
    ids: async () => idsOf(await zines()),
  }
}

describe('the zines of the day', () => {
  it('are twenty different ones, the same all day and at the next start', async () => {
    const catalogue = createZines(1000)
    const wall = createWall(catalogue)
    const ids = await wall.ids()
    expect(new Set(ids).size).to.equal(wallSize)
    wall.setTime('2026-03-01T23:59:59Z')
    expect(await wall.ids()).to.deep.equal(ids)
    expect(await createWall(createZines(1000)).ids()).to.deep.equal(ids)
  })

  it('are others on the next day', async () => {
    const wall = createWall(createZines(100_000))
    const ids = await wall.ids()
    wall.setTime('2026-03-02T00:00:00Z')
    expect(await wall.ids()).not.to.include.members(ids.slice(0, 3))
  })

  it('take twenty reads of a large catalogue, and no more of them on that day', async () => {
    const catalogue = createZines(100_000)
    const wall = createWall(catalogue)
    for (let request = 0; request < 5; request += 1) await wall.ids()
    expect(catalogue.reads()).to.be.at.most(wallSize)
  })

  it('are all in a small catalogue, also those that were added since', async () => {
    const catalogue = createZines(3)
    const wall = createWall(catalogue)
    expect(await wall.ids()).to.have.members(['z0', 'z1', 'z2'])
    catalogue.ids.push('z3')
    expect(await wall.ids()).to.have.members(['z0', 'z1', 'z2', 'z3'])
  })

  it('have none of an empty catalogue', async () => {
    expect(await createWall(createZines(0)).ids()).to.deep.equal([])
  })

  it('are chosen again when one of them is no longer public', async () => {
    const catalogue = createZines(1000)
    const wall = createWall(catalogue)
    const [first] = await wall.ids()
    catalogue.gone.add(String(first))
    const ids = await wall.ids()
    expect(ids).to.have.lengthOf(wallSize).and.not.to.include(first)
  })

  it('are at most twelve with pictures, and others besides', async () => {
    const pictured = Array.from({ length: 30 }, (_, index) => `z${index}`)
    const ids = await createWall(createZines(100_000), pictured).ids()
    const shown = ids.filter((id) => pictured.includes(String(id)))
    expect([ids.length, shown.length]).to.deep.equal([wallSize, 12])
  })

  it('are as many where zines with pictures are hidden', async () => {
    const catalogue = createZines(100)
    catalogue.gone.add('z7')
    expect(await createWall(catalogue, ['z7', 'z8']).ids())
      .to.have.lengthOf(wallSize)
      .and.include('z8')
  })
})
