// Writes a copy of the catalogue that needs no server: what an anonymous visitor of the service gets, as
// files. It asks the service for every page of its sitemap and every page that these link to, as far as
// robots.txt lets it, so a new kind of page is in the copy once the sitemap has it. It reads no data but
// the answers of the service, so nothing that is hidden or private can get in.

import { Agent, get } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

import { type Translator } from '../../messages/translator.js'
import { labelOfCode } from '../../messages/labels.js'
import { type ResourceName, resourceNames } from '../../model/iris.js'
import { yearsOfAll } from '../../model/dates.js'
import { type Vocabulary, otherLabelsOf } from '../../model/vocabulary.js'
import {
  CopyAddresses,
  dataFileOf,
  dataFormats,
  isPlace,
  relativeTo,
  searchFile,
} from './copy-addresses.js'
import { CopyFolder, type FolderChanges } from './copy-folder.js'
import { type CopiedPage, copyFeed, copyPage, copyStyle } from './copied-page.js'
import { type IndexedZine, searchIndexFiles } from './search-index.js'
import { type FilterChoices, renderSearch } from './search-page.js'

export type CopySource = {
  /** Where the service answers. */
  readonly origin: string
  /** The base of its addresses and IRIs. */
  readonly base: string
  readonly directory: string
  /** Gives the pages their language. */
  readonly translator: Translator
  readonly vocabularies: Readonly<Record<'subjects' | 'genres', Vocabulary>>
  /** Called with the number of files that are done and of those that are known. */
  readonly onProgress: (done: number, total: number) => void
}

type Answer = {
  readonly status: number
  readonly type: string
  readonly location: string
  readonly body: Buffer
}

/** So many requests wait for an answer: while one is made, the last one is written. */
const concurrency = 4

const compress = promisify(gzip)

/** Writes the copy, or brings it up to date. @throws ExpectedError */
export const publish = async (source: CopySource): Promise<FolderChanges> =>
  new Publisher(source, await CopyFolder.open(source.directory)).run()

class Publisher {
  readonly #source: CopySource
  readonly #folder: CopyFolder
  readonly #agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  readonly #queue: { readonly address: string; readonly file: string }[] = []
  /** Pages of places, which wait until it is known which places the copy has. */
  readonly #places: CopiedPage[] = []
  readonly #lines = new Map<ResourceName, readonly Line[]>()

  constructor(source: CopySource, folder: CopyFolder) {
    this.#source = source
    this.#folder = folder
  }

