// Which addresses of the service a copy has, and in which file each is. Names of files are such as
// every file system takes, also one that does not tell capitals from small letters.

import { posix } from 'node:path'

/**
 * Addresses that are pages of the service, and mean nothing without it. The list of all places of the
 * world is left out too: a copy has those that its records name.
 */
const needService = [
  '/*/citations/',
  '/*/similar/',
  '/api/geography/places/$',
  '/api/schema/',
  '/explore',
  '/iiif/*/manifest.json$',
  '/iiif/images/*/info.json$',
  '/opensearch.xml',
  '/random',
  '/robots.txt',
  '/sitemap',
  '/sparql',
]

/** The parameters of addresses that show more of the same page. */
const pageParameters: ReadonlySet<string> = new Set(['page', 'letter'])

/** What the search of a copy can be asked for. */
const searchParameters = ['q', 'subject', 'genre', 'decade', 'repository'] as const

/** Filters of zines that have a page of their own. */
const pagesOfFilters: Readonly<Record<string, string>> = {
  creator: '/api/agents/',
  place: '/api/geography/places/',
}

/** The files of whole lists, by the path of their address. */
const dataEndings: ReadonlyMap<string, string> = new Map([
  ['json', 'json.gz'],
  ['jsonl', 'jsonl.gz'],
  ['csv', 'csv'],
])

export const dataFormats = [...dataEndings.keys()]

/** The file of all records of a kind; programs read compressed files, and spreadsheets do not. */
export const dataFileOf = (kind: string, format: string): string =>
  `data/${kind}.${dataEndings.get(format) ?? format}`

export const searchFile = 'search.html'

export class CopyAddresses {
  readonly #base: URL
  readonly #isLeftOut: (path: string) => boolean
  readonly #onNew: (copied: { readonly address: string; readonly file: string }) => void
  /** The file of each address that was asked for. */
  readonly #files = new Map<string, string>()
  readonly #taken = new Set<string>()
  /** The targets of links that lead to the same from every page: most are on many pages. */
  readonly #targets = new Map<string, string | undefined>()
  #areAllPlacesKnown = false

