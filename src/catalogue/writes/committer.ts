// Commits planned writes, with their entries in the log of changes. The store tells all that have
// to know of it, such as the index of lists (store/commit-listeners.ts).

import type { Iris } from '../../model/iris.js'
import type { RdfMapper } from '../../model/record/rdf-mapper.js'
import { redirectQuads } from '../../model/record/redirect.js'
import { textValue } from '../../model/record/values.js'
import type { Resources } from '../../model/resources.js'
import { createYielder } from '../../lib/scheduling.js'
import type { Change, KeyedChange, RecordChangeType } from '../../store/key-value/change-log.js'
import type { KeyValueWrite } from '../../lib/key-value/key-value-store.js'
import type { Store, StoreChange } from '../../store/store.js'
import type { Clock } from '../clock.js'
import type { FormerSeries } from '../former-series.js'
import { differenceBetween } from '../history/value-differences.js'
import type { HiddenRecords } from '../records/hidden-records.js'
import { recordKey } from '../records/record-cache.js'
import type { Revision } from '../revision.js'
import type { Attachments } from './attachments.js'
import type { LibraryGuard } from './library-guard.js'
import { Publication, type PublishedWrite } from './publication.js'
import type { RecordState, RecordWrite } from './record-state.js'

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
  readonly hiddenRecords: HiddenRecords
  readonly stored: RecordState
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
  hiddenRecords,
  stored,
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
    const publication = await Publication.of({ resources, hiddenRecords, stored }, writes)
    const published = publication.writes()
    const isTimeless = ({ write, isDerived }: PublishedWrite) => isDerived || !write.after
    const at = published.some(isTimeless) ? now() : ''
    const changes: StoreChange[] = []
    const hidden: KeyedChange[] = []
    const maybeYield = createYielder()
    for (const publishedWrite of published) {
      const { shown } = publishedWrite
      const key = recordKey(publishedWrite.write.reference)
      const change = describeChange(publishedWrite, source, at)
      if (shown)
        changes.push({
          key,
          quads: quadsOf(shown),
          isNew: shown.before === undefined && shown.intoBefore === undefined,
          change,
        })
      // Nothing is left to say of a hidden record that is forgotten.
      else if (change.change !== 'forgotten') hidden.push({ record: key, ...change })
      await maybeYield()
    }
    const all = [
      ...entries,
      ...attachments.plan(writes, source),
      ...formerSeries.entriesOf(published.flatMap(({ shown }) => shown ?? [])),
      ...(await publication.entries(now)),
    ]
    try {
      await store.commit(changes, all, hidden)
    } catch (error) {
      // How much of the commit was written, and who was told of it, may not be known.
      revision.onWrite(changes.map(({ key }) => key))
      throw error
    }
  }
}

/**
 * What the log says of a write. What the public may know of it is as the public sees it.
 * @param at the time of what does not say it
 */
function describeChange(
  { write, shown, turned, isDerived }: PublishedWrite,
  { account, how, batch }: ChangeSource,
  at: string,
): Change {
  const { before, after, into, intoBefore, isForgotten } = write
  if (isForgotten)
    return {
      at,
      ...(account === undefined ? {} : { account }),
      how,
      change: 'forgotten',
    }
  return {
    at: after && !isDerived ? textValue(after, 'updated_at') : at,
    ...(account === undefined ? {} : { account }),
    how,
    change: changeType(shown ?? write),
    ...(turned === undefined ? {} : { turned }),
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
