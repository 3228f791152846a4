// `doctor`: checks every entry of a data directory and reports what is wrong with which record and
// field. It changes nothing. Of a running service it checks a backup, which is a snapshot.

import type { Readable } from 'node:stream'
import { parseArgs } from 'node:util'

import { Parser } from 'n3'

import { ExpectedError } from '../errors.js'
import { parseRemembered } from '../accounts/remembered-values.js'
import { parseInvitation } from '../accounts/invitations.js'
import { isRole } from '../accounts/rights.js'
import { dataFiles } from '../config.js'
import { describeSharedLabel, findSharedLabels } from '../model/declarations/local-terms.js'
import { toStatements } from '../model/record/rdf-mapper.js'
import { redirectOf, redirectQuads } from '../model/record/redirect.js'
import type { Reference } from '../model/record/views.js'
import type { Resource } from '../model/resources.js'
import { writeNQuads } from '../rdf/terms.js'
import type { DataChecks, DataPart, EntryCheck, ReportEntry } from '../store/data-part.js'
import { DataCorruptedError } from '../lib/key-value/errors.js'
import { checkDataVersion } from '../store/key-value/data-version.js'
import { parseBatch } from '../store/key-value/batch-log.js'
import { parseHiddenEntry, parseWithheldEntry } from '../catalogue/records/hidden-records.js'
import {
  type ChangeType,
  type LoggedChange,
  isHiddenNumber,
  parseChange,
} from '../store/key-value/change-log.js'
import type { KeyValueStore } from '../lib/key-value/key-value-store.js'
import {
  baseUrlKey,
  catalogueIdKey,
  derivationKey,
  followsAddressKey,
  formerCatalogueIdKey,
  indexFileKey,
  lastChangeRequestKey,
  lastForgettingKey,
  logNameKey,
  moveKey,
  prefixes,
  remoteCommitKey,
  remotePendingKey,
  upgradeKey,
  versionKey,
} from '../store/key-value/keys.js'
import { parseKey } from '../store/key-value/idempotency-keys.js'
import { forgottenValues } from '../store/key-value/forgotten-identifiers.js'
import { parseUnfinishedRedaction } from '../store/key-value/unfinished-redactions.js'
import { readArchive } from './archive-file.js'
import { type DataDirectory, findStoppedStore } from './backup.js'
import { requestBackup } from '../lib/control-socket.js'
import { type DoctorModel, type Report, checkRecord } from './record-checks.js'

/** An error has to be repaired; a note may be in order. */
export type Finding = {
  readonly level: 'error' | 'note'
  /** The key of the entry, such as `record/zines/x`. */
  readonly key?: string
  readonly field?: string
  readonly what: string
}

export type DoctorSummary = {
  readonly records: number
  readonly errors: number
  readonly notes: number
}

export type OnFinding = (finding: Finding) => void

/** Opens the model for a base URL, with the vocabularies of the data directory. */
type OpenModel = (base: string) => Promise<DoctorModel>

/**
 * Checks the data directory, whether the service runs or not.
 * @throws ExpectedError when there is no catalogue; ControlConnectionError
 */
export const checkDataDirectory = (
  { dataDir, parts }: DataDirectory,
  openModel: OpenModel,
  onFinding: OnFinding,
): Promise<DoctorSummary> =>
  runChecks(new Doctor(parts, openModel, onFinding), async (doctor) => {
    const store = await findStoppedStore(dataDir)
    try {
      if (store) await checkStore(store, doctor)
      else await checkArchive(await requestBackup(dataFiles(dataDir).control), doctor)
      await doctor.checkFiles()
    } finally {
      await store?.close()
    }
  })

/**
 * Checks the data directory of the service that runs in this process.
 * @param bytes a backup of it
 * @param afterEach called after each entry
 * @throws what the backup ends with
 */
export const checkRunningService = (
  bytes: Readable,
  { parts }: Pick<DataDirectory, 'parts'>,
  openModel: OpenModel,
  onFinding: OnFinding,
  afterEach: AfterEntry,
): Promise<DoctorSummary> =>
  runChecks(new Doctor(parts, openModel, onFinding), async (doctor) => {
    await checkArchive(bytes, doctor, afterEach)
    await doctor.checkFiles()
  })

async function runChecks(
  doctor: Doctor,
  checkEntries: (doctor: Doctor) => Promise<void>,
): Promise<DoctorSummary> {
  try {
    await checkEntries(doctor)
  } catch (error) {
    if (!(error instanceof DataCorruptedError)) throw error
    return doctor.stop(error.message)
  }
  await doctor.checkSettings()
  return doctor.end()
}

/**
 * Prints a line for each finding, and the summary last; with `--json` each line is a JSON object.
 * @returns whether there are no errors
 */
