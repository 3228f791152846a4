// Tests invitations in the browser: the link that an administrator makes, and the page where a password is
// chosen. How long they work is tested in the unit tests.

import { expect } from 'chai'

import { PASSWORD, useService } from '../../service.js'
import { browse } from '../../views/browser.js'
import { unique } from '../../http/catalogue.js'

describe('an invitation', () => {
  const service = useService()

  /** Makes an invitation; returns the path of its link. */
  async function invite(name: string, fields: object = {}): Promise<string> {
    const browser = browse(service().url)
    await browser.signIn('admin')
    const { text } = await browser.send('/manage/accounts', {
      do: 'invite',
      name,
      role: 'viewer',
      ...fields,
    })
    const link = /<code class="address">([^<]+)<\/code>/.exec(text)?.[1] ?? ''
    expect(link.startsWith(`${service().url}/manage/invitation?key=`)).to.equal(true)
    return link.slice(service().url.length)
  }

  const fieldsOf = (path: string, password = PASSWORD, again = password) => ({
    key: path.slice(path.indexOf('=') + 1),
    password,
    again,
  })

  it('asks for a password, adds the account, and signs in', async () => {
    const name = unique('invited')
    const path = await invite(name, { role: 'editor', only: ['zines'] })
    const browser = browse(service().url)
    const page = await browser.get(path)
    expect(page.status).to.equal(200)
    expect(page.text).to.include(name)
    expect(page.headers.get('cache-control')).to.equal('private, no-store')
    const { status, headers } = await browser.send(path, fieldsOf(path))
    expect(status).to.equal(303)
    expect(headers.get('location')).to.equal('/api/')
    expect((await browser.get('/manage/account')).text).to.include('Editor: may edit only zines.')
    expect(await service().accounts.login(name, PASSWORD)).to.have.length(40)
  })

  it('that was used says so, with 410', async () => {
    const path = await invite(unique('invited'))
    await browse(service().url).send(path, fieldsOf(path))
    const { status, text } = await browse(service().url).get(path)
    expect(status).to.equal(410)
    expect(text).to.include('This invitation was used already.')
  })

  it('that there is not is 404', async () => {
    const path = await invite(unique('invited'))
    const { status, text } = await browse(service().url).get(path.slice(0, -1))
    expect(status).to.equal(404)
    expect(text).to.include('There is no such invitation.')
  })

  it('stays open when the passwords are not the same, or too short', async () => {
    const name = unique('invited')
    const path = await invite(name)
    const browser = browse(service().url)
    for (const [fields, text] of [
      [fieldsOf(path, PASSWORD, 'another one'), 'The two passwords are not the same.'],
      [fieldsOf(path, 'short'), 'The password is too short.'],
    ] as const) {
      const answer = await browser.send(path, fields)
      expect(answer.status).to.equal(400)
      expect(answer.text).to.include(text)
    }
    expect(service().accounts.find(name)).to.equal(undefined)
    expect((await browser.get(path)).status).to.equal(200)
  })

  it('is not accepted by a form of another site', async () => {
    const name = unique('invited')
    const path = await invite(name)
    const browser = browse(service().url)
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
      expect((await browser.send(path, fieldsOf(path), headers)).status).to.equal(403)
    expect(service().accounts.find(name)).to.equal(undefined)
  })

  it('is listed for administrators, without its link, until it is withdrawn', async () => {
    const name = unique('invited')
    const path = await invite(name)
    const browser = browse(service().url)
    await browser.signIn('admin')
    const { text } = await browser.get('/manage/accounts')
    expect(text).to.include('Open invitations').and.to.include(name)
    expect(text).to.not.include(fieldsOf(path).key)
    await browser.send('/manage/accounts', { do: 'withdraw', name })
    expect((await browser.get(path)).status).to.equal(404)
  })

  it('is not made for a name that an account has', async () => {
    const browser = browse(service().url)
    await browser.signIn('admin')
    const form = { do: 'invite', name: 'viewer', role: 'viewer' }
    const { text } = await browser.send('/manage/accounts', form)
    expect(text).to.include('There is already an account named').and.not.include('?key=')
  })

  it('is made by administrators only', async () => {
    const browser = browse(service().url)
    await browser.signIn('editor')
    const { csrf } = { csrf: /name="csrf_token" value="([^"]+)"/ }
    const csrf_token = csrf.exec((await browser.get('/manage/account')).text)?.[1] ?? ''
    const form = { csrf_token, do: 'invite', name: unique('invited'), role: 'admin' }
    expect((await browser.ask('POST', '/manage/accounts', form)).status).to.equal(403)
  })
})
