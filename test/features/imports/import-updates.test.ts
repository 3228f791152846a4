// Tests over HTTP what an import may change: records that its rows name or that its source made, and of them what
// the rows say.

import { expect } from 'chai'

import { minimal } from '../../examples.js'
import { listPath, recordPath, unique, useCatalogue } from '../../http/catalogue.js'
import { importClient } from './import-client.js'

type Kind = 'zines' | 'agents' | 'holdings' | 'repositories'

const answers = {
  defaults: {
    zines: { subject: ['zines'], genre: ['zine'], language: ['en'], rights: [], date: null },
    holdings: {},
  },
}

describe('what an import may change:', () => {
  const { service } = useCatalogue()
  const { begin, write, post, get, decide, settled, send } = importClient(service)

  const read = async (kind: Kind, id: string): Promise<any> =>
    (await service().get(recordPath(kind, id), { token: service().tokens.editor })).body

  const create = async (kind: Kind, id: string, more: object = {}): Promise<void> => {
    const { status, text } = await service().post(listPath(kind), minimal[kind](id, more))
    expect(status, text).to.equal(201)
  }

  const countOf = async (kind: Kind): Promise<number> =>
    (await service().get(listPath(kind))).body.count

  /** The one zine of a title. */
  async function zineOf(title: string): Promise<any> {
    const query = `search=${encodeURIComponent(title)}&page_size=100`
    const { body } = await service().get(`${listPath('zines')}?${query}`)
    const zines = body.results.filter((one: any) => one.title === title)
    expect(zines, title).to.have.length(1)
    return zines[0]
  }

  const table = (...lines: readonly string[]): string => lines.join('\n')

  it('is counted once for each record, however many rows are about it', async () => {
    const maker = unique('Counted')
    const text = table(
      'Title,Author',
      ...['One', 'Two', 'Three'].map((title) => `${title} of ${maker},${maker}`),
    )
    const one = await begin(text, `filename=${maker}.csv`, answers)
    const counts = { zines: { created: 3 }, agents: { created: 1 } }
    expect((await post(one.id, 'preview/')).preview.counts).to.deep.equal(counts)
    expect((await post(one.id, 'commit/')).written).to.deep.equal(counts)
  })

  describe('identifiers of two sources', () => {
    for (const [what, heading] of [
      ['the numbers of rows', 'Title,Author'],
      ['numbers of their own', 'ID,Title,Author'],
    ] as const)
      it(`that are made of ${what} never meet`, async () => {
        const prefix = unique('strangers')
        const cells = heading.startsWith('ID') ? ['1,', '2,'] : ['', '']
        const rows = (name: string): string =>
          table(
            heading,
            ...cells.map((cell, row) => `${cell}${prefix} ${name} ${row},${name}${row} ${prefix}`),
          )
        await write((await begin(rows('heron'), `filename=${prefix}-a.csv`, answers)).id)
        const other = await begin(rows('egret'), `filename=${prefix}-b.csv`, answers)
        const { written } = await write(other.id)
        expect(written.zines).to.deep.equal({ created: 2 })
        for (const name of ['heron', 'egret'])
          for (const row of [0, 1]) await zineOf(`${prefix} ${name} ${row}`)
      })

    it('never meet where a person chose the same pattern for both', async () => {
      const prefix = unique('pattern')
      const identifiers = { zines: `${prefix}-{ID}` }
      for (const name of ['heron', 'egret']) {
        const text = table('ID,Title,Author', `7,${prefix} ${name},${name} ${prefix}`)
        const one = await begin(text, `filename=${prefix}-${name}.csv`, { ...answers, identifiers })
        expect((await write(one.id)).written.zines).to.deep.equal({ created: 1 })
      }
      expect((await zineOf(`${prefix} heron`)).zine_id).to.equal(`${prefix}-7`)
      expect((await zineOf(`${prefix} egret`)).zine_id).to.equal(`${prefix}-egret-${prefix}-7`)
    })

    it('never meet those of records that people made', async () => {
      const prefix = unique('byhand')
      await create('zines', `${prefix}-1`, { title: `${prefix} by hand` })
      const one = await begin(
        table('Title,Author', `${prefix} imported,Somebody ${prefix}`),
        `filename=${prefix}.csv`,
        { ...answers, identifiers: { zines: `${prefix}-{row}` } },
      )
      expect((await write(one.id)).written.zines).to.deep.equal({ created: 1 })
      expect((await read('zines', `${prefix}-1`)).title).to.equal(`${prefix} by hand`)
    })

    describe('of agents,', () => {
      /** Imports a zine of the maker Jo Heron, about whom it is decided so. */
      async function importOfMaker(prefix: string, decision: object, file = prefix): Promise<any> {
        const { id } = await begin(
          table('ID,Title,Author', `1,${prefix} ${file},Jo Heron ${prefix}`),
          `filename=${file}.csv`,
          { ...answers, names: { [`Jo Heron ${prefix}`]: decision } },
        )
        return post(id, 'preview/')
      }
      const named = (prefix: string, more: object = {}): object => ({
        create: { display_name: `Jo Heron ${prefix}`, kind: 'Person', ...more },
      })

      it('are not taken over by a new maker whose name makes the same one', async () => {
        const prefix = unique('slug')
        await create('agents', `jo-heron-${prefix}`, { display_name: 'A stranger' })
        await write((await importOfMaker(prefix, named(prefix))).id)
        const { creator } = await zineOf(`${prefix} ${prefix}`)
        expect(creator[0].agent_id).to.equal(`jo-heron-${prefix}-2`)
        // A later file of the source means the maker that the first one made.
        await write((await importOfMaker(prefix, named(prefix))).id)
        expect((await zineOf(`${prefix} ${prefix}`)).creator).to.deep.equal(creator)
      })

      it('are not taken over by a decision that names one which became that of another', async () => {
        const prefix = unique('named')
        await create('agents', prefix, { display_name: 'A stranger' })
        for (const decision of [named(prefix, { agent_id: prefix }), { hide: prefix }]) {
          const { id, preview } = await importOfMaker(prefix, decision)
          expect(preview.rows.refused).to.equal(1)
          const [row] = (await get(id, 'preview/?outcome=refused')).results
          expect(row.reasons.join()).to.contain('is that of another maker by now')
        }
      })

      it('are those of a saved decision, where the agent has the name', async () => {
        const prefix = unique('saved')
        const decision = named(prefix, { agent_id: prefix })
        await write((await importOfMaker(prefix, decision, `${prefix}-a`)).id)
        const { id, preview } = await importOfMaker(prefix, decision, `${prefix}-b`)
        expect(preview.counts.agents).to.deep.equal({ unchanged: 1 })
        await write(id)
        expect((await zineOf(`${prefix} ${prefix}-b`)).creator[0].agent_id).to.equal(prefix)
      })
    })
  })

  describe('a source', () => {
    it('is proposed from the name of the file, and can be named by each way', async () => {
      const prefix = unique('named')
      const text = table('ID,Title', `1,${prefix}`)
      const one = await begin(text, `filename=${prefix}%20list.2024.csv`)
      expect(one.source_name).to.equal(`${prefix} list.2024`)
      const other = await settled(await send(text, 'filename=a.csv&source_name=Our+shelf'))
      expect(other.source_name).to.equal('Our shelf')
      const renamed = await settled(await decide(other.id, { source_name: 'Their shelf' }))
      expect(renamed.source_name).to.equal('Their shelf')
      for (const wrong of ['', 5, 'x'.repeat(201)]) {
        const answer = await decide(other.id, { source_name: wrong })
        expect(answer.status, answer.text).to.equal(400)
        expect(answer.body).to.have.property('source_name')
      }
    })

    it('updates what an earlier import of it made, whatever the file is called', async () => {
      const prefix = unique('again')
      const query = (file: string): string => `filename=${file}.csv&source_name=${prefix}`
      const first = table('ID,Title,Author', `17,${prefix} Heron,Ann ${prefix}`)
      await write((await begin(first, query('a'), answers)).id)
      const second = table('ID,Title,Author', `17,${prefix} Grey heron,Ann ${prefix}`)
      const { written } = await write((await begin(second, query('b'), answers)).id)
      expect(written.zines).to.deep.equal({ updated: 1 })
      expect((await zineOf(`${prefix} Grey heron`)).zine_id).to.equal(`${prefix}-17`)
    })

    it('is asked about a row whose title and maker are others than those of its record', async () => {
      const prefix = unique('asked')
      const source = `filename=${prefix}.csv`
      const first = table('ID,Title,Author', `1,${prefix} Heron,Ann ${prefix}`)
      await write((await begin(first, source, answers)).id)
      const text = table('ID,Title,Author', `1,${prefix} Egret,Bob ${prefix}`)
      const { id } = await begin(text, source, answers)
      const { preview } = await post(id, 'preview/')
      expect(preview.rows).to.deep.equal({ written: 0, skipped: 0, refused: 1 })
      const [row] = (await get(id, 'preview/?outcome=refused')).results
      expect(row.duplicates).to.deep.equal([{ reason: 'number', zine: `${prefix}-1` }])
      expect(row.reasons.join()).to.contain('another title and another maker')

      const outcomeOf = async (decision: string): Promise<any> => {
        await settled(await decide(id, { duplicates: { rows: { 1: decision } } }))
        return (await post(id, 'preview/')).preview
      }
      expect((await outcomeOf('skip')).rows.skipped).to.equal(1)
      expect((await outcomeOf('new')).counts.zines).to.deep.equal({ created: 1 })
      expect((await outcomeOf('update')).counts.zines).to.deep.equal({ updated: 1 })
    })

    it('without numbers leaves out what an earlier import of it made', async () => {
      const prefix = unique('twice')
      const text = table('Title,Author', `${prefix} Heron,Ann ${prefix}`)
      const withLibrary = {
        defaults: { ...answers.defaults, holdings: { repository_id: 'library' } },
      }
      const query = `filename=${prefix}.csv`
      await write((await begin(text, query, withLibrary)).id)
      const before = [await countOf('zines'), await countOf('holdings')]
      const again = await begin(text, query, withLibrary)
      const { preview } = await post(again.id, 'preview/')
      expect(preview.rows).to.deep.equal({ written: 0, skipped: 1, refused: 0 })
      await write(again.id)
      expect([await countOf('zines'), await countOf('holdings')]).to.deep.equal(before)
      await settled(await decide(again.id, { duplicates: { again: 'update' } }))
      expect((await post(again.id, 'preview/')).preview.counts.zines).to.deep.equal({
        unchanged: 1,
      })
    })

    it('has one row for each of its numbers', async () => {
      const prefix = unique('repeated')
      const text = table('Key,Title,Author', `1,${prefix} one,Ann`, `1,${prefix} two,Bob`)
      const { id } = await begin(text, `filename=${prefix}.csv`, {
        ...answers,
        identifiers: { zines: '{source}-{Key}' },
      })
      const { preview } = await post(id, 'preview/')
      expect(preview.rows).to.deep.equal({ written: 1, skipped: 0, refused: 1 })
      const [row] = (await get(id, 'preview/?outcome=refused')).results
      expect(row).to.include({ number: 2 })
      expect(row.reasons).to.deep.equal(['Row 1 is for the same record.'])
    })
  })

  describe('a row for a record that is there', () => {
    it('leaves what it does not say: makers, empty cells, and what answers are for', async () => {
      const prefix = unique('leaves')
      const query = `filename=${prefix}.csv`
      const head = 'ID,Title,Author,Year,Tags,Abstract'
      const first = table(head, `1,${prefix},Ann ${prefix},1999,punk,A heron.`)
      await write((await begin(first, query, answers)).id)
      const id = `${prefix}-1`
      const corrected = { genre: ['perzine'], language: ['es'], rights: ['cc0'] }
      expect((await service().patch(recordPath('zines', id), corrected)).status).to.equal(200)
      const before = await read('zines', id)

      const second = table(head, `1,${prefix},,,,A grey heron.`)
      const one = await begin(second, query, answers)
      await post(one.id, 'preview/')
      const [row] = (await get(one.id, 'preview/?change=updated')).results
      expect(row.changes).to.deep.equal([
        { kind: 'zines', id, field: 'abstract', before: 'A heron.', after: 'A grey heron.' },
      ])
      await write(one.id)
      const after = await read('zines', id)
      expect(after).to.deep.equal({
        ...before,
        abstract: 'A grey heron.',
        updated_at: after.updated_at,
      })
    })

    it('clears the fields of empty cells where the import says so', async () => {
      const prefix = unique('clears')
      await create('zines', prefix, { title: prefix, abstract: 'Old', public_notes: ['Note'] })
      const text = table('zine_id,abstract,public_notes', `${prefix},,`)
      const kept = await begin(text, 'filename=a.csv')
      expect((await post(kept.id, 'preview/')).preview.counts.zines).to.deep.equal({ unchanged: 1 })
      const clearing = await begin(text, 'filename=a.csv', { emptyCells: 'clear' })
      await write(clearing.id)
      const zine = await read('zines', prefix)
      expect(zine).to.include({ abstract: '', title: prefix })
      expect(zine.public_notes).to.deep.equal([])
      expect(zine.creator).to.have.length(1)
    })

    it('adds its notes on other values to the notes that are there', async () => {
      const prefix = unique('notes')
      const query = `filename=${prefix}.csv`
      const text = table('ID,Title,Author,Tags', `1,${prefix},Ann ${prefix},"punk,${prefix} tag"`)
      const decisions = { ...answers, terms: { subjects: { '*': { note: true } } } }
      await write((await begin(text, query, decisions)).id)
      const path = recordPath('zines', `${prefix}-1`)
      const notes = ['A note of a cataloguer', `${prefix} tag`]
      await service().patch(path, { public_notes: notes })
      const { written } = await write((await begin(text, query, decisions)).id)
      expect(written.zines).to.deep.equal({ unchanged: 1 })
      expect((await read('zines', `${prefix}-1`)).public_notes).to.deep.equal(notes)
    })
  })

  describe('new records', () => {
    it('are drafts where the import says so, and stay drafts when their source is read again', async () => {
      const prefix = unique('drafts')
      const query = `filename=${prefix}.csv`
      const decisions = { ...answers, newRecords: 'draft' }
      const head = 'ID,Title,Author,Abstract'
      const rows = [`1,${prefix} one,Ann ${prefix},`, `2,${prefix} two,Ann ${prefix},`]
      const counts = async () => [await countOf('zines'), await countOf('agents')]
      const before = await counts()
      const { written } = await write((await begin(table(head, ...rows), query, decisions)).id)
      expect(written).to.deep.equal({ zines: { created: 2 }, agents: { created: 1 } })
      expect(await counts()).to.deep.equal(before)
      const path = recordPath('zines', `${prefix}-1`)
      expect((await service().get(path)).status).to.equal(404)
      const draft = await read('zines', `${prefix}-1`)
      expect(draft).to.include({ visibility: 'draft', title: `${prefix} one` })
      expect(draft.creator[0].display_name).to.equal(`Ann ${prefix}`)

      const corrected = table(head, `1,${prefix} one,Ann ${prefix},A heron.`)
      await write((await begin(corrected, query, answers)).id)
      expect(await read('zines', `${prefix}-1`)).to.include({
        visibility: 'draft',
        abstract: 'A heron.',
      })
      await service().patch(path, { visibility: 'public' })
      expect((await service().get(path)).status).to.equal(200)
    })

    it('are drafts, and records that are there already stay public', async () => {
      const prefix = unique('shown')
      await create('zines', prefix, { title: prefix, abstract: 'Old' })
      const text = table('zine_id,abstract', `${prefix},New`)
      await write((await begin(text, 'filename=a.csv', { newRecords: 'draft' })).id)
      const { body } = await service().get(recordPath('zines', prefix))
      expect(body).to.include({ abstract: 'New' })
    })
  })

  describe('a few columns', () => {
    it('update what they name, and nothing else, after a preview of the old and the new', async () => {
      const prefix = unique('columns')
      const agent = `${prefix}-maker`
      const secret = { legal_name: 'Legal Heron', email: 'heron@example.org', phone: '+1 555 0100' }
      await create('agents', agent, { display_name: 'Night Heron', public: false, ...secret })
      await create('zines', prefix, {
        title: prefix,
        creator: [agent],
        abstract: 'Old',
        public_notes: ['First', 'Second'],
        rights: ['cc0'],
      })
      await create('repositories', `${prefix}-cellar`)
      await create('holdings', prefix, {
        zine_id: prefix,
        repository_id: `${prefix}-cellar`,
        call_number: 'Z 9',
        barcode: '0001',
        copy_count: 3,
        notes: ['kept in the drawer'],
      })
      for (const [kind, id, field, before, after] of [
        ['zines', prefix, 'abstract', 'Old', 'New'],
        ['agents', agent, 'biography', null, 'Makes zines at night.'],
        ['holdings', prefix, 'call_number', 'Z 9', 'Z 10'],
        ['repositories', `${prefix}-cellar`, 'website', null, 'https://cellar.example/'],
      ] as const) {
        const view = { token: service().tokens.admin }
        const path = `${recordPath(kind, id)}?private=true`
        const { body: record } = await service().get(path, view)
        const idField = {
          zines: 'zine_id',
          agents: 'agent_id',
          holdings: 'holding_id',
          repositories: 'repo_id',
        }[kind]
        const lines = [`${idField},${field}`, `${id},${after}`, `${prefix}-absent,${after}`]
        const one = await begin(lines.join('\r\n'), `filename=${kind}.csv`)
        const { preview } = await post(one.id, 'preview/')
        expect(preview.counts, kind).to.deep.equal({ [kind]: { updated: 1 } })
        expect(preview.rows, kind).to.deep.equal({ written: 1, skipped: 0, refused: 1 })
        const { results } = await get(one.id, 'preview/')
        expect(
          results[0].changes.map((change: any) => ({
            ...change,
            before: change.before === '' ? null : change.before,
          })),
        ).to.deep.equal([{ kind, id, field, before, after }])
        expect(results[1].reasons.join()).to.contain(`There is no ${prefix}-absent`)
        await write(one.id)
        const { body: changed } = await service().get(path, view)
        expect(changed, kind).to.deep.equal({
          ...record,
          [field]: after,
          updated_at: changed.updated_at,
        })
        await post(one.id, 'undo/')
        const { body: restored } = await service().get(path, view)
        expect(restored, kind).to.deep.equal({ ...record, updated_at: restored.updated_at })
      }
    })

    it('of another table are no names of records here', async () => {
      const prefix = unique('foreign')
      await create('zines', `${prefix}-1`, { title: `${prefix} here` })
      const text = table(
        'zine_id,Title,Author,Year',
        `${prefix}-1,${prefix} there,Ann ${prefix},1999`,
      )
      const { id } = await begin(text, `filename=${prefix}.csv`, answers)
      expect((await post(id, 'preview/')).preview.counts.zines).to.deep.equal({ created: 1 })
    })

    it('name records by any column that is said to have their identifiers', async () => {
      const prefix = unique('mapped')
      await create('zines', prefix, { title: prefix, abstract: 'Old' })
      const { id } = await begin(table('Our key,About', `${prefix},New`), 'filename=a.csv', {
        rules: [
          { from: 'Our key', to: 'zines.zine_id' },
          { from: 'About', to: 'zines.abstract' },
        ],
      })
      expect((await write(id)).written).to.deep.equal({ zines: { updated: 1 } })
      expect((await read('zines', prefix)).abstract).to.equal('New')
    })
  })

  it('A row that would only add a copy, with no library, counts as left out', async () => {
    const prefix = unique('nocopy')
    await create('zines', prefix, { title: prefix, date: ['1999'] })
    const text = table('Title,Author,Year', `${prefix},Ann ${prefix},1999`)
    const { id } = await begin(text, `filename=${prefix}.csv`, answers)
    const { preview } = await post(id, 'preview/')
    expect(preview.rows).to.deep.equal({ written: 0, skipped: 1, refused: 0 })
    const [row] = (await get(id, 'preview/?outcome=skipped')).results
    expect(row.notes.join()).to.contain('no library is said')
  })
})
