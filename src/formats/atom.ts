// Serializes a page of a list as an Atom feed (RFC 4287, and RFC 5005 for its pages), so that feed
// readers follow what is new in any list. A single record has no feed.

import type { Iris } from '../model/iris.js'
import { labelOfReference, titleOf } from '../model/record/title.js'
import { textValue } from '../model/record/values.js'
import {
  type ResolvedRecord,
  isVisible,
  referencesOfField,
  valuesIn,
} from '../model/record/views.js'
import type { Field, Resource, Resources } from '../model/resources.js'
import { escapeAttribute, escapeText } from '../rdf/xml.js'
import { html } from './common-formats.js'
import type { Format, ListInfo, PageLinks, RecordSerializer } from './serializer.js'

export const atom: Format = {
  name: 'atom',
  title: 'Atom',
  type: 'application/atom+xml',
  extension: 'xml',
}

type AtomDependencies = {
  readonly iris: Iris
  readonly resources: Resources
  /** What the catalogue is called. */
  readonly siteName?: string
}

export function atomSerializer(
  { iris, resources, siteName = 'Zine Catalogue' }: AtomDependencies,
  resource: Resource,
): RecordSerializer {
  return {
    ...atom,
    listsUseListView: true,
    record: () => {
      throw new Error('a record has no feed')
    },
    listStart: (listInfo) => listHead({ iris, siteName }, resource, listInfo),
    listItem: (record) => feedEntry({ iris, resources }, record),
    listEnd: () => feedEnd,
  }
}

/** The time of a feed without entries. */
const noTime = '1970-01-01T00:00:00Z'

type FeedHead = {
  readonly id: string
  readonly title: string
  /** Undefined for a feed without entries. */
  readonly updated: string | undefined
  readonly author: string
}

/**
 * The beginning of a feed, before its entries.
 * @param more further elements
 */
export function feedStart(
  { id, title, updated = noTime, author }: FeedHead,
  more: readonly string[] = [],
): string {
  const lines = [
    atomElement('id', id),
    atomElement('title', title),
    atomElement('updated', updated),
    `<author>${atomElement('name', author)}</author>`,
    ...more,
  ]
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n` +
    lines.map((line) => `  ${line}\n`).join('')
  )
}

export const feedEnd = '</feed>\n'

function listHead(
  { iris: { base }, siteName }: Pick<Required<AtomDependencies>, 'iris' | 'siteName'>,
  { name }: Resource,
  { links, updated }: ListInfo,
): string {
  const id = links ? feedId(base, links) : `${base}/api/${name}/`
  const title = links ? feedTitle(siteName, name, links) : `${siteName}: ${name}`
  return feedStart({ id, title, updated, author: siteName }, [
    `<generator uri="${escapeAttribute(base)}">${escapeText(siteName)}</generator>`,
    ...(links ? pageLinks(links) : []),
  ])
}

/** All pages of a list are one feed, at whichever address the service is asked. */
function feedId(base: string, { first }: PageLinks): string {
  const url = new URL(first)
  for (const name of ['page_size', 'format']) url.searchParams.delete(name)
  return `${base}${url.pathname}${url.search}`
}

/** With the filters and the search, which tell the feeds of a list apart. */
function feedTitle(siteName: string, name: string, { first }: PageLinks): string {
  const conditions = [...new URL(first).searchParams]
    .filter(([parameter, value]) => !['page_size', 'format'].includes(parameter) && value !== '')
    .map(([parameter, value]) => `${parameter}: ${value}`)
  return [`${siteName}: ${name}`, ...conditions].join(', ')
}

function pageLinks({ self, first, previous, next, last }: PageLinks): string[] {
  const pages = Object.entries({ self, first, previous, next, last })
  return [
    atomLink('alternate', html.type, withFormat(self, html)),
    ...pages.flatMap(([relation, url]) =>
      url === null ? [] : [atomLink(relation, atom.type, withFormat(url, atom))],
    ),
  ]
}

function withFormat(address: string, { name }: Format): string {
  const url = new URL(address)
  url.searchParams.set('format', name)
  return url.href
}

export const atomLink = (relation: string, type: string, href: string): string =>
  `<link rel="${relation}" type="${type}" href="${escapeAttribute(href)}"/>`

export const atomElement = (name: string, text: string): string =>
  `<${name}>${escapeText(text)}</${name}>`

export function feedEntry({ iris, resources }: AtomDependencies, record: ResolvedRecord): string {
  const { resource, values } = record
  const id = textValue(values, resource.id.name)
  const summary = summaryOf(resources, record)
  const lines = [
    atomElement('id', iris.thing(resource.name, id).value),
    atomElement('title', entryTitle(resources, record)),
    atomElement('updated', textValue(values, 'updated_at')),
    atomElement('published', textValue(values, 'created_at')),
    ...makersOf(resources, record).map((name) => `<author>${atomElement('name', name)}</author>`),
    atomLink('alternate', html.type, iris.record(resource.name, id).value),
    ...(summary === '' ? [] : [atomElement('summary', summary)]),
  ]
  return `  <entry>\n${lines.map((line) => `    ${line}\n`).join('')}  </entry>\n`
}

/** The title with its issue; for a copy, that of what it is a copy of. */
function entryTitle(resources: Resources, record: ResolvedRecord): string {
  const { resource, values } = record
  const { title, subtitle } = resource.summary
  const [referred] = title?.target ? textsOf(resources, record, title) : []
  const recordTitle = referred ?? titleOf(resources, resource.name, values)
  return [recordTitle, subtitle ? textValue(values, subtitle.name) : ''].filter(Boolean).join(', ')
}

/**
 * The names of those who made a zine, without deleted ones. Other records have the author of the
 * feed.
 */
function makersOf(resources: Resources, { resource, values, lookup }: ResolvedRecord): string[] {
  const creator = resource.byName.get('creator')
  if (!creator) return []
  return referencesOfField(creator, values)
    .filter((reference) => lookup(reference))
    .map((reference) => labelOfReference(resources, lookup, reference))
}

/** The fields that say at some length what a record is about. */
const descriptionFields = ['abstract', 'biography', 'description']

/** What lists on pages show of a record, and its description. */
function summaryOf(resources: Resources, record: ResolvedRecord): string {
  const { summary, byName } = record.resource
  const line = summary.line.map((fields) =>
    fields.flatMap((field) => textsOf(resources, record, field)).join(', '),
  )
  const descriptions = descriptionFields.flatMap((name) => {
    const field = byName.get(name)
    return field ? textsOf(resources, record, field) : []
  })
  return [line.filter(Boolean).join(' · '), ...descriptions].filter(Boolean).join('\n')
}

/** The values of a field as people read them. */
function textsOf(
  resources: Resources,
  { values, lookup }: ResolvedRecord,
  field: Field,
): readonly string[] {
  if (!isVisible(field, values, 'list')) return []
  if (field.target)
    return referencesOfField(field, values).map((reference) =>
      labelOfReference(resources, lookup, reference),
    )
  const { vocabulary } = field
  return valuesIn(field, values).map((value) => vocabulary?.find(value)?.label ?? value)
}
