// The service is killed while pictures are sent. Also: pictures in backup, restore and doctor.

import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'
import sharp from 'sharp'

import { zine } from '../examples.js'
import { run, serve, withDirectory } from '../process.js'
import { type Client, clientAt, settingsOf } from './client.js'

const BASE_URL = 'https://zines.example'

const rounds = Number(process.env.KILL_ROUNDS ?? 3)

const path = '/api/zines/zine/pictures/'

/** An image that no other number has. */
const imageOf = (number: number): Promise<Buffer> =>
  sharp({
    create: {
      width: 700 + number,
      height: 900,
      channels: 3,
      background: { r: number % 256, g: 100, b: 200 },
    },
  })
    .png()
    .toBuffer()

async function send(
  { url, token }: Client,
  file: Buffer,
): Promise<{ readonly id: string; readonly sizes: readonly { readonly url: string }[] }> {
  const form = new FormData()
  form.append('public', 'true')
  form.append('file', new Blob([new Uint8Array(file)]))
  const headers = { authorization: `Token ${token}` }
  const response = await fetch(url + path, { method: 'POST', body: form, headers })
  expect(response.status).to.equal(201)
  return (await response.json()) as Awaited<ReturnType<typeof send>>
}

/** The paths of the files of pictures below a data directory. */
async function filesIn(directory: string): Promise<string[]> {
  const names = await readdir(join(directory, 'pictures'), { recursive: true })
  return names.filter((name) => name.includes('/')).sort()
}

const bytesAt = async (url: string): Promise<Buffer> => {
  const response = await fetch(url)
  expect(response.status, url).to.equal(200)
  return Buffer.from(await response.arrayBuffer())
}

/** A service with a zine that has this many pictures. */
async function begin(directory: string, pictures: number) {
  const service = await serve(settingsOf(directory))
  const client = await clientAt(service.url)
  await client.prepare()
  await client.post('zines', zine('zine'))
  for (let number = 0; number < pictures; number += 1) await send(client, await imageOf(number))
  return { service, client }
}

describe('pictures', () => {
  it('that were acknowledged are there after kill -9, and no half of another one is', () =>
    withDirectory(async (directory) => {
      let { service, client } = await begin(directory, 0)
      const acknowledged: string[] = []
      for (let round = 0; round < rounds; round += 1) {
        const files = await Promise.all([0, 1, 2, 3].map((one) => imageOf(round * 10 + one)))
        const sending = files.map(async (file) => acknowledged.push((await send(client, file)).id))
        const settled = Promise.allSettled(sending)
        await Promise.race(sending)
        await sleep(round * 3)
        expect((await service.end('SIGKILL')).signal).to.equal('SIGKILL')
        await settled
        service = await serve(settingsOf(directory))
        client = await clientAt(service.url)
      }
      const { results } = (await client.get(`${path}?page_size=100`)).body
      expect(results.map(({ id }: any) => id)).to.include.members(acknowledged)
      const sizes = results.flatMap((one: any) => one.sizes)
      const contents = new Set<string>()
      for (const { url, width, height } of sizes) {
        const bytes = await bytesAt(url)
        contents.add(bytes.toString('base64'))
        expect(await sharp(bytes).metadata()).to.include({ width, height })
      }
      // What was written for pictures that were never recorded is removed at the start.
      expect(await filesIn(directory)).to.have.lengthOf(contents.size)
      expect((await service.end('SIGTERM')).code).to.equal(0)
      const { code, out } = await run(['doctor'], { DATA_DIR: directory })
      expect(code, out).to.equal(0)
    }))

  it('are in a backup, and come back from it as they were', () =>
    withDirectory(async (directory) => {
      const data = { DATA_DIR: join(directory, 'data') }
      const { service, client } = await begin(data.DATA_DIR, 2)
      const before = (await client.get(path)).body.results
      const backup = await run(['backup', join(directory, 'backup.gz')], data)
      expect(backup.code, backup.err).to.equal(0)
      const [image] = before[0].sizes
      const bytes = await bytesAt(image.url)
      const files = await filesIn(data.DATA_DIR)
      await service.end('SIGTERM')

      const other = { ...settingsOf(join(directory, 'restored')), BASE_URL }
      const done = await run(['restore', join(directory, 'backup.gz')], other)
      expect(done.code, done.err).to.equal(0)
      expect(await filesIn(other.DATA_DIR)).to.deep.equal(files)
      const second = await serve(other)
      const { pathname } = new URL(image.url)
      expect((await bytesAt(second.url + pathname)).equals(bytes)).to.equal(true)
      await second.end('SIGTERM')
    }))

  it('whose files are missing or damaged are found by the doctor', () =>
    withDirectory(async (directory) => {
      const { service } = await begin(directory, 1)
      await service.end('SIGTERM')
      const [first = '', second = ''] = await filesIn(directory)
      await rm(join(directory, 'pictures', first))
      await writeFile(join(directory, 'pictures', second), 'x')
      const { code, out } = await run(['doctor'], { DATA_DIR: directory })
      expect(code).to.equal(1)
      expect(out).to.match(/^error: picture\/zines\/zine: its file [0-9a-f]{64} is missing$/m)
      expect(out).to.match(/^error: picture\/zines\/zine: its file [0-9a-f]{64} is damaged$/m)
    }))
})
