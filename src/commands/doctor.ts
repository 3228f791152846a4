// The doctor: looks at everything that a data directory keeps, changes nothing, and says what is wrong
// with which record and field. Of a running service it sees a snapshot, by the way that backups take.

import type { Readable } from 'node:stream'
import { parseArgs } from 'node:util'

import { Parser } from 'n3'

import { isRole } from '../accounts/rights.js'
import { dataFiles } from '../config.js'
import type { Iris, ResourceName } from '../model/iris.js'
import { type RecordValues, textValue } from '../model/record/values.js'
import type { Resource, Resources } from '../model/resources.js'
import type { Validator } from '../model/validation/validator.js'
import type { RdfMapper } from '../model/record/rdf-mapper.js'
import { type Reference, referencesOfField } from '../model/record/views.js'
import { type Quad, writeNQuads } from '../rdf/terms.js'
import { checkDataVersion } from '../store/key-value/base-url.js'
import {
  baseUrlKey,
  catalogueIdKey,
  formerCatalogueIdKey,
  prefixes,
  remoteCommitKey,
  remotePendingKey,
  versionKey,
} from '../store/key-value/keys.js'
import { DataCorruptedError } from '../store/errors.js'
import { openDataDirectory, readBackupFrom } from './backup.js'
import { askBackup } from './control-socket.js'

/** Something to be said: an error is to be mended, a note may be as it should be. */
export type Finding = {
  readonly level: 'error' | 'note'
  /** The key of what it is about, such as `record/zines/x`. */
  readonly key?: string
  readonly field?: string
  readonly what: string
}

export type Summary = { readonly records: number; readonly errors: number; readonly notes: number }

/** What records are judged by. */
export type DoctorModel = {
  readonly iris: Iris
  readonly resources: Resources
  readonly mapper: RdfMapper
  readonly validator: Validator
}

type StoredEntries = AsyncIterable<readonly [key: string, value: string]>

type OnFinding = (finding: Finding) => void

/**
 * Looks at the data directory, whether the service runs or not.
 * @param openModel the model of a base, with the directory's own vocabularies
 * @throws BackupRefused when there is no catalogue; ControlUnreachable
 */
export async function checkDataDirectory(
  dataDir: string,
  openModel: (base: string) => Promise<DoctorModel>,
  tell: OnFinding,
): Promise<Summary> {
  const doctor = createDoctor(openModel, tell)
  try {
    const home = await openDataDirectory(dataDir)
    try {
      if (home) for await (const [key, value] of home.entries('')) await doctor.look(key, value)
      else await checkBackup(await askBackup(dataFiles(dataDir).control), doctor)
    } finally {
      await home?.close()
    }
  } catch (error) {
    if (!(error instanceof DataCorruptedError)) throw error
    return doctor.stop(error.message)
  }
  return doctor.end()
}

/** The same for entries from anywhere, in the order of their keys. */
export async function checkEntries(
  entries: StoredEntries,
  openModel: (base: string) => Promise<DoctorModel>,
  tell: OnFinding,
): Promise<Summary> {
  const doctor = createDoctor(openModel, tell)
  for await (const [key, value] of entries) await doctor.look(key, value)
  return doctor.end()
}

/**
 * Prints what `doctor` found, a line for each; with `--json` a JSON object a line, the summary last.
 * @returns whether all is well
 */
export async function runDoctor(
  args: readonly string[],
  look: (tell: OnFinding) => Promise<Summary>,
  print: (line: string) => void,
): Promise<boolean> {
  const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean' } } })
  const write = values.json ? JSON.stringify : lineOf
  const summary = await look((finding) => print(write(finding)))
  const { records, errors, notes } = summary
  print(
    values.json
      ? JSON.stringify(summary)
      : `${records} records looked at: ${errors} errors, ${notes} notes`,
  )
  return errors === 0
}

const lineOf = ({ level, key, field, what }: Finding): string =>
  [level, key, field, what].filter((part) => part !== undefined).join(': ')

async function checkBackup(bytes: Readable, doctor: Doctor): Promise<void> {
  await readBackupFrom(bytes, 'what the service sent', async (part) => {
    if ('key' in part && part.value !== undefined) await doctor.look(part.key, part.value)
  })
}

type Doctor = ReturnType<typeof createDoctor>

