// Every address of the service, with who may do what there: a row for each, written by hand, so that a new
// address has to be decided upon. rights.test.ts holds the service to the rows, and the rows to the service;
// other tests walk over them to see everything that there is to be seen.

import { geographyNames, vocabularyNames } from '../../src/model/declarations/read-files.js'
import { PASSWORD, type Ask } from '../service.js'
import { listPath, recordPath, resources, type Resource } from '../http/catalogue.js'

type Name = Resource['name']

export const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** OPTIONS and HEAD follow from the others. */
export type Method = Exclude<(typeof methods)[number], 'HEAD' | 'OPTIONS'>

export type Role =
  | 'nobody'
  | 'a wrong token'
  | 'a disabled account'
  | 'viewer'
  | 'editor'
  | 'admin'
  | `editor of ${Name}`

export const roles: readonly Role[] = [
  'nobody',
  'a wrong token',
  'a disabled account',
  'viewer',
  'editor',
  ...resources.map(({ name }) => `editor of ${name}` as const),
  'admin',
]

/** The status that each role is answered with. */
export type Decision = (role: Role) => number

/** A method at an address: who may use it, and what is sent, where something has to be. */
export type Use = { readonly who: Decision; readonly send?: Ask }

export type Route = {
  /** As the router writes it. */
  readonly path: string
  /** An address that it answers, of a record that every test has. */
  readonly at: string
  readonly uses: Partial<Record<Method, Use>>
  /** What is written here: a test makes a record of its own to write. */
  readonly writes?: Resource
  /** Whether it asks for no account; where none is needed even to be told that a method is not allowed. */
  readonly open?: true
  /** What other methods are answered with, where that is not the rule. */
  readonly otherwise?: (method: string) => Decision
  /**
   * Where a session counts, which is on pages alone: who may use a method in a browser that is signed in,
   * with a form of ours where one is sent. Everywhere else whoever is signed in is nobody.
   */
  readonly inBrowser?: Partial<Record<Method, Decision>>
}

/** Who has a session: a key that is nobody's is none, and that of a disabled account is none any more. */
export const isSignedIn = (role: Role): boolean =>
  !['nobody', 'a wrong token', 'a disabled account'].includes(role)

/** Whoever is not who they say is told so before anything else. */
const unlessUnknown =
  (decide: Decision): Decision =>
  (role) =>
    role === 'a wrong token' || role === 'a disabled account' ? 401 : decide(role)

/** Anybody. */
export const all = (status = 200): Decision => unlessUnknown(() => status)

/** Administrators, and editors of this resource. */
const writersOf = (name: Name, status: number): Decision =>
  unlessUnknown((role) => {
    if (role === 'nobody') return 401
    return isWriterOf(name)(role) ? status : 403
  })

const isWriterOf =
  (name: Name) =>
  (role: Role): boolean =>
    ['admin', 'editor', `editor of ${name}`].includes(role)

const isAdmin = (role: Role): boolean => role === 'admin'

/** Where a method is not allowed, writers are told so; others are told that they are none. */
export const notAllowed = ({ open, writes, otherwise }: Route, method: string): Decision => {
  if (otherwise) return otherwise(method)
  // To read is nobody's privilege, so nobody is asked for a token to be told that there is nothing to read.
  if (open || method === 'GET' || method === 'HEAD') return all(405)
  if (writes) return writersOf(writes.name, 405)
  return unlessUnknown((role) => (role === 'nobody' ? 401 : role === 'viewer' ? 403 : 405))
}

const read: Route['uses'] = { GET: { who: all() } }

const reading = (path: string, at = path): Route => ({ path, at, uses: read })

/** The identifiers of the records that the tests have from the start. */
const known: Readonly<Record<Name, string>> = {
  zines: 'zine',
  agents: 'maker',
  repositories: 'library',
  holdings: 'copy',
}

// prettier-ignore
const codes: Readonly<Record<string, string>> = {
  subjects: 'punk', genres: 'perzine', 'agent-kinds': 'Person', 'agent-roles': 'creator', 'repository-kinds': 'archive',
  'access-status': 'restricted', 'rights-status': 'unknown', formats: 'mini', countries: 'US', languages: 'en',
}

/** A form that no page of ours has sent, as others would have a browser send it. */
const forged: Ask = {
  raw: 'username=viewer&title=x',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
}

/**
 * A page of the desk: no token opens it, and no form that did not come from there is taken.
 * @param may who may be there
 * @param taken the status of a form that is: a page, or the way to another one
 */
