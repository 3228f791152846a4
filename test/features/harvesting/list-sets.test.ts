// The public lists of editors as sets of /oai (docs/reference/oai-pmh.md, "Items"): what is in them, that
// harvests bring what comes to a list, and that nothing of other lists and of hidden records is told.

import { setTimeout as wait } from 'node:timers/promises'

import { expect } from 'chai'

import { dataFiles } from '../../../src/config.js'
import { StoredLists } from '../../../src/features/lists/stored-lists.js'
import { openKeyValueStore } from '../../../src/lib/key-value/key-value-store.js'
import { agent, holding, repository, zine } from '../../examples.js'
import { type TestService, startService, useService } from '../../service.js'
import {
  ask,
  elementsIn,
  errorIn,
  harvestHeaders,
  harvestPages,
  headersIn,
  tokenIn,
  withToken,
} from './oai-client.js'

type ListOptions = { readonly title?: string; readonly public?: boolean }

const listBody = (keys: readonly string[], { title = 'A list', ...more }: ListOptions = {}) => ({
  title,
  public: more.public ?? true,
  records: keys.map((key) => {
    const [kind, id] = key.split('/')
    return { kind, id }
  }),
})

/** Asks a service for lists and their sets. */
const clientOf = (service: () => TestService) => {
  const headersOf = async (query: string) =>
    (await harvestHeaders(service(), `metadataPrefix=oai_dc${query}`)).map((header) => ({
      ...header,
      key: header.identifier.replace('oai:zines.example:', ''),
    }))
  return {
    headersOf,
    makeList: async (
      slug: string,
      keys: readonly string[],
      options?: ListOptions,
    ): Promise<void> => {
      const body = { slug, ...listBody(keys, options) }
      const { status, text } = await service().post('/api/lists/', body)
      expect(status, text).to.equal(201)
    },
    replaceList: async (
      slug: string,
      keys: readonly string[],
      options?: ListOptions,
    ): Promise<void> => {
      const { status, text } = await service().put(`/api/lists/${slug}/`, listBody(keys, options))
      expect(status, text).to.equal(200)
    },
    /** The sets of lists that a record is in, by its header. */
    listsOf: async (key: string): Promise<string[]> => {
      const found = (await headersOf('')).find((header) => header.key === key)
      return (found?.sets ?? []).filter((set) => set.startsWith('list'))
    },
    /** What is in the set of a list; of what is gone, with a sign. */
    keysIn: async (slug: string, more = ''): Promise<string[]> => {
      const headers = await headersOf(`&set=list:${slug}${more}`)
      return headers.map(({ key, isDeleted }) => (isDeleted ? `-${key}` : key)).sort()
    },
    errorOf: async (slug: string): Promise<string | undefined> => {
      const query = `verb=ListRecords&metadataPrefix=oai_dc&set=list:${slug}`
      return errorIn(await ask(service(), query))
    },
    sets: async (): Promise<ReadonlyMap<string, string | undefined>> => {
      const xml = (await harvestPages(service(), '', 'ListSets')).join('')
      const names = elementsIn(xml, 'setName')
      return new Map(elementsIn(xml, 'setSpec').map((spec, index) => [spec, names[index]]))
    },
  }
}

/** The argument for what changes in the next second and later. */
async function fromNextSecond(): Promise<string> {
  await wait(1010 - (Date.now() % 1000))
  return `&from=${new Date().toISOString().slice(0, 19)}Z`
}

