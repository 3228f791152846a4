// Imports of what libraries have: a source is read, its rows are mapped by a profile, decisions are made, a
// preview tells what would be written, and it is written as a batch that can be taken back (docs/import.md).
// Long work goes on while other requests are answered; how far it is, is part of the import.

import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'

import type { Catalogue } from '../catalogue/catalogue.js'
import { type UndoConflict, fullDiskError } from '../catalogue/errors.js'
import { recordKey } from '../catalogue/records/record-cache.js'
import type { Redaction } from '../catalogue/writes/redaction.js'
import type { Reference } from '../model/record/views.js'
import type { ImportRequest, RowChange, RowResult } from '../catalogue/writes/import-writes.js'
import type { Resources } from '../model/resources.js'
import { LocalTermError } from '../model/declarations/local-terms.js'
import { type TextRemoval, createTextRemoval } from '../model/text-removal.js'
import type { Vocabulary } from '../model/vocabulary.js'
import { unlessAborted } from '../scheduling.js'
import type { BatchLog } from '../store/key-value/batch-log.js'
import type { ChangeLog } from '../store/key-value/change-log.js'
import type { KeyValueWrite } from '../store/key-value/key-value-store.js'
import {
  type Analysis,
  type CollectedRows,
  type Matchers,
  analyseRows,
  collectRows,
  collectedBy,
  matchersFor,
} from './analysis.js'
import { type Comparisons, createComparisons } from './comparisons.js'
import {
  ImportChangedError,
  ImportNotFoundError,
  ImportStateError,
  PreviewOutdatedError,
} from './errors.js'
import type { KnownRecords } from './identities.js'
import type { ImportFiles } from './import-files.js'
import {
  type HarvestAddress,
  type Import,
  type ImportPreview,
  type ImportState,
  type ImportStore,
  type ImportedRow,
  type ImportedChange,
  busyStates,
  importEntry,
  rowEntries,
  sourceNameOf,
  sourceSlug,
  withoutTextIn,
} from './import-state.js'
import { placeholdersOf } from './mapping/identifiers.js'
import { keepDecisions } from './mapping/keep-decisions.js'
import {
  type OverwrittenDecision,
  ProfileError,
  mergeProfile,
  findOverwritten,
} from './mapping/profile-parser.js'
import { proposeProfile } from './mapping/propose-profile.js'
import type { NewTerm } from './mapping/record-builder.js'
import { checkNewTerms, withKnownTerms } from './new-terms.js'
import { type PlanRow, type PlannedRow, createRowPlanner } from './planner.js'
import {
  type PreviewedRow,
  addCounts,
  fieldsOf,
  inParts,
  notesOf,
  outcomeOf,
  previewRows,
  reasonsOf,
} from './preview.js'
import type { Profile } from './profile.js'
import { isOwnProfile } from './profiles/own-formats.js'
import { createRecentResults } from './recent-results.js'
import { SourceError } from './sources/errors.js'
import { harvest } from './sources/harvest.js'
import { readRows } from './sources/read-rows.js'
import { recognizeSource } from './sources/recognize.js'
import { type SourceReport, describeSource } from './sources/report.js'
import type { RecognizedSource, SourceOptions, SourceRow } from './sources/source.js'

type NewImport = {
  /** The name of the file. */
  readonly name: string
  /** The name of the source; else one is proposed. */
  readonly sourceName?: string | undefined
  readonly bytes: Readable
  /** The profile, if one is chosen; else one is proposed. */
  readonly profile?: Profile | undefined
  readonly account: string | undefined
}

type NewHarvest = Pick<NewImport, 'sourceName' | 'profile' | 'account'> & {
  readonly address: HarvestAddress
}

type ChangeOptions = {
  /** The revision that the caller saw, if it matters. */
  readonly revision?: number | undefined
  /** Another name for the source. */
  readonly sourceName?: string | undefined
}

type ChangedImport = Import & {
  /** What was decided before and is decided otherwise now. */
  readonly overwritten: readonly OverwrittenDecision[]
}

