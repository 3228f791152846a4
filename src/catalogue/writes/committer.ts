// Commits planned writes, with their entries in the log of changes. The store tells all that have
// to know of it, such as the index of lists (store/commit-listeners.ts).

import type { Iris } from '../../model/iris.js'
import type { RdfMapper } from '../../model/record/rdf-mapper.js'
import { redirectQuads } from '../../model/record/redirect.js'
import { textValue } from '../../model/record/values.js'
import type { Resources } from '../../model/resources.js'
import { createYielder } from '../../lib/scheduling.js'
import type { Change, RecordChangeType } from '../../store/key-value/change-log.js'
import type { KeyValueWrite } from '../../lib/key-value/key-value-store.js'
import type { Store, StoreChange } from '../../store/store.js'
import type { Clock } from '../clock.js'
import type { FormerSeries } from '../former-series.js'
import { differenceBetween } from '../history/value-differences.js'
import { recordKey } from '../records/record-cache.js'
import type { Revision } from '../revision.js'
import type { Attachments } from './attachments.js'
import type { LibraryGuard } from './library-guard.js'
import type { RecordWrite } from './record-state.js'

/** How a change comes into the catalogue. */
type ChangeMethod =
  'api' | 'page' | 'load' | 'import' | 'batch' | 'merge' | 'restore' | 'undo' | 'redaction'

/** Who makes a change, and how. */
export type ChangeSource = {
  /** The name of the account; absent where none is used, as by `load`. */
  readonly account?: string | undefined
  readonly how: ChangeMethod
  /** The identifier of the batch that the change belongs to. */
  readonly batch?: string | undefined
}

/**
 * Commits all writes or none.
 * @param entries further entries of the key-value store, which are written with them
 * @throws ForbiddenError if the account may not write one of the records
 * @throws the errors of `Store.commit`
 */
export type CommitWrites = (
  writes: readonly RecordWrite[],
  source: ChangeSource,
  entries?: readonly KeyValueWrite[],
) => Promise<void>

type CommitterDependencies = {
  readonly store: Store
  /** What belongs to records besides their fields. */
  readonly attachments: Attachments
  readonly formerSeries: Pick<FormerSeries, 'entriesOf'>
  readonly revision: Revision
  readonly iris: Iris
  readonly resources: Resources
  readonly mapper: RdfMapper
  readonly guard: LibraryGuard
  readonly now: Clock
}

export function createCommitter({
  store,
  attachments,
  formerSeries,
  revision,
  iris,
  resources,
  mapper,
  guard,
  now,
}: CommitterDependencies): CommitWrites {
  const quadsOf = ({ reference, after, into, isForgotten }: RecordWrite) =>
    into === undefined || isForgotten
      ? after && mapper.toQuads(resources[reference.target], after)
      : redirectQuads(iris, reference, into)

  return async (writes, source, entries = []) => {
    await guard.checkWrites(source.account, writes)
    const deletedAt = writes.some(({ after }) => !after) ? now() : ''
    const changes: StoreChange[] = []
    const maybeYield = createYielder()
    for (const write of writes) {
      changes.push({
        key: recordKey(write.reference),
        quads: quadsOf(write),
        isNew: write.before === undefined && write.intoBefore === undefined,
        change: describeChange(write, source, deletedAt),
      })
      await maybeYield()
    }
    try {
      await store.commit(changes, [
        ...entries,
        ...attachments.plan(writes, source),
        ...formerSeries.entriesOf(writes),
      ])
    } catch (error) {
      // How much of the commit was written, and who was told of it, may not be known.
      revision.onWrite(changes.map(({ key }) => key))
      throw error
    }
  }
}

/** What the log says of a write. */
function describeChange(
  { before, after, into, intoBefore, isForgotten }: RecordWrite,
  { account, how, batch }: ChangeSource,
  deletedAt: string,
): Change {
  if (isForgotten)
    return {
      at: deletedAt,
      ...(account === undefined ? {} : { account }),
      how,
      change: 'forgotten',
    }
  return {
    at: after ? textValue(after, 'updated_at') : deletedAt,
    ...(account === undefined ? {} : { account }),
    how,
    change: changeType({ before, after, into }),
    ...(into === undefined ? {} : { into }),
    ...(intoBefore === undefined ? {} : { intoBefore }),
    ...(batch === undefined ? {} : { batch }),
    ...(before ? { before: differenceBetween(before, after ?? {}) } : {}),
  }
}

export function changeType({
  before,
  after,
  into,
}: Pick<RecordWrite, 'before' | 'after'> & {
  readonly into?: string | undefined
}): RecordChangeType {
  if (into !== undefined) return 'merged'
  if (!after) return 'deleted'
  return before ? 'updated' : 'created'
}
