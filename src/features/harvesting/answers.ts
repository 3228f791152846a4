// Writes the XML of OAI-PMH: the envelope of all answers, headers of items, and resumption tokens.

import type { HarvestItem } from './items/item-table.js'
import { escapeAttribute, escapeText } from '../../rdf/xml.js'
import type { OaiError } from './errors.js'
import type { ResumptionToken } from './resumption-token.js'

const namespace = 'http://www.openarchives.org/OAI/2.0/'

export type Envelope = {
  /** In microseconds. */
  readonly responseDate: number
  readonly baseUrl: string
  /** The arguments of the request; none for one that could not be understood. */
  readonly attributes: Readonly<Record<string, string>>
  /** The content, as XML. */
  readonly content: string
}

export const writeAnswer = ({ responseDate, baseUrl, attributes, content }: Envelope): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<OAI-PMH xmlns="${namespace}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${namespace} ${namespace}OAI-PMH.xsd">`,
    element('responseDate', formatTime(responseDate)),
    element('request', baseUrl, attributes),
    content,
    '</OAI-PMH>\n',
  ].join('\n')

export const writeError = ({ code, message }: OaiError): string =>
  element('error', message, { code })

export const element = (
  name: string,
  text: string,
  attributes: Readonly<Record<string, string>> = {},
): string => `<${name}${attributesText(attributes)}>${escapeText(text)}</${name}>`

/** An element with elements in it. */
export const nested = (name: string, ...content: readonly string[]): string =>
  `<${name}>\n${content.join('\n')}\n</${name}>`

const attributesText = (attributes: Readonly<Record<string, string>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`)
    .join('')

/** @param identifier of the item */
export const writeHeader = ({ date, sets, isGone }: HarvestItem, identifier: string): string =>
  [
    isGone ? '<header status="deleted">' : '<header>',
    element('identifier', identifier),
    element('datestamp', formatTime(date)),
    ...sets.map((set) => element('setSpec', set)),
    '</header>',
  ].join('\n')

/** The token of the next page; without one, what ends a list of several pages. */
export const writeToken = (
  token: ResumptionToken | undefined,
  { size, cursor }: { readonly size: number; readonly cursor: number },
): string =>
  element('resumptionToken', token?.text ?? '', {
    ...(token ? { expirationDate: formatTime(token.expires * 1000) } : {}),
    completeListSize: String(size),
    cursor: String(cursor),
  })

/** Times are told in seconds, and microseconds are cut. */
export const formatTime = (microseconds: number): string =>
  `${new Date(Math.floor(microseconds / 1000)).toISOString().slice(0, 19)}Z`