export async function runDoctor(
  args: readonly string[],
  check: (onFinding: OnFinding) => Promise<DoctorSummary>,
  print: (line: string) => void,
): Promise<boolean> {
  const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean' } } })
  const format = values.json ? JSON.stringify : formatFinding
  const summary = await check((finding) => print(format(finding)))
  const { records, errors, notes } = summary
  print(
    values.json
      ? JSON.stringify(summary)
      : `${records} records checked: ${errors} errors, ${notes} notes`,
  )
  return errors === 0
}

const formatFinding = ({ level, key, field, what }: Finding): string =>
  [level, key, field, what].filter((part) => part !== undefined).join(': ')

async function checkStore(store: KeyValueStore, doctor: Doctor): Promise<void> {
  for await (const [key, value] of store.entries('')) {
    await doctor.checkEntry(key, value)
    // Some keys were once read as absent or as another record, by which values were lost.
    if (store.getNow(key) !== value) doctor.reportMisread(key)
  }
}

type AfterEntry = () => Promise<void> | void

async function checkArchive(
  bytes: Readable,
  doctor: Doctor,
  afterEach: AfterEntry = () => undefined,
): Promise<void> {
  await readArchive(bytes, 'the backup of the service', async (part) => {
    if ('key' in part && part.value !== undefined) await doctor.checkEntry(part.key, part.value)
    await afterEach()
  })
}

/** Checks entries from anywhere, which come in the order of their keys. */
export class Doctor {
  readonly #parts: readonly DataPart[]
  readonly #openModel: OpenModel
  readonly #onFinding: OnFinding
  readonly #checks: readonly DataChecks[]
  /** By the beginnings of keys. */
  readonly #entryChecks: readonly (readonly [prefix: string, check: EntryCheck])[]
  readonly #counts = { records: 0, errors: 0, notes: 0 }
  /** The keys of records. */
  readonly #seen = new Set<string>()
  /** By the keys of records that were merged, those of the records that they were merged into. */
  readonly #redirects = new Map<string, string>()
  /** Changes of the log, which come before the histories that lead to them. */
  readonly #log = { changes: 0, forgotten: 0, last: 0, inHistory: 0 }
  /** By the keys of records, the last change of each that the log has. */
  readonly #lastChanges = new Map<string, LoggedChange>()
  /** References to records that were not seen yet; `to` is the key of such a record. */
  readonly #unresolved: { readonly key: string; readonly field: string; readonly to: string }[] = []
  /** The keys that hidden records would have. */
  readonly #hidden = new Set<string>()
  #model: DoctorModel | undefined
  #version: string | undefined
  #derivation: string | undefined

