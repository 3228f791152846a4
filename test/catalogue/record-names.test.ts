// The names of records, filled while others are written.

import { setTimeout as sleep } from 'node:timers/promises'

import { expect } from 'chai'

import { UnavailableError } from '../../src/errors.js'
import { createRecordNames, fillBesideOtherWork } from '../../src/catalogue/index/record-names.js'
import { createIris } from '../../src/model/iris.js'
import { writeNQuads } from '../../src/rdf/terms.js'
import { openModel } from '../model/model.js'

const iris = createIris('https://zines.example')
const { resources, mapper } = await openModel(iris)

const entryOf = (id: string, display_name: string) => {
  const quads = mapper.toQuads(resources.agents, { agent_id: id, display_name })
  return [`agents/${id}`, writeNQuads(quads)] as const
}

/** Names that are filled as far as the caller lets them. */
function fillInSteps(batches: readonly (readonly ReturnType<typeof entryOf>[])[]) {
  const errors: unknown[] = []
  let goOn: () => void = () => undefined
  let attempts = 0
  /** How often it waited for the caller. */
  let waits = 0
  const names = fillBesideOtherWork(createRecordNames({ iris, resources }), {
    async *records() {
      attempts += 1
      for (const batch of batches) {
        await new Promise<void>((resolve) => {
          goOn = resolve
          waits += 1
        })
        if (batch.length === 0 && attempts === 1) throw new Error('not read')
        yield batch
      }
    },
    onError: (error) => errors.push(error),
    retryMs: 1,
  })
  const isFilled = (): boolean => {
    try {
      names.find('agents', '', 1)
      return true
    } catch {
      return false
    }
  }
  /** Lets it read the next batch, until it waits again or has all. */
  const step = async () => {
    const before = waits
    goOn()
    while (waits === before && !isFilled()) await sleep(1)
  }
  const idsOf = (name: string) =>
    names
      .find('agents', name, 5)
      .filter(({ isSame }) => isSame)
      .map(({ id }) => id)
  return { names, step, end: () => goOn(), idsOf, errors }
}

describe('the names of records that are filled beside other work', () => {
  it('are not found before all of them are there', async () => {
    const { names, step, idsOf } = fillInSteps([
      [entryOf('one', 'Mimi Nguyen')],
      [entryOf('two', 'Osa Atoe')],
    ])
    await step()
    expect(() => idsOf('Mimi Nguyen')).to.throw(UnavailableError)
    expect(() => names.complete('agents', 'Mi', 5)).to.throw(UnavailableError)
    expect(() => names.withIdentifier('agents', 'x')).to.throw(UnavailableError)
    await step()
    expect([idsOf('Mimi Nguyen'), idsOf('Osa Atoe')]).to.deep.equal([['one'], ['two']])
  })

  it('are those that were written meanwhile, whatever is read after that', async () => {
    const { names, step, idsOf } = fillInSteps([
      [entryOf('one', 'Mimi Nguyen')],
      [entryOf('two', 'Osa Atoe'), entryOf('three', 'Ramdasha Bikceem')],
    ])
    await step()
    const changed = { one: 'Mimi Thi Nguyen', two: 'Osa', three: undefined }
    await names.onCommit({
      records: Object.entries(changed).map(([id, name]) => {
        const [key, nquads] = entryOf(id, name ?? '')
        return { key, nquads: name === undefined ? undefined : nquads }
      }),
    })
    await step()
    expect([idsOf('Mimi Thi Nguyen'), idsOf('Osa')]).to.deep.equal([['one'], ['two']])
    expect([idsOf('Mimi Nguyen'), idsOf('Osa Atoe')]).to.deep.equal([[], []])
    expect(idsOf('Ramdasha Bikceem')).to.deep.equal([])
  })

  it('are filled again after an error', async () => {
    const { step, idsOf, errors } = fillInSteps([[entryOf('one', 'Mimi Nguyen')], []])
    await step()
    await step()
    expect(errors).to.have.length(1)
    await step()
    await step()
    expect(idsOf('Mimi Nguyen')).to.deep.equal(['one'])
  })

  it('end filling when they are closed', async () => {
    const { names, step, end, idsOf } = fillInSteps([[entryOf('one', 'Mimi Nguyen')], []])
    await step()
    const closed = names.close()
    end()
    await closed
    expect(() => idsOf('Mimi Nguyen')).to.throw(UnavailableError)
  })
})
