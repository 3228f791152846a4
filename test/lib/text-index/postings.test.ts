import { expect } from 'chai'

import { Postings } from '../../../src/lib/text-index/postings.js'

const isAlive = () => true

describe('countByText', () => {
  const count = 200
  const textsOf = (doc: number): readonly string[] => [`t${doc % 3}`, `t${doc % 7}`, `own ${doc}`]

  function expectedCounts(docs: readonly number[]): Map<string, number> {
    const counts = new Map<string, number>()
    for (const text of docs.flatMap(textsOf)) counts.set(text, (counts.get(text) ?? 0) + 1)
    return counts
  }

  /** Postings of records of which the last ones were added after the lists were packed. */
  function createFilled(packed: number) {
    const postings = new Postings()
    const add = (doc: number) => textsOf(doc).forEach((text) => postings.add(text, doc))
    for (let doc = 0; doc < packed; doc += 1) add(doc)
    Array.from(postings.compact(isAlive))
    for (let doc = packed; doc < count; doc += 1) add(doc)
    return postings
  }

  const lists = {
    'few records': [3, 5, 21],
    'few records, some of which are new': [3, 150, 199],
    'most records': Array.from({ length: count - 1 }, (_, index) => index),
  }

  for (const [what, docs] of Object.entries(lists))
    for (const packed of [150, count])
      it(`counts the texts of ${what}, with ${packed} of ${count} records packed`, () => {
        const marks = new Uint8Array(count)
        for (const doc of docs) marks[doc] = 1
        const counts = createFilled(packed).countByText(Int32Array.from(docs), marks)
        expect([...counts].sort()).to.deep.equal([...expectedCounts(docs)].sort())
      })

  it('counts texts of records that were added since few were counted', () => {
    const postings = createFilled(count)
    const docs = Int32Array.of(1, 2)
    const marks = new Uint8Array(count)
    marks[1] = marks[2] = 1
    expect(postings.countByText(docs, marks).get('new')).to.equal(undefined)
    postings.add('new', 2)
    expect(postings.countByText(docs, marks).get('new')).to.equal(1)
    Array.from(postings.compact(isAlive))
    expect(postings.countByText(docs, marks).get('new')).to.equal(1)
  })
})
