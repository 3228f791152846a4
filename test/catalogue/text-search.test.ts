// Tests that the index of words finds exactly what a naive search of the same records finds, whatever was written in between,
// and how words are folded and searches read.

import { expect } from 'chai'
import fc from 'fast-check'

import { MemoryRecordIndex } from '../../src/catalogue/index/memory-record-index.js'
import { defaultLimits } from '../../src/catalogue/index/resource-index.js'
import { buildListSpec } from '../../src/catalogue/lists.js'
import type { ListSpec } from '../../src/queries/list-queries.js'
import { LabelIndex } from '../../src/catalogue/search/label-index.js'
import { oneStem } from '../../src/lib/text-index/stems.js'
import { textFieldNames } from '../../src/catalogue/search/text-fields.js'
import { WordList } from '../../src/lib/text-index/word-list.js'
import type { ResourceName } from '../../src/model/iris.js'
import { ValidationError } from '../../src/model/record/input.js'
import { wordsOf, tokensOf, stemOf } from '../../src/lib/text-index/text-tokens.js'
import { parseTextQuery } from '../../src/queries/text-query.js'
import { distanceOf } from '../../src/lib/names/spelling.js'
import { writeNQuads } from '../../src/rdf/terms.js'
import { agent, holding, zine } from '../examples.js'
import { iris, model } from './memory-catalogue.js'
import { openModel } from '../model/model.js'

const words = ['ink', 'inks', 'ash', 'raven', 'noon', 'salt']
const sentence = fc.array(fc.constantFrom(...words), { maxLength: 4 }).map((all) => all.join(' '))

type Write =
  | {
      readonly kind: 'zines'
      readonly id: number
      readonly title: string
      readonly abstract: string
      readonly by: number
    }
  | { readonly kind: 'agents'; readonly id: number; readonly name: string }
  | { readonly kind: 'holdings'; readonly id: number; readonly of: number; readonly shelf: string }
  | { readonly kind: 'removal'; readonly of: 'zines' | 'agents' | 'holdings'; readonly id: number }

const number = fc.nat({ max: 3 })
const write: fc.Arbitrary<Write> = fc.oneof(
  fc.record({
    kind: fc.constant('zines' as const),
    ...{ id: number, title: sentence, abstract: sentence, by: number },
  }),
  fc.record({ kind: fc.constant('agents' as const), id: number, name: sentence }),
  fc.record({ kind: fc.constant('holdings' as const), id: number, of: number, shelf: sentence }),
  fc.record({
    kind: fc.constant('removal' as const),
    of: fc.constantFrom('zines' as const, 'agents' as const, 'holdings' as const),
    id: number,
  }),
)

/** A clause: whether it is excluded, and words that follow each other. */
const clause = fc.record({
  isExcluded: fc.boolean(),
  sequence: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 2 }),
})

