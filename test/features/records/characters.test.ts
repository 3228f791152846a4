// Tests which characters text values keep, which are trimmed or normalised, and which are refused.

import { expect } from 'chai'

import { agent, repository } from '../../examples.js'
import {
  listPath,
  recordPath,
  resourceOf,
  resources,
  unique,
  useCatalogue,
} from '../../http/catalogue.js'
import { processorTime } from '../../waiting.js'

const KEPT_TEXTS = [
  'Łódź, Ñandú & “Ænima” — ﬁn',
  '雑誌 zines 잡지',
  'فانزين مرحبا',
  '🦄 🏳️‍🌈 👩🏽‍🎨',
  `' '' ''' " "" """ \``,
  'back\\slash \\n \\u0041 \\',
  '<script>alert("x")</script> &amp; &#65;',
  '<http://example.org/> _:b0 "x"@en ^^<y> . # comment',
  '} ; DROP ALL ; {',
  '?s ?p ?o . $x',
  '%41 %zz %',
  '{{7*7}} ${7*7} #{7*7}',
  '=1+1',
  'a\u00a0b',
  'a\u200bb',
  'a\u202eb',
  'a\u2028b\u2029c',
  'a\ufeffb',
  'a\ufffeb',
  'null',
  'true',
  '1e3',
  'a  b',
  '\u{10ffff}',
]