export type Imports = {
  /** Saves a source and begins to read it. @throws SourceError, SourceTooLargeError */
  create(source: NewImport): Promise<Import>
  /** Begins to fetch the records of another catalogue. */
  harvest(source: NewHarvest): Promise<Import>
  /** @throws ImportNotFoundError */
  get(id: string): Promise<Import>
  /** The newest first. */
  all(): Promise<readonly Import[]>
  /**
   * Changes parts of the profile. Other options of the source make it read again.
   * @throws ImportNotFoundError, ImportStateError, ImportChangedError, ProfileError
   */
  change(
    id: string,
    patch: ReadonlyMap<string, unknown>,
    options?: ChangeOptions,
  ): Promise<ChangedImport>
  /** What the source was recognized as, with rows before and after decoding. @throws ImportNotFoundError */
  describe(id: string): Promise<SourceReport>
  /** The fields, names and terms of all rows. @throws ImportNotFoundError, ImportStateError */
  analyse(id: string): Promise<Analysis>
  /** What finds the makers and terms of the catalogue by their names. */
  matchers(): Promise<Matchers>
  /** Begins to find out what the import would do. @throws ImportNotFoundError, ImportStateError */
  preview(id: string, request: ImportRequest): Promise<Import>
  /** The rows that the preview lists. @throws ImportNotFoundError when there is no preview */
  previewedRows(id: string): AsyncIterable<PreviewedRow>
  /**
   * Begins to write what the preview said.
   * @param hash that of the preview that the caller saw, if it matters
   * @throws ImportNotFoundError, ImportStateError, ImportChangedError without such a preview
   */
  commit(id: string, request: ImportRequest, hash?: string): Promise<Import>
  /** Begins to take back what was written. @throws ImportNotFoundError, ImportStateError */
  undo(id: string, request: ImportRequest): Promise<Import>
  /** What became of rows, or by the preview would: all rows once it is written. @throws ImportNotFoundError */
  reportedRows(id: string): AsyncIterable<ImportedRow>
  /** The row that made or changed a record; undefined if none did. */
  rowOf(id: string, record: string): Promise<ImportedRow | undefined>
  /** Removes an import with its source and rows; its records stay. A harvest is stopped. @throws ImportNotFoundError, ImportStateError */
  remove(id: string): Promise<void>
  /**
   * Removes a redacted value, or all that was kept of the past of a record, from sources, rows and decisions. The work
   * of imports that may have it ends.
   */
  forget(records: readonly Reference[], redaction: Redaction): Promise<void>
  /** Removes the imports that were begun before a time and are done, and whose batches are in no history any more. */
  forgetBefore(time: string): Promise<void>
  /** Waits until the work that goes on for an import is done, or for so many milliseconds. */
  settled(id: string, ms: number): Promise<void>
  readonly profiles: Pick<ImportStore, 'profiles' | 'saveProfile' | 'removeProfile'>
}

type ImportsDependencies = {
  readonly store: ImportStore
  readonly files: ImportFiles
  readonly catalogue: Catalogue
  readonly changeLog: Pick<ChangeLog, 'last'>
  readonly batchLog: Pick<BatchLog, 'get'>
  readonly resources: Resources
  readonly vocabularies: readonly Vocabulary[]
  /** Adds terms to an own vocabulary of the institution, unless it has them. */
  readonly addTerms: (
    vocabulary: string,
    terms: readonly Pick<NewTerm, 'code' | 'label'>[],
  ) => Promise<void>
  /** The hosts in private networks that may be harvested. */
  readonly harvestHosts: readonly string[]
  /** Aborted when the service stops: no work goes on. */
  readonly stopping: AbortSignal
  /** Called with errors that are nobody's input. */
  readonly onError: (error: unknown) => void
}

/** How many rows a profile is proposed from. */
const sampleRows = 500