  /**
   * @param base the address of the service
   * @param robots its robots.txt, which says what need not be asked for
   * @param onNew called once for each address that the copy has
   */
  constructor(
    base: string,
    robots: string,
    onNew: (copied: { readonly address: string; readonly file: string }) => void,
  ) {
    this.#base = new URL(base)
    this.#onNew = onNew
    const patterns = [...robots.matchAll(/^Disallow: (\S+)$/gm)]
      .map(([, pattern = '']) => this.#withoutBase(pattern))
      .filter((pattern) => pattern !== '/*?')
    const leftOut = [...patterns, ...needService]
    this.#isLeftOut = (path) => leftOut.some((pattern) => fits(path, pattern))
  }

  /**
   * The file that a link leads to, with its query or fragment; undefined where the copy has nothing
   * there. Of an address elsewhere it is the address.
   */
  targetOf(href: string, from: string): string | undefined {
    if (href.startsWith('#')) return href
    const isAbsolute = /^\/(?!\/)/.test(href)
    if (isAbsolute && this.#targets.has(href)) return this.#targets.get(href)
    const target = this.#targetFrom(href, from)
    if (isAbsolute) this.#targets.set(href, target)
    return target
  }

  #targetFrom(href: string, from: string): string | undefined {
    if (!URL.canParse(href, new URL(from, this.#base))) return undefined
    const url = new URL(href, new URL(from, this.#base))
    if (url.host !== this.#base.host)
      return /^(?:https?|mailto):$/.test(url.protocol) ? href : undefined
    return this.#ownTarget(this.#withoutBase(url.pathname), url)
  }

  /** From now on no other place is in the copy: links to others lead nowhere. */
  closePlaces(): void {
    this.#areAllPlacesKnown = true
    this.#targets.clear()
  }

  /** The file of an address of the service, which has no parameters but those of pages. */
  fileOf(address: string): string {
    const known = this.#files.get(address)
    if (known !== undefined) return known
    const file = this.#newFile(address)
    this.#files.set(address, file)
    this.#onNew({ address, file })
    return file
  }

  #ownTarget(pathname: string, url: URL): string | undefined {
    // The IRI of a thing leads to its record.
    const path = pathname.replace(/^\/id(\/[a-z]+\/[^/]+)$/, '/api$1/')
    const parameters = new URLSearchParams(url.search)
    parameters.delete('lang')
    parameters.delete('v')
    const names = [...parameters.keys()]
    const data = this.#dataFile(path, parameters)
    if (data !== undefined) return data
    if (path === '/api/search/' || (path === '/api/zines/' && names.length > 0)) {
      const [name = ''] = names
      const page = pagesOfFilters[name]
      if (page !== undefined && names.length === 1)
        return this.#pageOf(`${page}${encodeURIComponent(parameters.get(name) ?? '')}/`)
      const isSearch = names.every((key) => (searchParameters as readonly string[]).includes(key))
      if (isSearch) return `${searchFile}${names.length > 0 ? `?${parameters.toString()}` : ''}`
    }
    if (this.#isLeftOut(path) || !names.every((key) => pageParameters.has(key))) return undefined
    if (parameters.get('page') === '1') parameters.delete('page')
    parameters.sort()
    const query = parameters.toString()
    const page = this.#pageOf(`${path}${query === '' ? '' : `?${query}`}`)
    return page === undefined ? undefined : page + url.hash
  }

  #pageOf(address: string): string | undefined {
    const isLeftOut = this.#areAllPlacesKnown && isPlace(address) && !this.#files.has(address)
    return isLeftOut ? undefined : this.fileOf(address)
  }

  #dataFile(path: string, parameters: URLSearchParams): string | undefined {
    if (path.startsWith('/dumps/')) return `data/${posix.basename(path).replace('.nt.', '.nq.')}`
    const [, kind] = /^\/api\/export\/([a-z]+)\/$/.exec(path) ?? []
    const format = parameters.get('format') ?? ''
    const isWhole = [...parameters.keys()].every((name) => ['format', 'safe'].includes(name))
    return kind !== undefined && isWhole && dataEndings.has(format)
      ? dataFileOf(kind, format)
      : undefined
  }

  #withoutBase(path: string): string {
    const prefix = this.#base.pathname.replace(/\/$/, '')
    return prefix !== '' && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path
  }

  #newFile(address: string): string {
    const [path = '', query = ''] = address.split('?')
    const image = imageFileOf(path)
    if (image !== undefined) return image
    const segments = path
      .replace(/^\/api(?=\/)/, '')
      .split('/')
      .filter(Boolean)
      .map(toFileName)
    const last = segments.at(-1) ?? 'index'
    const [, name = last, extension = '.html'] = isFile(path) ? splitName(last) : ['', last]
    const parameters = [...new URLSearchParams(query)].map(([key, value]) => `.${key}-${value}`)
    const folder = segments
      .slice(0, -1)
      .map((segment) => `${segment}/`)
      .join('')
    for (let number = 1; ; number += 1) {
      const suffix = number === 1 ? '' : `~${number}`
      const file = `${folder}${name}${parameters.map(toFileName).join('')}${suffix}${extension}`
      if (this.#taken.has(file.toLowerCase())) continue
      this.#taken.add(file.toLowerCase())
      return file
    }
  }
}

export const isPlace = (address: string): boolean => address.startsWith('/api/geography/places/')

/** Fonts, the logo and the like, whose addresses end in the ending of a file. */
const isFile = (path: string): boolean => /^\/(?:assets\/.*|logo)\.\w{2,5}$/.test(path)

/** The file of an image, whose address (IIIF Image API) names the same file for all of them. */
function imageFileOf(path: string): string | undefined {
  const [, id, size = ''] =
    /^\/iiif\/images\/([0-9a-f]{20})\/full\/(max|\d+,\d+)\/0\/default\.jpg$/.exec(path) ?? []
  if (id === undefined) return undefined
  return `pictures/${id}${size === 'max' ? '' : `-${size.replace(',', 'x')}`}.jpg`
}

const splitName = (name: string): readonly string[] => /^(.*)(\.\w+)$/.exec(name) ?? ['', name, '']

/** The names that Windows keeps for devices. */
const deviceNames = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

function toFileName(segment: string): string {
  const plain = decodeURIComponent(segment)
    .replace(/[^\w.-]/g, '_')
    .replace(/^\.(?=\.*$)|\.+$/g, '_')
    .slice(0, 120)
  return plain.replace(deviceNames, '$&_')
}

/**
 * Whether a path fits a pattern of robots.txt (RFC 9309, 2.2.3): its beginning, with `*` for anything,
 * as little as can be, and `$` for its end.
 */
function fits(path: string, pattern: string): boolean {
  const isWhole = pattern.endsWith('$')
  const [beginning = '', ...parts] = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(beginning)) return false
  let end = beginning.length
  for (const part of parts) {
    const start = path.indexOf(part, end)
    if (start < 0) return false
    end = start + part.length
  }
  return !isWhole || end === path.length
}

/** The address of one file of the copy, as another one links to it. */
export function relativeTo(from: string, target: string): string {
  if (target.startsWith('#') || /^[a-z]+:/i.test(target)) return target
  const [, file = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(target) ?? []
  const path = posix.relative(posix.dirname(from), file)
  // A name such as `a:b` would be read as an address elsewhere; no name has such a sign.
  return (path === '' ? posix.basename(file) : path) + rest
}
