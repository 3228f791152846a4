// Pictures as data: the IIIF manifest of a record, RDF, and what search engines and other sites read in pages. What is not
// public is in none of them.

import { expect } from 'chai'
import { Parser, Store } from 'n3'

import { agent, holding, repository, zine } from '../../examples.js'
import { readJsonld, readText } from '../../formats/parsers.js'
import { BASE_URL, useService } from '../../service.js'
import { open } from '../../views/browser.js'
import { image, sendPicture } from './picture-files.js'

const schema = (name: string): string => `http://schema.org/${name}`

describe('Pictures as data', () => {
  const service = useService()
  let shown: any
  let hidden: any

  before(async () => {
    await service().post('/api/agents/', agent('maker'))
    await service().post('/api/repositories/', repository('library'))
    const fields = { title: 'Doris', issue_designation: 'no. 24' }
    await service().post('/api/zines/', zine('zine', fields))
    await service().post('/api/zines/', zine('bare'))
    await service().post('/api/holdings/', holding('copy'))
    const file = await image(700, 900).png().toBuffer()
    const add = async (
      said: Readonly<Record<string, string>>,
      path = '/api/zines/zine/pictures/',
    ) => (await sendPicture(service(), path, file, said)).body
    hidden = await add({ alt: 'A secret', credit: 'Hidden Name', public: 'false' })
    shown = await add({ alt: 'A cat', credit: 'Dot', rights: 'cc-by-4.0', public: 'true' })
    await add({ public: 'true' }, '/api/holdings/copy/pictures/')
    await service().post('/api/zines/zine/pictures/', {
      iiif: 'manifest',
      url: 'https://iiif.example/m.json',
      public: true,
    })
  })

  const formats = ['json', 'jsonld', 'turtle', 'ntriples', 'rdfxml', 'csv', 'bibtex', 'mods']

  it('are a IIIF manifest with a canvas for each image', async () => {
    const { status, body } = await service().get('/iiif/zines/zine/manifest.json')
    expect(status).to.equal(200)
    expect(body).to.deep.include({
      '@context': 'http://iiif.io/api/presentation/3/context.json',
      id: `${service().url}/iiif/zines/zine/manifest.json`,
      type: 'Manifest',
      label: { none: ['Doris, no. 24'] },
      rights: 'http://creativecommons.org/licenses/by/4.0/',
      requiredStatement: { label: { en: ['Credit'] }, value: { none: ['Dot'] } },
    })
    expect(body.seeAlso.map(({ id }: any) => id)).to.include('https://iiif.example/m.json')
    expect(body.items).to.have.lengthOf(1)
    const [canvas] = body.items
    expect(canvas).to.deep.include({
      type: 'Canvas',
      label: { none: ['A cat'] },
      width: 700,
      height: 900,
    })
    const [annotation] = canvas.items[0].items
    expect(annotation).to.include({ type: 'Annotation', motivation: 'painting', target: canvas.id })
    expect(annotation.body).to.deep.include({ id: shown.image, type: 'Image', width: 700 })
    const [{ id, profile }] = annotation.body.service
    expect([id, profile]).to.deep.equal([shown.service, 'level0'])
    for (const { id: address } of [annotation.body, ...canvas.thumbnail])
      expect((await fetch(address)).headers.get('content-type')).to.equal('image/jpeg')
  })

  it('are a manifest and information about an image as JSON-LD for who asks for it', async () => {
    for (const [path, profile] of [
      ['/iiif/zines/zine/manifest.json', 'http://iiif.io/api/presentation/3/context.json'],
      [`/iiif/images/${shown.id}/info.json`, 'http://iiif.io/api/image/3/context.json'],
    ] as const) {
      const plain = await service().get(path)
      expect(plain.headers.get('content-type')).to.equal('application/json; charset=utf-8')
      for (const accept of [
        'application/ld+json',
        `application/ld+json;profile="${profile}"`,
        `application/ld+json;profile="${profile}", application/json;q=0.5`,
      ]) {
        const { status, headers, body } = await service().get(path, { headers: { accept } })
        expect(status, accept).to.equal(200)
        expect(headers.get('content-type')).to.equal(`application/ld+json; profile="${profile}"`)
        expect(body).to.deep.equal(plain.body)
      }
    }
    const { status } = await fetch(`${service().url}/iiif/images/${shown.id}`, {
      headers: { accept: 'application/ld+json' },
      redirect: 'manual',
    })
    expect(status).to.equal(303)
  })

  it('have rights in a manifest where all that it shows have the same', async () => {
    const file = await image(70, 90).png().toBuffer()
    await service().post('/api/zines/', zine('rights'))
    const path = '/api/zines/rights/pictures/'
    const add = (rights: string, isPublic = 'true') =>
      sendPicture(service(), path, file, { rights, public: isPublic })
    const rightsNow = async () =>
      (await service().get('/iiif/zines/rights/manifest.json')).body.rights
    await add('public-domain')
    await add('public-domain')
    await add('in-copyright', 'false')
    expect(await rightsNow()).to.equal('http://creativecommons.org/publicdomain/mark/1.0/')
    await add('in-copyright')
    expect(await rightsNow()).to.equal(undefined)
  })

  it('have a manifest for a holding too, and none where no image is public', async () => {
    const { body } = await service().get('/iiif/holdings/copy/manifest.json')
    expect(body.label).to.deep.equal({ none: ['Doris'] })
    for (const path of ['zines/bare', 'zines/none'])
      expect((await service().get(`/iiif/${path}/manifest.json`)).status).to.equal(404)
  })

  const turtle = async (id = 'zine'): Promise<Store> =>
    new Store(new Parser().parse((await service().get(`/api/zines/${id}/?format=turtle`)).text))

  it('are schema:image in RDF, with their description and rights', async () => {
    const graph = await turtle()
    const thing = `${BASE_URL}/id/zines/zine`
    const [image, ...others] = graph.getObjects(thing, schema('image'), null)
    expect(others).to.be.empty
    expect(image?.value).to.equal(`${BASE_URL}${new URL(shown.image).pathname}`)
    const valueOf = (property: string) => graph.getObjects(image ?? null, property, null)[0]?.value
    expect(valueOf(schema('description'))).to.equal('A cat')
    expect(valueOf(schema('creditText'))).to.equal('Dot')
    expect(valueOf(schema('width'))).to.equal('700')
    expect(valueOf('http://purl.org/dc/terms/rights')).to.match(/licenses\/by\/4\.0|cc-by-4\.0/)
    const manifests = graph.getObjects(thing, 'http://purl.org/dc/terms/isReferencedBy', null)
    expect(manifests.map(({ value }) => value)).to.have.members([
      `${BASE_URL}/iiif/zines/zine/manifest.json`,
      'https://iiif.example/m.json',
    ])
  })

  it('are the same triples in JSON-LD', async () => {
    const { text } = await service().get('/api/zines/zine/?format=jsonld')
    const ttl = (await service().get('/api/zines/zine/?format=turtle')).text
    const expected = readText(ttl, 'text/turtle').sort()
    expect(expected.join('')).to.include('creditText')
    expect((await readJsonld(text)).sort()).to.deep.equal(expected)
  })

  it('are in no triple of a record without one', async () => {
    expect((await turtle('bare')).getObjects(null, schema('image'), null)).to.be.empty
  })

  it('are what other sites and search engines show', async () => {
    const page = await open(service(), '/api/zines/zine/')
    const tags = new Map(
      page.all('meta').map(({ attributes }) => [attributes.property, attributes.content]),
    )
    expect(tags.get('og:title')).to.equal('Doris, no. 24')
    expect(tags.get('og:url')).to.equal(`${BASE_URL}/id/zines/zine`)
    expect(tags.get('og:image:alt')).to.equal('A cat')
    const { status, headers } = await service().get(new URL(tags.get('og:image') ?? '').pathname)
    expect([status, headers.get('content-type')]).to.deep.equal([200, 'image/jpeg'])
    const [script] = page
      .all('script')
      .filter(({ attributes }) => attributes.type === 'application/ld+json')
    expect(JSON.parse(script?.text ?? '').image).to.deep.equal([
      {
        '@type': 'ImageObject',
        contentUrl: `${BASE_URL}${new URL(shown.image).pathname}`,
        description: 'A cat',
        creditText: 'Dot',
      },
    ])
    const bare = await open(service(), '/api/zines/bare/')
    const properties = bare.all('meta').map(({ attributes }) => attributes.property)
    expect(properties).to.include('og:title').and.not.to.include('og:image')
  })

  it('that are not public are in nothing that others get', async () => {
    const paths = [
      ...formats.map((format) => `/api/zines/zine/?format=${format}`),
      ...formats.map((format) => `/api/export/zines/?format=${format}`),
      '/api/zines/?q=secret',
      '/api/zines/?search=secret',
      '/api/search/?q=secret',
      '/api/zines/zine/pictures/',
      '/iiif/zines/zine/manifest.json',
      '/dumps/catalogue.nt.gz',
      '/api/changes/',
      '/api/zines/',
    ]
    for (const path of paths)
      for (const headers of [{}, { accept: 'text/html' }]) {
        const { text } = await service().get(path, { headers })
        for (const word of [hidden.id, 'A secret', 'Hidden Name'])
          expect(text.includes(word), `${word} in ${path}`).to.equal(false)
      }
  })
})
