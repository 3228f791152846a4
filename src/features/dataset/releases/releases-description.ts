// The releases as RDF, in DCAT: their versions, and the address, size and checksum of each file.

import { DataFactory } from 'n3'

import { dcatNamespace, dumpFiles } from '../../../model/dataset-description.js'
import type { Iris } from '../../../model/iris.js'
import { dcterms, rdf, xsd } from '../../../rdf/namespaces.js'
import {
  type Literal,
  type NamedNode,
  type Quad,
  dateTime,
  iri,
  stringLiteral,
  typedLiteral,
} from '../../../rdf/terms.js'
import type { Release } from './release-files.js'
import { type DatasetTitle, releaseUrl, titleOf, typeOf } from './release-metadata.js'

export const spdxNamespace = 'http://spdx.org/rdf/terms#'

const dcat = (name: string): NamedNode => iri(dcatNamespace + name)
const spdx = (name: string): NamedNode => iri(spdxNamespace + name)

type Property = readonly [predicate: NamedNode, object: NamedNode | Literal]

/** The quads, in the default graph. */
export function describeReleases(dataset: DatasetTitle, releases: readonly Release[]): Quad[] {
  const { iris } = dataset
  const self = iri(`${iris.base}/dataset`)
  return [
    ...about(self, [
      [rdf('type'), dcat('Dataset')],
      [dcterms('title'), stringLiteral(dataset.siteName)],
      ...dumpFiles.map(({ format }): Property => [
        dcat('distribution'),
        iri(`${self.value}#${format}`),
      ]),
      ...releases.map((release): Property => [dcat('hasVersion'), iri(releaseUrl(iris, release))]),
    ]),
    ...dumpFiles.flatMap(({ format, path, title, type }) =>
      about(iri(`${self.value}#${format}`), [
        [rdf('type'), dcat('Distribution')],
        [dcterms('title'), stringLiteral(title)],
        [dcat('downloadURL'), iri(iris.base + path)],
        [dcat('mediaType'), mediaType(type)],
      ]),
    ),
    ...releases.flatMap((release) => describeRelease(dataset, release)),
  ]
}

function describeRelease(dataset: DatasetTitle, release: Release): Quad[] {
  const { iris, siteName, license } = dataset
  const self = iri(releaseUrl(iris, release))
  return [
    ...about(self, [
      [rdf('type'), dcat('Dataset')],
      [rdf('type'), iri('http://schema.org/Dataset')],
      [dcterms('title'), stringLiteral(siteName)],
      [dcterms('license'), iri(license)],
      [dcterms('issued'), dateTime(release.at)],
      [dcat('version'), stringLiteral(release.version)],
      [iri('http://schema.org/version'), stringLiteral(release.version)],
      [dcat('isVersionOf'), iri(`${iris.base}/dataset`)],
      ...release.files.map((file): Property => [dcat('distribution'), iri(self.value + file.name)]),
    ]),
    ...release.files.flatMap((file) => describeFile(iris, release, file)),
  ]
}

function describeFile(iris: Iris, release: Release, file: Release['files'][number]): Quad[] {
  const self = iri(releaseUrl(iris, release) + file.name)
  const checksum = iri(`${self.value}#checksum`)
  return [
    ...about(self, [
      [rdf('type'), dcat('Distribution')],
      [dcterms('title'), stringLiteral(titleOf(file.name))],
      [dcat('downloadURL'), self],
      [dcat('mediaType'), mediaType(typeOf(file.name))],
      [dcat('byteSize'), typedLiteral(String(file.bytes), xsd('nonNegativeInteger'))],
      [spdx('checksum'), checksum],
    ]),
    ...about(checksum, [
      [rdf('type'), spdx('Checksum')],
      [spdx('algorithm'), spdx('checksumAlgorithm_sha256')],
      [spdx('checksumValue'), typedLiteral(file.sha256, xsd('hexBinary'))],
    ]),
  ]
}

const about = (subject: NamedNode, properties: readonly Property[]): Quad[] =>
  properties.map(([predicate, object]) => DataFactory.quad(subject, predicate, object))

const mediaType = (type: string): NamedNode =>
  iri(`https://www.iana.org/assignments/media-types/${type}`)
