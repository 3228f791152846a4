// The catalogue: lists, reads, creates, replaces, changes and removes records. It is put together
// here from its parts. It knows no HTTP: it takes parsed JSON, returns records, and throws errors.

import type { IsCurrent } from '../lib/cache.js'
import type { Iris } from '../model/iris.js'
import type { RdfMapper } from '../model/record/rdf-mapper.js'
import type { Resources } from '../model/resources.js'
import type { Validator } from '../model/validation/validator.js'
import type { BatchLog } from '../store/key-value/batch-log.js'
import type { ChangeLog } from '../store/key-value/change-log.js'
import {
  type ForgottenIdentifiers,
  noForgottenIdentifiers,
} from '../store/key-value/forgotten-identifiers.js'
import type { UnfinishedRedactions } from '../store/key-value/unfinished-redactions.js'
import type { Store } from '../store/store.js'
import type { Clock } from './clock.js'
import { type Duplicates, createDuplicates } from './duplicates.js'
import { type HiddenRecords, noHiddenRecords } from './records/hidden-records.js'
import { type KeptValues, createKeptValues } from './kept-values.js'
import { type ShelfOrder, createShelfOrder } from './shelf-order.js'
import { createListCounts } from './lists/list-counts.js'
import { createListPages } from './lists/list-pages.js'
import { createListStreams } from './lists/list-streams.js'
import { createListValues } from './lists/list-values.js'
import {
  type CuratedListLookup,
  type CuratedListReads,
  createCuratedListReads,
  noCuratedListLookup,
} from './lists/curated-list-reads.js'
import { createListSpecs } from './lists/list-specs.js'
import type { Lists } from './lists.js'
import { createSearchPages } from './lists/search-pages.js'
import { type RecordReads, createRecordReads } from './record-reads.js'
import { type FormerSeries, findPresentSeries, noFormerSeries } from './former-series.js'
import { createHistoryReader } from './history/record-history.js'
import { JsonCache } from './records/json-cache.js'
import { createRecordReader } from './records/record-cache.js'
import type { Redirects } from './redirects.js'
import { createReferenceResolver } from './records/resolve-references.js'
import { type Revision, currentUntilWrite } from './revision.js'
import { type WordMarking, createWordMarking } from './search/word-marks.js'
import type { RecordIndex } from './sparql-record-index.js'
import { type Attachments, noAttachments } from './writes/attachments.js'
import { type Batches, createBatches } from './writes/batches.js'
import { type CodeUses, createCodeUses } from './writes/code-uses.js'
import { createCommitter } from './writes/committer.js'
import { type ImportWrites, createImportWrites } from './writes/import-writes.js'
import { type LibraryGuard, type RepositoryOf, createLibraryGuard } from './writes/library-guard.js'
import { createLocks } from './writes/locks.js'
import { createExclusiveRunner } from './writes/exclusive-work.js'
import { MergePlans } from './writes/merge-plans.js'
import { type Merges, createMerges } from './writes/merges.js'
import { type BringBackTerms, PlannedWrites } from './writes/planned-writes.js'
import { createStoredState } from './writes/record-state.js'
import { type RecordWrites, createRecordWrites } from './writes/record-writes.js'
import { Forgettings } from './writes/forgettings.js'
import { RedactionCompletion, type Removals } from './writes/redaction-completion.js'
import { Redactions } from './writes/redactions.js'
import { type Restores, createRestores, createUndoPlanner } from './writes/restores.js'
import { UndoPlans } from './writes/undo.js'
import { createRecordValidation } from './writes/validation.js'

export type Catalogue = Lists &
  CuratedListReads &
  WordMarking &
  Duplicates &
  KeptValues &
  ShelfOrder &
  RecordReads &
  RecordWrites &
  Merges &
  Restores &
  Pick<Redactions, 'redact'> &
  Pick<Forgettings, 'forget'> &
  Batches &
  CodeUses &
  ImportWrites & {
    /**
     * Whether what is read from now on is current: until the next write. Where other processes
     * write too, of which this one is not told, it is current for `maxAgeMs` milliseconds.
     */
    currentUntilNextWrite(maxAgeMs?: number): IsCurrent
    /** The slug of the series that a former one became; undefined where that is not known. */
    presentSeries(slug: string): Promise<string | undefined>
    /**
     * Whether the account may write this record, as far as the library that it is bound to decides.
     */
    readonly mayWriteRecord: LibraryGuard['mayWriteRecord']
    /** Goes on with what was begun to be removed for good, and not finished. */
    finishRedactions(): Promise<void>
    /** When the oldest write that is under way was asked for, in milliseconds since 1970. */
    readonly oldestWrite: () => number | undefined
    /** Lets no further write begin, and resolves when none is under way. */
    readonly close: () => Promise<void>
  }

