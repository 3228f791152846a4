// Writes a copy of the catalogue that needs no server: what an anonymous visitor of the service gets, as
// files. It asks the service for every page of its sitemap and every page that these link to, as far as
// robots.txt lets it, so a new kind of page is in the copy once the sitemap has it. It reads no data but
// the answers of the service, so nothing that is hidden or private can get in.

import { type Translator } from '../../messages/translator.js'
import type { ResourceName } from '../../model/iris.js'
import type { Vocabulary } from '../../model/vocabulary.js'
import { CopyAddresses, isPlace, relativeTo, searchFile } from './copy-addresses.js'
import { CopyFolder, type FolderChanges } from './copy-folder.js'
import { type Line, copyLists, copyPictures, copyRecords, copyTerms } from './copied-data.js'
import { type CopiedPage, copyFeed, copyPage, copyStyle } from './copied-page.js'
import { filterChoices, indexedZines } from './copied-search.js'
import { searchIndexFiles } from './search-index.js'
import { renderSearch } from './search-page.js'
import { type ServiceAnswer, createServiceClient } from './service-client.js'

export type CopySource = {
  /** Where the service answers. */
  readonly origin: string
  /** The base of its addresses and IRIs. */
  readonly base: string
  readonly directory: string
  /** Gives the pages their language. */
  readonly translator: Translator
  readonly vocabularies: Vocabularies
  /** The vocabularies as the package has them. */
  readonly shipped: Vocabularies
  /** Called with the number of pages that are done. */
  readonly onProgress: (done: number) => void
}

type Vocabularies = Readonly<Record<'subjects' | 'genres', Vocabulary>>

/** So many requests are open: the two threads wait for each other as seldom as can be. */
const concurrency = 16

/** Writes the copy, or brings it up to date. @throws ExpectedError */
export const publish = (source: CopySource): Promise<FolderChanges> =>
  new Publisher(source, CopyFolder.open(source.directory)).run()

class Publisher {
  readonly #source: CopySource
  readonly #folder: CopyFolder
  readonly #service: ReturnType<typeof createServiceClient>
  readonly #queue: { readonly address: string; readonly file: string }[] = []
  /** Pages of places, which wait until it is known which places the copy has. */
  readonly #places: CopiedPage[] = []
  /** The addresses of records with pictures. */
  readonly #pictured: string[] = []
  #done = 0

  constructor(source: CopySource, folder: CopyFolder) {
    this.#source = source
    this.#folder = folder
    const { origin, base, translator } = source
    this.#service = createServiceClient({
      origin,
      base,
      language: translator.language,
      maxSockets: concurrency,
    })
  }

  async run(): Promise<FolderChanges> {
    const { vocabularies, shipped } = this.#source
    const { ask, close } = this.#service
    const folder = this.#folder
    try {
      const robots = (await ask('/robots.txt', 'text/plain')).body.toString()
      const addresses = new CopyAddresses(this.#source.base, robots, (copied) =>
        this.#queue.push(copied),
      )
      addresses.fileOf('/api/')
      for (const address of await this.#sitemap()) addresses.targetOf(address, '/')
      await this.#copyAll(addresses)
      addresses.closePlaces()
      for (const page of this.#places) folder.write(page.file, copyPage(page))
      const lines = await copyRecords({ ask, folder })
      await copyPictures({ ask, folder, addresses }, this.#pictured)
      await copyLists({ ask, folder })
      copyTerms(folder, vocabularies, shipped)
      await this.#copyFeeds(addresses, [...lines.keys()])
      await this.#copySearch(addresses, lines)
      // Pictures, the search and the places have files that no other page has.
      await this.#copyAll(addresses)
      return folder.finish()
    } finally {
      close()
    }
  }

  /** The addresses of all pages. */
  async #sitemap(): Promise<readonly string[]> {
    const { ask } = this.#service
    const pages: string[] = []
    for (const part of locationsIn(await ask('/sitemap.xml', 'application/xml')))
      pages.push(...locationsIn(await ask(new URL(part).pathname, 'application/xml')))
    return pages
  }

  async #copyAll(addresses: CopyAddresses): Promise<void> {
    const copyNext = async (): Promise<void> => {
      for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
        await this.#copy(next, addresses)
        this.#done += 1
        this.#source.onProgress(this.#done)
      }
    }
    // While one is copied that is the only one known, others may turn up.
    while (this.#queue.length > 0) await Promise.all(Array.from({ length: concurrency }, copyNext))
  }

  async #copy(
    { address, file }: { readonly address: string; readonly file: string },
    addresses: CopyAddresses,
  ): Promise<void> {
    const { type, location, body } = await this.#service.ask(address, 'text/html, */*;q=0.5')
    const copied = { address, file, addresses }
    if (location !== '') {
      const target = addresses.targetOf(location, address) ?? '/api/'
      this.#folder.write(file, redirectTo(relativeTo(file, target)))
    } else if (type.startsWith('text/html')) this.#copyPage({ text: body.toString(), ...copied })
    else if (type.startsWith('text/css'))
      this.#folder.write(file, copyStyle(body.toString(), copied))
    else this.#folder.write(file, body)
  }

  #copyPage(page: CopiedPage): void {
    const { text, address, file, addresses } = page
    // Further pages of what belongs to a record show its pictures again.
    if (hasPictures(text) && !address.includes('?')) this.#pictured.push(address)
    if (isPlace(address)) {
      placesAbove(text).forEach((place) => addresses.targetOf(place, address))
      this.#places.push(page)
    } else this.#folder.write(file, copyPage(page))
  }

  async #copyFeeds(addresses: CopyAddresses, names: readonly ResourceName[]): Promise<void> {
    for (const name of names) {
      const address = `/api/${name}/?format=atom`
      const file = `feeds/${name}.atom`
      const { body } = await this.#service.ask(address, 'application/atom+xml')
      this.#folder.write(file, copyFeed(body.toString(), { address, file, addresses }))
    }
  }

  async #copySearch(
    addresses: CopyAddresses,
    lines: ReadonlyMap<ResourceName, readonly Line[]>,
  ): Promise<void> {
    const { translator, vocabularies } = this.#source
    const source = { lines, translator, vocabularies }
    const zines = indexedZines(source, addresses)
    for (const { file, content } of searchIndexFiles(zines)) this.#folder.write(file, content)
    const text = (await this.#service.ask('/api/search/', 'text/html')).body.toString()
    const main = renderSearch(translator, {
      filters: () => filterChoices(source, zines),
      script: addresses.fileOf('/assets/copy-search.js'),
      listFile: addresses.fileOf('/api/zines/'),
    })
    const page = { text, address: '/api/search/', file: searchFile, addresses }
    this.#folder.write(searchFile, copyPage(page, main))
  }
}

/** Whether a page of a record shows pictures (features/pictures/picture-views.tsx). */
const hasPictures = (text: string): boolean => text.includes('<figure class="shown')

/** The addresses of the places that a page of a place names, but for those within it. */
const placesAbove = (text: string): readonly string[] =>
  [
    ...text
      .replace(/<section class="places-within">.*?<\/section>/s, '')
      .matchAll(/href="([^"]*\/api\/geography\/places\/\d+\/)/g),
  ].map(([, address = '']) => address)

const locationsIn = ({ body }: ServiceAnswer): readonly string[] =>
  [...body.toString().matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, location = '']) =>
    location.replaceAll('&amp;', '&'),
  )

/** What an address was moved to. */
const redirectTo = (href: string): string => {
  const escaped = href.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped}</title><meta http-equiv="refresh" content="0; url=${escaped}"></head><body><a href="${escaped}">${escaped}</a></body></html>`
}
