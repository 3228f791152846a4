// What programs that collect citations read in a page: schema.org as JSON-LD for search engines,
// citation tags and a COinS span (Z39.88-2004) for Zotero and its like.

import { type Card, textOf, valuesOf } from '../../model/record/values.js'
import type { Resources } from '../../model/resources.js'
import { type Sheet, isOpen, valuesIn } from '../../model/record/views.js'
import { nameIn, nameOf } from './record-summary.js'
import { isWebAddress, titleOf } from './field-value.js'

type Props = { readonly sheet: Sheet; readonly resources: Resources; readonly thing: string }

/** For the head of a record's page. */
export const Citation = ({ sheet, resources, thing }: Props) => (
  <>
    <meta name="description" content={descriptionOf(sheet, resources)} />
    {sheet.resource.name === 'zines' &&
      tagsOf(sheet, resources).map(([name, content], index) => (
        <meta key={index} name={name} content={content} />
      ))}
    <script
      type="application/ld+json"
      dangerouslySetInnerHTML={{ __html: inScript(schemaOf({ sheet, resources, thing })) }}
    />
  </>
)

// In a script element nothing is escaped but by JSON's own means (HTML, 13.2.6.2 ends it at `</script`).
const inScript = (value: object): string => JSON.stringify(value).replaceAll('<', '\\u003c')

const descriptionOf = (sheet: Sheet, resources: Resources): string => {
  const { card, resource } = sheet
  const text =
    ['abstract', 'biography', 'description'].map((name) => textOf(card, name)).find(Boolean) ?? ''
  const named = `${resource.noun}: ${nameOf(sheet, resources)}`
  return text === '' ? named : `${named}. ${text.slice(0, 200)}`
}

const named = (sheet: Sheet, resources: Resources, name: string): readonly string[] => {
  const field = sheet.resource.byName.get(name)
  return field ? valuesIn(field, sheet.card).map((id) => agentName(sheet, resources, id)) : []
}

const agentName = ({ cards }: Sheet, resources: Resources, id: string): string => {
  const card = cards({ target: 'agents', id })
  return card ? titleOf(resources, 'agents', card) : id
}

/** The tags that Google Scholar and Zotero know. */
function tagsOf(sheet: Sheet, resources: Resources): (readonly [name: string, content: string])[] {
  const { card } = sheet
  const each = (name: string, values: readonly string[]) =>
    values.filter(Boolean).map((value) => [name, value] as const)
  return [
    ...each('citation_title', [textOf(card, 'title')]),
    ...each('citation_author', named(sheet, resources, 'creator')),
    ...each('citation_publication_date', valuesOf(card, 'date').slice(0, 1)),
    ...each('citation_publisher', named(sheet, resources, 'publisher').slice(0, 1)),
    ...each('citation_issue', [textOf(card, 'issue_designation')]),
    ...each('citation_language', valuesOf(card, 'language').slice(0, 1)),
    ...each('citation_keywords', [labelsOf(sheet, 'subject').join('; ')]),
  ]
}

const labelsOf = ({ resource, card }: Sheet, name: string): readonly string[] =>
  valuesOf(card, name).map(
    (code) => resource.byName.get(name)?.vocabulary?.find(code)?.label ?? code,
  )

/** The span in which a zine is an OpenURL ContextObject; Zotero takes it for a book. */
export const Coins = ({ sheet, resources, thing }: Props) => {
  if (sheet.resource.name !== 'zines') return null
  const { card } = sheet
  const pairs: readonly (readonly [string, string])[] = [
    ['ctx_ver', 'Z39.88-2004'],
    ['rft_val_fmt', 'info:ofi/fmt:kev:mtx:book'],
    ['rfr_id', `info:sid/${new URL(thing).host}`],
    ['rft_id', thing],
    ['rft.genre', 'document'],
    ['rft.btitle', textOf(card, 'title')],
    ['rft.series', valuesOf(card, 'series_title')[0] ?? ''],
    ...named(sheet, resources, 'creator').map((name) => ['rft.au', name] as const),
    ['rft.date', valuesOf(card, 'date')[0] ?? ''],
    ['rft.pub', named(sheet, resources, 'publisher')[0] ?? ''],
    ['rft.tpages', textOf(card, 'number_of_pages')],
    ['rft.language', valuesOf(card, 'language')[0] ?? ''],
  ]
  const query = new URLSearchParams(
    pairs.filter(([, value]) => value !== '').map(([...pair]) => pair),
  )
  return <span class="Z3988" title={query.toString()} />
}