describe('the sets of lists of editors', () => {
  const service = useService()
  const { headersOf, makeList, replaceList, listsOf, keysIn, errorOf, sets } = clientOf(service)

  before(async () => {
    for (const id of ['ann', 'bob', 'cy']) await service().post('/api/agents/', agent(id))
    await service().post('/api/repositories/', repository('lib'))
    for (const id of ['a', 'b', 'c'])
      await service().post('/api/zines/', zine(id, { title: `Zine ${id}`, creator: ['ann'] }))
    await service().post('/api/holdings/', holding('h', { zine_id: 'a', repository_id: 'lib' }))
  })

  it('are named by ListSets, with their titles', async () => {
    await makeList('named', ['zines/a'], { title: 'Dots & <dashes>' })
    await makeList('unnamed', ['zines/a'], { title: 'Not yet', public: false })
    const found = await sets()
    expect(found.get('list:named')).to.equal('Dots &amp; &lt;dashes&gt;')
    expect([...found.keys()]).not.to.include('list:unnamed')
    expect([...found.keys()]).to.deep.equal([...found.keys()].sort())
  })

  it('have records of every kind, which say in their headers what lists they are in', async () => {
    await makeList('all', ['zines/b', 'agents/ann', 'repositories/lib', 'holdings/h'])
    await makeList('also-b', ['zines/b'])
    const all = ['agents/ann', 'holdings/h', 'repositories/lib', 'zines/b']
    expect(await keysIn('all')).to.deep.equal(all)
    expect(await listsOf('zines/b')).to.deep.equal(['list:all', 'list:also-b'])
    expect(await listsOf('zines/c')).to.deep.equal([])
    const marc = await harvestHeaders(service(), 'metadataPrefix=marc21&set=list:all')
    expect(marc).to.have.length(3)
    const records = await harvestPages(
      service(),
      'metadataPrefix=oai_dc&set=list:also-b',
      'ListRecords',
    )
    expect(records.join('')).to.include('Zine b').and.not.include('Zine a')
    const query = 'verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:zines.example:zines/b'
    expect(headersIn(await ask(service(), query))[0]?.sets).to.include.members([
      'list:all',
      'zines',
    ])
  })

  it('bring what came to the list, though it did not change, with the time when it came', async () => {
    await makeList('grows', ['zines/a', 'zines/b'])
    const before = await headersOf('&set=zines')
    const from = await fromNextSecond()
    await replaceList('grows', ['zines/c', 'zines/b', 'zines/a'], { title: 'Another title' })
    expect(await keysIn('grows', from)).to.deep.equal(['zines/c'])
    const [came] = await headersOf(`&set=list:grows${from}`)
    expect((came?.datestamp ?? '') >= from.slice('&from='.length)).to.equal(true)
    expect(await keysIn('grows', `&until=${before.at(-1)?.datestamp}`)).not.to.include('zines/c')
    const datesOf = (headers: typeof before) =>
      headers.map(({ key, datestamp }) => [key, datestamp])
    expect(datesOf(await headersOf('&set=zines'))).to.deep.equal(datesOf(before))
  })

  it('bring what changed, and what was taken off the list and put there again', async () => {
    await makeList('changes', ['agents/bob', 'agents/cy', 'agents/ann'])
    const from = await fromNextSecond()
    await service().patch('/api/agents/bob/', { display_name: 'Robert' })
    await replaceList('changes', ['agents/bob', 'agents/ann'])
    expect(await keysIn('changes')).to.deep.equal(['agents/ann', 'agents/bob'])
    await replaceList('changes', ['agents/bob', 'agents/cy', 'agents/ann'])
    expect(await keysIn('changes', from)).to.deep.equal(['agents/bob', 'agents/cy'])
  })

  it('are as unknown ones where a list is not public, is deleted or does not exist', async () => {
    await makeList('shy', ['zines/a'])
    expect(await keysIn('shy')).to.deep.equal(['zines/a'])
    await replaceList('shy', ['zines/a'], { public: false })
    const isUnknown = async (slug: string) => {
      expect(await errorOf(slug)).to.equal('noRecordsMatch')
      expect([...(await sets()).keys()]).not.to.include(`list:${slug}`)
      expect(await listsOf('zines/a')).not.to.include(`list:${slug}`)
    }
    await isUnknown('shy')
    const from = await fromNextSecond()
    await replaceList('shy', ['zines/a'])
    expect(await keysIn('shy', from)).to.deep.equal(['zines/a'])
    await service().delete('/api/lists/shy/')
    await isUnknown('shy')
    await isUnknown('none')
    expect(
      errorIn(await ask(service(), 'verb=ListRecords&metadataPrefix=oai_dc&set=list')),
    ).to.equal('noRecordsMatch')
  })

  it('say that a listed record is gone, and nothing of one that was gone before', async () => {
    for (const id of ['stays', 'deleted', 'hidden', 'before', 'draft'])
      await service().post('/api/agents/', agent(id))
    const hide = (id: string) =>
      service().patch(`/api/agents/${id}/`, { visibility: 'hidden', hidden_reason: 'request' })
    await service().patch('/api/agents/draft/', { visibility: 'draft' })
    await hide('before')
    const ids = ['stays', 'deleted', 'hidden', 'before', 'draft']
    await makeList(
      'gone',
      ids.map((id) => `agents/${id}`),
    )
    await hide('hidden')
    await service().delete('/api/agents/deleted/')
    const told = ['-agents/deleted', '-agents/hidden', 'agents/stays']
    expect(await keysIn('gone')).to.deep.equal(told)
    expect(await listsOf('agents/hidden')).to.deep.equal(['list:gone'])
    expect(await listsOf('agents/before')).to.deep.equal([])
    const from = await fromNextSecond()
    await service().patch('/api/agents/before/', { visibility: 'public' })
    expect(await keysIn('gone', from)).to.deep.equal(['agents/before'])
  })

  it('follow a merge, which changes nothing of the record that stays, and a new name', async () => {
    for (const id of ['k', 't', 'u', 'old']) await service().post('/api/agents/', agent(id))
    await makeList('merged', ['agents/k', 'agents/old'])
    const first = await fromNextSecond()
    await service().post('/api/agents/old/rename/', { id: 'new' })
    await service().post('/api/agents/k/merge/', { into: 't' })
    const former = ['-agents/k', '-agents/old']
    expect(await keysIn('merged', first)).to.deep.equal([...former, 'agents/new', 'agents/t'])
    expect(await listsOf('agents/t')).to.deep.equal(['list:merged'])
    const second = await fromNextSecond()
    await service().post('/api/agents/t/merge/', { into: 'u' })
    expect(await keysIn('merged', second)).to.deep.equal(['agents/u'])
    expect(await keysIn('merged')).to.deep.equal([...former, 'agents/new', 'agents/u'])
  })

  it('follow an identifier that is forgotten', async () => {
    for (const id of ['forgotten', 'heir']) await service().post('/api/agents/', agent(id))
    await makeList('forgets', ['agents/forgotten'])
    const from = await fromNextSecond()
    await service().post('/api/agents/forgotten/merge/', { into: 'heir', forget: true })
    expect(await keysIn('forgets', from)).to.deep.equal(['agents/heir'])
    expect(await keysIn('forgets')).to.deep.equal(['agents/heir'])
  })
})

