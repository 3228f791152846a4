// `doctor`: checks every entry of a data directory and reports what is wrong with which record and
// field. It changes nothing. Of a running service it checks a backup, which is a snapshot.

import type { Readable } from 'node:stream'
import { parseArgs } from 'node:util'

import { Parser } from 'n3'

import { ExpectedError } from '../errors.js'
import { parseRemembered } from '../accounts/remembered-values.js'
import { parseInvitation } from '../accounts/invitations.js'
import { isRole } from '../accounts/rights.js'
import { readSiteFiles } from '../branding/site-files.js'
import { isChangeRequest, parseChangeRequest } from '../features/change-requests/change-requests.js'
import { type Config, dataFiles } from '../config.js'
import { readCatalogues } from '../features/copy-cataloguing/catalogues-file.js'
import type { Iris, ResourceName } from '../model/iris.js'
import { parseImport } from '../features/imports/import-state.js'
import { formatMessages } from '../model/record/input.js'
import { type RecordValues, textValue } from '../model/record/values.js'
import type { Resource, Resources } from '../model/resources.js'
import type { Validator } from '../model/validation/validator.js'
import { type RdfMapper, toStatements } from '../model/record/rdf-mapper.js'
import { redirectOf, redirectQuads } from '../model/record/redirect.js'
import { type Reference, referencesOfField } from '../model/record/views.js'
import {
  type PictureFiles,
  createPictureFiles,
  hashOf,
} from '../features/pictures/picture-files.js'
import { hashesOf, parsePictureEntry } from '../features/pictures/picture.js'
import { type Quad, writeNQuads } from '../rdf/terms.js'
import { checkDataVersion } from '../store/key-value/base-url.js'
import {
  baseUrlKey,
  followsAddressKey,
  indexFileKey,
  catalogueIdKey,
  derivationKey,
  formerCatalogueIdKey,
  lastChangeRequestKey,
  logNameKey,
  prefixes,
  remoteCommitKey,
  remotePendingKey,
  versionKey,
} from '../store/key-value/keys.js'
import { parseBatch } from '../store/key-value/batch-log.js'
import { parseUnfinishedRedaction } from '../store/key-value/unfinished-redactions.js'
import { type ChangeType, type LoggedChange, parseChange } from '../store/key-value/change-log.js'
import type { KeyValueStore } from '../lib/key-value/key-value-store.js'
import { DataCorruptedError } from '../store/errors.js'
import { describeSharedLabel, findSharedLabels } from '../model/declarations/local-terms.js'
import { readArchive } from './archive-file.js'
import { parseWebhook } from '../features/webhooks/webhooks.js'
import { createDataDirectory } from './backup.js'
import { requestBackup } from './control-socket.js'

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

/** What records are checked against. */
export type DoctorModel = {
  readonly iris: Iris
  readonly resources: Resources
  readonly mapper: RdfMapper
  readonly validator: Validator
}

export type OnFinding = (finding: Finding) => void

/**
 * Checks the data directory, whether the service runs or not.
 * @param openModel the model for a base URL, with the vocabularies of the data directory
 * @throws ExpectedError when there is no catalogue; ControlConnectionError
 */
