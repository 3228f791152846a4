// Records that an older release wrote get the derived triples of this one.

import { expect } from 'chai'

import { updateDerivedTriples } from '../../src/app/derived-triples.js'
import { createIris } from '../../src/model/iris.js'
import { readNQuads } from '../../src/rdf/nquads.js'
import { writeNQuads } from '../../src/rdf/terms.js'
import { fullZine } from '../examples.js'
import { memoryHome } from '../store/memory-store.js'
import { openModel } from './model.js'

const model = await openModel(createIris('http://test'))
const values = {
  ...fullZine('doris'),
  date: ['1990s?'],
  created_at: '2026-11-20T09:15:02.100000Z',
  updated_at: '2026-11-20T09:15:02.100000Z',
}
const current = writeNQuads(model.mapper.toQuads(model.resources.zines, values))
const issued = /^.*dc\/terms\/issued>.*\n/m
const outdated = current.replace(issued, (line) => line.replace(/"199X\?"\^\^<[^>]*>/, '"1990"'))
const key = 'record/zines/doris'

const linesOf = (nquads = ''): string[] => writeNQuads(readNQuads(nquads)).split('\n').sort()

describe('the derived triples of stored records', () => {
  it('are brought up to date where an older release wrote others', async () => {
    expect(outdated).not.to.equal(current)
    const store = memoryHome()
    await store.write([{ key, value: outdated }])
    expect(await updateDerivedTriples(store, model)).to.equal(1)
    expect(linesOf(await store.get(key))).to.deep.equal(linesOf(current))
  })

  it('leave the public graph where an older release had the order and zeros in times there', async () => {
    const old = current
      .replaceAll('/graphs/order>', '/graphs/public>')
      .replaceAll('02.1Z"', '02.100000Z"')
    expect(linesOf(old).filter((line) => !linesOf(current).includes(line))).to.have.length(3)
    const store = memoryHome()
    await store.write([{ key, value: old }])
    expect(await updateDerivedTriples(store, model)).to.equal(1)
    expect(linesOf(await store.get(key))).to.deep.equal(linesOf(current))
  })

  it('are looked at once only', async () => {
    const store = memoryHome()
    await store.write([{ key, value: current }])
    expect(await updateDerivedTriples(store, model)).to.equal(0)
    await store.write([{ key, value: outdated }])
    expect(await updateDerivedTriples(store, model)).to.equal(0)
  })

  it('stay as they are in a record that cannot be read', async () => {
    const store = memoryHome()
    await store.write([{ key, value: outdated.slice(0, -9) }])
    expect(await updateDerivedTriples(store, model)).to.equal(0)
    expect(await store.get(key)).to.equal(outdated.slice(0, -9))
  })
})
