// What an empty catalogue reads back from a copy (docs/how-to/static-copy.md, "Read it back"): records,
// pictures, the institution's own terms and lists; what a copy has nothing of; and copies that are refused.

import { appendFile, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { expect } from 'chai'

import { maxPictures } from '../../../src/features/pictures/picture.js'
import { TextTraces } from '../../../src/lib/text-traces.js'
import { agent, holding, repository, zine } from '../../examples.js'
import { BASE_URL, startService, type TestService } from '../../service.js'
import { image, sendPicture } from '../pictures/picture-files.js'
import { contentOf, filesIn, importFrom, publishTo } from './copies.js'

const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'zine-copy-'))

/** What nobody without an account sees, each in one place. */
const secrets = [
  'Verborgenia Quist',
  'legal.name@zines.example',
  '+44 113 496 0999',
  'Kellerschrank',
  'Donated by Aunt Wilhelmina',
  'Bought for 17 guilders',
  'A list for the staff alone',
  'A picture behind the curtain',
  'Photographed by Zacharias',
]

const terms = `@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
# A note for who edits this file: Kellerschrank.
<#riverside> a skos:Concept ; skos:notation "riverside" ;
  skos:prefLabel "Riverside"@en, "Ribera"@es ; skos:altLabel "By the river"@en ; skos:broader <#travel> .
<#punk> skos:notation "punk" ; skos:prefLabel "Punk, of all kinds"@en .
`

const rights = `@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<#ask-us> skos:notation "ask-us" ; skos:prefLabel "Ask us"@en ;
  skos:definition "“Quoted” & <angled>."@en .
`

