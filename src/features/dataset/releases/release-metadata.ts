// What a release says of itself: how it is cited (CITATION.cff), what its files are (RO-Crate), and
// what the columns of its tables are (Frictionless Data Package, CSV on the Web).

import { stringify } from 'yaml'

import { describeTable } from '../../../formats/csv-metadata.js'
import { releaseFileKinds } from '../../../model/dataset-description.js'
import type { Iris } from '../../../model/iris.js'
import type { FieldKind, Resources } from '../../../model/resources.js'
import type { Release } from './release-files.js'
import { releaseColumns } from './release-columns.js'

/** What is said of the data of every release. */
export type DatasetTitle = {
  readonly iris: Iris
  readonly siteName: string
  readonly publisher: string
  readonly license: string
  readonly about: { readonly description: string }
}

type Version = Pick<Release, 'version' | 'at'>

/** The folder of a release, in which its files have their addresses. */
export const releaseUrl = ({ base }: Iris, { version }: Pick<Release, 'version'>): string =>
  `${base}/dumps/${version}/`

/** The table `catalogue` of the database. */
export const aboutRelease = (
  { iris, siteName, publisher, license }: DatasetTitle,
  release: Version,
): Readonly<Record<string, string>> => ({
  title: siteName,
  version: release.version,
  issued: release.at,
  publisher,
  license,
  url: releaseUrl(iris, release),
})

/** The text of CITATION.cff (Citation File Format 1.2.0). */
export const citationFile = (dataset: DatasetTitle, release: Version): string =>
  stringify({
    'cff-version': '1.2.0',
    message: 'Cite this release of the data as below.',
    type: 'dataset',
    title: dataset.siteName,
    abstract: `${dataset.about.description}.`,
    authors: [{ name: dataset.publisher }],
    version: release.version,
    'date-released': release.at.slice(0, 'yyyy-mm-dd'.length),
    url: releaseUrl(dataset.iris, release),
    'license-url': dataset.license,
  })

/** RO-Crate 1.1 of the other files of a release. */
export function roCrate(dataset: DatasetTitle, release: Version, files: Release['files']): object {
  const { iris, siteName, publisher, license, about } = dataset
  const publisherId = `${iris.base}/dataset#publisher`
  return {
    '@context': 'https://w3id.org/ro/crate/1.1/context',
    '@graph': [
      {
        '@id': 'ro-crate-metadata.json',
        '@type': 'CreativeWork',
        conformsTo: { '@id': 'https://w3id.org/ro/crate/1.1' },
        about: { '@id': './' },
      },
      {
        '@id': './',
        '@type': 'Dataset',
        name: siteName,
        description: `${about.description}.`,
        version: release.version,
        datePublished: release.at,
        license: { '@id': license },
        publisher: { '@id': publisherId },
        url: releaseUrl(iris, release),
        hasPart: files.map(({ name }) => ({ '@id': name })),
      },
      { '@id': publisherId, '@type': 'Organization', name: publisher },
      ...files.map(({ name, bytes, sha256 }) => ({
        '@id': name,
        '@type': 'File',
        name: titleOf(name),
        encodingFormat: typeOf(name),
        contentSize: String(bytes),
        sha256,
      })),
    ],
  }
}

const kindOf = (name: string) => releaseFileKinds.find((kind) => kind.name === name)

export const titleOf = (name: string): string => kindOf(name)?.title ?? name

export const typeOf = (name: string): string => kindOf(name)?.type ?? 'application/octet-stream'

/** The name of the file with the records of a kind. */
export const csvName = (name: string): string => `${name}.csv`

/** `csv-metadata.json` of the tables (W3C, "Metadata Vocabulary for Tabular Data"). */
export function csvMetadataOf(resources: Resources, iris: Iris): object {
  const tables = Object.values(resources).map((resource) => {
    const columns = new Set(releaseColumns(resources, resource).map(({ name }) => name))
    return describeTable({ iris, resources }, { url: csvName(resource.name), resource, columns })
  })
  // A group has the context of all its tables (5.2).
  return {
    '@context': ['http://www.w3.org/ns/csvw', { '@language': 'en' }],
    tables: tables.map((table) => ({ ...table, '@context': undefined })),
  }
}

/** `datapackage.json` of the tables (Data Package 1). */
export const dataPackage = (
  resources: Resources,
  { siteName, license, about, iris }: DatasetTitle,
  release: Version,
): object => ({
  profile: 'tabular-data-package',
  name: 'zine-catalogue',
  title: siteName,
  description: `${about.description}.`,
  homepage: releaseUrl(iris, release),
  version: release.version,
  created: release.at,
  licenses: [{ path: license }],
  resources: Object.values(resources).map((resource) => ({
    profile: 'tabular-data-resource',
    name: resource.name,
    path: csvName(resource.name),
    mediatype: 'text/csv',
    encoding: 'utf-8',
    schema: {
      primaryKey: resource.id.name,
      fields: releaseColumns(resources, resource).map(({ name, field, hasTitles }) => ({
        name,
        type: hasTitles || field.repeatable ? 'string' : (types[field.kind] ?? 'string'),
        title: field.label,
        description: hasTitles ? `${field.label}: names, for readers.` : field.comment,
      })),
    },
  })),
})

const types: Partial<Record<FieldKind, string>> = {
  integer: 'integer',
  boolean: 'boolean',
  time: 'datetime',
}
