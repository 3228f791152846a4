// Where the pages are: the same addresses as the API's, and the desk's.

import { type ResourceName, resourceNames } from '../model/iris.js'
import { geographyNames, vocabularyNames } from '../model/declarations/read-files.js'
import type { Vocabulary } from '../model/vocabulary.js'
import { encodeSegment } from '../rdf/terms.js'

export type Parameters = Readonly<Record<string, string>>

/** A list with these parameters; those without a value are left out. */
export function listPath(name: ResourceName, parameters: Parameters = {}): string {
  return withQuery(`/api/${name}/`, new URLSearchParams(parameters))
}

export const recordPath = (name: ResourceName, id: string): string =>
  `/api/${name}/${encodeSegment(id)}/`

/** The page of a vocabulary, or of one of its entries. */
export function entryPath({ name }: Pick<Vocabulary, 'name'>, code?: string): string {
  const isGeography = (geographyNames as readonly string[]).includes(name)
  const list = `/api/${isGeography ? 'geography' : 'vocabularies'}/${name}/`
  return code === undefined ? list : `${list}${encodeSegment(code)}/`
}

/** Whether a vocabulary is served as a list, with a page for each of its entries. */
export const isServed = ({ name }: Pick<Vocabulary, 'name'>): boolean => served.has(name)

const served: ReadonlySet<string> = new Set([...vocabularyNames, ...geographyNames])

/** The concept scheme as a document. */
export const schemePath = (vocabulary: Pick<Vocabulary, 'name'>): string =>
  entryPath(vocabulary).replace(/^\/api(.*)\/$/, '$1')

export const placesPath = '/api/geography/places/'

export const placePath = (id: number): string => `${placesPath}${id}/`

export const homePath = '/api/'
export const schemaPath = '/api/schema/swagger-ui/'
export const descriptionPath = '/api/schema/'
export const sparqlPath = '/sparql'

/** The pages on which people write, which no client of the API needs; `:` marks what is told of one thing. */
export const editingRoutes = {
  login: '/manage/login',
  logout: '/manage/logout',
  account: '/manage/account',
  accounts: '/manage/accounts',
  accountOf: '/manage/accounts/:name',
  create: (name: ResourceName): string => `/manage/${name}/new`,
  edit: (name: ResourceName): string => `/manage/${name}/edit/:id`,
  remove: (name: ResourceName): string => `/manage/${name}/remove/:id`,
} as const

/** The same as links, to one thing where a page is of one. */
export const editingLinks = {
  ...editingRoutes,
  accountOf: (name: string): string => leadTo(editingRoutes.accountOf, name),
  edit: (name: ResourceName, id: string): string => leadTo(editingRoutes.edit(name), id),
  remove: (name: ResourceName, id: string): string => leadTo(editingRoutes.remove(name), id),
} as const

function leadTo(route: string, one: string): string {
  return route.replace(/:\w+$/, () => encodeSegment(one))
}

export type NavigationSection = readonly [path: string, title: string]

/** The parts of the catalogue, as every page names them. */
export const navigation: readonly NavigationSection[] = [
  ...resourceNames.map((name) => [listPath(name), titleCase(name)] as const),
  ['/api/vocabularies/', 'Vocabularies'],
  [sparqlPath, 'SPARQL'],
  [schemaPath, 'API'],
]

/** The address with other values of some parameters; one that is given no value is left out. */
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

function withQuery(path: string, parameters: URLSearchParams): string {
  for (const [name, value] of [...parameters]) if (value === '') parameters.delete(name)
  const query = parameters.toString()
  return query === '' ? path : `${path}?${query}`
}

export function titleCase(name: string): string {
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
