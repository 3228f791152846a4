// Keeps accounts that are bound to one library from writing anything but its holdings. Every commit
// asks here, so that there is no way around it: single writes, batches, imports, merges, restored
// versions.

import { ForbiddenError } from '../../errors.js'
import type { Reference } from '../../model/record/views.js'
import { type RecordValues, textValue } from '../../model/record/values.js'
import { type ReadHistory, findDeletion } from '../history/record-history.js'
import type { Redirects } from '../redirects.js'
import { type RecordState, type RecordWrite, valuesOf } from './record-state.js'

/**
 * The identifier of the repository that an account is bound to; undefined for accounts that are not
 * bound.
 */
export type RepositoryOf = (account: string) => string | undefined

export type LibraryGuard = {
  /** Checks planned writes. @throws ForbiddenError */
  checkWrites(account: string | undefined, writes: readonly RecordWrite[]): Promise<void>
  /**
   * Checks a record that is to be written, before anything else about it is.
   * @throws ForbiddenError
   */
  checkRecord(
    account: string | undefined,
    reference: Reference,
    state: Pick<RecordState, 'values'>,
  ): Promise<void>
  /** Whether the account may write a record that is stored, or bring back one that was deleted. */
  readonly mayWriteRecord: (account: string, reference: Reference) => Promise<boolean>
}

export function createLibraryGuard({
  repositoryOf,
  redirects,
  stored,
  readHistory,
}: {
  readonly repositoryOf: RepositoryOf
  readonly redirects: Pick<Redirects, 'into'>
  readonly stored: Pick<RecordState, 'values'>
  readonly readHistory: ReadHistory
}): LibraryGuard {
  /** The repository of an account, under its present identifier. */
  async function boundTo(account: string | undefined): Promise<string | undefined> {
    const id = account === undefined ? undefined : repositoryOf(account)
    return id && ((await redirects.into({ target: 'repositories', id })) ?? id)
  }

  async function mayWrite(
    account: string | undefined,
    reference: Reference,
    readValues: (reference: Reference) => Promise<RecordValues | undefined>,
  ): Promise<boolean> {
    const id = await boundTo(account)
    if (id === undefined) return true
    return reference.target === 'holdings' && isOf(id, await readValues(reference))
  }

  /** The values of a record, or those that it had last. */
  const lastValues = async (reference: Reference): Promise<RecordValues | undefined> =>
    (await valuesOf(stored, reference)) ?? findDeletion(await readHistory(reference))?.before

  /** The holding that an identifier leads to after a merge; undefined without one. */
  async function mergedInto(
    { into }: RecordWrite,
    writes: readonly RecordWrite[],
  ): Promise<RecordValues | undefined> {
    if (into === undefined) return undefined
    const write = writes.find(({ reference }) => reference.id === into)
    return write ? write.after : valuesOf(stored, { target: 'holdings', id: into })
  }

  return {
    async checkWrites(account, writes) {
      const id = await boundTo(account)
      if (id === undefined) return
      for (const write of writes) {
        const { reference, before, after } = write
        const holdings = [before, after, await mergedInto(write, writes)]
        if (reference.target !== 'holdings' || !holdings.every((values) => isOf(id, values)))
          throw new ForbiddenError()
      }
    },
    async checkRecord(account, reference, state) {
      if (!(await mayWrite(account, reference, (other) => valuesOf(state, other))))
        throw new ForbiddenError()
    },
    mayWriteRecord: (account, reference) => mayWrite(account, reference, lastValues),
  }
}

/** Whether a holding is one of the repository, or does not exist. */
const isOf = (repository: string, values: RecordValues | undefined): boolean =>
  !values || textValue(values, 'repository_id') === repository
