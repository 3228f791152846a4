// The pictures of zines and holdings: adds, describes, orders and removes them, and moves them with
// the writes of records. Who may see and change them is left to http/.

import { randomBytes } from 'node:crypto'

import { message } from '../../message.js'
import { NotFoundError } from '../../errors.js'
import { recordKey, referenceOf } from '../../catalogue/records/record-cache.js'
import type { Attachments } from '../../catalogue/writes/attachments.js'
import type { RecordWrite } from '../../catalogue/writes/record-state.js'
import type { ForgottenIdentifier, Redaction } from '../../catalogue/writes/redaction.js'
import type { Reference } from '../../model/record/views.js'
import { type TextRemoval, createTextRemoval } from '../../model/text-removal.js'
import type { Commit } from '../../store/commit-listeners.js'
import type { KeyValueStore, KeyValueWrite } from '../../lib/key-value/key-value-store.js'
import { prefixes } from '../../store/key-value/keys.js'
import { type PictureFiles, hashOf } from './picture-files.js'
import {
  type ElsewhereAddress,
  type Picture,
  type PictureDescription,
  type PictureEntry,
  type PictureSize,
  type PicturedKind,
  hashesOf,
  isPictured,
  maxPictures,
  noEntry,
  parsePictureEntry,
  publicCover,
  serializePictureEntry,
} from './picture.js'
import { type ProcessedPicture, pictureRefused, processPicture } from './processing.js'

export type FoundPicture = { readonly reference: Reference; readonly picture: Picture }

/** A picture that was exported, with its files. */
export type ExportedPicture = PictureDescription &
  Pick<Picture, 'id' | 'elsewhere' | 'addedAt'> & { readonly sizes: ProcessedPicture }

export type PictureChange = Partial<PictureDescription> & {
  /** The new place, from 1; the cover is the first. */
  readonly position?: number
}

export type Pictures = Attachments & {
  /** The pictures of a record in their order, also those that are not public. */
  list(reference: Reference): readonly Picture[]
  /** The identifiers of the records of a kind that have a picture for everybody. */
  withPublicPicture(kind: PicturedKind): Iterable<string>
  /** A picture by its identifier. */
  find(id: string): FoundPicture | undefined
  /**
   * Adds a picture as the last one, which is on the disk when this resolves.
   * @param withRecord runs work while nobody else writes the record; the image is processed before
   * @throws InvalidError, UnavailableError, DiskFullError, DiskFailedError
   */
  add(
    reference: Reference,
    image: Buffer | ElsewhereAddress,
    description: PictureDescription,
    withRecord: (work: () => Promise<Picture>) => Promise<Picture>,
  ): Promise<Picture>
  /**
   * Adds exported pictures to a record, with the identifiers that they had, but for those that are there
   * already. Nobody else may write the record.
   * @returns how many were added
   * @throws InvalidError
   */
  addExported(reference: Reference, exported: readonly ExportedPicture[]): Promise<number>
  /** Changes a picture. The caller has the lock of the record. @throws NotFoundError */
  change(reference: Reference, id: string, change: PictureChange): Promise<Picture>
  /**
   * Removes a picture and its files for good. The caller has the lock of the record.
   * @throws NotFoundError
   */
  remove(reference: Reference, id: string): Promise<void>
  /** Call with what was committed: `plan` may have planned some of it. */
  onCommit(commit: Pick<Commit, 'entries'>): void
  /** The content of a file; undefined if it is not there. */
  readFile(hash: string): Promise<Buffer | undefined>
  /** Removes the pictures of records that were deleted before a time. */
  forgetRemovedBefore(time: string): Promise<void>
}

/** Reads what there is, and removes the files that nothing names. */
export async function loadPictures(store: KeyValueStore, files: PictureFiles): Promise<Pictures> {
  const pictures = new StoredPictures(store, files)
  await pictures.load()
  return pictures
}

class StoredPictures implements Pictures {
  readonly #store: KeyValueStore
  readonly #files: PictureFiles
  /** By the keys of records. */
  readonly #entries = new Map<string, PictureEntry>()
  /** The keys of records by the identifiers of their pictures. */
  readonly #owners = new Map<string, string>()
  /** How many pictures need a file. */
  readonly #uses = new Map<string, number>()
  /** Files that are written and named by no entry yet, with how many uploads have them. */
  readonly #unfinished = new Map<string, number>()

