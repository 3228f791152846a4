// Harvests of /oai while others write: what stays comes once, what changes comes with the next harvest, and
// then the copy is that of the catalogue (docs/reference/oai-pmh.md, "Harvesting"). Also by our own
// harvester.

import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

import { expect } from 'chai'

import { harvest } from '../../../src/lib/sources/harvest.js'
import { agent, holding, repository, zine } from '../../examples.js'
import { type TestService, startService } from '../../service.js'
import {
  ask,
  elementsIn,
  harvestHeaders,
  harvestPages,
  headersIn,
  tokenIn,
  withToken,
} from './oai-client.js'

type Line = { readonly op: string; readonly kind: string; readonly body: object }

const counts = { agents: 20, zines: 150, holdings: 150, repositories: 5 }

async function fill(service: TestService): Promise<void> {
  const times = <Made>(count: number, make: (index: number) => Made): Made[] =>
    Array.from({ length: count }, (_, index) => make(index))
  const lines: Line[] = [
    ...times(counts.agents, (index) => ({ kind: 'agents', body: agent(`a${index}`) })),
    ...times(counts.repositories, (index) => ({
      kind: 'repositories',
      body: repository(`r${index}`),
    })),
    ...times(counts.zines, (index) => ({
      kind: 'zines',
      body: zine(`z${index}`, { creator: [`a${index % counts.agents}`] }),
    })),
    ...times(counts.holdings, (index) => ({
      kind: 'holdings',
      body: holding(`h${index}`, {
        zine_id: `z${(index * 7) % counts.zines}`,
        repository_id: `r${index % counts.repositories}`,
      }),
    })),
  ].map((line) => ({ op: 'create', ...line }))
  const answer = await service.ask('POST', '/api/batches/', {
    raw: lines.map((line) => JSON.stringify(line)).join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  })
  expect(answer.status, answer.text.slice(0, 500)).to.be.below(300)
}

/** Numbers that look random and are the same in each run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return (state >> 8) % below
  }
}

/** Writes of all kinds; some are refused, since the record is gone. */
async function writeSomething(
  service: TestService,
  random: (below: number) => number,
): Promise<void> {
  const pick = (kind: keyof typeof counts): string => `${kind[0] ?? ''}${random(counts[kind])}`
  const writes: (() => Promise<unknown>)[] = [
    () => service.patch(`/api/agents/${pick('agents')}/`, { display_name: `N ${random(1000)}` }),
    () => service.patch(`/api/zines/${pick('zines')}/`, { language: [random(2) ? 'fr' : 'en'] }),
    () => service.patch(`/api/zines/${pick('zines')}/`, { creator: [pick('agents')] }),
    () => service.delete(`/api/zines/${pick('zines')}/`),
    () => service.delete(`/api/holdings/${pick('holdings')}/`),
    () => service.patch(`/api/holdings/${pick('holdings')}/`, { zine_id: pick('zines') }),
    () =>
      service.patch(`/api/holdings/${pick('holdings')}/`, { repository_id: pick('repositories') }),
    () => service.post(`/api/zines/${pick('zines')}/merge/`, { into: pick('zines') }),
    () => service.post(`/api/zines/${pick('zines')}/rename/`, { id: `new-${random(1000)}` }),
    () => service.post('/api/zines/', zine(pick('zines'), { creator: [pick('agents')] })),
    () => service.delete(`/api/agents/${pick('agents')}/`),
    () => service.post('/api/agents/', agent(pick('agents'))),
    () =>
      service.post(
        '/api/holdings/',
        holding(pick('holdings'), { zine_id: pick('zines'), repository_id: pick('repositories') }),
      ),
  ]
  await writes[random(writes.length)]?.()
}

/** The records in answers by their identifiers, of each the last. */
const recordsIn = (pages: readonly string[]): Map<string, string> =>
  new Map(
    pages.flatMap((page) =>
      [
        ...page.matchAll(/<record>\n<header.*?<\/record>(?=\n<(?:record>|resumption|\/List))/gs),
      ].map(([record]): [string, string] => [elementsIn(record, 'identifier')[0] ?? '', record]),
    ),
  )

describe('a harvest of /oai while others write', () => {
  for (const seed of [1, 2, 3])
    it(`brings what stays once, and with the next one the copy is complete (${seed})`, async () => {
      const service = await startService()
      await fill(service)
      // So that what is written during the harvest has other dates.
      await wait(1010 - (Date.now() % 1000))
      const random = createRandom(seed)
      const before = await harvestHeaders(service)
      const pages: string[] = []
      let query = 'verb=ListRecords&metadataPrefix=oai_dc'
      for (;;) {
        const page = await ask(service, query)
        pages.push(page)
        const token = tokenIn(page) ?? ''
        if (token === '') break
        query = withToken('ListRecords', token)
        const writes = Array.from({ length: 15 }, () => writeSomething(service, random))
        await Promise.all(writes)
      }
      const first = pages.flatMap(headersIn)
      const [responseDate = ''] = elementsIn(pages[0] ?? '', 'responseDate')
      const next = await harvestPages(
        service,
        `metadataPrefix=oai_dc&from=${responseDate}`,
        'ListRecords',
      )

      const changed = new Set(
        (await harvestPages(service, `metadataPrefix=oai_dc&from=${responseDate}`))
          .flatMap(headersIn)
          .filter(({ identifier, datestamp }) => {
            const earlier = before.find((one) => one.identifier === identifier)
            return earlier?.datestamp !== datestamp || datestamp >= responseDate
          })
          .map(({ identifier }) => identifier),
      )
      const stayed = before.filter((one) => !changed.has(one.identifier))
      expect(stayed).not.to.have.length(0)
      for (const { identifier } of stayed)
        expect(
          first.filter((one) => one.identifier === identifier),
          identifier,
        ).to.have.length(1)

      const copy = recordsIn([...pages, ...next])
      const all = await harvestPages(service, 'metadataPrefix=oai_dc', 'ListRecords')
      const present = recordsIn(all)
      expect([...copy].sort()).to.deep.equal([...present].sort())
      await service.stop()
    })

  it('has the same dates, sets and deletions after a restart', async () => {
    const service = await startService()
    await fill(service)
    const random = createRandom(4)
    await harvestHeaders(service)
    for (let round = 0; round < 100; round += 1) {
      await writeSomething(service, random)
      if (round % 10 === 0) await harvestHeaders(service)
    }
    const pages = await harvestPages(service, 'metadataPrefix=oai_dc')
    await service.close()
    const again = await startService({ DATA_DIR: service.dataDir })
    const after = await harvestPages(again, 'metadataPrefix=oai_dc')
    expect(after.flatMap(headersIn)).to.deep.equal(pages.flatMap(headersIn))
    await again.stop()
  })
})

describe('our own harvester', () => {
  it('harvests a catalogue of ours, whole and then what changed', async () => {
    const service = await startService()
    await fill(service)
    const path = join(tmpdir(), `oai-harvest-${process.pid}.txt`)
    const options = { path, allowedHosts: ['127.0.0.1'] }
    const url = `${service.url}/oai`
    const whole = await harvest({ url, metadataPrefix: 'marc21', set: 'zines' }, options)
    expect(whole).to.include({
      records: counts.zines,
      deleted: 0,
      repositoryName: 'Zine Catalogue',
    })
    expect(await readFile(path, 'utf8')).to.include('Zine z0')
    await service.delete('/api/zines/z0/')
    const from = whole.responseDate
    const rest = await harvest({ url, metadataPrefix: 'oai_dc', from }, options)
    expect(rest.deleted).to.be.at.least(1)
    await service.stop()
  })
})
