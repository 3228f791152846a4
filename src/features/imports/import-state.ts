// What is remembered of an import: its source, its profile with all decisions, how far it is, and
// what came of it. It is an entry of the key-value store, so an import goes on where it was left,
// also after a restart.

import {
  withValues,
  storedMessage,
  readMessage,
  type Message,
  type StoredMessage,
} from '../../message.js'
import type { UndoConflict } from '../../catalogue/errors.js'
import type { RowChange } from '../../catalogue/writes/import-writes.js'
import { message } from '../../message.js'
import type { TextRemoval } from '../../model/text-removal.js'
import type { KeyValueStore, KeyValueWrite } from '../../lib/key-value/key-value-store.js'
import { prefixes } from '../../store/key-value/keys.js'
import { slugOf } from '../../lib/names/folding.js'
import type { NewTerm, Profile } from './profile.js'
import type { RecognizedSource } from '../../lib/sources/source.js'

type StateRules = {
  /** What lists of imports say of it. */
  readonly label: string
  /** The step whose page shows it; without one, the first step that has something to decide. */
  readonly step?: 'file' | 'preview' | 'result'
  /** The work that goes on, while which nothing can be changed. */
  readonly work?: {
    readonly label: string
    /** The state after an interruption. */
    readonly ifInterrupted: 'open' | 'stopped' | 'failed'
  }
  /** Whether decisions can be made, and the import be written, again or further. */
  readonly mayChange?: true
  readonly mayUndo?: true
  /** Whether the import has a result. */
  readonly isWritten?: true
  /** Whether nobody is at work on it, so that it is removed after a time. */
  readonly isDone?: true
}

const written = { step: 'result', mayChange: true, isWritten: true } as const

/** All states of an import, with what each means for what may be done and for what pages show. */
export const importStates = {
  harvesting: {
    label: message('being fetched'),
    step: 'file',
    work: { label: message('The records are being fetched.'), ifInterrupted: 'failed' },
  },
  reading: {
    label: message('being read'),
    step: 'file',
    work: { label: message('The rows are being read.'), ifInterrupted: 'failed' },
  },
  open: { label: message('not written yet'), mayChange: true },
  previewing: {
    label: message('being previewed'),
    step: 'preview',
    work: { label: message('The preview is being made.'), ifInterrupted: 'open' },
  },
  writing: {
    label: message('being written'),
    step: 'result',
    work: { label: message('The records are being written.'), ifInterrupted: 'stopped' },
  },
  stopped: { label: message('stopped before the end'), ...written, mayUndo: true },
  written: { label: message('written'), ...written, mayUndo: true, isDone: true },
  undoing: {
    label: message('being undone'),
    step: 'result',
    work: { label: message('The import is being undone.'), ifInterrupted: 'stopped' },
  },
  undone: { label: message('undone|import'), ...written, isDone: true },
  failed: { label: message('could not be read'), step: 'file', isDone: true },
} as const satisfies Readonly<Record<string, StateRules>>

export type ImportState = keyof typeof importStates

/** What holds in the state of an import. */
export const rulesOf = ({ state }: Pick<Import, 'state'>): StateRules => importStates[state]

/** An address of an OAI-PMH repository from which an import takes its records. */
export type HarvestAddress = {
  readonly url: string
  readonly metadataPrefix: string
  readonly set?: string | undefined
  /** Only what changed since is fetched. */
  readonly from?: string | undefined
  /** The time of the harvest, from which the next one goes on. */
  readonly harvestedAt?: string | undefined
}

/** How many records of each kind are changed in which way: `{ zines: { created: 12 } }`. */
export type ImportCounts = Readonly<
  Record<string, Readonly<Partial<Record<RowChange['change'], number>>>>
>

/** What a preview found out. */
export type ImportPreview = {
  /** The revision of the import that it is of. */
  readonly revision: number
  /** Where the log of changes ended when it began. */
  readonly position: number
  /** A hash of all that it found: another preview with the same hash says the same. */
  readonly hash: string
  readonly counts: ImportCounts
  /** How many rows are written, left out by a decision, and refused. */
  readonly rows: { readonly written: number; readonly skipped: number; readonly refused: number }
}