  async run(): Promise<FolderChanges> {
    try {
      const robots = (await this.#ask('/robots.txt', 'text/plain')).body.toString()
      const addresses = new CopyAddresses(this.#source.base, robots, (copied) =>
        this.#queue.push(copied),
      )
      addresses.fileOf('/api/')
      for (const address of await this.#sitemap()) addresses.targetOf(address, '/')
      await this.#copyAll(addresses)
      addresses.closePlaces()
      for (const page of this.#places) await this.#folder.write(page.file, copyPage(page))
      await this.#copyData()
      await this.#copyFeeds(addresses)
      await this.#copySearch(addresses)
      // The search and the places have files that no other page has.
      await this.#copyAll(addresses)
      return await this.#folder.finish()
    } finally {
      this.#agent.destroy()
    }
  }

  /** The addresses of all pages. */
  async #sitemap(): Promise<readonly string[]> {
    const parts = locationsIn(await this.#ask('/sitemap.xml', 'application/xml'))
    const pages: string[] = []
    for (const part of parts)
      pages.push(...locationsIn(await this.#ask(this.#pathOf(part), 'application/xml')))
    return pages
  }

  readonly #pathOf = (address: string): string => new URL(address).pathname

  async #copyAll(addresses: CopyAddresses): Promise<void> {
    let done = 0
    const copyNext = async (): Promise<void> => {
      for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
        await this.#copy(next, addresses)
        done += 1
        this.#source.onProgress(done, done + this.#queue.length)
      }
    }
    // While one is copied that is the only one known, others may turn up.
    while (this.#queue.length > 0) await Promise.all(Array.from({ length: concurrency }, copyNext))
  }

  async #copy(
    { address, file }: { readonly address: string; readonly file: string },
    addresses: CopyAddresses,
  ): Promise<void> {
    const { type, location, body } = await this.#ask(address, 'text/html, */*;q=0.5')
    const copied = { address, file, addresses }
    if (location !== '') {
      const target = addresses.targetOf(location, address) ?? '/api/'
      await this.#folder.write(file, redirectTo(relativeTo(file, target)))
    } else if (isPlace(address) && type.startsWith('text/html')) {
      const page = { text: body.toString(), ...copied }
      placesAbove(page.text).forEach((place) => addresses.targetOf(place, address))
      this.#places.push(page)
    } else if (type.startsWith('text/html'))
      await this.#folder.write(file, copyPage({ text: body.toString(), ...copied }))
    else if (type.startsWith('text/css'))
      await this.#folder.write(file, copyStyle(body.toString(), copied))
    else await this.#folder.write(file, body)
  }

  async #copyData(): Promise<void> {
    for (const name of resourceNames)
      for (const format of dataFormats) {
        const { body } = await this.#ask(`/api/export/${name}/?format=${format}`, '*/*')
        const file = dataFileOf(name, format)
        await this.#folder.write(file, file.endsWith('.gz') ? await compress(body) : body)
        if (format === 'jsonl') this.#lines.set(name, readLines(body))
      }
    const turtle = await this.#ask('/dumps/catalogue.ttl.gz', '*/*')
    await this.#folder.write('data/catalogue.ttl.gz', turtle.body)
    // N-Triples are N-Quads of the default graph.
    const triples = await this.#ask('/dumps/catalogue.nt.gz', '*/*')
    await this.#folder.write('data/catalogue.nq.gz', triples.body)
  }

  async #copyFeeds(addresses: CopyAddresses): Promise<void> {
    for (const name of resourceNames) {
      const address = `/api/${name}/?format=atom`
      const file = `feeds/${name}.atom`
      const xml = (await this.#ask(address, 'application/atom+xml')).body.toString()
      await this.#folder.write(file, copyFeed(xml, { address, file, addresses }))
    }
  }

  async #copySearch(addresses: CopyAddresses): Promise<void> {
    const { translator } = this.#source
    const zines = this.#zines(addresses)
    for (const { file, content } of searchIndexFiles(zines)) await this.#folder.write(file, content)
    const text = (await this.#ask('/api/search/', 'text/html')).body.toString()
    const main = renderSearch(translator, {
      filters: () => this.#filters(zines),
      script: addresses.fileOf('/assets/copy-search.js'),
      listFile: addresses.fileOf('/api/zines/'),
    })
    const page = { text, address: '/api/search/', file: searchFile, addresses }
    await this.#folder.write(searchFile, copyPage(page, main))
  }

  #zines(addresses: CopyAddresses): readonly IndexedZine[] {
    const agents = new Map(this.#linesOf('agents').map((line) => [textOf(line.agent_id), line]))
    const libraries = new Map<string, Set<string>>()
    for (const line of this.#linesOf('holdings')) {
      const id = textOf(line.zine_id)
      libraries.set(id, (libraries.get(id) ?? new Set()).add(textOf(line.repository_id)))
    }
    const { subjects } = this.#source.vocabularies
    const subjectTexts = new Map(
      subjects.entries.map((entry) => [
        entry.code,
        [entry.code, entry.label, ...otherLabelsOf(subjects, entry)],
      ]),
    )
    const zines = this.#linesOf('zines').map((line): IndexedZine => {
      const id = textOf(line.zine_id)
      const makers = textsOf(line.creator).map((agent) => agents.get(agent) ?? {})
      const decades = yearsOfAll(textsOf(line.date))?.named.map(
        (year) => Math.floor(Number(year) / 10) * 10,
      )
      return {
        href: addresses.fileOf(`/api/zines/${encodeURIComponent(id)}/`),
        title: [textOf(line.title), textOf(line.issue_designation)].filter(Boolean).join(', '),
        line: [
          makers.map((maker) => textOf(maker.display_name)).join(', '),
          textsOf(line.date).join(', '),
        ]
          .filter(Boolean)
          .join(' · '),
        texts: [
          textOf(line.title),
          ...makers.flatMap((maker) => makerNames.flatMap((name) => textsOf(maker[name]))),
          ...textsOf(line.subject).flatMap((code) => subjectTexts.get(code) ?? [code]),
        ],
        filters: [
          ...textsOf(line.subject).map((code) => `subject=${code}`),
          ...textsOf(line.genre).map((code) => `genre=${code}`),
          ...new Set(decades?.map((decade) => `decade=${decade}`)),
          ...[...(libraries.get(id) ?? [])].map((library) => `repository=${library}`),
        ],
      }
    })
    const { compare } = new Intl.Collator(this.#source.translator.language, { numeric: true })
    return zines.sort((a, b) => compare(a.title, b.title) || (a.href < b.href ? -1 : 1))
  }

  #filters(zines: readonly IndexedZine[]): readonly FilterChoices[] {
    const { translator, vocabularies } = this.#source
    const libraries = new Map(
      this.#linesOf('repositories').map((line) => [
        textOf(line.repo_id),
        textOf(line.repository_name),
      ]),
    )
    const used = [...new Set(zines.flatMap(({ filters }) => filters))]
    const filters: readonly [string, string, (code: string) => string][] = [
      [
        'subject',
        translator.t('Subject'),
        (code) => labelOfCode(translator, vocabularies.subjects, code),
      ],
      [
        'genre',
        translator.t('Genre'),
        (code) => labelOfCode(translator, vocabularies.genres, code),
      ],
      ['decade', translator.t('Decade'), (code) => code],
      ['repository', translator.t('Library'), (code) => libraries.get(code) ?? code],
    ]
    const { compare } = new Intl.Collator(translator.language)
    return filters.map(([name, label, labelOf]) => ({
      name,
      label,
      options: used
        .filter((value) => value.startsWith(`${name}=`))
        .map((value) => value.slice(name.length + 1))
        .map((code) => [code, labelOf(code)] as const)
        .sort(([, a], [, b]) => compare(a, b)),
    }))
  }

  readonly #linesOf = (name: ResourceName): readonly Line[] => this.#lines.get(name) ?? []

  #ask(path: string, accept: string): Promise<Answer> {
    const { origin, base, translator } = this.#source
    const prefix = new URL(base).pathname.replace(/\/$/, '')
    const headers = {
      accept,
      host: new URL(base).host,
      'accept-language': translator.language,
      'accept-encoding': 'identity',
    }
    const url = origin + (path.startsWith(`${prefix}/`) ? path : prefix + path)
    return new Promise((resolve, reject) => {
      const request = get(url, { agent: this.#agent, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'] ?? '',
            location: response.headers.location ?? '',
            body: Buffer.concat(chunks),
          }),
        )
      })
      request.on('error', reject)
    })
  }
}