/** Loads the imports. Work that the end of the process interrupted is not begun again by itself. */
export async function loadImports(dependencies: ImportsDependencies): Promise<Imports> {
  const { store, files, catalogue, changeLog, batchLog, resources, addTerms, onError, stopping } =
    dependencies
  const comparisons: Comparisons = createComparisons(dependencies)
  const working = new Map<string, Promise<void>>()
  /** What stops harvests, by import. */
  const harvesting = new Map<string, AbortController>()
  /** The last analyses, by import and revision. */
  const analyses = createRecentResults<Analysis>()
  /** The last reports of sources, by import and options. */
  const reports = createRecentResults<SourceReport>()
  /** What their rows have, which is kept while only decisions change. */
  const collections = createRecentResults<CollectedRows>()
  /** The imports whose work is to end. */
  const ending = new Set<string>()
  /** The imports whose source is being sent. */
  const sending = new Set<string>()

  for (const one of await store.all())
    if (busyStates.includes(one.state)) await store.put(interrupted(one, stoppedMessage))

  async function get(id: string): Promise<Import> {
    const found = await store.get(id)
    if (!found) throw new ImportNotFoundError()
    return found
  }

  /** The short work that was asked for last, by import: it is done after all that was asked for before. */
  const waiting = new Map<string, Promise<unknown>>()

  function inTurn<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    const before = waiting.get(id) ?? Promise.resolve()
    const result = before
      .catch(() => undefined)
      .then(work)
      .finally(() => {
        if (waiting.get(id) === result) waiting.delete(id)
      })
    waiting.set(id, result)
    return result
  }

  /** Begins work while nothing else is asked for. @throws ImportStateError */
  function alone<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    return waiting.has(id)
      ? Promise.reject(new ImportStateError('being changed'))
      : inTurn(id, work)
  }

  /** @throws ImportStateError unless the import is in one of these states */
  async function getIn(id: string, states: readonly ImportState[]): Promise<Import> {
    const found = await get(id)
    if (working.has(id) || !states.includes(found.state)) throw new ImportStateError(found.state)
    return found
  }

  /** Does long work on an import, which says how far it is. An error ends it in the state `failing`. */
  async function begin(
    one: Import,
    failing: ImportState,
    work: (report: (progress: Import['progress']) => void) => Promise<Import>,
  ): Promise<Import> {
    await store.put(one)
    progresses.set(one.id, one.progress ?? { done: 0, total: one.rows })
    const result = work((progress) => {
      stopping.throwIfAborted()
      if (ending.has(one.id)) throw new InterruptedError()
      progresses.set(one.id, progress)
    })
    const done = unlessAborted(result, stopping)
      .catch(async (error: unknown) => {
        if (stopping.aborted) return undefined
        const known = await get(one.id)
        if (error instanceof InterruptedError) return interrupted(known, endedMessage)
        return { ...known, state: failing, message: messageFor(error) }
      })
      .then(async (result) => {
        if (result) await store.put({ ...result, progress: undefined })
      })
      .catch(onError)
      .finally(() => {
        working.delete(one.id)
        progresses.delete(one.id)
      })
    working.set(one.id, done)
    return withProgress(one)
  }

  const progresses = new Map<string, Import['progress']>()

  /** What an error of long work is called; those that are nobody's input are also logged. */
  function messageFor(error: unknown): string {
    if (fullDiskError(error)) return 'The disk is full.'
    if (error instanceof Error && knownErrors.some((kind) => error instanceof kind))
      return error.message
    onError(error)
    return 'An error happened, which is in the log of the service.'
  }

  function newImport(
    name: string,
    { account, profile = emptyProfile, sourceName }: Omit<NewImport, 'name' | 'bytes'>,
    address?: HarvestAddress,
  ): Import {
    return {
      id: randomUUID().slice(0, 8),
      createdAt: new Date().toISOString(),
      ...(account === undefined ? {} : { account }),
      name,
      sourceName: sourceNameOf({ name, sourceName, harvest: address }),
      ...(address ? { harvest: address } : {}),
      bytes: 0,
      state: 'reading',
      rows: 0,
      revision: 1,
      profile,
    }
  }

  async function create({ name, bytes, ...more }: NewImport): Promise<Import> {
    const one = newImport(name, more)
    const { profile } = more
    sending.add(one.id)
    try {
      const saved = { ...one, bytes: await files.saveSource(one.id, bytes) }
      const recognized = await recognize(saved)
      return await begin({ ...saved, recognized }, 'failed', (report) =>
        readSource({ ...saved, recognized }, recognized, report, profile === undefined),
      )
    } catch (error) {
      await files.remove(one.id)
      throw error
    } finally {
      sending.delete(one.id)
    }
  }

  const recognize = ({ id, name, profile }: Import): Promise<RecognizedSource> =>
    recognizeSource({ path: files.source(id), name }, profile.source)

  /** Decodes all rows, and proposes a profile if none was chosen. */
  async function readSource(
    one: Import,
    recognized: RecognizedSource,
    report: (progress: Import['progress']) => void,
    isProposed: boolean,
  ): Promise<Import> {
    const path = files.source(one.id)
    const samples = await firstRows(readRows(path, recognized.options), sampleRows)
    const chosen = isProposed
      ? await withFormerIdentifiers(proposeProfile(recognized, samples, resources), one, samples)
      : one.profile
    // Our own formats have nothing to repair, where nobody asks for it.
    const repair = one.profile.source.repair ?? (!isOwnProfile(chosen) && recognized.options.repair)
    const options = { ...recognized.options, repair }
    const rows = await files.saveRows(one.id, readRows(path, options), (done) => {
      if (done % 1000 === 0) report({ done, total: 0 })
    })
    return {
      ...one,
      state: 'open',
      recognized: { ...recognized, options },
      rows,
      profile: { ...chosen, source: options },
    }
  }

  /** Decodes all rows in another way, and keeps what was decided as far as it still applies. */
  async function readAgain(
    before: Import,
    one: Import,
    recognized: RecognizedSource,
    report: (progress: Import['progress']) => void,
  ): Promise<Import> {
    const was = await fieldNames(before.recognized, files.rows(one.id))
    const read = await readSource(one, recognized, report, true)
    const { profile, dropped } = keepDecisions({
      decided: one.profile,
      proposed: read.profile,
      before: was,
      now: await fieldNames(read.recognized, files.rows(one.id)),
      hasSameRows: hasSameRows(before.recognized?.options, read.recognized?.options),
    })
    const message =
      dropped.length === 0
        ? undefined
        : `Some of what was decided no longer applies and was dropped: ${dropped.join('; ')}.`
    return { ...read, profile, message }
  }

  /** The written imports of a source, the newest first. */
  const importsOf = async (sourceName: string): Promise<readonly Import[]> =>
    (await store.all()).filter(
      (one) => one.batch !== undefined && sourceSlug(sourceNameOf(one)) === sourceSlug(sourceName),
    )

  /** Identifiers that are made as those of the last import of the source, so that its records are found again. */
  async function withFormerIdentifiers(
    profile: Profile,
    one: Import,
    samples: readonly SourceRow[],
  ): Promise<Profile> {
    const [former] = (await importsOf(sourceNameOf(one))).filter(({ id }) => id !== one.id)
    const wanted = placeholdersOf(former?.profile.identifiers.zines ?? '')
    const names = new Set(samples.flatMap(({ fields }) => fields.map(({ name }) => name)))
    const isOfNumbers =
      wanted.length > 0 && wanted.every((name) => names.has(name.replace(/\$.*$/, '')))
    return former && isOfNumbers && !isOwnProfile(profile)
      ? { ...profile, identifiers: former.profile.identifiers }
      : profile
  }

  /** The keys of the records that an import made, and did not find. */
  async function madeBy(id: string): Promise<ReadonlySet<string>> {
    const changes = [...(await store.changesOf(id))]
    return new Set(changes.flatMap(([record, change]) => (change === 'created' ? [record] : [])))
  }

  /** The keys of the records that an import made, and of those that all imports of its source made. */
  async function madeRecords(one: Import): Promise<Pick<KnownRecords, 'ofSource' | 'ofImport'>> {
    const ofImport = await madeBy(one.id)
    const ofSource = new Set(ofImport)
    for (const { id } of await importsOf(sourceNameOf(one)))
      for (const record of await madeBy(id)) ofSource.add(record)
    return { ofImport, ofSource }
  }

  async function startHarvest({ address, ...more }: NewHarvest): Promise<Import> {
    const { profile } = more
    const one = newImport(address.url, more, address)
    const started: Import = { ...one, state: 'harvesting' }
    const stop = new AbortController()
    harvesting.set(one.id, stop)
    return begin(started, 'failed', async (report) => {
      await files.make(one.id)
      const { responseDate } = await harvest(address, {
        path: files.source(one.id),
        allowedHosts: dependencies.harvestHosts,
        onProgress: (done) => report({ done, total: 0 }),
        signal: AbortSignal.any([stop.signal, stopping]),
      }).finally(() => harvesting.delete(one.id))
      const source = { type: 'oai-pmh' } as const
      const saved = {
        ...started,
        harvest: { ...address, harvestedAt: responseDate },
        profile: { ...one.profile, source },
      }
      const recognized = await recognize(saved)
      return readSource(saved, recognized, report, profile === undefined)
    })
  }

  async function change(
    id: string,
    patch: ReadonlyMap<string, unknown>,
    { revision, sourceName }: ChangeOptions = {},
  ): Promise<ChangedImport> {
    const one = await getIn(id, changeableStates)
    if (revision !== undefined && revision !== one.revision) throw new ImportChangedError()
    const merged = mergeProfile(one.profile, Object.fromEntries(patch), resources)
    const profile = { ...merged, source: withoutOldHead(one.profile, merged, patch) }
    const overwritten = findOverwritten(Object.fromEntries(patch), one.profile, profile)
    const changed: Import = {
      ...one,
      ...(sourceName === undefined ? {} : { sourceName }),
      profile,
      state: 'open',
      revision: one.revision + 1,
      preview: undefined,
      message: undefined,
    }
    if (JSON.stringify(profile.source) === JSON.stringify(one.profile.source)) {
      await store.put(changed)
      return { ...changed, overwritten }
    }
    const recognized = await recognize(changed)
    const begun = await begin({ ...changed, recognized, state: 'reading' }, 'failed', (report) =>
      readAgain(one, changed, recognized, report),
    )
    return { ...begun, overwritten }
  }

  async function describe(id: string): Promise<SourceReport> {
    const { recognized } = await get(id)
    if (!recognized || !(await files.hasSource(id))) throw new ImportNotFoundError()
    const key = `${id} ${JSON.stringify(recognized.options)}`
    return reports.get(key, () => describeSource(files.source(id), recognized.options))
  }

  async function analyse(id: string): Promise<Analysis> {
    const one = await get(id)
    if (one.recognized === undefined || one.state === 'reading' || one.state === 'failed')
      throw new ImportStateError(one.state)
    if (!(await files.hasSource(id))) throw new ImportNotFoundError()
    const key = `${id} ${one.revision} ${changeLog.last()}`
    return analyses.get(key, async () => {
      const comparison = await comparisons.forNames(await madeBy(id))
      return analyseRows({
        collected: await collect(one),
        rows: () => files.rows(id),
        profile: one.profile,
        comparison,
      })
    })
  }

  function collect({ id, profile, recognized }: Import): Promise<CollectedRows> {
    const key = `${id} ${collectedBy(profile)}`
    const columns = recognized?.columns ?? []
    return collections.get(key, () => collectRows(files.rows(id), columns, profile, resources))
  }

  /** What makes records of the rows, with all decisions, and compares them with the catalogue. */
  async function makePlanner(one: Import, request: ImportRequest): Promise<PlanRow> {
    const { decisions } = await analyse(one.id)
    const made = await madeRecords(one)
    const { duplicates, ...known } = await comparisons.forDuplicates(made.ofImport)
    const mayAdd = await mayAddTerms(request)
    return createRowPlanner({
      profile: one.profile,
      decisions,
      resources,
      columns: one.recognized?.columns ?? [],
      isTermAllowed: (term) => mayAdd || !isNewTerm(term),
      duplicates,
      known: { ...known, ...made },
      origin: { source: sourceSlug(sourceNameOf(one)), import: one.id },
    })
  }

  /** Only those who may write all zines add terms, which all zines can have. */
  const mayAddTerms = async ({ account, mayWrite }: ImportRequest): Promise<boolean> =>
    mayWrite('zines') &&
    (account === undefined || catalogue.mayWriteRecord(account, { target: 'zines', id: '' }))

  const isNewTerm = ({ vocabulary, code }: NewTerm): boolean =>
    !dependencies.vocabularies.find(({ name }) => name === vocabulary)?.find(code)

  /** Adds the terms of those rows that will be written. */
  async function addTermsOf(part: readonly PlannedRow[], request: ImportRequest): Promise<void> {
    const withNew = part.filter(({ newTerms }) => newTerms.some(isNewTerm))
    if (withNew.length === 0) return
    const planRows = withKnownTerms(resources, catalogue.planImport(request))
    const results = await planRows(part.flatMap(({ write }) => write ?? []))
    const refused = new Set(results.flatMap(({ error, number }) => (error ? [number] : [])))
    const written = withNew.filter(({ source }) => !refused.has(source.number))
    for (const [vocabulary, terms] of termsOf(written)) await addTerms(vocabulary, terms)
  }

  async function preview(id: string, request: ImportRequest): Promise<Import> {
    const one = await getIn(id, changeableStates)
    const started: Import = {
      ...one,
      state: 'previewing',
      message: undefined,
      progress: { done: 0, total: one.rows },
    }
    return begin(started, one.state, async (report) => ({
      ...started,
      state: one.state,
      preview: await makePreview(one, request, report),
    }))
  }

  async function makePreview(
    one: Import,
    request: ImportRequest,
    report: (progress: Import['progress']) => void,
  ): Promise<ImportPreview> {
    const position = changeLog.last()
    checkNewTerms(one.profile, dependencies.vocabularies)
    const plan = await makePlanner(one, request)
    const listed = await files.openPreview(one.id)
    try {
      const totals = await previewRows({
        rows: files.rows(one.id),
        plan,
        planRows: withKnownTerms(resources, catalogue.planImport(request)),
        onProgress: (done) => report({ done, total: one.rows }),
        onRow: (row) => listed.write(row),
      })
      return { revision: one.revision, position, ...totals }
    } finally {
      await listed.close()
    }
  }

  async function* previewedRows(id: string): AsyncGenerator<PreviewedRow> {
    const { preview: found } = await get(id)
    if (!found) throw new ImportNotFoundError()
    // The cast: `makePreview` wrote it.
    for await (const line of files.previewLines(id)) yield JSON.parse(line) as PreviewedRow
  }

  async function* reportedRows(id: string): AsyncGenerator<ImportedRow> {
    const one = await get(id)
    if (one.written) yield* store.rows(id)
    else if (one.preview)
      for await (const { number, fields, outcome, reasons, notes } of previewedRows(id))
        yield {
          number,
          fields,
          records: [],
          ...(outcome === 'refused' ? { refused: reasons } : {}),
          notes,
        }
  }

  async function commit(id: string, request: ImportRequest, hash?: string): Promise<Import> {
    const one = await getIn(id, changeableStates)
    if (!one.preview) throw new ImportStateError('without a preview')
    if (hash !== undefined && hash !== one.preview.hash) throw new ImportChangedError()
    // What was taken back is written again as a batch of its own.
    const batch = one.state === 'undone' ? undefined : one.batch
    const started: Import = {
      ...one,
      state: 'writing',
      message: undefined,
      batch: batch ?? randomUUID(),
      undo: undefined,
      kept: undefined,
      written: undefined,
      writtenTo: undefined,
      progress: { done: 0, total: one.rows },
    }
    const isResumed = one.state === 'stopped'
    return begin(started, 'stopped', (report) => writeRows(started, { request, isResumed, report }))
  }

  /** Writes all rows, part by part. What was written before a failure stays, and can be taken back. */
  async function writeRows(
    started: Import,
    { request, isResumed, report }: Writing,
  ): Promise<Import> {
    await checkPreview(started, request, report)
    const { id, batch = '' } = started
    const expected = await outcomesOf(id)
    const plan = await makePlanner(started, request)
    const done = createDoneChanges(await store.changesOf(id), isResumed)
    let one = started
    for await (const part of inParts(files.rows(id), plan)) {
      await addTermsOf(part, request)
      await catalogue.writeImportPart(
        part.flatMap(({ write }) => write ?? []),
        { ...request, batch, onPlanned },
      )
      report({ done: one.writtenTo ?? 0, total: one.rows })

      function onPlanned(results: readonly RowResult[]): readonly KeyValueWrite[] {
        const byNumber = new Map(results.map((result) => [result.number, result]))
        const rows = part.map((planned) =>
          toImportedRow(planned, byNumber.get(planned.source.number)),
        )
        for (const [index, planned] of part.entries()) {
          const outcome = outcomeOf(planned, byNumber.get(planned.source.number))
          const wanted = expected.get(planned.source.number) ?? 'written'
          if (outcome !== wanted)
            throw new PreviewOutdatedError(planned.source.number, rows[index]?.refused ?? [])
        }
        const changes = results.flatMap((result) => (result.error ? [] : result.changes))
        one = {
          ...one,
          written: addCounts(
            one.written ?? {},
            changes.map((change) => done.add(change)),
          ),
          writtenTo: part.at(-1)?.source.number,
        }
        return [importEntry(one), ...rows.flatMap((row) => rowEntries(id, row, done.all))]
      }
    }
    await store.removeRowsAfter(id, one.rows)
    return { ...one, state: 'written' }
  }

  /** @throws PreviewOutdatedError if the catalogue changed so that the import would do something else */
  async function checkPreview(
    one: Import,
    request: ImportRequest,
    report: (progress: Import['progress']) => void,
  ): Promise<void> {
    if (!one.preview || one.preview.position === changeLog.last()) return
    const again = await makePreview(one, request, report)
    if (again.hash === one.preview.hash) return
    await store.put({ ...one, preview: again })
    throw new PreviewOutdatedError()
  }

  /** What the preview said of the rows that are not simply written. */
  async function outcomesOf(id: string): Promise<ReadonlyMap<number, PreviewedRow['outcome']>> {
    const outcomes = new Map<number, PreviewedRow['outcome']>()
    for await (const { number, outcome } of previewedRows(id)) outcomes.set(number, outcome)
    return outcomes
  }

  async function undo(id: string, request: ImportRequest): Promise<Import> {
    const one = await getIn(id, ['stopped', 'written'])
    const { batch } = one
    if (batch === undefined) throw new ImportStateError(one.state)
    const total = await catalogue.partsToUndo(batch)
    const started: Import = {
      ...one,
      state: 'undoing',
      message: undefined,
      undo: one.undo ?? randomUUID(),
      progress: { done: 0, total },
    }
    return begin(started, one.state, async (report) => {
      let undoing = started
      for (let left = total; left > 0;) {
        const undone = await catalogue.undoImportPart({
          ...request,
          batch,
          undo: started.undo ?? '',
          onPlanned({ kept }) {
            undoing = { ...undoing, kept: [...(undoing.kept ?? []), ...kept] }
            return [importEntry(undoing)]
          },
        })
        left = undone.left
        report({ done: total - left, total })
      }
      return {
        ...undoing,
        state: 'undone',
        preview: undefined,
        kept: await stillThere(undoing.kept),
      }
    })
  }

  /** Without the records that a later step took back. */
  async function stillThere(kept: readonly UndoConflict[] = []): Promise<readonly UndoConflict[]> {
    const byRecord = new Map(
      kept.map((one) => [`${one.reference.target}/${one.reference.id}`, one] as const),
    )
    const all = [...byRecord.values()]
    const exist = await Promise.all(
      all.map(({ reference: { target, id } }) => catalogue.exists(target, id)),
    )
    return all
      .filter((_, index) => exist[index])
      .map(({ reference, fields, dependents }) => ({ reference, fields, dependents }))
  }

  async function remove(id: string): Promise<void> {
    const harvest = harvesting.get(id)
    harvest?.abort()
    if (harvest) await working.get(id)
    const one = await get(id)
    if (working.has(id)) throw new ImportStateError(one.state)
    await store.remove(id)
    await files.remove(id)
  }

  async function forgetText(text: TextRemoval): Promise<void> {
    for (const id of await files.ids())
      // What is being sent comes after the redaction.
      if (!sending.has(id) && (await files.mayHave(id, text))) {
        await end(id)
        await files.remove(id)
      }
    for (const { id } of await store.all()) {
      if (!(await hasText(id, text))) continue
      await end(id)
      await store.put(withoutTextIn(await get(id), text))
    }
    await store.removeText(text)
  }

  async function hasText(id: string, text: TextRemoval): Promise<boolean> {
    const one = await store.get(id)
    return one !== undefined && withoutTextIn(one, text) !== one
  }

  async function forgetRowsOf(records: readonly string[]): Promise<void> {
    for (const { id } of await store.all())
      for (const record of records) {
        if (!(await store.rowOf(id, record))) continue
        await end(id)
        // The row leads to the files, so it goes last.
        await files.remove(id)
        await store.removeRowOf(id, record)
      }
  }

  /** Ends the work on an import. */
  async function end(id: string): Promise<void> {
    ending.add(id)
    await working.get(id)
    ending.delete(id)
  }

  /** Whether the history has what an import wrote, so that it can be taken back. */
  async function isInHistory({ batch = '', undo: undone = '' }: Import): Promise<boolean> {
    const batches = await Promise.all([batch, undone].map((id) => batchLog.get(id)))
    return batches.some((one) => one !== undefined)
  }

  return {
    create,
    harvest: startHarvest,
    get: async (id) => withProgress(await get(id)),
    all: async () => (await store.all()).map(withProgress),
    // Each is made to what the one before left.
    change: (id, ...rest) => inTurn(id, () => change(id, ...rest)),
    describe,
    analyse,
    matchers: async () => matchersFor(await comparisons.forNames(new Set())),
    preview: (id, request) => alone(id, () => preview(id, request)),
    previewedRows,
    commit: (id, ...rest) => alone(id, () => commit(id, ...rest)),
    undo: (id, request) => alone(id, () => undo(id, request)),
    reportedRows,
    rowOf: (id, record) => store.rowOf(id, record),
    remove: (id) => alone(id, () => remove(id)),
    async forget(records, redaction) {
      await ('past' in redaction
        ? forgetRowsOf(records.map(({ target, id: one }) => `${target}/${one}`))
        : forgetText(createTextRemoval(redaction.value)))
      analyses.clear()
      collections.clear()
      reports.clear()
    },
    async forgetBefore(time) {
      for (const one of await store.all()) {
        const isOld = one.createdAt < time && doneStates.includes(one.state) && !working.has(one.id)
        if (isOld && !(await isInHistory(one))) await remove(one.id)
      }
    },
    async settled(id, ms) {
      let timer: NodeJS.Timeout | undefined
      const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))
      await Promise.race([working.get(id), timeout])
      clearTimeout(timer)
    },
    profiles: store,
  }

  function withProgress(one: Import): Import {
    const progress = progresses.get(one.id)
    return progress ? { ...one, progress } : one
  }
}

