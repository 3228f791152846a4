// Webhooks without a network: signatures, the addresses that are refused, and where they go on.

import { createHmac } from 'node:crypto'

import { expect } from 'chai'

import { InvalidError, NotFoundError } from '../../../src/errors.js'
import { signatureOf } from '../../../src/features/webhooks/signature.js'
import { maxWebhooks, loadWebhooks } from '../../../src/features/webhooks/webhooks.js'
import type { KeyValueWrite } from '../../../src/lib/key-value/key-value-store.js'
import { failureOf } from '../../error-of.js'

const url = 'https://hooks.example/changes?key=1'

describe('webhooks', () => {
  let entries: Map<string, string>
  let log: { name: string; first: () => number; last: () => number }

  const open = () =>
    loadWebhooks(
      {
        async *entries(prefix: string) {
          yield* await Promise.resolve([...entries].filter(([key]) => key.startsWith(prefix)))
        },
        write(writes: readonly KeyValueWrite[]) {
          for (const { key, value } of writes)
            if (value === undefined) entries.delete(key)
            else entries.set(key, value)
          return Promise.resolve()
        },
      },
      { signingKey: Buffer.alloc(32, 1), log, hosts: ['catalogue.local'] },
    )

  beforeEach(() => {
    entries = new Map()
    log = { name: 'one', first: () => 1, last: () => 7 }
  })

  it('begin at the end of the log, or after a change that is named', async () => {
    const webhooks = await open()
    expect(await webhooks.add({ account: 'ada', url })).to.include({ since: 7, state: 'active' })
    expect(await webhooks.add({ account: 'ada', url, since: 0 })).to.include({ since: 0 })
  })

  it('are there after a restart, with the same secret, which is not stored', async () => {
    const webhooks = await open()
    const { id } = await webhooks.add({ account: 'ada', url, kind: 'zines' })
    await webhooks.delivered(id, 9)
    const again = await open()
    expect(JSON.stringify(again.get(id))).to.equal(JSON.stringify(webhooks.get(id)))
    expect(again.get(id)).to.include({ since: 9, kind: 'zines', url })
    expect(again.secretOf(id))
      .to.equal(webhooks.secretOf(id))
      .and.to.match(/^[0-9a-f]{64}$/)
    expect([...entries.values()].join()).to.not.include(webhooks.secretOf(id))
  })

  it('are listed by account', async () => {
    const webhooks = await open()
    await webhooks.add({ account: 'ada', url })
    await webhooks.add({ account: 'bob', url })
    expect(webhooks.list('bob').map(({ account }) => account)).to.deep.equal(['bob'])
    expect(webhooks.list()).to.have.length(2)
  })

  it(`are ${maxWebhooks} of an account at most`, async () => {
    const webhooks = await open()
    for (let number = 0; number < maxWebhooks; number += 1)
      await webhooks.add({ account: 'ada', url })
    expect(await failureOf(webhooks.add({ account: 'ada', url }))).to.be.instanceOf(InvalidError)
    await webhooks.add({ account: 'bob', url })
  })

  it('go on where they stopped when they are enabled again', async () => {
    const webhooks = await open()
    const { id } = await webhooks.add({ account: 'ada', url, since: 3 })
    await webhooks.disable(id, 'It failed.')
    expect(webhooks.get(id)).to.include({ state: 'disabled', reason: 'It failed.' })
    expect(await webhooks.enable(id)).to.include({ state: 'active', since: 3 })
    expect(webhooks.get(id).reason).to.equal(undefined)
  })

  it('go on at the end when their position is of another log, or forgotten', async () => {
    const webhooks = await open()
    const { id } = await webhooks.add({ account: 'ada', url, since: 3 })
    log = { name: 'two', first: () => 1, last: () => 5 }
    const restored = await open()
    expect(await restored.enable(id)).to.include({ log: 'two', since: 5 })
    await restored.delivered(id, 2)
    log = { name: 'two', first: () => 4, last: () => 6 }
    expect(await (await open()).enable(id)).to.include({ since: 6 })
  })

  it('do not write each change that they skip', async () => {
    const webhooks = await open()
    const { id } = await webhooks.add({ account: 'ada', url, since: 0 })
    const before = entries.get(`webhook/${id}`)
    await webhooks.skip(id, 999)
    expect(webhooks.get(id).since).to.equal(999)
    expect(entries.get(`webhook/${id}`)).to.equal(before)
    await webhooks.skip(id, 1000)
    expect((await open()).get(id).since).to.equal(1000)
  })

  it('that do not exist are not found', async () => {
    const webhooks = await open()
    expect(await failureOf(webhooks.enable('none'))).to.be.instanceOf(NotFoundError)
    expect(await failureOf(webhooks.remove('none'))).to.be.instanceOf(NotFoundError)
  })

  const privateAddresses = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.31.0.1',
    '192.0.0.8',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:10.0.0.1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[2001::1]',
    '[2001:db8::1]',
    '[fc00::1]',
    '[fe80::1]',
    '[ff02::1]',
  ]
  for (const host of privateAddresses)
    it(`refuse the address ${host}`, async () => {
      const webhooks = await open()
      const failure = await failureOf(webhooks.add({ account: 'ada', url: `http://${host}/` }))
      expect(failure).to.be.instanceOf(InvalidError)
      expect(failure.message).to.match(/is not a public address/)
    })

  // prettier-ignore
  const refused: readonly (readonly [what: string, webhook: object, message: RegExp])[] = [
    ['no address', { url: ' ' }, /may not be blank/],
    ['what is no address', { url: 'hooks' }, /is no web address/],
    ['another scheme', { url: 'file:///etc/passwd' }, /no address of http or https/],
    ['a password', { url: 'https://a:b@hooks.example/' }, /must not contain a password/],
    ['a long address', { url: `https://hooks.example/${'x'.repeat(2000)}` }, /2000 characters/],
    ['an unknown kind', { kind: 'stamps' }, /one of zines/],
    ['a position beyond the end', { since: 8 }, /from 0 to 7/],
    ['a position that is no whole number', { since: 1.5 }, /from 0 to 7/],
  ]
  for (const [what, webhook, message] of refused)
    it(`refuse ${what}`, async () => {
      const failure = await failureOf((await open()).add({ account: 'ada', url, ...webhook }))
      expect(failure).to.be.instanceOf(InvalidError)
      expect(failure.message).to.match(message)
      expect(entries).to.have.property('size', 0)
    })

  it('take a private host that the settings name', async () => {
    const { url: kept } = await (
      await open()
    ).add({ account: 'ada', url: 'http://Catalogue.local:8080/x#y' })
    expect(kept).to.equal('http://catalogue.local:8080/x')
  })

  it('are signed over the time and the body, as documented', () => {
    const expected = createHmac('sha256', 'secret')
      .update('1764000000.{"results":[]}')
      .digest('hex')
    expect(signatureOf('secret', 1_764_000_000, '{"results":[]}')).to.equal(`sha256=${expected}`)
  })
})