export async function checkDataDirectory(
  { dataDir, importHosts }: Pick<Config, 'dataDir' | 'importHosts'>,
  openModel: (base: string) => Promise<DoctorModel>,
  onFinding: OnFinding,
): Promise<DoctorSummary> {
  const doctor = createDoctor(openModel, onFinding)
  try {
    const store = await createDataDirectory(dataDir)
    try {
      if (store) await checkStore(store, doctor)
      else await checkBackup(await requestBackup(dataFiles(dataDir).control), doctor)
      await doctor.checkPictureFiles(createPictureFiles(dataFiles(dataDir).pictures))
    } finally {
      await store?.close()
    }
  } catch (error) {
    if (!(error instanceof DataCorruptedError)) throw error
    return doctor.stop(error.message)
  }
  const { site, catalogues } = dataFiles(dataDir)
  await doctor.checkFile(() => readSiteFiles(site))
  await doctor.checkFile(() => readCatalogues(catalogues, importHosts))
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

async function checkBackup(bytes: Readable, doctor: Doctor): Promise<void> {
  const expected = { name: 'the backup of the service', kind: 'backup' } as const
  await readArchive(bytes, expected, async (part) => {
    if ('key' in part && part.value !== undefined) await doctor.checkEntry(part.key, part.value)
  })
}

type Doctor = ReturnType<typeof createDoctor>

/** Checks entries from anywhere, which come in the order of their keys. */
export function createDoctor(
  openModel: (base: string) => Promise<DoctorModel>,
  onFinding: OnFinding,
) {
  const counts = { records: 0, errors: 0, notes: 0 }
  const seen = new Set<string>()
  /** By the keys of records that were merged, those of the records that they were merged into. */
  const redirects = new Map<string, string>()
  /** Changes of the log, which come before the histories that lead to them. */
  const log = { changes: 0, last: 0, inHistory: 0 }
  /** By the keys of records, the last change of each that the log has. */
  const lastChanges = new Map<string, LoggedChange>()
  /** References to records that were not seen yet; `to` is the key of such a record. */
  const unresolved: { readonly key: string; readonly field: string; readonly to: string }[] = []
  /** The keys of entries of pictures by the files that they name. */
  const pictureFiles = new Map<string, string>()
  /** The keys of entries of pictures of records that are not deleted. */
  const pictured: string[] = []
  let model: DoctorModel | undefined
  let version: string | undefined

  function report(finding: Finding): void {
    counts[finding.level === 'error' ? 'errors' : 'notes'] += 1
    onFinding(finding)
  }

  async function useModel(base: string): Promise<void> {
    model = await openModel(base)
    const fields = Object.values(model.resources).flatMap((resource) => resource.fields)
    const vocabularies = fields.flatMap(({ vocabulary }) => vocabulary ?? [])
    for (const shared of findSharedLabels([...new Set(vocabularies)]))
      report({ level: 'note', what: describeSharedLabel(shared) })
  }

  async function checkEntry(key: string, value: string): Promise<void> {
    const isValid = otherEntryKinds.find(([prefix]) => key.startsWith(prefix))?.[1]
    const reportHere: Report = (what, field, level = 'error') => {
      report({ level, key, ...(field === undefined ? {} : { field }), what })
    }
    if (key === baseUrlKey) await useModel(value)
    else if (key === versionKey) version = value
    else if (key.startsWith(prefixes.records)) await checkRecordEntry(key, value, reportHere)
    else if (otherSettings.includes(key)) return
    else if (!isValid) reportHere('no entry has such a key')
    else if (!succeeds(() => isValid(value, key))) reportHere('cannot be read')
    else if (key.startsWith(prefixes.pictures)) notePictures(key, value)
    else checkLogEntry(key, value, reportHere)
  }

  const reportMisread = (key: string): void =>
    report({ level: 'error', key, what: 'is read as absent, or as something else, by its key' })

  function notePictures(key: string, value: string): void {
    const entry = parsePictureEntry(value)
    for (const hash of hashesOf(entry)) pictureFiles.set(hash, key)
    if (entry.pictures.length > 0) pictured.push(key)
  }

  /** Checks that the file of each picture is there and as it was written. */
  async function checkPictureFiles(files: PictureFiles): Promise<void> {
    for (const [hash, key] of pictureFiles) {
      const content = await files.read(hash)
      if (content && hashOf(content) === hash) continue
      report({
        level: 'error',
        key,
        what: `its file ${hash} is ${content ? 'damaged' : 'missing'}`,
      })
    }
  }

  /**
   * Checks that no change is missing in the log, and that each change is in the history of one
   * record.
   */
  function checkLogEntry(key: string, value: string, reportHere: Report): void {
    const sequence = Number(key.slice(key.lastIndexOf('/') + 1))
    if (key.startsWith(prefixes.changes)) {
      if (log.changes > 0 && sequence !== log.last + 1)
        reportHere(`the change before it, ${sequence - 1}, is missing`)
      log.changes += 1
      log.last = sequence
      const change = parseChange(key, value)
      lastChanges.set(prefixes.records + change.record, change)
      if (!canBeUndone(change)) reportHere(`does not have the values of ${change.record} before it`)
    } else if (key.startsWith(prefixes.history)) {
      log.inHistory += 1
      if (sequence > log.last || sequence <= log.last - log.changes)
        reportHere('leads to a change that does not exist')
    }
  }

  async function checkRecordEntry(key: string, value: string, reportHere: Report): Promise<void> {
    counts.records += 1
    seen.add(key)
    if (!model) {
      if (counts.records === 1)
        reportHere('no record can be checked, because the base URL is missing')
      return
    }
    const [, name = '', id = ''] = /^record\/([a-z]+)\/(.*)$/su.exec(key) ?? []
    const resource = (model.resources as Readonly<Record<string, Resource | undefined>>)[name]
    if (!resource || id === '') {
      reportHere('there is no such resource')
      return
    }
    try {
      const quads = new Parser({ format: 'application/n-quads' }).parse(value)
      const into = redirectOf(model.iris, toStatements(quads))
      if (into !== undefined) {
        const expected = redirectQuads(model.iris, { target: resource.name, id }, into)
        if (writeNQuads(expected) !== value) reportHere('is not what a merge writes')
        // It is no record, so nothing may refer to it.
        redirects.set(key, `${prefixes.records}${resource.name}/${into}`)
        seen.delete(key)
        counts.records -= 1
        return
      }
      const values = checkQuads(model, resource, id, quads, reportHere)
      await checkRecord(model, resource, values, reportHere)
      addReferences(key, referencesOf(resource, values))
    } catch (failure) {
      reportHere(`cannot be read: ${(failure as Error).message}`)
    }
  }

  function addReferences(key: string, references: readonly (readonly [string, Reference])[]): void {
    for (const [field, { target, id }] of references) {
      const to = `${prefixes.records}${target}/${id}`
      if (!seen.has(to)) unresolved.push({ key, field, to })
    }
  }

  function end(): DoctorSummary {
    for (const { key, field, to } of unresolved) {
      if (seen.has(to)) continue
      // An agent may be deleted while zines still refer to it: docs/api.md, "Delete effects".
      const level = to.startsWith(`${prefixes.records}agents/`) ? 'note' : 'error'
      report({ level, key, field, what: `${nameOf(to)} does not exist` })
    }
    for (const [key, to] of redirects)
      if (!seen.has(to)) {
        const isMerged = redirects.has(to) ? 'was merged too' : 'does not exist'
        report({ level: 'error', key, what: `leads to ${nameOf(to)}, which ${isMerged}` })
      }
    for (const key of pictured)
      if (!seen.has(prefixes.records + key.slice(prefixes.pictures.length)))
        report({ level: 'error', key, what: 'has pictures of a record that does not exist' })
    if (!model) report({ level: 'error', key: baseUrlKey, what: 'is missing' })
    for (const [key, { change }] of lastChanges) {
      const state = seen.has(key)
        ? 'exists'
        : redirects.has(key)
          ? 'leads to another'
          : 'is not there'
      if (state !== stateAfter[change])
        report({
          level: 'error',
          key,
          what: `${state}, though the log last says that it was ${change}`,
        })
    }
    if (log.inHistory !== log.changes)
      report({
        level: 'error',
        key: prefixes.history,
        what: `the log has ${log.changes} changes, of which the histories of records have ${log.inHistory}`,
      })
    try {
      checkDataVersion(version)
    } catch (failure) {
      report({ level: 'error', key: versionKey, what: (failure as Error).message })
    }
    return counts
  }

  /**
   * Checks what stops the start when it cannot be used: the logo and the About page, and the other
   * catalogues.
   */
  async function checkFile(read: () => Promise<unknown>): Promise<void> {
    try {
      await read()
    } catch (failure) {
      const isKnown = failure instanceof ExpectedError
      if (!isKnown) throw failure
      report({ level: 'error', what: failure.message })
    }
  }

  const nameOf = (key: string): string => key.slice(prefixes.records.length)

  /** Ends the check early, for a reason that is not about one entry. */
  function stop(what: string): DoctorSummary {
    report({ level: 'error', what })
    return counts
  }

  return { checkEntry, reportMisread, checkFile, checkPictureFiles, end, stop }
}

/** What there is after the last change of a record. */
const stateAfter: Readonly<Record<ChangeType, 'exists' | 'leads to another' | 'is not there'>> = {
  created: 'exists',
  updated: 'exists',
  merged: 'leads to another',
  deleted: 'is not there',
}

/** Whether a record that a change removed can come back. All records have this field. */
const canBeUndone = ({ change, before, redacted }: LoggedChange): boolean =>
  stateAfter[change] === 'exists' || !before || redacted !== undefined || 'created_at' in before

/** The keys of settings that are not checked. */
const otherSettings = [
  catalogueIdKey,
  derivationKey,
  followsAddressKey,
  indexFileKey,
  lastChangeRequestKey,
  logNameKey,
]

type Report = (what: string, field?: string, level?: Finding['level']) => void

type IsValid = (value: string, key: string) => boolean

/** How the entries of each other kind are checked. A check may throw. */
const otherEntryChecks: Readonly<Record<Exclude<keyof typeof prefixes, 'records'>, IsValid>> = {
  accounts(value) {
    const { account } = JSON.parse(value) as { account: { role: string } }
    return isRole(account.role)
  },
  accountUses: (value) => JSON.parse(value) !== null,
  rememberedValues: (value) => parseRemembered(value).size > 0,
  changes(value, key) {
    const { record, change } = parseChange(key, value)
    return record.includes('/') && ['created', 'updated', 'deleted', 'merged'].includes(change)
  },
  history: (value, key) => value === '' && /\/\d{12}$/.test(key),
  forgotten: (value) => /^\d+$/.test(value),
  deletions: (value) => value.includes('/'),
  changeRequests: (value, key) => isChangeRequest(parseChangeRequest(key, value)),
  batches: (value, key) => key.endsWith(`/${parseBatch(value).id}`),
  redactions: (value, key) => key.endsWith(`/${parseUnfinishedRedaction(value).id}`),
  imports: (value, key) => key.endsWith(`/${parseImport(value).id}`),
  importedRows: (value) => (JSON.parse(value) as { number: unknown }).number !== undefined,
  importedRecords: (value) => value.startsWith(prefixes.importedRows),
  importProfiles: (value) => typeof (JSON.parse(value) as { name: unknown }).name === 'string',
  pictures: (value) => parsePictureEntry(value).pictures.length >= 0,
  formerSeries: (value, key) => value !== '' && /\/[0-9a-f]{32}$/.test(key),
  webhooks: (value, key) => key.endsWith(`/${parseWebhook(value).id}`),
  invitations: (value) => typeof parseInvitation(value).name === 'string',
  sessions: (value) => typeof (JSON.parse(value) as { name: unknown }).name === 'string',
  remote(value, key) {
    if (key === remoteCommitKey) return /^\d+$/.test(value)
    if (key === remotePendingKey)
      return Array.isArray((JSON.parse(value) as { changes: unknown }).changes)
    return key === formerCatalogueIdKey
  },
}

const otherEntryKinds = Object.entries(otherEntryChecks).map(
  ([kind, isValid]) => [prefixes[kind as keyof typeof otherEntryChecks], isValid] as const,
)

function succeeds(check: () => boolean): boolean {
  try {
    return check()
  } catch {
    return false
  }
}

/**
 * The values of a record. Its quads have to be exactly those that the mapper makes of the values.
 */
function checkQuads(
  { mapper, iris }: DoctorModel,
  resource: Resource,
  id: string,
  quads: readonly Quad[],
  report: Report,
): RecordValues {
  const statements = toStatements(quads)
  const values = mapper.fromStatements(resource, id, statements)
  const storedId = textValue(values, resource.id.name)
  if (storedId !== id)
    report(
      `is ${JSON.stringify(storedId)}, which is not the identifier in the key`,
      resource.id.name,
    )
  // The graph counts too: a quad in the wrong graph is reported here and in the loop below.
  const missing = new Map(
    mapper
      .toQuads(resource, { ...values, [resource.id.name]: id })
      .map((quad) => [formatQuad(quad), quad]),
  )
  for (const quad of quads) {
    const line = formatQuad(quad)
    if (missing.delete(line)) continue
    const isPrivate = quad.graph.equals(iris.graphs.private)
    report(`${isPrivate ? 'should not be in the private graph' : 'belongs to no field'}: ${line}`)
  }
  // The release that wrote the record may have derived other triples from it.
  const thing = iris.thing(resource.name, id)
  const derived = resource
    .derive(values, thing, iris)
    .map(({ predicate, object }) => `${predicate.value} ${object.value}`)
  for (const [line, { predicate, object }] of missing)
    if (derived.includes(`${predicate.value} ${object.value}`))
      report(
        `is a derived triple that older releases did not write: ${line}; saving the record adds it`,
        undefined,
        'note',
      )
    else report(`is missing: ${line}`)
  return values
}

const formatQuad = (quad: Quad): string => writeNQuads([quad]).trimEnd()

/** Checks the values against the shapes. Whether referred records exist is checked at the end. */
async function checkRecord(
  { validator, iris }: DoctorModel,
  resource: Resource,
  values: RecordValues,
  report: Report,
): Promise<void> {
  const references = referencesOf(resource, values).map(([, reference]) => reference)
  const exists = new Set(references.map(({ target, id }) => iris.thing(target, id).value))
  for (const [field, messages] of await validator.validate(resource, values, exists))
    for (const message of formatMessages(messages)) report(String(message), field)
  for (const { name } of resource.fields.filter(({ kind }) => kind === 'time'))
    if (!isTime.test(textValue(values, name))) report('is not a time', name)
  if (textValue(values, 'updated_at') < textValue(values, 'created_at'))
    report('is before created_at', 'updated_at')
}

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

const referencesOf = (
  resource: Resource,
  values: RecordValues,
): (readonly [field: string, reference: { target: ResourceName; id: string }])[] =>
  resource.inputFields.flatMap((field) =>
    referencesOfField(field, values).map((reference) => [field.name, reference] as const),
  )