describe('the harvest of a list of editors', () => {
  it('comes in pages, until the list is not public any more', async () => {
    const service = await startService()
    const { makeList, replaceList, errorOf } = clientOf(() => service)
    const ids = Array.from({ length: 250 }, (_, index) => `agent-${index}`)
    const lines = ids.map((id) => JSON.stringify({ op: 'create', kind: 'agents', body: agent(id) }))
    const { status, text } = await service.ask('POST', '/api/batches/', {
      raw: lines.join('\n'),
      headers: { 'content-type': 'application/x-ndjson' },
    })
    expect(status, text).to.be.below(300)
    const keys = ids.slice(10).map((id) => `agents/${id}`)
    await makeList('long', keys)
    const query = 'metadataPrefix=oai_dc&set=list:long'
    const pages = await harvestPages(service, query, 'ListRecords')
    expect(pages.map((page) => headersIn(page).length)).to.deep.equal([100, 100, 40])
    const found = pages.flatMap(headersIn).map(({ identifier }) => identifier.split(':')[2])
    expect(found).to.have.members(keys)
    expect(pages[0]).to.include('completeListSize="240"')
    const token = tokenIn(pages[0] ?? '') ?? ''
    await replaceList('long', keys, { public: false })
    expect(errorIn(await ask(service, withToken('ListRecords', token)))).to.equal('noRecordsMatch')
    expect(await errorOf('long')).to.equal('noRecordsMatch')
    await service.stop()
  })

  it('has the same dates after a restart, and for lists from before the time of their change', async () => {
    const service = await startService()
    const { makeList, replaceList, headersOf } = clientOf(() => service)
    for (const id of ['a', 'b']) await service.post('/api/agents/', agent(id))
    await makeList('kept', ['agents/a'])
    await fromNextSecond()
    await replaceList('kept', ['agents/a', 'agents/b'])
    const headers = await headersOf('&set=list:kept')
    const { modified_at: modified } = (await service.get('/api/lists/kept/')).body
    await service.close()

    const again = await startService({ DATA_DIR: service.dataDir })
    expect(await clientOf(() => again).headersOf('&set=list:kept')).to.deep.equal(headers)
    await again.close()

    const store = await openKeyValueStore(dataFiles(service.dataDir).store)
    for await (const [key, value] of store.entries('list/')) {
      const { arrivals, ...list } = JSON.parse(value)
      expect(arrivals).to.have.length(2)
      await store.write([{ key, value: JSON.stringify(list) }])
    }
    await store.close()
    const last = await startService({ DATA_DIR: service.dataDir })
    const dates = (await clientOf(() => last).headersOf('&set=list:kept')).map(
      ({ datestamp }) => datestamp,
    )
    expect(dates).to.deep.equal(Array(2).fill(`${modified.slice(0, 19)}Z`))
    await last.stop()
  })

  it('knows of a write of a list that is under way since when it is', async () => {
    let finish = (): void => undefined
    const written = new Promise<void>((resolve) => (finish = resolve))
    const store = {
      // eslint-disable-next-line @typescript-eslint/no-empty-function
      async *entries() {},
      write: () => written,
      compact: () => Promise.resolve(),
    }
    const lists = await StoredLists.load(store, () => 1000)
    const input = { title: 'A list', text: '', isPublic: true, records: [] }
    const adding = lists.add('list', input, { account: 'editor', how: 'api' })
    expect(lists.oldestWrite()).to.equal(1000)
    finish()
    await adding
    expect(lists.oldestWrite()).to.equal(undefined)
  })
})
