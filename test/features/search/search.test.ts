// Tests ?search= of lists: which fields it looks in, how terms combine, and that no character has a
// special meaning.

import { expect } from 'chai'

import {
  listPath,
  recordPath,
  resourceOf,
  unique,
  useCatalogue,
  type Resource,
} from '../../http/catalogue.js'

const FIELDS: readonly (readonly [Resource['name'], searched: string[], ignored: string[]])[] = [
  [
    'zines',
    ['title', 'abstract', 'table_of_contents'],
    [
      'alternative_title',
      'public_notes',
      'zine_id',
      'number_of_pages',
      'date',
      'place_of_publication',
    ],
  ],
  [
    'agents',
    ['display_name', 'legal_name', 'biography', 'alternative_names'],
    ['agent_id', 'sort_name', 'scope_note', 'location'],
  ],
  [
    'repositories',
    ['repository_name', 'description', 'alternative_names'],
    ['repo_id', 'scope_note', 'city', 'region'],
  ],
]

/** The text of a zine, searches that find it, and searches that do not. */
// prettier-ignore
const TERMS: readonly (readonly [text: string, matching: string[], other: string[]])[] = [
  ['The Quick Brown Fox', ['quick', 'QUICK', 'brown quick', 'quick,fox', ' quick  brown ', 'fox\tquick', 'fox\nquick', ', quick,'], ['quick cat', 'quickbrown', 'quick_brown']],
  ['unbelievable',        ['believ', 'unbelievable', 'ABLE', 'u'],   ['beleiv', 'unbelievables']],
  ['ÉCOLE Ænima ŁÓDŹ',    ['école', 'École', 'ænima', 'łódź', 'ódź'], ['ecole', 'lodz']],
  ['журнал ЖУРНАЛ',       ['журнал', 'ЖУРНАЛ', 'Журн'],               ['журналы']],
  ['雑誌を作る',           ['雑誌', '作る', '誌を作'],                  ['雑作']],
  ['🦄🏳️‍🌈 pride',          ['🦄', 'pride 🦄'],                         ['🦊']],
  ['100% wool',           ['100%', '%', '100% wool'],                 ['100%%', '1%0']],
  ['a_b a-b a.b',         ['a_b', 'a-b', 'a.b', '_'],                 ['a%b', 'a*b', 'axb']],
  ['what? why! (maybe)',  ['what?', '?', '(maybe)', ')', '!'],        ['wha?', '(may)']],
  ['[x] {y} |z| ^ $1',    ['[x]', '{y}', '|z|', '^', '$1', '$'],      ['[xyz]', '^x', 'x$']],
  ['C++ & a*b',           ['c++', '+', '&', 'a*b', '*'],              ['c+++', 'a.*b', 'C.+']],
  [`it's "quoted"`,       [`it's`, `"quoted"`, `'`, `"`, `'s`],       [`"it's"`, `''`]],
  ['back\\slash \\n',     ['\\', 'back\\slash', '\\n'],               ['back/slash', '\\\\s']],
  ['<b>bold</b> ?s a:b #', ['<b>', '</b>', '?s', 'a:b', '#'],         ['<i>', '?o']],
  ['} UNION { ; . ^^',    ['}', '} union', '{', ';', '^^'],           ['}}']],
  ['AND OR NOT near~2',   ['and', 'OR', 'not', 'near~2', 'AND not'],  ['nand', '-and']],
  ['__proto__ constructor', ['__proto__', 'constructor'],             ['prototype']],
]