/** A variable of this type is called `job`, since `import` is a reserved word. */
export type Import = {
  readonly id: string
  readonly createdAt: string
  /** The name of the account; absent where none was used, as on the command line. */
  readonly account?: string | undefined
  /** The name of the file. */
  readonly name: string
  /**
   * What the file comes from: imports of the same source update what the others made. Imports that
   * are older than names of sources have none: `sourceNameOf`.
   */
  readonly sourceName?: string | undefined
  readonly bytes: number
  readonly harvest?: HarvestAddress | undefined
  readonly state: ImportState
  /** Why it stopped or failed, as one sentence. */
  readonly message?: Message | undefined
  /** How far the work is, in rows. */
  readonly progress?: { readonly done: number; readonly total: number } | undefined
  readonly recognized?: RecognizedSource | undefined
  /** The number of rows of the source. */
  readonly rows: number
  /** Raised whenever a decision changes. */
  readonly revision: number
  readonly profile: Profile
  readonly preview?: ImportPreview | undefined
  /** The identifiers of the batch that it wrote, and of the one that took it back. */
  readonly batch?: string | undefined
  readonly undo?: string | undefined
  /** The last row that was written. */
  readonly writtenTo?: number | undefined
  readonly written?: ImportCounts | undefined
  /** What the undo kept, since it was changed since. */
  readonly kept?: readonly UndoConflict[] | undefined
  /**
   * The terms that it made, also when its undo took them away: they come back with records that
   * have them.
   */
  readonly terms?: readonly NewTerm[] | undefined
}

/**
 * The name of the source, or what is proposed: the host of another catalogue, or the name of the
 * file.
 */
export const sourceNameOf = ({
  sourceName,
  harvest,
  name,
}: Pick<Import, 'sourceName' | 'harvest' | 'name'>): string =>
  sourceName ?? (harvest ? new URL(harvest.url).host : name.replace(/\.[^.]*$/, '') || name)

export const maxSourceName = 200

/** What identifiers have for the name of the source. */
export const sourceSlug = (sourceName: string): string => slugOf(sourceName, 40) || 'source'

/** Who looks at an import. */
export type ImportViewer = {
  readonly account: string
  /** Whether the private fields of all records are shown to it. */
  readonly seesPrivate: boolean
}

/**
 * Whether somebody sees an import: a source may have private data of makers and donors, whose
 * columns nobody knows.
 */
export const isVisibleTo = ({ account }: Pick<Import, 'account'>, viewer: ImportViewer): boolean =>
  viewer.seesPrivate || account === viewer.account

/** A row as the source has it, by the name of its fields, with what became of it. */
export type ImportedRow = {
  readonly number: number
  readonly fields: readonly (readonly [name: string, text: string])[]
  /** Its records, such as `zines/clp-1`; empty if it was refused or left out. */
  readonly records: readonly string[]
  /** Why it was refused, by field. */
  readonly refused?: readonly string[] | undefined
  /** What was left out, with the reason. */
  readonly notes?: readonly string[] | undefined
}

export class ImportStore {
  readonly #store: Pick<KeyValueStore, 'get' | 'entries' | 'write'>

  constructor(store: Pick<KeyValueStore, 'get' | 'entries' | 'write'>) {
    this.#store = store
  }

  async get(id: string): Promise<Import | undefined> {
    const value = await this.#store.get(prefixes.imports + id)
    return value === undefined ? undefined : parseImport(value)
  }

