// Pictures of zines and holdings over the API: sending, describing, ordering and removing them, what is refused, who sees
// them, and what becomes of them when their record is deleted, restored or merged.

import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'chai'
import { placesOf } from '../../data-directory.js'
import sharp from 'sharp'

import { agent, holding, repository, zine } from '../../examples.js'
import { PASSWORD, useService } from '../../service.js'
import { unique } from '../../http/catalogue.js'
import { image, sendPicture } from './picture-files.js'

describe('Pictures', () => {
  const service = useService()

  before(async () => {
    await service().post('/api/agents/', agent('maker'))
    await service().post('/api/repositories/', repository('library'))
  })

  /** The path of the pictures of a new zine. */
  async function newZine(): Promise<{ readonly id: string; readonly path: string }> {
    const id = unique('zine')
    expect((await service().post('/api/zines/', zine(id))).status).to.equal(201)
    return { id, path: `/api/zines/${id}/pictures/` }
  }

  const send = (...[path, file, fields, token]: [string, (Buffer | undefined)?, object?, any?]) =>
    sendPicture(service(), path, file, fields as Record<string, string>, token)

  /** Adds a picture, and expects that this works. */
  async function add(path: string, fields: object = { public: 'true' }, file?: Buffer) {
    const { status, body } = await send(path, file ?? (await image().png().toBuffer()), fields)
    expect(status, JSON.stringify(body)).to.equal(201)
    return body
  }

  const ids = async (path: string): Promise<string[]> =>
    (await service().get(path, { token: service().tokens.admin })).body.results.map(
      ({ id }: any) => id,
    )

  const bytesOf = async (url: string, headers: Record<string, string> = {}) => {
    const response = await fetch(url, { headers })
    return {
      status: response.status,
      headers: response.headers,
      bytes: Buffer.from(await response.arrayBuffer()),
    }
  }

  /** The files of pictures on the disk. */
  const filesOnDisk = async (): Promise<string[]> => {
    const root = join(service().dataDir, 'pictures')
    const folders = await readdir(root).catch(() => [])
    return (await Promise.all(folders.map((one) => readdir(join(root, one))))).flat()
  }

  it('are added with a description, and shown in their order', async () => {
    const { path } = await newZine()
    const said = { alt: 'A black cat', credit: 'Photo: Dot', rights: 'cc-by-4.0', public: 'true' }
    const first = await add(path, said)
    expect(first).to.include({ ...said, public: true, position: 1, elsewhere: null })
    const second = await add(path)
    const { body } = await service().get(path)
    expect(body).to.include({ count: 2, next: null, previous: null })
    expect(body.results.map(({ id }: any) => id)).to.deep.equal([first.id, second.id])
    const one = await service().get(new URL(first.url).pathname)
    expect(one.body).to.deep.equal(first)
  })

  for (const format of ['jpeg', 'png', 'webp', 'gif'] as const)
    it(`are taken as ${format}, and written anew as JPEG`, async () => {
      const { path } = await newZine()
      const added = await add(path, { public: 'true' }, await image(700, 400)[format]().toBuffer())
      expect(added.sizes.map(({ width, height }: any) => [width, height])).to.deep.equal([
        [700, 400],
        [600, 343],
        [300, 171],
      ])
      for (const { url, width, height } of added.sizes) {
        const { status, headers, bytes } = await bytesOf(url)
        expect([status, headers.get('content-type')]).to.deep.equal([200, 'image/jpeg'])
        expect(await sharp(bytes).metadata()).to.include({ format: 'jpeg', width, height })
      }
    })

  it('have nothing of what a camera wrote, and are turned as it says', async () => {
    const { path } = await newZine()
    const file = await image(60, 40)
      .jpeg()
      .withExif({
        IFD0: { Artist: 'Legal Name', Orientation: '6' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
      })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">Legal Name</x:xmpmeta>')
      .withMetadata({ orientation: 6 })
      .toBuffer()
    expect(file.includes('Legal Name')).to.equal(true)
    const { sizes } = await add(path, { public: 'true' }, file)
    expect(sizes.map(({ width, height }: any) => [width, height])).to.deep.equal([[40, 60]])
    const { bytes } = await bytesOf(sizes[0].url)
    const { exif, xmp, iptc, icc } = await sharp(bytes).metadata()
    expect([exif, xmp, iptc, icc]).to.deep.equal([undefined, undefined, undefined, undefined])
    for (const name of await filesOnDisk()) {
      const content = await readFile(join(service().dataDir, 'pictures', name.slice(0, 2), name))
      expect(content.includes('Legal Name')).to.equal(false)
    }
  })

  describe('refuse', () => {
    const notAnImage =
      'Upload a valid image. The file you uploaded was either not an image or a corrupted image.'

    const wrong: readonly (readonly [
      what: string,
      file: () => Promise<Buffer> | Buffer,
      message: string,
    ])[] = [
      ['a text', () => Buffer.from('hello'), notAnImage],
      ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), notAnImage],
      ['a TIFF', () => image().tiff().toBuffer(), notAnImage],
      [
        'a page that begins like a GIF',
        () => Buffer.from('GIF89a<script>alert(1)</script>'),
        notAnImage,
      ],
      [
        'a JPEG that is cut short',
        async () => (await image(900, 900).jpeg().toBuffer()).subarray(0, 700),
        notAnImage,
      ],
      ['an empty file', () => Buffer.alloc(0), 'No file was submitted.'],
      [
        'a small file with very many pixels',
        () => image(8_000, 8_000).png().toBuffer(),
        'The picture has more than 50 million pixels.',
      ],
    ]

    for (const [what, file, message] of wrong)
      it(`${what}, and keep nothing of it`, async () => {
        const { path } = await newZine()
        const before = await filesOnDisk()
        const { status, body } = await send(path, await file(), { public: 'true' })
        expect([status, body]).to.deep.equal([400, { file: [message] }])
        expect(await filesOnDisk()).to.deep.equal(before)
        expect(await ids(path)).to.deep.equal([])
      })

    it('a form without a file, and one that is too large', async () => {
      const { path } = await newZine()
      expect((await send(path)).body).to.deep.equal({ file: ['No file was submitted.'] })
      const { status } = await send(path, Buffer.alloc(10 * 1024 * 1024 + 1))
      expect(status).to.equal(413)
    })

    it('another media type', async () => {
      const { path } = await newZine()
      const { status, body } = await service().ask('POST', path, {
        raw: 'x',
        headers: { 'content-type': 'text/plain' },
      })
      expect([status, body]).to.deep.equal([
        415,
        { detail: 'Unsupported media type "text/plain" in request.' },
      ])
    })

    it('a wrong description, with all that is wrong', async () => {
      const { path } = await newZine()
      const { status, body } = await send(path, await image().png().toBuffer(), {
        alt: 'x'.repeat(1001),
        rights: 'nonsense',
        public: 'maybe',
      })
      expect([status, body]).to.deep.equal([
        400,
        {
          alt: ['Ensure this field has no more than 1000 characters.'],
          rights: ['Invalid rights codes: nonsense'],
          public: ['Must be a valid boolean.'],
        },
      ])
    })

    it('a record that does not exist', async () => {
      expect(
        (await send('/api/zines/none/pictures/', await image().png().toBuffer())).status,
      ).to.equal(404)
    })
  })

  describe('that are elsewhere', () => {
    it('are kept as an address, from which nothing is fetched', async () => {
      const { path } = await newZine()
      const url = 'https://iiif.example/zine/manifest.json'
      const { status, body } = await service().post(path, { iiif: 'manifest', url, public: true })
      expect(status).to.equal(201)
      expect(body).to.deep.include({ elsewhere: { iiif: 'manifest', url }, sizes: [], image: null })
    })

    for (const url of [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'https://a:b@x.example/',
      'x',
      '',
    ])
      it(`are not taken with the address ${JSON.stringify(url)}`, async () => {
        const { path } = await newZine()
        const { status, body } = await service().post(path, { url })
        expect(status).to.equal(400)
        expect(Object.keys(body)).to.deep.equal(['url'])
      })
  })

  it('are described, shown and put in another order with PATCH', async () => {
    const { path } = await newZine()
    const [first, second, third] = [await add(path), await add(path), await add(path)]
    const change = { alt: 'New', position: 1 }
    const { status, body } = await service().patch(`${path}${third.id}/`, change)
    expect([status, body.alt, body.position, body.public]).to.deep.equal([200, 'New', 1, true])
    expect(await ids(path)).to.deep.equal([third.id, first.id, second.id])
    expect((await service().patch(`${path}${third.id}/`, { position: 0 })).status).to.equal(400)
  })

  it('are removed with their files', async () => {
    const { path } = await newZine()
    const before = await filesOnDisk()
    const { id, sizes } = await add(path, {}, await image(33, 44, '#123456').png().toBuffer())
    expect(await filesOnDisk()).to.have.lengthOf(before.length + 1)
    expect((await service().delete(`${path}${id}/`)).status).to.equal(204)
    expect(await filesOnDisk()).to.deep.equal(before)
    expect((await bytesOf(sizes[0].url)).status).to.equal(404)
    expect((await service().delete(`${path}${id}/`)).status).to.equal(404)
  })

  it('keep a file that another picture has too', async () => {
    const [one, other] = [await newZine(), await newZine()]
    const file = await image(21, 22, '#abcdef').png().toBuffer()
    const [first, second] = [
      await add(one.path, { public: 'true' }, file),
      await add(other.path, { public: 'true' }, file),
    ]
    await service().delete(`${one.path}${first.id}/`)
    expect((await bytesOf(second.sizes[0].url)).status).to.equal(200)
  })

  it('of holdings are had in the same way', async () => {
    await service().post('/api/zines/', zine('zine'))
    await service().post('/api/holdings/', holding('copy'))
    await add('/api/holdings/copy/pictures/')
    expect(await ids('/api/holdings/copy/pictures/')).to.have.lengthOf(1)
  })

  describe('that are not public', () => {
    it('are shown to those alone who may write the record', async () => {
      const { path } = await newZine()
      const hidden = await add(path, { alt: 'Hidden', public: 'false' })
      const own = new URL(hidden.url).pathname
      const { tokens } = service()
      for (const [token, count, status] of [
        [null, 0, 404],
        [tokens.viewer, 0, 404],
        [tokens.zinesEditor, 1, 200],
        [tokens.editor, 1, 200],
      ] as const) {
        expect((await service().get(path, { token })).body.results).to.have.lengthOf(count)
        expect((await service().get(own, { token })).status).to.equal(status)
        for (const url of [hidden.image, `${hidden.service}/info.json`, hidden.sizes[0].url]) {
          const headers: Record<string, string> =
            token === null ? {} : { authorization: `Token ${token}` }
          expect((await bytesOf(url, headers)).status, url).to.equal(status)
        }
      }
      const { headers } = await service().get(path, { token: tokens.editor })
      expect(headers.get('cache-control')).to.equal('private, no-store')
    })

    it('are shown to an editor who is bound to a library for its own copies alone', async () => {
      const { accounts, post, get } = service()
      const own = unique('library')
      await post('/api/repositories/', repository(own))
      await post('/api/zines/', zine('zine'))
      const account = { name: unique('bound'), password: PASSWORD, role: 'editor' } as const
      await accounts.add({ ...account, restrictedTo: [], repository: own })
      const token = await accounts.login(account.name, PASSWORD)
      const { path: ofZine } = await newZine()
      const paths = [ofZine]
      for (const repository_id of [own, 'library']) {
        const id = unique('copy')
        await post('/api/holdings/', holding(id, { repository_id }))
        paths.push(`/api/holdings/${id}/pictures/`)
      }
      for (const [index, count] of [0, 1, 0].entries()) {
        const path = paths[index] ?? ''
        const hidden = await add(path, { public: 'false' })
        expect((await get(path, { token })).body.count, path).to.equal(count)
        const headers = { authorization: `Token ${token}` }
        const status = count === 1 ? 200 : 404
        expect((await get(new URL(hidden.url).pathname, { token })).status).to.equal(status)
        for (const url of [hidden.image, `${hidden.service}/info.json`, hidden.sizes[0].url])
          expect((await bytesOf(url, headers)).status, url).to.equal(status)
      }
    })

    it('can be written by those alone', async () => {
      const { path } = await newZine()
      const { id } = await add(path)
      const { tokens } = service()
      const file = await image().png().toBuffer()
      expect((await send(path, file, {}, null)).status).to.equal(401)
      expect((await send(path, file, {}, tokens.viewer)).status).to.equal(403)
      expect(
        (await service().patch(`${path}${id}/`, {}, { token: tokens.viewer })).status,
      ).to.equal(403)
      expect((await service().delete(`${path}${id}/`, { token: null })).status).to.equal(401)
      await service().post('/api/zines/', zine('zine'))
      await service().post('/api/holdings/', holding('held'))
      const other = '/api/holdings/held/pictures/'
      expect((await send(other, file, {}, tokens.zinesEditor)).status).to.equal(403)
    })

    it('are gone for everybody else at once', async () => {
      const { path } = await newZine()
      const shown = await add(path)
      expect((await bytesOf(shown.image)).status).to.equal(200)
      await service().patch(`${path}${shown.id}/`, { public: false })
      expect((await bytesOf(shown.image)).status).to.equal(404)
      expect((await service().get(path)).body.results).to.deep.equal([])
    })
  })

  describe('go with their record', () => {
    it('that is deleted, and come back when it is restored', async () => {
      const { id, path } = await newZine()
      const added = await add(path)
      await service().delete(`/api/zines/${id}/`)
      expect((await service().get(path)).status).to.equal(404)
      expect((await bytesOf(added.image)).status).to.equal(404)
      const restored = await service().post(`/api/zines/${id}/history/1/restore/`, {})
      expect(restored.status, restored.text).to.equal(200)
      expect(await ids(path)).to.deep.equal([added.id])
      expect((await bytesOf(added.image)).status).to.equal(200)
    })

    it('of a deleted zine with its copies, which come back with theirs', async () => {
      const { id } = await newZine()
      const copy = unique('copy')
      await service().post('/api/holdings/', holding(copy, { zine_id: id }))
      const path = `/api/holdings/${copy}/pictures/`
      const added = await add(path)
      await service().delete(`/api/zines/${id}/`)
      expect((await bytesOf(added.image)).status).to.equal(404)
      await service().post(`/api/zines/${id}/history/1/restore/`, {})
      expect(await ids(path)).to.deep.equal([added.id])
    })

    it('and not with another one that gets its identifier', async () => {
      const { id, path } = await newZine()
      await add(path)
      await service().delete(`/api/zines/${id}/`)
      await service().post('/api/zines/', zine(id))
      expect(await ids(path)).to.deep.equal([])
    })

    it('into the one that it is merged into, and back', async () => {
      const [goes, stays] = [await newZine(), await newZine()]
      const [moved, kept] = [await add(goes.path), await add(stays.path)]
      const merged = await service().post(`/api/zines/${goes.id}/merge/`, { into: stays.id })
      expect(merged.status, merged.text).to.equal(200)
      expect(await ids(stays.path)).to.deep.equal([kept.id, moved.id])
      const { status, headers } = await service().get(goes.path)
      expect([status, headers.get('location')]).to.deep.equal([
        301,
        `${service().url}${stays.path}`,
      ])
      const undone = await service().post(`/api/batches/${merged.body.batch}/undo/`, {})
      expect(undone.status, undone.text).to.equal(200)
      expect(await ids(stays.path)).to.deep.equal([kept.id])
      expect(await ids(goes.path)).to.deep.equal([moved.id])
    })

    it('to another identifier, and back with all that were added since', async () => {
      const { id, path } = await newZine()
      const first = await add(path)
      const newId = unique('renamed')
      const renamed = await service().post(`/api/zines/${id}/rename/`, { id: newId })
      expect(renamed.status, renamed.text).to.equal(200)
      const second = await add(`/api/zines/${newId}/pictures/`)
      expect(await ids(`/api/zines/${newId}/pictures/`)).to.deep.equal([first.id, second.id])
      await service().post(`/api/batches/${renamed.body.batch}/undo/`, {})
      expect(await ids(path)).to.deep.equal([first.id, second.id])
    })
  })

  it('of a deleted record are removed for good when its past is redacted', async () => {
    const { id, path } = await newZine()
    const before = await filesOnDisk()
    await add(path, {}, await image(17, 19, '#998877').png().toBuffer())
    await service().delete(`/api/zines/${id}/`)
    expect(await filesOnDisk()).to.have.lengthOf(before.length + 1)
    expect((await service().post(`/api/zines/${id}/redact/`, { past: true })).status).to.equal(204)
    expect(await filesOnDisk()).to.deep.equal(before)
  })

  it('lose a text that is redacted in their record', async () => {
    const { id, path } = await newZine()
    await service().patch(`/api/zines/${id}/`, { abstract: 'By Legal Näme' })
    const { id: picture } = await add(path, { alt: 'Drawn by Legal Näme herself', public: 'true' })
    const redaction = { field: 'abstract', value: 'Legal Näme' }
    expect((await service().post(`/api/zines/${id}/redact/`, redaction)).status).to.equal(204)
    const { body } = await service().get(`${path}${picture}/`)
    expect(body.alt).to.equal('Drawn by herself')
    expect(await placesOf(service().dataDir, 'Legal Näme')).to.deep.equal([])
  })

  it('are 50 at most for a record', async () => {
    const { path } = await newZine()
    for (let number = 0; number < 50; number += 1)
      await service().post(path, { url: `https://iiif.example/${number}` })
    const { status, body } = await service().post(path, { url: 'https://iiif.example/51' })
    expect([status, body]).to.deep.equal([400, { file: ['A record has 50 pictures at most.'] }])
  })

  it('are described by IIIF as images in the sizes that there are', async () => {
    const { path } = await newZine()
    const added = await add(path, { public: 'true' }, await image(400, 700).jpeg().toBuffer())
    const base = await fetch(added.service, { redirect: 'manual' })
    expect([base.status, base.headers.get('location')]).to.deep.equal([
      303,
      `${added.service}/info.json`,
    ])
    const { body } = await service().get(new URL(`${added.service}/info.json`).pathname)
    expect(body).to.deep.equal({
      '@context': 'http://iiif.io/api/image/3/context.json',
      id: added.service,
      type: 'ImageService3',
      protocol: 'http://iiif.io/api/image',
      profile: 'level0',
      width: 400,
      height: 700,
      sizes: [
        { width: 171, height: 300 },
        { width: 343, height: 600 },
        { width: 400, height: 700 },
      ],
    })
    const size = `${added.service}/full/171,300/0/default.jpg`
    const { headers, bytes } = await bytesOf(size)
    expect(await sharp(bytes).metadata()).to.include({ width: 171, height: 300 })
    const again = await fetch(size, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    expect(again.status).to.equal(304)
    expect((await bytesOf(`${added.service}/full/172,300/0/default.jpg`)).status).to.equal(404)
  })

  it('do not change what the record itself shows', async () => {
    const { id, path } = await newZine()
    const before = await service().get(`/api/zines/${id}/`)
    await add(path)
    const after = await service().get(`/api/zines/${id}/`)
    expect(after.text).to.equal(before.text)
  })
})
