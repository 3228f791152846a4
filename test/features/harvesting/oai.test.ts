// OAI-PMH 2.0 at /oai (docs/reference/oai-pmh.md): the verbs, their errors, sets, dates, deletions
// and tokens. Harvests while others write, and other programs that harvest, are tested in files of
// their own.

import { setTimeout as wait } from 'node:timers/promises'

import { expect } from 'chai'

import { agent, holding, repository, zine } from '../../examples.js'
import { complaintsOf } from '../../formats/xmllint.js'
import { type TestService, startService, useService } from '../../service.js'
import {
  type Header,
  ask,
  elementsIn,
  errorIn,
  harvestHeaders,
  harvestPages,
  headersIn,
  tokenIn,
  withToken,
} from './oai-client.js'

const schema = ['--relaxng', 'test/features/harvesting/oai-pmh.rng']

const idOf = (name: string): string => `oai:zines.example:${name}`

const records = 'verb=ListRecords&metadataPrefix=oai_dc'

const byIdentifier = (headers: readonly Header[]) =>
  new Map(headers.map((header) => [header.identifier, header]))

/** A maker with a zine, and a copy of it in a library. */
async function fill(service: TestService): Promise<void> {
  await service.post('/api/agents/', agent('maker', { display_name: 'Dot <Matrix> & "Co"' }))
  await service.post('/api/repositories/', repository('library'))
  await service.post('/api/zines/', zine('zine'))
  await service.post('/api/holdings/', holding('copy'))
}

/** Writes so many agents at once. */
async function addAgents(service: TestService, count: number, name = 'agent'): Promise<void> {
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      op: 'create',
      kind: 'agents',
      body: agent(`${name}-${String(index).padStart(4, '0')}`),
    }),
  )
  const answer = await service.ask('POST', '/api/batches/', {
    raw: lines.join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  })
  expect(answer.status, answer.text).to.be.below(300)
}

/** Waits until the next second, so that what is written before and after has different dates. */
const nextSecond = (): Promise<void> => wait(1010 - (Date.now() % 1000))

