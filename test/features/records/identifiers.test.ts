// Tests the identifiers of records (docs/reference/records.md, "Identifiers"): which are accepted,
// that each leads to its own record, and that none can be changed.

import { expect } from 'chai'

import { listPath, recordPath, resources, unique, useCatalogue } from '../../http/catalogue.js'

const UNUSUAL_IDS = [
  'two words',
  'a/b',
  '/',
  '//',
  'a/../b',
  './a',
  'a/',
  '...',
  '..a',
  '.hidden',
  '%',
  '50%',
  '%2F',
  'a%2Fb',
  '%zz',
  '+',
  'a+b',
  '#',
  'no. #1',
  'what?',
  'a&b=c',
  'a;b',
  'a:b',
  'http://example.org/a?b#c',
  `it's`,
  '"quoted"',
  '\\',
  'back\\slash',
  '`',
  '<b>bold</b>',
  '> <http://example.org/x',
  '{x}',
  '[1]',
  '|',
  '^',
  '~',
  '$1',
  '*',
  'naïve',
  'Łódź',
  '雑誌',
  'فانزين',
  '🦄🏳️‍🌈',
  'no\u00a0break',
  '\u200bzero',
  '\ufffd',
  '\u{10ffff}',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  '0',
  '-1',
  'x.json',
  'x.ttl',
]

describe('identifiers:', () => {
  const { service, given } = useCatalogue()

  for (const [number, resource] of resources.entries()) {
    const { name, idField, textField, minimal } = resource
    const list = listPath(name)
    // What is done with an identifier is the same for each resource.
    const unusualIds = UNUSUAL_IDS.filter((_, index) => index % resources.length === number)

    describe(`${name}:`, () => {
      for (const id of unusualIds)
        it(`a record with the identifier ${JSON.stringify(id)} can be created, read, changed and deleted`, async () => {
          const created = await service().post(list, minimal(id))
          expect(created.status, created.text).to.equal(201)
          expect(created.body[idField]).to.equal(id)
          expect((await service().get(recordPath(name, id))).body).to.deep.equal(created.body)
          const changed = await service().patch(recordPath(name, id), { [textField]: 'Changed.' })
          expect(changed.body[textField], changed.text).to.equal('Changed.')
          expect((await service().delete(recordPath(name, id))).status).to.equal(204)
          expect((await service().get(recordPath(name, id))).status).to.equal(404)
        })

      it('identifiers that differ only in case, encoding or a slash belong to different records', async () => {
        const alike = ['same', 'Same', 'same/', 'same%2F', 'same%252F', 'same ', 'same+']
        const ids = alike.map((id) => `${name}:${id}.`)
        for (const id of ids) await service().post(list, minimal(id, { [textField]: `I am ${id}` }))
        const read = await Promise.all(ids.map((id) => service().get(recordPath(name, id))))
        expect(read.map((answer) => answer.body[textField])).to.deep.equal(
          ids.map((id) => `I am ${id}`),
        )
      })

      // A remote store may accept fewer bytes than the longest of these have.
      for (const character of process.env.TEST_STORE ? ['x'] : ['x', '雑', '🦄'])
        it(`an identifier of 255 characters (${character}) is accepted`, async () => {
          const id = unique(idField).padEnd(30, '.') + character.repeat(225)
          const created = await service().post(list, minimal(id))
          expect(created.status, created.text).to.equal(201)
          expect((await service().get(recordPath(name, id))).body[idField]).to.equal(id)
        })

      it('a POST with an identifier of 256 characters answers 400', async () => {
        const answer = await service().post(list, minimal('🦄'.repeat(256)))
        expect(answer.status).to.equal(400)
        expect(answer.body).to.deep.equal({
          [idField]: ['Ensure this field has no more than 255 characters.'],
        })
      })

      for (const id of ['a\u0000b', 'a\u0001b', 'a\tb', 'a\nb', 'a\u001fb', 'a\u007fb', 'a\u0085b'])
        it(`a POST with the identifier ${escaped(id)} answers 400 “Control characters are not allowed.”`, async () => {
          const answer = await service().post(list, { ...minimal('any'), [idField]: id })
          expect(answer.status).to.equal(400)
          expect(answer.body).to.deep.equal({ [idField]: ['Control characters are not allowed.'] })
        })

      for (const id of ['.', '..'])
        it(`a POST with the identifier ${id} answers 400 “This identifier cannot be used in a URL.”`, async () => {
          const answer = await service().post(list, minimal(id))
          expect(answer.status).to.equal(400)
          expect(answer.body).to.deep.equal({
            [idField]: ['This identifier cannot be used in a URL.'],
          })
        })

      for (const id of ['', ' ', ' \t\n'])
        it(`a POST with the identifier ${JSON.stringify(id)} answers 400 “This field may not be blank.”`, async () => {
          const answer = await service().post(list, minimal(id))
          expect(answer.status).to.equal(400)
          expect(answer.body).to.deep.equal({ [idField]: ['This field may not be blank.'] })
        })

      it('an identifier sent as a number is stored as its text', async () => {
        const created = await service().post(list, { ...minimal('any'), [idField]: 20260101 })
        expect(created.body[idField], created.text).to.equal('20260101')
      })

      for (const method of ['PUT', 'PATCH'])
        it(`a ${method} with another identifier answers 400 “This field may not be changed.”`, async () => {
          const created = await given.record(resource)
          const body = minimal(unique(idField))
          const answer = await service().ask(method, recordPath(name, created[idField]), { body })
          expect(answer.status).to.equal(400)
          expect(answer.body).to.deep.equal({ [idField]: ['This field may not be changed.'] })
        })

      it('a PATCH that repeats the identifier is accepted', async () => {
        const { [idField]: id } = await given.record(resource)
        const answer = await service().patch(recordPath(name, id), {
          [idField]: id,
          [textField]: 'Changed.',
        })
        expect(answer.body[textField], answer.text).to.equal('Changed.')
      })
    })
  }

  it('a path, a filter and a search in Normalization Form D find the record', async () => {
    const typed = 'e\u0301'
    const maker = `${unique('maker')}-${typed}`
    await service().post('/api/agents/', { ...(await given.agent()), agent_id: maker })
    const { zine_id } = await given.zine({ creator: [maker], title: `Caf${typed} ${maker}` })
    const decomposed = encodeURIComponent(maker)
    expect((await service().get(`/api/agents/${decomposed}/`)).status).to.equal(200)
    expect((await service().get(`/id/agents/${decomposed}`)).status).to.equal(303)
    for (const query of [
      `creator=${decomposed}`,
      `search=caf${encodeURIComponent(typed)}+${decomposed}`,
    ]) {
      const { body } = await service().get(`/api/zines/?${query}`)
      expect(
        body.results.map((zine: any) => zine.zine_id),
        query,
      ).to.deep.equal([zine_id])
    }
  })

  it('an unusual identifier can be referred to, shown and filtered by', async () => {
    for (const id of ['__proto__', 'a/b "c" #d?', '> } <x']) {
      const maker = `maker ${id}`
      await service().post('/api/agents/', { ...(await given.agent()), agent_id: maker })
      const { zine_id } = await given.zine({ creator: [maker] })
      const { body } = await service().get(`/api/zines/?creator=${encodeURIComponent(maker)}`)
      expect(
        body.results.map((zine: any) => [zine.zine_id, zine.creator[0].agent_id]),
      ).to.deep.equal([[zine_id, maker]])
    }
  })
})

function escaped(text: string): string {
  return text.replace(
    /[^ -~]/gu,
    (character) => `U+${character.codePointAt(0)?.toString(16) ?? ''}`,
  )
}
