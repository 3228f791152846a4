// The doctor: looks at everything that a data directory keeps, changes nothing, and says what is wrong
// with which record and field. Of a running service it sees a snapshot, by the way that backups take.

import type { Readable } from 'node:stream'
import { parseArgs } from 'node:util'

import { Parser } from 'n3'

import { isRole } from '../accounts/rights.js'
import { dataFiles } from '../config.js'
import type { Addresses, ResourceName } from '../model/iris.js'
import { type Card, textOf } from '../model/record/values.js'
import type { Resource, Resources } from '../model/resources.js'
import type { Judge } from '../model/validation/validator.js'
import type { Lens } from '../model/record/rdf-mapper.js'
import { type Reference, referencesIn } from '../model/record/views.js'
import { type Quad, writeNQuads } from '../rdf/terms.js'
import { keptBase, keptVersion, refuseVersion } from '../store/key-value/base-url.js'
import { recordPrefix } from '../store/embedded/embedded-store.js'
import { HomeDamaged } from '../store/errors.js'
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
export type Model = {
  readonly addresses: Addresses
  readonly resources: Resources
  readonly lens: Lens
  readonly judge: Judge
}

type Entries = AsyncIterable<readonly [key: string, value: string]>

type Tell = (finding: Finding) => void

/**
 * Looks at the data directory, whether the service runs or not.
 * @param openModel the model of a base, with the directory's own vocabularies
 * @throws BackupRefused when there is no catalogue; ControlUnreachable
 */
export async function examine(
  dataDir: string,
  openModel: (base: string) => Promise<Model>,
  tell: Tell,
): Promise<Summary> {
  const doctor = openDoctor(openModel, tell)
  try {
    const home = await openDataDirectory(dataDir)
    try {
      if (home) for await (const [key, value] of home.entries('')) await doctor.look(key, value)
      else await lookAtBackup(await askBackup(dataFiles(dataDir).control), doctor)
    } finally {
      await home?.close()
    }
  } catch (error) {
    if (!(error instanceof HomeDamaged)) throw error
    return doctor.stop(error.message)
  }
  return doctor.end()
}

/** The same for entries from anywhere, in the order of their keys. */
export async function examineEntries(
  entries: Entries,
  openModel: (base: string) => Promise<Model>,
  tell: Tell,
): Promise<Summary> {
  const doctor = openDoctor(openModel, tell)
  for await (const [key, value] of entries) await doctor.look(key, value)
  return doctor.end()
}

/**
 * Prints what `doctor` found, a line for each; with `--json` a JSON object a line, the summary last.
 * @returns whether all is well
 */
export async function runDoctor(
  args: readonly string[],
  look: (tell: Tell) => Promise<Summary>,
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

async function lookAtBackup(bytes: Readable, doctor: Doctor): Promise<void> {
  await readBackupFrom(bytes, 'what the service sent', async (part) => {
    if ('key' in part && part.value !== undefined) await doctor.look(part.key, part.value)
  })
}

type Doctor = ReturnType<typeof openDoctor>

function openDoctor(openModel: (base: string) => Promise<Model>, told: Tell) {
  const counts = { records: 0, errors: 0, notes: 0 }
  const seen = new Set<string>()
  /** References to what was not seen yet, by the key that they lead to. */
  const open: { readonly key: string; readonly field: string; readonly to: string }[] = []
  let model: Model | undefined
  let version: string | undefined

  function tell(finding: Finding): void {
    counts[finding.level === 'error' ? 'errors' : 'notes'] += 1
    told(finding)
  }

  async function look(key: string, value: string): Promise<void> {
    const kind = kinds.find(([prefix]) => key.startsWith(prefix))
    const error: Complaint = (what, field, level = 'error') => {
      tell({ level, key, ...(field === undefined ? {} : { field }), what })
    }
    if (key === keptBase) model = await openModel(value)
    else if (key === keptVersion) version = value
    else if (key.startsWith(recordPrefix)) await lookAtRecord(key, value, error)
    else if (!kind) error('nothing of this name belongs here')
    else if (!isWell(kind[1], value)) error('cannot be read')
  }

  async function lookAtRecord(key: string, value: string, error: Complaint): Promise<void> {
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
      const card = judgeQuads(model, resource, id, quads, error)
      await judgeCard(model, resource, card, error)
      follow(key, referencesOf(resource, card))
    } catch (failure) {
      error(`cannot be read: ${(failure as Error).message}`)
    }
  }

  function follow(key: string, references: readonly (readonly [string, Reference])[]): void {
    for (const [field, { target, id }] of references) {
      const to = `${recordPrefix}${target}/${id}`
      if (!seen.has(to)) open.push({ key, field, to })
    }
  }

  function end(): Summary {
    for (const { key, field, to } of open) {
      if (seen.has(to)) continue
      // An agent may be deleted while zines still name it (specification: Delete effects, 4).
      const level = to.startsWith(`${recordPrefix}agents/`) ? 'note' : 'error'
      tell({ level, key, field, what: `${to.slice(recordPrefix.length)} does not exist` })
    }
    if (!model) tell({ level: 'error', key: keptBase, what: 'is missing' })
    try {
      refuseVersion(version)
    } catch (failure) {
      tell({ level: 'error', key: keptVersion, what: (failure as Error).message })
    }
    return counts
  }

  function stop(what: string): Summary {
    tell({ level: 'error', what })
    return counts
  }

  return { look, end, stop }
}

