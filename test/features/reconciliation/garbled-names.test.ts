// Measures how many garbled names of a real collection are found: COLLECTION_FILES names a folder with
// agents.jsonl, zines.jsonl and, in vocabularies/ or beside them, its own subjects.ttl and genres.ttl.
// `GARBLED_NAMES` and `GARBLED_SEED` ask for more names or others.

import { expect } from 'chai'

import { fold } from '../../../src/lib/names/folding.js'
import {
  createCollectionDirectory,
  createRecords,
  hasCollection,
  readCollection,
} from '../../collection.js'
import { type TestService, startService } from '../../service.js'
import { type GarbledName, garbleNames } from './garble.js'

const count = Number(process.env.GARBLED_NAMES ?? 500)
const seed = Number(process.env.GARBLED_SEED ?? 1)

const titled = (text: string): string =>
  hasCollection ? text : `${text} (skipped: COLLECTION_FILES is not set)`

type Agent = { readonly agent_id: string; readonly display_name: string; readonly kind: string }
type Zine = {
  readonly zine_id: string
  readonly title: string
  readonly creator: readonly string[]
  readonly date: readonly string[]
}

type Asked = {
  readonly garbled: GarbledName
  readonly ids: readonly string[]
  readonly zine?: string
}

type Outcome = {
  readonly asked: number
  readonly first: number
  readonly matched: number
  /** What was taken for certain and is wrong. */
  readonly wrong: readonly string[]
  /** By kind of garbling, the share that was found first. */
  readonly shares: ReadonlyMap<string, number>
}

describe('garbled names of a real collection', () => {
  let service: TestService | undefined
  let agents: readonly Agent[]
  let zines: readonly Zine[]

  before(async function () {
    if (!hasCollection) this.skip()
    agents = await readCollection<Agent>('agents')
    zines = await readCollection<Zine>('zines')
    service = await startCollection()
  })
  after(() => service?.stop())

  /** Names that one agent alone has. */
  const uniqueNames = (): ReadonlyMap<string, string> => {
    const idsByName = groupBy(agents, ({ display_name }) => fold(display_name))
    return new Map(
      agents
        .filter(({ display_name }) => idsByName.get(fold(display_name))?.length === 1)
        .map(({ agent_id, display_name }) => [display_name, agent_id]),
    )
  }

  it(titled('are found first for 95 of 100 people, and for 90 of 100 of each kind'), async () => {
    const ids = uniqueNames()
    const asked = garbleNames([...ids.keys()], count, seed).map((garbled) => ({
      garbled,
      ids: [ids.get(garbled.name) ?? ''],
    }))
    const outcome = await measure(service, 'agents', asked)
    report('people', outcome)
    expect(outcome.first / outcome.asked).to.be.at.least(0.95)
    for (const [kind, share] of outcome.shares) expect(share, kind).to.be.at.least(0.9)
    expect(outcome.wrong).to.deep.equal([])
  })

  it(titled('are found first for 95 of 100 titles'), async () => {
    const idsByTitle = groupBy(zines, ({ title }) => fold(title))
    const asked = garbleNames(
      zines.map(({ title }) => title),
      count,
      seed + 1,
    ).map((garbled) => ({
      garbled,
      ids: (idsByTitle.get(fold(garbled.name)) ?? []).map(({ zine_id }) => zine_id),
    }))
    const outcome = await measure(
      service,
      'zines',
      asked.filter(({ garbled }) => isTypo(garbled)),
    )
    report('titles', outcome)
    expect(outcome.first / outcome.asked).to.be.at.least(0.95)
    expect(outcome.wrong).to.deep.equal([])
  })

  it(titled('of one that is not in the collection are never a match'), async () => {
    const ids = uniqueNames()
    const removed = garbleNames([...ids.keys()], count, seed + 2)
    const gone = [...new Map(removed.map((one) => [ids.get(one.name) ?? '', one]))].slice(0, 100)
    const records = new Map(agents.map((agent) => [agent.agent_id, agent]))
    const wrong: string[] = []
    const others = await startCollection(new Set(gone.map(([id]) => id)))
    try {
      const answers = await reconcile(
        others,
        gone.flatMap(([, { name, garbled }]) =>
          [name, garbled].map((query) => ({ query, type: 'agents' })),
        ),
      )
      answers.forEach((candidates, index) => {
        const [, one] = gone[Math.floor(index / 2)] ?? []
        const [first] = candidates
        const other = records.get(String(first?.id).replace('agents/', ''))?.display_name ?? ''
        if (first?.match) wrong.push(`${one?.name} / ${one?.garbled} → ${other}`)
      })
    } finally {
      await others.stop()
    }
    expect(wrong).to.deep.equal([])
  })

  it(titled('of namesakes are told apart by a zine'), async () => {
    const byName = groupBy(agents, ({ display_name }) =>
      fold(display_name).split(' ').sort().join(' '),
    )
    const titlesOf = (id: string): readonly string[] =>
      zines.filter(({ creator }) => creator.includes(id)).map(({ title }) => fold(title))
    const asked = [...byName.values()]
      .filter((group) => group.length > 1)
      .flatMap((group) => {
        const titles = group.map(({ agent_id }) => titlesOf(agent_id))
        return group.flatMap(({ agent_id, display_name }, index) => {
          // Issues of one title do not tell them apart.
          const others = titles.flatMap((own, other) => (other === index ? [] : own))
          const zine = titles[index]?.find((title) => !others.includes(title))
          const garbled = { kind: 'namesake', name: display_name, garbled: display_name }
          return zine === undefined ? [] : [{ garbled, ids: [agent_id], zine }]
        })
      })
    if (asked.length === 0) return
    const outcome = await measure(service, 'agents', asked)
    report('namesakes', outcome)
    expect(outcome.first / outcome.asked).to.be.at.least(0.95)
    expect(outcome.wrong).to.deep.equal([])
  })

  it(titled('with initials are told apart by a zine'), async () => {
    const ids = uniqueNames()
    const asked = garbleNames([...ids.keys()], 4 * count, seed + 3)
      .filter(({ kind }) => ['initials', 'one typo'].includes(kind))
      .flatMap((garbled) => {
        const id = ids.get(garbled.name) ?? ''
        const zine = zines.find(({ creator }) => creator.includes(id))
        return zine ? [{ garbled, ids: [id], zine: zine.title }] : []
      })
    const outcome = await measure(service, 'agents', asked)
    report('with a zine', outcome)
    expect(outcome.first / outcome.asked).to.be.at.least(0.98)
    expect(outcome.wrong).to.deep.equal([])
  })
})

function groupBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

/** Titles have neither order nor initials that others would write otherwise. */
const isTypo = ({ kind }: GarbledName): boolean =>
  ['one typo', 'accents', 'case and punctuation'].includes(kind)

/** A service with the collection, but for some agents and their zines. */
async function startCollection(without: ReadonlySet<string> = new Set()): Promise<TestService> {
  const service = await startService({ DATA_DIR: await createCollectionDirectory() })
  const agents = (await readCollection<Agent>('agents')).filter(
    ({ agent_id }) => !without.has(agent_id),
  )
  const zines = (await readCollection<Zine>('zines')).filter(
    ({ creator }) => !creator.some((id) => without.has(id)),
  )
  await createRecords(service, 'agents', agents)
  if (without.size === 0) await createRecords(service, 'zines', zines)
  return service
}

type Found = { readonly id: string; readonly score: number; readonly match: boolean }

async function reconcile(
  service: TestService,
  queries: readonly object[],
): Promise<readonly (readonly Found[])[]> {
  const answers: (readonly Found[])[] = []
  for (let start = 0; start < queries.length; start += 10) {
    const batch = Object.fromEntries(
      queries.slice(start, start + 10).map((query, index) => [`q${index}`, query]),
    )
    const { status, text, body } = await service.ask('POST', '/reconcile', {
      raw: new URLSearchParams({ queries: JSON.stringify(batch) }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      token: null,
    })
    expect(status, text).to.equal(200)
    for (const key of Object.keys(batch)) answers.push(body[key].result)
  }
  return answers
}

async function measure(
  service: TestService | undefined,
  type: string,
  asked: readonly Asked[],
): Promise<Outcome> {
  if (!service) throw new Error('the service is started in a before hook')
  const answers = await reconcile(
    service,
    asked.map(({ garbled, zine }) => ({
      query: garbled.garbled,
      type,
      limit: 5,
      ...(zine === undefined ? {} : { properties: [{ pid: 'zine', v: zine }] }),
    })),
  )
  const byKind = new Map<string, { asked: number; first: number }>()
  const wrong: string[] = []
  let [first, matched] = [0, 0]
  asked.forEach(({ garbled: { kind, name, garbled }, ids }, index) => {
    const [best] = answers[index] ?? []
    const isFirst = ids.some((id) => best?.id === `${type}/${id}`)
    const counts = byKind.get(kind) ?? { asked: 0, first: 0 }
    byKind.set(kind, { asked: counts.asked + 1, first: counts.first + Number(isFirst) })
    first += Number(isFirst)
    matched += Number(best?.match ?? false)
    if (!isFirst && process.env.GARBLED_REPORT === 'all')
      console.log(kind, name, garbled, ids, JSON.stringify(answers[index]?.slice(0, 3)))
    if (best?.match && !isFirst) wrong.push(`${name} / ${garbled} → ${best.id}`)
  })
  return {
    asked: asked.length,
    first,
    matched,
    wrong,
    shares: new Map([...byKind].map(([kind, one]) => [kind, one.first / one.asked])),
  }
}

/** With `GARBLED_REPORT`, prints the figures. */
function report(what: string, { asked, first, matched, wrong, shares }: Outcome): void {
  if (!process.env.GARBLED_REPORT) return
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
  const kinds = [...shares].map(([kind, share]) => `${kind} ${percent(share)}`).join(', ')
  console.log(
    `${what}: ${asked} asked, first ${percent(first / asked)}, match ${percent(matched / asked)}, wrong ${wrong.length}; ${kinds}`,
  )
}