  constructor(store: KeyValueStore, files: PictureFiles) {
    this.#store = store
    this.#files = files
  }

  async load(): Promise<void> {
    for await (const [key, value] of this.#store.entries(prefixes.pictures))
      this.#remember(key.slice(prefixes.pictures.length), parsePictureEntry(value))
    await this.#files.removeOthers(new Set(this.#uses.keys()))
  }

  list(reference: Reference): readonly Picture[] {
    return (this.#entries.get(recordKey(reference)) ?? noEntry).pictures
  }

  *withPublicPicture(kind: PicturedKind): Iterable<string> {
    for (const [key, { pictures }] of this.#entries) {
      const { target, id } = referenceOf(key)
      if (target === kind && publicCover(pictures)) yield id
    }
  }

  find(id: string): FoundPicture | undefined {
    const key = this.#owners.get(id)
    const picture = this.#entries.get(key ?? '')?.pictures.find((candidate) => candidate.id === id)
    return key !== undefined && picture ? { reference: referenceOf(key), picture } : undefined
  }

  async add(
    reference: Reference,
    image: Buffer | ElsewhereAddress,
    description: PictureDescription,
    withRecord: (work: () => Promise<Picture>) => Promise<Picture>,
  ): Promise<Picture> {
    const key = recordKey(reference)
    const sizes = Buffer.isBuffer(image) ? await this.#writeFiles(await processPicture(image)) : []
    try {
      return await withRecord(async () => {
        const entry = this.#entries.get(key) ?? noEntry
        checkNumber(entry.pictures.length + 1)
        const picture: Picture = {
          id: randomBytes(10).toString('hex'),
          ...description,
          sizes,
          ...(Buffer.isBuffer(image) ? {} : { elsewhere: image }),
          addedAt: new Date().toISOString(),
        }
        await this.#save(key, { ...entry, pictures: [...entry.pictures, picture] })
        return picture
      })
    } finally {
      await this.#release(sizes)
    }
  }

  async addExported(reference: Reference, exported: readonly ExportedPicture[]): Promise<number> {
    const key = recordKey(reference)
    const entry = this.#entries.get(key) ?? noEntry
    const missing = exported.filter(({ id }) => !this.#owners.has(id))
    checkNumber(entry.pictures.length + missing.length)
    const added: Picture[] = []
    try {
      for (const picture of missing)
        added.push({ ...picture, sizes: await this.#writeFiles(picture.sizes) })
      if (added.length > 0)
        await this.#save(key, { ...entry, pictures: [...entry.pictures, ...added] })
    } finally {
      await this.#release(added.flatMap(({ sizes }) => sizes))
    }
    return added.length
  }

  async change(
    reference: Reference,
    id: string,
    { position, ...description }: PictureChange,
  ): Promise<Picture> {
    const { key, entry, picture } = this.#requirePicture(reference, id)
    const changed = { ...picture, ...description }
    const pictures = entry.pictures.map((other) => (other === picture ? changed : other))
    if (position !== undefined) {
      pictures.splice(pictures.indexOf(changed), 1)
      pictures.splice(position - 1, 0, changed)
    }
    await this.#save(key, { ...entry, pictures })
    return changed
  }

  async remove(reference: Reference, id: string): Promise<void> {
    const { key, entry, picture } = this.#requirePicture(reference, id)
    await this.#save(key, {
      ...entry,
      pictures: entry.pictures.filter((other) => other !== picture),
    })
  }

  readFile(hash: string): Promise<Buffer | undefined> {
    return this.#files.read(hash)
  }

  plan(writes: readonly RecordWrite[], source: WriteSource): readonly KeyValueWrite[] {
    const planned = new Map<string, PictureEntry>()
    const before = (key: string): PictureEntry =>
      planned.get(key) ?? this.#entries.get(key) ?? noEntry
    // What comes back is taken before what goes is put away.
    const ordered = [
      ...writes.filter(({ after }) => after),
      ...writes.filter(({ after }) => !after),
    ]
    for (const write of ordered)
      if (isPictured(write.reference.target)) planWrite(write, source, { writes, before, planned })
    return [...planned].map(([key, entry]) => entryOf(key, entry))
  }

  onCommit({ entries: written = [] }: Pick<Commit, 'entries'>): void {
    const unneeded = written.flatMap(({ key, value }) =>
      key.startsWith(prefixes.pictures)
        ? this.#remember(
            key.slice(prefixes.pictures.length),
            value === undefined ? noEntry : parsePictureEntry(value),
          )
        : [],
    )
    // A file that stays by mistake is removed at the next start.
    if (unneeded.length > 0) void this.#removeFiles(unneeded).catch(() => undefined)
  }

  async forget(reference: Reference, redaction: Redaction): Promise<void> {
    const key = recordKey(reference)
    const entry = this.#entries.get(key)
    if (!entry) return
    if ('past' in redaction) await this.#save(key, { pictures: entry.pictures, removed: [] })
    else {
      const removal = createTextRemoval(redaction.value)
      const clean = (picture: Picture): Picture => withoutText(picture, removal)
      const { pictures, removed } = entry
      await this.#save(key, {
        ...entry,
        pictures: pictures.map(clean),
        removed: removed.map(clean),
      })
    }
  }

