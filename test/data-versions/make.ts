// Makes the archives of this folder: runs a release with an empty data directory, writes a few
// records as an editor would, and keeps the directory with what the release then answered. README.md
// says how it is called.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { agent, fullAgent, fullHolding, fullRepository, fullZine, zine } from '../examples.js'
import { image } from '../features/pictures/picture-files.js'

const adminSettings = { ADMIN_USERNAME: 'admin', ADMIN_PASSWORD: 'correct horse' }

/** What a release answered to GET. */
type Answers = Readonly<Record<string, unknown>>

/** What an archive has beside `data/`. */
export type Expected = {
  readonly token: string
  /** By path, as the administrator got them. */
  readonly answers: Answers
  /** By former identifier, the address that it leads to. */
  readonly redirects: Readonly<Record<string, string>>
  /** The SHA-256 of each image, by path. */
  readonly images: Readonly<Record<string, string>>
}

type Client = Awaited<ReturnType<typeof clientAt>>

async function makeArchive(checkout: string, file: string): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'data-version-'))
  const data = join(directory, 'data')
  await mkdir(data)
  const { child, url } = await startRelease(join(checkout, 'build/src/main.js'), data)
  try {
    const expected = await writeRecords(await clientAt(url))
    await writeFile(join(directory, 'expected.json'), `${JSON.stringify(expected, null, 1)}\n`)
  } finally {
    child.kill('SIGTERM')
    await once(child, 'close')
  }
  const names = ['data', 'expected.json']
  const { status } = spawnSync('tar', ['-czf', file, '--owner=0', '--group=0', ...names], {
    cwd: directory,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error(`tar ended with ${status}`)
  await rm(directory, { recursive: true })
}

async function startRelease(main: string, data: string) {
  const { PATH = '', HOME = '' } = process.env
  const settings = { PORT: '0', BASE_URL: 'https://zines.example', SPARQL_WORKERS: '0' }
  const child = spawn(process.execPath, [main], {
    env: { PATH, HOME, DATA_DIR: data, ...settings, ...adminSettings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { child, url: await addressOf(child) }
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  let out = ''
  for await (const chunk of stdout ?? []) {
    out += String(chunk)
    const url = /listening at (http:\/\/[^,"\s]+)/.exec(out)?.[1]
    if (url !== undefined) {
      stdout?.resume()
      return url
    }
  }
  throw new Error(`the release ended: ${out}`)
}

async function clientAt(url: string) {
  const json = { 'content-type': 'application/json' }
  const login = await fetch(`${url}/api/auth/token/`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ username: 'admin', password: 'correct horse' }),
  })
  const { token } = (await login.json()) as { readonly token: string }
  const authorization = `Token ${token}`

  async function ask(
    method: string,
    path: string,
    body?: string | FormData,
    type?: string,
  ): Promise<unknown> {
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: { authorization, ...(type === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    // The address of the process is another one each time.
    return text === '' ? undefined : JSON.parse(text.replaceAll(url, ''))
  }

  return {
    url,
    token,
    ask,
    send: (method: string, path: string, body: object) =>
      ask(method, path, JSON.stringify(body), 'application/json'),
    /** Whether the release has an address. */
    has: async (path: string): Promise<boolean> =>
      (await fetch(url + path, { headers: { authorization } })).status === 200,
  }
}

/** Writes what the release knows, and reads it again. */
async function writeRecords(client: Client): Promise<Expected> {
  for (const record of [
    agent('maker'),
    agent('helper'),
    fullAgent('press'),
    // Everything about a private agent but its name is kept apart.
    fullAgent('hidden-name', { kind: 'Person', public: false, legal_name: 'Ada Lovelace' }),
    agent('former-name'),
  ])
    await client.send('POST', '/api/agents/', record)
  await client.send('POST', '/api/zines/', fullZine('doris'))
  await client.send('POST', '/api/zines/', zine('second-zine', { creator: ['hidden-name'] }))
  await client.send('POST', '/api/zines/', zine('other', { creator: ['former-name'] }))
  await client.send('POST', '/api/zines/', zine('deleted'))
  // Releases that know no drafts take it for a zine like the others.
  await client.send('POST', '/api/zines/', zine('draft', { visibility: 'draft' }))
  await client.send('POST', '/api/repositories/', fullRepository('second-library'))
  await client.send('POST', '/api/holdings/', fullHolding('copy'))
  await client.send('PATCH', '/api/zines/doris/', { title: 'Doris', date: ['1994', '1991/1996'] })
  await client.send('PATCH', '/api/agents/hidden-name/', { phone: '+44 113 496 0001' })
  await client.ask('DELETE', '/api/zines/deleted/')
  const redirects: Record<string, string> = {}
  const pictures: string[] = []
  if (await client.has('/api/batches/')) {
    await changeNames(client, redirects)
    await changeMany(client)
  }
  if (await client.has('/api/imports/')) {
    await importTable(client)
    pictures.push('/api/zines/doris/pictures/')
    await sendPicture(client)
  }
  return {
    token: client.token,
    answers: await readAnswers(client),
    redirects,
    images: await readImages(client, pictures),
  }
}

async function changeNames(client: Client, redirects: Record<string, string>): Promise<void> {
  await client.send('POST', '/api/agents/former-name/rename/', { id: 'new-name' })
  await client.send('POST', '/api/agents/helper/merge/', { into: 'maker' })
  redirects['/api/agents/former-name/'] = '/api/agents/new-name/'
  redirects['/api/agents/helper/'] = '/api/agents/maker/'
}

const changeMany = (client: Client) =>
  client.ask(
    'POST',
    '/api/batches/',
    ['doris', 'other']
      .map((id) => ({ op: 'change', kind: 'zines', id, body: { subject: ['punk', 'food'] } }))
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
    'application/x-ndjson',
  )

const table = `zine_id,title,creator,subject,genre,date,language,rights
imported,Soup,maker,punk,perzine,1999,en,unknown
`

async function importTable(client: Client): Promise<void> {
  const begun = await client.ask('POST', '/api/imports/?filename=zines.csv', table, 'text/csv')
  const path = `/api/imports/${(begun as { readonly id: string }).id}/`
  const settled = async (): Promise<void> => {
    for (;;) {
      const { progress } = (await client.ask('GET', path)) as { readonly progress: unknown }
      if (progress === null) return
    }
  }
  await settled()
  for (const step of ['preview/', 'commit/']) {
    await client.send('POST', path + step, {})
    await settled()
  }
}

async function sendPicture(client: Client): Promise<void> {
  const form = new FormData()
  form.append('public', 'true')
  form.append('alt', 'A pink cover')
  const png = await image(300, 400).png().toBuffer()
  form.append('file', new Blob([new Uint8Array(png)]), 'cover')
  await client.ask('POST', '/api/zines/doris/pictures/', form)
}

/** What the directory is asked for. A release without an address has no answer. */
const paths = [
  ...['zines', 'agents', 'repositories', 'holdings'].map((kind) => `/api/${kind}/?page_size=100`),
  ...[
    'zines/doris',
    'zines/other',
    'zines/imported',
    'zines/draft',
    'repositories/second-library',
  ].flatMap((record) => [`/api/${record}/`, `/api/${record}/history/`]),
  ...['agents/hidden-name', 'agents/press', 'holdings/copy'].flatMap((record) => [
    `/api/${record}/?private=true`,
    `/api/${record}/history/`,
  ]),
  '/api/deleted/',
  '/api/batches/',
  '/api/imports/',
  '/api/zines/doris/pictures/',
]

async function readAnswers(client: Client): Promise<Answers> {
  const answers: Record<string, unknown> = {}
  for (const path of paths)
    if (await client.has(path)) answers[path] = await client.ask('GET', path)
  return answers
}

async function readImages(
  { url, ask }: Client,
  pictures: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const images: Record<string, string> = {}
  for (const path of pictures) {
    const { results } = (await ask('GET', path)) as {
      readonly results: readonly { readonly sizes: readonly { readonly url: string }[] }[]
    }
    for (const { url: address } of results.flatMap(({ sizes }) => sizes)) {
      const response = await fetch(url + address)
      const hash = await crypto.subtle.digest('SHA-256', await response.arrayBuffer())
      images[address] = Buffer.from(hash).toString('hex')
    }
  }
  return images
}

const [checkout = '', file = ''] = process.argv.slice(2)
await makeArchive(resolve(checkout), resolve(file))
