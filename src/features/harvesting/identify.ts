// The answer to Identify: what a harvester has to know of the catalogue.

import type { CurrentItems } from './items/item-index.js'
import { resourceNames } from '../../model/iris.js'
import { element, formatTime, nested } from './answers.js'
import type { Identifiers } from './identifiers.js'

type Identity = {
  /** What the catalogue is called. */
  readonly siteName: string
  readonly baseUrl: string
  readonly identifiers: Identifiers
  /** Where those who run the catalogue can be reached: a URL, also a `mailto:` one. */
  readonly contact: string | undefined
}

export function identify(
  { items, now, knowsDeletions }: CurrentItems,
  { siteName, baseUrl, identifiers, contact }: Identity,
): string {
  const [earliest] = items(everything)
  return nested(
    'Identify',
    element('repositoryName', siteName),
    element('baseURL', baseUrl),
    element('protocolVersion', '2.0'),
    element('adminEmail', adminEmail(contact, identifiers.host)),
    element('earliestDatestamp', formatTime(earliest?.date ?? now)),
    element('deletedRecord', knowsDeletions ? 'persistent' : 'transient'),
    element('granularity', 'YYYY-MM-DDThh:mm:ssZ'),
    element('compression', 'gzip'),
    ...describeIdentifiers(identifiers.host, identifiers.ofKey('zines/example')),
  )
}

const everything = {
  set: undefined,
  kinds: new Set(resourceNames),
  from: 0,
  before: Infinity,
}

/**
 * An address is demanded, so without one it is the one that every domain has to have (RFC 2142).
 */
function adminEmail(contact: string | undefined, host: string): string {
  if (contact?.startsWith('mailto:')) return contact.slice('mailto:'.length)
  return `postmaster@${host.includes('.') ? host : `${host}.invalid`}`
}

/** The guidelines for identifiers know hosts with a dot only. */
function describeIdentifiers(host: string, example: string): readonly string[] {
  if (!/^[a-z][a-z\d-]*(?:\.[a-z][a-z\d-]+)+$/i.test(host)) return []
  const namespace = 'http://www.openarchives.org/OAI/2.0/oai-identifier'
  return [
    '<description>',
    `<oai-identifier xmlns="${namespace}" xsi:schemaLocation="${namespace} ${namespace}.xsd">`,
    element('scheme', 'oai'),
    element('repositoryIdentifier', host),
    element('delimiter', ':'),
    element('sampleIdentifier', example),
    '</oai-identifier>',
    '</description>',
  ]
}
