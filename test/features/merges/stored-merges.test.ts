// Random writes, merges and renames are undone in reverse order: each undo gives the catalogue as it was
// before. After each step the indexes in memory have what the store has, and the doctor finds nothing.

import { expect } from 'chai'
import fc from 'fast-check'

import { NotFoundError } from '../../../src/errors.js'
import type { Catalogue } from '../../../src/catalogue/catalogue.js'
import { UndoConflictError } from '../../../src/catalogue/errors.js'
import { createStoredRedirects } from '../../../src/catalogue/redirects.js'
import { SparqlRecordIndex } from '../../../src/catalogue/sparql-record-index.js'
import { type ResourceName, resourceNames } from '../../../src/model/iris.js'
import { ValidationError } from '../../../src/model/record/input.js'
import { checkEntries } from '../../doctor.js'
import { agent, holding, repository, zine } from '../../examples.js'
import { base, iris, model, openCatalogue, validator } from '../../catalogue/memory-catalogue.js'

describe('merges', () => {
  it('and other writes give the catalogue before when they are undone in reverse', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 20 }), async (steps) => {
        const opened = await openChecked()
        const { catalogue, changeLog, snapshot } = opened
        for (const id of ['a', 'b', 'c']) await create(catalogue, 'agents', id)
        for (const id of ['a', 'b']) {
          await create(catalogue, 'zines', id)
          await create(catalogue, 'repositories', id)
          await create(catalogue, 'holdings', id)
        }
        const undoable: { readonly commit: number; readonly before: string }[] = []
        for (const step of steps) {
          const [last, before] = [changeLog.last(), await snapshot()]
          await take(catalogue, step)
          if (changeLog.last() > last) undoable.push({ commit: last + 1, before })
          await opened.check()
        }
        for (const { commit, before } of undoable.reverse()) {
          await catalogue.undoCommit(commit, undo)
          expect(await snapshot()).to.equal(before)
          await opened.check()
        }
      }),
      { numRuns: 12 },
    )
  })

  it('are undone with the version that they made of the record that went', async () => {
    const { catalogue, snapshot } = await openCatalogue()
    for (const id of ['a', 'b']) await create(catalogue, 'agents', id)
    await create(catalogue, 'zines', 'z', 'a')
    const before = await snapshot()
    await merge(catalogue, 'agents', 'a', 'b')
    const [version] = (await catalogue.history('agents', 'a')).slice(-1)
    expect(version).to.include({ change: 'merged', into: 'b', after: undefined })
    await catalogue.undoVersion('agents', 'a', version?.version ?? 0, undo)
    expect(await snapshot()).to.equal(before)
  })

  it('are merged again when their undoing is undone', async () => {
    const { catalogue, changeLog, snapshot } = await openCatalogue()
    for (const id of ['a', 'b', 'c']) await create(catalogue, 'agents', id)
    await create(catalogue, 'zines', 'z', 'b')
    await merge(catalogue, 'agents', 'a', 'b')
    const commit = changeLog.last() + 1
    await merge(catalogue, 'agents', 'b', 'c')
    const merged = await snapshot()
    const undoing = changeLog.last() + 1
    await catalogue.undoCommit(commit, undo)
    expect(await catalogue.mergedInto('agents', 'a')).to.equal('b')
    await catalogue.undoCommit(undoing, undo)
    expect(await snapshot()).to.equal(merged)
    expect(await catalogue.mergedInto('agents', 'a')).to.equal('c')
  })

  it('come back with the record that stayed, when its deletion is undone', async () => {
    const { catalogue } = await openCatalogue()
    for (const id of ['a', 'b', 'c']) await create(catalogue, 'agents', id)
    await merge(catalogue, 'agents', 'a', 'b')
    await merge(catalogue, 'agents', 'b', 'c')
    await catalogue.remove('agents', 'c')
    expect(await catalogue.deletedRecords(['agents'])).to.deep.equal([
      { target: 'agents', id: 'c' },
    ])
    await catalogue.restoreVersion('agents', 'c', 1, undo)
    for (const id of ['a', 'b']) expect(await catalogue.mergedInto('agents', id)).to.equal('c')
  })

  it('are refused to be undone where a reference was changed again', async () => {
    const { catalogue, changeLog, snapshot } = await openCatalogue()
    for (const id of ['a', 'b', 'c']) await create(catalogue, 'agents', id)
    await create(catalogue, 'zines', 'z', 'a')
    const commit = changeLog.last() + 1
    await merge(catalogue, 'agents', 'a', 'b')
    await catalogue.change('zines', 'z', new Map([['creator', ['c']]]))
    const before = await snapshot()
    const failure = await catalogue.undoCommit(commit, undo).catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(UndoConflictError)
    expect((failure as UndoConflictError).fields).to.deep.equal(['creator'])
    expect(await snapshot()).to.equal(before)
  })

  it('are followed by restored versions that name the record that went', async () => {
    const { catalogue } = await openCatalogue()
    for (const id of ['a', 'b', 'c']) await create(catalogue, 'agents', id)
    await create(catalogue, 'zines', 'z', 'a')
    await catalogue.change('zines', 'z', new Map([['creator', ['c']]]))
    await merge(catalogue, 'agents', 'a', 'b')
    await catalogue.restoreVersion('zines', 'z', 1, undo)
    const { record } = await catalogue.read('zines', 'z')
    expect(record.values.creator).to.deep.equal(['b'])
  })

  it('let the record that went come back by itself, from one of its versions', async () => {
    const { catalogue } = await openCatalogue()
    for (const id of ['a', 'b']) await create(catalogue, 'agents', id)
    await create(catalogue, 'zines', 'z', 'a')
    await merge(catalogue, 'agents', 'a', 'b')
    await catalogue.restoreVersion('agents', 'a', 1, undo)
    expect(await catalogue.exists('agents', 'a')).to.equal(true)
    expect(await catalogue.mergedInto('agents', 'a')).to.equal(undefined)
    const { record } = await catalogue.read('zines', 'z')
    expect(record.values.creator).to.deep.equal(['b'])
  })
})

