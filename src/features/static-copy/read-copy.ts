// Reads a folder that `publish` has written, and checks it wholly before anything of it is used: each
// file that is read back has to be there with the content that it was written with.

import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

import { ExpectedError } from '../../errors.js'
import { ifAbsent } from '../../lib/durable-file.js'
import { toGroups } from '../../lib/groups.js'
import { isPictured, maxPictures } from '../pictures/picture.js'
import { maxSizes } from '../pictures/processing.js'
import {
  type CopiedList,
  type CopiedPicture,
  checksumFile,
  isTermsFile,
  listsFile,
  picturesFile,
  recordFiles,
  recordOf,
  termsFolderIn,
} from './copy-files.js'

export type CheckedCopy = {
  /** The paths of the files with the records. */
  readonly recordFiles: readonly string[]
  /** The folder with the institution's own terms, which may not exist. */
  readonly termsFolder: string
  /** The names of the files there. */
  readonly termsFiles: readonly string[]
  readonly pictures: readonly CopiedPicture[]
  readonly lists: readonly CopiedList[]
  /** The content of a file, such as one that a picture names. */
  readonly readFile: (file: string) => Promise<Buffer>
}

/** @throws ExpectedError for a folder that is no copy, or one that is damaged */
export async function readCopy(directory: string): Promise<CheckedCopy> {
  const checksums = await readChecksums(directory)
  const needed = [...recordFiles, picturesFile, listsFile]
  const missing = needed.find((file) => !checksums.has(file))
  if (missing !== undefined) throw damaged(directory, `${checksumFile} does not name ${missing}`)
  for (const [file, checksum] of checksums) await checkFile(directory, file, checksum)
  const termsFolder = termsFolderIn(directory)
  const termsFiles = (await readdir(termsFolder).catch(ifAbsent)) ?? []
  const foreign = termsFiles.find((name) => !checksums.has(`data/vocabularies/${name}`))
  if (foreign !== undefined) throw damaged(directory, `${foreign} is not of this copy`)
  const pictures = await readLines(directory, picturesFile)
  const lists = await readLines(directory, listsFile)
  const ids = new Set(pictures.map((line) => (line as Partial<CopiedPicture> | null)?.id))
  const isKnown =
    ids.size === pictures.length &&
    pictures.every((line) => isPicture(line, checksums)) &&
    // The cast: each of them is one.
    areOfRecords(pictures as readonly CopiedPicture[]) &&
    lists.every(isList)
  if (!isKnown) throw damaged(directory, 'another release has written it')
  return {
    recordFiles: recordFiles.map((file) => join(directory, file)),
    termsFolder,
    termsFiles: [...checksums.keys()].filter(isTermsFile).map((file) => basename(file)),
    // The casts: they were checked above.
    pictures: pictures as readonly CopiedPicture[],
    lists: lists as readonly CopiedList[],
    readFile: (file) => readFile(join(directory, file)),
  }
}

const damaged = (directory: string, reason: string): ExpectedError =>
  new ExpectedError(
    `${directory}: ${reason}. Nothing was read. Publish the copy again, or take another one`,
  )

/** The checksums of files by their paths in the folder. */
async function readChecksums(directory: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(directory, checksumFile), 'utf8').catch(ifAbsent)
  if (text === undefined)
    throw new ExpectedError(
      `${directory} is a folder, and no copy that publish has written: it has no ${checksumFile}`,
    )
  return new Map(
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        // Names such as publish makes them: none leads out of the folder.
        const [, checksum, file] =
          /^([0-9a-f]{64}) {2}((?:data|pictures)(?:\/\w[\w.~-]*)+)$/.exec(line) ?? []
        if (checksum === undefined || file === undefined)
          throw damaged(directory, `${checksumFile} has a line that publish does not write`)
        return [file, checksum]
      }),
  )
}

/** @throws ExpectedError */
async function checkFile(directory: string, file: string, checksum: string): Promise<void> {
  const content = await readFile(join(directory, file)).catch((cause: unknown) => {
    throw damaged(directory, `${file} cannot be read: ${(cause as Error).message}`)
  })
  if (createHash('sha256').update(content).digest('hex') !== checksum)
    throw damaged(directory, `${file} is damaged: it is not what ${checksumFile} says`)
  if (file.startsWith('pictures/') && !isJpeg(content))
    throw damaged(directory, `${file} is no JPEG`)
}

const isJpeg = (content: Buffer): boolean => content.subarray(0, 3).toString('hex') === 'ffd8ff'

/** More than the lines of any catalogue have. */
const maxBytes = 1024 ** 3

const decompress = promisify(gunzip)

/** @throws ExpectedError */
async function readLines(directory: string, file: string): Promise<readonly unknown[]> {
  try {
    const bytes = await decompress(await readFile(join(directory, file)), {
      maxOutputLength: maxBytes,
    })
    return bytes
      .toString()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown)
  } catch (cause) {
    throw damaged(directory, `${file} cannot be read: ${(cause as Error).message}`)
  }
}

/** Whether each record has as few as it may, since those of one record are read together. */
function areOfRecords(pictures: readonly CopiedPicture[]): boolean {
  const groups = toGroups(pictures, recordOf)
  return [...groups.values()].every(({ length }) => length <= maxPictures)
}

/** As the service writes it: other texts with a number are dates for `Date.parse` too. */
const isTime = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z$/.test(text) && !Number.isNaN(Date.parse(text))

/** The rest of it is checked like what editors send. */
function isPicture(line: unknown, checksums: ReadonlyMap<string, string>): boolean {
  // The casts: members that are not there are undefined.
  const { kind, record, id, sizes, elsewhere, added_at } = (line ?? {}) as Partial<CopiedPicture>
  const areSizes =
    Array.isArray(sizes) &&
    sizes.length <= maxSizes &&
    (sizes.length > 0 || (elsewhere ?? undefined) !== undefined) &&
    (sizes as unknown[]).every((size) => isSize(size, checksums))
  return (
    areSizes &&
    typeof kind === 'string' &&
    isPictured(kind) &&
    typeof record === 'string' &&
    typeof id === 'string' &&
    /^[0-9a-f]{20}$/.test(id) &&
    typeof added_at === 'string' &&
    isTime(added_at)
  )
}

function isSize(size: unknown, checksums: ReadonlyMap<string, string>): boolean {
  // The cast: members that are not there are undefined.
  const { width, height, file } = (size ?? {}) as Partial<CopiedPicture['sizes'][number]>
  return (
    [width, height].every((edge) => Number.isInteger(edge) && Number(edge) > 0) &&
    typeof file === 'string' &&
    file.startsWith('pictures/') &&
    checksums.has(file)
  )
}

const isList = (line: unknown): boolean =>
  typeof (line as Partial<CopiedList> | null)?.slug === 'string'