describe('?search=', () => {
  const { service, given } = useCatalogue()

  const search = async (name: Resource['name'], terms: string) => {
    const path = `${listPath(name)}?page_size=100&search=${encodeURIComponent(terms)}`
    const { status, body } = await service().get(path)
    expect(status).to.equal(200)
    const { idField } = resourceOf(name)
    return body.results.map((record: any) => record[idField])
  }

  for (const [name, searched, ignored] of FIELDS) {
    const resource = resourceOf(name)
    const { idField, full } = resource
    /** A value of the field that contains the word: a text or an array of texts. */
    const valueWith = (field: string, word: string) =>
      Array.isArray(full('any')[field]) ? ['other', `On ${word}s`] : `On ${word}s`

    for (const field of searched)
      it(`of ${name} looks in ${field}`, async () => {
        const word = unique('needle')
        const made = await given.record(resource, { [field]: valueWith(field, word) })
        await given.record(resource)
        expect(await search(name, word)).to.deep.equal([made[idField]])
      })

    for (const field of ignored)
      it(`of ${name} does not look in ${field}`, async () => {
        const word = unique('n')
        await service().post(listPath(name), {
          ...resource.full(unique(idField)),
          [field]: valueWith(field, word),
        })
        expect(await search(name, word)).to.deep.equal([])
      })

    it(`of ${name} finds records that have every term in any of the fields`, async () => {
      const [one, two] = [unique('one'), unique('two')]
      const [first = '', second = ''] = searched
      const both = { [first]: valueWith(first, one), [second]: valueWith(second, two) }
      const made = await given.record(resource, both)
      await given.record(resource, { [first]: valueWith(first, one) })
      await given.record(resource, { [second]: valueWith(second, two) })
      expect(await search(name, `${two} ${one}`)).to.deep.equal([made[idField]])
    })
  }

  it('takes up to 32 different terms, also where one is part of another', async () => {
    const numbers = (count: number) => Array.from({ length: count }, (_, index) => index).join(' ')
    expect(await search('zines', `${numbers(32)} 0`)).to.deep.equal([])
    const { status, body } = await service().get(
      `/api/zines/?search=${encodeURIComponent(numbers(33))}`,
    )
    expect(status).to.equal(400)
    expect(body).to.deep.equal({ search: ['A search takes no more than 32 terms.'] })
  })

  for (const [text, matching, other] of TERMS) {
    const word = unique('term')
    let zine_id = ''

    describe(`of zines with the abstract “${text}”`, () => {
      before(async () => {
        ;({ zine_id } = await given.zine({ title: word, abstract: text }))
        await given.zine({ title: word, abstract: 'Nothing to see' })
      })

      for (const terms of matching)
        it(`finds it by ${JSON.stringify(terms)}`, async () => {
          expect(await search('zines', `${word} ${terms}`)).to.include(zine_id)
        })

      for (const terms of other)
        it(`does not find it by ${JSON.stringify(terms)}`, async () => {
          expect(await search('zines', `${word} ${terms}`)).not.to.include(zine_id)
        })
    })
  }

  it('does not read .* as a pattern', async () => {
    const word = unique('alone')
    const { zine_id } = await given.zine({ title: word, abstract: 'x.*y' })
    await given.zine({ title: word, abstract: 'xzy' })
    expect(await search('zines', `${word} x.*y`)).to.deep.equal([zine_id])
  })

  for (const space of ['+', '%20', '%09', '%0A', ',', '%2C', '%20%20', '%C2%A0', '%E3%80%80'])
    it(`accepts ${space} in a URL as separator of terms`, async () => {
      const [one, two] = [unique('one'), unique('two')]
      await given.zine({ title: `${two} and ${one}` })
      const { body } = await service().get(`/api/zines/?search=${one}${space}${two}`)
      expect(body.count).to.equal(1)
    })

  for (const nothing of ['', '+', '%20', ',', ',+,'])
    it(`with the value “${nothing}” finds all records`, async () => {
      const { body: unfiltered } = await service().get('/api/zines/')
      const { body } = await service().get(`/api/zines/?search=${nothing}`)
      expect(body.count).to.equal(unfiltered.count)
    })

  it('uses the last of several search parameters', async () => {
    const [one, two] = [unique('one'), unique('two')]
    await given.zine({ title: one })
    await given.zine({ title: two })
    const { body } = await service().get(`/api/zines/?search=${one}&search=${two}`)
    expect(body.results.map((zine: any) => zine.title)).to.deep.equal([two])
  })

  it('does not find a term that is split between two fields', async () => {
    const word = unique('border')
    await given.agent({ display_name: `${word}ab`, biography: 'cd' })
    expect(await search('agents', `${word}abcd`)).to.deep.equal([])
  })

  it('does not find a term that is split between two values', async () => {
    const word = unique('border')
    await given.agent({ alternative_names: [`${word}ab`, 'cd'] })
    expect(await search('agents', `${word}abcd`)).to.deep.equal([])
  })

  it('finds a record by its new title after a PATCH', async () => {
    const [from, to] = [unique('from'), unique('to')]
    const { zine_id } = await given.zine({ title: from })
    const before = [await search('zines', from), await search('zines', to)]
    await service().patch(recordPath('zines', zine_id), { title: to })
    expect([before, [await search('zines', from), await search('zines', to)]]).to.deep.equal([
      [[zine_id], []],
      [[], [zine_id]],
    ])
  })

  it('does not find a record after a DELETE', async () => {
    const word = unique('gone')
    const { zine_id } = await given.zine({ title: word })
    await search('zines', word)
    await service().delete(recordPath('zines', zine_id))
    expect(await search('zines', word)).to.deep.equal([])
  })

  for (const [description, value] of [
    ['5,000 characters', 'x'.repeat(5000)],
    ['500 terms', 'x '.repeat(500)],
    ['NUL', 'a%00b'],
    ['bytes that are not UTF-8', '%FF%FE'],
    ['a broken escape', '%zz'],
  ] as const)
    it(`with ${description} answers 200, 400 or 414`, async () => {
      const query = value.includes('%') ? value : encodeURIComponent(value)
      const { status } = await service().get(`/api/zines/?search=${query}`)
      expect(status).to.be.oneOf([200, 400, 414])
    })

  it('is ignored for holdings', async () => {
    const { zine_id } = await given.zine()
    await given.holding({ zine_id, location: 'Room 2' })
    const { body } = await service().get(`/api/holdings/?zine_id=${zine_id}&search=nothing`)
    expect(body.count).to.equal(1)
  })
})
