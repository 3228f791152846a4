// Makes the files of a release in the folder of a draft. All records are read once, for the database,
// the Parquet files and the CSV.

import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { ZipFile } from 'yazl'

import type { Catalogue } from '../../../catalogue/catalogue.js'
import { csvRow } from '../../../formats/csv.js'
import { releaseFileKinds } from '../../../model/dataset-description.js'
import type { Resource, Resources } from '../../../model/resources.js'
import type { Release } from './release-files.js'
import { releaseColumns } from './release-columns.js'
import {
  type DatasetTitle,
  aboutRelease,
  citationFile,
  csvMetadataOf,
  csvName,
  dataPackage,
  roCrate,
} from './release-metadata.js'
import { ReleaseTables } from './tables.js'

export type ReleaseSource = {
  readonly catalogue: Pick<Catalogue, 'stream'>
  readonly resources: Resources
  readonly dataset: DatasetTitle
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal
}

export async function createRelease(
  directory: string,
  { version, at }: Pick<Release, 'version' | 'at'>,
  source: ReleaseSource,
): Promise<Release> {
  const { resources, dataset } = source
  const release = { version, at }
  const tables = new ReleaseTables({ directory, resources, about: aboutRelease(dataset, release) })
  try {
    await tables.open()
    await writeCsvZip(join(directory, 'catalogue-csv.zip'), release, source, tables)
    await tables.finish()
  } finally {
    await tables.close()
  }
  await writeFile(join(directory, 'CITATION.cff'), citationFile(dataset, release), privateMode)
  const crate = 'ro-crate-metadata.json'
  const names = releaseFileKinds.map(({ name }) => name).filter((name) => name !== crate)
  const files = await Promise.all(names.map((name) => describeFile(directory, name)))
  await writeFile(
    join(directory, crate),
    JSON.stringify(roCrate(dataset, release, files), undefined, 2),
    privateMode,
  )
  return { ...release, files: [...files, await describeFile(directory, crate)] }
}

const privateMode = { mode: 0o600 }

async function writeCsvZip(
  file: string,
  release: Pick<Release, 'version' | 'at'>,
  source: ReleaseSource,
  tables: ReleaseTables,
): Promise<void> {
  const { resources, dataset, stopping } = source
  const zip = new ZipFile()
  // The times of files in a ZIP have no time zone.
  const options = { mtime: new Date(release.at) }
  const addJson = (name: string, value: object): void =>
    zip.addBuffer(Buffer.from(JSON.stringify(value, undefined, 2)), name, options)
  addJson('csv-metadata.json', csvMetadataOf(resources, dataset.iris))
  addJson('datapackage.json', dataPackage(resources, dataset, release))
  zip.addBuffer(Buffer.from(citationFile(dataset, release)), 'CITATION.cff', options)
  const output = new Readable().wrap(zip.outputStream)
  for (const resource of Object.values(resources)) {
    const rows = Readable.from(csvOf(resource, source, tables), { objectMode: false })
    rows.on('error', (error) => output.destroy(error))
    zip.addReadStream(rows, csvName(resource.name), options)
  }
  zip.end()
  await pipeline(output, createWriteStream(file, privateMode), { signal: stopping })
}

/** The records of a kind as CSV, which are put into the tables meanwhile. */
async function* csvOf(
  resource: Resource,
  { catalogue, resources }: ReleaseSource,
  tables: ReleaseTables,
): AsyncGenerator<string> {
  const columns = releaseColumns(resources, resource)
  await tables.begin(resource)
  yield csvRow(columns.map(({ name }) => name))
  const query = { filters: new Map<string, string>(), search: '', ordering: [] }
  const { batches } = await catalogue.stream(resource.name, query)
  for await (const records of batches) {
    await tables.add(resource, records)
    yield records.map((record) => csvRow(columns.map(({ cellOf }) => cellOf(record)))).join('')
  }
}

async function describeFile(directory: string, name: string): Promise<Release['files'][number]> {
  const hash = createHash('sha256')
  let bytes = 0
  // The cast: a stream without an encoding has buffers.
  for await (const chunk of createReadStream(join(directory, name)) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { name, bytes, sha256: hash.digest('hex') }
}