describe('A copy that is read back', () => {
  let service: TestService
  let copy = ''
  const folders: string[] = []

  before(async () => {
    const dataDir = await newFolder()
    await mkdir(join(dataDir, 'vocabularies'))
    await writeFile(join(dataDir, 'vocabularies', 'subjects.ttl'), terms)
    await writeFile(join(dataDir, 'vocabularies', 'rights-status.ttl'), rights)
    service = await startService({ DATA_DIR: dataDir })
    await createRecords()
    await createPictures()
    await createLists()
    copy = await newFolder()
    await publishTo(copy, dataDir)
  })

  after(async () => {
    await service.stop()
    for (const folder of [copy, ...folders]) await rm(folder, { recursive: true })
  })

  async function create(kind: string, body: object): Promise<void> {
    const { status, text } = await service.post(`/api/${kind}/`, body)
    expect(status, text).to.equal(201)
  }

  async function createRecords(): Promise<void> {
    const [quist, mail, phone, drafted, donor, price] = secrets
    await create('agents', agent('maker'))
    const privately = { public: false, legal_name: quist, email: mail, phone }
    await create('agents', agent('shy', privately))
    await create('repositories', repository('library'))
    await create('zines', zine('zine', { subject: ['riverside', 'punk'], rights: ['ask-us'] }))
    await create('zines', zine('other: 1', { creator: ['maker', 'shy'], staff_note: price }))
    await create('zines', zine('hidden', { visibility: 'hidden', hidden_reason: 'privacy' }))
    await create('zines', zine('drafted', { title: drafted, visibility: 'draft' }))
    await create('holdings', holding('copy', { acquisition_source: donor }))
  }

  async function createPictures(): Promise<void> {
    const [, , , , , , , curtain = '', photographer = ''] = secrets
    const photo = await image(700, 500)
      .jpeg()
      .withExif({ IFD0: { Artist: photographer }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .toBuffer()
    const send = async (path: string, fields: Readonly<Record<string, string>>, file = photo) => {
      const { status, body } = await sendPicture(service, `/api/${path}/pictures/`, file, fields)
      expect(status, JSON.stringify(body)).to.equal(201)
    }
    const small = await image(90, 60, '#123456').png().toBuffer()
    await send('zines/zine', { alt: 'A cat', credit: 'Dot', rights: 'ask-us', public: 'true' })
    await send('zines/zine', { alt: 'Inside', public: 'true' }, small)
    await send('zines/zine', { alt: curtain, public: 'false' })
    await send('zines/other%3A%201', { public: 'true' }, small)
    await send(
      'zines/hidden',
      { alt: curtain, public: 'true' },
      await image(80, 80).png().toBuffer(),
    )
    await send('holdings/copy', { alt: 'Stamped', public: 'true' }, small)
    const elsewhere = { iiif: 'manifest', url: 'https://iiif.example/m.json', public: true }
    const { status } = await service.post('/api/holdings/copy/pictures/', elsewhere)
    expect(status).to.equal(201)
  }

  async function createLists(): Promise<void> {
    const records = [
      { kind: 'zines', id: 'other: 1', note: 'First' },
      { kind: 'zines', id: 'hidden', note: 'Kellerschrank' },
      { kind: 'agents', id: 'maker', note: '' },
    ]
    await create('lists', { slug: 'shown', title: 'Shown', text: '*Text*', public: true, records })
    await create('lists', { slug: 'staff', title: secrets[6], records })
  }

  async function emptyFolder(): Promise<string> {
    const folder = await newFolder()
    folders.push(folder)
    return folder
  }

  /** The copy, which a test changes. */
  async function copyOfCopy(): Promise<string> {
    const folder = await emptyFolder()
    await cp(copy, folder, { recursive: true })
    return folder
  }

  it('gives the same public answers, as JSON, in RDF and as images', async () => {
    const dataDir = await emptyFolder()
    expect(await importFrom(copy, dataDir)).to.deep.equal([
      'vocabularies: 2 added',
      '6 created, 0 unchanged, 0 different, 0 refused',
      'pictures: 5 added, 0 there already, 0 refused',
      'lists: 1 added, 0 there already, 0 refused',
    ])
    const second = await startService({ DATA_DIR: dataDir })
    try {
      const addresses = await publicAddresses(service)
      expect(addresses.filter((address) => address.includes('/iiif/images/'))).to.have.length(10)
      for (const address of addresses)
        expect(await answerOf(second, address), address).to.deep.equal(
          await answerOf(service, address),
        )
    } finally {
      await second.close()
    }
  })

  it('is read a second time without any change', async () => {
    const dataDir = await emptyFolder()
    await importFrom(copy, dataDir)
    expect(await importFrom(copy, dataDir)).to.deep.equal([
      'vocabularies: 0 added',
      '0 created, 6 unchanged, 0 different, 0 refused',
      'pictures: 0 added, 5 there already, 0 refused',
      'lists: 0 added, 1 there already, 0 refused',
    ])
  })

  it('does not bring back a list that was deleted since', async () => {
    const dataDir = await emptyFolder()
    await importFrom(copy, dataDir)
    const before = await startService({ DATA_DIR: dataDir })
    expect((await before.delete('/api/lists/shown/')).status).to.equal(204)
    await before.close()
    expect(await importFrom(copy, dataDir)).to.include('lists: 0 added, 1 there already, 0 refused')
    const after = await startService({ DATA_DIR: dataDir })
    expect((await after.get('/api/lists/shown/')).status).to.equal(404)
    await after.close()
  })

  it('is read under another base URL', async () => {
    const dataDir = await emptyFolder()
    const base = 'https://elsewhere.example'
    await importFrom(copy, dataDir, base)
    const second = await startService({ DATA_DIR: dataDir, BASE_URL: base })
    try {
      const { body } = await second.get('/api/vocabularies/subjects/riverside/')
      expect(body.uri).to.equal(`${base}/vocabularies/subjects#riverside`)
      const pictures = await second.get('/api/zines/zine/pictures/')
      expect(pictures.body.count).to.equal(2)
    } finally {
      await second.close()
    }
  })

  it('has nothing of what is hidden or private, in any spelling, nor of what a camera wrote', async () => {
    const traces = new TextTraces(secrets)
    for (const file of await filesIn(copy)) {
      expect(traces.areIn(Buffer.from(file)), file).to.equal(false)
      const content = await contentOf(copy, file)
      expect(traces.areIn(content), file).to.equal(false)
      if (file.endsWith('.jpg')) expect(content.includes('Exif'), file).to.equal(false)
    }
  })

  it('has no file of a picture that is not public, or of a hidden record', async () => {
    const admin = { token: service.tokens.admin }
    const ids: string[] = []
    for (const id of ['zine', 'hidden']) {
      const { body } = await service.get(`/api/zines/${id}/pictures/`, admin)
      for (const picture of body.results)
        if (id === 'hidden' || picture.public === false) ids.push(picture.id)
    }
    expect(ids).to.have.length(2)
    const pictures = (await filesIn(copy)).filter((file) => file.startsWith('pictures/'))
    expect(pictures.length).to.be.greaterThan(3)
    const traces = new TextTraces(ids)
    for (const file of await filesIn(copy)) {
      expect(traces.areIn(Buffer.from(file)), file).to.equal(false)
      expect(traces.areIn(await contentOf(copy, file)), file).to.equal(false)
    }
  })

  it('has checksums as the program sha256sum reads them', async () => {
    const sums = (await contentOf(copy, 'SHA256SUMS')).toString()
    expect(sums).to.match(/^([0-9a-f]{64} {2}(data|pictures)\/\S+\n)+$/)
    expect(sums).to.include('  data/vocabularies/subjects.ttl\n')
  })

  const damages: readonly (readonly [
    what: string,
    damage: (folder: string) => Promise<void>,
    message: RegExp,
  ])[] = [
    [
      'a damaged picture',
      async (folder) => {
        const [picture = ''] = (await filesIn(folder)).filter((file) => file.endsWith('.jpg'))
        await appendFile(join(folder, picture), 'x')
      },
      /pictures\/.* is damaged.*Nothing was read/,
    ],
    [
      'a file of records that is missing',
      (folder) => rm(join(folder, 'data', 'zines.jsonl.gz')),
      /zines\.jsonl\.gz cannot be read.*Nothing was read/,
    ],
    [
      'no checksums',
      (folder) => rm(join(folder, 'SHA256SUMS')),
      /no copy that publish has written/,
    ],
    [
      'checksums that lead out of the folder',
      (folder) => appendFile(join(folder, 'SHA256SUMS'), `${'0'.repeat(64)}  data/../../x\n`),
      /a line that publish does not write/,
    ],
    [
      'terms of somebody else',
      (folder) => writeFile(join(folder, 'data', 'vocabularies', 'genres.ttl'), terms),
      /genres\.ttl is not of this copy/,
    ],
  ]

  /** Lines in place of those of a file, with the checksum that they have. */
  async function replaceLines(folder: string, file: string, lines: readonly object[]) {
    const content = gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    await writeFile(join(folder, file), content)
    const sums = (await contentOf(folder, 'SHA256SUMS')).toString()
    const sum = createHash('sha256').update(content).digest('hex')
    const changed = sums.replace(new RegExp(`^[0-9a-f]{64}(?=  ${file}$)`, 'm'), sum)
    expect(changed).to.not.equal(sums)
    await writeFile(join(folder, 'SHA256SUMS'), changed)
  }

  const foreignPictures: readonly (readonly [
    what: string,
    change: (picture: ForeignPicture) => readonly object[],
  ])[] = [
    [
      'a picture of more sizes than there are',
      (picture) => [{ ...picture, sizes: Array.from({ length: 5 }, () => picture.sizes[0]) }],
    ],
    ['a size that is nothing', (picture) => [{ ...picture, sizes: [null] }]],
    [
      'more pictures of a record than it may have',
      (picture) =>
        Array.from({ length: maxPictures + 1 }, (_, number) => ({
          ...picture,
          id: String(number).padStart(20, '0'),
        })),
    ],
    ['a time that is another text', (picture) => [{ ...picture, added_at: 'by somebody in 2020' }]],
  ]

  for (const [what, change] of foreignPictures)
    it(`is refused with ${what}, and nothing is written`, async () => {
      const folder = await copyOfCopy()
      const file = 'data/pictures.jsonl.gz'
      const [first = ''] = (await contentOf(folder, file)).toString().split('\n')
      await replaceLines(folder, file, change(JSON.parse(first) as ForeignPicture))
      const dataDir = await emptyFolder()
      const failure = await importFrom(folder, dataDir).catch(String)
      expect(failure).to.match(/another release has written it.*Nothing was read/)
      expect(await filesIn(dataDir)).to.deep.equal([])
    })

  for (const [what, damage, message] of damages)
    it(`is refused with ${what}, and nothing is written`, async () => {
      const folder = await copyOfCopy()
      await damage(folder)
      const dataDir = await emptyFolder()
      const failure = await importFrom(folder, dataDir).catch(String)
      expect(failure).to.match(message)
      expect(await filesIn(dataDir)).to.deep.equal([])
    })

  it('is refused where the terms that are there say otherwise', async () => {
    const dataDir = await emptyFolder()
    await mkdir(join(dataDir, 'vocabularies'))
    const own = terms.replaceAll('Riverside', 'River')
    await writeFile(join(dataDir, 'vocabularies', 'subjects.ttl'), own)
    const failure = await importFrom(copy, dataDir).catch(String)
    expect(failure).to.match(/says otherwise of 1 terms than the copy \(riverside\)/)
    expect((await contentOf(dataDir, 'vocabularies/subjects.ttl')).toString()).to.equal(own)
  })
})

type ForeignPicture = { readonly sizes: readonly object[] }

const formats = ['json', 'jsonld', 'turtle', 'ntriples', 'rdfxml', 'csv']

/** What the public can ask for of the records, in every format, of their pictures, terms and lists. */
async function publicAddresses({ get }: TestService): Promise<readonly string[]> {
  const addresses: string[] = []
  for (const kind of ['zines', 'agents', 'repositories', 'holdings']) {
    const { body } = await get(`/api/${kind}/?page_size=100`)
    for (const record of body.results) {
      const [id] = Object.values(record) as [string]
      const path = `/api/${kind}/${encodeURIComponent(id)}/`
      addresses.push(...formats.map((format) => `${path}?format=${format}`))
      if (kind !== 'zines' && kind !== 'holdings') continue
      addresses.push(`${path}pictures/`, `/iiif/${kind}/${encodeURIComponent(id)}/manifest.json`)
      for (const { sizes, image: largest } of (await get(`${path}pictures/`)).body.results)
        for (const url of [largest, ...sizes.map((size: { readonly url: string }) => size.url)])
          if (url !== null) addresses.push(new URL(url).pathname)
    }
  }
  for (const vocabulary of ['subjects', 'rights-status', 'genres'])
    for (const format of ['json', 'ntriples'])
      addresses.push(`/api/vocabularies/${vocabulary}/?format=${format}`)
  for (const { slug } of (await get('/api/lists/')).body.results)
    addresses.push(`/api/lists/${slug}/`, `/api/lists/${slug}/?format=ntriples`)
  return addresses
}

/** An answer but for the times of writes, which are those of each catalogue. */
async function answerOf({ url }: TestService, path: string): Promise<readonly unknown[]> {
  const response = await fetch(url + path)
  const type = response.headers.get('content-type')
  const bytes = Buffer.from(await response.arrayBuffer())
  if (type === 'image/jpeg') return [response.status, type, bytes.toString('base64')]
  const text = bytes
    .toString()
    .replaceAll(url, BASE_URL)
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '(time)')
  return [response.status, type, path.includes('ntriples') ? text.split('\n').sort() : text]
}