const room = (path: string, may: (role: Role) => boolean, taken: 200 | 303, at = path): Route => ({
  path,
  at,
  open: true,
  uses: { GET: { who: all(303) }, POST: { who: all(403), send: forged } },
  inBrowser: {
    GET: (role) => (!isSignedIn(role) ? 303 : may(role) ? 200 : 403),
    POST: (role) => (may(role) ? taken : 403),
  },
})

const query = 'SELECT * { ?s ?p ?o } LIMIT 2000'

export const routes: readonly Route[] = [
  reading('/api/'),
  {
    path: '/api/auth/token/',
    at: '/api/auth/token/',
    open: true,
    uses: { POST: { who: all(), send: { body: { username: 'viewer', password: PASSWORD } } } },
    // It takes no forms.
    inBrowser: { POST: () => 415 },
  },
  ...resources.flatMap((resource): Route[] => {
    const { name } = resource
    return [
      {
        path: listPath(name),
        at: listPath(name),
        writes: resource,
        uses: { ...read, POST: { who: writersOf(name, 201) } },
      },
      {
        path: `/api/${name}/:id/`,
        at: recordPath(name, known[name]),
        writes: resource,
        uses: {
          ...read,
          PUT: { who: writersOf(name, 200) },
          PATCH: { who: writersOf(name, 200) },
          DELETE: { who: writersOf(name, 204) },
        },
      },
      {
        ...reading(`/api/${name}/export/`),
        // What is written there is a record of that name, and there is none.
        otherwise: (method) =>
          writersOf(name, ['PUT', 'PATCH', 'DELETE'].includes(method) ? 404 : 405),
      },
      reading(`/api/export/${name}/`),
      {
        path: `/id/${name}/:id`,
        at: `/id/${name}/${known[name]}`,
        uses: { GET: { who: all(303) } },
      },
    ]
  }),
  reading('/api/vocabularies/'),
  reading('/api/geography/'),
  ...vocabularyNames.flatMap((name) => [
    reading(`/api/vocabularies/${name}/`),
    reading(`/api/vocabularies/${name}/:code/`, `/api/vocabularies/${name}/${codes[name]}/`),
    reading(`/vocabularies/${name}`),
  ]),
  reading('/vocabularies/repository-status'),
  ...geographyNames.flatMap((name) => [
    reading(`/api/geography/${name}/`),
    reading(`/api/geography/${name}/:code/`, `/api/geography/${name}/${codes[name]}/`),
    reading(`/geography/${name}`),
  ]),
  reading('/api/geography/places/'),
  reading('/api/geography/places/:geoname_id/', '/api/geography/places/2950159/'),
  reading('/api/schema/'),
  // It is a page and nothing else, so a session counts for whatever is asked of it.
  { ...reading('/api/schema/swagger-ui/'), inBrowser: {} },
  reading('/api/context.jsonld'),
  { path: '/', at: '/', uses: { GET: { who: all(302) } } },
  reading('/ns'),
  reading('/dataset'),
  reading('/dumps/catalogue.nt.gz'),
  reading('/dumps/catalogue.ttl.gz'),
  reading('/.well-known/sparql-examples'),
  {
    path: '/manage/login',
    at: '/manage/login',
    open: true,
    uses: { GET: { who: all() }, POST: { who: all(403), send: forged } },
    inBrowser: { GET: (role) => (isSignedIn(role) ? 303 : 200), POST: () => 303 },
  },
  {
    path: '/manage/logout',
    at: '/manage/logout',
    open: true,
    uses: { POST: { who: all(403), send: forged } },
    inBrowser: { POST: () => 303 },
  },
  room('/manage/account', isSignedIn, 200),
  room('/manage/accounts', isAdmin, 200),
  room('/manage/accounts/:name', isAdmin, 200, '/manage/accounts/viewer'),
  ...resources.flatMap(({ name }) => {
    const may = isWriterOf(name)
    return [
      room(`/manage/${name}/new`, may, 303),
      room(`/manage/${name}/edit/:id`, may, 303, `/manage/${name}/edit/${known[name]}`),
      room(`/manage/${name}/remove/:id`, may, 303, `/manage/${name}/remove/${known[name]}`),
    ]
  }),
  {
    path: '/sparql',
    at: '/sparql',
    open: true,
    uses: {
      GET: { who: all() },
      POST: {
        who: all(),
        send: { raw: query, headers: { 'content-type': 'application/sparql-query' } },
      },
    },
  },
]