type Writing = {
  readonly request: ImportRequest
  /** Whether it goes on where it was stopped. */
  readonly isResumed: boolean
  readonly report: (progress: Import['progress']) => void
}

/**
 * Remembers what an import did to records. What it did before it was stopped counts as done now, so that it says the
 * same as if it had not been stopped.
 */
function createDoneChanges(before: ReadonlyMap<string, ImportedChange>, isResumed: boolean) {
  const all = new Map(before)
  const counted = new Set<string>()
  return {
    all,
    add(change: RowChange): RowChange {
      const key = recordKey(change.reference)
      const known = all.get(key)
      const isFirst = !counted.has(key)
      counted.add(key)
      if (change.change !== 'unchanged') {
        if (known !== 'created') all.set(key, change.change)
        return change
      }
      if (known === undefined) all.set(key, 'unchanged')
      return isResumed && isFirst && known !== undefined ? { ...change, change: known } : change
    },
  }
}

async function firstRows(
  rows: AsyncIterable<SourceRow>,
  count: number,
): Promise<readonly SourceRow[]> {
  const first: SourceRow[] = []
  for await (const row of rows) {
    first.push(row)
    if (first.length === count) break
  }
  return first
}

/** The states in which decisions can be made, and in which an import is written, again or further. */
const changeableStates: readonly ImportState[] = ['open', 'stopped', 'written', 'undone']

