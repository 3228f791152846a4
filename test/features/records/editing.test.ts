// The pages for editing over HTTP: sign-in, rights, and protection against forms of other sites.
// The work of editors in a browser is in test/browser/.

import { expect } from 'chai'

import { agent, holding, repository, zine } from '../../examples.js'
import { PASSWORD, useService } from '../../service.js'
import { browse, read } from '../../views/browser.js'
import { processorTime } from '../../waiting.js'

describe('the pages for editing', () => {
  const service = useService({ BASE_URL: 'http://localhost' })
  const visitor = () => browse(service().url)
  const as = async (name: string) => {
    const one = visitor()
    await one.signIn(name)
    return one
  }

  before(async () => {
    await service().post('/api/agents/', agent('maker'))
    await service().post(
      '/api/agents/',
      agent('hidden', { public: false, legal_name: 'Zebulon Quux', email: 'zq@secret.example' }),
    )
  })

  it('redirect to the login page without a session, with the way back', async () => {
    const { status, headers } = await visitor().get('/manage/zines/new?title=A%26B')
    expect(status).to.equal(303)
    expect(headers.get('location')).to.equal(
      `/manage/login?next=${encodeURIComponent('/manage/zines/new?title=A%26B')}`,
    )
  })

  it('set a session cookie that is HttpOnly and SameSite=Lax', async () => {
    const one = visitor()
    const { status, headers } = await one.signIn('editor')
    expect(status).to.equal(303)
    const [cookie] = headers.getSetCookie()
    expect(cookie).to.match(/^zine_session=[\w-]{43};/)
    expect(cookie)
      .to.match(/; *httponly/i)
      .and.match(/; *samesite=lax/i)
      .and.match(/; *path=\//i)
  })

  it('set a new session cookie at login', async () => {
    const one = visitor()
    await one.get('/manage/login')
    const before = one.cookies.get('zine_session')
    await one.signIn('editor')
    expect(before).to.be.a('string')
    expect(one.cookies.get('zine_session')).not.to.equal(before)
  })

  for (const next of [
    '//evil.example/',
    'https://evil.example/',
    '/\\evil.example',
    '/.//evil.example/x',
    '/x/..//evil.example/x',
    '/%2e//evil.example/x',
    'javascript:alert(1)',
    '',
  ])
    it(`redirect to the home page after login with next=${JSON.stringify(next)}`, async () => {
      const { headers } = await visitor().signIn('editor', PASSWORD, next)
      expect(headers.get('location')).to.equal('/api/')
    })

  it('answer an unknown name and a wrong password with the same message, and keep the name', async () => {
    const answers = [
      await visitor().signIn('editor', 'wrong'),
      await visitor().signIn('nobody', 'wrong'),
    ]
    for (const { status, text } of answers) {
      expect(status).to.equal(400)
      expect(text).to.include('Wrong user name or password.')
      expect(text).not.to.include('value="wrong"')
    }
    expect(answers[0]?.text).to.include('value="editor"')
  })

  it('answer a form of another site with an error and not with its input', async () => {
    for (const one of [await as('editor'), visitor()])
      for (const headers of [
        { origin: 'https://evil.example' },
        { 'sec-fetch-site': 'cross-site' },
        {} as Record<string, string>,
      ]) {
        const form = { zine_id: 'planted', title: 'Planted text', csrf_token: 'x' }
        const { status, text } = await one.ask('POST', '/manage/zines/new', form, headers)
        expect(status).to.equal(403)
        expect(text).not.to.include('Planted text')
      }
  })

  it('answer 413 to a form of 1 MB from a visitor, and 400 to too many values, without a delay', async () => {
    const send = async (one: ReturnType<typeof visitor>, body: string): Promise<number> => {
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        cookie: one.cookie(),
        'sec-fetch-site': 'same-origin',
      }
      return (await service().ask('POST', '/manage/zines/new', { raw: body, headers, token: null }))
        .status
    }
    const editor = await as('editor')
    const started = processorTime()
    expect(await send(visitor(), 'subject=a&'.repeat(100_000))).to.equal(413)
    expect(await send(visitor(), 'subject=a&'.repeat(1001))).to.equal(400)
    expect(await send(editor, 'subject=a&'.repeat(100_000))).to.equal(400)
    expect(await send(editor, 'subject=a&'.repeat(1001))).to.equal(400)
    expect(await send(editor, `title=${'a'.repeat(100_000)}`)).to.equal(403)
    expect(processorTime() - started).to.be.below(2000)
  })

  it('redirect to a login page that can be requested, however long the URL of the form is', async () => {
    for (const length of [1500, 3000, 12_000]) {
      const path = `/manage/zines/new?title=${'%26'.repeat(length / 3)}`
      const { status, headers } = await visitor().get(path)
      expect(status).to.equal(303)
      const login = headers.get('location') ?? ''
      expect((await visitor().get(login)).status).to.equal(200)
      expect(new URLSearchParams(login.split('?')[1]).get('next')).to.match(
        /^\/manage\/zines\/new(?:$|\?)/,
      )
    }
  })

  it('are not stored by caches, nor is any page of a session, since they contain form tokens', async () => {
    const editor = await as('editor')
    for (const path of ['/api/zines/', '/manage/zines/new'])
      expect((await editor.get(path)).headers.get('cache-control'), path).to.equal(
        'private, no-store',
      )
    const login = await fetch(`${service().url}/manage/login`, { headers: { accept: 'text/html' } })
    expect(login.headers.get('cache-control')).to.equal('private, no-store')
  })

  it('end the session at logout', async () => {
    const one = await as('editor')
    const key = one.cookies.get('zine_session') ?? ''
    const page = await one.get('/api/zines/')
    const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
    await one.ask('POST', '/manage/logout', { csrf_token })
    const after = await service().get('/manage/account', {
      headers: { cookie: `zine_session=${key}` },
    })
    expect(after.status).to.equal(303)
  })

  it('answer 403 to a form without its CSRF token, and change nothing', async () => {
    const one = await as('admin')
    const form = { name: 'planted', password: 'long enough indeed', role: 'admin' }
    for (const csrf_token of ['', 'x', 'A'.repeat(43)]) {
      const { status } = await one.ask('POST', '/manage/accounts', { ...form, csrf_token })
      expect(status).to.equal(403)
    }
    expect(service().accounts.find('planted')).to.equal(undefined)
  })

  it('answer 403 to a form from another site even with the token, and change nothing', async () => {
    const one = await as('admin')
    const form = { name: 'planted', password: 'long enough indeed', role: 'admin' }
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'null' },
    ])
      expect((await one.send('/manage/accounts', form, headers)).status).to.equal(403)
    expect(service().accounts.find('planted')).to.equal(undefined)
  })

  it('show a form of this site with an old token again, with all its input', async () => {
    const one = await as('editor')
    const typed = { zine_id: 'kept', title: 'Kept & "quoted" <b>' }
    const form = { ...typed, csrf_token: 'x' }
    const own = { 'sec-fetch-site': 'same-origin', origin: 'http://localhost' }
    const { status, text } = await one.ask('POST', '/manage/zines/new', form, own)
    expect(status).to.equal(403)
    expect(text).to.include('value="kept"').and.to.include('Kept &amp; &quot;quoted&quot; &lt;b')
    expect((await service().get('/api/zines/kept/')).status).to.equal(404)
  })

  it('give the API no rights: a write with a session cookie and no token answers 401', async () => {
    const one = await as('admin')
    const cookie = `zine_session=${one.cookies.get('zine_session') ?? ''}`
    const { status } = await service().post('/api/zines/', zine('x'), {
      token: null,
      headers: { cookie },
    })
    expect(status).to.equal(401)
    const read = await service().get('/api/agents/hidden/?private=true', { headers: { cookie } })
    expect(read.text).not.to.include('Zebulon')
  })

  for (const [name, sees] of [
    ['admin', true],
    ['editor', true],
    ['viewer', false],
    ['zines-editor', false],
  ] as const)
    it(`${sees ? 'show' : 'hide'} an agent's private fields ${sees ? 'to' : 'from'} the account ${name}, and only on the agent's page`, async () => {
      const one = await as(name)
      const page = await one.get('/api/agents/hidden/')
      expect(page.text.includes('Zebulon Quux')).to.equal(sees)
      expect(page.headers.get('cache-control')).to.equal('private, no-store')
      for (const path of ['/api/agents/', '/api/agents/?search=Zebulon', '/api/zines/'])
        expect((await one.get(path)).text).not.to.include('Quux')
    })

  it('show an agent without private fields when nobody is signed in', async () => {
    const { text, headers } = await visitor().get('/api/agents/hidden/')
    expect(text).not.to.include('Zebulon').and.not.to.include('zq@secret')
    expect(headers.get('vary')).to.match(/cookie/i)
  })

  for (const path of ['/manage/accounts', '/manage/accounts/admin'])
    it(`answer 403 at ${path} to all but administrators`, async () => {
      expect((await (await as('editor')).get(path)).status).to.equal(403)
      expect((await (await as('viewer')).get(path)).status).to.equal(403)
      expect((await (await as('admin')).get(path)).status).to.equal(200)
    })

  for (const path of [
    '/manage/zines/new',
    '/manage/agents/edit/maker',
    '/manage/agents/remove/maker',
  ])
    it(`answer 403 at ${path} to viewers`, async () => {
      expect((await (await as('viewer')).get(path)).status).to.equal(403)
    })

  it('create no account with a short password, and keep the input', async () => {
    const one = await as('admin')
    const { text } = await one.send('/manage/accounts', {
      name: 'shorty',
      password: 'short',
      role: 'viewer',
    })
    expect(text).to.include('value="shorty"')
    expect(service().accounts.find('shorty')).to.equal(undefined)
  })

  it('do not disable the last administrator', async () => {
    const one = await as('admin')
    const { text } = await one.send('/manage/accounts/admin', { do: 'disable' })
    expect(text).to.include('role="alert"')
    expect(service().accounts.find('admin')?.disabled).to.equal(false)
  })

  it('end the other sessions of an account when its password changes, and keep the current one', async () => {
    await service().accounts.add({
      name: 'two',
      password: PASSWORD,
      role: 'viewer',
      restrictedTo: [],
    })
    const [here, there] = [await as('two'), await as('two')]
    await here.send('/manage/account', {
      do: 'password',
      current: PASSWORD,
      next: 'another long one',
    })
    expect((await here.get('/manage/account')).status).to.equal(200)
    expect((await there.get('/manage/account')).status).to.equal(303)
  })

  it('have headers against foreign scripts, frames and referrers', async () => {
    for (const path of ['/manage/login', '/api/zines/', '/api/agents/maker/']) {
      const { headers } = await visitor().get(path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).to.include("default-src 'none'").and.include("frame-ancestors 'none'")
      expect(policy).not.to.include('unsafe')
      expect(headers.get('x-content-type-options')).to.equal('nosniff')
      expect(headers.get('referrer-policy')).to.equal('same-origin')
    }
  })
})

