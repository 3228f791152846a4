// The metadata in a record's page for programs that collect citations: schema.org as JSON-LD for
// search engines, citation tags and a COinS span (Z39.88-2004) for Zotero and similar programs.

import { type DatasetDescription, dumpFiles } from '../../model/dataset-description.js'
import { parseIssuedDate } from '../../model/dates.js'
import type { Iris } from '../../model/iris.js'
import { labelOfReference } from '../../model/record/title.js'
import { textValue, listValue } from '../../model/record/values.js'
import type { Resources } from '../../model/resources.js'
import { type ResolvedRecord, referencesOfField } from '../../model/record/views.js'
import { largestPath } from '../pictures/addresses.js'
import { type Picture, isPublicImage } from '../pictures/picture.js'
import { recordTitle } from '../../views/components/record-summary.js'

type CitationProps = {
  readonly record: ResolvedRecord
  readonly resources: Resources
  readonly iris: Iris
  /** The record in schema.org, without its pictures. */
  readonly schemaOrg: object
  /** Those that the visitor may see; only public ones are told. */
  readonly pictures: readonly Picture[]
}

type CoinsProps = Pick<CitationProps, 'record' | 'resources'> & {
  /** The IRI of the zine. */
  readonly thing: string
}

/** The elements for the head of a record's page. */
export const Citation = (props: CitationProps) => {
  const { record, resources } = props
  return (
    <>
      <meta name="description" content={descriptionOf(record, resources)} />
      {record.resource.name === 'zines' &&
        tagsOf(record, resources).map(([name, content], index) => (
          <meta key={index} name={name} content={content} />
        ))}
      <script
        type="application/ld+json"
        dangerouslySetInnerHTML={{
          __html: inScript({ ...props.schemaOrg, ...withoutEmpty({ image: imagesOf(props) }) }),
        }}
      />
    </>
  )
}

// HTML has no escapes inside a script element, which ends at `</script` (HTML, 13.2.6.2), so `<` is
// escaped by JSON.
const inScript = (value: object): string => JSON.stringify(value).replaceAll('<', '\\u003c')

const descriptionOf = (record: ResolvedRecord, resources: Resources): string => {
  const { values, resource } = record
  const text =
    ['abstract', 'biography', 'description'].map((name) => textValue(values, name)).find(Boolean) ??
    ''
  const named = `${resource.noun}: ${recordTitle(record, resources)}`
  return text === '' ? named : `${named}. ${text.slice(0, 200)}`
}

const named = (record: ResolvedRecord, resources: Resources, name: string): readonly string[] => {
  const field = record.resource.byName.get(name)
  return field
    ? referencesOfField(field, record.values).map((reference) =>
        labelOfReference(resources, record.lookup, reference),
      )
    : []
}

/** The tags that Google Scholar and Zotero know. */
function tagsOf(
  record: ResolvedRecord,
  resources: Resources,
): (readonly [name: string, content: string])[] {
  const { values } = record
  const each = (name: string, values: readonly string[]) =>
    values.filter(Boolean).map((value) => [name, value] as const)
  return [
    ...each('citation_title', [textValue(values, 'title')]),
    ...each('citation_author', named(record, resources, 'creator')),
    ...each('citation_publication_date', publicationDates(record)),
    ...each('citation_publisher', named(record, resources, 'publisher').slice(0, 1)),
    ...each('citation_issue', [textValue(values, 'issue_designation')]),
    ...each('citation_language', listValue(values, 'language').slice(0, 1)),
    ...each('citation_keywords', [labelsOf(record, 'subject').join('; ')]),
  ]
}

/**
 * The date of the first value that has one, in ISO 8601: a year, a month or a day; the year of a
 * season and of an uncertain year. Empty for decades, spans and texts without a year.
 */
function publicationDates({ values }: ResolvedRecord): readonly string[] {
  const dates = listValue(values, 'date').flatMap((date) => {
    const value = parseIssuedDate(date)?.value ?? ''
    const [year] = /^\d{4}(?=$|-[^/]*$|[~?%]$)/.exec(value) ?? []
    const isCalendarDate = /^\d{4}(-(0\d|1[0-2])(-\d\d)?)?$/.test(value)
    return isCalendarDate ? [value] : year === undefined ? [] : [year]
  })
  return dates.slice(0, 1)
}