  constructor(
    parts: readonly DataPart[],
    openModel: (base: string) => Promise<DoctorModel>,
    onFinding: OnFinding,
  ) {
    this.#parts = parts
    this.#openModel = openModel
    this.#onFinding = onFinding
    this.#checks = parts.flatMap((part) => part.createChecks?.() ?? [])
    this.#entryChecks = [
      ...Object.entries(commonEntryChecks),
      ...this.#checks.flatMap(({ entries }) => Object.entries(entries)),
    ]
  }

  async checkEntry(key: string, value: string): Promise<void> {
    const isValid = this.#entryChecks.find(([prefix]) => key.startsWith(prefix))?.[1]
    const report: Report = (what, field, level = 'error') => {
      this.#report({ level, key, ...(field === undefined ? {} : { field }), what })
    }
    if (key === baseUrlKey) await this.#useModel(value)
    else if (key === versionKey) this.#version = value
    else if (key === derivationKey) this.#derivation = value
    else if (key === moveKey)
      report('the move to another base URL is not finished; a start goes on with it')
    else if (key === upgradeKey)
      report('the upgrade is not finished; a start goes on with it', undefined, 'note')
    else if (key.startsWith(prefixes.records)) await this.#checkRecordEntry(key, value, report)
    else if (otherSettings.includes(key)) return
    else if (!isValid) report('no entry has such a key')
    else if (!succeeds(() => isValid(value, key))) report('cannot be read')
    else if (key.startsWith(prefixes.redactions))
      report('was begun to be removed for good, and is not done', undefined, 'note')
    else this.#checkLogEntry(key, value, report)
  }

  reportMisread(key: string): void {
    this.#reportError(key, 'is read as absent, or as something else, by its key')
  }

  /** Checks the files that the entries name. */
  async checkFiles(): Promise<void> {
    for (const checks of this.#checks) await checks.checkFiles?.(this.#reportError)
  }

  /** Checks what stops the start when it cannot be used, such as the logo and the About page. */
  async checkSettings(): Promise<void> {
    for (const part of this.#parts)
      try {
        await part.checkSettings?.()
      } catch (failure) {
        if (!(failure instanceof ExpectedError)) throw failure
        this.#report({ level: 'error', what: failure.message })
      }
  }

  /** Checks what is known only once all entries were seen. */
  end(): DoctorSummary {
    this.#checkReferences()
    for (const checks of this.#checks)
      checks.checkRecords?.(
        (key) => this.#seen.has(key) || this.#hidden.has(key),
        this.#reportError,
      )
    if (!this.#model) this.#reportError(baseUrlKey, 'is missing')
    this.#checkLog()
    try {
      checkDataVersion({ format: this.#version, derivation: this.#derivation })
    } catch (failure) {
      this.#reportError(versionKey, (failure as Error).message)
    }
    return this.#counts
  }

  /** Ends the check early, for a reason that is not about one entry. */
  stop(what: string): DoctorSummary {
    this.#report({ level: 'error', what })
    return this.#counts
  }

  #report(finding: Finding): void {
    this.#counts[finding.level === 'error' ? 'errors' : 'notes'] += 1
    this.#onFinding(finding)
  }

  readonly #reportError: ReportEntry = (key, what) => {
    this.#report({ level: 'error', key, what })
  }

  async #useModel(base: string): Promise<void> {
    this.#model = await this.#openModel(base)
    const fields = Object.values(this.#model.resources).flatMap((resource) => resource.fields)
    const vocabularies = fields.flatMap(({ vocabulary }) => vocabulary ?? [])
    for (const shared of findSharedLabels([...new Set(vocabularies)]))
      this.#report({ level: 'note', what: describeSharedLabel(shared) })
  }

  async #checkRecordEntry(key: string, value: string, report: Report): Promise<void> {
    this.#counts.records += 1
    this.#seen.add(key)
    const model = this.#model
    if (!model) {
      if (this.#counts.records === 1)
        report('no record can be checked, because the base URL is missing')
      return
    }
    const [, name = '', id = ''] = /^record\/([a-z]+)\/(.*)$/su.exec(key) ?? []
    const resource = (model.resources as Readonly<Record<string, Resource | undefined>>)[name]
    if (!resource || id === '') {
      report('there is no such resource')
      return
    }
    try {
      const quads = new Parser({ format: 'application/n-quads' }).parse(value)
      const into = redirectOf(model.iris, toStatements(quads))
      if (into === undefined)
        this.#addReferences(key, await checkRecord(model, { resource, id, quads }, report))
      else {
        const expected = redirectQuads(model.iris, { target: resource.name, id }, into)
        if (writeNQuads(expected) !== value) report('is not what a merge writes')
        this.#addRedirect(key, `${prefixes.records}${resource.name}/${into}`)
      }
    } catch (failure) {
      report(`cannot be read: ${(failure as Error).message}`)
    }
  }

  #addReferences(key: string, references: readonly (readonly [string, Reference])[]): void {
    for (const [field, { target, id }] of references) {
      const to = `${prefixes.records}${target}/${id}`
      if (!this.#seen.has(to)) this.#unresolved.push({ key, field, to })
    }
  }

  /** A redirect is no record, so nothing may refer to it. */
  #addRedirect(key: string, to: string): void {
    this.#redirects.set(key, to)
    this.#seen.delete(key)
    this.#counts.records -= 1
  }

  /**
   * Checks that no change is missing in the log, and that each change is in the history of one
   * record.
   */
  #checkLogEntry(key: string, value: string, report: Report): void {
    const log = this.#log
    const sequence = Number(key.slice(key.lastIndexOf('/') + 1))
    if (key.startsWith(prefixes.changes)) {
      if (log.changes > 0 && sequence !== log.last + 1)
        report(`the change before it, ${sequence - 1}, is missing`)
      log.changes += 1
      log.last = sequence
      const change = parseChange(key, value)
      if (change.change === 'forgotten') {
        log.forgotten += 1
        return
      }
      this.#lastChanges.set(prefixes.records + change.record, change)
      if (!canBeUndone(change)) report(`does not have the values of ${change.record} before it`)
    } else if (key.startsWith(prefixes.hidden)) this.#hidden.add(recordOfHidden(key))
    else if (key.startsWith(prefixes.history) && !isHiddenNumber(sequence)) {
      log.inHistory += 1
      if (sequence > log.last || sequence <= log.last - log.changes)
        report('leads to a change that does not exist')
    }
  }

  #checkReferences(): void {
    for (const { key, field, to } of this.#unresolved) {
      if (this.#seen.has(to)) continue
      // An agent may be deleted while zines still refer to it: docs/reference/records.md, "Delete
      // effects".
      const level = to.startsWith(`${prefixes.records}agents/`) ? 'note' : 'error'
      this.#report({ level, key, field, what: `${nameOf(to)} does not exist` })
    }
    for (const [key, to] of this.#redirects)
      if (!this.#seen.has(to)) {
        const isMerged = this.#redirects.has(to) ? 'was merged too' : 'does not exist'
        this.#reportError(key, `leads to ${nameOf(to)}, which ${isMerged}`)
      }
  }

  /** Checks that each record is as its last change left it. */
  #checkLog(): void {
    for (const [key, { change }] of this.#lastChanges) {
      const state = this.#stateOf(key)
      if (state !== stateAfter[change])
        this.#reportError(key, `${state}, though the log last says that it was ${change}`)
    }
    const { changes, forgotten, inHistory } = this.#log
    const named = changes - forgotten
    if (inHistory !== named)
      this.#reportError(
        prefixes.history,
        `the log has ${named} changes, of which the histories of records have ${inHistory}`,
      )
  }

  #stateOf(key: string): RecordState {
    if (this.#seen.has(key)) return 'exists'
    return this.#redirects.has(key) ? 'leads to another' : 'is not there'
  }
}