type Complaint = (what: string, field?: string, level?: Finding['level']) => void

/** What else a home keeps, by the beginning of its keys, and what each is known by. */
const kinds: readonly (readonly [prefix: string, isWell: (kept: unknown) => boolean])[] = [
  [
    'account/',
    (kept) => {
      const { account } = kept as { account: { role: string } }
      return isRole(account.role)
    },
  ],
  ['account-use/', (kept) => kept !== null],
  ['session/', (kept) => typeof (kept as { name: unknown }).name === 'string'],
]

function isWell(judge: (kept: unknown) => boolean, value: string): boolean {
  try {
    return judge(JSON.parse(value))
  } catch {
    return false
  }
}

/** The card of the quads, which have to be the very ones that the card makes. */
function judgeQuads(
  { lens, addresses }: Model,
  resource: Resource,
  id: string,
  quads: readonly Quad[],
  error: Complaint,
): Card {
  const statements = quads.map(({ subject, predicate, object }) => ({
    s: subject.value,
    p: predicate.value,
    o: object.value,
  }))
  const card = lens.fromStatements(resource, id, statements)
  const known = textOf(card, resource.id.name)
  if (known !== id) error(`is ${JSON.stringify(known)}, and is kept as another`, resource.id.name)
  // What a public record kept among the private quads, and the other way round, is in neither set.
  const made = new Map(
    lens
      .toQuads(resource, { ...card, [resource.id.name]: id })
      .map((quad) => [lineOfQuad(quad), quad]),
  )
  const hidden = addresses.graphs.private
  for (const quad of quads) {
    const line = lineOfQuad(quad)
    if (made.delete(line)) continue
    const isHidden = quad.graph.equals(hidden)
    error(`${isHidden ? 'should not be kept among the private' : 'belongs to no field'}: ${line}`)
  }
  // What is derived from a record may have been derived otherwise by the release that wrote it.
  const thing = addresses.thing(resource.name, id)
  const derived = resource
    .derive(card, thing, addresses)
    .map(({ predicate, object }) => `${predicate.value} ${object.value}`)
  for (const [line, { predicate, object }] of made)
    if (derived.includes(`${predicate.value} ${object.value}`))
      error(`would be derived now: ${line}; writing the record again adds it`, undefined, 'note')
    else error(`is missing: ${line}`)
  return card
}

const lineOfQuad = (quad: Quad): string => writeNQuads([quad]).trimEnd()

/** What the shapes say; whether what a record names exists is asked elsewhere. */
async function judgeCard(
  { judge, addresses }: Model,
  resource: Resource,
  card: Card,
  error: Complaint,
): Promise<void> {
  const named = referencesOf(resource, card).map(([, reference]) => reference)
  const exists = new Set(named.map(({ target, id }) => addresses.thing(target, id).value))
  for (const [field, messages] of await judge.judge(resource, card, exists))
    for (const message of messages) error(message, field)
  for (const { name } of resource.fields.filter(({ kind }) => kind === 'time'))
    if (!isTime.test(textOf(card, name))) error('is no time', name)
  if (textOf(card, 'updated_at') < textOf(card, 'created_at'))
    error('is before it was created', 'updated_at')
}

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

const referencesOf = (
  resource: Resource,
  card: Card,
): (readonly [field: string, reference: { target: ResourceName; id: string }])[] =>
  resource.written.flatMap((field) =>
    referencesIn(field, card).map((reference) => [field.name, reference] as const),
  )
