// Cursors: what is read back is what was written, and nothing else is taken for a position.

import { expect } from 'chai'

import { InvalidError } from '../../src/errors.js'
import { readCursor, writeCursor } from '../../src/catalogue/list-cursor.js'
import { buildListSpec } from '../../src/catalogue/lists.js'
import type { ListPosition } from '../../src/catalogue/list-position.js'
import { createIris } from '../../src/model/iris.js'
import { openModel } from '../model/model.js'

const { resources, mapper } = await openModel(createIris('https://zines.example'))

const specOf = (name: keyof typeof resources, ...ordering: string[]) =>
  buildListSpec(
    resources[name],
    { filters: new Map(), search: '', ordering },
    { resources, mapper },
  )

const time = '2026-11-20T09:15:01.123450Z'

describe('a cursor', () => {
  for (const [listSpec, position] of [
    [specOf('zines'), [time]],
    [specOf('zines'), [time, 'ä/b c']],
    [specOf('zines', 'title', '-updated_at'), ['Zupa "\\ 🦄\u2028\uffee']],
    [specOf('zines', 'title', '-updated_at'), ['a', time]],
    [specOf('repositories', 'established'), [undefined]],
    [specOf('holdings', 'call_number', 'created_at'), [undefined, time, 'a']],
    [specOf('zines', '-year'), [-44]],
    [specOf('zines', 'year', 'title'), [undefined, 'a']],
  ] as const)
    it(`has the position ${JSON.stringify(position)}`, () => {
      const cursor = writeCursor(listSpec, position)
      expect(cursor).to.match(/^[-\w]+$/)
      expect(readCursor(listSpec, cursor)).to.deep.equal(position)
    })

  it('holds for another search and another filter', () => {
    const position = [time, 'a']
    const cursor = writeCursor(specOf('zines'), position)
    const filters = new Map([['language', 'pl']])
    const other = buildListSpec(
      resources.zines,
      { filters, search: 'soup', ordering: ['-created_at'] },
      { resources, mapper },
    )
    expect(readCursor(other, cursor)).to.deep.equal(position)
  })

  // The checksum is no secret, so these can be made by anybody.
  for (const [listSpec, position] of [
    [specOf('zines'), []],
    [specOf('zines'), ['2026']],
    [specOf('zines'), ['2026-11-20T09:15:01Z']],
    [specOf('zines'), ['2026-02-30T09:15:01.000000Z']],
    [specOf('zines'), [1]],
    [specOf('zines'), [undefined]],
    [specOf('zines'), [time, time, 'a']],
    [specOf('zines'), [time, 1]],
    [specOf('zines'), [time, undefined]],
    [specOf('zines', 'title'), [true]],
    [specOf('zines', 'title'), [['a']]],
    [specOf('zines', 'title'), ['a', '\ud800']],
    [specOf('repositories', 'established'), [1990]],
  ] as const)
    it(`with the position ${JSON.stringify(position)} is refused`, () => {
      const forged = writeCursor(listSpec, position as unknown as ListPosition)
      expect(() => readCursor(listSpec, forged)).to.throw(InvalidError)
    })
})
