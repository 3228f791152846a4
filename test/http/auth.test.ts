// Tests tokens: how a client gets one, how it sends one, and when one is refused. Also tests the
// throttling of failed logins. Who may write what is tested in rights.test.ts.

import { expect } from 'chai'

import { PASSWORD, useService } from '../service.js'
import { resourceOf, unique, useCatalogue } from './catalogue.js'

const NO_CREDENTIALS = { detail: 'Authentication credentials were not provided.' }
const INVALID_TOKEN = { detail: 'Invalid token.' }
const WRONG_CREDENTIALS = { non_field_errors: ['Unable to log in with provided credentials.'] }

describe('authentication:', () => {
  const { service } = useCatalogue()

  const login = (body: unknown) => service().post('/api/auth/token/', body, { token: null })

  /** An account of its own for a test, with its token. */
  async function account(role: 'admin' | 'editor' | 'viewer' = 'editor') {
    const name = unique('account')
    await service().accounts.add({ name, password: PASSWORD, role, restrictedTo: [] })
    const { body } = await login({ username: name, password: PASSWORD })
    return { name, token: body.token as string }
  }

  describe('POST /api/auth/token/', () => {
    it('answers 200 with a token of 40 hexadecimal digits and nothing else', async () => {
      const { status, body } = await login({ username: 'viewer', password: PASSWORD })
      expect(status).to.equal(200)
      expect(body).to.have.all.keys('token')
      expect(body.token).to.match(/^[0-9a-f]{40}$/)
    })

    it('answers with the same token each time', async () => {
      const { name, token } = await account()
      const again = await login({ username: name, password: PASSWORD })
      expect(again.body.token).to.equal(token)
    })

    it('answers with different tokens for different accounts', async () => {
      expect((await account()).token).not.to.equal((await account()).token)
    })

    it('answers with a token that may write', async () => {
      const { token } = await account('editor')
      const sent = resourceOf('agents').minimal(unique('agent'))
      expect((await service().post('/api/agents/', sent, { token })).status).to.equal(201)
    })

    // prettier-ignore
    for (const [credentials, body] of [
      ['a wrong password',              { username: 'viewer', password: 'wrong' }],
      ['the password in upper case',    { username: 'viewer', password: PASSWORD.toUpperCase() }],
      ['an unknown user name',          { username: 'nobody', password: PASSWORD }],
      ['the user name in another case', { username: 'Viewer', password: PASSWORD }],
      ['the user name __proto__',       { username: '__proto__', password: PASSWORD }],
      ['the user name constructor',     { username: 'constructor', password: PASSWORD }],
      ['a token as password',           { username: 'viewer', password: '0'.repeat(40) }],
    ] as const)
      it(`with ${credentials} answers 400 “Unable to log in with provided credentials.”`, async () => {
        const answer = await login(body)
        expect(answer.status).to.equal(400)
        expect(answer.body).to.deep.equal(WRONG_CREDENTIALS)
      })

    // prettier-ignore
    for (const [body, messages] of [
      [{},                                        { username: ['This field is required.'], password: ['This field is required.'] }],
      [{ username: 'viewer' },                    { password: ['This field is required.'] }],
      [{ password: PASSWORD },                    { username: ['This field is required.'] }],
      [{ username: '', password: '' },            { username: ['This field may not be blank.'], password: ['This field may not be blank.'] }],
      [{ username: 'admin', password: `${PASSWORD}\0` }, { password: ['Null characters are not allowed.'] }],
      [{ username: 'admin\0', password: PASSWORD }, { username: ['Null characters are not allowed.'] }],
      [{ username: null, password: null },        { username: ['This field may not be null.'], password: ['This field may not be null.'] }],
      [{ username: ['viewer'], password: {} },    { username: ['Not a valid string.'], password: ['Not a valid string.'] }],
      [{ username: 'viewer', password: true },    { password: ['Not a valid string.'] }],
    ] as const)
      it(`with the body ${JSON.stringify(body)} answers 400 with a message for each wrong field`, async () => {
        const answer = await login(body)
        expect(answer.status).to.equal(400)
        expect(answer.body).to.deep.equal(messages)
      })

    it('with a list as body answers 400 “Expected a dictionary, but got list.”', async () => {
      const answer = await login([])
      expect(answer.status).to.equal(400)
      expect(answer.body).to.deep.equal({
        non_field_errors: ['Invalid data. Expected a dictionary, but got list.'],
      })
    })
  })

  describe('a token', () => {
    it('is refused with 401 “Invalid token.” after it is revoked', async () => {
      const { name, token } = await account()
      await service().accounts.revoke(name)
      const answer = await service().get('/api/zines/', { token })
      expect(answer.status).to.equal(401)
      expect(answer.body).to.deep.equal(INVALID_TOKEN)
    })

    it('is replaced by a new valid one at the next login after it is revoked', async () => {
      const { name, token } = await account()
      await service().accounts.revoke(name)
      const { body } = await login({ username: name, password: PASSWORD })
      expect(body.token)
        .to.match(/^[0-9a-f]{40}$/)
        .and.not.equal(token)
      expect((await service().get('/api/zines/', { token: body.token })).status).to.equal(200)
    })

    it('of a disabled account is refused with 401 “User inactive or deleted.”', async () => {
      const { name, token } = await account()
      await service().accounts.disable(name)
      const answer = await service().get('/api/zines/', { token })
      expect(answer.status).to.equal(401)
      expect(answer.body).to.deep.equal({ detail: 'User inactive or deleted.' })
      expect(answer.headers.get('www-authenticate')).to.equal('Token')
    })

    it('is not issued to a disabled account: the login answers 400', async () => {
      const { name } = await account()
      await service().accounts.disable(name)
      const answer = await login({ username: name, password: PASSWORD })
      expect(answer.status).to.equal(400)
      expect(answer.body).to.deep.equal(WRONG_CREDENTIALS)
    })

    for (const path of [
      '/api/zines/',
      '/api/zines/zine/',
      '/api/vocabularies/subjects/',
      '/api/geography/countries/',
    ])
      it(`that does not exist is refused with 401 on GET ${path}`, async () => {
        const answer = await service().get(path, { token: 'f'.repeat(40) })
        expect(answer.status).to.equal(401)
        expect(answer.body).to.deep.equal(INVALID_TOKEN)
        expect(answer.headers.get('www-authenticate')).to.equal('Token')
      })

    for (const token of ['x', '%', "'OR'1'='1", '__proto__', 'constructor'])
      it(`with the value ${token} is refused as invalid`, async () => {
        const answer = await service().get('/api/zines/', { token })
        expect(answer.body).to.deep.equal(INVALID_TOKEN)
      })

    it('in upper case is refused with 401', async () => {
      const token = service().tokens.admin.toUpperCase()
      const answer = await service().get('/api/zines/', { token })
      expect(answer.status).to.equal(401)
    })
  })

  describe('the Authorization header', () => {
    const send = (authorization: string) =>
      service().ask('PATCH', '/api/zines/zine/', {
        body: {},
        token: null,
        headers: { authorization },
      })

    for (const word of ['Token', 'token', 'TOKEN', 'tOkEn'])
      it(`is accepted when it begins with ${word}`, async () => {
        expect((await send(`${word} ${service().tokens.admin}`)).status).to.equal(200)
      })

    for (const [header, detail] of [
      ['Token', 'Invalid token header. No credentials provided.'],
      ['token', 'Invalid token header. No credentials provided.'],
      ['Token a b', 'Invalid token header. Token string should not contain spaces.'],
      ['Token a b c', 'Invalid token header. Token string should not contain spaces.'],
      [
        'Token caf\u00e9',
        'Invalid token header. Token string should not contain invalid characters.',
      ],
      // As `é` in UTF-8.
      ['Token \u00c3\u00a9', 'Invalid token.'],
      ['Bearer abc', NO_CREDENTIALS.detail],
      ['Basic YTpi', NO_CREDENTIALS.detail],
      ['Tokens abc', NO_CREDENTIALS.detail],
      ['abc', NO_CREDENTIALS.detail],
    ] as const)
      it(`“${header}” on a PATCH answers 401 “${detail}”`, async () => {
        const answer = await send(header)
        expect(answer.status).to.equal(401)
        expect(answer.body).to.deep.equal({ detail })
        expect(answer.headers.get('www-authenticate')).to.equal('Token')
      })

    for (const header of ['Token', 'Token a b'])
      it(`“${header}” on a GET answers 401`, async () => {
        const headers = { authorization: header }
        expect((await service().get('/api/zines/', { headers })).status).to.equal(401)
      })

    for (const header of ['Bearer abc', 'Basic YTpi'])
      it(`“${header}” is ignored on a GET`, async () => {
        const headers = { authorization: header }
        expect((await service().get('/api/zines/', { headers })).status).to.equal(200)
      })

    it('cannot be replaced by a token in the URL', async () => {
      const path = `/api/agents/?token=${service().tokens.admin}`
      expect((await service().post(path, {}, { token: null })).status).to.equal(401)
    })
  })
})