  /** All imports, the newest first. */
  async all(): Promise<readonly Import[]> {
    const imports: Import[] = []
    for await (const [, value] of this.#store.entries(prefixes.imports))
      imports.push(parseImport(value))
    return imports.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
  }

  put(job: Import): Promise<void> {
    return this.#store.write([importEntry(job)])
  }

  async *rows(id: string): AsyncGenerator<ImportedRow> {
    for await (const [, value] of this.#store.entries(`${prefixes.importedRows}${id}/`))
      // The cast: `rowEntries` wrote it.
      yield JSON.parse(value) as ImportedRow
  }

  /** The row that made or changed a record. */
  async rowOf(id: string, record: string): Promise<ImportedRow | undefined> {
    const value = await this.#store.get(recordEntryKey(id, record))
    return value === undefined ? undefined : this.#rowAt(parseRecordEntry(value).row)
  }

  /** What an import did to records, by their keys. */
  async changesOf(id: string): Promise<Map<string, ImportedChange>> {
    const prefix = `${prefixes.importedRecords}${id}/`
    const changes = new Map<string, ImportedChange>()
    for await (const [key, value] of this.#store.entries(prefix))
      changes.set(key.slice(prefix.length), parseRecordEntry(value).change)
    return changes
  }

  async remove(id: string): Promise<void> {
    await this.removeRows(id)
    await this.#store.write([{ key: prefixes.imports + id, value: undefined }])
  }

  async removeRows(id: string): Promise<void> {
    for (const prefix of [prefixes.importedRows, prefixes.importedRecords])
      await this.#removeEntries(`${prefix}${id}/`)
  }

  /**
   * Removes the rows behind the last one, of a source that had more when it was read in another
   * way.
   */
  removeRowsAfter(id: string, last: number): Promise<void> {
    return this.#removeEntries(`${prefixes.importedRows}${id}/`, (key) => key > rowKey(id, last))
  }

  /** Removes a text from the rows of all imports, and from all profiles that were saved. */
  async removeText(text: TextRemoval): Promise<void> {
    for await (const [key, value] of this.#store.entries(prefixes.importedRows)) {
      if (!text.isIn(value)) continue
      // The cast: `rowEntries` wrote it.
      const row = withoutText(JSON.parse(value) as ImportedRow, text)
      await this.#store.write([{ key, value: JSON.stringify(row) }])
    }
    for await (const [key, value] of this.#store.entries(prefixes.importProfiles)) {
      if (!text.isIn(value)) continue
      // The cast: `saveProfile` wrote it.
      const profile = JSON.stringify(withoutDecisionsOn(JSON.parse(value) as Profile, text))
      // What else it says cannot be without it.
      await this.#store.write([{ key, value: text.isIn(profile) ? undefined : profile }])
    }
  }

  /**
   * Removes the row of an import that made or changed a record. That the import made the record
   * stays known.
   */
  async removeRowOf(id: string, record: string): Promise<void> {
    const entry = await this.#store.get(recordEntryKey(id, record))
    if (entry !== undefined)
      await this.#store.write([{ key: parseRecordEntry(entry).row, value: undefined }])
  }

  /** Removes a record from what an import did. That its row was written stays known. */
  async removeRecord(id: string, record: string): Promise<void> {
    const key = recordEntryKey(id, record)
    const entry = await this.#store.get(key)
    if (entry === undefined) return
    const { row: rowAddress } = parseRecordEntry(entry)
    const row = await this.#rowAt(rowAddress)
    const records = row?.records.filter((other) => other !== record)
    await this.#store.write([
      { key, value: undefined },
      ...(row ? [{ key: rowAddress, value: JSON.stringify({ ...row, records }) }] : []),
    ])
  }

  async profiles(): Promise<readonly Profile[]> {
    const profiles: Profile[] = []
    for await (const [, value] of this.#store.entries(prefixes.importProfiles))
      // The cast: `saveProfile` wrote it.
      profiles.push(JSON.parse(value) as Profile)
    return profiles
  }

  saveProfile(profile: Profile): Promise<void> {
    return this.#store.write([{ key: profileKey(profile.name), value: JSON.stringify(profile) }])
  }

  removeProfile(name: string): Promise<void> {
    return this.#store.write([{ key: profileKey(name), value: undefined }])
  }

  async #rowAt(key: string): Promise<ImportedRow | undefined> {
    const value = await this.#store.get(key)
    // The cast: `rowEntries` wrote it.
    return value === undefined ? undefined : (JSON.parse(value) as ImportedRow)
  }

  /** Removes the entries whose keys begin with a prefix, a thousand at a time. */
  async #removeEntries(
    prefix: string,
    isRemoved: (key: string) => boolean = () => true,
  ): Promise<void> {
    let keys: string[] = []
    const removeKeys = async (): Promise<void> => {
      await this.#store.write(keys.map((key) => ({ key, value: undefined })))
      keys = []
    }
    for await (const [key] of this.#store.entries(prefix)) {
      if (isRemoved(key)) keys.push(key)
      if (keys.length === 1000) await removeKeys()
    }
    await removeKeys()
  }
}