describe('/oai', () => {
  const service = useService()
  before(() => fill(service()))

  it('answers every verb with XML of the form that the protocol demands', async function () {
    const identifier = `identifier=${encodeURIComponent(idOf('zines/zine'))}`
    for (const query of [
      'verb=Identify',
      'verb=ListMetadataFormats',
      `verb=ListMetadataFormats&${identifier}`,
      'verb=ListSets',
      ...['oai_dc', 'marc21', 'rdf'].flatMap((prefix) => [
        `verb=GetRecord&${identifier}&metadataPrefix=${prefix}`,
        `verb=ListRecords&metadataPrefix=${prefix}`,
        `verb=ListIdentifiers&metadataPrefix=${prefix}`,
      ]),
      'verb=Wrong',
      'verb=ListRecords&metadataPrefix=none',
      `${records}&from=2999-01-01`,
    ]) {
      const xml = await ask(service(), query)
      expect(complaintsOf(this, xml, ...schema), xml).to.match(/^- validates\n?$/)
    }
  })

  it('tells in Identify who it is', async () => {
    const { headers, text } = await service().get('/oai?verb=Identify')
    expect(headers.get('content-type')).to.equal('text/xml; charset=utf-8')
    expect(elementsIn(text, 'baseURL')).to.deep.equal([`${service().url}/oai`])
    expect(elementsIn(text, 'deletedRecord')).to.deep.equal(['persistent'])
    expect(elementsIn(text, 'adminEmail')).to.deep.equal(['postmaster@zines.example'])
    expect(elementsIn(text, 'sampleIdentifier')).to.deep.equal([idOf('zines/example')])
    const [earliest = ''] = elementsIn(text, 'earliestDatestamp')
    const dates = (await harvestHeaders(service())).map(({ datestamp }) => datestamp)
    expect(dates.every((date) => date >= earliest)).to.equal(true)
  })

  it('has items of all four kinds, in the order of their dates', async () => {
    const headers = await harvestHeaders(service())
    expect(headers.map(({ identifier }) => identifier)).to.deep.equal(
      ['agents/maker', 'repositories/library', 'holdings/copy', 'zines/zine'].map(idOf),
    )
  })

  it('has no MARC records of repositories', async () => {
    const headers = headersIn(await ask(service(), 'verb=ListIdentifiers&metadataPrefix=marc21'))
    expect(headers.map(({ identifier }) => identifier)).not.to.include(idOf('repositories/library'))
    const query = `identifier=${idOf('repositories/library')}`
    const formats = await ask(service(), `verb=ListMetadataFormats&${query}`)
    expect(elementsIn(formats, 'metadataPrefix')).to.deep.equal(['oai_dc', 'rdf'])
    const record = await ask(service(), `verb=GetRecord&metadataPrefix=marc21&${query}`)
    expect(errorIn(record)).to.equal('cannotDisseminateFormat')
  })

  it('sends the same metadata as the record has by itself', async () => {
    for (const [prefix, format] of [
      ['oai_dc', 'dc'],
      ['marc21', 'marcxml'],
      ['rdf', 'rdfxml'],
    ]) {
      const xml = await ask(
        service(),
        `verb=GetRecord&metadataPrefix=${prefix}&identifier=${idOf('zines/zine')}`,
      )
      const { text } = await service().get(`/api/zines/zine/?format=${format}`)
      expect(xml).to.include(text.replace(/^<\?xml[^>]*\?>\s*/, ''))
    }
  })

  it('answers a form that is posted like the same arguments in the address', async () => {
    const query = `verb=GetRecord&metadataPrefix=oai_dc&identifier=${idOf('zines/zine')}`
    const posted = await service().ask('POST', '/oai', {
      raw: query,
      token: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    const withoutDate = (xml: string) => xml.replace(/<responseDate>.*/, '')
    expect(withoutDate(posted.text)).to.equal(withoutDate(await ask(service(), query)))
    const json = await service().ask('POST', '/oai', { body: { verb: 'Identify' }, token: null })
    expect(json.status).to.equal(415)
    const long = await service().ask('POST', '/oai', {
      raw: 'a=&'.repeat(2000),
      token: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(long.status).to.equal(400)
  })

  it('names each error by its code', async () => {
    const zineId = `identifier=${idOf('zines/zine')}`
    for (const [query, code] of [
      ['', 'badVerb'],
      ['verb=identify', 'badVerb'],
      ['verb=Identify&verb=Identify', 'badVerb'],
      ['verb=Identify&identifier=x', 'badArgument'],
      ['verb=Identify&format=json', 'badArgument'],
      ['verb=GetRecord', 'badArgument'],
      ['verb=GetRecord&metadataPrefix=oai_dc', 'badArgument'],
      [`verb=GetRecord&${zineId}`, 'badArgument'],
      [`verb=GetRecord&${zineId}&${zineId}&metadataPrefix=oai_dc`, 'badArgument'],
      [`verb=GetRecord&${zineId}&metadataPrefix=mods`, 'cannotDisseminateFormat'],
      [`verb=GetRecord&metadataPrefix=oai_dc&identifier=${idOf('zines/none')}`, 'idDoesNotExist'],
      ['verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:other:zines/zine', 'idDoesNotExist'],
      [`verb=GetRecord&metadataPrefix=oai_dc&identifier=${idOf('zines/%257A')}`, 'idDoesNotExist'],
      ['verb=GetRecord&metadataPrefix=oai_dc&identifier=a"b', 'badArgument'],
      ['verb=GetRecord&metadataPrefix=oai_dc&identifier=%FF', 'badArgument'],
      [`verb=ListMetadataFormats&identifier=${idOf('zines/none')}`, 'idDoesNotExist'],
      ['verb=ListRecords', 'badArgument'],
      ['verb=ListRecords&metadataPrefix=mods', 'cannotDisseminateFormat'],
      ['verb=ListRecords&metadataPrefix=a+b', 'badArgument'],
      [`${records}&set=none`, 'noRecordsMatch'],
      [`${records}&set=language:fr`, 'noRecordsMatch'],
      [`${records}&set=a::b`, 'badArgument'],
      [`${records}&from=2999-01-01`, 'noRecordsMatch'],
      [`${records}&until=1999-01-01`, 'noRecordsMatch'],
      [`${records}&from=2001-01-02&until=2001-01-01`, 'badArgument'],
      [`${records}&from=2001-01-01&until=2001-01-02T00:00:00Z`, 'badArgument'],
      [`${records}&from=2001-02-30`, 'badArgument'],
      [`${records}&from=2001-02-01T25:00:00Z`, 'badArgument'],
      [`${records}&from=2001-02-01T00:00:00.5Z`, 'badArgument'],
      [`${records}&from=yesterday`, 'badArgument'],
      [`${records}&resumptionToken=x`, 'badArgument'],
      ['verb=ListRecords&resumptionToken=x', 'badResumptionToken'],
      ['verb=ListRecords&resumptionToken=', 'badResumptionToken'],
      ['verb=ListIdentifiers&resumptionToken=e30.AAAAAAAAAAAAAAAAAAAAAA', 'badResumptionToken'],
      ['verb=ListSets&resumptionToken=x', 'badResumptionToken'],
      ['verb=ListSets&set=zines', 'badArgument'],
    ])
      expect(errorIn(await ask(service(), query ?? '')), query).to.equal(code)
  })

  it('repeats the arguments of a request unless they are wrong', async () => {
    const right = await ask(service(), `${records}&from=2001-01-01`)
    expect(right).to.include(
      `<request verb="ListRecords" metadataPrefix="oai_dc" from="2001-01-01">${service().url}/oai</request>`,
    )
    const wrong = await ask(service(), `${records}&from=%3C`)
    expect(wrong).to.include(`<request>${service().url}/oai</request>`)
  })

  it('lists the sets, also those that are empty, and the items that are in them', async () => {
    const sets = new Map(
      [
        ...(await harvestPages(service(), '', 'ListSets')).join('').matchAll(/<set>(.*?)<\/set>/gs),
      ].map(([, set = '']) => [elementsIn(set, 'setSpec')[0], elementsIn(set, 'setName')[0]]),
    )
    expect(sets.get('zines')).to.equal('Zines')
    expect(sets.get('repository:library')).to.equal('Library library')
    expect(sets.get('language:fr')).to.equal('French')
    expect(sets.get('genre:perzine')).to.equal('Perzine')
    const inSet = async (set: string) =>
      headersIn(await ask(service(), `verb=ListIdentifiers&metadataPrefix=oai_dc&set=${set}`)).map(
        ({ identifier }) => identifier.split(':').at(-1),
      )
    expect(await inSet('zines')).to.deep.equal(['zines/zine'])
    expect(await inSet('repository:library')).to.deep.equal(['holdings/copy', 'zines/zine'])
    expect(await inSet('repository')).to.deep.equal(['holdings/copy', 'zines/zine'])
    expect(await inSet('language:en')).to.deep.equal(['zines/zine'])
    expect(await inSet('genre:perzine')).to.deep.equal(['zines/zine'])
    const [header] = headersIn(
      await ask(service(), `verb=GetRecord&metadataPrefix=rdf&identifier=${idOf('zines/zine')}`),
    )
    expect(header?.sets).to.deep.equal([
      'genre:perzine',
      'language:en',
      'repository:library',
      'zines',
    ])
  })
})

describe('the dates of items', () => {
  const service = useService()
  before(() => fill(service()))

  /** What comes with a harvest from the next second on, after a write. */
  async function changedBy(write: () => Promise<unknown>): Promise<string[]> {
    await nextSecond()
    const from = new Date().toISOString().slice(0, 19)
    await write()
    const headers = await harvestHeaders(service(), `metadataPrefix=oai_dc&from=${from}Z`)
    return headers.map(({ identifier }) => identifier.slice(idOf('').length)).sort()
  }

  it('move with what an item shows: a name moves zines and their holdings', async () => {
    expect(
      await changedBy(() => service().patch('/api/agents/maker/', { display_name: 'Renamed' })),
    ).to.deep.equal(['agents/maker', 'holdings/copy', 'zines/zine'])
    expect(
      await changedBy(() => service().patch('/api/zines/zine/', { title: 'Renamed' })),
    ).to.deep.equal(['holdings/copy', 'zines/zine'])
    expect(
      await changedBy(() =>
        service().patch('/api/repositories/library/', { repository_name: 'Renamed' }),
      ),
    ).to.deep.equal(['holdings/copy', 'repositories/library'])
  })

  it('move a zine when a holding comes or goes, not when the holding is changed', async () => {
    expect(
      await changedBy(() => service().patch('/api/holdings/copy/', { call_number: 'Z 1' })),
    ).to.deep.equal(['holdings/copy'])
    expect(
      await changedBy(() => service().post('/api/holdings/', holding('second'))),
    ).to.deep.equal(['holdings/second', 'zines/zine'])
    expect(await changedBy(() => service().delete('/api/holdings/second/'))).to.deep.equal([
      'holdings/second',
      'zines/zine',
    ])
  })

  it('take a day to its end, and a second too', async () => {
    const [header] = await harvestHeaders(service())
    const day = header?.datestamp.slice(0, 10) ?? ''
    for (const [from, until] of [
      [day, day],
      [header?.datestamp, header?.datestamp],
    ]) {
      const found = await harvestHeaders(
        service(),
        `metadataPrefix=oai_dc&from=${from}&until=${until}`,
      )
      expect(found.map(({ identifier }) => identifier)).to.include(header?.identifier)
    }
  })
})

describe('the resumption tokens of /oai', () => {
  it('part a list into pages, the last of which never has one record', async () => {
    const service = await startService()
    await addAgents(service, 101)
    const sizes = async () =>
      (await harvestPages(service, 'metadataPrefix=oai_dc')).map((page) => headersIn(page).length)
    expect(await sizes()).to.deep.equal([101])
    await addAgents(service, 1, 'further')
    expect(await sizes()).to.deep.equal([100, 2])
    await addAgents(service, 99, 'more')
    expect(await sizes()).to.deep.equal([100, 101])
    await service.stop()
  })

  it('say how much there is, how much was sent, and that they are good for a day', async () => {
    const service = await startService()
    await addAgents(service, 201)
    const [first = '', second = ''] = await harvestPages(service, 'metadataPrefix=oai_dc')
    expect(first).to.match(/completeListSize="201" cursor="0"/)
    const [, expires = ''] = /expirationDate="([^"]*)"/.exec(first) ?? []
    expect(Date.parse(expires) - Date.now()).to.be.within(86_390_000, 86_400_000)
    expect(second).to.include(
      '<resumptionToken completeListSize="201" cursor="100"></resumptionToken>',
    )
    await service.stop()
  })

  it('hold after a restart, and not when they were changed or for another verb', async () => {
    const service = await startService()
    await addAgents(service, 150)
    const token = tokenIn(await ask(service, records)) ?? ''
    await service.close()
    const again = await startService({ DATA_DIR: service.dataDir })
    expect(headersIn(await ask(again, withToken('ListRecords', token)))).to.have.length(50)
    expect(errorIn(await ask(again, withToken('ListIdentifiers', token)))).to.equal(
      'badResumptionToken',
    )
    for (const at of [0, 20, token.indexOf('.') - 1, token.indexOf('.') + 1]) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
      expect(errorIn(await ask(again, withToken('ListRecords', changed)))).to.equal(
        'badResumptionToken',
      )
    }
    await again.stop()
  })
})

describe('deleted items of /oai', () => {
  it('stay in the sets that they were in, also after a restart', async () => {
    const service = await startService()
    await fill(service)
    await service.post('/api/agents/', agent('other'))
    await service.post('/api/zines/', zine('merged', { language: ['fr'], creator: ['other'] }))
    await service.post('/api/holdings/', holding('moved', { zine_id: 'merged' }))
    await service.delete('/api/zines/zine/')
    const merge = await service.post('/api/zines/merged/rename/', { id: 'renamed' })
    expect(merge.status, merge.text).to.be.below(300)
    await service.delete('/api/agents/other/')
    const headers = await harvestHeaders(service)
    const found = byIdentifier(headers)
    expect(
      headers.filter(({ isDeleted }) => isDeleted).map(({ identifier }) => identifier),
    ).to.have.members(['zines/zine', 'holdings/copy', 'zines/merged', 'agents/other'].map(idOf))
    expect(found.get(idOf('zines/zine'))?.sets).to.include.members([
      'language:en',
      'repository:library',
    ])
    expect(found.get(idOf('zines/merged'))?.sets).to.deep.equal([
      'genre:perzine',
      'language:fr',
      'repository:library',
      'zines',
    ])
    expect(found.get(idOf('zines/renamed'))?.sets).to.include('repository:library')
    await service.close()
    const again = await startService({ DATA_DIR: service.dataDir })
    expect(await harvestHeaders(again)).to.deep.equal(headers)
    const gone = await ask(
      again,
      `verb=GetRecord&metadataPrefix=oai_dc&identifier=${idOf('agents/other')}`,
    )
    expect(gone).to.include('<header status="deleted">').and.not.include('<metadata>')
    await again.stop()
  })

  it('are items again when a record is created anew', async () => {
    const service = await startService()
    await service.post('/api/agents/', agent('maker'))
    await service.delete('/api/agents/maker/')
    expect((await harvestHeaders(service))[0]?.isDeleted).to.equal(true)
    await service.post('/api/agents/', agent('maker'))
    const headers = await harvestHeaders(service)
    expect(headers.map(({ isDeleted }) => isDeleted)).to.deep.equal([false])
    await service.stop()
  })

  it('move the zines that showed them', async () => {
    const service = await startService()
    await fill(service)
    await nextSecond()
    const from = new Date().toISOString().slice(0, 19)
    await service.delete('/api/agents/maker/')
    const headers = await harvestHeaders(service, `metadataPrefix=oai_dc&from=${from}Z`)
    expect(headers.map(({ identifier }) => identifier)).to.have.members(
      ['agents/maker', 'zines/zine', 'holdings/copy'].map(idOf),
    )
    await service.stop()
  })

  it('are transient where the history is not kept', async () => {
    const service = await startService({ HISTORY_KEEP: '30d' })
    expect(elementsIn(await ask(service, 'verb=Identify'), 'deletedRecord')).to.deep.equal([
      'transient',
    ])
    await service.stop()
  })

  it('are transient when one was removed from the history', async () => {
    const service = await startService()
    await service.post('/api/agents/', agent('maker'))
    await service.delete('/api/agents/maker/')
    const redacted = await service.post('/api/agents/maker/redact/', { past: true })
    expect(redacted.status, redacted.text).to.be.below(300)
    expect(elementsIn(await ask(service, 'verb=Identify'), 'deletedRecord')).to.deep.equal([
      'transient',
    ])
    await service.stop()
  })
})

describe('what is private', () => {
  it('is in no answer of /oai', async () => {
    const service = await startService()
    const secrets = { legal_name: 'Secret Name', email: 'secret@example.org', phone: '555 0199' }
    await service.post('/api/agents/', agent('maker', { public: false, ...secrets }))
    await service.post('/api/zines/', zine('zine'))
    await service.delete('/api/agents/maker/')
    await service.post('/api/agents/', agent('maker', { public: false, ...secrets }))
    for (const prefix of ['oai_dc', 'marc21', 'rdf']) {
      const xml = await ask(service, `verb=ListRecords&metadataPrefix=${prefix}`)
      expect(xml).to.include('Maker maker')
      for (const secret of Object.values(secrets)) expect(xml).not.to.include(secret)
    }
    await service.stop()
  })
})