const labelsOf = ({ resource, values }: ResolvedRecord, name: string): readonly string[] =>
  listValue(values, name).map(
    (code) => resource.byName.get(name)?.vocabulary?.find(code)?.label ?? code,
  )

/** The COinS span with a zine as an OpenURL ContextObject, which Zotero reads as a book. */
export const Coins = ({ record, resources, thing }: CoinsProps) => {
  if (record.resource.name !== 'zines') return null
  const { values } = record
  const pairs: readonly (readonly [string, string])[] = [
    ['ctx_ver', 'Z39.88-2004'],
    ['rft_val_fmt', 'info:ofi/fmt:kev:mtx:book'],
    ['rfr_id', `info:sid/${new URL(thing).host}`],
    ['rft_id', thing],
    ['rft.genre', 'document'],
    // The format of books has no issue.
    [
      'rft.btitle',
      [textValue(values, 'title'), textValue(values, 'issue_designation')]
        .filter(Boolean)
        .join(', '),
    ],
    ['rft.series', listValue(values, 'series_title')[0] ?? ''],
    ...named(record, resources, 'creator').map((name) => ['rft.au', name] as const),
    ['rft.date', publicationDates(record)[0] ?? ''],
    ['rft.pub', named(record, resources, 'publisher')[0] ?? ''],
    ['rft.tpages', textValue(values, 'number_of_pages')],
    ['rft.language', listValue(values, 'language')[0] ?? ''],
  ]
  const query = new URLSearchParams(
    pairs.filter(([, value]) => value !== '').map(([...pair]) => pair),
  )
  return <span class="Z3988" title={query.toString()} />
}

type SchemaOrgNode = Readonly<Record<string, unknown>>

const imagesOf = ({ pictures, iris }: CitationProps): readonly SchemaOrgNode[] =>
  pictures.filter(isPublicImage).map((picture) =>
    withoutEmpty({
      '@type': 'ImageObject',
      contentUrl: iris.base + largestPath(picture),
      description: picture.alt,
      creditText: picture.credit,
    }),
  )

const withoutEmpty = (values: SchemaOrgNode): SchemaOrgNode =>
  Object.fromEntries(
    Object.entries(values)
      .map(([key, value]) => [key, Array.isArray(value) ? value.filter(Boolean) : value] as const)
      .filter(([, value]) => !(Array.isArray(value) ? value.length === 0 : !value)),
  )

/** The dataset in schema.org, for the head of its page. */
export const DatasetMetadata = ({
  base,
  title,
  description,
  license,
  issued,
  modified,
}: Pick<DatasetDescription, 'title' | 'description' | 'license' | 'issued' | 'modified'> & {
  readonly base: string
}) => {
  const dataset = {
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    '@id': `${base}/dataset`,
    name: title,
    ...withoutEmpty({
      description,
      license,
      url: `${base}/dataset`,
      isAccessibleForFree: true,
      datePublished: issued,
      dateModified: modified,
      distribution: dumpFiles.map(({ path, title, type }) => ({
        '@type': 'DataDownload',
        name: title,
        contentUrl: base + path,
        encodingFormat: type,
      })),
    }),
  }
  return (
    <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: inScript(dataset) }} />
  )
}

type ReleaseMetadataProps = {
  /** The address of the release. */
  readonly url: string
  readonly version: string
  readonly issued: string
  readonly title: string
  readonly description: string
  readonly license: string
  readonly downloads: readonly {
    readonly url: string
    readonly bytes: number
    readonly sha256: string
  }[]
}

/** A release of the dataset in schema.org, with the version that is cited. */
export const ReleaseMetadata = ({ title, issued, downloads, ...release }: ReleaseMetadataProps) => {
  const dataset = {
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    '@id': release.url,
    name: title,
    ...release,
    datePublished: issued,
    isAccessibleForFree: true,
    distribution: downloads.map(({ url, bytes, sha256 }) => ({
      '@type': 'DataDownload',
      contentUrl: url,
      contentSize: String(bytes),
      sha256,
    })),
  }
  return (
    <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: inScript(dataset) }} />
  )
}
