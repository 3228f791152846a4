// The releases as RDF, in DCAT: their versions, and the address, size and checksum of each file.
// `/dataset` has the newest release, `/dumps/` all of them.

import { dumpFiles, dumpNode, dumpNodes } from '../../../model/dataset-description.js'
import { type DescribedNode, dcat, mediaType } from '../../../model/dcat.js'
import type { Iris } from '../../../model/iris.js'
import { dcterms, rdf, xsd } from '../../../rdf/namespaces.js'
import { type NamedNode, dateTime, iri, stringLiteral, typedLiteral } from '../../../rdf/terms.js'
import type { Release } from './release-files.js'
import { type DatasetTitle, releaseUrl, titleOf, typeOf } from './release-metadata.js'

export const spdxNamespace = 'http://spdx.org/rdf/terms#'

const spdx = (name: string): NamedNode => iri(spdxNamespace + name)

/** All files with the whole catalogue. @param releases the newest first */
export const describeDownloads = (
  dataset: DatasetTitle,
  releases: readonly Release[],
): readonly DescribedNode[] => [
  [
    datasetNode(dataset.iris),
    [
      [rdf('type'), dcat('Dataset')],
      [dcterms('title'), stringLiteral(dataset.siteName)],
      [dcat('distribution'), ...dumpFiles.map(({ format }) => dumpNode(dataset.iris.base, format))],
    ],
  ],
  ...dumpNodes(dataset.iris, dataset.license),
  versionsNode(dataset, releases),
  ...releases.flatMap((release) => describeRelease(dataset, release)),
]

/** The newest release, and which others there are. @param releases the newest first */
export const describeNewestRelease = (
  dataset: DatasetTitle,
  releases: readonly Release[],
): readonly DescribedNode[] => [
  versionsNode(dataset, releases),
  ...releases.slice(0, 1).flatMap((release) => describeRelease(dataset, release)),
]

const datasetNode = ({ base }: Iris): NamedNode => iri(`${base}/dataset`)

/** The dataset, of which the files of the newest release are distributions. */
const versionsNode = ({ iris }: DatasetTitle, releases: readonly Release[]): DescribedNode => [
  datasetNode(iris),
  [
    [dcat('hasVersion'), ...releases.map((release) => iri(releaseUrl(iris, release)))],
    [dcat('distribution'), ...releases.slice(0, 1).flatMap((release) => fileNodes(iris, release))],
  ],
]

const fileNodes = (iris: Iris, release: Release): readonly NamedNode[] =>
  release.files.map(({ name }) => iri(releaseUrl(iris, release) + name))

function describeRelease(dataset: DatasetTitle, release: Release): readonly DescribedNode[] {
  const { iris, siteName, license } = dataset
  return [
    [
      iri(releaseUrl(iris, release)),
      [
        [rdf('type'), dcat('Dataset'), iri('http://schema.org/Dataset')],
        [dcterms('title'), stringLiteral(siteName)],
        [dcterms('license'), iri(license)],
        [dcterms('issued'), dateTime(release.at)],
        [dcat('version'), stringLiteral(release.version)],
        [iri('http://schema.org/version'), stringLiteral(release.version)],
        [dcat('isVersionOf'), datasetNode(iris)],
        [dcat('distribution'), ...fileNodes(iris, release)],
      ],
    ],
    ...release.files.flatMap((file) => describeFile(dataset, release, file)),
  ]
}

function describeFile(
  { iris, license }: DatasetTitle,
  release: Release,
  file: Release['files'][number],
): readonly DescribedNode[] {
  const self = iri(releaseUrl(iris, release) + file.name)
  const checksum = iri(`${self.value}#checksum`)
  return [
    [
      self,
      [
        [rdf('type'), dcat('Distribution')],
        [dcterms('title'), stringLiteral(titleOf(file.name))],
        [dcterms('license'), iri(license)],
        [dcterms('issued'), dateTime(release.at)],
        [dcat('version'), stringLiteral(release.version)],
        [dcat('accessURL'), iri(`${iris.base}/dumps/`)],
        [dcat('downloadURL'), self],
        [dcat('mediaType'), mediaType(typeOf(file.name))],
        [dcat('byteSize'), typedLiteral(String(file.bytes), xsd('nonNegativeInteger'))],
        [spdx('checksum'), checksum],
      ],
    ],
    [
      checksum,
      [
        [rdf('type'), spdx('Checksum')],
        [spdx('algorithm'), spdx('checksumAlgorithm_sha256')],
        [spdx('checksumValue'), typedLiteral(file.sha256, xsd('hexBinary'))],
      ],
    ],
  ]
}
