// Requests of OAI-PMH for tests, and what is in the answers.

import type { TestService } from '../../service.js'

export type Header = {
  readonly identifier: string
  readonly datestamp: string
  readonly sets: readonly string[]
  readonly isDeleted: boolean
}

type Asker = Pick<TestService, 'get'>

/** The XML of the answer to a request with these arguments. */
export async function ask(service: Asker, query: string): Promise<string> {
  const { status, text } = await service.get(`/oai?${query}`)
  if (status !== 200) throw new Error(`${status} ${text}`)
  return text
}

export const headersIn = (xml: string): Header[] =>
  [...xml.matchAll(/<header([^>]*)>(.*?)<\/header>/gs)].map(([, attributes = '', header = '']) => ({
    identifier: elementsIn(header, 'identifier')[0] ?? '',
    datestamp: elementsIn(header, 'datestamp')[0] ?? '',
    sets: elementsIn(header, 'setSpec'),
    isDeleted: attributes.includes('deleted'),
  }))

export const elementsIn = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`, 'g'))].map(
    ([, text = '']) => text,
  )

/** The code of the error; undefined for an answer without one. */
export const errorIn = (xml: string): string | undefined => /<error code="(\w+)"/.exec(xml)?.[1]

export const tokenIn = (xml: string): string | undefined => elementsIn(xml, 'resumptionToken')[0]

export const withToken = (verb: string, token: string): string =>
  `verb=${verb}&resumptionToken=${encodeURIComponent(token)}`

/** The answers of a whole harvest. */
export async function harvestPages(
  service: Asker,
  query: string,
  verb = 'ListIdentifiers',
): Promise<string[]> {
  const pages = [await ask(service, `verb=${verb}&${query}`)]
  for (;;) {
    const token = tokenIn(pages.at(-1) ?? '')
    if (token === undefined || token === '') return pages
    pages.push(await ask(service, withToken(verb, token)))
  }
}

/** The headers of a whole harvest, by identifier. */
export const harvestHeaders = async (service: Asker, query = 'metadataPrefix=oai_dc') =>
  (await harvestPages(service, query)).flatMap(headersIn)
