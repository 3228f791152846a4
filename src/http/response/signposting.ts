// Signposting, level 1 (https://signposting.org/FAIR/): links by which programs find, on the page
// of a record or a list, its permanent address, its metadata, its authors, its licence and its
// content (docs/reference/formats.md, "Signposting").

import { jsonld } from '../../formats/jsonld/jsonld.js'
import type { Iris, ResourceName } from '../../model/iris.js'
import { licensesOf } from '../../model/record/licences.js'
import { textValue } from '../../model/record/values.js'
import { type ResolvedRecord, referencesOfField } from '../../model/record/views.js'
import type { ResponseLink } from '../context.js'

type SignpostedRecord = {
  readonly iris: Iris
  readonly record: ResolvedRecord
  /** The URL of the licence of the data. */
  readonly license: string
  /** The addresses of digital copies. */
  readonly items: readonly string[]
}

/** So many authors and items at most. */
const maxLinked = 10

const schemaType = (name: string): ResponseLink => link('type', `https://schema.org/${name}`)

/**
 * The links of the page of a record. They name what is public, and no agent that is private or
 * deleted.
 */
export function signpostsOf(signposted: SignpostedRecord): readonly ResponseLink[] {
  const { iris, record, license } = signposted
  const { resource, values } = record
  const id = textValue(values, resource.id.name)
  const metadata = `${iris.record(resource.name, id).value}?format=${jsonld.name}`
  const licenses = resource.name === 'zines' ? licensesOf(record) : [license]
  return [
    link('cite-as', iris.thing(resource.name, id).value),
    { ...link('describedby', metadata), type: jsonld.type },
    schemaType('AboutPage'),
    schemaType(typeOf(record)),
    ...licenses.slice(0, 1).map((target) => link('license', target)),
    ...authorsOf(signposted).map((target) => link('author', target)),
    ...itemsOf(signposted).map((target) => link('item', target)),
  ]
}

/** The links of a page of a list. */
export const signpostsOfList = (
  { base }: Pick<Iris, 'base'>,
  license: string,
): readonly ResponseLink[] => [
  schemaType('CollectionPage'),
  link('license', asciiUrl(license)),
  link('describedby', `${base}/dataset`),
]

/** A zine of a series is an issue of it; all other classes follow from the resource. */
function typeOf({ resource, values }: ResolvedRecord): string {
  if (resource.name === 'agents')
    return textValue(values, 'kind') === 'Person' ? 'Person' : 'Organization'
  return types[resource.name]
}

const types: Readonly<Record<Exclude<ResourceName, 'agents'>, string>> = {
  zines: 'CreativeWork',
  repositories: 'ArchiveOrganization',
  holdings: 'ArchiveComponent',
}

/** The makers of a zine who are public: the identifier of another one may be a name. */
function authorsOf({ iris, record }: SignpostedRecord): readonly string[] {
  const creator = record.resource.byName.get('creator')
  if (!creator) return []
  return referencesOfField(creator, record.values)
    .filter((reference) => record.lookup(reference)?.public === true)
    .slice(0, maxLinked)
    .map(({ target, id }) => iris.thing(target, id).value)
}

/** The digital copies: the one of a holding, and those that the caller knows of a zine. */
function itemsOf({ record, items }: SignpostedRecord): readonly string[] {
  const recordUrl = textValue(record.values, 'digital_url')
  return [recordUrl, ...items]
    .filter((url) => /^https?:\/\/\S+$/i.test(url) && URL.canParse(url))
    .slice(0, maxLinked)
}

/** Headers are ASCII, and `<`, `>` and quotes end what they are in. */
const asciiUrl = (url: string): string => (URL.canParse(url) ? new URL(url).href : encodeURI(url))

function link(relation: string, target: string): ResponseLink {
  return { relation, target: asciiUrl(target) }
}