describe('the index of words', () => {
  it('finds what a naive search finds, whatever was written in between', async () => {
    const clauses = fc.array(clause, { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(write, { maxLength: 25 }),
        fc.nat(25),
        clauses,
        async (writes, loaded, asked) => {
          const limits = { ...defaultLimits, maxDeadDocs: 2 }
          const index = new MemoryRecordIndex(model, limits)
          const records = new Map<string, Record<string, unknown>>()
          for (const [position, one] of writes.entries()) {
            if (position === loaded) await index.build()
            // What is loaded is there once.
            if (position < loaded && (one.kind === 'removal' || records.has(keyOf(one)))) continue
            await apply(index, records, one, position < loaded)
          }
          if (loaded >= writes.length) await index.build()
          const q = asked
            .map(({ isExcluded, sequence }) => `${isExcluded ? '-' : ''}"${sequence.join(' ')}"`)
            .join(' ')
          const listSpec = buildListSpec(
            model.resources.zines,
            { filters: new Map(), search: '', ordering: [], q },
            model,
          )
          const found = await index.all(listSpec)
          expect([...found].sort()).to.deep.equal(naiveSearch(records, asked))
          const again = new MemoryRecordIndex(model)
          await again.restore(index.save())
          expect(await again.all(listSpec)).to.deep.equal(found)
        },
      ),
      { numRuns: 80 },
    )
  })

  it('gives a record the same score whatever was written and removed before', async () => {
    const query = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(write, { minLength: 1, maxLength: 25 }),
        query,
        async (writes, asked) => {
          const { written, fresh } = await bothWaysOf(writes)
          const q = asked.join(' ')
          expect(await find(written, q)).to.equal(await find(fresh, q))
        },
      ),
      { numRuns: 30 },
    )
  })

  it('corrects a search alike whatever was written and removed before', async () => {
    const title = fc
      .array(fc.constantFrom('raven', 'ravel', 'raver', 'rave', 'salt'), { maxLength: 4 })
      .map((all) => all.join(' '))
    const zineWrite = fc.oneof(
      fc.record({
        kind: fc.constant('zines' as const),
        ...{ id: number, title, abstract: fc.constant(''), by: number },
      }),
      fc.record({
        kind: fc.constant('removal' as const),
        of: fc.constant('zines' as const),
        id: number,
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(zineWrite, { minLength: 1, maxLength: 20 }), async (writes) => {
        const { written, fresh } = await bothWaysOf(writes)
        const listSpec = searchFor('ravem salt')
        expect(await written.correct(listSpec)).to.equal(await fresh.correct(listSpec))
      }),
      {
        numRuns: 60,
        examples: [
          [
            [
              { kind: 'zines', id: 0, title: 'raven ravel salt', abstract: '', by: 0 },
              { kind: 'zines', id: 1, title: 'raven', abstract: '', by: 0 },
              { kind: 'zines', id: 2, title: 'ravel ravel ravel', abstract: '', by: 0 },
              { kind: 'removal', of: 'zines', id: 2 },
            ],
          ],
        ],
      },
    )
  })

  it('finds what a text has in a script without spaces, wherever it begins and ends', async () => {
    const letter = fc.constantFrom('雑', '誌', 'ミ', 'ガ', 'ไ', '𠮷', '한', '국')
    const text = fc
      .array(fc.oneof(letter, letter, fc.constantFrom(' ', 'ink', '3', '-')), { maxLength: 20 })
      .map((parts) => parts.join(''))
    const wanted = fc.string({ unit: letter, minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 1, maxLength: 6 }),
        wanted,
        fc.boolean(),
        async (titles, q, isQuoted) => {
          const fields = { kind: 'zines', abstract: '', by: 0 } as const
          const index = await filled(titles.map((title, id) => ({ ...fields, id, title })))
          const listSpec = buildListSpec(
            model.resources.zines,
            { filters: new Map(), search: '', ordering: [], q: isQuoted ? `"${q}"` : q },
            model,
          )
          const having = [...titles.keys()].filter((id) => titles[id]?.includes(q)).map(String)
          expect([...(await index.all(listSpec))].sort()).to.deep.equal(having)
        },
      ),
      {
        numRuns: 200,
        examples: [
          [['𠮷'], '雑𠮷', false],
          [['𠮷 𠮷'], '𠮷𠮷', false],
        ],
      },
    )
  })

  it('finds the same in the same order when searches run at once and records are written meanwhile', async () => {
    const typed = fc.constantFrom(...words, 'rav', 'noonn', 'sal', '-ash', '"ink salt"', 'the')
    const query = fc.array(typed, { minLength: 1, maxLength: 4 }).map((all) => all.join(' '))
    const created = fc.array(
      write.filter(({ kind }) => kind !== 'removal'),
      { minLength: 5, maxLength: 25 },
    )
    await fc.assert(
      fc.asyncProperty(
        created,
        fc.array(write, { minLength: 1, maxLength: 4 }),
        fc.array(query, { minLength: 2, maxLength: 6 }),
        fc.nat(40),
        async (loaded, written, asked, turns) => {
          const [index, alone] = await Promise.all([filled(loaded), filled(loaded)])
          const moments = [await inTurn(asked, (q) => find(alone, q))]
          for (const one of written) {
            await apply(alone, new Map(), one, false)
            moments.push(await inTurn(asked, (q) => find(alone, q)))
          }
          const searches = asked.map((q) => find(index, q))
          for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
          for (const one of written) await apply(index, new Map(), one, false)
          for (const [position, found] of (await Promise.all(searches)).entries())
            expect(found).to.be.oneOf(moments.map((all) => all[position]))
          const after = await Promise.all(asked.map((q) => find(index, q)))
          expect(after).to.deep.equal(moments.at(-1))
        },
      ),
      {
        numRuns: 40,
        // A word that is new was looked up before it was written, and looked for after that.
        examples: [
          [
            [{ kind: 'zines', id: 0, title: '', abstract: '', by: 0 }],
            [{ kind: 'zines', id: 0, title: 'ink salt', abstract: '', by: 0 }],
            ['ink "ink salt" ink', 'ink'],
            3,
          ],
          // One zine is written so often that its earlier numbers are freed between the searches.
          [
            [{ kind: 'zines', id: 0, title: '', abstract: '', by: 0 }],
            ['', '', '', 'ink'].map((abstract) => ({
              kind: 'zines' as const,
              ...{ id: 0, title: '', abstract, by: 0 },
            })),
            ['raven', 'ink'],
            0,
          ],
        ],
      },
    )
  })

  it('finds labels after its words were restored with other numbers', async () => {
    const { resources } = await openModel(iris)
    const subject = resources.zines.byName.get('subject')?.vocabulary
    if (!subject) throw new Error('zines have no subjects')
    const [before, words] = [new WordList(), new WordList()]
    for (const word of ['raven', 'noon', 'salt']) before.stemNumber(word)
    const labels = new LabelIndex(subject, words)
    const search = (word: string) => labels.matching([oneStem(words.findStem(stemOf(word)))])
    const found = search('music')
    expect(found.size).to.be.above(0)
    words.restore(before.save())
    expect(search('music').size + search('raven').size).to.equal(0)
    labels.matching([])
    expect([...search('music')]).to.deep.equal([...found])
  })

  it('finds every word that is up to two letters off', () => {
    const few = fc.string({ unit: fc.constantFrom('a', 'b', 'é'), minLength: 1, maxLength: 8 })
    const many = fc.string({
      unit: fc.constantFrom('a', 'b', 'c', 'd', 'x', 'y', '1', '6', 'é'),
      minLength: 3,
      maxLength: 8,
    })
    // More words with one beginning than have their letters noted.
    const alike = Array.from({ length: 80 }, (_, index) => `abcd${index}`)
    const added = fc.uniqueArray(fc.oneof(few, many), { maxLength: 40 })
    const wantedWords = fc.oneof(few, many, fc.constantFrom('abd11', 'bcd7', 'abcd1x'))
    fc.assert(
      fc.property(added, fc.boolean(), wantedWords, (own, hasAlike, wanted) => {
        const all = [...new Set(hasAlike ? [...own, ...alike] : own)]
        const list = new WordList()
        for (const word of all.slice(10)) list.stemNumber(word)
        for (const step of list.build()) expect(step).to.equal(undefined)
        // These come after the sorted ones, as after a write.
        for (const word of all.slice(0, 10)) list.stemNumber(word)
        const found = list.nearby(wanted, 2).map(({ word, distance }) => [word, distance])
        const expected = all
          .map((word) => [word, distanceOf(word, wanted, 2)] as const)
          .filter(([, distance]) => distance <= 2)
        expect(found.sort()).to.deep.equal(expected.map((one) => [...one]).sort())
      }),
      { numRuns: 300 },
    )
  })

  it('finds every word that begins with some letters, sorted in or not', () => {
    const list = new WordList()
    for (const word of ['raven', 'ravens', 'rave', 'noon']) list.stemNumber(word)
    Array.from(list.build())
    list.stemNumber('ravel')
    expect(new Set(list.startingWith('rave')).size).to.equal(3)
  })
})