describe('failed logins', () => {
  const service = useService({ TRUST_PROXY: 'true' })

  const login = (username: string, password: string, from: string) =>
    service().post(
      '/api/auth/token/',
      { username, password },
      { token: null, headers: { 'x-forwarded-for': from } },
    )

  async function failTenTimes(username: string, from: (time: number) => string): Promise<void> {
    for (let time = 0; time < 10; time++)
      expect((await login(username, 'wrong', from(time))).status).to.equal(400)
  }

  for (const [description, name] of [
    ['a user name', 'viewer'],
    ['an unknown user name', 'nobody'],
  ] as const)
    it(`for ${description} are answered 429 after ten, with the seconds to wait`, async () => {
      await failTenTimes(name, (time) => `192.0.2.${time}`)
      const { status, headers, body } = await login(name, PASSWORD, '192.0.2.99')
      expect(status).to.equal(429)
      const seconds = Number(headers.get('retry-after'))
      expect(seconds).to.be.within(800, 900)
      expect(body).to.deep.equal({
        detail: `Request was throttled. Expected available in ${seconds} seconds.`,
      })
    })

  it('from one network do not lock out a user on the network of an earlier login', async () => {
    expect((await login('editor', PASSWORD, '198.51.100.1')).status).to.equal(200)
    await failTenTimes('editor', () => '198.51.100.2')
    expect((await login('editor', PASSWORD, '198.51.100.2')).status).to.equal(429)
    expect((await login('editor', PASSWORD, '198.51.100.1')).status).to.equal(200)
  })

  it('from one network are answered 429 after thirty, whatever the user names', async () => {
    for (let time = 0; time < 30; time++)
      expect((await login(`name ${time}`, 'wrong', `2001:db8::${time}`)).status).to.equal(400)
    expect((await login('zines-editor', PASSWORD, '2001:db8::99')).status).to.equal(429)
    expect((await login('zines-editor', PASSWORD, '2001:db8:0:1::1')).status).to.equal(200)
  })

  it('do not affect the token of the account', async () => {
    const { token } = (await login('admin', PASSWORD, '203.0.113.1')).body
    await failTenTimes('admin', () => '203.0.113.2')
    expect((await service().get('/api/zines/', { token })).status).to.equal(200)
  })
})