function createDoctor(openModel: (base: string) => Promise<DoctorModel>, told: OnFinding) {
  const counts = { records: 0, errors: 0, notes: 0 }
  const seen = new Set<string>()
  /** References to what was not seen yet, by the key that they lead to. */
  const open: { readonly key: string; readonly field: string; readonly to: string }[] = []
  let model: DoctorModel | undefined
  let version: string | undefined

  function tell(finding: Finding): void {
    counts[finding.level === 'error' ? 'errors' : 'notes'] += 1
    told(finding)
  }

  async function look(key: string, value: string): Promise<void> {
    const isValid = otherEntryKinds.find(([start]) => key.startsWith(start))?.[1]
    const error: Report = (what, field, level = 'error') => {
      tell({ level, key, ...(field === undefined ? {} : { field }), what })
    }
    if (key === baseUrlKey) model = await openModel(value)
    else if (key === versionKey) version = value
    else if (key.startsWith(prefixes.records)) await lookAtRecord(key, value, error)
    else if (key === catalogueIdKey) return
    else if (!isValid) error('nothing of this name belongs here')
    else if (!succeeds(() => isValid(value, key))) error('cannot be read')
  }

  async function lookAtRecord(key: string, value: string, error: Report): Promise<void> {
    counts.records += 1
    seen.add(key)
    if (!model) {
      if (counts.records === 1) error('there is no base before it, so no record can be judged')
      return
    }
    const [, name = '', id = ''] = /^record\/([a-z]+)\/(.*)$/su.exec(key) ?? []
    const resource = (model.resources as Readonly<Record<string, Resource | undefined>>)[name]
    if (!resource || id === '') {
      error('there is no such kind of record')
      return
    }
    try {
      const quads = new Parser({ format: 'application/n-quads' }).parse(value)
      const card = checkQuads(model, resource, id, quads, error)
      await checkRecord(model, resource, card, error)
      follow(key, referencesOf(resource, card))
    } catch (failure) {
      error(`cannot be read: ${(failure as Error).message}`)
    }
  }

  function follow(key: string, references: readonly (readonly [string, Reference])[]): void {
    for (const [field, { target, id }] of references) {
      const to = `${prefixes.records}${target}/${id}`
      if (!seen.has(to)) open.push({ key, field, to })
    }
  }

  function end(): Summary {
    for (const { key, field, to } of open) {
      if (seen.has(to)) continue
      // An agent may be deleted while zines still name it (specification: Delete effects, 4).
      const level = to.startsWith(`${prefixes.records}agents/`) ? 'note' : 'error'
      tell({ level, key, field, what: `${to.slice(prefixes.records.length)} does not exist` })
    }
    if (!model) tell({ level: 'error', key: baseUrlKey, what: 'is missing' })
    try {
      checkDataVersion(version)
    } catch (failure) {
      tell({ level: 'error', key: versionKey, what: (failure as Error).message })
    }
    return counts
  }

  function stop(what: string): Summary {
    tell({ level: 'error', what })
    return counts
  }

  return { look, end, stop }
}

type Report = (what: string, field?: string, level?: Finding['level']) => void

type IsValid = (value: string, key: string) => boolean

/** How the entries of each other kind are checked. A check may throw. */
const otherEntryChecks: Readonly<Record<Exclude<keyof typeof prefixes, 'records'>, IsValid>> = {
  accounts(value) {
    const { account } = JSON.parse(value) as { account: { role: string } }
    return isRole(account.role)
  },
  accountUses: (value) => JSON.parse(value) !== null,
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

/** The card of the quads, which have to be the very ones that the card makes. */
function checkQuads(
  { mapper, iris }: DoctorModel,
  resource: Resource,
  id: string,
  quads: readonly Quad[],
  error: Report,
): RecordValues {
  const statements = quads.map(({ subject, predicate, object }) => ({
    s: subject.value,
    p: predicate.value,
    o: object.value,
  }))
  const card = mapper.fromStatements(resource, id, statements)
  const known = textValue(card, resource.id.name)
  if (known !== id) error(`is ${JSON.stringify(known)}, and is kept as another`, resource.id.name)
  // What a public record kept among the private quads, and the other way round, is in neither set.
  const made = new Map(
    mapper
      .toQuads(resource, { ...card, [resource.id.name]: id })
      .map((quad) => [lineOfQuad(quad), quad]),
  )
  const hidden = iris.graphs.private
  for (const quad of quads) {
    const line = lineOfQuad(quad)
    if (made.delete(line)) continue
    const isHidden = quad.graph.equals(hidden)
    error(`${isHidden ? 'should not be kept among the private' : 'belongs to no field'}: ${line}`)
  }
  // What is derived from a record may have been derived otherwise by the release that wrote it.
  const thing = iris.thing(resource.name, id)
  const derived = resource
    .derive(card, thing, iris)
    .map(({ predicate, object }) => `${predicate.value} ${object.value}`)
  for (const [line, { predicate, object }] of made)
    if (derived.includes(`${predicate.value} ${object.value}`))
      error(`would be derived now: ${line}; writing the record again adds it`, undefined, 'note')
    else error(`is missing: ${line}`)
  return card
}

const lineOfQuad = (quad: Quad): string => writeNQuads([quad]).trimEnd()

/** What the shapes say; whether what a record names exists is asked elsewhere. */
async function checkRecord(
  { validator, iris }: DoctorModel,
  resource: Resource,
  card: RecordValues,
  error: Report,
): Promise<void> {
  const named = referencesOf(resource, card).map(([, reference]) => reference)
  const exists = new Set(named.map(({ target, id }) => iris.thing(target, id).value))
  for (const [field, messages] of await validator.validate(resource, card, exists))
    for (const message of messages) error(message, field)
  for (const { name } of resource.fields.filter(({ kind }) => kind === 'time'))
    if (!isTime.test(textValue(card, name))) error('is no time', name)
  if (textValue(card, 'updated_at') < textValue(card, 'created_at'))
    error('is before it was created', 'updated_at')
}

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

const referencesOf = (
  resource: Resource,
  card: RecordValues,
): (readonly [field: string, reference: { target: ResourceName; id: string }])[] =>
  resource.inputFields.flatMap((field) =>
    referencesOfField(field, card).map((reference) => [field.name, reference] as const),
  )
