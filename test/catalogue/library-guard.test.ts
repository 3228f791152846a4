// Accounts that are bound to one library, at the catalogue: which writes of holdings are refused, whatever the
// way by which they come, and also after the library got another identifier.

import { expect } from 'chai'

import { ForbiddenError } from '../../src/errors.js'
import { createLibraryGuard } from '../../src/catalogue/writes/library-guard.js'
import type { RecordWrite } from '../../src/catalogue/writes/record-state.js'
import type { RecordValues } from '../../src/model/record/values.js'
import { failureOf } from '../error-of.js'

const holding = (repository_id: string): RecordValues => ({ holding_id: 'h', repository_id })

const write = (
  before: RecordValues | undefined,
  after: RecordValues | undefined,
  target: RecordWrite['reference']['target'] = 'holdings',
): RecordWrite => ({ reference: { target, id: 'h' }, before, after })

describe('the guard of an account that is bound to a library', () => {
  const guard = createLibraryGuard({
    repositoryOf: (account) => (account === 'bound' ? 'old' : undefined),
    // The library was renamed since.
    redirects: { into: ({ id }) => Promise.resolve(id === 'old' ? 'own' : undefined) },
    stored: {
      values: (references) =>
        Promise.resolve(
          new Map(references.map(({ target, id }) => [`${target}/${id}`, holding(id)])),
        ),
    },
    readHistory: () => Promise.resolve([]),
  })

  const allowed: readonly (readonly [string, RecordWrite])[] = [
    ['creates', write(undefined, holding('own'))],
    ['changes', write(holding('own'), holding('own'))],
    ['deletes', write(holding('own'), undefined)],
    ['merges into one of its own', { ...write(holding('own'), undefined), into: 'own' }],
  ]
  for (const [what, one] of allowed)
    it(`lets through what ${what} a holding of it`, async () => {
      await guard.checkWrites('bound', [one])
    })

  const refused: readonly (readonly [string, RecordWrite])[] = [
    ['creates a holding of another', write(undefined, holding('other'))],
    ['changes a holding of another', write(holding('other'), holding('other'))],
    ['deletes a holding of another', write(holding('other'), undefined)],
    ['moves its holding to another', write(holding('own'), holding('other'))],
    ['moves a holding of another to it', write(holding('other'), holding('own'))],
    [
      'merges its holding into one of another',
      { ...write(holding('own'), undefined), into: 'other' },
    ],
    ['deletes the library', write({ repo_id: 'h' }, undefined, 'repositories')],
    ['changes a zine', write({ zine_id: 'h' }, { zine_id: 'h' }, 'zines')],
  ]
  for (const [what, one] of refused)
    it(`refuses what ${what}, with all that is written with it`, async () => {
      const failure = await failureOf(
        guard.checkWrites('bound', [write(undefined, holding('own')), one]),
      )
      expect(failure).to.be.instanceOf(ForbiddenError)
    })

  it('refuses other accounts, and writes without an account, nothing', async () => {
    for (const account of ['other', undefined])
      await guard.checkWrites(account, [write(holding('a'), holding('b'))])
  })
})