/** An index of these records, each as it was written last. */
async function filled(writes: readonly Write[]) {
  const index = new MemoryRecordIndex(model, { ...defaultLimits, maxDeadDocs: 2 })
  for (const one of new Map(writes.map((each) => [keyOf(each), each])).values())
    await apply(index, new Map(), one, true)
  await index.build()
  return index
}

/** An index with these writes in turn, and one with what is left of them. */
async function bothWaysOf(writes: readonly Write[]) {
  const written = await filled([])
  const last = new Map<string, Write>()
  for (const one of writes) {
    await apply(written, new Map(), one, false)
    if (one.kind === 'removal') last.delete(`${one.of}/${one.id}`)
    else last.set(keyOf(one), one)
  }
  return { written, fresh: await filled([...last.values()]) }
}

/** What a search finds, and how well, as a text, which is compared as one. */
async function find(index: MemoryRecordIndex, q: string): Promise<string> {
  return JSON.stringify(await index.sortValues(searchFor(q), { limit: 100, offset: 0 }))
}

const searchFor = (q: string): ListSpec =>
  buildListSpec(model.resources.zines, { filters: new Map(), search: '', ordering: [], q }, model)

async function inTurn<Item, Result>(
  items: readonly Item[],
  task: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) results.push(await task(item))
  return results
}

const keyOf = ({ kind, id }: Write): string => `${kind}/${id}`