describe('characters:', () => {
  const { service, given } = useCatalogue()

  for (const { name, idField, textField, minimal } of resources)
    for (const value of KEPT_TEXTS)
      it(`a text of ${name} keeps ${JSON.stringify(value)} unchanged`, async () => {
        const id = unique(idField)
        await service().post(listPath(name), minimal(id, { [textField]: value }))
        expect((await service().get(recordPath(name, id))).body[textField]).to.equal(value)
      })

  for (const value of KEPT_TEXTS)
    it(`elements of an array keep ${JSON.stringify(value)} unchanged`, async () => {
      const { holding_id } = await given.holding({ notes: [value, 'x', value] })
      const { body } = await service().get(recordPath('holdings', holding_id))
      expect(body.notes).to.deep.equal([value, 'x', value])
    })

  for (const text of ['a\nb', 'a\r\nb', 'a\n\n\nb', 'a\tb'])
    it(`table_of_contents keeps ${JSON.stringify(text)} unchanged`, async () => {
      const { zine_id } = await given.zine({ table_of_contents: text })
      const { body } = await service().get(recordPath('zines', zine_id))
      expect(body.table_of_contents).to.equal(text)
    })

  for (const [sent, stored] of [
    ['  spaces  ', 'spaces'],
    ['\ttabs\t', 'tabs'],
    ['\n\nlines\r\n', 'lines'],
    ['\u00a0\u3000wide\u2003', 'wide'],
    ['\u0085 \u001fas Python\u001c\n\u0085', 'as Python'],
    ['  in  the middle  ', 'in  the middle'],
  ] as const) {
    it(`a text sent as ${JSON.stringify(sent)} is stored as ${JSON.stringify(stored)}`, async () => {
      expect((await given.zine({ title: sent })).title).to.equal(stored)
    })

    it(`an element sent as ${JSON.stringify(sent)} is stored as ${JSON.stringify(stored)}`, async () => {
      expect((await given.zine({ date: ['1994', sent] })).date).to.deep.equal(['1994', stored])
    })
  }

  it('an optional text of white space is stored as empty', async () => {
    expect((await given.zine({ abstract: ' \n ' })).abstract).to.equal('')
  })

  it('white space around an identifier is removed', async () => {
    const id = unique('zine')
    const { zine_id } = await given.zine({ zine_id: `  ${id}\n` })
    expect(zine_id).to.equal(id)
  })

  it('white space around a reference and a code is removed', async () => {
    const made = await given.zine({ creator: [' maker '], subject: ['\tpunk'], language: ['en '] })
    expect([made.creator[0].agent_id, made.subject[0].code, made.language[0]]).to.deep.equal([
      'maker',
      'punk',
      'en',
    ])
  })

  it('an integer is taken up to 2^53, and no further', async () => {
    for (const [sent, status] of [
      ['9007199254740992', 201],
      ['"-9007199254740992"', 400],
      ['9007199254740993', 400],
      ['9007199254740993.0', 400],
    ] as const) {
      const raw = JSON.stringify(repository(unique('library'), { holdings_count: 0 })).replace(
        '"holdings_count":0',
        `"holdings_count":${sent}`,
      )
      const answer = await service().ask('POST', '/api/repositories/', { raw })
      expect(answer.status, answer.text).to.equal(status)
      if (status === 201) expect(answer.body.holdings_count).to.equal(2 ** 53)
    }
  })

  it('a list that is sent as 1.0 is a float', async () => {
    const raw = JSON.stringify(agent(unique('agent'), { pronouns: 0 })).replace(
      '"pronouns":0',
      '"pronouns":1.0',
    )
    const { status, body } = await service().ask('POST', '/api/agents/', { raw })
    expect(status).to.equal(400)
    expect(body.pronouns).to.deep.equal(['Expected a list of items but got type "float".'])
  })

  it('a text is stored in Normalization Form C', async () => {
    expect((await given.zine({ title: 'Cafe\u0301 A\u030a' })).title).to.equal('Café Å')
  })

  it('an element is stored in Normalization Form C', async () => {
    expect((await given.zine({ source: ['Cafe\u0301'] })).source).to.deep.equal(['Café'])
  })

  it('identifiers that are equal in Normalization Form C are the same identifier', async () => {
    const id = unique('cafe\u0301')
    await given.agent({ agent_id: id })
    const again = await service().post('/api/agents/', {
      ...resourceOf('agents').minimal(id.normalize('NFC')),
    })
    expect(again.body).to.deep.equal({ agent_id: ['Agent with this agent_id already exists.'] })
  })

  it('a reference finds the identifier that is equal in Normalization Form C', async () => {
    const id = unique('cafe\u0301')
    await given.agent({ agent_id: id.normalize('NFC') })
    const { creator } = await given.zine({ creator: [id] })
    expect(creator[0].agent_id).to.equal(id.normalize('NFC'))
  })

  for (const [description, bad] of [
    ['NUL', 'a\u0000b'],
    ['a lone high surrogate', 'a\ud800b'],
    ['a lone low surrogate', 'a\udc00b'],
    ['surrogates in the wrong order', '\udc00\ud800'],
  ] as const)
    for (const { name, idField, textField, minimal } of resources) {
      it(`a POST with ${description} in a text of ${name} answers 400`, async () => {
        const answer = await service().post(
          listPath(name),
          minimal(unique(idField), { [textField]: bad }),
        )
        expect(answer.status, answer.text).to.equal(400)
        expect(answer.body).to.be.an('object')
      })

      it(`a POST with ${description} in an identifier of ${name} answers 400`, async () => {
        const answer = await service().post(listPath(name), minimal(bad))
        expect(answer.status, answer.text).to.equal(400)
        expect(answer.body).to.be.an('object')
      })
    }

  for (const bad of ['a\u0000b', 'a\ud800b'])
    for (const field of ['date', 'creator', 'subject', 'publisher', 'rights'])
      it(`a POST with ${JSON.stringify(bad)} in an element of ${field} answers 400`, async () => {
        const sent = resourceOf('zines').minimal(unique('zine'), { [field]: [bad] })
        const answer = await service().post('/api/zines/', sent)
        expect(answer.status, answer.text).to.equal(400)
      })

  it('64 combining marks in a row are stored, and 65 answer 400', async () => {
    const post = (marks: number) =>
      service().post(
        '/api/zines/',
        resourceOf('zines').minimal(unique('zine'), { abstract: `a${'\u0316'.repeat(marks)}` }),
      )
    expect((await post(64)).status).to.equal(201)
    expect((await post(65)).status).to.equal(400)
  })

  // Normalising half a million combining marks took a minute and a half, and blocked all other
  // requests. It needed no account: the text could be the user name in a request for a token.
  it('a text of 400,000 combining marks answers 400 after five seconds of work at most', async () => {
    const marks = `a${'\u0301\u0327'.repeat(200_000)}`
    const zine = resourceOf('zines').minimal(unique('zine'), { abstract: marks })
    const login = { username: marks, password: 'x' }
    const started = processorTime()
    expect((await service().post('/api/zines/', zine)).status).to.equal(400)
    expect((await service().post('/api/auth/token/', login, { token: null })).status).to.equal(400)
    expect(processorTime() - started).to.be.lessThan(5_000)
  })
})
