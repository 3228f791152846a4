// Names of a source: which agents they may be, which are one, what they say of themselves.

import { expect } from 'chai'

import { createNameMatcher, groupNames } from '../../../src/features/imports/matching/names.js'
import {
  contactIn,
  guessKind,
  isUnknownName,
  isVariousName,
  naturalOrder,
  splitName,
} from '../../../src/lib/names/name-forms.js'
import { relatorField } from '../../../src/features/imports/matching/relators.js'
import { processorTime } from '../../waiting.js'

const agent = (id: string, ...names: string[]) => ({ id, kind: 'Person', names })

/** The identifiers of the similar agents, for a catalogue with these names. */
async function similarTo(name: string, ...names: string[]): Promise<string[]> {
  const matcher = await createNameMatcher(names.map((one) => agent(one, one)))
  return matcher.match(name).similar.map(({ id }) => id)
}

describe('names of a source', () => {
  describe('are found as agents of the catalogue', () => {
    const same: readonly (readonly [string, string])[] = [
      ['Wang, Jackie', 'Jackie Wang'],
      ['Wang, Jackie, 1988-', 'Jackie Wang'],
      ['Wang, Jackie, 1988-2020.', 'Jackie Wang'],
      ['wang, jackie.', 'Jackie Wang'],
      ['[Wang, Jackie]', 'Jackie Wang'],
      ['Wang, Jackie, author', 'Jackie Wang'],
      ['JACKIE WANG', 'Jackie Wang'],
      ['Noémi Martínez', 'Noemi Martinez'],
      ['O’Connor, Leanne', "LeAnne O'Connor"],
      ['G.B. Jones', 'G. B. Jones'],
      ['Jones, GB', 'G. B. Jones'],
      ['Le Jeunesse, Stefanie', 'Stefanie Le Jeunesse'],
      ['Garcia Marquez, Gabriel', 'Gabriel Garcia Marquez'],
      ['Press, Bread & Puppet', 'Bread and Puppet Press'],
      ['King, Martin Luther, Jr.', 'Martin Luther King Jr'],
      ['Editor: Aizura Hankin', 'Aizura Hankin'],
      ['Alana Kumbier (editor)', 'Alana Kumbier'],
      ['Sellie, Alycia, Ed.', 'Alycia Sellie'],
      ['Gillian Beck?', 'Gillian Beck'],
      ['Søren Øre', 'Soren Ore'],
      ['Quill, Rowan, Ph.D.', 'Rowan Quill, Ph.D.'],
      ['Rowan Q[uill]', 'Rowan Quill'],
      ['Rowan Quill [editor]', 'Rowan Quill'],
      ['Rowan Quill [et al.]', 'Rowan Quill'],
      ['Rowan Quill, and others', 'Rowan Quill'],
      ['Smith, S. A.', 'S. A. Smith'],
    ]
    for (const [written, known] of same)
      it(`${written} as ${known}`, async () => {
        const matcher = await createNameMatcher([agent('one', known), agent('two', 'Someone Else')])
        expect(matcher.match(written).exact).to.deep.equal(['one'])
      })

    it('by every public name, and all agents of one name', async () => {
      const matcher = await createNameMatcher([
        agent('one', 'Jackie Wang', 'JW', 'Wang, Jackie'),
        agent('two', 'Jackie  Wang'),
      ])
      expect(matcher.match('J.W.').exact).to.deep.equal(['one'])
      expect(matcher.match('Wang, Jackie').exact).to.deep.equal(['one', 'two'])
    })

    it('and not where only a part is the same', async () => {
      const matcher = await createNameMatcher([agent('one', 'Jackie Wang')])
      for (const other of ['Jackie', 'Wang', 'Jackie Wong Press', 'Wang Jackie'])
        expect(matcher.match(other).exact).to.deep.equal([])
    })
  })

  describe('are like agents', () => {
    const similar: readonly (readonly [string, string, string])[] = [
      ['Alek Wrekk', 'Alex Wrekk', 'with another letter'],
      ['Jakcie Wang', 'Jackie Wang', 'with letters swapped'],
      ['Jacky Wong', 'Jacki Wang', 'with a letter in each name'],
      ['Crimethic', 'Crimethinc', 'of one word'],
      ['J. Wang', 'Jackie Wang', 'with an initial'],
      ['Jordan F', 'Jordan Ferris', 'with the initial of the last name'],
      ['Davida Breier', 'Davida Gypsy Breier', 'without a middle name'],
      ['Michael D. Toft', 'Michael Toft', 'with a middle initial'],
      ['Eric (the Red) Meisberger', 'Eric Meisberger', 'with a nickname'],
      ['Mara Schnookums', 'Mara Williams (Mara Schnookums)', 'by the name in parentheses'],
      ['Wang Jackie', 'Jackie Wang', 'in another order'],
      ['Feminist Union', 'The Feminist Union', 'without the article'],
      ['Cherry Bomb', 'Cherrybomb', 'with a space'],
    ]
    for (const [written, known, how] of similar)
      it(`${how}: ${written}, ${known}`, async () => {
        expect(await similarTo(written, known, 'Someone Else')).to.deep.equal([known])
      })

    const different: readonly (readonly [string, string])[] = [
      ['Dave', 'Dana'],
      ['Alex Smith', 'Al Smith Jones'],
      ['Sarah Smith', 'Simon Smith'],
      ['Queeruption 9', 'Queeruption 8'],
      ['Aorta Collective', 'A Collective'],
      ['Jackie Marie Wang', 'Jackie Ann Wang'],
    ]
    for (const [one, other] of different)
      it(`but ${one} is not like ${other}`, async () => {
        expect(await similarTo(one, other)).to.deep.equal([])
      })

    it('of which five are named, the most similar first', async () => {
      const names = [
        'Jackie Wan',
        'J Wang',
        'Jackie Q Wang',
        'Jackie Wnag',
        'Jacki Wang',
        'J. Wang',
      ]
      const found = await similarTo('Jackie Wang', ...names)
      expect(found).to.have.length(5)
      expect(found.slice(-1)[0]).to.be.oneOf(['J Wang', 'J. Wang'])
    })
  })

  describe('are parted', () => {
    const parted: readonly (readonly [string, readonly string[], boolean])[] = [
      ['Becca Sorgert and Jane Sandberg', ['Becca Sorgert', 'Jane Sandberg'], true],
      ['Jami / Shaun', ['Jami', 'Shaun'], true],
      ['Kisha &amp; Dave', ['Kisha', 'Dave'], true],
      ['Bruce LaBruce + G.B. Jones', ['Bruce LaBruce', 'G.B. Jones'], true],
      ['Wang, Jackie; Crabb, Cindy', ['Jackie Wang', 'Cindy Crabb'], true],
      ['Wang, Jackie and Crabb, Cindy', ['Jackie Wang', 'Cindy Crabb'], true],
      ['Caro, Zee, and Eliot Fiend', ['Caro', 'Zee', 'Eliot Fiend'], true],
      ['Sasha, Tara, Emelye', ['Sasha', 'Tara', 'Emelye'], true],
      ['Milo Miller, Chris Wilde, et al.', ['Milo Miller', 'Chris Wilde'], false],
      ['Jami/Alex', ['Jami', 'Alex'], false],
      ['Tony le Tigre, Charlie Vazquez', ['Tony le Tigre', 'Charlie Vazquez'], false],
      ['Doug & Michelle Daugherty', ['Doug', 'Michelle Daugherty'], false],
      ['Microcosm Publishing and Doris Press', ['Microcosm Publishing', 'Doris Press'], false],
      ['Rowan Quill and the Toner Club', ['Rowan Quill', 'the Toner Club'], false],
      ['Ash Tern, MLS and Bee Sallow, Ph.D.', ['Ash Tern, MLS', 'Bee Sallow, Ph.D.'], true],
    ]
    for (const [written, names, isSure] of parted)
      it(`${isSure ? 'for sure' : 'perhaps'}: ${written}`, () => {
        expect(splitName(written)).to.deep.equal({ names, isSure })
      })

    const whole = [
      'Wang, Jackie',
      'Jackie Wang',
      'Amy M Ahlstrom, Esq.',
      'Theresa Soto, I.',
      'Rock and Roll Girls Camp',
      "Mary and Geoff's Press",
      'Bread & Puppet Press',
      'Think and Die Thinking Collective',
      'Labor Committee for Safe Energy and Full Employment',
      'Curtis Jensen, et al.',
      'Mary and the Mountains Collective',
      'Rowan Quill, MLS',
      'Printed Matter, Inc.',
      'Sandy Anderson',
      'n/a',
    ]
    for (const name of whole)
      it(`not: ${name}`, () => {
        expect(splitName(name)).to.equal(undefined)
      })
  })

  it('say which kind of agent they likely are, and why', () => {
    const kinds = [
      'Jackie Wang',
      'Doris Press',
      'Q8 Collective',
      'Barnard Zine Library',
      'Icarus Project',
      'The Urban Hermit',
      'Press',
      'Collective, Seattle DIY',
    ].map((name) => [guessKind(naturalOrder(name)).kind, guessKind(naturalOrder(name)).reason])
    expect(kinds).to.deep.equal([
      ['Person', undefined],
      ['Organization', 'the word “Press”'],
      ['Collective', 'the word “Collective”'],
      ['Organization', 'the word “Library”'],
      ['Collective', 'the word “Project”'],
      ['Collective', 'the name begins with “The”'],
      ['Person', undefined],
      ['Collective', 'the word “Collective”'],
    ])
  })

  for (const name of [
    'Printed Matter, Inc.',
    'Acme, LLC',
    'Motto, GmbH',
    'Nieves Books, Ltd.',
    'Nieves Verlag, GmbH & Co. KG',
    'Wet Ink Press, S.A.',
  ])
    it(`that are of companies stay as they are: ${name}`, () => {
      expect([naturalOrder(name), guessKind(name).kind]).to.deep.equal([name, 'Organization'])
    })

  it('keeps the mark of a letter that is lost, which a person has to see', () => {
    expect(naturalOrder('Roub\uFFFDaud, J.')).to.equal('J. Roub\uFFFDaud')
    expect(naturalOrder('Roubaud,\uFFFDJ. \uFFFD')).to.equal('J. Roubaud')
  })

  it('of families are those of groups', () => {
    expect([naturalOrder('Tern family.'), guessKind('Tern family').kind]).to.deep.equal([
      'Tern family',
      'Collective',
    ])
  })

  const contacts: readonly (readonly [string, string | undefined])[] = [
    ['rowan@zines.example', 'email'],
    ['Rowan Quill <r.quill@zines.example>', 'email'],
    ['Rowan (412) 555-0199', 'phone'],
    ['+44 20 7946 0958', 'phone'],
    ['@rowan', undefined],
    ['Quill, Rowan, 1970-2004', undefined],
    ['Queers of 1970-1980', undefined],
    ['Agent 51 of 2004', undefined],
  ]
  for (const [name, contact] of contacts)
    it(`have ${contact ?? 'nothing that reaches anybody'}: ${name}`, () => {
      expect(contactIn(name)).to.equal(contact)
    })

  for (const name of [
    'Unknown',
    'anon.',
    'Self published',
    'self-published',
    'The author',
    'Selbstverlag',
    'anónimo',
    'auteur inconnu',
    'Anonymous',
    'n/a',
    'N/A',
    '?',
    '???',
    '[creator unknown]',
    's.n.',
  ])
    it(`tell that nobody is known: ${name}`, () => {
      expect(isUnknownName(name)).to.equal(true)
    })

  for (const name of [
    'Anonymous Boy',
    'Na',
    'Anon Y. Mouse',
    'Unknown Pleasures Press',
    'Sn',
    'Self Esteem',
    'The Author of Doris',
  ])
    it(`tell somebody: ${name}`, () => {
      expect(isUnknownName(name)).to.equal(false)
    })

  it('tell that many are meant', () => {
    const many = [
      'Various',
      'various authors',
      'Various Artists',
      'V.A.',
      'V/A',
      'AA.VV.',
      'Varios autores',
    ]
    expect(many.filter((name) => !isVariousName(name))).to.deep.equal([])
    expect(['Various Crew', 'VA', 'Ava'].filter(isVariousName)).to.deep.equal([])
  })

  it('become identifiers of agents', async () => {
    const matcher = await createNameMatcher([])
    const ids = ['Wang, Jackie', 'Pérez & Söhne', '王小明', '???'].map(
      (name) => matcher.match(name).agentId,
    )
    expect(ids).to.deep.equal(['jackie-wang', 'perez-sohne', '王小明', ''])
  })

  it('are grouped, each group under its most frequent spelling in natural order', async () => {
    const groups = await groupNames([
      { name: 'Wang, Jackie', count: 9 },
      { name: 'Jackie Wang', count: 2 },
      { name: 'jackie wang', count: 3 },
      { name: 'Unknown', count: 4 },
      { name: '???', count: 1 },
      { name: 'Various', count: 2 },
    ])
    expect(groups.map(({ displayName, count }) => [displayName, count])).to.deep.equal([
      ['jackie wang', 14],
      ['Unknown', 5],
      ['Various', 2],
    ])
    expect(groups[0]?.spellings.map(({ name }) => name)).to.deep.equal([
      'Wang, Jackie',
      'jackie wang',
      'Jackie Wang',
    ])
    expect(groups.map(({ isUnknown, isVarious }) => [isUnknown, isVarious])).to.deep.equal([
      [false, false],
      [true, false],
      [false, true],
    ])
  })

  it('are several groups where people of one name were born in different years', async () => {
    const groups = await groupNames(
      [
        'Smith, J., 1950-',
        'Smith, J., 1980-',
        'J. Smith',
        'Wang, Jackie, 1988-',
        'Jackie Wang',
      ].map((name) => ({ name, count: 1 })),
    )
    const found = groups.map(({ spellings, apartBy, isAmbiguous }) => [
      spellings.map(({ name }) => name).join(' | '),
      apartBy,
      isAmbiguous,
    ])
    expect(found).to.have.deep.members([
      ['Jackie Wang | Wang, Jackie, 1988-', undefined, false],
      ['Smith, J., 1950-', '1950', false],
      ['Smith, J., 1980-', '1980', false],
      ['J. Smith', undefined, true],
    ])
  })

  it('of groups are not turned around, in the catalogue and where the source says so', async () => {
    const school = 'Shou du xue yuan (Beijing, China). Zine zhong xin'
    const matcher = await createNameMatcher([
      { id: 'school', kind: 'Organization', names: [school] },
    ])
    const { exact: found, displayName, parts } = matcher.matchDirect(`${school}.`)
    expect([found, displayName, parts]).to.deep.equal([['school'], school, undefined])
  })

  it('of a large source and a large catalogue are matched in seconds', async () => {
    const nameAt = (index: number) =>
      `${syllables(index * 7)} ${syllables(index * 13 + 5)} ${index % 300 === 0 ? 'Smith' : syllables(index)}`
    const agents = Array.from({ length: 50_000 }, (_, index) => agent(`a${index}`, nameAt(index)))
    const start = processorTime()
    const matcher = await createNameMatcher(agents)
    for (let index = 0; index < 20_000; index += 1) matcher.match(nameAt(index).replace('a', 'e'))
    expect(processorTime() - start).to.be.below(20_000)
  })
})

/** A name for a number. */
const syllables = (index: number): string =>
  Array.from(String(index))
    .map((digit) => 'ba,ce,di,fo,gu,ha,je,ki,lo,mu'.split(',')[Number(digit)])
    .join('')

describe('relators', () => {
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['author', 'creator'],
    ['aut', 'creator'],
    ['Zine maker.', 'creator'],
    ['http://id.loc.gov/vocabulary/relators/art', 'creator'],
    ['ill.', 'contributor'],
    ['editor', 'contributor'],
    ['editors', 'contributor'],
    ['edt', 'contributor'],
    ['illustrator, author', 'creator'],
    ['publisher.', 'publisher'],
    ['pbl', 'publisher'],
    ['donor', 'none'],
    ['former owner.', 'none'],
    ['frobnicator', undefined],
    ['', undefined],
  ]
  for (const [relator, field] of fields)
    it(`"${relator}" belongs to ${field ?? 'no known field'}`, () => {
      expect(relatorField(relator)).to.equal(field)
    })
})