const nameOf = (key: string): string => key.slice(prefixes.records.length)

type RecordState = 'exists' | 'is not there' | 'leads to another'

/** What there is after the last change of a record. */
const stateAfter: Readonly<Record<ChangeType, RecordState>> = {
  created: 'exists',
  updated: 'exists',
  merged: 'leads to another',
  deleted: 'is not there',
  forgotten: 'is not there',
}

/** Whether a record that a change removed can come back. All records have this field. */
const canBeUndone = ({ change, turned, before, redacted }: LoggedChange): boolean =>
  stateAfter[change] === 'exists' ||
  turned !== undefined ||
  !before ||
  redacted !== undefined ||
  'created_at' in before

/** The key that a hidden record would have among the others. */
const recordOfHidden = (key: string): string => prefixes.records + key.slice(prefixes.hidden.length)

/** The keys of settings that are not checked. */
const otherSettings = [
  catalogueIdKey,
  followsAddressKey,
  indexFileKey,
  lastChangeRequestKey,
  lastForgettingKey,
  logNameKey,
]

/** How entries are checked that belong to no part of the service alone. */
const commonEntryChecks: Readonly<Record<string, EntryCheck>> = {
  [prefixes.accounts](value) {
    const { account } = JSON.parse(value) as { account: { role: string } }
    return isRole(account.role)
  },
  [prefixes.accountUses]: (value) => JSON.parse(value) !== null,
  [prefixes.rememberedValues]: (value) => parseRemembered(value).size > 0,
  [prefixes.changes](value, key) {
    const { record, change } = parseChange(key, value)
    return change === 'forgotten'
      ? /^[a-z]+\/$/.test(record)
      : record.includes('/') && Object.hasOwn(stateAfter, change)
  },
  [prefixes.hiddenChanges]: (value, key) => parseChange(key, value).record.includes('/'),
  [prefixes.hiddenDeletions]: (value) => value.includes('/'),
  [prefixes.hidden](value) {
    const entry = parseHiddenEntry(value)
    return 'into' in entry || 'isGone' in entry || typeof entry.since === 'string'
  },
  [prefixes.withheld]: (value) => parseWithheldEntry(value).keys.length > 0,
  [prefixes.history]: (value, key) => value === '' && /\/\d{12}$/.test(key),
  [prefixes.forgotten]: (value) => /^\d+$/.test(value),
  [prefixes.deletions]: (value) => value.includes('/'),
  [prefixes.batches]: (value, key) => key.endsWith(`/${parseBatch(value).id}`),
  [prefixes.redactions]: (value, key) => key.endsWith(`/${parseUnfinishedRedaction(value).id}`),
  [prefixes.forgottenIdentifiers]: (value, key) =>
    Object.values<string>(forgottenValues).includes(value) && /\/[0-9a-f]{64}$/.test(key),
  [prefixes.idempotencyKeys]: (value, key) =>
    Number.isFinite(parseKey(value)?.at) && /\/[0-9a-f]{64}$/.test(key),
  [prefixes.formerSeries]: (value, key) => value !== '' && /\/[0-9a-f]{32}$/.test(key),
  [prefixes.invitations]: (value) => typeof parseInvitation(value).name === 'string',
  [prefixes.sessions]: (value) => typeof (JSON.parse(value) as { name: unknown }).name === 'string',
  [prefixes.remote](value, key) {
    if (key === remoteCommitKey) return /^\d+$/.test(value)
    if (key === remotePendingKey)
      return Array.isArray((JSON.parse(value) as { changes: unknown }).changes)
    return key === formerCatalogueIdKey
  },
}

function succeeds(check: () => boolean): boolean {
  try {
    return check()
  } catch {
    return false
  }
}