export type CatalogueDependencies = {
  readonly store: Store
  readonly changeLog: ChangeLog
  readonly batchLog: BatchLog
  readonly unfinishedRedactions: UnfinishedRedactions
  /** None without it. */
  readonly forgottenIdentifiers?: ForgottenIdentifiers
  readonly recordIndex: RecordIndex
  /** What belongs to records besides their fields; nothing without it. */
  readonly attachments?: Attachments
  readonly formerSeries?: FormerSeries
  /** The lists that the filter `list` knows; none without it. */
  readonly curatedLists?: CuratedListLookup
  /** Nothing is hidden without them. */
  readonly hiddenRecords?: HiddenRecords
  readonly redirects: Redirects
  /** That of the store, which is told of its commits. */
  readonly revision: Revision
  readonly iris: Iris
  readonly resources: Resources
  readonly mapper: RdfMapper
  readonly validator: Validator
  readonly repositoryOf: RepositoryOf
  /** Adds terms again that went with records, since values with these codes come back. */
  readonly bringBackTerms?: BringBackTerms
  /** Called with the identifier of a batch when it is undone. */
  readonly onBatchUndone?: (id: string) => Promise<void>
  /** What keeps something besides records and the log; nothing without it. */
  readonly removals?: Removals
  /** The time of the next write, later than any before; see `createMonotonicClock`. */
  readonly now: Clock
}

export function createCatalogue(dependencies: CatalogueDependencies): Catalogue {
  const { changeLog, resources, revision, validator } = dependencies
  const { attachments = noAttachments, formerSeries = noFormerSeries } = dependencies
  const { forgottenIdentifiers = noForgottenIdentifiers } = dependencies
  const { removals = noRemovals } = dependencies
  const { hiddenRecords = noHiddenRecords } = dependencies
  const { curatedLists = noCuratedListLookup } = dependencies
  const { curatedRecords, ...listReads } = createCuratedListReads({
    ...dependencies,
    curatedLists,
  })
  const { specOf } = createListSpecs({ ...dependencies, curatedRecords })
  const shared = {
    ...dependencies,
    forgottenIdentifiers,
    hiddenRecords,
    locks: createLocks(),
    specOf,
  }
  const records = createRecordReader(shared)
  const resolve = createReferenceResolver(records, resources)
  const jsonCache = new JsonCache({ resources, revision, records, resolve })
  const reads = createRecordReads({ ...shared, records, resolve, jsonCache })
  const stored = createStoredState({ ...shared, records, reads })
  const validate = createRecordValidation({ ...shared, validator })
  const plans = new PlannedWrites({ ...shared, validate })
  const runExclusively = createExclusiveRunner({ ...shared, stored })
  const readHistory = createHistoryReader({ changeLog, records })
  const guard = createLibraryGuard({ ...shared, stored, readHistory })
  const commit = createCommitter({ ...shared, attachments, formerSeries, stored, guard })
  const writing = { ...shared, runExclusively, stored, plans, guard, commit }
  const completion = new RedactionCompletion({ ...shared, attachments, removals })
  const redactions = new Redactions({ ...writing, completion })
  const forgettings = new Forgettings({ ...writing, formerSeries, completion })
  const mergePlans = new MergePlans({ ...shared, plans })
  const undoPlans = new UndoPlans({ resources, plans, mergePlans })
  const planUndo = createUndoPlanner({ changeLog, resources, readHistory, undoPlans })
  const duplicates = createDuplicates({ ...shared, currentUntilNextWrite })
  const reading = { ...shared, records, resolve, jsonCache }
  const streams = createListStreams(reading)
  const keptValues = createKeptValues(currentUntilNextWrite)
  return {
    ...streams,
    ...createListPages(reading),
    ...createListCounts(shared),
    ...createListValues(shared),
    ...createSearchPages(reading),
    ...createWordMarking({ resources, reads, lists: streams }),
    ...duplicates,
    ...keptValues,
    ...createShelfOrder({ ...shared, ...keptValues }),
    ...reads,
    ...createRecordWrites({ ...writing, reads }),
    ...createMerges({ ...writing, mergePlans, forgettings, completion, reads }),
    ...createRestores({ ...writing, readHistory, undoPlans, planUndo }),
    ...createBatches({ ...writing, planUndo }),
    ...createCodeUses({ ...writing, ...duplicates, attachments }),
    ...createImportWrites({ ...writing, planUndo }),
    redact: (reference, redaction, source) => redactions.redact(reference, redaction, source),
    forget: (reference, source) => forgettings.forget(reference, source),
    finishRedactions: () => completion.completeThose(() => true).then(() => undefined),
    ...listReads,
    currentUntilNextWrite,
    presentSeries: (slug) => findPresentSeries({ formerSeries, reads }, slug),
    mayWriteRecord: guard.mayWriteRecord,
    oldestWrite: shared.locks.oldestStart,
    close: shared.locks.close,
  }

  function currentUntilNextWrite(maxAgeMs = 0): IsCurrent {
    const isCurrent = currentUntilWrite(revision)
    if (isCurrent()) return isCurrent
    const readAt = revision.current()
    const end = performance.now() + maxAgeMs
    // The writes of this process are known at once.
    return () => revision.current() === readAt && performance.now() < end
  }
}

const noRemovals: Removals = {
  redact: () => Promise.resolve(),
  forget: () => Promise.resolve(),
}
