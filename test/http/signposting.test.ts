// Tests the links of Signposting on records and lists: what they lead to, and that they name nobody who is private
// or deleted.

import { expect } from 'chai'
import { parse } from 'parse5'

import { BASE_URL } from '../service.js'
import { useCatalogue } from './catalogue.js'

const html = { headers: { accept: 'text/html' } }

type Link = {
  readonly relation: string
  readonly target: string
  readonly type: string | undefined
}

/** The links of a header without those that are about something else. */
const linksIn = (headers: Headers): readonly Link[] =>
  [...(headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="([^"]*)"((?:; \w+="[^"]*")*)/g)]
    .filter(([, , , rest = '']) => !rest.includes('anchor='))
    .map(([, target = '', relation = '', rest = '']) => ({
      relation,
      target,
      type: /type="([^"]*)"/.exec(rest)?.[1],
    }))

const targetsOf = (links: readonly Link[], relation: string): readonly string[] =>
  links.filter((link) => link.relation === relation).map(({ target }) => target)

describe('Signposting:', () => {
  const { service, given } = useCatalogue({ DATASET_LICENSE: 'https://example.org/licence' })

  const signposts = async (path: string) => linksIn((await service().get(path, html)).headers)

  before(async () => {
    await given.agent({ agent_id: 'ann', kind: 'Person', public: true })
    await given.zine({ zine_id: 'signed', creator: ['ann'], rights: ['cc-by-4.0'] })
    const digital_url = 'https://example.org/signed.pdf'
    await given.holding({ holding_id: 'scan', zine_id: 'signed', digital_url })
  })

  it('a zine has its permanent address, metadata, types, licence, authors and digital copies', async () => {
    const links = await signposts('/api/zines/signed/')
    expect(targetsOf(links, 'cite-as')).to.deep.equal([`${BASE_URL}/id/zines/signed`])
    expect(targetsOf(links, 'type')).to.deep.equal([
      'https://schema.org/AboutPage',
      'https://schema.org/CreativeWork',
    ])
    expect(targetsOf(links, 'license')).to.deep.equal([
      'http://creativecommons.org/licenses/by/4.0/',
    ])
    expect(targetsOf(links, 'author')).to.deep.equal([`${BASE_URL}/id/agents/ann`])
    expect(targetsOf(links, 'item')).to.deep.equal(['https://example.org/signed.pdf'])
  })

  it('the link to the metadata leads to them, in the type that it says', async () => {
    const links = await signposts('/api/zines/signed/')
    const [metadata] = links.filter(({ relation }) => relation === 'describedby')
    const { headers, body } = await service().get(metadata?.target.slice(BASE_URL.length) ?? '')
    expect(headers.get('content-type')).to.include(metadata?.type)
    expect(body['@id']).to.equal(`${BASE_URL}/id/zines/signed`)
  })

  it('the page has the same links in its head', async () => {
    const { headers, text } = await service().get('/api/zines/signed/', html)
    const inHead = [...text.matchAll(/<link rel="([\w-]+)" href="([^"]*)"(?: type="[^"]*")?\/>/g)]
    parse(text)
    for (const { relation, target } of linksIn(headers).filter((link) =>
      ['cite-as', 'describedby', 'type', 'license', 'author', 'item'].includes(link.relation),
    ))
      expect(inHead.map(([, rel, href]) => `${rel} ${href}`)).to.include(`${relation} ${target}`)
  })

  it('a maker, a library and a copy have types of their own and the licence of the data', async () => {
    for (const [path, type] of [
      ['/api/agents/ann/', 'Person'],
      ['/api/repositories/library/', 'ArchiveOrganization'],
      ['/api/holdings/scan/', 'ArchiveComponent'],
    ] as const) {
      const links = await signposts(path)
      expect(targetsOf(links, 'type'), path).to.include(`https://schema.org/${type}`)
      expect(targetsOf(links, 'license'), path).to.deep.equal(['https://example.org/licence'])
    }
  })

  it('a list is a collection page that the dataset describes', async () => {
    const links = await signposts('/api/zines/?page_size=1')
    expect(targetsOf(links, 'type')).to.deep.equal(['https://schema.org/CollectionPage'])
    expect(targetsOf(links, 'describedby')).to.deep.equal([`${BASE_URL}/dataset`])
    expect(targetsOf(links, 'next')).to.have.length(1)
  })

  it('the record has its permanent address in every other format', async () => {
    for (const accept of ['application/json', 'text/turtle', 'application/x-bibtex']) {
      const { headers } = await service().get('/api/zines/signed/', { headers: { accept } })
      expect(targetsOf(linksIn(headers), 'cite-as'), accept).to.deep.equal([
        `${BASE_URL}/id/zines/signed`,
      ])
    }
  })

  it('names no maker who is private or was deleted', async () => {
    await given.agent({ agent_id: 'hidden-name', public: false })
    await given.agent({ agent_id: 'gone-name', public: true })
    const creator = ['hidden-name', 'gone-name', 'ann']
    await given.zine({ zine_id: 'shy', creator })
    await service().delete('/api/agents/gone-name/')
    const { headers, text } = await service().get('/api/zines/shy/', html)
    expect(targetsOf(linksIn(headers), 'author')).to.deep.equal([`${BASE_URL}/id/agents/ann`])
    expect(headers.get('link')).not.to.match(/hidden-name|gone-name/)
    expect(text).not.to.match(/<link rel="author"[^>]*(?:hidden-name|gone-name)/)
  })

  it('a zine with many authors still has the links to its main formats', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `one-of-many-makers-${index}`)
    for (const agent_id of ids) await given.agent({ agent_id, public: true })
    await given.zine({ zine_id: 'by-many', creator: ids })
    const { headers, text } = await service().get('/api/zines/by-many/', html)
    const links = linksIn(headers)
    expect(headers.get('link')?.length).to.be.at.most(2000)
    expect(targetsOf(links, 'alternate')).not.to.be.empty
    expect(targetsOf(links, 'cite-as')).to.have.length(1)
    expect(text.match(/<link rel="author"/g)).to.have.length(10)
  })
})