const undo = { source: { how: 'undo' }, withPrivate: true } as const

type Step = {
  readonly how: 'create' | 'change' | 'remove' | 'merge' | 'rename'
  readonly name: ResourceName
  readonly id: string
  readonly other: string
  readonly word: string
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  how: fc.constantFrom(
    'create',
    'create',
    'create',
    'create',
    'change',
    'remove',
    'merge',
    'merge',
    'rename',
  ),
  name: fc.constantFrom('agents', 'agents', 'zines', 'zines', 'repositories', 'holdings'),
  id: fc.constantFrom('a', 'b', 'c'),
  other: fc.constantFrom('a', 'b', 'c', 'd'),
  word: fc.constantFrom('One', 'Two'),
})

const bodyOf = (name: ResourceName, id: string, other: string, word: string): object => {
  const names = [...new Set([other, id])]
  if (name === 'agents')
    return agent(id, { biography: word, public: word === 'One', legal_name: `Legal ${id}` })
  if (name === 'repositories') return repository(id, { description: word })
  if (name === 'holdings')
    return holding(id, { zine_id: other, repository_id: id, condition: word })
  return zine(id, { creator: names, contributor: [...names].reverse(), abstract: word })
}

const toBody = (body: object) => new Map<string, unknown>(Object.entries(body))

const create = (catalogue: Catalogue, name: ResourceName, id: string, other = id) =>
  catalogue.create(
    name,
    toBody({
      ...bodyOf(name, id, other, 'One'),
      ...(name === 'zines' && { creator: [other], contributor: [] }),
    }),
  )

const merge = (catalogue: Catalogue, name: ResourceName, id: string, into: string, fields = {}) =>
  catalogue.merge(name, id, { into, fields: toBody(fields) }, { source: { how: 'merge' } })

async function take(catalogue: Catalogue, { how, name, id, other, word }: Step): Promise<void> {
  const body = bodyOf(name, id, other, word)
  const [, ...texts] = Object.entries(body).reverse()
  try {
    if (how === 'create') await catalogue.create(name, toBody(body))
    else if (how === 'change') await catalogue.change(name, id, toBody(body))
    else if (how === 'remove') await catalogue.remove(name, id)
    else if (how === 'rename') await catalogue.rename(name, id, other, { source: { how: 'merge' } })
    else {
      const fields = word === 'One' ? {} : Object.fromEntries(texts.slice(0, 1))
      await merge(catalogue, name, id, other, fields)
    }
  } catch (error) {
    // What is not there cannot be changed, nor named.
    if (!(error instanceof NotFoundError || error instanceof ValidationError)) throw error
  }
}

/** A catalogue whose indexes can be compared with what is stored. */
async function openChecked() {
  const opened = await openCatalogue()
  const { home, store, recordIndex, redirects } = opened
  const stored = {
    recordIndex: new SparqlRecordIndex({ store, ...model }),
    redirects: createStoredRedirects(store, iris),
  }

  async function check(): Promise<void> {
    for (const name of resourceNames) {
      const list = { resource: model.resources[name], filters: [], terms: [], order: [] }
      expect(await recordIndex.all(list)).to.deep.equal(await stored.recordIndex.all(list))
      const all = ['a', 'b', 'c', 'd'].map((id) => ({ target: name, id }))
      for (const one of all) {
        expect(await redirects.into(one)).to.equal(await stored.redirects.into(one))
        expect(sorted(await redirects.leadingTo([one]))).to.deep.equal(
          sorted(await stored.redirects.leadingTo([one])),
        )
      }
      expect(sorted(await redirects.leadingTo(all))).to.deep.equal(
        sorted(await stored.redirects.leadingTo(all)),
      )
    }
    const openDoctor = () => Promise.resolve({ ...model, validator })
    const findings = await checkEntries(entries(), openDoctor)
    expect(findings.filter(({ level }) => level === 'error')).to.deep.equal([])
  }

  async function* entries() {
    yield ['meta/base', base] as const
    yield ['meta/version', '1'] as const
    yield* home.entries('')
  }

  return { ...opened, check }
}

const sorted = (redirects: readonly object[]): readonly string[] =>
  redirects.map((redirect) => JSON.stringify(redirect)).sort()
