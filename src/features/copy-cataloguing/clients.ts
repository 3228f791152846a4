// Asks other catalogues for records of zines: another service of this kind in JSON, SRU with
// MARCXML, OAI-PMH by identifier. How requests are made is left to other-catalogues.ts.

import { message } from '../../message.js'
import type { XmlRecord } from '../../lib/sources/marc/xml-records.js'
import { readXmlAnswer } from '../../lib/sources/xml-answer.js'
import type { Resources } from '../../model/resources.js'
import type { NamedCatalogue } from './catalogues-file.js'
import { type DescribedZine, describeJson, describeRows } from './described-zine.js'
import { OutgoingRequestError } from '../../lib/outgoing/errors.js'

/** A record of another catalogue. */
export type OtherRecord = {
  /** By which the catalogue is asked for it. */
  readonly id: string
  /** Where it can be read. */
  readonly address: string
  readonly described: DescribedZine
}

type CatalogueClient = {
  /** The first records that are found by words of the title, or by an identifier. */
  search(text: string): Promise<readonly OtherRecord[]>
  /** A record that a search for the text found; undefined if it is not there any more. */
  find(id: string, text: string): Promise<OtherRecord | undefined>
}

/** Gets an address. @throws OutgoingRequestError, OutgoingRequestError */
export type Get = (url: URL, accept: string) => Promise<Buffer>

type CreateClient = (catalogue: NamedCatalogue, get: Get, resources: Resources) => CatalogueClient

/** How many records a search shows. */
const maxFound = 10

export const clients: Readonly<Record<NamedCatalogue['type'], CreateClient>> = {
  service: createServiceClient,
  sru: createSruClient,
  'oai-pmh': createOaiClient,
}

function createServiceClient(
  { url }: NamedCatalogue,
  get: Get,
  resources: Resources,
): CatalogueClient {
  const list = `${url.replace(/\/+$/, '')}/api/zines/`
  const readJson = async (address: URL): Promise<unknown> =>
    parseJson(await get(address, 'application/json'))

  function toRecord(value: unknown): readonly OtherRecord[] {
    const members = membersOf(value)
    const id = members.get(resources.zines.id.name)
    if (typeof id !== 'string' || id === '') return []
    return [{ id, address: addressOf(id).href, described: describeJson(members, resources) }]
  }
  const addressOf = (id: string): URL => new URL(`${list}${encodeURIComponent(id)}/`)

  return {
    async search(text) {
      const answer = membersOf(
        // Every service of this kind has `search`; one without an index of lists has no `q`.
        await readJson(withParameters(list, { search: text, page_size: String(maxFound) })),
      )
      const results = answer.get('results')
      if (!Array.isArray(results)) throw unreadable()
      return results.slice(0, maxFound).flatMap(toRecord)
    },
    async find(id) {
      return toRecord(await readJson(addressOf(id)))[0]
    },
  }
}

function createSruClient(
  { url, index = 'dc.title', schema = 'marcxml', record: addresses }: NamedCatalogue,
  get: Get,
  resources: Resources,
): CatalogueClient {
  async function search(text: string): Promise<readonly OtherRecord[]> {
    const query = `${index} all "${text.replace(/["\\]/g, '\\$&')}"`
    const address = withParameters(url, {
      version: '1.1',
      operation: 'searchRetrieve',
      query,
      recordSchema: schema,
      recordPacking: 'xml',
      maximumRecords: String(maxFound),
    })
    const { records, answer } = await readXmlAnswer(await get(address, xml))
    if (answer.diagnostic !== undefined) throw new OutgoingRequestError(answer.diagnostic)
    if (answer.numberOfRecords === undefined) throw unreadable()
    return describe(records.slice(0, maxFound), resources, ({ fields }, position) => {
      const id = fields.find(({ name }) => name === '001')?.parts[0]?.text ?? String(position)
      const request = withParameters(address.href, {
        startRecord: String(position),
        maximumRecords: '1',
      })
      return { id, address: addresses?.replaceAll('{id}', encodeURIComponent(id)) ?? request.href }
    })
  }
  return {
    search,
    // Not every server can search for the number of a record.
    find: async (id, text) => (await search(text)).find((record) => record.id === id),
  }
}

function createOaiClient(
  { url, prefix = 'oai_dc' }: NamedCatalogue,
  get: Get,
  resources: Resources,
): CatalogueClient {
  async function find(identifier: string): Promise<OtherRecord | undefined> {
    const address = withParameters(url, { verb: 'GetRecord', metadataPrefix: prefix, identifier })
    const { records, answer } = await readXmlAnswer(await get(address, xml))
    if (answer.error?.code === 'idDoesNotExist') return undefined
    if (answer.error) throw new OutgoingRequestError(`${answer.error.code} ${answer.error.message}`)
    if (answer.responseDate === undefined) throw unreadable()
    const [record] = describe(records, resources, () => ({
      id: identifier,
      address: address.href,
    }))
    return record
  }
  return {
    find,
    // Identifiers of OAI-PMH are URIs, and nothing else can be asked for.
    search: async (text) =>
      /^[a-z][a-z0-9+.-]*:\S+$/i.test(text)
        ? [await find(text)].filter((record) => record !== undefined)
        : [],
  }
}

/** Records without those that were deleted, that are broken, and that have no title. */
function describe(
  records: readonly XmlRecord[],
  resources: Resources,
  name: (record: XmlRecord, position: number) => Pick<OtherRecord, 'id' | 'address'>,
): readonly OtherRecord[] {
  const rows = records.map((record, index) => ({ ...record, number: index + 1 }))
  if (rows.length > 0 && rows.every(({ problem }) => problem !== undefined)) throw unreadable()
  const isMarc = rows.some(({ fields }) => fields.some((field) => field.name === '245'))
  const described = describeRows(rows, isMarc ? 'marcxml' : 'oai-pmh', resources)
  return rows.flatMap((row, index) => {
    const zine = described[index]
    const isUsable =
      row.problem === undefined && row.remarks.every(({ kind }) => kind !== 'deleted')
    return zine?.zine.title && isUsable ? [{ ...name(row, row.number), described: zine }] : []
  })
}

const xml = 'text/xml, application/xml'

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    throw unreadable()
  }
}

const membersOf = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(typeof value === 'object' && value !== null ? Object.entries(value) : [])

function withParameters(base: string, parameters: Readonly<Record<string, string>>): URL {
  const url = new URL(base)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url
}

const unreadable = (): OutgoingRequestError =>
  new OutgoingRequestError(message('The answer of the catalogue cannot be read.'))
