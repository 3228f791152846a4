import { existsSync } from 'node:fs'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect } from 'chai'

import { InvalidError } from '../../../src/errors.js'
import { type HarvestSummary, harvest } from '../../../src/lib/sources/harvest.js'
import { isPublicAddress } from '../../../src/lib/outgoing/public-address.js'
import { newPath, recognize, rowsOf, textsOf } from './files.js'

const answerOf = (content: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><responseDate>2026-02-03T04:05:06Z</responseDate>${content}</OAI-PMH>`

const identify = answerOf(
  '<Identify><repositoryName>Zines</repositoryName><protocolVersion>2.0</protocolVersion><granularity>YYYY-MM-DD</granularity></Identify>',
)

const recordOf = (number: number): string =>
  `<record><header><identifier>oai:x:${number}</identifier></header><metadata><oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Étude ${number}</dc:title></oai_dc:dc></metadata></record>`

type Reply = {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: string
}

describe('a harvest by OAI-PMH', () => {
  let server: Server
  let host: string
  let asked: string[]
  /** Answers to requests of records, in their order. */
  let replies: Reply[]

  beforeEach(async () => {
    asked = []
    replies = []
    server = createServer((request, response) => {
      asked.push(request.url ?? '')
      const isIdentify = request.url?.includes('verb=Identify')
      const {
        status = 200,
        headers = {},
        body = '',
      } = isIdentify ? { body: identify } : (replies.shift() ?? {})
      response.writeHead(status, headers).end(body)
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    // A server on a port has such an address.
    host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  })

  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  const run = (path: string, from?: string, allowedHosts = [host]): Promise<HarvestSummary> =>
    harvest(
      { url: `http://${host}/oai?x=y`, metadataPrefix: 'oai_dc', from },
      { path, allowedHosts, limits: { firstWaitMs: 1, records: 5, answerBytes: 20_000 } },
    )

  const failureOf = async (promise: Promise<unknown>): Promise<string> => {
    const error: unknown = await promise.catch((one: unknown) => one)
    expect(error).to.be.instanceOf(InvalidError)
    return (error as InvalidError).message // As was just checked.
  }

  it('follows resumption tokens, and writes a file that is read as rows', async () => {
    replies = [
      {
        body: answerOf(
          `<ListRecords>${recordOf(1)}<resumptionToken>a b</resumptionToken></ListRecords>`,
        ),
      },
      {
        body: answerOf(
          `<ListRecords>${recordOf(2)}<record><header status="deleted"><identifier>oai:x:3</identifier></header></record><resumptionToken/></ListRecords>`,
        ),
      },
    ]
    const path = newPath('oai')
    const summary = await run(path)
    expect(summary).to.deep.include({
      records: 3,
      deleted: 1,
      responseDate: '2026-02-03T04:05:06Z',
      repositoryName: 'Zines',
    })
    expect(asked).to.deep.equal([
      '/oai?x=y&verb=Identify',
      '/oai?x=y&verb=ListRecords&metadataPrefix=oai_dc',
      '/oai?x=y&verb=ListRecords&resumptionToken=a+b',
    ])
    expect((await recognize(path)).options.type).to.equal('oai-pmh')
    const rows = await rowsOf(path)
    expect(rows.map(textsOf)).to.deep.equal([
      { 'oai:identifier': 'oai:x:1', 'dc:title': 'Étude 1' },
      { 'oai:identifier': 'oai:x:2', 'dc:title': 'Étude 2' },
      { 'oai:identifier': 'oai:x:3' },
    ])
    expect(rows[2]?.remarks[0]?.kind).to.equal('deleted')
  })

  it('asks for what changed since, as exactly as the other side can tell, and may find nothing', async () => {
    replies = [{ body: answerOf('<error code="noRecordsMatch">none</error>') }]
    const summary = await run(newPath('oai'), '2026-01-02T03:04:05Z')
    expect(summary.records).to.equal(0)
    expect(asked[1]).to.contain('&from=2026-01-02')
    expect(asked[1]).not.to.contain('T03')
  })

  it('tries again when the other side is busy', async () => {
    replies = [
      { status: 503, headers: { 'retry-after': '0' } },
      { status: 502 },
      { body: answerOf(`<ListRecords>${recordOf(1)}</ListRecords>`) },
    ]
    expect((await run(newPath('oai'))).records).to.equal(1)
  })

  it('does not wait for hours', async () => {
    replies = [{ status: 503, headers: { 'retry-after': '7200' } }]
    expect(await failureOf(run(newPath('oai')))).to.equal(
      'The other catalogue asks to wait for 120 minutes.',
    )
  })

  it('can be stopped while it waits', async () => {
    replies = [{ status: 503, headers: { 'retry-after': '60' } }]
    const controller = new AbortController()
    const promise = harvest(
      { url: `http://${host}/oai`, metadataPrefix: 'oai_dc' },
      { path: newPath('oai'), allowedHosts: [host], signal: controller.signal },
    )
    setTimeout(() => controller.abort(), 200)
    expect(await failureOf(promise)).to.contain('was stopped.')
  })

  it('says what the other side refuses', async () => {
    replies = [{ body: answerOf('<error code="cannotDisseminateFormat">no such prefix</error>') }]
    expect(await failureOf(run(newPath('oai')))).to.equal(
      'The other catalogue does not have its records in this format. It says: cannotDisseminateFormat no such prefix',
    )
  })

  it('ends where the same token comes again', async () => {
    const again = {
      body: answerOf(
        `<ListRecords>${recordOf(1)}<resumptionToken>a</resumptionToken></ListRecords>`,
      ),
    }
    replies = [again, again, again]
    expect(await failureOf(run(newPath('oai')))).to.contain('again and again')
  })

  it('ends at its limits', async () => {
    replies = [
      { body: answerOf(`<ListRecords>${[1, 2, 3, 4, 5, 6].map(recordOf).join('')}</ListRecords>`) },
    ]
    const path = newPath('oai')
    expect(await failureOf(run(path))).to.contain('more than 5 records')
    expect(existsSync(path)).to.equal(false)
    replies = [{ body: answerOf(`<ListRecords>${recordOf(1)}${' '.repeat(20_000)}</ListRecords>`) }]
    expect(await failureOf(run(newPath('oai')))).to.contain('answers with too much at once')
  })

  it('goes to no private address, by its number or by its name', async () => {
    expect(await failureOf(run(newPath('oai'), undefined, []))).to.contain(
      'is not a public address',
    )
    const { port } = server.address() as AddressInfo // As above.
    for (const name of ['localhost', '2130706433', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1', '0']) {
      const url = `http://${name}:${port}/oai`
      const failure = await failureOf(
        harvest(
          { url, metadataPrefix: 'oai_dc' },
          { path: newPath('oai'), allowedHosts: [], limits: { firstWaitMs: 1 } },
        ),
      )
      expect(failure, name).to.contain('is not a public address')
    }
    expect(asked).to.deep.equal([])
  })

  it('follows no redirection to a private address', async () => {
    replies = [{ status: 302, headers: { location: 'http://127.0.0.2/secret' } }]
    expect(await failureOf(run(newPath('oai')))).to.contain('127.0.0.2 is not a public address')
  })

  it('follows no redirection to a file', async () => {
    replies = [{ status: 302, headers: { location: 'file:///etc/passwd' } }]
    expect(await failureOf(run(newPath('oai')))).to.contain('no address of http or https')
  })

  it('refuses a page that is no OAI-PMH', async () => {
    replies = [{ body: '<html><body>Hello</body></html>' }]
    expect(await failureOf(run(newPath('oai')))).to.equal(
      'The answer of the other catalogue is no OAI-PMH.',
    )
  })
})

describe('an address', () => {
  const cases: readonly (readonly [string, boolean])[] = [
    ['93.184.216.34', true],
    ['2606:2800:220:1:248:1893:25c8:1946', true],
    ['127.0.0.1', false],
    ['10.1.2.3', false],
    ['172.16.0.1', false],
    ['172.32.0.1', true],
    ['192.168.1.1', false],
    ['169.254.169.254', false],
    ['100.64.0.1', false],
    ['0.0.0.0', false],
    ['224.0.0.1', false],
    ['255.255.255.255', false],
    ['::1', false],
    ['::', false],
    ['::ffff:10.0.0.1', false],
    ['::ffff:93.184.216.34', true],
    ['64:ff9b::7f00:1', false],
    ['fe80::1%eth0', false],
    ['fd00::1', false],
    ['not an address', false],
  ]
  for (const [address, isPublic] of cases)
    it(`${address} is ${isPublic ? '' : 'not '}public`, () => {
      expect(isPublicAddress(address)).to.equal(isPublic)
    })
})