  async forgetIdentifier({ reference, into }: ForgottenIdentifier): Promise<void> {
    const key = recordKey(reference)
    if (this.#entries.has(key)) await this.#save(key, noEntry)
    if (into === undefined) return
    const target = recordKey({ ...reference, id: into })
    const entry = this.#entries.get(target)
    if (entry?.pictures.some(({ from = [] }) => from.includes(key)))
      await this.#save(target, { ...entry, pictures: entry.pictures.map(withoutOrigin(key)) })
  }

  hasCode(vocabulary: string, code: string): boolean {
    return (
      vocabulary === 'rights-status' &&
      [...this.#entries.values()].some(({ pictures, removed }) =>
        [...pictures, ...removed].some(({ rights }) => rights === code),
      )
    )
  }

  async forgetRemovedBefore(time: string): Promise<void> {
    for (const [key, { pictures, removedAt = '' }] of [...this.#entries])
      if (removedAt !== '' && removedAt < time) await this.#save(key, { pictures, removed: [] })
  }

  /** @returns the files that nothing needs any more */
  #remember(key: string, entry: PictureEntry): readonly string[] {
    const before = this.#entries.get(key) ?? noEntry
    for (const hash of hashesOf(entry)) this.#uses.set(hash, (this.#uses.get(hash) ?? 0) + 1)
    for (const { id } of before.pictures) if (this.#owners.get(id) === key) this.#owners.delete(id)
    for (const { id } of entry.pictures) this.#owners.set(id, key)
    if (serializePictureEntry(entry) === undefined) this.#entries.delete(key)
    else this.#entries.set(key, entry)
    return hashesOf(before).filter((hash) => {
      const left = (this.#uses.get(hash) ?? 1) - 1
      if (left > 0) this.#uses.set(hash, left)
      else this.#uses.delete(hash)
      return left <= 0
    })
  }

  async #save(key: string, entry: PictureEntry): Promise<void> {
    await this.#store.write([entryOf(key, entry)])
    await this.#removeFiles(this.#remember(key, entry))
  }

  async #removeFiles(hashes: readonly string[]): Promise<void> {
    for (const hash of hashes)
      await this.#files.remove(hash, () => this.#uses.has(hash) || this.#unfinished.has(hash))
  }

  #requirePicture(reference: Reference, id: string) {
    const key = recordKey(reference)
    const entry = this.#entries.get(key) ?? noEntry
    const picture = entry.pictures.find((candidate) => candidate.id === id)
    if (!picture) throw new NotFoundError()
    return { key, entry, picture }
  }

  /** Writes files, which stay until they are released. */
  async #writeFiles(pictureSizes: ProcessedPicture): Promise<readonly PictureSize[]> {
    const sizes = []
    for (const { width, height, content } of pictureSizes) {
      const hash = hashOf(content)
      this.#unfinished.set(hash, (this.#unfinished.get(hash) ?? 0) + 1)
      await this.#files.write(hash, content)
      sizes.push({ width, height, hash })
    }
    return sizes
  }

  /** Removes the files unless an entry names them by now, or another upload has them. */
  async #release(sizes: readonly PictureSize[]): Promise<void> {
    const hashes = sizes.map(({ hash }) => hash)
    for (const hash of hashes) {
      const left = (this.#unfinished.get(hash) ?? 1) - 1
      if (left > 0) this.#unfinished.set(hash, left)
      else this.#unfinished.delete(hash)
    }
    await this.#removeFiles(hashes)
  }
}