/** The states of an import that nobody is at work on. */
const doneStates: readonly ImportState[] = ['written', 'undone', 'failed']

const knownErrors = [LocalTermError, PreviewOutdatedError, SourceError, ProfileError]

const emptyProfile: Profile = {
  version: 1,
  name: '',
  description: '',
  source: {},
  identifiers: { zines: '{row}', holdings: '{zine}-{item}', agents: '' },
  rules: [],
  defaults: { zines: {}, holdings: {} },
  names: {},
  terms: {},
  duplicates: { catalogue: 'holding', source: 'new', rows: {} },
}

const stoppedMessage = 'The service ended meanwhile.'
const endedMessage = 'A value was removed for good meanwhile, which its rows may have.'

/** The work on an import was ended, since a redaction takes its files. */
class InterruptedError extends Error {}

/** Of an import whose work was interrupted. */
function interrupted(one: Import, message: string): Import {
  const ended = { ...one, progress: undefined, message }
  if (one.state === 'previewing') return { ...ended, state: 'open' }
  const isWriting = one.state === 'writing' || one.state === 'undoing'
  return { ...ended, state: isWriting ? 'stopped' : 'failed' }
}

/** Another sheet, or other columns, have rows of their own above the names. */
function withoutOldHead(
  { source: before }: Profile,
  { source: after }: Profile,
  patch: ReadonlyMap<string, unknown>,
): SourceOptions {
  const isOther = before.sheet !== after.sheet || before.delimiter !== after.delimiter
  const said = patch.get('source')
  const isSaid = typeof said === 'object' && said !== null && 'skipRows' in said
  return isOther && !isSaid ? { ...after, skipRows: undefined } : after
}

