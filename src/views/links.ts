// The addresses of pages: those of the API, and those of the pages for editing under /manage/.

import { message } from '../message.js'
import { type ResourceName, resourceNames } from '../model/iris.js'
import { geographyNames, vocabularyNames } from '../model/declarations/read-files.js'
import type { Vocabulary } from '../model/vocabulary.js'
import { encodeSegment } from '../rdf/terms.js'
import { kindTexts } from './kind-texts.js'

export type Parameters = Readonly<Record<string, string>>

/** The address of a list with these query parameters, without the empty ones. */
export function listPath(name: ResourceName, parameters: Parameters = {}): string {
  const parts = Object.entries(parameters).flatMap(([parameter, value]) =>
    value === '' ? [] : `${encodeParameter(parameter)}=${encodeParameter(value)}`,
  )
  return parts.length === 0 ? `/api/${name}/` : `/api/${name}/?${parts.join('&')}`
}

/**
 * The address of a file with a whole list: everything that the query finds, on whichever page it
 * is.
 */
export const exportPath = (
  name: ResourceName,
  query: string,
  format: string,
  items?: string,
): string => createExportPaths(name, query)(format, items)

/** The same for many formats. */
export function createExportPaths(
  name: ResourceName,
  query: string,
): (format: string, items?: string) => string {
  const addressOf = createAddresses(`/api/export/${name}/`, query)
  return (format, items) => {
    const wholeList = { page: undefined, page_size: undefined, view: undefined }
    return addressOf({ ...wholeList, ...downloadIn(format), items })
  }
}

/**
 * The parameters of a file that people download. CSV is safe to open in a spreadsheet (`?safe=1`).
 */
export const downloadIn = (format: string): Readonly<Record<string, string | undefined>> => ({
  format,
  ...(format === 'csv' ? { safe: '1' } : {}),
})

export const recordPath = (name: ResourceName, id: string): string =>
  `/api/${name}/${encodeSegment(id)}/`

/** The address of the citations of a record. */
export const citationsPath = (name: ResourceName, id: string): string =>
  `${recordPath(name, id)}citations/`

/** The address of a vocabulary, or of one of its entries. */
export function entryPath({ name }: Pick<Vocabulary, 'name'>, code?: string): string {
  const isGeography = (geographyNames as readonly string[]).includes(name)
  const list = `/api/${isGeography ? 'geography' : 'vocabularies'}/${name}/`
  return code === undefined ? list : `${list}${encodeSegment(code)}/`
}

/** Whether a vocabulary is served as a list, with a page for each of its entries. */
export const isServed = ({ name }: Pick<Vocabulary, 'name'>): boolean => servedNames.has(name)

const servedNames: ReadonlySet<string> = new Set([...vocabularyNames, ...geographyNames])

/** The address of the vocabulary's concept scheme. */
export const schemePath = (vocabulary: Pick<Vocabulary, 'name'>): string =>
  entryPath(vocabulary).replace(/^\/api(.*)\/$/, '$1')

export const placesPath = '/api/geography/places/'

export const placePath = (id: number): string => `${placesPath}${id}/`

export const seriesListPath = '/series'

export const seriesPath = (slug: string, parameters: Parameters = {}): string =>
  withQuery(`${seriesListPath}/${encodeSegment(slug)}`, new URLSearchParams(parameters))

export const homePath = '/api/'
export const aboutPath = '/about'
export const privacyPath = '/about/privacy'

/** The feed of what waits for somebody. */
export const taskFeedRoute = '/feeds/tasks'

/** The value of a parameter is in no log. */
export const taskFeedPath = (token: string): string =>
  withQuery(taskFeedRoute, new URLSearchParams({ token }))

/** The search of the whole catalogue. */
export const searchPath = (q = ''): string => withQuery('/api/search/', new URLSearchParams({ q }))

/** The lists that editors make. */
export const listsPath = '/api/lists/'
export const listRoute = `${listsPath}:list/`
export const listHistoryRoute = `${listRoute}history/`
export const listVersionRoute = `${listHistoryRoute}:version/`
export const listForgettingRoute = `${listRoute}forget/`
export const deletedListsPath = '/api/deleted-lists/'
export const listThingRoute = '/id/lists/:list'
export const listBookletRoute = '/booklet/:list'
export const listBookletPath = (slug: string): string => fillRoute(listBookletRoute, slug)
export const curatedListPath = (slug: string): string => `${listsPath}${slug}/`

export const explorePath = '/explore'
export const makersPath = '/makers'
export const mapPath = '/map'

export const bookletPath = '/booklet'
/** The list that a reader keeps in the browser alone. */
export const myListPath = '/my-list'
export const randomPath = '/random'
export const schemaPath = '/api/schema/swagger-ui/'
export const descriptionPath = '/api/schema/'
export const sparqlPath = '/sparql'
export const queriesPath = '/queries/'
export const queryPath = (name: string): string => queriesPath + encodeSegment(name)

