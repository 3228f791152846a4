// Imports of what libraries have: a source is read, its rows are mapped by a profile, decisions are
// made, a preview tells what would be written, and it is written as a batch that can be taken back
// (docs/how-to/import.md).

import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'

import { type Message, message } from '../../message.js'
import { ForbiddenError, NotFoundError } from '../../errors.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import type { UndoConflict } from '../../catalogue/errors.js'
import { recordKey } from '../../catalogue/records/record-cache.js'
import type { ForgottenIdentifier, Redaction } from '../../catalogue/writes/redaction.js'
import type { ImportRequest, RowChange, RowResult } from '../../catalogue/writes/import-writes.js'
import type { LocalTerms } from '../../model/declarations/local-terms.js'
import type { Reference } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import {
  type TextRemoval,
  createIdentifierRemoval,
  createTextRemoval,
} from '../../model/text-removal.js'
import type { Vocabulary } from '../../model/vocabulary.js'
import type { BatchLog } from '../../store/key-value/batch-log.js'
import type { ChangeLog } from '../../store/key-value/change-log.js'
import type { KeyValueWrite } from '../../lib/key-value/key-value-store.js'
import {
  type Analysis,
  type CollectedRows,
  type Matchers,
  analyseRows,
  collectRows,
  collectedBy,
  matchersFor,
} from './analysis.js'
import { Comparisons } from './comparisons.js'
import { ImportChangedError, previewOutdated, wrongState } from './errors.js'
import type { KnownRecords } from './identities.js'
import type { ImportFiles } from './import-files.js'
import {
  type HarvestAddress,
  type Import,
  type ImportPreview,
  type ImportStore,
  type ImportedChange,
  type ImportedRow,
  importEntry,
  rowEntries,
  rulesOf,
  sourceNameOf,
  sourceSlug,
  hasText,
  withoutTextIn,
} from './import-state.js'
import {
  ImportWork,
  type ImportWorkDependencies,
  type ReportProgress,
  endInterruptedWork,
} from './import-work.js'
import { MadeTerms } from './made-terms.js'
import { placeholdersOf } from './mapping/identifiers.js'
import { keepDecisions } from './mapping/keep-decisions.js'
import {
  type OverwrittenDecision,
  findOverwritten,
  mergeProfile,
} from './mapping/profile-parser.js'
import { proposeProfile } from './mapping/propose-profile.js'
import { checkNewTerms, withKnownTerms } from './new-terms.js'
import { type PlanRow, type PlannedRow, createRowPlanner } from './planner.js'
import {
  type PreviewedRow,
  createRecordCounter,
  fieldsOf,
  inParts,
  notesOf,
  outcomeOf,
  previewRows,
  reasonsOf,
} from './preview.js'
import type { NewTerm, Profile } from './profile.js'
import { isOwnProfile } from './profiles/own-formats.js'
import { createRecentResults } from './recent-results.js'
import { harvest } from '../../lib/sources/harvest.js'
import { firstOf, readRows } from '../../lib/sources/read-rows.js'
import { recognizeSource } from '../../lib/sources/recognize.js'
import { type SourceReport, describeSource } from '../../lib/sources/report.js'
import type { RecognizedSource, SourceOptions, SourceRow } from '../../lib/sources/source.js'

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

export type Imports = Pick<CatalogueImports, keyof CatalogueImports>

type ImportsDependencies = ImportWorkDependencies & {
  readonly files: ImportFiles
  readonly catalogue: Catalogue
  readonly changeLog: Pick<ChangeLog, 'last' | 'lastHidden'>
  readonly batchLog: Pick<BatchLog, 'get'>
  readonly resources: Resources
  readonly vocabularies: readonly Vocabulary[]
  readonly localTerms: LocalTerms
  /** The hosts in private networks that may be harvested; undefined where nothing is. */
  readonly harvestHosts: readonly string[] | undefined
}

/** How a source is decoded. */
type Decoding = {
  readonly recognized: RecognizedSource
  readonly report: ReportProgress
  /** Whether a profile is proposed, since none was chosen. */
  readonly isProposed: boolean
}

/** How many rows a profile is proposed from. */
const sampleRows = 500

