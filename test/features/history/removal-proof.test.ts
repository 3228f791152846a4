// Tests that the proof asks for all pages of answers, against a server that has the text on the last
// page of each. What the service itself answers: forgetting.test.ts.

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { expect } from 'chai'

import { proveRemoval } from '../../../src/features/history/removal-proof.js'

/** A base with a path, and longer than most. */
const base = `https://zines.example/${'catalogue/'.repeat(40)}of-zines`

const lastPages: Readonly<Record<string, string>> = {
  '/api/changes/?since=1000&limit=1000': '{"next":null,"results":["Oldname"]}',
  '/activity/page/1': '{"orderedItems":["Oldname"]}',
  '/ldes/page/1': '<x> <y> "Oldname" .',
  '/oai?verb=ListIdentifiers&resumptionToken=a%2Fb': '<OAI-PMH>Oldname</OAI-PMH>',
}

const firstPages: Readonly<Record<string, string>> = {
  '/api/changes/?since=0&limit=1000': `{"next":"${base}/api/changes/?since=1000&limit=1000"}`,
  '/activity/': `{"first":{"id":"${base}/activity/page/0"}}`,
  '/activity/page/0': `{"next":{"id":"${base}/activity/page/1"}}`,
  '/ldes': `<${base}/ldes> <https://w3id.org/tree#view> <${base}/ldes/page/0> .`,
  '/ldes/page/0': `_:r <https://w3id.org/tree#node> <${base}/ldes/page/1> .`,
  '/oai?verb=ListIdentifiers&metadataPrefix=oai_dc':
    '<OAI-PMH><resumptionToken cursor="0">a/b</resumptionToken></OAI-PMH>',
}

/** What repeats the request, what completes the text, and what finds it. */
const searches: Readonly<Record<string, string>> = {
  '/api/search/?q=oldname': '{"next":"/api/search/?q=oldname&page=2","results":[]}',
  '/api/suggest/?q=oldnam': '[{"label":"Oldname"}]',
  '/api/zines/?search=oldname': '{"next":null,"results":[{"title":"Oldname"}]}',
}

describe('the proof that a text is gone', () => {
  it('reads each page of the answers, whatever the base of the IRIs', async () => {
    const server = createServer(({ url = '' }, response) => {
      const page = firstPages[url] ?? lastPages[url] ?? searches[url] ?? '{}'
      response.end(url.endsWith('.gz') ? gzipSync(page) : page)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const dataDir = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
    try {
      const origin = `http://127.0.0.1:${port}`
      const visitEntries = () => Promise.resolve()
      const { answers } = await proveRemoval({ dataDir, visitEntries, origin }, ['oldname'])
      expect(answers).to.have.members([
        ...Object.keys(lastPages),
        '/api/suggest/?q=',
        '/api/zines/?search=',
      ])
    } finally {
      await rm(dataDir, { recursive: true })
      server.closeAllConnections()
      server.close()
    }
  })
})