/** The form with which anybody asks for a change of a record. */
export const requestRoute = '/requests/new'

/** @param parameters further parameters of the address */
export const requestPath = (kind: ResourceName, id: string, parameters: Parameters = {}): string =>
  withQuery(requestRoute, new URLSearchParams({ kind, id, ...parameters }))

/** The routes of the pages for editing; a part that starts with `:` is a parameter. */
export const editingRoutes = {
  login: '/manage/login',
  logout: '/manage/logout',
  account: '/manage/account',
  accounts: '/manage/accounts',
  service: '/manage/service',
  newQuery: '/manage/queries/new',
  editQuery: '/manage/queries/edit/:id',
  accountOf: '/manage/accounts/:name',
  invitation: '/manage/invitation',
  firstRun: '/manage/first-run',
  welcome: '/manage/welcome',
  newList: '/manage/lists/new',
  list: '/manage/lists/edit/:list',
  listHistory: '/manage/lists/history/:list',
  addToList: '/manage/lists/add',
  changeRequests: '/manage/requests',
  changeRequest: '/manage/requests/:number',
  create: (name: ResourceName): string => `/manage/${name}/new`,
  lookUp: '/manage/zines/look-up',
  edit: (name: ResourceName): string => `/manage/${name}/edit/:id`,
  remove: (name: ResourceName): string => `/manage/${name}/remove/:id`,
  visibility: (name: ResourceName): string => `/manage/${name}/visibility/:id`,
  history: (name: ResourceName): string => `/manage/${name}/history/:id`,
  deleted: '/manage/deleted',
  duplicates: '/manage/duplicates',
  merge: (name: ResourceName): string => `/manage/${name}/merge/:id`,
  unmerge: (name: ResourceName): string => `/manage/${name}/unmerge/:id`,
  rename: (name: ResourceName): string => `/manage/${name}/rename/:id`,
  removeName: (name: ResourceName): string => `/manage/${name}/remove-name/:id`,
  batchEdit: (name: ResourceName): string => `/manage/batch/${name}`,
  pictures: (name: ResourceName): string => `/manage/${name}/pictures/:id`,
  pictureImage: '/manage/pictures/:picture/:size',
  worklists: '/manage/worklists',
  hidden: '/manage/hidden',
  inventory: '/manage/inventory',
  batches: '/manage/batches',
  batch: '/manage/batches/:id',
  imports: '/manage/imports',
  importOf: '/manage/imports/:id',
  importStep: (step: ImportStep): string => `/manage/imports/:id/${step}`,
  importProfile: '/manage/imports/:id/profile',
  importReport: '/manage/imports/:id/report',
} as const

/** The steps of an import, in their order. */
export const importSteps = ['file', 'fields', 'names', 'terms', 'preview', 'result'] as const

export type ImportStep = (typeof importSteps)[number]

/** The same routes as links, with the parameters filled in. */
export const editingLinks = {
  ...editingRoutes,
  accountOf: (name: string): string => fillRoute(editingRoutes.accountOf, name),
  /** The form of a new query, which begins as another one where it is named. */
  newQuery: (like?: string): string => withParameters(editingRoutes.newQuery, '', { like }),
  /** The form of a query; with a former version, it begins as that one. */
  editQuery: (name: string, version?: number): string =>
    withParameters(fillRoute(editingRoutes.editQuery, name), '', { version: version?.toString() }),
  /** The address that an invitation is accepted at. The value of a parameter is in no log. */
  invitation: (key: string): string => withParameters(editingRoutes.invitation, '', { key }),
  /** The form of the first account; with the key, the link that the start prints. */
  firstRun: (key?: string): string => withParameters(editingRoutes.firstRun, '', { key }),
  list: (slug: string): string => fillRoute(editingRoutes.list, slug),
  listHistory: (slug: string): string => fillRoute(editingRoutes.listHistory, slug),
  addToList: (kind?: ResourceName, id?: string): string =>
    withParameters(editingRoutes.addToList, '', { kind, id }),
  changeRequests: (page = 1): string =>
    withParameters(editingRoutes.changeRequests, '', { page: page > 1 ? String(page) : undefined }),
  changeRequest: (number: number): string => fillRoute(editingRoutes.changeRequest, String(number)),
  /** The form of a new record that begins with the values of this one. */
  similar: (name: ResourceName, id: string): string =>
    withParameters(editingRoutes.create(name), '', { like: id }),
  /**
   * The form of a new zine that begins with a record of another catalogue, which a search for the
   * text found.
   */
  takeOver: (catalogue: string, record: string, q: string): string =>
    withParameters(editingRoutes.create('zines'), '', { catalogue, record, q }),
  addHolding: (zine: string): string =>
    withParameters(editingRoutes.create('holdings'), '', { zine_id: zine }),
  edit: (name: ResourceName, id: string): string => fillRoute(editingRoutes.edit(name), id),
  remove: (name: ResourceName, id: string): string => fillRoute(editingRoutes.remove(name), id),
  visibility: (name: ResourceName, id: string): string =>
    fillRoute(editingRoutes.visibility(name), id),
  history: (name: ResourceName, id: string): string => fillRoute(editingRoutes.history(name), id),
  merge: (name: ResourceName, id: string): string => fillRoute(editingRoutes.merge(name), id),
  unmerge: (name: ResourceName, id: string): string => fillRoute(editingRoutes.unmerge(name), id),
  rename: (name: ResourceName, id: string): string => fillRoute(editingRoutes.rename(name), id),
  removeName: (name: ResourceName, id: string): string =>
    fillRoute(editingRoutes.removeName(name), id),
  pictures: (name: ResourceName, id: string): string => fillRoute(editingRoutes.pictures(name), id),
  pictureImage: (picture: string, size: string): string => `/manage/pictures/${picture}/${size}`,
  batch: (id: string, parameters: Parameters = {}): string =>
    withQuery(fillRoute(editingRoutes.batch, id), new URLSearchParams(parameters)),
  importOf: (id: string): string => fillRoute(editingRoutes.importOf, id),
  importStep: (id: string, step: ImportStep, parameters: Parameters = {}): string =>
    withQuery(`${fillRoute(editingRoutes.importOf, id)}/${step}`, new URLSearchParams(parameters)),
  importProfile: (id: string): string => `${fillRoute(editingRoutes.importOf, id)}/profile`,
  importReport: (id: string): string => `${fillRoute(editingRoutes.importOf, id)}/report`,
} as const