type Schema = Readonly<Record<string, unknown>>

const schemaOf = (props: Props): Schema => ({
  '@context': 'https://schema.org',
  '@id': props.thing,
  name: nameOf(props.sheet, props.resources),
  ...withoutEmpty(schemas[props.sheet.resource.name](props)),
})

/** What schema.org says of each resource (mapping.md, column schema.org). */
const schemas: Readonly<Record<Sheet['resource']['name'], (props: Props) => Schema>> = {
  zines: ({ sheet, resources }) => ({
    '@type': textOf(sheet.card, 'issue_designation') ? 'PublicationIssue' : 'CreativeWork',
    issueNumber: textOf(sheet.card, 'issue_designation'),
    alternateName: valuesOf(sheet.card, 'alternative_title'),
    author: named(sheet, resources, 'creator').map((name) => ({ '@type': 'Person', name })),
    contributor: named(sheet, resources, 'contributor').map((name) => ({
      '@type': 'Person',
      name,
    })),
    publisher: named(sheet, resources, 'publisher').map((name) => ({
      '@type': 'Organization',
      name,
    })),
    abstract: textOf(sheet.card, 'abstract'),
    datePublished: valuesOf(sheet.card, 'date')[0] ?? '',
    inLanguage: valuesOf(sheet.card, 'language'),
    keywords: labelsOf(sheet, 'subject'),
    genre: labelsOf(sheet, 'genre'),
    isPartOf: valuesOf(sheet.card, 'series_title').map((name) => ({
      '@type': 'CreativeWorkSeries',
      name,
    })),
  }),
  agents: ({ sheet: { resource, card } }) => ({
    '@type': textOf(card, 'kind') === 'Person' ? 'Person' : 'Organization',
    alternateName: valuesOf(card, 'alternative_names'),
    description: textOf(card, 'biography'),
    url: webAddress(textOf(card, 'website')),
    ...openOnly(resource, card, { legalName: 'legal_name', email: 'email', telephone: 'phone' }),
  }),
  repositories: ({ sheet: { card } }) => ({
    '@type': ['archive', 'community-archive'].includes(textOf(card, 'repository_kind'))
      ? 'ArchiveOrganization'
      : 'Library',
    description: textOf(card, 'description'),
    url: webAddress(textOf(card, 'website')),
    email: textOf(card, 'email'),
    telephone: textOf(card, 'phone'),
    address: withoutEmpty({
      '@type': 'PostalAddress',
      addressLocality: textOf(card, 'city'),
      addressRegion: textOf(card, 'region'),
      postalCode: textOf(card, 'postal_code'),
      addressCountry: textOf(card, 'country'),
    }),
  }),
  holdings: ({ sheet, resources }) => ({
    '@type': 'ArchiveComponent',
    holdingArchive: { '@type': 'Library', name: nameIn(sheet, resources, 'repository_id') },
    itemLocation: textOf(sheet.card, 'location'),
    identifier: textOf(sheet.card, 'call_number'),
  }),
}

/** Fields of an agent that everybody may see; whatever the visitor may, a page's data is for all. */
function openOnly(
  resource: Sheet['resource'],
  card: Card,
  names: Readonly<Record<string, string>>,
): Schema {
  return Object.fromEntries(
    Object.entries(names).flatMap(([key, name]) => {
      const field = resource.byName.get(name)
      return field && isOpen(field, card, 'detail') ? [[key, textOf(card, name)]] : []
    }),
  )
}

const webAddress = (text: string): string => (isWebAddress(text) ? text : '')

const withoutEmpty = (values: Schema): Schema =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) => !(Array.isArray(value) ? value.length === 0 : !value),
    ),
  )
