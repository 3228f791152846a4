// Tests several tokens for an account: who a request is from, what a limited token may do, and the form on
// the page of the account. The rules for tokens have unit tests.

import { expect } from 'chai'

import { PASSWORD } from '../service.js'
import { browse } from '../views/browser.js'
import { resourceOf, unique, useCatalogue } from './catalogue.js'

describe('the tokens of an account over HTTP', () => {
  const { service } = useCatalogue()

  async function account(restrictedTo: readonly string[] = []) {
    const name = unique('account')
    await service().accounts.add({ name, password: PASSWORD, role: 'editor', restrictedTo })
    return name
  }

  const tokenFor = async (name: string, token: object): Promise<string> =>
    (await service().accounts.addToken(name, { label: 'one', restrictedTo: [], ...token })).token

  const me = (token: string | null) => service().get('/api/auth/me/', { token })

  describe('GET /api/auth/me/', () => {
    it('says whose the token is, and what may be done with it', async () => {
      const name = await account(['zines', 'agents'])
      const token = await tokenFor(name, { restrictedTo: ['zines'], days: 1 })
      const { status, headers, body } = await me(token)
      expect(status).to.equal(200)
      expect(headers.get('cache-control')).to.equal('private, no-store')
      const { expires } = body.token
      expect(Date.parse(expires) - Date.now()).to.be.within(86_000_000, 86_400_000)
      expect(body).to.deep.equal({
        username: name,
        role: 'editor',
        only: ['zines'],
        repository: null,
        token: { label: 'one', expires },
      })
    })

    it('calls the token that a login gives `login`', async () => {
      expect((await me(service().tokens.viewer)).body).to.deep.equal({
        username: 'viewer',
        role: 'viewer',
        only: [],
        repository: null,
        token: { label: 'login', expires: null },
      })
    })

    it('answers 401 without a token', async () => {
      const { status, headers, body } = await me(null)
      expect(status).to.equal(401)
      expect(headers.get('www-authenticate')).to.equal('Token')
      expect(body).to.deep.equal({ detail: 'Authentication credentials were not provided.' })
    })
  })

  it('are refused with 401 “Invalid token.” when they expired', async () => {
    const now = Date.now
    const token = await tokenFor(await account(), { days: 1 })
    try {
      Date.now = () => now() + 86_400_000
      expect((await me(token)).body).to.deep.equal({ detail: 'Invalid token.' })
      expect((await service().get('/api/zines/', { token })).status).to.equal(401)
    } finally {
      Date.now = now
    }
    expect((await me(token)).status).to.equal(200)
  })

  it('may write only what they are limited to', async () => {
    const token = await tokenFor(await account(), { restrictedTo: ['agents'] })
    const [agents, repositories] = [resourceOf('agents'), resourceOf('repositories')]
    const post = (to: typeof agents) =>
      service().post(`/api/${to.name}/`, to.minimal(unique('record')), { token })
    expect((await post(agents)).status).to.equal(201)
    const refused = await post(repositories)
    expect(refused.status).to.equal(403)
    expect(refused.body).to.deep.equal({
      detail: 'You do not have permission to perform this action.',
    })
  })

  it('of a viewer see nothing private, although their account does', async () => {
    const { minimal } = resourceOf('agents')
    const id = unique('agent')
    const sent = { ...minimal(id), public: false, legal_name: 'A Secret Name' }
    expect((await service().post('/api/agents/', sent)).status).to.equal(201)
    const name = await account()
    const path = `/api/agents/${id}/?private=true`
    const full = await tokenFor(name, { label: 'full' })
    expect((await service().get(path, { token: full })).text).to.include('A Secret Name')
    for (const limits of [{ role: 'viewer' }, { restrictedTo: ['zines'] }]) {
      const token = await tokenFor(name, { label: JSON.stringify(limits), ...limits })
      expect((await service().get(path, { token })).text).to.not.include('A Secret Name')
    }
  })

  describe('on the page of the account', () => {
    it('are added and shown once, and revoked', async () => {
      const name = await account()
      const browser = browse(service().url)
      await browser.signIn(name)
      const fields = { do: 'token', label: 'harvest', 'token-role': 'viewer', 'token-days': '90' }
      const { status, text } = await browser.send('/manage/account', fields)
      expect(status).to.equal(200)
      const shown = [...text.matchAll(/<code>([0-9a-f]{40})<\/code>/g)].map(([, one = '']) => one)
      const added = shown.find((one) => one !== service().accounts.tokenOf(name)) ?? ''
      expect((await me(added)).body).to.include({ username: name, role: 'viewer' })

      const again = await browser.get('/manage/account')
      expect(again.text).to.not.include(added)
      expect(again.text).to.include(`<code>${added.slice(-4)}</code>`)
      expect(again.headers.get('cache-control')).to.include('no-store')

      await browser.send('/manage/account', { do: 'revoke', label: 'harvest' })
      expect((await me(added)).status).to.equal(401)
      expect((await me(service().accounts.tokenOf(name))).status).to.equal(200)
    })

    it('that cannot be added are refused with the reason', async () => {
      const name = await account(['zines'])
      const browser = browse(service().url)
      await browser.signIn(name)
      const { text } = await browser.send('/manage/account', {
        do: 'token',
        label: 'wide',
        'token-role': 'admin',
      })
      expect(text).to.include('A token may not do more than its account may do.')
      expect(service().accounts.tokensOf(name)).to.have.length(1)
    })

    it('are added to the accounts of others by administrators', async () => {
      const name = await account()
      const browser = browse(service().url)
      await browser.signIn('admin')
      await browser.send(`/manage/accounts/${name}`, { do: 'token', label: 'robot' })
      expect(
        service()
          .accounts.tokensOf(name)
          .map(({ label }) => label),
      ).to.deep.equal(['login', 'robot'])
    })
  })
})