async function apply(
  index: MemoryRecordIndex,
  records: Map<string, Record<string, unknown>>,
  one: Write,
  isLoading: boolean,
): Promise<void> {
  const name: ResourceName = one.kind === 'removal' ? one.of : one.kind
  const id = String(one.id)
  const key = `${name}/${id}`
  if (one.kind === 'removal') {
    records.delete(key)
    await index.onCommit({ records: [{ key, nquads: undefined }] })
    return
  }
  const fields = fieldsOf(one)
  records.set(key, fields)
  const time = '2026-01-01T00:00:00.000000Z'
  const values = { ...fields, created_at: time, updated_at: time }
  const nquads = writeNQuads(model.mapper.toQuads(model.resources[name], values))
  if (isLoading) index.add(key, nquads)
  else await index.onCommit({ records: [{ key, nquads }] })
}

function fieldsOf(one: Exclude<Write, { kind: 'removal' }>): Record<string, unknown> {
  const id = String(one.id)
  switch (one.kind) {
    case 'zines':
      return zine(id, { title: one.title, abstract: one.abstract, creator: [String(one.by)] })
    case 'agents':
      return agent(id, { display_name: one.name })
    case 'holdings':
      return holding(id, { zine_id: String(one.of), call_number: one.shelf })
  }
}

/** The zines that have all words, looked for in every text of theirs in turn. */
function naiveSearch(
  records: ReadonlyMap<string, Record<string, unknown>>,
  asked: readonly { readonly isExcluded: boolean; readonly sequence: readonly string[] }[],
): string[] {
  const textsOf = (id: string): string[] => {
    const own = records.get(`zines/${id}`) ?? {}
    const [maker = ''] = own.creator as readonly string[]
    const holdings = [...records].filter(
      ([key, { zine_id }]) => key.startsWith('holdings/') && zine_id === id,
    )
    return [
      ...[own.title, own.abstract].map(String),
      String(records.get(`agents/${maker}`)?.display_name),
      ...holdings.map(([, { call_number }]) => String(call_number)),
    ].map((text) => ` ${stems(text)} `)
  }
  return [...records.keys()]
    .filter((key) => key.startsWith('zines/'))
    .map((key) => key.slice('zines/'.length))
    .filter((id) => {
      const texts = textsOf(id)
      return asked.every(
        ({ isExcluded, sequence }) =>
          texts.some((text) => text.includes(` ${stems(sequence.join(' '))} `)) !== isExcluded,
      )
    })
    .sort()
}

const stems = (text: string): string => text.split(' ').map(stemOf).join(' ')

describe('the words of a text', () => {
  // prettier-ignore
  const texts: readonly (readonly [text: string, words: readonly string[]])[] = [
    ['Café ÉCOLE', ['cafe', 'ecole']],
    ['Łódź Straße Ærø', ['lodz', 'strasse', 'aero']],
    ['Rock & Roll', ['rock', 'and', 'roll']],
    ["don't don’t", ['dont', 'dont']],
    ['what? (why!) [x]', ['what', 'why', 'x']],
    ['журнал', ['журнал']],
    ['ミニコミ雑誌 vol. 2', ['ミニ', 'ニコ', 'コミ', 'ミ雑', '雑誌', '誌', 'vol', '2']],
    ['ZINE第3号', ['zine', '第', '3', '号']],
    ['ガ', ['カ']],
    ['ภาษาไทย', ['ภา', 'าษ', 'ษา', 'าไ', 'ไท', 'ทย', 'ย']],
    ['★ rock -- !!!', ['rock']],
    ['', []],
  ]
  for (const [text, expected] of texts)
    it(`of ${JSON.stringify(text)} are folded`, () => expect(wordsOf(text)).to.deep.equal(expected))

  it('with hyphens and full stops are there in parts and as a whole', () => {
    const found = tokensOf('zine-making by U.S. makers').map(
      ({ word, position }) => `${word} ${position}`,
    )
    expect(found).to.have.members([
      'zine 0',
      'making 1',
      'zinemaking 0',
      'by 2',
      'u 3',
      's 4',
      'us 3',
      'makers 5',
    ])
  })

  it('behind articles with an apostrophe are there with and without them', () => {
    const found = tokensOf("L’Anarchie, qu'est-ce? Dell‘arte d'ici, l'a, don't, O'Brien").map(
      ({ word, position }) => `${word} ${position}`,
    )
    expect(found).to.deep.equal([
      ...['lanarchie 0', 'anarchie 0', 'quest 1', 'est 1', 'ce 2', 'questce 1', 'dellarte 3'],
      ...['arte 3', 'dici 4', 'ici 4', 'la 5', 'dont 6', 'obrien 7'],
    ])
  })

  it('have the signs beside them, which take no position', () => {
    const found = tokensOf('(★) punk -- love♥ "!" 👨‍👩‍👧').map(
      ({ word, position }) => `${word} ${position}`,
    )
    expect(found).to.deep.equal([
      ...['(★) 0', '★ 0', 'punk 0', 'love 1', '♥ 2', '! 2', '👨 2', '👩 2', '👧 2'],
    ])
  })

  it('that are initials side by side are one too', () => {
    const found = tokensOf('by G B Jones and X').map(({ word, position }) => `${word} ${position}`)
    expect(found).to.include.members(['g 1', 'b 2', 'gb 1', 'jones 3'])
    expect(found).not.to.include('x')
    const others = tokensOf('U.S. A 雑 誌').map(({ word }) => word)
    expect(others).to.deep.equal(['u', 's', 'us', 'a', '雑', '誌'])
  })
})

