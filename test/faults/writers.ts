// Test clients that write until the service ends. Each creates, changes and deletes its own
// records, cascades included, and notes the responses. Afterwards the notes are compared with the
// data.

import { expect } from 'chai'

import { agent, holding, zine } from '../examples.js'
import type { Answer, Client } from './client.js'

/**
 * The version of a record, which stands in several of its fields; undefined where there is none.
 */
type Version = number | undefined

/**
 * A record as the service said it is; and what it was asked to be in a request that had no answer.
 */
type Kept = { told: Version; readonly asked: Set<Version> }

export function openAccount() {
  const zines = new Map<string, Kept>()
  /** By the zine's identifier, which theirs begin with. */
  const holdings = new Map<string, Kept>()
  const agents = new Map<string, Kept>()
  /** Those that were written since they were looked at last. */
  const written = new Set<string>()
  let acknowledged = 0

  /** Writes, and takes note of what becomes of the records by it. */
  async function write(
    all: readonly (readonly [Map<string, Kept>, string, Version])[],
    send: () => Promise<Answer>,
  ): Promise<void> {
    const records = all.map(([kind, id, version]) => {
      const record = kind.get(id) ?? { told: undefined, asked: new Set() }
      kind.set(id, record)
      record.asked.add(version)
      written.add(id)
      return { record, version }
    })
    const { status, body } = await send()
    expect(status, JSON.stringify(body)).to.be.within(200, 204)
    acknowledged += 1
    for (const { record, version } of records) {
      record.told = version
      record.asked.clear()
    }
  }

  /** Writes until there is no answer. @param name tells its records from those of other writers */
  async function run({ ask, post }: Client, name: string): Promise<void> {
    for (let number = 0; ; number += 1) {
      const id = `${name}-${number}`
      await write([[agents, id, 0]], () => post('agents', maker(id, 0)))
      await write([[zines, id, 0]], () => post('zines', titles(id, 0)))
      for (const copy of copiesOf(id))
        await write([[holdings, copy, 0]], () => post('holdings', copyOf(copy, id)))
      for (const version of [1, 2]) {
        await write([[zines, id, version]], () =>
          ask('PATCH', `/api/zines/${id}/`, titles(id, version)),
        )
        await write([[agents, id, version]], () =>
          ask('PUT', `/api/agents/${id}/?private=true`, maker(id, version)),
        )
      }
      if (number % 2 === 0) continue
      const gone = copiesOf(id).map((copy) => [holdings, copy, undefined] as const)
      await write([[zines, id, undefined], ...gone], () => ask('DELETE', `/api/zines/${id}/`))
    }
  }

  /** Holds the account against a service that was started again, and goes on from what is there. */
  async function check(client: Client): Promise<void> {
    const [zinesThere, holdingsThere, agentsThere] = await Promise.all([
      listed(client, 'zines', 'zine_id'),
      listed(client, 'holdings', 'holding_id'),
      listed(client, 'agents', 'agent_id'),
    ])
    // Those that nobody was told of.
    const unsure = [...zines].filter(([, { asked }]) => asked.size > 0).map(([id]) => id)
    settle(zines, (id) => versionIn(zinesThere.get(id), 'title', 'series_title'))
    settle(holdings, (id) => versionIn(holdingsThere.get(id), 'location', 'condition'))
    settle(agents, (id) => versionIn(agentsThere.get(id), 'display_name', 'biography'))
    for (const id of unsure) await compare(client, id)
    for (const [id, { told }] of agents) {
      if (told === undefined || !written.has(id)) continue
      // What only some may see was written with what all may see, or not at all.
      const { body } = await client.get(`/api/agents/${id}/?private=true`)
      expect(versionIn(body, 'display_name', 'legal_name'), `${id}, whole`).to.equal(told)
    }
    for (const [id, { told }] of zines) {
      if (told !== undefined) continue
      const left = copiesOf(id).filter((copy) => holdingsThere.has(copy))
      expect(left, `copies of ${id}, which is not there`).to.deep.equal([])
    }
    written.clear()
  }

  /** Whether a zine's own page, the list and the search say the same of it, and of its copies. */
  async function compare({ get }: Client, id: string): Promise<void> {
    const isThere = zines.get(id)?.told !== undefined
    expect((await get(`/api/zines/${id}/`)).status, id).to.equal(isThere ? 200 : 404)
    const { count } = (await get(`/api/zines/?search="${id}"`)).body
    expect(count, `search for ${id}`).to.equal(isThere ? 1 : 0)
    for (const copy of copiesOf(id)) {
      const isHeld = holdings.get(copy)?.told !== undefined
      expect((await get(`/api/holdings/${copy}/`)).status, copy).to.equal(isHeld ? 200 : 404)
    }
  }

  function settle(kind: Map<string, Kept>, versionThere: (id: string) => Version): void {
    for (const [id, record] of kind) {
      const version = versionThere(id)
      const allowed = [record.told, ...record.asked]
      expect(allowed, `${id} is there as version ${String(version)}`).to.include(version)
      record.told = version
      record.asked.clear()
    }
  }

  return { run, check, acknowledged: () => acknowledged }
}

const copiesOf = (id: string): string[] => [`${id}-a`, `${id}-b`]

// A version is said twice, so that half a record is found out.

const titles = (id: string, version: number) =>
  zine(id, { title: `Zine "${id}" version ${version}`, series_title: [`version ${version}`] })

const copyOf = (id: string, zine_id: string) =>
  holding(id, { zine_id, location: 'version 0', condition: 'version 0' })

const maker = (id: string, version: number) =>
  agent(id, {
    public: false,
    display_name: `version ${version}`,
    biography: `version ${version}`,
    legal_name: `version ${version}`,
  })

type Shown = Readonly<Record<string, unknown>>

/** What both fields say; it fails where they say different things. */
function versionIn(record: Shown | undefined, ...fields: readonly string[]): Version {
  if (!record) return undefined
  const versions = fields.map((field) => /version (\d+)$/.exec(String(record[field]))?.[1])
  expect(new Set(versions).size, JSON.stringify(record)).to.equal(1)
  expect(versions[0], JSON.stringify(record)).to.be.a('string')
  return Number(versions[0])
}

/** The whole of a list, by identifier. */
async function listed({ get }: Client, resource: string, key: string): Promise<Map<string, Shown>> {
  const { body } = await get(`/api/export/${resource}/`)
  const records = new Map<string, Shown>(body.results.map((record: any) => [record[key], record]))
  const { count } = (await get(`/api/${resource}/`)).body
  expect([body.results.length, records.size], `the list of ${resource}`).to.deep.equal([
    count,
    count,
  ])
  return records
}