describe('the page that deletes a record', () => {
  const service = useService({ BASE_URL: 'http://localhost' })
  const remove = async (id: string, more: Record<string, string> = {}) => {
    const editor = browse(service().url)
    await editor.signIn('editor')
    const path = `/manage/repositories/remove/${id}`
    const form = read((await editor.get(path)).text)
      .all('form')
      .at(-1)
    const version = form?.all('input').find(({ attributes }) => attributes.name === '.version')
    const sent = await editor.send(path, {
      '.version': version?.attributes.value ?? '',
      ...more,
    })
    const { status } = await service().get(`/api/repositories/${id}/`)
    return { ...sent, isDeleted: status === 404 }
  }

  before(async () => {
    await service().post('/api/agents/', agent('maker'))
    await service().post('/api/zines/', zine('zine'))
    for (const [id, name, copies] of [
      ['ten', 'Ten', 10],
      ['eleven', 'The  “Cellar” <b>', 11],
      ['api', 'Api', 11],
    ] as const) {
      await service().post('/api/repositories/', repository(id, { repository_name: name }))
      for (let count = 0; count < copies; count += 1) {
        const copy = holding(`${id}-${count}`, { zine_id: 'zine', repository_id: id })
        expect((await service().post('/api/holdings/', copy)).status).to.equal(201)
      }
    }
  })

  it('does not ask for the name of a record that takes ten others along', async () => {
    const { status, isDeleted } = await remove('ten')
    expect([status, isDeleted]).to.deep.equal([303, true])
  })

  for (const [what, form] of [
    ['without the name', {}],
    ['with the identifier', { '.name': 'eleven' }],
    ['with another case', { '.name': 'the “cellar” <b>' }],
    ['with a part of the name', { '.name': 'The' }],
  ] as const)
    it(`deletes nothing ${what} of a record that takes eleven others along`, async () => {
      const { status, text, isDeleted } = await remove('eleven', form)
      expect([status, isDeleted]).to.deep.equal([400, false])
      const page = read(text)
      expect(page.text).to.include('Nothing was deleted: that is not the name.')
      expect(page.text).to.include('11 copies will be deleted with it.')
      const typed = page.all('input').find(({ attributes }) => attributes.name === '.name')
      expect(typed?.attributes.value).to.equal('.name' in form ? form['.name'] : '')
      expect((await service().get('/api/holdings/?repository_id=eleven')).body.count).to.equal(11)
    })

  it('deletes it with its name, whatever the spaces are, and the eleven others', async () => {
    const { status, isDeleted } = await remove('eleven', { '.name': ' The “Cellar” <b>\u00a0' })
    expect([status, isDeleted]).to.deep.equal([303, true])
    expect((await service().get('/api/holdings/?repository_id=eleven')).body.count).to.equal(0)
  })

  it('is the only place that asks: DELETE by API needs no name', async () => {
    expect((await service().delete('/api/repositories/api/')).status).to.equal(204)
  })
})