/** Whether a source has the same rows by two ways to read it. */
const hasSameRows = (one: SourceOptions = {}, other: SourceOptions = {}): boolean =>
  (['type', 'sheet', 'delimiter', 'skipRows'] as const).every((name) => one[name] === other[name])

/** The names of the columns, or else those of the fields of some rows. */
async function fieldNames(
  recognized: RecognizedSource | undefined,
  rows: AsyncIterable<SourceRow>,
): Promise<ReadonlySet<string>> {
  if (recognized && recognized.columns.length > 0) return new Set(recognized.columns)
  const samples = await firstRows(rows, sampleRows)
  return new Set(samples.flatMap(({ fields }) => fields.map(({ name }) => name)))
}

function toImportedRow(planned: PlannedRow, result: RowResult | undefined): ImportedRow {
  const outcome = outcomeOf(planned, result)
  const changes = result && !result.error ? result.changes : []
  const notes = notesOf(planned)
  return {
    number: planned.source.number,
    fields: fieldsOf(planned.source),
    records: changes.map(({ reference: { target, id } }) => `${target}/${id}`),
    ...(outcome === 'refused' ? { refused: reasonsOf(planned, result) } : {}),
    ...(outcome !== 'refused' && notes.length > 0 ? { notes } : {}),
  }
}

