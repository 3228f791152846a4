// The desk over HTTP: who gets in, what a form has to bring, and what no other site can have a
// browser do. What librarians do there is in test/browser/.

import { expect } from 'chai'

import { agent, zine } from '../examples.js'
import { PASSWORD, useService } from '../service.js'
import { browse } from './browser.js'

describe('the desk', () => {
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

  it('asks who is not signed in to do so, and leads back', async () => {
    const { status, headers } = await visitor().get('/manage/zines/new?title=A%26B')
    expect(status).to.equal(303)
    expect(headers.get('location')).to.equal(
      `/manage/login?next=${encodeURIComponent('/manage/zines/new?title=A%26B')}`,
    )
  })

  it('gives a cookie that scripts cannot read and other sites do not send', async () => {
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

  it('gives another cookie at login than before it', async () => {
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
    'javascript:alert(1)',
    '',
  ])
    it(`does not lead to ${JSON.stringify(next)} after login`, async () => {
      const { headers } = await visitor().signIn('editor', PASSWORD, next)
      expect(headers.get('location')).to.equal('/api/')
    })

  it('says the same of an unknown name and a wrong password, and keeps the name', async () => {
    const answers = [
      await visitor().signIn('editor', 'wrong'),
      await visitor().signIn('nobody', 'wrong'),
    ]
    for (const { status, text } of answers) {
      expect(status).to.equal(400)
      expect(text).to.include('Unable to log in with provided credentials.')
      expect(text).not.to.include('value="wrong"')
    }
    expect(answers[0]?.text).to.include('value="editor"')
  })

  it('ends a session at logout', async () => {
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

  it('does nothing that a form asks for without its token', async () => {
    const one = await as('admin')
    const form = { name: 'planted', password: 'long enough indeed', role: 'admin' }
    for (const csrf_token of ['', 'x', 'A'.repeat(43)]) {
      const { status } = await one.ask('POST', '/manage/accounts', { ...form, csrf_token })
      expect(status).to.equal(403)
    }
    expect(service().accounts.find('planted')).to.equal(undefined)
  })

  it('does nothing that another site asks for, even with a token', async () => {
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

  it('gives a form back with all that was typed when its token is not ours', async () => {
    const one = await as('editor')
    const typed = { zine_id: 'kept', title: 'Kept & "quoted" <b>' }
    const { status, text } = await one.ask('POST', '/manage/zines/new', {
      ...typed,
      csrf_token: 'x',
    })
    expect(status).to.equal(403)
    expect(text).to.include('value="kept"').and.to.include('Kept &amp; &quot;quoted&quot; &lt;b')
    expect((await service().get('/api/zines/kept/')).status).to.equal(404)
  })

  it('has no say in JSON: a write needs a token, whatever the cookie', async () => {
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
    it(`${sees ? 'shows' : 'hides'} a private agent's own fields ${sees ? 'to' : 'from'} ${name}, on the agent's page alone`, async () => {
      const one = await as(name)
      const page = await one.get('/api/agents/hidden/')
      expect(page.text.includes('Zebulon Quux')).to.equal(sees)
      if (sees) expect(page.headers.get('cache-control')).to.match(/private/)
      for (const path of ['/api/agents/', '/api/agents/?search=Zebulon', '/api/zines/'])
        expect((await one.get(path)).text).not.to.include('Quux')
    })

  it('shows the same page without private fields to who is not signed in', async () => {
    const { text, headers } = await visitor().get('/api/agents/hidden/')
    expect(text).not.to.include('Zebulon').and.not.to.include('zq@secret')
    expect(headers.get('vary')).to.match(/cookie/i)
  })

  for (const path of ['/manage/accounts', '/manage/accounts/admin'])
    it(`lets administrators alone into ${path}`, async () => {
      expect((await (await as('editor')).get(path)).status).to.equal(403)
      expect((await (await as('viewer')).get(path)).status).to.equal(403)
      expect((await (await as('admin')).get(path)).status).to.equal(200)
    })

  for (const path of [
    '/manage/zines/new',
    '/manage/agents/edit/maker',
    '/manage/agents/remove/maker',
  ])
    it(`lets viewers not into ${path}`, async () => {
      expect((await (await as('viewer')).get(path)).status).to.equal(403)
    })

  it('refuses to make an account with a short password, and keeps what was typed', async () => {
    const one = await as('admin')
    const { text } = await one.send('/manage/accounts', {
      name: 'shorty',
      password: 'short',
      role: 'viewer',
    })
    expect(text).to.include('value="shorty"')
    expect(service().accounts.find('shorty')).to.equal(undefined)
  })

  it('keeps the last administrator', async () => {
    const one = await as('admin')
    const { text } = await one.send('/manage/accounts/admin', { do: 'disable' })
    expect(text).to.include('role="alert"')
    expect(service().accounts.find('admin')?.disabled).to.equal(false)
  })

  it('signs other browsers out when the password is changed, and keeps the one that changed it', async () => {
    await service().accounts.add({ name: 'two', password: PASSWORD, role: 'viewer', only: [] })
    const [here, there] = [await as('two'), await as('two')]
    await here.send('/manage/account', {
      do: 'password',
      current: PASSWORD,
      next: 'another long one',
    })
    expect((await here.get('/manage/account')).status).to.equal(200)
    expect((await there.get('/manage/account')).status).to.equal(303)
  })

  it('sends its pages with headers that keep them to themselves', async () => {
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
