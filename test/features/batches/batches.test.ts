// Tests batches over HTTP: many writes at once, all or each, tried before, listed and undone.

import { randomUUID } from 'node:crypto'

import { expect } from 'chai'

import { listPath, recordPath, unique, useCatalogue } from '../../http/catalogue.js'
import { minimal } from '../../examples.js'
import type { Answer, Ask } from '../../service.js'

const ndjson = { 'content-type': 'application/x-ndjson' }

const asLines = (lines: readonly unknown[]): string =>
  lines.map((line) => JSON.stringify(line)).join('\n')

describe('batches:', () => {
  const { service, given } = useCatalogue()

  const send = (lines: readonly unknown[], query = '', ask: Ask = {}): Promise<Answer> =>
    service().ask('POST', `/api/batches/${query}`, { raw: asLines(lines), headers: ndjson, ...ask })

  const edit = (body: object, query = '', ask: Ask = {}): Promise<Answer> =>
    service().post(`/api/batches/${query}`, body, ask)

  const undo = (id: string, ask: Ask = {}): Promise<Answer> =>
    service().ask('POST', `/api/batches/${id}/undo/`, ask)

  const statuses = ({ body }: Answer): number[] => body.results.map(({ status }: any) => status)

  const create = (id: string, more?: object) => ({
    op: 'create',
    kind: 'zines',
    id,
    body: minimal.zines(id, more),
  })

  const change = (id: string, body: object, more?: object) => ({
    op: 'change',
    kind: 'zines',
    id,
    body,
    ...more,
  })

  const remove = (id: string) => ({ op: 'remove', kind: 'zines', id })

  const title = async (id: string): Promise<unknown> =>
    (await service().get(recordPath('zines', id))).body.title

  const exists = async (id: string): Promise<boolean> =>
    (await service().get(recordPath('zines', id))).status === 200

  describe('a batch with an id that the client chose', () => {
    const status = (id: string): Promise<Answer> =>
      service().get(`/api/batches/${id}/`, tokenOf(service().tokens.editor))

    it('says how far it is while it is written, and what it did afterwards', async () => {
      const id = randomUUID()
      const made = unique('many')
      const lines = Array.from({ length: 400 }, (_, index) => create(`${made}-${index}`))
      expect((await status(id)).status).to.equal(404)
      const written = send(lines, `?id=${id}`)
      const seen: { done: number; total: number }[] = []
      for (;;) {
        const { body } = await status(id)
        if (body.count) break
        if (body.progress) seen.push(body.progress)
      }
      expect((await written).body.id).to.equal(id)
      expect(seen.some(({ total }) => total === 400)).to.equal(true)
      const done = seen.map((progress) => progress.done)
      expect(done).to.deep.equal(done.toSorted((one, other) => one - other))
      const { body } = await status(id)
      expect(body).to.include({ id, count: 400 }).and.not.have.property('progress')
    })

    it('is refused where there is one with it, or it is no UUID', async () => {
      const id = randomUUID()
      expect((await send([create(unique('batched'))], `?id=${id}`)).status).to.equal(200)
      expect((await send([create(unique('batched'))], `?id=${id}`)).status).to.equal(400)
      expect((await send([create(unique('batched'))], '?id=../x')).status).to.equal(400)
    })

    it('may be sent again after it was refused', async () => {
      const [id, made] = [randomUUID(), unique('batched')]
      expect(
        (await send([change(unique('missing'), { title: 'x' })], `?id=${id}`)).status,
      ).to.equal(400)
      expect((await status(id)).status).to.equal(404)
      expect((await send([create(made)], `?id=${id}`)).body.id).to.equal(id)
    })
  })

  describe('the lines of a batch', () => {
    it('are answered like single requests, with the record as each line leaves it', async () => {
      const id = unique('batched')
      const answer = await send([
        create(id),
        change(id, { title: 'Second' }),
        { op: 'replace', kind: 'zines', id, body: minimal.zines(id, { title: 'Third' }) },
        remove(id),
      ])
      expect(answer.status, answer.text).to.equal(200)
      expect(statuses(answer)).to.deep.equal([201, 200, 200, 204])
      const { results } = answer.body
      expect(results.map(({ line }: any) => line)).to.deep.equal([1, 2, 3, 4])
      expect(results[1].body.title).to.equal('Second')
      expect(results[2].body.title).to.equal('Third')
      expect(results[3].body).to.equal(null)
    })

    it('answer with the JSON that GET then has', async () => {
      const id = unique('batched')
      const answer = await send([create(id)])
      const read = await service().get(recordPath('zines', id))
      expect(answer.body.results[0].body).to.deep.equal(read.body)
    })

    it('may name what an earlier line makes', async () => {
      const [zine, copy, maker] = [unique('batched'), unique('copy'), unique('maker')]
      const answer = await send([
        { op: 'create', kind: 'agents', body: minimal.agents(maker) },
        create(zine, { creator: [maker] }),
        { op: 'create', kind: 'holdings', body: minimal.holdings(copy, { zine_id: zine }) },
      ])
      expect(statuses(answer)).to.deep.equal([201, 201, 201])
      expect(answer.body.results[2].body.zine.zine_id).to.equal(zine)
    })

    it('take holdings away with their zine, also those of earlier lines', async () => {
      const [zine, copy] = [unique('batched'), unique('copy')]
      await send([create(zine)])
      await send([
        { op: 'create', kind: 'holdings', body: minimal.holdings(copy, { zine_id: zine }) },
        remove(zine),
      ])
      expect((await service().get(recordPath('holdings', copy))).status).to.equal(404)
    })

    it('may change one record twice, whose other fields stay as they are', async () => {
      const { zine_id: id } = await given.zine({ subject: ['punk', 'food'] })
      await send([change(id, { title: 'One' }), change(id, { abstract: 'Two' })])
      const { body } = await service().get(recordPath('zines', id))
      expect(body).to.include({ title: 'One', abstract: 'Two' })
      expect(body.subject.map(({ code }: any) => code)).to.deep.equal(['punk', 'food'])
    })

    it('keep the digits of numbers that are sent for texts', async () => {
      const { holding_id: id } = await given.holding()
      const line = `{"op":"change","kind":"holdings","id":"${id}","body":{"condition":31786102345678901}}`
      const answer = await service().ask('POST', '/api/batches/', { raw: line, headers: ndjson })
      expect(answer.body.results[0].body.condition).to.equal('31786102345678901')
    })

    it('have the number that they have in the body, blank ones counted', async () => {
      const raw = `\n${JSON.stringify(create(unique('batched')))}\r\n\n`
      const answer = await service().ask('POST', '/api/batches/', { raw, headers: ndjson })
      expect(answer.body.results[0].line).to.equal(2)
    })
  })

  describe('in the mode all, one bad line', () => {
    it('has nothing written and the others answered 424', async () => {
      const [first, last] = [unique('batched'), unique('batched')]
      const answer = await send([create(first), create(last, { subject: ['nonsense'] })])
      expect(answer.status).to.equal(400)
      expect(answer.body.id).to.equal(null)
      expect(statuses(answer)).to.deep.equal([424, 400])
      expect(answer.body.results[1].body).to.deep.equal({
        subject: ['Invalid subject codes: nonsense'],
      })
      expect(await exists(first)).to.equal(false)
    })
  })

  describe('in the mode each', () => {
    it('the good lines are written, and each bad one says what is wrong', async () => {
      const [good, absent] = [unique('batched'), unique('absent')]
      const answer = await send([create(good), change(absent, { title: 'x' })], '?mode=each')
      expect(answer.status).to.equal(200)
      expect(statuses(answer)).to.deep.equal([201, 404])
      expect(answer.body.results[1].body).to.deep.equal({ detail: 'Not found.' })
      expect(await exists(good)).to.equal(true)
    })
  })

  describe('a dry run', () => {
    it('answers what the batch would, and writes nothing', async () => {
      const id = unique('batched')
      const answer = await send([create(id)], '?dry_run=true')
      expect(answer.status).to.equal(200)
      expect(answer.body).to.include({ id: null, dry_run: true, mode: 'all' })
      expect(statuses(answer)).to.deep.equal([201])
      expect(await exists(id)).to.equal(false)
    })
  })

  describe('if_match', () => {
    it('lets a line pass that has the ETag of the record', async () => {
      const { zine_id: id } = await given.zine()
      const etag = (await service().get(recordPath('zines', id))).headers.get('etag')
      const answer = await send([change(id, { title: 'Changed' }, { if_match: etag })])
      expect(statuses(answer)).to.deep.equal([200])
    })

    it('fails with 412 when the record was changed since, also by an earlier line', async () => {
      const { zine_id: id } = await given.zine()
      const etag = (await service().get(recordPath('zines', id))).headers.get('etag')
      const answer = await send(
        [change(id, { title: 'One' }), change(id, { title: 'Two' }, { if_match: etag })],
        '?mode=each',
      )
      expect(statuses(answer)).to.deep.equal([200, 412])
      expect(await title(id)).to.equal('One')
    })

    it('fails with 412 after an earlier line, also for a tag that begins with a hyphen', async () => {
      const { zine_id: id } = await given.zine()
      const answer = await send(
        [change(id, { title: 'One' }), change(id, { title: 'Two' }, { if_match: '"-x"' })],
        '?mode=each',
      )
      expect(statuses(answer)).to.deep.equal([200, 412])
    })

    it('without a tag is answered 400, naming the line', async () => {
      const answer = await send([create(unique('z')), change('z', {}, { if_match: 'x' })])
      expect(answer.status).to.equal(400)
      expect(answer.body.detail).to.equal('Line 2: if_match has no entity tag.')
    })
  })

  describe('a body that cannot be read', () => {
    const cases: readonly (readonly [string, string, string])[] = [
      ['no JSON', '{"op":', 'Line 1: JSON parse error - Unexpected end of JSON input'],
      ['no object', '[]', 'Line 1: this is no object.'],
      ['an unknown op', '{"op":"x"}', 'Line 1: op is none of create, replace, change, remove.'],
      [
        'an unknown kind',
        '{"op":"remove","kind":"x"}',
        'Line 1: kind is none of zines, agents, repositories, holdings.',
      ],
      ['no id', '{"op":"remove","kind":"zines"}', 'Line 1: id is missing.'],
      [
        'two identifiers',
        '{"op":"create","kind":"zines","id":"a","body":{"zine_id":"b"}}',
        'Line 1: id is not the zine_id of the body.',
      ],
    ]
    for (const [what, raw, detail] of cases)
      it(`with ${what} is answered 400, naming the line`, async () => {
        const answer = await service().ask('POST', '/api/batches/', { raw, headers: ndjson })
        expect(answer.status).to.equal(400)
        expect(answer.body).to.deep.equal({ detail })
      })

    it('with more than 10,000 lines is answered 400', async () => {
      const raw = '{}\n'.repeat(10_001)
      const answer = await service().ask('POST', '/api/batches/', { raw, headers: ndjson })
      expect(answer.status).to.equal(400)
      expect(answer.body.detail).to.equal('A batch may have 10000 lines at most.')
    })

    it('without a line is answered 400', async () => {
      for (const raw of ['', '\n\n', '  '])
        for (const mode of ['all', 'each']) {
          const ask = { raw, headers: ndjson }
          const { status, body } = await service().ask('POST', `/api/batches/?mode=${mode}`, ask)
          expect([status, body]).to.deep.equal([400, { detail: 'A batch has one line at least.' }])
        }
    })

    it('of more than 16 MiB is answered 413, and a smaller one than that is read', async () => {
      const blank = (length: number) => ({ raw: ' '.repeat(length), headers: ndjson })
      const limit = 16 * 1024 * 1024
      expect((await service().ask('POST', '/api/batches/', blank(limit))).status).to.equal(400)
      expect((await service().ask('POST', '/api/batches/', blank(limit + 1))).status).to.equal(413)
    })

    it('of another type is answered 415', async () => {
      const headers = { 'content-type': 'text/csv' }
      const answer = await service().ask('POST', '/api/batches/', { raw: 'x', headers })
      expect(answer.status).to.equal(415)
    })

    for (const query of ['?mode=some', '?dry_run=perhaps'])
      it(`with ${query} is answered 400`, async () => {
        expect((await send([], query)).status).to.equal(400)
      })
  })

  describe('rights:', () => {
    it('nobody gets 401 and a viewer 403, for writing, reading and undoing', async () => {
      const { id } = (await send([create(unique('batched'))])).body
      const { viewer } = service().tokens
      for (const [token, status] of [
        [null, 401],
        [viewer, 403],
      ] as const) {
        expect((await send([], '', { token })).status).to.equal(status)
        expect((await service().get('/api/batches/', tokenOf(token))).status).to.equal(status)
        expect((await service().get(`/api/batches/${id}/`, tokenOf(token))).status).to.equal(status)
        expect((await undo(id, { token })).status).to.equal(status)
      }
    })

    it('a line of a kind that the account may not write is answered 403', async () => {
      const [zine, maker] = [unique('batched'), unique('maker')]
      const answer = await send(
        [create(zine), { op: 'create', kind: 'agents', body: minimal.agents(maker) }],
        '?mode=each',
        { token: service().tokens.zinesEditor },
      )
      expect(statuses(answer)).to.deep.equal([201, 403])
    })

    it('undoing needs the right to write each kind in the batch', async () => {
      const body = minimal.agents(unique('maker'))
      const { id } = (await send([{ op: 'create', kind: 'agents', body }])).body
      expect((await undo(id, { token: service().tokens.zinesEditor })).status).to.equal(403)
    })

    it('what is private of an agent is in no answer', async () => {
      const maker = unique('maker')
      const body = minimal.agents(maker, { public: false, legal_name: 'Nobody May Know' })
      const answer = await send([{ op: 'create', kind: 'agents', body }])
      expect(answer.status, answer.text).to.equal(200)
      expect(answer.text).not.to.include('Nobody May Know')
    })
  })

  describe('an edit of many records', () => {
    const subjects = async (id: string): Promise<string[]> =>
      (await service().get(recordPath('zines', id))).body.subject.map(({ code }: any) => code)

    it('changes all that the query of a list finds', async () => {
      const word = unique('editable')
      const ids = [await given.zine({ title: word }), await given.zine({ title: word })].map(
        ({ zine_id: id }) => id,
      )
      const { zine_id: other } = await given.zine()
      const before = await subjects(other)
      const answer = await edit({
        kind: 'zines',
        query: `search=${word}`,
        edit: { subject: { set: ['punk'] }, abstract: { set: 'Edited.' } },
      })
      expect(answer.status, answer.text).to.equal(200)
      expect(answer.body.results.map(({ id }: any) => id)).to.have.members(ids)
      for (const id of ids) expect(await subjects(id)).to.deep.equal(['punk'])
      expect(await subjects(other)).to.deep.equal(before)
    })

    it('adds, removes and replaces values of a list, and leaves the others in place', async () => {
      const { zine_id: id } = await given.zine({ subject: ['punk', 'feminism', 'food'] })
      await edit({
        kind: 'zines',
        ids: [id],
        edit: { subject: { remove: ['punk'], replace: { feminism: 'music' }, add: ['travel'] } },
      })
      expect(await subjects(id)).to.deep.equal(['music', 'food', 'travel'])
    })

    it('clears a text', async () => {
      const { zine_id: id } = await given.zine({ abstract: 'x' })
      await edit({ kind: 'zines', ids: [id], edit: { abstract: { clear: true } } })
      expect((await service().get(recordPath('zines', id))).body.abstract).to.equal('')
    })

    it('writes no record that is already as it should be', async () => {
      const { zine_id: id, updated_at: before } = await given.zine({ abstract: 'x' })
      const answer = await edit({
        kind: 'zines',
        ids: [id],
        edit: { abstract: { set: 'x' } },
      })
      expect(answer.body.id).to.equal(null)
      expect(statuses(answer)).to.deep.equal([200])
      const { updated_at: after } = (await service().get(recordPath('zines', id))).body
      expect(after).to.equal(before)
    })

    it('of a record that does not exist is answered 404', async () => {
      const answer = await edit(
        { kind: 'zines', ids: [unique('absent')], edit: { abstract: { set: 'x' } } },
        '?mode=each',
      )
      expect(statuses(answer)).to.deep.equal([404])
    })

    const invalid: readonly (readonly [string, object, string])[] = [
      ['an unknown kind', { kind: 'x' }, 'kind'],
      ['neither query nor ids', { kind: 'zines', edit: { abstract: { set: '' } } }, 'query'],
      ['no edit', { kind: 'zines', ids: ['x'] }, 'edit'],
      ['an unknown field', { kind: 'zines', ids: ['x'], edit: { x: { set: '' } } }, 'edit'],
      ['the identifier', { kind: 'zines', ids: ['x'], edit: { zine_id: { set: '' } } }, 'edit'],
      ['add for a text', { kind: 'zines', ids: ['x'], edit: { title: { add: ['x'] } } }, 'edit'],
      ['no records', { kind: 'zines', ids: [], edit: { abstract: { set: 'x' } } }, 'ids'],
    ]
    for (const [what, body, member] of invalid)
      it(`with ${what} is answered 400`, async () => {
        const answer = await edit(body)
        expect(answer.status).to.equal(400)
        expect(answer.body).to.have.property(member)
      })

    it('with a parameter that is no filter is answered 400, as all records would be meant', async () => {
      const answer = await edit({
        kind: 'zines',
        query: 'subjekt=punk',
        edit: { abstract: { set: '' } },
      })
      expect(answer.status).to.equal(400)
      expect(answer.body.detail).to.equal('Unknown parameters in the query: subjekt.')
    })
  })

  describe('a batch that was written', () => {
    it('is in the list, the newest first, with who wrote it and how much', async () => {
      await send([create(unique('batched'))])
      const { zine_id: id } = await given.zine()
      const { editor } = service().tokens
      const written = await send([create(unique('z')), remove(id)], '', { token: editor })
      const { body } = await service().get('/api/batches/?page_size=1', tokenOf(editor))
      expect(body.count).to.be.greaterThan(1)
      expect(body.next).to.include('page=2')
      expect(body.results[0]).to.include({
        id: written.body.id,
        account: 'editor',
        how: 'batch',
        mode: 'all',
        count: 2,
        undone_by: null,
      })
      expect(body.results[0].kinds).to.deep.equal({ zines: { created: 1, deleted: 1 } })
      const one = await service().get(`/api/batches/${written.body.id}/`, tokenOf(editor))
      expect(one.body).to.deep.equal(body.results[0])
    })

    it('that does not exist is answered 404', async () => {
      const { editor } = service().tokens
      expect((await service().get('/api/batches/none/', tokenOf(editor))).status).to.equal(404)
      expect((await undo('none')).status).to.equal(404)
    })

    it('is undone as a batch, which can be undone in turn', async () => {
      const [made, { zine_id: kept }] = [unique('batched'), await given.zine({ title: 'Before' })]
      const { zine_id: gone } = await given.zine()
      const { id } = (await send([create(made), change(kept, { title: 'After' }), remove(gone)]))
        .body
      const undone = await undo(id)
      expect(undone.status, undone.text).to.equal(200)
      expect(undone.body).to.include({ how: 'undo', undoes: id, count: 3 })
      expect([await exists(made), await title(kept), await exists(gone)]).to.deep.equal([
        false,
        'Before',
        true,
      ])
      const { body } = await service().get(`/api/batches/${id}/`, tokenOf(service().tokens.admin))
      expect(body.undone_by).to.equal(undone.body.id)
      expect((await undo(id)).status).to.equal(409)
      expect((await undo(undone.body.id)).status).to.equal(200)
      expect(await title(kept)).to.equal('After')
      expect((await undo(id)).status).to.equal(200)
    })

    it('is not undone where a record was changed since, and the answer names the fields', async () => {
      const [{ zine_id: id }, { zine_id: other }] = [await given.zine(), await given.zine()]
      const batch = await send([change(id, { title: 'After' }), change(other, { title: 'After' })])
      await service().patch(recordPath('zines', id), { title: 'Later' })
      const answer = await undo(batch.body.id)
      expect(answer.status).to.equal(409)
      expect(answer.body.records).to.deep.equal([
        { kind: 'zines', id, fields: ['title'], dependents: [] },
      ])
      expect(await title(other)).to.equal('After')
    })

    it('keeps what was changed since in other fields when it is undone', async () => {
      const { zine_id: id } = await given.zine({ title: 'Before' })
      const batch = await send([change(id, { title: 'After' })])
      await service().patch(recordPath('zines', id), { abstract: 'Later' })
      expect((await undo(batch.body.id)).status).to.equal(200)
      const { body } = await service().get(recordPath('zines', id))
      expect(body).to.include({ title: 'Before', abstract: 'Later' })
    })

    it('publishes nothing when it is undone, unless that is asked for', async () => {
      const { agent_id: id } = await given.agent({ public: true })
      const hide = async (): Promise<string> => {
        const body = { public: false, biography: unique('hidden') }
        return (await send([{ op: 'change', kind: 'agents', id, body }])).body.id
      }
      await undo(await hide())
      const isPublic = async (): Promise<unknown> =>
        (await service().get(recordPath('agents', id))).body.public
      expect(await isPublic()).to.equal(false)
      await service().patch(recordPath('agents', id), { public: true })
      await undo(await hide(), { body: { private: true } })
      expect(await isPublic()).to.equal(true)
    })
  })

  it('a batch of a thousand lines is written as one, and lists have all of it or nothing', async function () {
    // Lists that a SPARQL engine answers may see a part of a commit
    // (docs/explanation/remote-store.md).
    if (process.env.TEST_STORE) this.skip()
    const word = unique('many')
    const lines = Array.from({ length: 1000 }, () => create(unique('batched'), { title: word }))
    const counts = new Set<number>()
    const progress = { isDone: false }
    const written = send(lines).finally(() => (progress.isDone = true))
    while (!progress.isDone) {
      const list = await service().get(`${listPath('zines')}?search=${word}&page_size=1`)
      counts.add(list.body.count)
    }
    expect((await written).status).to.equal(200)
    const { body } = await service().get(`${listPath('zines')}?search=${word}&page_size=1`)
    counts.add(body.count)
    expect([...counts]).to.have.members([0, 1000])
  })
})

const tokenOf = (token: string | null): Ask => ({ token })
