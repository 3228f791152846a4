// What is in the recorded catalogue: accounts of every role, the sample, the records of the table of rights, and one of
// everything else that has an address.

import { readFile } from 'node:fs/promises'

import { agent, full, holding, referencedRecords, zine } from '../examples.js'
import { image } from '../features/pictures/picture-files.js'
import { type Role, isSignedIn, roles } from '../security/routes.js'
import { PASSWORD } from '../service.js'
import { ACCEPT, csrfOn } from '../views/browser.js'
import type { Ask, Client } from './client.js'
import type { Answer } from './recording.js'

export type Collection = {
  /** Programs with the token of each role, and browsers in which it is signed in. */
  readonly programs: ReadonlyMap<Role, Client>
  readonly browsers: ReadonlyMap<Role, Client>
  /** The identifiers of what has `none` in the addresses of the table of rights, by the part of the path before it. */
  readonly ids: Readonly<Record<string, string>>
}

const json = { 'content-type': 'application/json' }
export const formType = { 'content-type': 'application/x-www-form-urlencoded' }
export const jsonLines = { 'content-type': 'application/x-ndjson' }

/** A browser without a session. */
export const visitor = (name: string, language?: string): Client => ({
  name,
  headers: { accept: ACCEPT, ...(language ? { 'accept-language': language } : {}) },
  cookies: new Map(),
})

/** Sends a form of a page. */
export async function sendForm(
  ask: Ask,
  browser: Client,
  page: string,
  fields: Readonly<Record<string, string>>,
): Promise<Answer> {
  const csrf_token = csrfOn((await ask(browser, page)).body.toString())
  const body = new URLSearchParams({ csrf_token, ...fields }).toString()
  return ask(browser, page, { method: 'POST', headers: formType, body })
}

async function signIn(ask: Ask, name: string, username: string): Promise<Client> {
  const browser = visitor(name)
  accepted(
    await sendForm(ask, browser, '/manage/login', { username, password: PASSWORD, next: '/' }),
  )
  return browser
}

/** @throws Error where an answer is no success, without which there is nothing to record */
function accepted(answer: Answer): Answer {
  if (answer.status >= 400) throw new Error(`${answer.status} ${answer.body.toString()}`)
  return answer
}

// The cast: what the service sends has the fields that are asked for, or the recording fails.
const bodyOf = (answer: Answer) =>
  JSON.parse(accepted(answer).body.toString()) as Readonly<Record<string, string>>