/** The new terms of rows, by vocabulary. */
function termsOf(part: readonly PlannedRow[]): ReadonlyMap<string, NewTerm[]> {
  const terms = new Map<string, NewTerm[]>()
  for (const term of part.flatMap(({ newTerms }) => newTerms)) {
    const known = terms.get(term.vocabulary)
    if (known) known.push(term)
    else terms.set(term.vocabulary, [term])
  }
  return terms
}

const unavailable = (): never => {
  throw new Error('imports are in the process that writes')
}

/** Imports are forwarded to the writing process; a process that only reads has none. */
export const noImports: Imports = {
  create: unavailable,
  harvest: unavailable,
  get: unavailable,
  all: () => Promise.resolve([]),
  change: unavailable,
  describe: unavailable,
  analyse: unavailable,
  matchers: unavailable,
  preview: unavailable,
  previewedRows: unavailable,
  commit: unavailable,
  undo: unavailable,
  reportedRows: unavailable,
  rowOf: () => Promise.resolve(undefined),
  remove: unavailable,
  forget: unavailable,
  forgetBefore: () => Promise.resolve(),
  settled: () => Promise.resolve(),
  profiles: {
    profiles: () => Promise.resolve([]),
    saveProfile: unavailable,
    removeProfile: unavailable,
  },
}
