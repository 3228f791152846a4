// Tests imports over HTTP: a file is sent, looked at, decided about, previewed, written and taken back.

import { once } from 'node:events'
import { readdir, rename } from 'node:fs/promises'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import { listPath, recordPath, unique, useCatalogue } from '../../http/catalogue.js'
import { minimal } from '../../examples.js'
import { placesOf } from '../../data-directory.js'
import { importClient } from './import-client.js'

describe('imports:', () => {
  const { service } = useCatalogue()
  const { send, pathOf, get, decide, settled, post } = importClient(service)

  /** Sends a file, and decides what every zine needs; its identifiers begin with the prefix. */
  async function importOf(
    lines: readonly string[],
    prefix: string,
    more: object = {},
  ): Promise<any> {
    const one = await settled(await send(lines.join('\n')))
    expect(one.state, one.message).to.equal('open')
    return settled(
      await decide(one.id, {
        identifiers: {
          zines: `${prefix}-{row}`,
          holdings: `${prefix}-{row}`,
          agents: `${prefix}-`,
        },
        defaults: {
          zines: { genre: ['zine'], language: ['en'], rights: [], subject: ['zines'], date: null },
          holdings: { repository_id: 'library' },
        },
        ...more,
      }),
    )
  }

  const exists = async (name: 'zines' | 'agents' | 'holdings', id: string): Promise<boolean> =>
    (await service().get(recordPath(name, id))).status === 200

  const countOf = async (name: 'zines' | 'agents' | 'holdings'): Promise<number> =>
    (await service().get(listPath(name))).body.count

  describe('MARC', () => {
    const record = (status: string, id: string, ...fields: readonly string[]): string =>
      `<record><leader>00000${status}am a2200000 a 4500</leader><controlfield tag="001">${id}</controlfield>${fields.join('')}</record>`
    const field = (tag: string, indicators: string, ...subfields: readonly string[]): string =>
      `<datafield tag="${tag}" ind1="${indicators[0]}" ind2="${indicators[1]}">${subfields
        .map((text) => `<subfield code="${text[0]}">${text.slice(1)}</subfield>`)
        .join('')}</datafield>`
    const collection = (...records: readonly string[]): string =>
      `<collection xmlns="http://www.loc.gov/MARC21/slim">${records.join('')}</collection>`
    const defaults = { zines: { genre: null, language: null, rights: [], subject: ['zines'] } }

    it('has one maker for a name and its fuller form, which a person sees before', async () => {
      const prefix = unique('fuller')
      const title = field('245', '10', `a${prefix}`)
      const { id } = await settled(
        await send(
          collection(
            record(
              'n',
              `${prefix}1`,
              field('100', '1 ', `a${prefix}, R. M.`, 'q(Rowan Moss),'),
              title,
            ),
            record('n', `${prefix}2`, field('100', '1 ', `a${prefix}, Rowan Moss`), title),
            record('n', `${prefix}3`, field('100', '1 ', `aLévis, ${prefix},`, 'cduc de'), title),
            record('n', `${prefix}4`, field('100', '1 ', 'aSmith, J.'), title),
            record('n', `${prefix}5`, field('100', '1 ', 'aSmith, J.'), title),
            record('n', `${prefix}6`, field('100', '1 ', 'aTern, Ash; Sallow, Bee'), title),
          ),
          'filename=zines.xml',
        ),
      )
      await decide(id, { identifiers: { zines: '{001}' }, defaults })
      const names = (await get(id, 'names/')).results
      const remarksOf = (name: string): string[] =>
        names.find((one: any) => one.name === name).remarks
      expect(remarksOf(`R. M. ${prefix}`)).to.deep.equal([
        'The file has a fuller form of this name.',
      ])
      expect(remarksOf('Rowan Moss ' + prefix)).to.deep.equal([])
      expect(remarksOf('Tern, Ash; Sallow, Bee')).to.deep.equal([
        'The field is for one name, and several stand in it.',
      ])
      expect(remarksOf('J. Smith')).to.deep.equal(['This short name may be of several people.'])
      await post(id, 'preview/')
      await post(id, 'commit/')
      const makerOf = async (number: number): Promise<any> => {
        const { body } = await service().get(recordPath('zines', `${prefix}${number}`))
        return (await service().get(recordPath('agents', body.creator[0].agent_id))).body
      }
      expect(await makerOf(1)).to.deep.include({
        display_name: `Rowan Moss ${prefix}`,
        alternative_names: [`R. M. ${prefix}`],
      })
      expect(await makerOf(2)).to.deep.equal(await makerOf(1))
      expect(await makerOf(3)).to.deep.include({
        display_name: `${prefix} Lévis`,
        alternative_names: [`${prefix} Lévis, duc de`],
      })
    })

    it('comes back as it was sent, in its own script and with its content advice', async () => {
      const prefix = unique('marc')
      const title = field('880', '10', '6245-01/$1', 'a이끼 편지')
      const advice = field('520', '4 ', 'aAssault.')
      const { id } = await settled(
        await send(
          collection(
            record(
              'n',
              `${prefix}1`,
              field('100', '1 ', `aQuill, ${prefix}`),
              field('245', '10', '6880-01', 'a&lt;&gt;'),
              title,
              field('520', '  ', 'aA night.'),
              advice,
            ),
            record('d', `${prefix}2`, field('245', '10', 'aGone')),
          ),
          'filename=zines.xml',
        ),
      )
      await decide(id, {
        identifiers: { zines: '{001}' },
        defaults: { zines: { genre: null, language: null, rights: [], subject: ['zines'] } },
      })
      const { preview } = await post(id, 'preview/')
      expect(preview.rows).to.deep.equal({ written: 1, skipped: 0, refused: 1 })
      const [refused] = (await get(id, 'preview/?outcome=refused')).results
      expect(refused.reasons).to.include('The record was deleted where it comes from.')
      await post(id, 'commit/')
      const path = recordPath('zines', `${prefix}1`)
      const { body } = await service().get(path)
      expect(body).to.include({ title: '이끼 편지', abstract: 'A night.' })
      const { text } = await service().get(`${path}?format=marcxml`)
      expect(text.replace(/>\s+</g, '><')).to.include(advice)
    })
  })

  describe('a table without makers', () => {
    it('asks who made the zines, before anything is written', async () => {
      const prefix = unique('nomaker')
      const { id } = await importOf(['Title,Tags', `${prefix} one,punk`], prefix)
      const [name] = (await get(id, 'names/')).results
      expect([name.name, name.decision]).to.deep.equal(['', null])
      expect((await post(id, 'preview/')).preview.rows).to.deep.include({ refused: 1 })
      await decide(id, { names: { '': { create: { display_name: prefix, kind: 'Person' } } } })
      expect((await post(id, 'preview/')).preview.rows).to.deep.include({ written: 1 })
    })
  })

  describe('a name with an e-mail address', () => {
    it('is left out until a person decides, and may belong to a maker who is not named', async () => {
      const prefix = unique('contact')
      const address = `${prefix}@zines.example`
      const lines = [
        'Title,Author,Tags',
        `${prefix} one,${address},punk`,
        `${prefix} two,Jackie ${prefix},punk`,
      ]
      const { id } = await importOf(lines, prefix)
      const [name] = (await get(id, 'names/')).results.filter((one: any) => one.name === address)
      expect([name.decision, name.remarks]).to.deep.equal([
        null,
        ['It has an e-mail address, which must not be public.'],
      ])
      const { preview } = await post(id, 'preview/')
      expect(preview.rows, 'it has no maker').to.deep.include({ written: 1, refused: 1 })
      await decide(id, { names: { [address]: { hide: true } } })
      expect((await post(id, 'preview/')).preview.rows).to.deep.include({ written: 2 })
      expect((await post(id, 'commit/')).state).to.equal('written')
      const path = recordPath('zines', `${prefix}-1`)
      const { body, text } = await service().get(path)
      const [maker] = body.creator
      expect(maker.display_name).to.equal('name withheld')
      const agentPath = recordPath('agents', maker.agent_id)
      const shown = (await service().get(agentPath)).text + text
      for (const word of [address, prefix + '-zines'])
        expect(shown.includes(word), word).to.equal(false)
      const { body: seen } = await service().get(`${agentPath}?private=true`, {
        token: service().tokens.admin,
      })
      expect(seen.legal_name).to.equal(address)
    })
  })

  describe('an upload', () => {
    const directories = (): Promise<string[]> =>
      readdir(join(service().dataDir, 'imports')).catch(() => [])

    /** Begins to send a file in chunks, or with a length. */
    const begin = (length?: number): ClientRequest =>
      request(`${service().url}/api/imports/`, {
        method: 'POST',
        headers: {
          authorization: `Token ${service().tokens.admin}`,
          'content-type': 'text/csv',
          ...(length === undefined ? {} : { 'content-length': length }),
        },
      })

    const answerTo = async (sent: ClientRequest) => {
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      return { status: response.statusCode, body: JSON.parse(await text(response)) as object }
    }

    it('that announces more than 512 MiB is answered 413 before it is sent', async () => {
      const sent = begin(512 * 2 ** 20 + 1)
      sent.flushHeaders()
      expect(await answerTo(sent)).to.deep.equal({
        status: 413,
        body: { detail: 'Request body too large.' },
      })
      sent.destroy()
    })

    // The answer was sent, and then the process ended.
    it('of more than 512 MiB is answered 413, is not kept, and harms nobody', async () => {
      const before = await directories()
      const sent = begin()
      const answered = answerTo(sent)
      const chunk = Buffer.alloc(2 ** 20, 'x')
      for (let count = 0; count < 520 && !sent.destroyed; count += 1)
        if (!sent.write(chunk)) await Promise.race([once(sent, 'drain'), answered])
      expect(await answered).to.deep.equal({
        status: 413,
        body: { detail: 'A source may have 512 MiB at most.' },
      })
      sent.on('error', () => undefined).destroy()
      expect(await directories()).to.deep.equal(before)
      expect((await service().get('/healthz')).status).to.equal(200)
    })

    it('that is broken off is not kept, and harms nobody', async () => {
      const before = await directories()
      const sent = begin(1000)
      sent.on('error', () => undefined)
      sent.write('title\n')
      while ((await directories()).length === before.length) await sleep(5)
      sent.destroy()
      while ((await directories()).length > before.length) await sleep(5)
      expect((await service().get('/healthz')).status).to.equal(200)
    })
  })

  describe('a table', () => {
    it('goes from the file to the catalogue, and back by one request', async () => {
      const prefix = unique('table')
      const before = await Promise.all((['zines', 'agents', 'holdings'] as const).map(countOf))
      const { id } = await importOf(
        [
          'Title,Author,Year,Tags',
          `Doris #3,"Crabb, Cindy",1994,feminism`,
          `Kerbloom,artnoose,1996,"letterpress,music"`,
        ],
        prefix,
      )
      const previewed = await post(id, 'preview/')
      expect(previewed.preview.rows).to.deep.equal({ written: 2, skipped: 0, refused: 0 })
      expect(await exists('zines', `${prefix}-1`), 'nothing is written yet').to.equal(false)

      const written = await post(id, 'commit/', { preview: previewed.preview.hash })
      expect(written.state, written.message).to.equal('written')
      expect(written.written).to.deep.equal({
        agents: { created: 2 },
        zines: { created: 2 },
        holdings: { created: 2 },
      })
      const { body: zine } = await service().get(recordPath('zines', `${prefix}-1`))
      expect(zine).to.include({ title: 'Doris', issue_designation: '#3' })
      expect(zine.date).to.deep.equal(['1994'])
      expect(zine.creator[0]).to.include({ display_name: 'Cindy Crabb', kind: 'Person' })
      expect(zine.subject.map(({ code }: any) => code)).to.deep.equal(['feminism'])
      expect(
        (await service().get(recordPath('holdings', `${prefix}-1`))).body.zine.zine_id,
      ).to.equal(`${prefix}-1`)

      const undone = await post(id, 'undo/')
      expect(undone.state, undone.message).to.equal('undone')
      expect(undone.kept).to.deep.equal([])
      const after = await Promise.all((['zines', 'agents', 'holdings'] as const).map(countOf))
      expect(after).to.deep.equal(before)
    })

    it('makes nothing twice when it is imported again, but updates', async () => {
      const prefix = unique('again')
      const lines = ['Title,Author,Year,Tags', 'Slug & Lettuce,Christine Boarts,1990,punk']
      const first = await importOf(lines, prefix)
      await post(first.id, 'preview/')
      await post(first.id, 'commit/')
      const changed = await importOf(
        [lines[0] ?? '', 'Slug & Lettuce,Christine Boarts,1991,punk'],
        prefix,
      )
      const { preview } = await post(changed.id, 'preview/')
      expect(preview.counts).to.deep.equal({ zines: { updated: 1 }, holdings: { unchanged: 1 } })
      await post(changed.id, 'commit/')
      const path = recordPath('zines', `${prefix}-1`)
      expect((await service().get(path)).body.date).to.deep.equal(['1991'])
      await post(changed.id, 'undo/')
      expect((await service().get(path)).body.date, 'the replaced value is back').to.deep.equal([
        '1990',
      ])
    })

    it('keeps the words of each date that names a year; what names none is a note, and told', async () => {
      const prefix = unique('dates')
      const kept = [
        ...['2002 Winter / 2003 Spring', '1994 and 1995', 'circa 1994-1995', '1999 (reprint 2004)'],
        ...['[2015-2016?]', 'December 2002 - January 2003', 'not 1994', '19XX'],
      ]
      const lines = [...kept, 'Winter'].map((date, index) => `Zine ${index},"A, B",${date}`)
      const { id } = await importOf(['Title,Author,Year', ...lines, 'Zine 9,"A, B",[1999'], prefix)
      await post(id, 'preview/')
      const { text: report } = await service().get(pathOf(id, 'report/?format=csv'), {
        token: service().tokens.editor,
      })
      expect(report).to.include('It became a note.').and.include('Winter')
      await post(id, 'commit/')
      const zines = await Promise.all(
        [...kept, 'Winter', '[1999'].map((_, index) =>
          service().get(recordPath('zines', `${prefix}-${index + 1}`)),
        ),
      )
      expect(zines.map(({ body }) => body.date)).to.deep.equal([
        ...kept.map((date) => [date]),
        [],
        ['1999'],
      ])
      expect(zines.map(({ body }) => body.public_notes)).to.deep.equal([
        ...kept.map(() => []),
        ['Date: Winter'],
        [],
      ])
    })

    it('has one agent for spellings of one name, and parts the names of several', async () => {
      const prefix = unique('names')
      const { id } = await importOf(
        [
          'Title,Author,Tags',
          `${prefix} one,"${prefix}wang, Jackie",punk`,
          `${prefix} two,Jackie ${prefix}wang,punk`,
          `${prefix} three,Mary ${prefix} and Geoff ${prefix},punk`,
        ],
        prefix,
        {
          names: {
            [`Mary ${prefix} and Geoff ${prefix}`]: {
              split: [`Mary ${prefix}`, `Geoff ${prefix}`],
            },
          },
        },
      )
      await post(id, 'preview/')
      const written = await post(id, 'commit/')
      expect(written.written.agents).to.include({ created: 3 })
      const creators = async (row: number): Promise<string[]> =>
        (await service().get(recordPath('zines', `${prefix}-${row}`))).body.creator.map(
          ({ agent_id }: any) => agent_id,
        )
      expect(await creators(1)).to.deep.equal(await creators(2))
      expect(await creators(3)).to.have.length(2)
    })

    it('gives new makers the numbers of Wikidata that stand beside their names', async () => {
      const prefix = unique('numbered')
      const address = 'https://inventaire.io/entity'
      const names = ['Rowan', 'Ash', 'Bee'].map((name) => `${name} ${prefix}`)
      const { id } = await importOf(
        [
          'Item URL,Edition title,Works labels,Authors URLs,Authors labels',
          `${address}/items/1,${prefix} one,One,"${address}/wd:Q42,${address}/inv:9","${names[0]}, ${names[1]}"`,
          `${address}/items/2,${prefix} two,Two,"${address}/wd:Q42,${address}/wd:Q43","${names[2]}"`,
        ],
        prefix,
      )
      await post(id, 'preview/')
      const { written, message } = await post(id, 'commit/')
      expect(written?.agents, message).to.include({ created: 3 })
      const made = (await service().get(`${listPath('agents')}?search=${prefix}`)).body.results
      const numbers = await Promise.all(
        made.map(async ({ agent_id }: any) => {
          const { display_name, wikidata } = (await service().get(recordPath('agents', agent_id)))
            .body
          return [display_name, wikidata]
        }),
      )
      expect(new Map(numbers)).to.deep.equal(
        new Map([
          [names[0], 'Q42'],
          [names[1], ''],
          [names[2], ''],
        ]),
      )
    })

    it('has one agent for a name and a part of several names that are the same', async () => {
      const prefix = unique('part')
      const lines = [
        'Title,Author,Tags',
        `${prefix} one,G.B. ${prefix} and Bruce ${prefix},punk`,
        `${prefix} two,GB ${prefix},punk`,
      ]
      const split = {
        [`G.B. ${prefix} and Bruce ${prefix}`]: { split: [`G.B. ${prefix}`, `Bruce ${prefix}`] },
      }
      const { id } = await importOf(lines, prefix, { names: split })
      await post(id, 'preview/')
      expect((await post(id, 'commit/')).written.agents.created).to.equal(2)
      expect((await post(id, 'preview/')).preview.counts.zines).to.deep.equal({ unchanged: 2 })
    })

    it('refuses rows with the reason and the row itself, and writes the others', async () => {
      const prefix = unique('refused')
      const { id } = await importOf(
        ['Title,Author,Tags', `,Nobody ${prefix},punk`, `${prefix} kept,Somebody ${prefix},punk`],
        prefix,
      )
      const { preview } = await post(id, 'preview/')
      expect(preview.rows).to.deep.equal({ written: 1, skipped: 0, refused: 1 })
      const refused = await get(id, 'preview/?outcome=refused')
      expect(refused.results[0]).to.include({ number: 1, outcome: 'refused' })
      expect(refused.results[0].reasons.join()).to.contain('title')
      expect(refused.results[0].fields).to.deep.include(['Author', `Nobody ${prefix}`])
      const written = await post(id, 'commit/')
      expect(written.written.zines).to.deep.equal({ created: 1 })
      expect(await exists('agents', `${prefix}-nobody-${prefix}`), 'nor its agent').to.equal(false)
      const report = await service().get(pathOf(id, 'report/'), { token: service().tokens.editor })
      expect(report.headers.get('content-type')).to.contain('text/csv')
      const [head, first, second] = report.text.split('\r\n')
      expect(head).to.equal('row,outcome,records,reasons,notes,Title,Author,Tags')
      expect(first)
        .to.match(/^1,refused,,/)
        .and.contain(`Nobody ${prefix}`)
      expect(second).to.match(/^2,written,/)
    })

    it('makes a holding of a zine that the catalogue has, unless something else is decided', async () => {
      const prefix = unique('held')
      await service().post(
        listPath('zines'),
        minimal.zines(`${prefix}-there`, { title: `The ${prefix}`, date: ['1999'] }),
      )
      const lines = ['Title,Author,Year,Tags', `The ${prefix},Somebody,1999,punk`]
      const { id } = await importOf(lines, prefix)
      await post(id, 'preview/')
      const [row] = (await get(id, 'preview/')).results
      expect(row.duplicates).to.deep.equal([{ reason: 'title', zine: `${prefix}-there` }])
      await post(id, 'commit/')
      expect(await exists('zines', `${prefix}-1`)).to.equal(false)
      const { body: holding } = await service().get(recordPath('holdings', `${prefix}-1`))
      expect(holding.zine.zine_id).to.equal(`${prefix}-there`)

      await settled(await decide(id, { duplicates: { rows: { 1: 'skip' } } }))
      expect((await post(id, 'preview/')).preview.rows).to.deep.equal({
        written: 0,
        skipped: 1,
        refused: 0,
      })
    })
  })

  describe('a decision', () => {
    const lines = ['Title,Author,Tags', 'Terms,Somebody,"punk,our own tag,somewhere"']

    it('is about each value that is no term, or about all the rest', async () => {
      const prefix = unique('terms')
      const code = unique('own')
      const { id } = await importOf(lines, prefix, {
        terms: {
          subjects: {
            'our own tag': { create: { code, label: `Our ${code}` } },
            '*': { note: true },
          },
        },
      })
      const { results } = await get(id, 'terms/?match=exact')
      expect(results.map(({ value, decision }: any) => [value, decision.code])).to.deep.equal([
        ['punk', 'punk'],
      ])
      await post(id, 'preview/')
      const written = await post(id, 'commit/')
      expect(written.state, written.message).to.equal('written')
      const { body: zine } = await service().get(recordPath('zines', `${prefix}-1`))
      expect(zine.subject.map((one: any) => one.code)).to.deep.equal(['punk', code])
      expect(zine.public_notes).to.contain('somewhere')
    })

    it('is refused with all its mistakes when it is none', async () => {
      const { id } = await importOf(lines, unique('mistakes'))
      const answer = await decide(id, { rules: 5, terms: { nothing: {} } })
      expect(answer.status).to.equal(400)
      expect(answer.body.non_field_errors).to.have.length.greaterThan(1)
    })

    it('is refused when the import was changed since the revision that was seen', async () => {
      const { id, revision } = await importOf(lines, unique('revision'))
      await settled(await decide(id, { description: 'changed' }))
      const late = await decide(id, { revision, description: 'too late' })
      expect(late.status, late.text).to.equal(409)
    })

    it('is kept in a profile that serves again', async () => {
      const name = unique('profile')
      const { profile } = await importOf(lines, unique('saved'))
      const path = `/api/import-profiles/${name}/`
      const saved = await service().put(path, profile)
      expect(saved.status, saved.text).to.equal(200)
      const again = await settled(await send(lines.join('\n'), `filename=a.csv&profile=${name}`))
      expect(again.profile.identifiers).to.deep.equal(profile.identifiers)
      expect((await service().ask('DELETE', path)).status).to.equal(204)
      expect((await service().get(path, { token: service().tokens.editor })).status).to.equal(404)
    })
  })

  describe('writing', () => {
    const lines = ['Title,Author,Tags', 'Written,Somebody,punk', 'Also written,Somebody,punk']

    it('does what the preview said, or stops if the catalogue changed in between', async () => {
      const prefix = unique('stopped')
      const { id } = await importOf(lines, prefix)
      const { preview } = await post(id, 'preview/')
      await service().post(listPath('holdings'), minimal.holdings(`${prefix}-2`))
      const stopped = await post(id, 'commit/', { preview: preview.hash })
      expect(stopped.state).to.equal('stopped')
      expect(stopped.message).to.contain('The catalogue changed')
      expect(await exists('zines', `${prefix}-1`)).to.equal(false)
      expect(
        (await post(id, 'preview/')).preview.counts.holdings,
        'with other identifiers',
      ).to.deep.equal({
        created: 2,
      })
      expect((await post(id, 'commit/')).state).to.equal('written')
    })

    it('goes on when something else changed in between', async () => {
      const prefix = unique('other')
      const { id } = await importOf(lines, prefix)
      await post(id, 'preview/')
      await service().post(listPath('zines'), minimal.zines(unique('unrelated')))
      expect((await post(id, 'commit/')).state).to.equal('written')
    })

    it('needs a preview, and the one that was seen', async () => {
      const { id } = await importOf(lines, unique('unseen'))
      expect((await service().post(pathOf(id, 'commit/'), {})).status).to.equal(409)
      await post(id, 'preview/')
      const answer = await service().post(pathOf(id, 'commit/'), { preview: 'another' })
      expect(answer.status).to.equal(409)
    })

    it('keeps the original row with the record, for editors', async () => {
      const prefix = unique('original')
      const rows = ['Title,Author,Tags', `${prefix},Somebody,punk`, `${prefix} two,Somebody,punk`]
      const { id } = await importOf(rows, prefix)
      await post(id, 'preview/')
      const { batch } = await post(id, 'commit/')
      const path = pathOf(id, `rows/?record=zines/${prefix}-1`)
      const { body: row } = await service().get(path, { token: service().tokens.editor })
      expect(row).to.include({ number: 1 })
      expect(row.fields).to.deep.include(['Title', prefix])
      expect((await service().get(path, { token: null })).status).to.equal(401)
      const { body: known } = await service().get(`/api/batches/${batch}/`, {
        token: service().tokens.editor,
      })
      expect(known.kinds.zines).to.deep.equal({ created: 2 })
    })
  })

  it('are seen by those who see private fields, and by who made them', async () => {
    const text = ['Title,Email', 'Secret,maker@private.example'].join('\n')
    const own = await settled(await send(text))
    const editor = { token: service().tokens.zinesEditor }
    for (const part of ['', 'source/', 'fields/', 'names/', 'terms/', 'issues/', 'report/'])
      expect((await service().get(pathOf(own.id, part), editor)).status, part).to.equal(404)
    expect((await service().post(pathOf(own.id, 'commit/'), {}, editor)).status).to.equal(404)
    const listed = await service().get('/api/imports/?page_size=100', editor)
    expect(listed.text).not.to.contain(own.id)
    const theirs = await settled(await send(text, 'filename=b.csv', editor))
    expect((await service().get(pathOf(theirs.id), editor)).status).to.equal(200)
    expect(
      (await service().get(pathOf(theirs.id), { token: service().tokens.editor })).status,
    ).to.equal(200)
  })

  it('find drafts of makers by their names, for who may write makers and began the import', async () => {
    const draft = minimal.agents(unique('draft'), {
      display_name: `Quiet ${unique('maker')}`,
      visibility: 'draft',
    })
    expect((await service().post('/api/agents/', draft)).status).to.equal(201)
    const lines = ['Title,Author,Year,Tags', `Leaf,${draft.display_name},1999,punk`]
    const namesFor = async (id: string, token: string): Promise<any> =>
      (await service().get(pathOf(id, 'names/'), { token })).body.results[0]

    const { admin, editor, zinesEditor } = service().tokens
    const job = await importOf(lines, unique('leaf'))
    expect((await namesFor(job.id, admin)).found).to.deep.equal([draft.agent_id])
    const another = { ...draft, agent_id: unique('draft') }
    expect((await service().post('/api/agents/', another)).status).to.equal(201)
    expect((await namesFor(job.id, admin)).found).to.have.length(2)
    await service().delete(recordPath('agents', another.agent_id))
    expect((await namesFor(job.id, editor)).found).to.deep.equal([])
    const theirs = await settled(
      await send(lines.join('\n'), 'filename=b.csv', { token: zinesEditor }),
    )
    expect((await namesFor(theirs.id, zinesEditor)).found).to.deep.equal([])

    await post(job.id, 'preview/')
    expect((await post(job.id, 'commit/')).written.agents).to.equal(undefined)
    const [zine] = (await service().get('/api/zines/?search=Leaf')).body.results
    expect(zine.creator).to.deep.equal([{ agent_id: '', display_name: '', kind: '' }])
    const path = recordPath('agents', draft.agent_id)
    await service().patch(path, { visibility: 'public' })
    const shown = (await service().get(recordPath('zines', zine.zine_id))).body
    expect(shown.creator.map(({ agent_id: id }: any) => id)).to.deep.equal([draft.agent_id])
  })

  describe('taking back', () => {
    it('keeps what was changed since, and what others refer to, and lists it', async () => {
      const prefix = unique('kept')
      const { id } = await importOf(
        ['Title,Author,Tags', `One,First ${prefix},punk`, `Two,Second ${prefix},punk`],
        prefix,
      )
      await post(id, 'preview/')
      await post(id, 'commit/')
      await service().patch(recordPath('zines', `${prefix}-1`), { title: 'One, corrected' })
      const { kept } = await post(id, 'undo/')
      expect(kept.map(({ kind, id: one }: any) => `${kind}/${one}`)).to.have.members([
        `zines/${prefix}-1`,
        `agents/${prefix}-first-${prefix}`,
      ])
      expect(kept.find(({ kind }: any) => kind === 'zines').fields).to.deep.equal(['title'])
      expect(await exists('zines', `${prefix}-1`)).to.equal(true)
      expect(await exists('agents', `${prefix}-first-${prefix}`)).to.equal(true)
      expect(await exists('zines', `${prefix}-2`)).to.equal(false)
      expect(await exists('holdings', `${prefix}-1`)).to.equal(false)
    })
  })

  it('lose a value that is redacted, so that no file has a byte of it', async () => {
    const prefix = unique('redacted')
    const secret = `Secret ${unique('name')}`
    const { id } = await importOf(['Title,Author,Tags', `${prefix},${secret},punk`], prefix)
    await post(id, 'preview/')
    const { written } = await post(id, 'commit/')
    expect(written.agents).to.deep.equal({ created: 1 })
    const zine = (await service().get(recordPath('zines', `${prefix}-1`))).body
    const path = recordPath('agents', zine.creator[0].agent_id)
    await service().patch(path, { display_name: 'Somebody' })
    expect(await placesOf(service().dataDir, secret)).not.to.deep.equal([])
    const redacted = await service().post(`${path}redact/`, {
      field: 'display_name',
      value: secret,
    })
    expect(redacted.status, redacted.text).to.equal(204)
    expect(await placesOf(service().dataDir, secret)).to.deep.equal([])
    expect((await service().get(pathOf(id), { token: service().tokens.editor })).status).to.equal(
      200,
    )
  })

  describe('a file that cannot be read', () => {
    it('is answered 400, and no import is left', async () => {
      const count = async (): Promise<number> =>
        (await service().get('/api/imports/', { token: service().tokens.editor })).body.count
      const before = await count()
      for (const bytes of ['', '%PDF-1.7 nothing', new Uint8Array([0x1f, 0x8b, 8, 0])])
        expect((await send(bytes)).status).to.equal(400)
      expect(await count()).to.equal(before)
    })

    it('keeps no import from being deleted where there are no files, as in a restored backup', async () => {
      const { id } = await importOf(['Title', 'Gone'], unique('gone'))
      const files = join(service().dataDir, 'imports')
      await rename(files, `${files}-elsewhere`)
      expect((await service().ask('DELETE', pathOf(id))).status).to.equal(204)
      await rename(`${files}-elsewhere`, files)
    })

    it('is removed with its rows when the import is deleted', async () => {
      const { id } = await importOf(['Title', 'Gone'], unique('gone'))
      expect((await service().ask('DELETE', pathOf(id))).status).to.equal(204)
      expect((await service().get(pathOf(id), { token: service().tokens.editor })).status).to.equal(
        404,
      )
    })
  })
})
