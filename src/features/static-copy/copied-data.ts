// The data of a copy: the records in several formats, everything as RDF, and what `import DIR` reads
// besides the records: pictures with what is said of them, the lists of editors, and the institution's
// own terms.

import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

import { type ResourceName, resourceNames } from '../../model/iris.js'
import type { Vocabulary } from '../../model/vocabulary.js'
import { curatedListPath, listsPath } from '../../views/links.js'
import { isPictured } from '../pictures/picture.js'
import { type CopyAddresses, dataFileOf, dataFormats } from './copy-addresses.js'
import {
  type CopiedList,
  type CopiedPicture,
  listsFile,
  picturesFile,
  termsFileOf,
} from './copy-files.js'
import type { CopyFolder } from './copy-folder.js'
import { ownTerms } from './own-terms.js'
import type { AskService } from './service-client.js'

/** A record as a line of JSON. */
export type Line = Readonly<Record<string, unknown>>

type DataCopying = {
  readonly ask: AskService
  readonly folder: CopyFolder
  readonly addresses: CopyAddresses
}

const compress = promisify(gzip)

/** @returns the records of each kind */
export async function copyRecords({
  ask,
  folder,
}: Omit<DataCopying, 'addresses'>): Promise<ReadonlyMap<ResourceName, readonly Line[]>> {
  const lines = new Map<ResourceName, readonly Line[]>()
  for (const name of resourceNames)
    for (const format of dataFormats) {
      const { body } = await ask(`/api/export/${name}/?format=${format}`, '*/*')
      const file = dataFileOf(name, format)
      folder.write(file, file.endsWith('.gz') ? await compress(body) : body)
      if (format === 'jsonl') lines.set(name, readLines(body))
    }
  const turtle = await ask('/dumps/catalogue.ttl.gz', '*/*')
  folder.write('data/catalogue.ttl.gz', turtle.body)
  // N-Triples are N-Quads of the default graph.
  const triples = await ask('/dumps/catalogue.nt.gz', '*/*')
  folder.write('data/catalogue.nq.gz', triples.body)
  return lines
}

/** @param records the addresses of the records that have pictures */
export async function copyPictures(
  { ask, folder, addresses }: DataCopying,
  records: readonly string[],
): Promise<void> {
  const pictures: CopiedPicture[] = []
  for (const record of [...records].sort()) {
    const [kind = '', id = ''] = record.split('/').slice(2)
    if (!isPictured(kind)) continue
    const fileOf = (url: string): string => addresses.targetOf(url, '/') ?? ''
    for (const picture of await readAll<ShownPicture>(ask, `${record}pictures/`))
      pictures.push({
        kind,
        record: decodeURIComponent(id),
        id: picture.id,
        alt: picture.alt,
        rights: picture.rights,
        credit: picture.credit,
        added_at: picture.added_at,
        elsewhere: picture.elsewhere,
        sizes: picture.sizes.map(({ width, height, url }, index) => ({
          width,
          height,
          // Pages show the largest one by another address, so it is there already.
          file: fileOf(index === 0 ? (picture.image ?? url) : url),
        })),
      })
  }
  await writeLines(folder, picturesFile, pictures)
}

/** What the service says of a picture (docs/reference/pictures.md, "Pictures"). */
type ShownPicture = Omit<CopiedPicture, 'kind' | 'record' | 'sizes'> & {
  readonly image: string | null
  readonly sizes: readonly {
    readonly width: number
    readonly height: number
    readonly url: string
  }[]
}

export async function copyLists({ ask, folder }: Omit<DataCopying, 'addresses'>): Promise<void> {
  const lists: CopiedList[] = []
  for (const { slug } of await readAll<CopiedList>(ask, listsPath)) {
    const { body } = await ask(curatedListPath(slug), 'application/json')
    // The cast: so the service describes a list.
    const { title, text, records } = JSON.parse(body.toString()) as CopiedList
    lists.push({ slug, title, text, public: true, records })
  }
  await writeLines(folder, listsFile, lists)
}

/** @param shipped the vocabularies as the package has them */
export function copyTerms(
  folder: CopyFolder,
  vocabularies: Readonly<Record<string, Vocabulary>>,
  shipped: Readonly<Record<string, Vocabulary>>,
): void {
  for (const [name, vocabulary] of Object.entries(vocabularies)) {
    const known = shipped[name]
    const terms = known && ownTerms(vocabulary, known)
    if (terms !== undefined) folder.write(termsFileOf(name), terms)
  }
}

/** All results of a list, page by page. The caller says what they are. */
async function readAll<Result>(ask: AskService, path: string): Promise<readonly Result[]> {
  const results: Result[] = []
  for (let page = 1; ; page += 1) {
    const { body } = await ask(`${path}?page_size=100&page=${page}`, 'application/json')
    // The cast: so the service answers for every list.
    const answer = JSON.parse(body.toString()) as {
      readonly next: string | null
      readonly results: readonly Result[]
    }
    results.push(...answer.results)
    if (answer.next === null) return results
  }
}

async function writeLines(
  folder: CopyFolder,
  file: string,
  lines: readonly object[],
): Promise<void> {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  folder.write(file, await compress(text))
}

const readLines = (body: Buffer): readonly Line[] =>
  body
    .toString()
    .split('\n')
    .filter(Boolean)
    // A cast: the service writes an object in each line.
    .map((line) => JSON.parse(line) as Line)
