// Imports of what libraries have: a source is read, its rows are mapped by a profile, decisions are made, a
// preview tells what would be written, and it is written as a batch that can be taken back (docs/import.md).
// Long work goes on while other requests are answered; how far it is, is part of the import.

import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'

import type { Catalogue } from '../catalogue/catalogue.js'
import type { UndoConflict } from '../catalogue/errors.js'
import type { Redaction } from '../catalogue/writes/redactions.js'
import type { Reference } from '../model/record/views.js'
import type { ImportRequest, RowResult } from '../catalogue/writes/import-writes.js'
import type { Resources } from '../model/resources.js'
import { LocalTermError } from '../model/declarations/local-terms.js'
import type { Vocabulary } from '../model/vocabulary.js'
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
import type { ImportFiles } from './import-files.js'
import {
  type HarvestAddress,
  type Import,
  type ImportPreview,
  type ImportState,
  type ImportStore,
  type ImportedRow,
  busyStates,
  importEntry,
  rowEntries,
} from './import-state.js'
import { ProfileError, mergeProfile } from './mapping/profile-parser.js'
import { proposeProfile } from './mapping/propose-profile.js'
import type { NewTerm } from './mapping/record-builder.js'
import { checkNewTerms, withKnownTerms } from './new-terms.js'
import { type PlanRow, type PlannedRow, createRowPlanner, formatIssue } from './planner.js'
import {
  type PreviewedRow,
  addCounts,
  fieldsOf,
  inParts,
  outcomeOf,
  previewRows,
  reasonsOf,
} from './preview.js'
import type { Profile } from './profile.js'
import { createRecentResults } from './recent-results.js'
import { SourceError } from './sources/errors.js'
import { harvest } from './sources/harvest.js'
import { readRows } from './sources/read-rows.js'
import { recognizeSource } from './sources/recognize.js'
import { type SourceReport, describeSource } from './sources/report.js'
import type { RecognizedSource, SourceRow } from './sources/source.js'

export type NewImport = {
  /** The name of the file. */
  readonly name: string
  readonly bytes: Readable
  /** The profile, if one is chosen; else one is proposed. */
  readonly profile?: Profile | undefined
  readonly account: string | undefined
}

export type NewHarvest = Pick<NewImport, 'profile' | 'account'> & {
  readonly address: HarvestAddress
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
   * @param revision that the caller saw, if it matters
   * @throws ImportNotFoundError, ImportStateError, ImportChangedError, ProfileError
   */
  change(id: string, patch: ReadonlyMap<string, unknown>, revision?: number): Promise<Import>
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
  /** Removes an import with its source and rows; its records stay. @throws ImportNotFoundError, ImportStateError */
  remove(id: string): Promise<void>
  /** Removes a redacted value, or all that was kept of the past of a record, from sources, rows and decisions. */
  forget(reference: Reference, redaction: Redaction): Promise<void>
  /** Removes the imports that were begun before a time and are done, and whose batches are in no history any more. */
  forgetBefore(time: string): Promise<void>
  /** Waits until the work that goes on for an import is done, or for so many milliseconds. */
  settled(id: string, ms: number): Promise<void>
  /** Stops the work that goes on. */
  close(): Promise<void>
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
  /** Called with errors that are nobody's input. */
  readonly onError: (error: unknown) => void
}

/** How many rows a profile is proposed from. */
const sampleRows = 500

