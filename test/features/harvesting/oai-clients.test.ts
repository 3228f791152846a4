// Tests that other programs harvest /oai, whole and from a time on: HTTP::OAI and Catmandu, which Debian has,
// and the package `oai-pmh` of npm, which is installed apart, in test/oai-clients.

import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

import { expect } from 'chai'

import { agent } from '../../examples.js'
import { startService, type TestService } from '../../service.js'
import { elementsIn, ask, harvestHeaders } from './oai-client.js'

type Harvest = (url: string, from: string | undefined) => Promise<readonly string[]>

type Client = {
  readonly name: string
  readonly skipped: string | false
  /** Gives the identifiers of the records that it gets. */
  readonly identifiers: Harvest
}

const home = resolve('test/oai-clients')

const hasPerl = (module: string): boolean =>
  spawnSync('perl', [`-M${module}`, '-e', '1']).status === 0

/** Why the package of npm cannot be used. Its loader of modules does not run with Node 24. */
function whyNoPackage(): string | false {
  if (!existsSync(resolve(home, 'node_modules')))
    return 'it is not installed (npm ci --prefix test/oai-clients)'
  const isRunning =
    spawnSync(process.execPath, ['-e', "require('oai-pmh')"], { cwd: home }).status === 0
  return isRunning ? false : `oai-pmh of npm does not run with Node ${process.versions.node}`
}

/** Runs a program, which prints an identifier in each line. */
async function linesOf(program: string, args: readonly string[], cwd = '.'): Promise<string[]> {
  const child = spawn(program, args, { cwd })
  const [output, errors] = await Promise.all([textOf(child.stdout), textOf(child.stderr)])
  expect(errors.replace(/^.*(?:DeprecationWarning|--trace-deprecation).*$/gm, '').trim()).to.equal(
    '',
  )
  return output.split('\n').filter((line) => line !== '')
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  return text
}

const npmScript = `
  const { OaiPmh } = require('oai-pmh')
  const [url, from] = process.argv.slice(1)
  const main = async () => {
    const client = new OaiPmh(url)
    await client.identify()
    const options = { metadataPrefix: 'oai_dc', ...(from ? { from } : {}) }
    for await (const { header, metadata } of client.listRecords(options))
      if (header.$?.status === 'deleted' || metadata['oai_dc:dc']) console.log(header.identifier)
  }
  main().catch((error) => console.error(error))
`

const perlScript = `
  use HTTP::OAI;
  my ($url, $from) = @ARGV;
  my $client = HTTP::OAI::Harvester->new(baseURL => $url);
  my $identity = $client->Identify;
  die $identity->message if $identity->is_error;
  my $answer = $client->ListRecords(
    metadataPrefix => 'oai_dc',
    $from ? (from => $from) : (),
    onRecord => sub {
      my ($record) = @_;
      return unless $record->header->status eq 'deleted' || $record->metadata->dom;
      print $record->identifier, "\\n";
    },
  );
  die $answer->message if $answer->is_error;
`

const clients: readonly Client[] = [
  {
    name: 'HTTP::OAI',
    skipped: hasPerl('HTTP::OAI') ? false : 'libhttp-oai-perl is not installed',
    identifiers: (url, from) => linesOf('perl', ['-e', perlScript, url, from ?? '']),
  },
  {
    name: 'Catmandu',
    skipped: hasPerl('Catmandu::Importer::OAI') ? false : 'libcatmandu-oai-perl is not installed',
    async identifiers(url, from) {
      const options = ['--url', url, ...(from === undefined ? [] : ['--from', from])]
      const lines = await linesOf('catmandu', [
        ...['convert', 'OAI', ...options, '--metadataPrefix', 'oai_dc'],
        ...['to', 'JSON', '--line_delimited', '1'],
      ])
      return lines.map((line) => (JSON.parse(line) as { readonly _identifier: string })._identifier)
    },
  },
  {
    name: 'oai-pmh of npm',
    skipped: whyNoPackage(),
    identifiers: (url, from) =>
      linesOf(
        process.execPath,
        ['-e', npmScript, url, ...(from === undefined ? [] : [from])],
        home,
      ),
  },
]

/** Agents, so that the last page would have one record. */
async function addAgents(service: TestService, count: number): Promise<void> {
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({ op: 'create', kind: 'agents', body: agent(`agent-${index}`) }),
  )
  const answer = await service.ask('POST', '/api/batches/', {
    raw: lines.join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  })
  expect(answer.status).to.be.below(300)
}

describe('programs that harvest /oai', () => {
  for (const { name, skipped, identifiers } of clients) {
    if (skipped !== false) {
      it.skip(`skipped: ${skipped}`)
      continue
    }
    it(`get everything, and then what changed: ${name}`, async () => {
      const service = await startService()
      try {
        await addAgents(service, 201)
        const all = (await harvestHeaders(service)).map(({ identifier }) => identifier)
        const url = `${service.url}/oai`
        expect([...(await identifiers(url, undefined))].sort()).to.deep.equal([...all].sort())
        await wait(1010 - (Date.now() % 1000))
        const [from] = elementsIn(await ask(service, 'verb=Identify'), 'responseDate')
        await service.patch('/api/agents/agent-7/', { display_name: 'Ünïcode <&> 🎉' })
        await service.delete('/api/agents/agent-8/')
        expect([...(await identifiers(url, from))].sort()).to.deep.equal([
          'oai:zines.example:agents/agent-7',
          'oai:zines.example:agents/agent-8',
        ])
      } finally {
        await service.stop()
      }
    })
  }
})
