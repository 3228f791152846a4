// The metadata in a record's page for programs that collect citations: schema.org as JSON-LD for
// search engines, citation tags and a COinS span (Z39.88-2004) for Zotero and similar programs.

import { labelOfReference } from '../../model/record/title.js'
import { type RecordValues, textValue, listValue } from '../../model/record/values.js'
import type { Resources } from '../../model/resources.js'
import { type ResolvedRecord, isVisible, referencesOfField } from '../../model/record/views.js'
import { referenceTitle, recordTitle } from './record-summary.js'
import { isWebAddress } from './field-value.js'

type CitationProps = {
  readonly record: ResolvedRecord
  readonly resources: Resources
  readonly thing: string
}

/** The elements for the head of a record's page. */
export const Citation = ({ record, resources, thing }: CitationProps) => (
  <>
    <meta name="description" content={descriptionOf(record, resources)} />
    {record.resource.name === 'zines' &&
      tagsOf(record, resources).map(([name, content], index) => (
        <meta key={index} name={name} content={content} />
      ))}
    <script
      type="application/ld+json"
      dangerouslySetInnerHTML={{ __html: inScript(schemaOf({ record, resources, thing })) }}
    />
  </>
)

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
    ...each('citation_publication_date', listValue(values, 'date').slice(0, 1)),
    ...each('citation_publisher', named(record, resources, 'publisher').slice(0, 1)),
    ...each('citation_issue', [textValue(values, 'issue_designation')]),
    ...each('citation_language', listValue(values, 'language').slice(0, 1)),
    ...each('citation_keywords', [labelsOf(record, 'subject').join('; ')]),
  ]
}

const labelsOf = ({ resource, values }: ResolvedRecord, name: string): readonly string[] =>
  listValue(values, name).map(
    (code) => resource.byName.get(name)?.vocabulary?.find(code)?.label ?? code,
  )

/** The COinS span with a zine as an OpenURL ContextObject, which Zotero reads as a book. */
export const Coins = ({ record, resources, thing }: CitationProps) => {
  if (record.resource.name !== 'zines') return null
  const { values } = record
  const pairs: readonly (readonly [string, string])[] = [
    ['ctx_ver', 'Z39.88-2004'],
    ['rft_val_fmt', 'info:ofi/fmt:kev:mtx:book'],
    ['rfr_id', `info:sid/${new URL(thing).host}`],
    ['rft_id', thing],
    ['rft.genre', 'document'],
    ['rft.btitle', textValue(values, 'title')],
    ['rft.series', listValue(values, 'series_title')[0] ?? ''],
    ...named(record, resources, 'creator').map((name) => ['rft.au', name] as const),
    ['rft.date', listValue(values, 'date')[0] ?? ''],
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

const schemaOf = (props: CitationProps): SchemaOrgNode => ({
  '@context': 'https://schema.org',
  '@id': props.thing,
  name: recordTitle(props.record, props.resources),
  ...withoutEmpty(schemas[props.record.resource.name](props)),
})

/** The properties of each resource in schema.org. */
const schemas: Readonly<
  Record<ResolvedRecord['resource']['name'], (props: CitationProps) => SchemaOrgNode>
> = {
  zines: ({ record, resources }) => ({
    '@type': textValue(record.values, 'issue_designation') ? 'PublicationIssue' : 'CreativeWork',
    issueNumber: textValue(record.values, 'issue_designation'),
    alternateName: listValue(record.values, 'alternative_title'),
    author: named(record, resources, 'creator').map((name) => ({ '@type': 'Person', name })),
    contributor: named(record, resources, 'contributor').map((name) => ({
      '@type': 'Person',
      name,
    })),
    publisher: named(record, resources, 'publisher').map((name) => ({
      '@type': 'Organization',
      name,
    })),
    abstract: textValue(record.values, 'abstract'),
    datePublished: listValue(record.values, 'date')[0] ?? '',
    inLanguage: listValue(record.values, 'language'),
    keywords: labelsOf(record, 'subject'),
    genre: labelsOf(record, 'genre'),
    isPartOf: listValue(record.values, 'series_title').map((name) => ({
      '@type': 'CreativeWorkSeries',
      name,
    })),
  }),
  agents: ({ record: { resource, values } }) => ({
    '@type': textValue(values, 'kind') === 'Person' ? 'Person' : 'Organization',
    alternateName: listValue(values, 'alternative_names'),
    description: textValue(values, 'biography'),
    url: webAddress(textValue(values, 'website')),
    ...publicOnly(resource, values, {
      legalName: 'legal_name',
      email: 'email',
      telephone: 'phone',
    }),
  }),
  repositories: ({ record: { values } }) => ({
    '@type': ['archive', 'community-archive'].includes(textValue(values, 'repository_kind'))
      ? 'ArchiveOrganization'
      : 'Library',
    description: textValue(values, 'description'),
    url: webAddress(textValue(values, 'website')),
    email: textValue(values, 'email'),
    telephone: textValue(values, 'phone'),
    address: withoutEmpty({
      '@type': 'PostalAddress',
      addressLocality: textValue(values, 'city'),
      addressRegion: textValue(values, 'region'),
      postalCode: textValue(values, 'postal_code'),
      addressCountry: textValue(values, 'country'),
    }),
  }),
  holdings: ({ record, resources }) => ({
    '@type': 'ArchiveComponent',
    holdingArchive: {
      '@type': 'Library',
      name: referenceTitle(record, resources, 'repository_id'),
    },
    itemLocation: textValue(record.values, 'location'),
    identifier: textValue(record.values, 'call_number'),
  }),
}

/**
 * The private fields that are public here. The metadata is the same for everybody, whatever the
 * account may see.
 */
function publicOnly(
  resource: ResolvedRecord['resource'],
  values: RecordValues,
  names: Readonly<Record<string, string>>,
): SchemaOrgNode {
  return Object.fromEntries(
    Object.entries(names).flatMap(([key, name]) => {
      const field = resource.byName.get(name)
      return field && isVisible(field, values, 'detail') ? [[key, textValue(values, name)]] : []
    }),
  )
}

const webAddress = (text: string): string => (isWebAddress(text) ? text : '')

const withoutEmpty = (values: SchemaOrgNode): SchemaOrgNode =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) => !(Array.isArray(value) ? value.length === 0 : !value),
    ),
  )