describe('a search', () => {
  const clausesOf = (q: string) =>
    parseTextQuery(q, textFieldNames).clauses.map(
      ({ text, field, isExcluded, isExact, isPrefix, isOptional }) =>
        [
          isExcluded ? '-' : '',
          isOptional ? '?' : '',
          field === undefined ? '' : `${field}:`,
          isExact ? `"${text}"` : text,
          isPrefix ? '*' : '',
        ].join(''),
    )

  // prettier-ignore
  const searches: readonly (readonly [q: string, clauses: readonly string[]])[] = [
    ['raven noon', ['raven', 'noon*']],
    ['"raven noon" -ash', ['"raven noon"', '-ash']],
    ['title:raven creator:"zora quist"', ['title:raven', 'creator:"zora quist"']],
    ['-title:raven x', ['-title:raven', 'x']],
    ['title: raven -genre:  zine', ['title:raven', '-genre:zine']],
    ['creator: "zora quist"', ['creator:"zora quist"']],
    ['Title: raven', ['Title', 'raven*']],
    ['nofield: raven', ['nofield', 'raven*']],
    ['title:', ['title']],
    ['bamboo g', ['bamboo', 'g*']],
    ['g', ['g']],
    ['the g', ['?the', 'g']],
    ['bamboo 3', ['bamboo', '3']],
    ['ミニコミ雑誌', ['ミニコミ雑誌']],
    ['誌 -"雑" x', ['誌*', '-"雑"*', 'x*']],
    ['re:raven', ['re', 'raven*']],
    ['the raven', ['?the', 'raven*']],
    ['Raven, The', ['Raven', '?The*']],
    ['the', ['the*']],
    ['el mar', ['?el', 'mar*']],
    ['zine-making', ['zine-making']],
    ['"unclosed phrase', ['"unclosed phrase"']],
    ['- ""', []],
    ['?! "" ★', ['"?!"*', '"★"*']],
    ['rock !!!', ['rock']],
    ['__proto__:x', ['proto', 'x*']],
  ]
  for (const [q, expected] of searches)
    it(`is read: ${q}`, () => expect(clausesOf(q)).to.deep.equal(expected))

  const sequencesOf = (q: string) =>
    parseTextQuery(q, textFieldNames).clauses.map(({ sequences }) =>
      sequences.map((words) => words.join(' ')),
    )
  const issueWords = ['no', 'issue', 'number', 'nr', 'num', 'numero', 'n', 'heft', 'ausgabe']

  it('finds what stands before the number of an issue in other words', () => {
    for (const word of ['no.', 'Issues', 'number', 'Nr.', 'núm.', 'nº', 'n°']) {
      const [found = [], number] = sequencesOf(`${word} 36`)
      expect(found.map(stemOf), word).to.have.members(issueWords)
      expect(number).to.deep.equal(['36'])
    }
    expect(sequencesOf('issue 3.5')[0]).to.include('no')
    expect(sequencesOf('no gods')).to.deep.equal([['no'], ['gods']])
    expect(sequencesOf('"no" 36')).to.deep.equal([['no'], ['36']])
  })

  it('finds a month with its year as a number, in the languages of the pages', () => {
    for (const month of ['July', 'jul', 'julio', 'JUILLET'])
      for (const q of [`${month} 2003`, `2003 ${month}`])
        expect(sequencesOf(q).flat(), q).to.include('2003 07')
    expect(sequencesOf('may day 2003')).to.deep.equal([['may'], ['day'], ['2003']])
  })

  it('takes as many letters of a script without spaces as 32 words have', () => {
    const title = '雑誌'.repeat(60)
    expect(sequencesOf(title).flat()).to.have.length(1)
    expect(() => parseTextQuery(title.repeat(2), textFieldNames)).to.throw(ValidationError)
  })
})
