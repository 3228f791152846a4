// Undoing a batch while others write: whatever meets, the result is that of the same requests one after
// the other in some order, and no record is lost.

import { setImmediate as nextTurn } from 'node:timers/promises'

import { expect } from 'chai'
import fc from 'fast-check'

import type { Catalogue } from '../../../src/catalogue/catalogue.js'
import type { ResourceName } from '../../../src/model/iris.js'
import type { KeyValueStore } from '../../../src/lib/key-value/key-value-store.js'
import { minimal } from '../../examples.js'
import { openCatalogue } from '../../catalogue/memory-catalogue.js'
import { memoryHome } from '../../store/memory-store.js'

describe('undoing a batch', () => {
  it('beside other writes gives what they give one after the other', async () => {
    let undone = 0
    await fc.assert(
      fc.asyncProperty(anyWriters, async (writers) => {
        const requests = [{ request: undoRequest, delay: 3 }, ...writers]
        const { run, snapshot } = await openWithBatch()
        const outcomes = await Promise.all(
          requests.map(async ({ request, delay }) => {
            for (let turn = 0; turn < delay; turn += 1) await nextTurn()
            return run(request)
          }),
        )
        if (outcomes[0] === 'done') undone += 1
        const found = { outcomes, records: await snapshot(times) }
        const serial: unknown[] = []
        for (const order of ordersOf(requests.map((_, index) => index))) {
          const opened = await openWithBatch()
          const inTurn: string[] = []
          for (const index of order)
            inTurn[index] = await opened.run(requests[index]?.request ?? undoRequest)
          const result = { outcomes: inTurn, records: await opened.snapshot(times) }
          if (JSON.stringify(result) === JSON.stringify(found)) return
          serial.push(result)
        }
        expect(serial, 'none of these is what happened').to.deep.include(found)
      }),
      { numRuns: 20 },
    )
    expect(undone).to.be.within(1, 39)
  })
})

/** Are others in each run. */
const times = ['dc/terms/modified', 'dc/terms/created']

type WriterRequest =
  | { readonly kind: 'undo' }
  | {
      readonly kind: 'change'
      readonly name: ResourceName
      readonly id: string
      readonly field: string
    }
  | { readonly kind: 'create' | 'remove'; readonly name: ResourceName; readonly id: string }

const undoRequest: WriterRequest = { kind: 'undo' }

const anyRequest: fc.Arbitrary<WriterRequest> = fc.oneof(
  fc.record({
    kind: fc.constant('change' as const),
    name: fc.constant('zines' as const),
    id: fc.constantFrom('a', 'b'),
    field: fc.constantFrom('title', 'abstract'),
  }),
  fc.record({
    kind: fc.constantFrom('create' as const, 'remove' as const),
    name: fc.constantFrom('zines' as const, 'holdings' as const),
    id: fc.constantFrom('a', 'b', 'new'),
  }),
)

const anyWriters = fc.array(fc.record({ request: anyRequest, delay: fc.nat(25) }), {
  minLength: 2,
  maxLength: 3,
})

const everything = { account: 'editor', mayWrite: () => true }

/** A store that takes a turn of the event loop for each answer, so that requests meet in its middle. */
function slowHome(): KeyValueStore {
  const home = memoryHome()
  return {
    ...home,
    async get(key) {
      await nextTurn()
      return home.get(key)
    },
    async write(entries) {
      await nextTurn()
      await home.write(entries)
    },
  }
}

/** A catalogue with a batch that changed the title of a zine, removed its copy, and made another zine. */
async function openWithBatch() {
  const { catalogue, snapshot } = await openCatalogue(slowHome())
  const line = (
    op: 'create' | 'change' | 'remove',
    target: ResourceName,
    id: string,
    body: object,
  ) => ({ op, reference: { target, id }, body: new Map(Object.entries(body)) })
  const request = { ...everything, mode: 'all', isDryRun: false, withJson: false } as const
  await catalogue.writeBatch(
    [
      line('create', 'agents', 'a', minimal.agents('a')),
      line('create', 'repositories', 'a', minimal.repositories('a')),
      line('create', 'zines', 'a', minimal.zines('a', { creator: ['a'] })),
      line('create', 'holdings', 'a', holding('a', 'a')),
    ],
    request,
  )
  const { batch } = await catalogue.writeBatch(
    [
      line('change', 'zines', 'a', { title: 'Of the batch' }),
      line('remove', 'holdings', 'a', {}),
      line('create', 'zines', 'b', minimal.zines('b', { creator: ['a'] })),
    ],
    request,
  )
  return { snapshot, run: createRunner(catalogue, batch?.id ?? '') }
}

const holding = (id: string, zine: string): Record<string, unknown> =>
  minimal.holdings(id, { zine_id: zine, repository_id: 'a' })

/** Runs a request; returns `done` or what kind of error there was. */
const createRunner =
  (catalogue: Catalogue, batch: string) =>
  async (request: WriterRequest): Promise<string> => {
    try {
      await runRequest(catalogue, batch, request)
      return 'done'
    } catch (error) {
      return (error as Error).constructor.name
    }
  }

async function runRequest(
  catalogue: Catalogue,
  batch: string,
  request: WriterRequest,
): Promise<void> {
  if (request.kind === 'undo')
    await catalogue.undoBatch(batch, { ...everything, withPrivate: true })
  else if (request.kind === 'change')
    await catalogue.change(request.name, request.id, new Map([[request.field, 'Of a writer']]))
  else if (request.kind === 'remove') await catalogue.remove(request.name, request.id)
  else {
    const body =
      request.name === 'zines'
        ? minimal.zines(request.id, { creator: ['a'] })
        : holding(request.id, 'b')
    await catalogue.create(request.name, new Map(Object.entries(body)))
  }
}

/** All orders of the items. */
function* ordersOf(items: readonly number[]): Generator<readonly number[]> {
  if (items.length === 0) yield []
  for (const item of items)
    for (const others of ordersOf(items.filter((one) => one !== item))) yield [item, ...others]
}
