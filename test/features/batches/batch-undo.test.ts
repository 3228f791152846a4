// Batches of random writes, undone in reverse, give the records that were there before.

import { expect } from 'chai'
import fc from 'fast-check'

import { ConflictError } from '../../../src/errors.js'
import type { Catalogue } from '../../../src/catalogue/catalogue.js'
import type { BatchLine, BatchOperation } from '../../../src/catalogue/writes/batches.js'
import { type ResourceName, resourceNames } from '../../../src/model/iris.js'
import { minimal } from '../../examples.js'
import { openCatalogue } from '../../catalogue/memory-catalogue.js'

describe('batches', () => {
  it('that are undone in reverse give the records that were there before', async () => {
    let undone = 0
    await fc.assert(
      fc.asyncProperty(fc.array(anyBatch, { minLength: 1, maxLength: 5 }), async (batches) => {
        const { catalogue, snapshot } = await openCatalogue()
        await write(catalogue, [...startingLines])
        const made: { readonly id: string; readonly before: string }[] = []
        for (const lines of batches) {
          const before = await snapshot()
          const id = await write(catalogue, lines)
          if (id !== undefined) made.push({ id, before })
        }
        for (const { id, before } of made.reverse()) {
          await undo(catalogue, id)
          expect(await snapshot()).to.equal(before)
          undone += 1
        }
      }),
      { numRuns: 30 },
    )
    expect(undone).to.be.greaterThan(30)
  })

  it('are told of in the same write as their records', async () => {
    const { home, catalogue } = await openCatalogue()
    const writes: string[][] = []
    const writeHome = home.write.bind(home)
    home.write = (entries) => {
      writes.push(entries.map(({ key }) => key))
      return writeHome(entries)
    }
    const id = await write(catalogue, [...startingLines])
    const [keys = []] = writes
    expect(writes).to.have.length(1)
    expect(keys).to.include.members([`batch/${id}`, 'record/agents/a', 'change/000000000001'])
  })
})

const everything = { account: 'editor', mayWrite: () => true }

/** Writes the lines that can be written; returns the identifier of the batch, if there is one. */
async function write(
  catalogue: Catalogue,
  lines: readonly BatchLine[],
): Promise<string | undefined> {
  const { batch } = await catalogue.writeBatch(lines, {
    ...everything,
    mode: 'each',
    isDryRun: false,
    withJson: false,
  })
  return batch?.id
}

/** Undoes a batch; there is nothing to undo where it wrote what was there already. */
async function undo(catalogue: Catalogue, id: string): Promise<void> {
  try {
    await catalogue.undoBatch(id, { ...everything, withPrivate: true })
  } catch (error) {
    if (!(error instanceof ConflictError && error.message === 'Nothing is left of this batch.'))
      throw error
  }
}

const ids = ['a', 'b', 'c'] as const

const bodies: Readonly<Record<ResourceName, (id: string, other: string, word: string) => object>> =
  {
    agents: (id, _, word) =>
      minimal.agents(id, { display_name: word, legal_name: word, public: word === 'Third' }),
    repositories: (id, _, word) => minimal.repositories(id, { repository_name: word }),
    zines: (id, other, word) =>
      minimal.zines(id, { title: word, creator: [other], subject: ['punk', 'food'] }),
    holdings: (id, other, word) =>
      minimal.holdings(id, { zine_id: other, repository_id: id, condition: word }),
  }

const lineOf = (
  op: BatchOperation,
  target: ResourceName,
  id: string,
  other = id,
  word = 'First',
): BatchLine => ({
  op,
  reference: { target, id },
  body: new Map(Object.entries(bodies[target](id, other, word))),
})

const startingLines: readonly BatchLine[] = (
  ['agents', 'repositories', 'zines', 'holdings'] as const
).flatMap((name) => ['a', 'b'].map((id) => lineOf('create', name, id)))

const anyLine: fc.Arbitrary<BatchLine> = fc
  .record({
    op: fc.constantFrom<BatchOperation>('create', 'create', 'replace', 'change', 'remove'),
    name: fc.constantFrom(...resourceNames),
    id: fc.constantFrom(...ids),
    other: fc.constantFrom(...ids),
    word: fc.constantFrom('First', 'Second', 'Third'),
  })
  .map(({ op, name, id, other, word }) => lineOf(op, name, id, other, word))

const anyBatch = fc.array(anyLine, { minLength: 1, maxLength: 12 })
