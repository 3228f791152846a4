// How `load` reads CSV files. That an export loads again: the tests of exports.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect } from 'chai'

import { agent } from '../examples.js'
import { adminSettings, run, serve, tokenAt, withDirectory } from '../process.js'

describe('load of CSV', () => {
  const load = async (directory: string, csv: string | Uint8Array, ...options: string[]) => {
    const file = join(directory, 'table.csv')
    await writeFile(file, csv)
    return run(['load', file, ...options], { DATA_DIR: join(directory, 'data') })
  }

  it('reads a table as a spreadsheet saves it, and ignores columns that are not written', () =>
    withDirectory(async (directory) => {
      const csv = [
        '\ufeffagent_id,kind,display_name,public,pronouns,created_at,comment',
        'maker,Person,"Toner, ""Marge""",TRUE,she/her|they/them,yesterday,',
        '',
        'other,Collective,Other,0,,,"so\nthere"',
      ].join('\r\n')
      const { code, out, err } = await load(directory, csv)
      expect([code, out], err).to.deep.equal([
        0,
        '2 created, 0 unchanged, 0 different, 0 refused\n',
      ])
    }))

  it('reports refused rows with file, line and messages, and loads the others', () =>
    withDirectory(async (directory) => {
      const csv = [
        'agent_id,kind,display_name,public',
        'one,Person,"a\nb",true',
        'two,Person,,true',
        'three,Person',
        'four,Person,Four,true',
        'five,Person,"Five"x,true',
        'six,Person,Six,true',
      ].join('\n')
      const { code, out, err } = await load(directory, csv)
      expect([code, out], err).to.deep.equal([
        1,
        '2 created, 0 unchanged, 0 different, 3 refused\n',
      ])
      expect(err).to.include('table.csv:4: display_name: This field is required.')
      expect(err).to.include('table.csv:5: 2 cells, but the first row has 4')
      expect(err).to.match(/table\.csv:7: .*the rest of the file was not read/)
    }))

  it('refuses a table without identifiers and one that is not UTF-8', () =>
    withDirectory(async (directory) => {
      expect((await load(directory, 'title\nX\n')).err).to.include(
        'table.csv:2: no column with identifiers',
      )
      const latin = Buffer.from(
        'agent_id,kind,display_name,public\nx,Person,Zo\xeb,true\n',
        'latin1',
      )
      expect((await load(directory, latin)).err).to.include('not UTF-8')
    }))

  it('keeps the private fields of an agent when the table that replaces it has none', () =>
    withDirectory(async (directory) => {
      const env = { DATA_DIR: join(directory, 'data') }
      const file = join(directory, 'agents.jsonl')
      const hidden = { public: false, legal_name: 'Real Name' }
      await writeFile(file, JSON.stringify(agent('maker', hidden)))
      await run(['load', file], env)
      const csv = 'agent_id,kind,display_name,public,legal_name\nmaker,Person,New,false,\n'
      expect((await load(directory, csv, '--replace')).out).to.include('1 replaced')
      const service = await serve({ ...env, ...adminSettings, BASE_URL: 'http://localhost:8000' })
      const token = await tokenAt(service.url)
      const shown = await fetch(`${service.url}/api/agents/maker/?private=true`, {
        headers: { authorization: `Token ${token}` },
      })
      expect(await shown.json()).to.include({ display_name: 'New', legal_name: 'Real Name' })
      await service.end('SIGTERM')
    }))
})