/** @param admin the name of the account that the service is started with */
export async function fillCollection(ask: Ask, admin: string): Promise<Collection> {
  const browser = await signIn(ask, 'admin, in a browser', admin)
  const nobody: Client = { name: 'nobody', headers: {} }
  const browsers = new Map<Role, Client>([['nobody', visitor('nobody, in a browser')]])
  const programs = new Map<Role, Client>([
    ['nobody', nobody],
    [
      'a wrong token',
      { name: 'a wrong token', headers: { authorization: `Token ${'f'.repeat(40)}` } },
    ],
  ])
  const addRole = async (role: Role, username: string): Promise<void> => {
    const body = JSON.stringify({ username, password: PASSWORD })
    const token = await ask(nobody, '/api/auth/token/', { method: 'POST', headers: json, body })
    const authorization = `Token ${bodyOf(token).token ?? ''}`
    programs.set(role, { name: role, headers: { authorization } })
    browsers.set(role, await signIn(ask, `${role}, in a browser`, username))
  }
  for (const role of roles) {
    if (!isSignedIn(role) && role !== 'a disabled account') continue
    const [kind = '', only = ''] = role.split(' of ')
    const name = role === 'admin' ? admin : role.replaceAll(' ', '-')
    const rights = {
      role: kind === 'a disabled account' ? 'admin' : kind,
      ...(only ? { only } : {}),
    }
    if (role !== 'admin')
      accepted(
        await sendForm(ask, browser, '/manage/accounts', { name, password: PASSWORD, ...rights }),
      )
    await addRole(role, name)
  }
  accepted(await sendForm(ask, browser, '/manage/accounts/a-disabled-account', { do: 'disable' }))

  const writer = programs.get('admin') ?? nobody
  const send = async (method: string, path: string, body: string | Buffer, headers = json) =>
    accepted(await ask(writer, path, { method, headers, body }))
  const post = async (path: string, body: object = {}) =>
    bodyOf(await send('POST', path, JSON.stringify(body)))

  const batch = bodyOf(await send('POST', '/api/batches/', await sampleLines(), jsonLines))
  for (const [name, record] of referencedRecords) await post(`/api/${name}/`, record)
  await post('/api/holdings/', holding('copy'))
  for (const name of ['agents', 'repositories', 'zines', 'holdings'] as const)
    await post(`/api/${name}/`, full[name](`full-${name}`))
  await post('/api/agents/', agent('private-maker', { public: false, legal_name: 'Legal Name' }))
  await post('/api/zines/', zine('private-zine', { creator: ['private-maker'] }))
  await post('/api/agents/', agent('double', { alternative_names: ['Double'] }))
  await post('/api/agents/double/merge/', { into: 'helper' })
  await post('/api/zines/', zine('renamed'))
  await post('/api/zines/renamed/rename/', { id: 'new-name' })
  await post('/api/zines/', zine('deleted'))
  await send('DELETE', '/api/zines/deleted/', '')
  for (const abstract of ['First', 'Second'])
    await send('PATCH', '/api/zines/zine/', JSON.stringify({ abstract }))
  await post('/api/zines/zine/history/2/restore/')

  const picture = bodyOf(
    await send('POST', '/api/zines/zine/pictures/', ...(await pictureForm('true'))),
  )
  await send('POST', '/api/holdings/copy/pictures/', ...(await pictureForm('false')))
  await post('/api/zines/second-zine/pictures/', {
    url: 'https://iiif.example/image',
    public: true,
  })

  const rows =
    'Title,Author,Tags\nImported,Somebody New,unheard of\nAlso imported,Maker maker,punk\n'
  const importFile = async (name: string) =>
    bodyOf(
      await send('POST', `/api/imports/?filename=${name}`, rows, { 'content-type': 'text/csv' }),
    )
  const written = await importFile('written.csv')
  const decisions = { names: { 'Somebody New': 'drop' }, restTerms: 'note' }
  await ask(writer, `/api/imports/${written.id}/`, {
    method: 'PATCH',
    headers: json,
    body: JSON.stringify(decisions),
  })
  for (const action of ['preview', 'commit'])
    await ask(writer, `/api/imports/${written.id}/${action}/`, {
      method: 'POST',
      headers: json,
      body: '{}',
    })
  const open = await importFile('open.csv')
  // This address is the service itself (fixed.ts).
  await post('/api/imports/', { url: 'http://127.0.0.1:1/oai', prefix: 'oai_dc' })
  await send('PUT', '/api/import-profiles/kept/', JSON.stringify(open.profile))

  // A disabled one is sent nothing, at no time.
  const webhook = await post('/api/webhooks/', { url: 'https://hooks.example/' })
  await post(`/api/webhooks/${webhook.id}/disable/`)

  const request = { topic: 'correct', text: 'Please correct this', answer: 'me@example.org' }
  const asker = browsers.get('nobody') ?? nobody
  accepted(await sendForm(ask, asker, '/requests/new?kind=agents&id=maker', request))
  accepted(
    await sendForm(ask, browser, '/manage/accounts', {
      do: 'invite',
      name: 'invited',
      role: 'viewer',
    }),
  )

  const { id = '' } = picture
  return {
    programs,
    browsers,
    ids: {
      batches: batch.id ?? '',
      imports: open.id ?? '',
      'import-profiles': 'kept',
      webhooks: webhook.id ?? '',
      pictures: id,
      images: id,
    },
  }
}

/** The sample as a batch. */
async function sampleLines(): Promise<string> {
  const lines: string[] = []
  for (const kind of ['agents', 'repositories', 'zines', 'holdings'])
    for (const body of (await readFile(`sample/${kind}.jsonl`, 'utf8')).trimEnd().split('\n'))
      lines.push(`{"op":"create","kind":"${kind}","body":${body}}`)
  return lines.join('\n')
}

/** A form with a picture, with a boundary that is the same in every run. */
async function pictureForm(
  isPublic: string,
): Promise<[body: Buffer, headers: { 'content-type': string }]> {
  const boundary = 'recorded'
  const part = (name: string, rest: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${rest}`
  const body = [
    part('public', `\r\n\r\n${isPublic}\r\n`),
    part('alt', '\r\n\r\nA picture\r\n'),
    part('file', '; filename="cover.png"\r\nContent-Type: image/png\r\n\r\n'),
    await image().png().toBuffer(),
    `\r\n--${boundary}--\r\n`,
  ]
  return [
    Buffer.concat(body.map((text) => Buffer.from(text))),
    { 'content-type': `multipart/form-data; boundary=${boundary}` },
  ]
}