/** Opens the imports. Work that the end of the process interrupted is not begun again by itself. */
export async function openImports(dependencies: ImportsDependencies): Promise<Imports> {
  const { store, files, catalogue, changeLog, batchLog, resources, addTerms, onError } =
    dependencies
  const comparisons: Comparisons = createComparisons(dependencies)
  const working = new Map<string, Promise<void>>()
  /** The last analyses, by import and revision. */
  const analyses = createRecentResults<Analysis>()
  /** The last reports of sources, by import and options. */
  const reports = createRecentResults<SourceReport>()
  /** What their rows have, which is kept while only decisions change. */
  const collections = createRecentResults<CollectedRows>()
  let isClosing = false

  for (const one of await store.all())
    if (busyStates.includes(one.state)) await store.put(interrupted(one))

  async function get(id: string): Promise<Import> {
    const found = await store.get(id)
    if (!found) throw new ImportNotFoundError()
    return found
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
    const done = work((progress) => {
      if (isClosing) throw new InterruptedError()
      progresses.set(one.id, progress)
    })
      .catch(async (error: unknown) => {
        if (isClosing) return undefined
        const known = await get(one.id)
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
    if (error instanceof Error && knownErrors.some((kind) => error instanceof kind))
      return error.message
    onError(error)
    return 'An error happened, which is in the log of the service.'
  }

  const newImport = (name: string, account: string | undefined, profile: Profile): Import => ({
    id: randomUUID().slice(0, 8),
    createdAt: new Date().toISOString(),
    ...(account === undefined ? {} : { account }),
    name,
    bytes: 0,
    state: 'reading',
    rows: 0,
    revision: 1,
    profile,
  })

  async function create({ name, bytes, profile, account }: NewImport): Promise<Import> {
    const one = newImport(name, account, profile ?? emptyProfile)
    try {
      const saved = { ...one, bytes: await files.saveSource(one.id, bytes) }
      const recognized = await recognize(saved)
      return await begin({ ...saved, recognized }, 'failed', (report) =>
        readSource({ ...saved, recognized }, recognized, report, profile === undefined),
      )
    } catch (error) {
      await files.remove(one.id)
      throw error
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
    const samples: SourceRow[] = []
    async function* sampled(): AsyncGenerator<SourceRow> {
      for await (const row of readRows(files.source(one.id), recognized.options)) {
        if (samples.length < sampleRows) samples.push(row)
        yield row
      }
    }
    const rows = await files.saveRows(one.id, sampled(), (done) => {
      if (done % 1000 === 0) report({ done, total: 0 })
    })
    const profile = isProposed ? proposeProfile(recognized, samples, resources) : one.profile
    return {
      ...one,
      state: 'open',
      recognized,
      rows,
      profile: { ...profile, source: recognized.options },
    }
  }

  async function startHarvest({ address, profile, account }: NewHarvest): Promise<Import> {
    const one = newImport(address.url, account, profile ?? emptyProfile)
    const started: Import = { ...one, harvest: address, state: 'harvesting' }
    return begin(started, 'failed', async (report) => {
      await files.make(one.id)
      const { responseDate } = await harvest(address, {
        path: files.source(one.id),
        allowedHosts: dependencies.harvestHosts,
        onProgress: (done) => report({ done, total: 0 }),
      })
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
    revision?: number,
  ): Promise<Import> {
    const one = await getIn(id, changeableStates)
    if (revision !== undefined && revision !== one.revision) throw new ImportChangedError()
    const profile = mergeProfile(one.profile, Object.fromEntries(patch), resources)
    const changed: Import = {
      ...one,
      profile,
      state: 'open',
      revision: one.revision + 1,
      preview: undefined,
      message: undefined,
    }
    if (JSON.stringify(profile.source) === JSON.stringify(one.profile.source)) {
      await store.put(changed)
      return changed
    }
    const recognized = await recognize(changed)
    return begin({ ...changed, recognized, state: 'reading' }, 'failed', (report) =>
      readSource(changed, recognized, report, isSourceOnly(patch)),
    )
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
      const comparison = await comparisons.forNames()
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
  async function makePlanner(one: Import): Promise<PlanRow> {
    const { decisions } = await analyse(one.id)
    const compared = await comparisons.forDuplicates()
    return createRowPlanner({ profile: one.profile, decisions, resources, ...compared })
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
    const plan = await makePlanner(one)
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
          notes: outcome === 'skipped' ? [...notes, leftOut] : notes,
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
    return begin(started, 'stopped', (report) => writeRows(started, request, report))
  }

  /** Writes all rows, part by part. What was written before a failure stays, and can be taken back. */
  async function writeRows(
    started: Import,
    request: ImportRequest,
    report: (progress: Import['progress']) => void,
  ): Promise<Import> {
    await checkPreview(started, request, report)
    const { id, batch = '' } = started
    const expected = await outcomesOf(id)
    await store.removeRows(id)
    const plan = await makePlanner(started)
    let one = started
    for await (const part of inParts(files.rows(id), plan)) {
      for (const [vocabulary, terms] of termsOf(part)) await addTerms(vocabulary, terms)
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
          written: addCounts(one.written ?? {}, changes),
          writtenTo: part.at(-1)?.source.number,
        }
        return [importEntry(one), ...rows.flatMap((row) => rowEntries(id, row))]
      }
    }
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
    const one = await get(id)
    if (working.has(id)) throw new ImportStateError(one.state)
    await store.remove(id)
    await files.remove(id)
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
    change,
    describe,
    analyse,
    matchers: async () => matchersFor(await comparisons.forNames()),
    preview,
    previewedRows,
    commit,
    undo,
    reportedRows,
    rowOf: (id, record) => store.rowOf(id, record),
    remove,
    async forget({ target, id }, redaction) {
      if ('past' in redaction) {
        for (const one of await store.removeRowsOf(`${target}/${id}`)) await files.remove(one)
      } else {
        await files.removeWithText(redaction.value)
        await store.removeText(redaction.value)
      }
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
    async close() {
      isClosing = true
      await Promise.all(working.values())
    },
    profiles: store,
  }

  function withProgress(one: Import): Import {
    const progress = progresses.get(one.id)
    return progress ? { ...one, progress } : one
  }
}

/** The process ends. */
class InterruptedError extends Error {}

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

/** Of an import whose work the end of the process interrupted. */
function interrupted(one: Import): Import {
  const message = 'The service ended meanwhile.'
  if (one.state === 'previewing') return { ...one, state: 'open', message }
  const isWriting = one.state === 'writing' || one.state === 'undoing'
  return { ...one, state: isWriting ? 'stopped' : 'failed', message }
}

const isSourceOnly = (patch: ReadonlyMap<string, unknown>): boolean =>
  [...patch.keys()].every((name) => name === 'source')

const leftOut = 'The row is a duplicate and is left out.'

function toImportedRow(planned: PlannedRow, result: RowResult | undefined): ImportedRow {
  const outcome = outcomeOf(planned, result)
  const changes = result && !result.error ? result.changes : []
  return {
    number: planned.source.number,
    fields: fieldsOf(planned.source),
    records: changes.map(({ reference: { target, id } }) => `${target}/${id}`),
    ...(outcome === 'refused' ? { refused: reasonsOf(planned, result) } : {}),
    ...(outcome === 'skipped' ? { notes: [leftOut] } : {}),
    ...(outcome === 'written' && planned.issues.length > 0
      ? { notes: planned.issues.map(formatIssue) }
      : {}),
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
  close: () => Promise.resolve(),
  profiles: {
    profiles: () => Promise.resolve([]),
    saveProfile: unavailable,
    removeProfile: unavailable,
  },
}
