// Whether the comparison of two recordings says what differs: a missing difference would hide a fault.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'

import { type Answer, differences, openRecording } from './recording.js'

const answer = (more: Partial<Answer> = {}): Answer => ({
  status: 200,
  headers: { etag: ['"1"'] },
  body: Buffer.from('{"title":"Zine"}'),
  ...more,
})

describe('two recordings', () => {
  let directory = ''
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))

  async function compare(
    before: Readonly<Record<string, Answer>>,
    after: Readonly<Record<string, Answer>>,
  ): Promise<readonly string[]> {
    const directories = [join(directory, 'before'), join(directory, 'after')] as const
    for (const [index, answers] of [before, after].entries()) {
      const recording = await openRecording(directories[index === 0 ? 0 : 1])
      for (const [key, one] of Object.entries(answers)) await recording.add(key, one)
      await recording.close()
    }
    const found: string[] = []
    for await (const difference of differences(...directories)) found.push(difference)
    return found
  }

  it('do not differ where all answers are the same', async () => {
    expect(await compare({ 'GET /': answer() }, { 'GET /': answer() })).to.be.empty
  })

  it('differ in a status, a header and one byte of a body', async () => {
    const changed = answer({
      status: 201,
      headers: { etag: ['"2"'] },
      body: Buffer.from('{"title":"Zinf"}'),
    })
    const [difference, ...others] = await compare({ 'GET /': answer() }, { 'GET /': changed })
    expect(others).to.be.empty
    expect(difference)
      .to.match(/^GET \//)
      .and.include('status: 200 => 201')
      .and.include('etag: "1" => "2"')
      .and.include('the body differs at 13')
  })

  it('differ in a body that is the beginning of the other one', async () => {
    const shorter = answer({ body: Buffer.from('{"title"') })
    expect(await compare({ 'GET /': answer() }, { 'GET /': shorter })).to.have.length(1)
  })

  it('differ in what only one of them asked for', async () => {
    const found = await compare({ 'GET /a': answer() }, { 'GET /b': answer() })
    expect(found).to.have.length(2)
    expect(found[0]).to.match(/^GET \/a\n {2}was asked only in .*before$/)
    expect(found[1]).to.match(/^GET \/b\n {2}was asked only in .*after$/)
  })
})