type Writing = {
  readonly request: ImportRequest
  /** Whether it goes on where it was stopped. */
  readonly isResumed: boolean
  readonly report: ReportProgress
}

/** Loads the imports. Work that the end of the process interrupted is not begun again by itself. */
export async function loadImports(dependencies: ImportsDependencies): Promise<Imports> {
  await endInterruptedWork(dependencies.store)
  return new CatalogueImports(dependencies)
}

class CatalogueImports {
  readonly profiles: Pick<ImportStore, 'profiles' | 'saveProfile' | 'removeProfile'>
  readonly #dependencies: ImportsDependencies
  readonly #store: ImportStore
  readonly #files: ImportFiles
  readonly #catalogue: Catalogue
  readonly #changeLog: Pick<ChangeLog, 'last' | 'lastHidden'>
  readonly #resources: Resources
  readonly #work: ImportWork
  readonly #madeTerms: MadeTerms
  readonly #comparisons: Comparisons
  /** The imports whose source is being sent. */
  readonly #sending = new Set<string>()
  /** What stops harvests, by import. */
  readonly #harvests = new Map<string, AbortController>()
  /** The last analyses, by import and revision. */
  readonly #analyses = createRecentResults<Analysis>()
  /** The last reports of sources, by import and options. */
  readonly #reports = createRecentResults<SourceReport>()
  /** What their rows have, which is kept while only decisions change. */
  readonly #collections = createRecentResults<CollectedRows>()

  constructor(dependencies: ImportsDependencies) {
    this.profiles = dependencies.store
    this.#dependencies = dependencies
    this.#store = dependencies.store
    this.#files = dependencies.files
    this.#catalogue = dependencies.catalogue
    this.#changeLog = dependencies.changeLog
    this.#resources = dependencies.resources
    this.#work = new ImportWork(dependencies)
    this.#madeTerms = new MadeTerms(dependencies)
    this.#comparisons = new Comparisons(dependencies)
  }

  /** Saves a source and begins to read it. @throws InvalidError, TooLargeError */
  async create({ name, bytes, ...more }: NewImport): Promise<Import> {
    const job = newImport(name, more)
    const isProposed = more.profile === undefined
    this.#sending.add(job.id)
    try {
      const savedJob = { ...job, bytes: await this.#files.saveSource(job.id, bytes) }
      const recognized = await this.#recognize(savedJob)
      return await this.#work.begin({ ...savedJob, recognized }, 'failed', (report) =>
        this.#decode({ ...savedJob, recognized }, { recognized, report, isProposed }),
      )
    } catch (error) {
      await this.#files.remove(job.id)
      throw error
    } finally {
      this.#sending.delete(job.id)
    }
  }