function fillRoute(route: string, value: string): string {
  return route.replace(/:\w+$/, () => encodeSegment(value))
}

/** The noun for so many records of a resource: `1 copy`, `2 copies`. */
export const nounFor = (name: ResourceName, count = 1): string =>
  kindTexts[name].noun[count === 1 ? 'one' : 'other']

/** What the list of a resource is called, in English. */
export const resourceTitle = (name: ResourceName): string => kindTexts[name].title

export type NavigationSection = readonly [path: string, title: string]

/** The links of the navigation, on every page. */
export const navigation: readonly NavigationSection[] = [
  ...resourceNames.map((name) => [listPath(name), resourceTitle(name)] as const),
  [seriesListPath, message('Series')],
  ['/api/vocabularies/', message('Vocabularies')],
  [explorePath, message('Explore')],
  [sparqlPath, 'SPARQL'],
  [schemaPath, 'API'],
]

/** The address with some query parameters changed; those set to undefined are removed. */
export function withParameters(
  path: string,
  query: string,
  changes: Readonly<Record<string, string | undefined>>,
): string {
  const parameters = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes))
    if (value === undefined) parameters.delete(name)
    else parameters.set(name, value)
  return withQuery(path, parameters)
}

/** The host of an address, to call it by; a text that is no address stays as it is. */
export const hostOf = (address: string): string =>
  URL.canParse(address) ? new URL(address).host : address

/** The query of an address without some of its parameters. */
export const queryWithout = (query: string, ...names: readonly string[]): string =>
  withParameters('', query, Object.fromEntries(names.map((name) => [name, undefined]))).slice(1)

/**
 * Makes many addresses that each change a few query parameters of one address: those of
 * `withParameters`, but what they have in common is written once.
 */
export function createAddresses(
  path: string,
  query: string,
): (changes: Readonly<Record<string, string | undefined>>) => string {
  const present = new URLSearchParams(query)
  /** The address without some parameters, by their names. */
  const commonParts = new Map<string, string>()

  function without(names: readonly string[]): string {
    const key = names.join('&')
    const known = commonParts.get(key)
    if (known !== undefined) return known
    const parts = withParameters(path, query, Object.fromEntries(names.map((name) => [name, ''])))
    commonParts.set(key, parts)
    return parts
  }

  return (changes) => {
    const names = Object.keys(changes)
    const added = names.filter((name) => changes[name])
    // One that is there already keeps its place.
    if (added.some((name) => present.has(name))) return withParameters(path, query, changes)
    const common = without(names)
    if (added.length === 0) return common
    const parts = added.map(
      (name) => `${encodeParameter(name)}=${encodeParameter(changes[name] ?? '')}`,
    )
    return `${common}${common.includes('?') ? '&' : '?'}${parts.join('&')}`
  }
}

/** A name or a value of a parameter as URLSearchParams writes it. */
const encodeParameter = (value: string): string =>
  /^[\w.*-]*$/.test(value) ? value : new URLSearchParams([['', value]]).toString().slice(1)

function withQuery(path: string, parameters: URLSearchParams): string {
  for (const [name, value] of [...parameters]) if (value === '') parameters.delete(name)
  const query = parameters.toString()
  return query === '' ? path : `${path}?${query}`
}

/** A name such as `agent-kinds` as a title: `Agent kinds`. */
export function titleCase(name: string): string {
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