const profileKey = (name: string): string =>
  prefixes.importProfiles + encodeURIComponent(name.toLowerCase())

export const importEntry = (job: Import): KeyValueWrite => ({
  key: prefixes.imports + job.id,
  value: JSON.stringify({ ...job, message: job.message && storedMessage(job.message) }),
})

/** Reads what `importEntry` wrote. */
export function parseImport(value: string): Import {
  // A cast: it is what `importEntry` wrote.
  const stored = JSON.parse(value) as StoredImport
  return { ...stored, message: stored.message && readMessage(stored.message) }
}

type StoredImport = Omit<Import, 'message'> & { readonly message?: StoredMessage | undefined }

const rowKey = (id: string, number: number): string =>
  `${prefixes.importedRows}${id}/${String(number).padStart(9, '0')}`

const recordEntryKey = (id: string, record: string): string =>
  `${prefixes.importedRecords}${id}/${record}`

/** What an import did to a record, in whichever of its rows. */
export type ImportedChange = RowChange['change']

/**
 * The key of the row of a record, and what was done; older entries have the key only, and were made
 * by the import.
 */
function parseRecordEntry(value: string): {
  readonly row: string
  readonly change: ImportedChange
} {
  const [row = '', change = 'created'] = value.split(' ')
  // The cast: `rowEntries` wrote it.
  return { row, change: change as ImportedChange }
}

/**
 * The entries of a row, and those that lead from its records to it.
 * @param changes what the import did to its records so far
 */
export function rowEntries(
  id: string,
  row: ImportedRow,
  changes: ReadonlyMap<string, ImportedChange>,
): readonly KeyValueWrite[] {
  const key = rowKey(id, row.number)
  return [
    { key, value: JSON.stringify(row) },
    ...row.records.map((record) => ({
      key: recordEntryKey(id, record),
      value: `${key} ${changes.get(record) ?? 'unchanged'}`,
    })),
  ]
}

/** Whether what is remembered of an import has a text, besides what it is called by. */
export const hasText = (job: Import, text: TextRemoval): boolean =>
  text.isIn(JSON.stringify({ ...job, id: undefined, account: undefined, state: undefined }))

/**
 * An import without a text in its name, in what it says, and in decisions; the same where it has
 * none anywhere.
 */
export const withoutTextIn = (job: Import, text: TextRemoval): Import =>
  hasText(job, text)
    ? {
        ...job,
        name: text.removeFrom(job.name),
        sourceName: job.sourceName && text.removeFrom(job.sourceName),
        message: job.message && withValues(job.message, text.removeFrom),
        profile: withoutDecisionsOn(job.profile, text),
        terms: job.terms?.filter((term) => !text.isIn(JSON.stringify(term))),
      }
    : job

function withoutText(row: ImportedRow, { removeFrom }: TextRemoval): ImportedRow {
  return {
    ...row,
    fields: row.fields.map(([name, text]) => [name, removeFrom(text)] as const),
    ...(row.refused ? { refused: row.refused.map(removeFrom) } : {}),
    ...(row.notes ? { notes: row.notes.map(removeFrom) } : {}),
  }
}

function withoutDecisionsOn(profile: Profile, text: TextRemoval): Profile {
  const without = <Decision>(decisions: Readonly<Record<string, Decision>>) =>
    Object.fromEntries(
      Object.entries(decisions).filter(
        ([name, decision]) => !text.isIn(name) && !text.isIn(JSON.stringify(decision)),
      ),
    )
  const terms = Object.entries(profile.terms).map(([name, all]) => [name, without(all)] as const)
  return { ...profile, names: without(profile.names), terms: Object.fromEntries(terms) }
}