  /** Begins to fetch the records of another catalogue. */
  async harvest({ address, ...more }: NewHarvest): Promise<Import> {
    const allowedHosts = this.#dependencies.harvestHosts
    if (!allowedHosts)
      throw new ForbiddenError(message('A demonstration fetches no records from elsewhere.'))
    const job = newImport(address.url, more, address)
    const started: Import = { ...job, state: 'harvesting' }
    const stop = new AbortController()
    this.#harvests.set(job.id, stop)
    return this.#work.begin(started, 'failed', async (report) => {
      await this.#files.make(job.id)
      const { responseDate } = await harvest(address, {
        path: this.#files.source(job.id),
        allowedHosts,
        onProgress: (done) => report({ done, total: 0 }),
        signal: AbortSignal.any([stop.signal, this.#dependencies.stopping]),
      }).finally(() => this.#harvests.delete(job.id))
      const source = { type: 'oai-pmh' } as const
      const savedJob = {
        ...started,
        harvest: { ...address, harvestedAt: responseDate },
        profile: { ...job.profile, source },
      }
      const recognized = await this.#recognize(savedJob)
      return this.#decode(savedJob, { recognized, report, isProposed: more.profile === undefined })
    })
  }

  /** @throws NotFoundError */
  async get(id: string): Promise<Import> {
    return this.#work.withProgress(await this.#work.get(id))
  }

  /** The newest first. */
  async all(): Promise<readonly Import[]> {
    return (await this.#store.all()).map((job) => this.#work.withProgress(job))
  }

  /**
   * Changes parts of the profile, each time what the change before left. Other options of the
   * source make it read again.
   * @throws NotFoundError, ConflictError, ImportChangedError, ProfileError
   */
  change(
    id: string,
    patch: ReadonlyMap<string, unknown>,
    options: ChangeOptions = {},
  ): Promise<ChangedImport> {
    return this.#work.inTurn(id, () => this.#change(id, patch, options))
  }

  /**
   * What the source was recognized as, with rows before and after decoding.
   * @throws NotFoundError
   */
  async describe(id: string): Promise<SourceReport> {
    const { recognized } = await this.#work.get(id)
    if (!recognized || !(await this.#files.hasSource(id))) throw new NotFoundError()
    const key = `${id} ${JSON.stringify(recognized.options)}`
    return this.#reports.get(key, () => describeSource(this.#files.source(id), recognized.options))
  }

  /**
   * The fields, names and terms of all rows, as far as an account may see what they are compared
   * with.
   * @throws NotFoundError, ConflictError
   */
  async analyse(id: string, request: ImportRequest): Promise<Analysis> {
    const job = await this.#work.get(id)
    if (job.recognized === undefined || job.state === 'reading' || job.state === 'failed')
      throw wrongState(job.state)
    if (!(await this.#files.hasSource(id))) throw new NotFoundError()
    const withHidden = findsHidden(job, request)
    const key = `${id} ${job.revision} ${this.#comparisons.positionOf(withHidden)}`
    return this.#analyses.get(key, async () => {
      const comparison = await this.#comparisons.forNames(await this.#madeBy(id), withHidden)
      return analyseRows({
        collected: await this.#collect(job),
        rows: () => this.#files.rows(id),
        profile: job.profile,
        comparison,
      })
    })
  }

  /** What finds the makers and terms of the catalogue by their names, as an account may see them. */
  async matchers({ mayWrite }: Pick<ImportRequest, 'mayWrite'>): Promise<Matchers> {
    return matchersFor(await this.#comparisons.forNames(new Set(), mayWrite('agents')))
  }

  /** Begins to find out what the import would do. @throws NotFoundError, ConflictError */
  preview(id: string, request: ImportRequest): Promise<Import> {
    return this.#work.alone(id, async () => {
      const job = await this.#work.getFor(id, 'mayChange')
      const started: Import = {
        ...job,
        state: 'previewing',
        message: undefined,
        progress: { done: 0, total: job.rows },
      }
      return this.#work.begin(started, job.state, async (report) => ({
        ...started,
        state: job.state,
        preview: await this.#makePreview(job, request, report),
      }))
    })
  }