/** @throws InvalidError */
function checkNumber(count: number): void {
  if (count > maxPictures)
    throw pictureRefused(message('A record has {count} pictures at most.', { count: maxPictures }))
}

type WriteSource = { readonly how: string }

type Plan = {
  readonly writes: readonly RecordWrite[]
  readonly before: (key: string) => PictureEntry
  readonly planned: Map<string, PictureEntry>
}

/** How writes bring back what was deleted. Any other record with the identifier is another one. */
const bringsBack: ReadonlySet<string> = new Set(['restore', 'undo'])

/** What one write does to the pictures of its record. */
function planWrite(write: RecordWrite, { how }: WriteSource, plan: Plan): void {
  const { reference, before: valuesBefore, after, into, intoBefore } = write
  const { before, planned } = plan
  const key = recordKey(reference)
  const entry = before(key)
  if (after && !valuesBefore) {
    if (!bringsBack.has(how)) return
    const returned = intoBefore === undefined ? [] : takeBack(write, plan)
    if (returned.length + entry.removed.length > 0)
      planned.set(key, { pictures: [...entry.removed, ...returned], removed: [] })
  } else if (into !== undefined && entry.pictures.length > 0) {
    const target = recordKey({ ...reference, id: into })
    const { pictures, ...rest } = before(target)
    const moved = write.isForgotten
      ? entry.pictures
      : entry.pictures.map((picture) => ({ ...picture, from: [...(picture.from ?? []), key] }))
    planned.set(target, { ...rest, pictures: [...pictures, ...moved] })
    planned.set(key, { ...entry, pictures: [] })
  } else if (!after && entry.pictures.length > 0)
    planned.set(key, {
      pictures: [],
      removed: entry.pictures,
      removedAt: new Date().toISOString(),
    })
}

/** The pictures that come back from the record that this one was merged into. */
function takeBack({ reference, intoBefore = '' }: RecordWrite, plan: Plan): readonly Picture[] {
  const { writes, before, planned } = plan
  const key = recordKey(reference)
  const from = recordKey({ ...reference, id: intoBefore })
  const entry = before(from)
  // Where the other record goes, as after a renaming that is undone, all of its pictures come
  // along.
  const goes = writes.some(
    (write) => !write.after && write.before && recordKey(write.reference) === from,
  )
  const isOurs = (picture: Picture): boolean => goes || picture.from?.at(-1) === key
  const ownPictures = entry.pictures.filter(isOurs)
  if (ownPictures.length > 0)
    planned.set(from, { ...entry, pictures: entry.pictures.filter((picture) => !isOurs(picture)) })
  return ownPictures.map(({ from: origins = [], ...picture }) => {
    const others = origins.at(-1) === key ? origins.slice(0, -1) : origins
    return others.length > 0 ? { ...picture, from: others } : picture
  })
}

/** Without the mark that a picture came from a record. */
const withoutOrigin =
  (key: string) =>
  ({ from: origins = [], ...picture }: Picture): Picture => {
    const from = origins.filter((origin) => origin !== key)
    return from.length > 0 ? { ...picture, from } : picture
  }

const withoutText = (picture: Picture, { removeFrom }: TextRemoval): Picture => ({
  ...picture,
  alt: removeFrom(picture.alt),
  credit: removeFrom(picture.credit),
})

const entryOf = (key: string, entry: PictureEntry): KeyValueWrite => ({
  key: prefixes.pictures + key,
  value: serializePictureEntry(entry),
})

/** A process that only reads passes requests for pictures on. */
export const noPictures: Pictures = {
  list: () => [],
  withPublicPicture: () => [],
  find: () => undefined,
  add: () => Promise.reject(new NotFoundError()),
  addExported: () => Promise.reject(new NotFoundError()),
  change: () => Promise.reject(new NotFoundError()),
  remove: () => Promise.reject(new NotFoundError()),
  readFile: () => Promise.resolve(undefined),
  plan: () => [],
  onCommit: () => undefined,
  forget: () => Promise.resolve(),
  forgetIdentifier: () => Promise.resolve(),
  hasCode: () => false,
  forgetRemovedBefore: () => Promise.resolve(),
}