/** The public names of a maker, by which zines are found. */
const makerNames = [
  'display_name',
  'alternative_names',
  'legal_name',
  'sort_name',
  'agent_id',
] as const

/** A record as a line of JSON. */
type Line = Readonly<Record<string, unknown>>

const readLines = (body: Buffer): readonly Line[] =>
  body
    .toString()
    .split('\n')
    .filter(Boolean)
    // A cast: the service writes an object in each line.
    .map((line) => JSON.parse(line) as Line)

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const textsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? (value as readonly unknown[]) : [value]).map(textOf).filter(Boolean)

/** The addresses of the places that a page of a place names, but for those within it. */
const placesAbove = (text: string): readonly string[] =>
  [
    ...text
      .replace(/<section class="places-within">.*?<\/section>/s, '')
      .matchAll(/href="([^"]*\/api\/geography\/places\/\d+\/)/g),
  ].map(([, address = '']) => address)

const locationsIn = ({ body }: Answer): readonly string[] =>
  [...body.toString().matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, location = '']) =>
    location.replaceAll('&amp;', '&'),
  )

/** What an address was moved to. */
const redirectTo = (href: string): string => {
  const escaped = href.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped}</title><meta http-equiv="refresh" content="0; url=${escaped}"></head><body><a href="${escaped}">${escaped}</a></body></html>`
}