  /** The rows that the preview lists. @throws NotFoundError when there is no preview */
  async *previewedRows(id: string): AsyncGenerator<PreviewedRow> {
    const { preview } = await this.#work.get(id)
    if (!preview) throw new NotFoundError()
    // The cast: `preview` wrote it.
    for await (const line of this.#files.previewLines(id)) yield JSON.parse(line) as PreviewedRow
  }

  /**
   * Begins to write what the preview said.
   * @param hash that of the preview that the caller saw, if it matters
   * @throws NotFoundError, ConflictError, ImportChangedError without such a preview
   */
  commit(id: string, request: ImportRequest, hash?: string): Promise<Import> {
    return this.#work.alone(id, async () => {
      const job = await this.#work.getFor(id, 'mayChange')
      if (!job.preview) throw wrongState('without a preview')
      if (hash !== undefined && hash !== job.preview.hash) throw new ImportChangedError()
      // What was taken back is written again as a batch of its own.
      const batch = job.state === 'undone' ? undefined : job.batch
      const started: Import = {
        ...job,
        state: 'writing',
        message: undefined,
        batch: batch ?? randomUUID(),
        undo: undefined,
        kept: undefined,
        written: undefined,
        writtenTo: undefined,
        progress: { done: 0, total: job.rows },
      }
      const isResumed = job.state === 'stopped'
      return this.#work.begin(started, 'stopped', (report) =>
        this.#writeRows(started, { request, isResumed, report }),
      )
    })
  }

  /** Begins to take back what was written. @throws NotFoundError, ConflictError */
  undo(id: string, request: ImportRequest): Promise<Import> {
    return this.#work.alone(id, () => this.#undo(id, request))
  }

  /** Takes away the terms of an import whose batch was undone as such. */
  async onBatchUndone(batch: string): Promise<void> {
    const job = (await this.#store.all()).find((each) => each.batch === batch)
    if (job) await this.#madeTerms.remove(job).catch(this.#dependencies.onError)
    this.#analyses.clear()
  }

  /**
   * Adds terms that imports made and that were taken away, for records that come back with them.
   */
  bringBackTerms(vocabulary: string, codes: readonly string[]): Promise<void> {
    return this.#madeTerms.bringBack(vocabulary, codes)
  }

  /**
   * What became of rows, or by the preview would: all rows once it is written.
   * @throws NotFoundError
   */
  async *reportedRows(id: string): AsyncGenerator<ImportedRow> {
    const job = await this.#work.get(id)
    if (job.written) yield* this.#store.rows(id)
    else if (job.preview)
      for await (const row of this.previewedRows(id)) {
        const { number, fields, outcome, reasons, notes } = row
        const refused = outcome === 'refused' ? { refused: reasons } : {}
        yield { number, fields, records: [], ...refused, notes }
      }
  }

  /** The row that made or changed a record; undefined if none did. */
  rowOf(id: string, record: string): Promise<ImportedRow | undefined> {
    return this.#store.rowOf(id, record)
  }

  /**
   * Removes an import with its source and rows; its records stay. A harvest is stopped.
   * @throws NotFoundError, ConflictError
   */
  remove(id: string): Promise<void> {
    return this.#work.alone(id, () => this.#remove(id))
  }

  /**
   * Removes a redacted value, or all that was kept of the past of a record, from sources, rows and
   * decisions. The work of imports that may have it ends.
   */
  async forget(records: readonly Reference[], redaction: Redaction): Promise<void> {
    await ('past' in redaction
      ? this.#forgetRowsOf(records.map(recordKey))
      : this.#forgetText(createTextRemoval(redaction.value)))
    this.#clearResults()
  }

  /**
   * Removes identifiers that are forgotten from sources, rows and decisions, as a redacted value;
   * and that imports made or changed their records.
   */
  async forgetIdentifiers(identifiers: readonly ForgottenIdentifier[]): Promise<void> {
    for (const { reference } of identifiers) {
      await this.#forgetText(createIdentifierRemoval(reference.id))
      for (const { id } of await this.#store.all())
        await this.#store.removeRecord(id, recordKey(reference))
    }
    this.#clearResults()
  }

  /**
   * Removes the imports that were begun before a time and are done, and whose batches are in no
   * history any more.
   */
  async forgetBefore(time: string): Promise<void> {
    for (const job of await this.#store.all()) {
      const isOld = job.createdAt < time && rulesOf(job).isDone
      if (isOld && !this.#work.isGoingOn(job.id) && !(await this.#isInHistory(job)))
        await this.#remove(job.id)
    }
  }

  /** Waits until the work that goes on for an import is done, or for so many milliseconds. */
  settled(id: string, ms: number): Promise<void> {
    return this.#work.settled(id, ms)
  }

  #clearResults(): void {
    for (const results of [this.#analyses, this.#collections, this.#reports]) results.clear()
  }

  async #change(
    id: string,
    patch: ReadonlyMap<string, unknown>,
    { revision, sourceName }: ChangeOptions,
  ): Promise<ChangedImport> {
    const job = await this.#work.getFor(id, 'mayChange')
    if (revision !== undefined && revision !== job.revision) throw new ImportChangedError()
    const merged = mergeProfile(job.profile, Object.fromEntries(patch), this.#resources)
    const profile = { ...merged, source: withoutOldHead(job.profile, merged, patch) }
    const overwritten = findOverwritten(Object.fromEntries(patch), job.profile, profile)
    // A preview holds as long as nothing else is decided.
    const before = mergeProfile(job.profile, {}, this.#resources)
    const isSameSource = sourceName === undefined || sourceName === sourceNameOf(job)
    if (isSameSource && JSON.stringify(profile) === JSON.stringify(before))
      return { ...job, overwritten }
    const changed: Import = {
      ...job,
      ...(sourceName === undefined ? {} : { sourceName }),
      profile,
      state: 'open',
      revision: job.revision + 1,
      preview: undefined,
      message: undefined,
    }
    if (JSON.stringify(profile.source) !== JSON.stringify(job.profile.source))
      return { ...(await this.#readAgain(job, changed)), overwritten }
    await this.#store.put(changed)
    return { ...changed, overwritten }
  }

  /**
   * Begins to decode all rows in another way, and keeps what was decided as far as it still
   * applies.
   */
  async #readAgain(before: Import, changed: Import): Promise<Import> {
    const recognized = await this.#recognize(changed)
    const started: Import = { ...changed, recognized, state: 'reading' }
    return this.#work.begin(started, 'failed', async (report) => {
      const was = await this.#fieldNames(before)
      const read = await this.#decode(changed, { recognized, report, isProposed: true })
      const { profile, dropped } = keepDecisions({
        decided: changed.profile,
        proposed: read.profile,
        before: was,
        now: await this.#fieldNames(read),
        hasSameRows: hasSameRows(before.recognized?.options, read.recognized?.options),
      })
      const dropNotice =
        dropped.length === 0
          ? undefined
          : `Some of what was decided no longer applies and was dropped: ${dropped.join('; ')}.`
      return { ...read, profile, message: dropNotice }
    })
  }

  #recognize({ id, name, profile }: Import): Promise<RecognizedSource> {
    return recognizeSource({ path: this.#files.source(id), name }, profile.source)
  }

  /** Decodes all rows, and proposes a profile if none was chosen. */
  async #decode(job: Import, { recognized, report, isProposed }: Decoding): Promise<Import> {
    const path = this.#files.source(job.id)
    const samples = await firstOf(readRows(path, recognized.options), sampleRows)
    const chosen = isProposed ? await this.#propose(job, recognized, samples) : job.profile
    // Our own formats have nothing to repair, where nobody asks for it.
    const repair = job.profile.source.repair ?? (!isOwnProfile(chosen) && recognized.options.repair)
    const options = { ...recognized.options, repair }
    const rows = await this.#files.saveRows(job.id, readRows(path, options), (done) => {
      if (done % 1000 === 0) report({ done, total: 0 })
    })
    return {
      ...job,
      state: 'open',
      recognized: { ...recognized, options },
      rows,
      profile: { ...chosen, source: options },
    }
  }

  /**
   * The profile that is proposed. Its identifiers are made as those of the last import of the
   * source, so that its records are found again.
   */
  async #propose(
    job: Import,
    recognized: RecognizedSource,
    samples: readonly SourceRow[],
  ): Promise<Profile> {
    const profile = proposeProfile(recognized, samples, this.#resources)
    const former = (await this.#importsOf(job)).find(({ id }) => id !== job.id)
    const placeholders = placeholdersOf(former?.profile.identifiers.zines ?? '')
    const names = fieldNamesOf(samples)
    const isOfNumbers =
      placeholders.length > 0 && placeholders.every((name) => names.has(name.replace(/\$.*$/, '')))
    return former && isOfNumbers && !isOwnProfile(profile)
      ? { ...profile, identifiers: former.profile.identifiers }
      : profile
  }

  /** The names of the columns, or else those of the fields of some rows. */
  async #fieldNames({ id, recognized }: Import): Promise<ReadonlySet<string>> {
    if (recognized && recognized.columns.length > 0) return new Set(recognized.columns)
    return fieldNamesOf(await firstOf(this.#files.rows(id), sampleRows))
  }

  #collect({ id, profile, recognized }: Import): Promise<CollectedRows> {
    const key = `${id} ${collectedBy(profile)}`
    const columns = recognized?.columns ?? []
    return this.#collections.get(key, () =>
      collectRows(this.#files.rows(id), columns, profile, this.#resources),
    )
  }

  /** What makes records of the rows, with all decisions, and compares them with the catalogue. */
  async #planner(job: Import, request: ImportRequest): Promise<PlanRow> {
    const { decisions } = await this.analyse(job.id, request)
    const madeRecords = await this.#madeRecords(job)
    const { duplicates, ...known } = await this.#comparisons.forDuplicates(
      madeRecords.ofImport,
      findsHidden(job, request),
    )
    const mayAdd = await this.#mayAddTerms(request)
    return createRowPlanner({
      profile: job.profile,
      decisions,
      resources: this.#resources,
      columns: job.recognized?.columns ?? [],
      isTermAllowed: (term) => mayAdd || !this.#madeTerms.isNew(term),
      duplicates,
      known: { ...known, ...madeRecords },
      origin: { source: sourceSlug(sourceNameOf(job)), import: job.id },
    })
  }

  async #makePreview(
    job: Import,
    request: ImportRequest,
    report: ReportProgress,
  ): Promise<ImportPreview> {
    const position = this.#changeLog.last()
    checkNewTerms(job.profile, this.#dependencies.vocabularies)
    const plan = await this.#planner(job, request)
    const listed = await this.#files.openPreview(job.id)
    try {
      const totals = await previewRows({
        rows: this.#files.rows(job.id),
        plan,
        planRows: this.#planRows(request),
        onProgress: (done) => report({ done, total: job.rows }),
        onRow: (row) => listed.write(row),
      })
      return { revision: job.revision, position, ...totals }
    } finally {
      await listed.close()
    }
  }

  /**
   * Writes all rows, part by part. What was written before a failure stays, and can be taken back.
   */
  async #writeRows(started: Import, { request, isResumed, report }: Writing): Promise<Import> {
    await this.#checkPreview(started, request, report)
    const { id, batch = '' } = started
    // The rows that are not simply written.
    const expected = new Map<number, PreviewedRow['outcome']>()
    for await (const { number, outcome } of this.previewedRows(id)) expected.set(number, outcome)
    const plan = await this.#planner(started, request)
    const done = createDoneChanges(await this.#store.changesOf(id), isResumed)
    const counter = createRecordCounter()
    let job = started
    for await (const part of inParts(this.#files.rows(id), plan)) {
      job = await this.#addTermsOf(job, part, request)
      await this.#catalogue.writeImportPart(
        part.flatMap(({ write }) => write ?? []),
        { ...request, batch, onPlanned },
      )
      report({ done: job.writtenTo ?? 0, total: job.rows })

      function onPlanned(results: readonly RowResult[]): readonly KeyValueWrite[] {
        const byNumber = new Map(results.map((result) => [result.number, result]))
        const rows = part.map((planned) => {
          const { number } = planned.source
          const row = toImportedRow(planned, byNumber.get(number))
          if (outcomeOf(planned, byNumber.get(number)) !== (expected.get(number) ?? 'written'))
            throw previewOutdated(number, row.refused)
          return row
        })
        for (const result of results)
          if (!result.error) for (const change of result.changes) counter.add(done.add(change))
        job = { ...job, written: counter.counts(), writtenTo: part.at(-1)?.source.number }
        return [importEntry(job), ...rows.flatMap((row) => rowEntries(id, row, done.all))]
      }
    }
    await this.#store.removeRowsAfter(id, job.rows)
    return { ...job, state: 'written' }
  }

  /**
   * @throws ConflictError if the catalogue changed so that the import would do something
   * else
   */
  async #checkPreview(job: Import, request: ImportRequest, report: ReportProgress): Promise<void> {
    if (!job.preview || job.preview.position === this.#changeLog.last()) return
    const again = await this.#makePreview(job, request, report)
    if (again.hash === job.preview.hash) return
    await this.#store.put({ ...job, preview: again })
    throw previewOutdated()
  }

  /** Adds the terms of those rows that will be written. @returns the import with them */
  async #addTermsOf(
    job: Import,
    part: readonly PlannedRow[],
    request: ImportRequest,
  ): Promise<Import> {
    const withNew = part.filter(({ newTerms }) =>
      newTerms.some((term) => this.#madeTerms.isNew(term)),
    )
    if (withNew.length === 0) return job
    const planRows = this.#planRows(request)
    const results = await planRows(part.flatMap(({ write }) => write ?? []))
    const refused = new Set(results.flatMap(({ error, number }) => (error ? [number] : [])))
    const written = withNew.filter(({ source }) => !refused.has(source.number))
    return this.#madeTerms.add(
      job,
      written.flatMap(({ newTerms }) => newTerms),
    )
  }

  /**
   * The keys of the records that an import made, and of those that all imports of its source made.
   */
  async #madeRecords(job: Import): Promise<Pick<KnownRecords, 'ofSource' | 'ofImport'>> {
    const ofImport = await this.#madeBy(job.id)
    const ofSource = new Set(ofImport)
    for (const { id } of await this.#importsOf(job))
      for (const record of await this.#madeBy(id)) ofSource.add(record)
    return { ofImport, ofSource }
  }

  /** The keys of the records that an import made, and did not find. */
  async #madeBy(id: string): Promise<ReadonlySet<string>> {
    const changes = [...(await this.#store.changesOf(id))]
    return new Set(changes.flatMap(([record, change]) => (change === 'created' ? [record] : [])))
  }

  /** The written imports of the source of an import, the newest first. */
  async #importsOf(job: Import): Promise<readonly Import[]> {
    const slug = sourceSlug(sourceNameOf(job))
    return (await this.#store.all()).filter(
      (other) => other.batch !== undefined && sourceSlug(sourceNameOf(other)) === slug,
    )
  }

  /** Plans what the catalogue would do with rows, also with those that have new terms. */
  #planRows(request: ImportRequest): ReturnType<typeof withKnownTerms> {
    return withKnownTerms(this.#resources, this.#catalogue.planImport(request))
  }

  /** Only those who may write all zines add terms, which all zines can have. */
  async #mayAddTerms({ account, mayWrite }: ImportRequest): Promise<boolean> {
    return (
      mayWrite('zines') &&
      (account === undefined ||
        this.#catalogue.mayWriteRecord(account, { target: 'zines', id: '' }))
    )
  }

  async #undo(id: string, request: ImportRequest): Promise<Import> {
    const job = await this.#work.getFor(id, 'mayUndo')
    const { batch } = job
    if (batch === undefined) throw wrongState(job.state)
    const total = await this.#catalogue.partsToUndo(batch)
    const undo = job.undo ?? randomUUID()
    const started: Import = {
      ...job,
      state: 'undoing',
      message: undefined,
      undo,
      progress: { done: 0, total },
    }
    return this.#work.begin(started, job.state, async (report) => {
      let undoing = started
      for (let left = total; left > 0;) {
        const undone = await this.#catalogue.undoImportPart({
          ...request,
          batch,
          undo,
          onPlanned({ kept: conflicts }) {
            undoing = { ...undoing, kept: [...(undoing.kept ?? []), ...conflicts] }
            return [importEntry(undoing)]
          },
        })
        left = undone.left
        report({ done: total - left, total })
      }
      const terms = await this.#madeTerms.remove(undoing)
      this.#analyses.clear()
      return {
        ...undoing,
        state: 'undone',
        message: terms.length > 0 ? keptTermsMessage(terms) : undefined,
        preview: undefined,
        kept: await this.#stillThere(undoing.kept),
      }
    })
  }

  /** Without the records that a later step took back. */
  async #stillThere(conflicts: readonly UndoConflict[] = []): Promise<readonly UndoConflict[]> {
    const byRecord = new Map(
      conflicts.map((conflict) => [recordKey(conflict.reference), conflict] as const),
    )
    const all = [...byRecord.values()]
    const exist = await Promise.all(
      all.map(
        async ({ reference }) =>
          this.#catalogue.isHidden(reference) ||
          (await this.#catalogue.exists(reference.target, reference.id)),
      ),
    )
    return all
      .filter((_, index) => exist[index])
      .map(({ reference, fields, dependents }) => ({ reference, fields, dependents }))
  }

  async #remove(id: string): Promise<void> {
    const stop = this.#harvests.get(id)
    stop?.abort()
    if (stop) await this.#work.done(id)
    const job = await this.get(id)
    if (this.#work.isGoingOn(id)) throw wrongState(job.state)
    await this.#store.remove(id)
    await this.#files.remove(id)
  }

  async #forgetText(text: TextRemoval): Promise<void> {
    for (const id of await this.#files.ids())
      // What is being sent comes after the redaction.
      if (!this.#sending.has(id) && (await this.#files.mayHave(id, text))) {
        await this.#work.end(id)
        await this.#files.remove(id)
      }
    for (const { id } of await this.#store.all()) {
      const job = await this.#store.get(id)
      if (!job || !hasText(job, text)) continue
      await this.#work.end(id)
      const left = withoutTextIn(await this.#work.get(id), text)
      if (!hasText(left, text)) await this.#store.put(left)
      else {
        // What else it says, such as a value for all records, cannot be without it.
        await this.#store.remove(id)
        await this.#files.remove(id)
      }
    }
    await this.#store.removeText(text)
  }

  async #forgetRowsOf(records: readonly string[]): Promise<void> {
    for (const { id } of await this.#store.all())
      for (const record of records) {
        if (!(await this.#store.rowOf(id, record))) continue
        await this.#work.end(id)
        // The row leads to the files, so it goes last.
        await this.#files.remove(id)
        await this.#store.removeRowOf(id, record)
      }
  }

  /** Whether the history has what an import wrote, so that it can be taken back. */
  async #isInHistory({ batch = '', undo: undone = '' }: Import): Promise<boolean> {
    const batches = await Promise.all(
      [batch, undone].map((id) => this.#dependencies.batchLog.get(id)),
    )
    return batches.some((entry) => entry !== undefined)
  }
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

/** Whether a source has the same rows by two ways to read it. */
const hasSameRows = (a: SourceOptions = {}, b: SourceOptions = {}): boolean =>
  (['type', 'sheet', 'delimiter', 'skipRows'] as const).every((name) => a[name] === b[name])

const fieldNamesOf = (rows: readonly SourceRow[]): ReadonlySet<string> =>
  new Set(rows.flatMap(({ fields }) => fields.map(({ name }) => name)))

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

/**
 * Remembers what an import did to records. What it did before it was stopped counts as done now, so
 * that it says the same as if it had not been stopped.
 */
function createDoneChanges(before: ReadonlyMap<string, ImportedChange>, isResumed: boolean) {
  const all = new Map(before)
  return {
    all,
    add(change: RowChange): RowChange {
      const key = recordKey(change.reference)
      const known = all.get(key)
      if (change.change !== 'unchanged') {
        if (known !== 'created') all.set(key, change.change)
        return change
      }
      if (known === undefined) all.set(key, 'unchanged')
      return isResumed && known !== undefined ? { ...change, change: known } : change
    },
  }
}

function toImportedRow(planned: PlannedRow, result: RowResult | undefined): ImportedRow {
  const outcome = outcomeOf(planned, result)
  const changes = result && !result.error ? result.changes : []
  const notes = notesOf(planned)
  return {
    number: planned.source.number,
    fields: fieldsOf(planned.source),
    records: changes.map(({ reference }) => recordKey(reference)),
    ...(outcome === 'refused' ? { refused: reasonsOf(planned, result) } : {}),
    ...(outcome !== 'refused' && notes.length > 0 ? { notes } : {}),
  }
}

const keptTermsMessage = (terms: readonly NewTerm[]): Message =>
  message(
    'These new terms stay, since they are used elsewhere or were changed in their file: {terms}.',
    { terms: terms.map(({ label }) => label).join('; ') },
  )

/**
 * Whether an import finds hidden makers by their names: for the account that began it, since it sees
 * what comes of that, and where it may write makers.
 */
const findsHidden = ({ account }: Import, request: ImportRequest): boolean =>
  account === request.account && request.mayWrite('agents')

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
  onBatchUndone: unavailable,
  bringBackTerms: unavailable,
  reportedRows: unavailable,
  rowOf: () => Promise.resolve(undefined),
  remove: unavailable,
  forget: unavailable,
  forgetIdentifiers: unavailable,
  forgetBefore: () => Promise.resolve(),
  settled: () => Promise.resolve(),
  profiles: {
    profiles: () => Promise.resolve([]),
    saveProfile: unavailable,
    removeProfile: unavailable,
  },
}
