import { expect } from 'chai'

import { positionBetween } from '../../src/catalogue/list-position.js'
import { createIris } from '../../src/model/iris.js'
import type { ListSpec } from '../../src/queries/list-queries.js'
import { openModel } from '../model/model.js'

const { resources } = await openModel(createIris('https://zines.example'))

/** The order of repositories by these fields; `-` before a name means descending. */
const orderBy = (...names: readonly string[]): ListSpec['order'] =>
  names.map((name) => {
    const field = resources.repositories.byName.get(name.replace('-', ''))
    if (!field) throw new Error(`no ${name}`)
    return { field, descending: name.startsWith('-') }
  })

const [early, late] = ['2026-11-20T09:15:01.000000Z', '2026-11-20T09:15:01.000001Z']

describe('the position between two records', () => {
  // prettier-ignore
  for (const [order, before, after, position] of [
    [orderBy('repository_name'),  ['Attic', 'x'],      ['Cellar', 'y'],    ['C']],
    [orderBy('repository_name'),  ['Cell', 'x'],       ['Cellar', 'y'],    ['Cella']],
    [orderBy('repository_name'),  ['🦄🦄', 'x'],       ['🦄🦊🦄', 'y'],    ['🦄🦊']],
    [orderBy('-repository_name'), ['Cellar', 'x'],     ['Attic', 'y'],     ['C']],
    [orderBy('-repository_name'), ['Cellar', 'x'],     ['Cell', 'y'],      ['Cella']],
    [orderBy('repository_name'),  ['Attic', 'no-10'],  ['Attic', 'no-20'], ['Attic', 'no-2']],
    [orderBy('created_at'),       [early, 'x'],        [late, 'y'],        [late]],
    [orderBy('-created_at'),      [late, 'x'],         [early, 'y'],       [late]],
    [orderBy('established'),      ['1989', 'x'],       [undefined, 'y'],   [undefined]],
    [orderBy('-established'),     ['1989', 'x'],       [undefined, 'y'],   [undefined]],
    [orderBy('established'),      [undefined, 'x'],    [undefined, 'y'],   [undefined, 'y']],
    [orderBy('established', '-created_at'), ['1989', late, 'x'], ['1989', early, 'y'], ['1989', late]],
  ] as const)
    it(`${JSON.stringify([before, after])} by ${order.map(({ field }) => field.name).join()} is ${JSON.stringify(position)}`, () => {
      expect(positionBetween(order, before, after)).to.deep.equal(position)
    })
})
