// A row for each endpoint of the service with the status of each method for each role. It is written by
// hand, so that a new endpoint needs a decision. rights.test.ts compares it with the service; other tests
// use it to request everything that there is.

import { geographyNames, vocabularyNames } from '../../src/model/declarations/read-files.js'
import { seriesOf } from '../../src/model/series.js'
import { importSteps } from '../../src/views/links.js'
import { zine } from '../examples.js'
import { PASSWORD, type Ask } from '../service.js'
import { listPath, recordPath, resourceOf, resources, type Resource } from '../http/catalogue.js'

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

/** The status of the response for each role. */
export type Decision = (role: Role) => number

/** A method of an endpoint: the statuses, and what is sent if something has to be. */
type Use = { readonly who: Decision; readonly send?: Ask }

export type Route = {
  /** In the router's form. */
  readonly path: string
  /** A path that the endpoint answers, of a record that every test has. */
  readonly at: string
  readonly uses: Partial<Record<Method, Use>>
  /** The resource that is written here. */
  readonly writes?: Resource
  /** Whether no account is needed, not even for the answer that a method is not allowed. */
  readonly open?: true
  /** The statuses of other methods, if they are not the usual ones. */
  readonly otherwise?: (method: string) => Decision
  /**
   * Only for pages, where sessions count: the statuses in a signed-in browser, with a valid form if one is
   * sent. Everywhere else a signed-in browser has the rights of nobody.
   */
  readonly inBrowser?: Partial<Record<Method, Decision>>
}

/** Whether a role has a session. Unknown keys and those of disabled accounts have none. */
export const isSignedIn = (role: Role): boolean =>
  !['nobody', 'a wrong token', 'a disabled account'].includes(role)

/** Invalid credentials are answered 401 before anything else is checked. */
const unlessInvalid =
  (decide: Decision): Decision =>
  (role) =>
    role === 'a wrong token' || role === 'a disabled account' ? 401 : decide(role)

/** The same status for everybody. */
export const all = (status = 200): Decision => unlessInvalid(() => status)

/** Administrators, and editors of this resource. */
const writersOf = (name: Name, status: number): Decision =>
  unlessInvalid((role) => {
    if (role === 'nobody') return 401
    return isWriterOf(name)(role) ? status : 403
  })

const isWriterOf =
  (name: Name) =>
  (role: Role): boolean =>
    ['admin', 'editor', `editor of ${name}`].includes(role)

/** Editors of records that visitors can ask to change. */
const answersRequests = (role: Role): boolean =>
  (['agents', 'zines'] as const).some((name) => isWriterOf(name)(role))

/** The status of a request about an agent. */
function statusOfRequest(role: Role, successStatus: number): number {
  if (isWriterOf('agents')(role)) return successStatus
  return answersRequests(role) ? 404 : 403
}

const isAdmin = (role: Role): boolean => role === 'admin'

const isWriter = (role: Role): boolean => isSignedIn(role) && role !== 'viewer'

/** Those who may write something. */
const writers = (status: number): Decision =>
  unlessInvalid((role) => (role === 'nobody' ? 401 : isWriter(role) ? status : 403))

/** Those who may write records of every kind. */
const isListEditor = (role: Role): boolean => ['admin', 'editor'].includes(role)

const listEditors = (status: number): Decision =>
  unlessInvalid((role) => (role === 'nobody' ? 401 : isListEditor(role) ? status : 403))

/** Every account. */
const admins = (status: number): Decision =>
  unlessInvalid((role) => (isAdmin(role) ? status : isSignedIn(role) ? 403 : 401))

const accounts = (status = 200): Decision =>
  unlessInvalid((role) => (role === 'nobody' ? 401 : status))

const noLines: Ask = { raw: '', headers: { 'content-type': 'application/x-ndjson' } }

/** The statuses of a method that is not allowed: 405 for writers, 401 or 403 for others. */
export const notAllowed = ({ open, writes, otherwise }: Route, method: string): Decision => {
  if (otherwise) return otherwise(method)
  // Reading needs no account, so 405 for a read needs none either.
  if (open || method === 'GET' || method === 'HEAD') return all(405)
  if (writes) return writersOf(writes.name, 405)
  return unlessInvalid((role) => (role === 'nobody' ? 401 : role === 'viewer' ? 403 : 405))
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
  'access-status': 'restricted', 'rights-status': 'unknown', formats: 'mini', 'content-advice': 'nudity', countries: 'US', languages: 'en',
}

/** A form without a CSRF token, as another site would make a browser send it. */
const forged: Ask = {
  raw: 'username=viewer&title=x',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
}

/**
 * A page for editing: API tokens do not count for it, and forms without a CSRF token are rejected.
 * @param isAllowed whether a role may use the page
 * @param successStatus the status of an accepted form: a page or a redirect
 */
const editingPage = (
  path: string,
  isAllowed: (role: Role) => boolean,
  successStatus: 200 | 303,
  at = path,
): Route => ({
  path,
  at,
  open: true,
  uses: { GET: { who: all(303) }, POST: { who: all(403), send: forged } },
  inBrowser: {
    GET: (role) => (!isSignedIn(role) ? 303 : isAllowed(role) ? 200 : 403),
    POST: (role) => (isAllowed(role) ? successStatus : 403),
  },
})

const query = 'SELECT * { ?s ?p ?o } ORDER BY ?s ?p ?o LIMIT 2000'

export const routes: readonly Route[] = [
  reading('/api/'),
  {
    path: '/api/auth/token/',
    at: '/api/auth/token/',
    open: true,
    uses: { POST: { who: all(), send: { body: { username: 'viewer', password: PASSWORD } } } },
    // Forms are not accepted.
    inBrowser: { POST: () => 415 },
  },
  {
    path: '/api/auth/me/',
    at: '/api/auth/me/',
    uses: { GET: { who: accounts() } },
    // What may be written does not matter here: an account may not use other methods, whatever its role.
    otherwise: () => accounts(405),
  },
  {
    path: '/api/auth/feeds/',
    at: '/api/auth/feeds/',
    uses: {
      GET: { who: writers(200) },
      POST: { who: writers(201), send: { body: { label: 'A reader' } } },
    },
  },
  {
    path: '/api/auth/feeds/:label/',
    at: '/api/auth/feeds/none/',
    uses: { GET: { who: writers(404) }, DELETE: { who: writers(404) } },
  },
  {
    // Whose it is, the token in the address says.
    path: '/feeds/tasks',
    at: '/feeds/tasks?token=none',
    uses: { GET: { who: all(404) } },
  },
  reading('/api/changes/'),
  reading('/api/search/'),
  reading('/explore'),
  { ...reading('/booklet'), inBrowser: {} },
  { ...reading('/my-list'), inBrowser: {} },
  reading('/makers'),
  reading('/map'),
  { path: '/random', at: '/random', uses: { GET: { who: all(303) } } },
  reading('/api/suggest/'),
  reading('/opensearch.xml'),
  {
    ...reading('/api/zines/facets/'),
    // Writes go to a record with the identifier `facets`, which does not exist.
    otherwise: (method) =>
      writersOf('zines', ['PUT', 'PATCH', 'DELETE'].includes(method) ? 404 : 405),
  },
  {
    path: '/api/zines/:id/cover/',
    at: '/api/zines/zine/cover/',
    writes: resourceOf('zines'),
    uses: read,
  },
  {
    path: '/api/zines/:id/similar/',
    at: '/api/zines/zine/similar/',
    writes: resourceOf('zines'),
    uses: read,
  },
  ...(['zines', 'holdings'] as const).flatMap((name): Route[] => {
    const pictures = `${recordPath(name, known[name])}pictures/`
    return [
      {
        path: `/api/${name}/:id/pictures/`,
        at: pictures,
        writes: resourceOf(name),
        uses: {
          ...read,
          POST: {
            who: writersOf(name, 201),
            send: { body: { url: 'https://iiif.example/image', public: true } },
          },
        },
      },
      {
        path: `/api/${name}/:id/pictures/:picture/`,
        at: `${pictures}none/`,
        writes: resourceOf(name),
        uses: {
          GET: { who: all(404) },
          PATCH: { who: writersOf(name, 404), send: { body: {} } },
          DELETE: { who: writersOf(name, 404) },
        },
      },
    ]
  }),
  ...(['zines', 'holdings'] as const).map((name): Route => ({
    path: `/iiif/${name}/:id/manifest.json`,
    at: `/iiif/${name}/${known[name]}/manifest.json`,
    // The records of the tests have no images.
    uses: { GET: { who: all(404) } },
  })),
  ...['', '/info.json', '/full/max/0/default.jpg'].map((part): Route => ({
    path: `/iiif/images/:picture${part.replace('max', ':size')}`,
    at: `/iiif/images/none${part}`,
    uses: { GET: { who: all(404) } },
  })),
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
      ...['merge', 'rename'].map((action) => ({
        path: `/api/${name}/:id/${action}/`,
        at: `${recordPath(name, known[name])}${action}/`,
        writes: resource,
        // What is sent names no record and no identifier.
        uses: { POST: { who: writersOf(name, 400), send: { body: {} } } },
      })),
      {
        ...reading(`/api/${name}/export/`),
        // Writes go to a record with the identifier `export`, which does not exist.
        otherwise: (method) =>
          writersOf(name, ['PUT', 'PATCH', 'DELETE'].includes(method) ? 404 : 405),
      },
      reading(`/api/export/${name}/`),
      ...(name === 'zines' || name === 'holdings'
        ? [
            {
              ...reading(
                `/api/${name}/:id/citations/`,
                `${recordPath(name, known[name])}citations/`,
              ),
              writes: resource,
            },
          ]
        : []),
      ...['history/', 'history/:version/'].map((end) => ({
        path: `/api/${name}/:id/${end}`,
        at: recordPath(name, known[name]) + end.replace(':version', '1'),
        writes: resource,
        uses: { GET: { who: writersOf(name, 200) } },
      })),
      ...['restore', 'undo'].map((action) => ({
        path: `/api/${name}/:id/history/:version/${action}/`,
        at: `${recordPath(name, known[name])}history/99/${action}/`,
        writes: resource,
        uses: { POST: { who: writersOf(name, 404) } },
      })),
      {
        path: `/api/${name}/:id/redact/`,
        at: `${recordPath(name, known[name])}redact/`,
        writes: resource,
        // Without a field it is a bad request.
        uses: { POST: { who: (role) => (role === 'admin' ? 400 : writersOf(name, 403)(role)) } },
      },
      {
        path: `/api/${name}/:id/forget/`,
        at: `${recordPath(name, known[name])}forget/`,
        writes: resource,
        // A record that exists is not forgotten.
        uses: { POST: { who: (role) => (role === 'admin' ? 409 : writersOf(name, 403)(role)) } },
      },
      {
        path: `/id/${name}/:id`,
        at: `/id/${name}/${known[name]}`,
        uses: { GET: { who: all(303) } },
      },
    ]
  }),
  {
    path: '/api/deleted/',
    at: '/api/deleted/',
    uses: {
      GET: { who: writers(200) },
    },
  },
  {
    path: '/api/removal-proof/',
    at: '/api/removal-proof/',
    // Without a text it is a bad request.
    uses: { POST: { who: admins(400) } },
  },
  {
    path: '/api/batches/',
    at: '/api/batches/',
    uses: { GET: { who: writers(200) }, POST: { who: writers(400), send: noLines } },
  },
  {
    path: '/api/batches/:batch/',
    at: '/api/batches/none/',
    uses: { GET: { who: writers(404) } },
  },
  {
    path: '/api/batches/:batch/undo/',
    at: '/api/batches/none/undo/',
    uses: { POST: { who: writers(404) } },
    otherwise: () => writers(405),
  },
  {
    path: '/api/imports/',
    at: '/api/imports/',
    uses: {
      GET: { who: writers(200) },
      // An address in a private network, which is refused when it is fetched.
      POST: { who: writers(201), send: { body: { url: 'http://127.0.0.1:9/oai' } } },
    },
  },
  {
    path: '/api/imports/:import/',
    at: '/api/imports/none/',
    uses: {
      GET: { who: writers(404) },
      PATCH: { who: writers(404), send: { body: {} } },
      DELETE: { who: writers(404) },
    },
  },
  ...['source', 'fields', 'shelves', 'names', 'terms', 'issues', 'rows', 'report'].map(
    (part): Route => ({
      path: `/api/imports/:import/${part}/`,
      at: `/api/imports/none/${part}/`,
      uses: { GET: { who: writers(404) } },
    }),
  ),
  {
    path: '/api/imports/:import/preview/',
    at: '/api/imports/none/preview/',
    uses: { GET: { who: writers(404) }, POST: { who: writers(404) } },
  },
  ...['commit', 'undo'].map((action): Route => ({
    path: `/api/imports/:import/${action}/`,
    at: `/api/imports/none/${action}/`,
    uses: { POST: { who: writers(404) } },
    otherwise: () => writers(405),
  })),
  {
    path: '/api/import-profiles/',
    at: '/api/import-profiles/',
    uses: { GET: { who: writers(200) } },
  },
  {
    path: '/api/import-profiles/:profile/',
    at: '/api/import-profiles/none/',
    uses: {
      GET: { who: writers(404) },
      PUT: { who: writers(400), send: { body: {} } },
      DELETE: { who: writers(404) },
    },
  },
  {
    path: '/api/webhooks/',
    at: '/api/webhooks/',
    uses: {
      GET: { who: writers(200) },
      // They are switched off unless a setting says otherwise.
      POST: { who: writers(501), send: { body: { url: 'https://hooks.example/' } } },
    },
  },
  {
    path: '/api/webhooks/:webhook/',
    at: '/api/webhooks/none/',
    uses: { GET: { who: writers(404) }, DELETE: { who: writers(404) } },
  },
  ...['enable', 'disable'].map((action): Route => ({
    path: `/api/webhooks/:webhook/${action}/`,
    at: `/api/webhooks/none/${action}/`,
    uses: { POST: { who: writers(404) } },
    otherwise: () => writers(405),
  })),
  {
    path: '/api/lists/',
    at: '/api/lists/',
    uses: { GET: { who: all() }, POST: { who: listEditors(400), send: { body: {} } } },
  },
  {
    path: '/api/lists/:list/',
    at: '/api/lists/none/',
    uses: {
      GET: { who: all(404) },
      PUT: { who: listEditors(404), send: { body: {} } },
      DELETE: { who: listEditors(404) },
    },
  },
  {
    path: '/api/deleted-lists/',
    at: '/api/deleted-lists/',
    uses: { GET: { who: listEditors(200) } },
  },
  ...['', ':version/'].map((rest): Route => ({
    path: `/api/lists/:list/history/${rest}`,
    at: `/api/lists/none/history/${rest.replace(':version', '1')}`,
    uses: { GET: { who: listEditors(404) } },
  })),
  ...['restore', 'undo'].map((action): Route => ({
    path: `/api/lists/:list/history/:version/${action}/`,
    at: `/api/lists/none/history/1/${action}/`,
    uses: { POST: { who: listEditors(404) } },
  })),
  {
    path: '/api/lists/:list/forget/',
    at: '/api/lists/none/forget/',
    uses: { POST: { who: admins(204) } },
  },
  { path: '/id/lists/:list', at: '/id/lists/none', uses: { GET: { who: all(404) } } },
  {
    path: '/booklet/:list',
    at: '/booklet/none',
    inBrowser: { GET: () => 404 },
    uses: { GET: { who: all(404) } },
  },
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
  reading('/api/documentation/'),
  // It is a page only, so sessions count for every method.
  { ...reading('/api/schema/swagger-ui/'), inBrowser: {} },
  reading('/api/context.jsonld'),
  // It is a page only, and says the same to everybody.
  { ...reading('/about/privacy'), inBrowser: {} },
  { path: '/', at: '/', uses: { GET: { who: all(302) } } },
  reading('/ns'),
  ...resources.map(({ name }) => reading(`/csvw/${name}`, `/csvw/${name}?url=/api/${name}/`)),
  reading('/shapes'),
  reading('/shapes/documents'),
  reading('/sitemap.xml'),
  reading('/sitemaps/:file', '/sitemaps/agents-1.xml'),
  reading('/robots.txt'),
  reading('/activity/'),
  reading('/activity/page/:page', '/activity/page/1'),
  reading('/ldes'),
  reading('/ldes/page/:page', '/ldes/page/1'),
  {
    path: '/oai',
    at: '/oai',
    open: true,
    uses: {
      GET: { who: all() },
      POST: {
        who: all(),
        send: {
          raw: 'verb=Identify',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        },
      },
    },
  },
  reading('/series'),
  reading('/series/:slug', `/series/${String(seriesOf(zine('zine'))[0]?.slug)}`),
  reading('/dataset'),
  reading('/dumps/catalogue.nt.gz'),
  reading('/dumps/catalogue.ttl.gz'),
  reading('/dumps/'),
  ...[
    ...['catalogue.sqlite', 'catalogue-csv.zip', 'ro-crate-metadata.json', 'CITATION.cff'],
    ...['zines.parquet', 'agents.parquet', 'repositories.parquet', 'holdings.parquet'],
  ].map((file): Route => ({
    path: `/dumps/${file}`,
    at: `/dumps/${file}`,
    // The service of these tests has made no release.
    uses: { GET: { who: all(404) } },
  })),
  {
    path: '/dumps/:version/',
    at: '/dumps/2026-11-20-120000/',
    uses: { GET: { who: all(404) } },
  },
  {
    path: '/dumps/:version/:file',
    at: '/dumps/2026-11-20-120000/catalogue.sqlite',
    uses: { GET: { who: all(404) } },
  },
  reading('/.well-known/sparql-examples'),
  { path: '/.well-known/void', at: '/.well-known/void', uses: { GET: { who: all(302) } } },
  { path: '/graphs/public', at: '/graphs/public', uses: { GET: { who: all(303) } } },
  { path: '/graphs/vocabularies', at: '/graphs/vocabularies', uses: { GET: { who: all(303) } } },
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
  {
    path: '/manage/invitation',
    at: '/manage/invitation',
    open: true,
    // Without the key of an invitation there is none.
    uses: { GET: { who: all(404) }, POST: { who: all(403), send: forged } },
    inBrowser: { GET: () => 404, POST: () => 303 },
  },
  {
    path: '/manage/first-run',
    at: '/manage/first-run',
    open: true,
    // There are accounts.
    uses: { GET: { who: all(404) }, POST: { who: all(403), send: forged } },
    inBrowser: { GET: () => 404, POST: () => 404 },
  },
  editingPage('/manage/welcome', isAdmin, 303),
  {
    path: '/requests/new',
    at: '/requests/new?kind=agents&id=maker',
    open: true,
    uses: { GET: { who: all() }, POST: { who: all(403), send: forged } },
    inBrowser: { GET: () => 200, POST: () => 303 },
  },
  {
    path: '/manage/lists/new',
    at: '/manage/lists/new',
    open: true,
    uses: { GET: { who: all(303) }, POST: { who: all(403), send: forged } },
    inBrowser: {
      GET: (role) => (!isSignedIn(role) ? 303 : isListEditor(role) ? 200 : 403),
      POST: (role) => (isListEditor(role) ? 303 : 403),
    },
  },
  {
    path: '/manage/lists/add',
    at: '/manage/lists/add?kind=zines&id=zine',
    open: true,
    uses: { GET: { who: all(303) }, POST: { who: all(403), send: forged } },
    inBrowser: {
      GET: (role) => (!isSignedIn(role) ? 303 : isListEditor(role) ? 200 : 403),
      POST: (role) => (isListEditor(role) ? 200 : 403),
    },
  },
  ...['edit', 'history'].map((page): Route => ({
    path: `/manage/lists/${page}/:list`,
    at: `/manage/lists/${page}/none`,
    open: true,
    uses: { GET: { who: all(303) }, POST: { who: all(403), send: forged } },
    inBrowser: {
      GET: (role) => (!isSignedIn(role) ? 303 : isListEditor(role) ? 404 : 403),
      POST: (role) => (isListEditor(role) ? 404 : 403),
    },
  })),
  {
    path: '/manage/requests',
    at: '/manage/requests',
    open: true,
    uses: { GET: { who: all(303) } },
    inBrowser: { GET: (role) => (!isSignedIn(role) ? 303 : answersRequests(role) ? 200 : 403) },
  },
  {
    // The request is about an agent; for editors of other records it does not exist.
    path: '/manage/requests/:number',
    at: '/manage/requests/1',
    open: true,
    uses: { GET: { who: all(303) }, POST: { who: all(403), send: forged } },
    inBrowser: {
      GET: (role) => (isSignedIn(role) ? statusOfRequest(role, 200) : 303),
      POST: (role) => statusOfRequest(role, 303),
    },
  },
  editingPage('/manage/account', isSignedIn, 200),
  editingPage('/manage/inventory', isWriter, 303),
  ...['/manage/worklists', '/manage/hidden'].map((path): Route => ({
    path,
    at: path,
    open: true,
    uses: { GET: { who: all(303) } },
    inBrowser: { GET: (role) => (!isSignedIn(role) ? 303 : role === 'viewer' ? 403 : 200) },
  })),
  editingPage('/manage/deleted', (role) => isSignedIn(role) && role !== 'viewer', 303),
  editingPage('/manage/service', isAdmin, 303),
  editingPage('/manage/queries/new', isAdmin, 303),
  editingPage('/manage/queries/edit/:id', isAdmin, 303, '/manage/queries/edit/counts'),
  editingPage('/manage/accounts', isAdmin, 200),
  editingPage('/manage/accounts/:name', isAdmin, 200, '/manage/accounts/viewer'),
  {
    path: '/manage/duplicates',
    at: '/manage/duplicates',
    open: true,
    uses: { GET: { who: all(303) } },
    inBrowser: { GET: (role) => (!isSignedIn(role) ? 303 : role === 'viewer' ? 403 : 200) },
  },
  ...resources.flatMap(({ name }) => {
    const isAllowed = isWriterOf(name)
    return [
      ...['merge', 'rename'].map((action) =>
        editingPage(
          `/manage/${name}/${action}/:id`,
          isAllowed,
          303,
          `/manage/${name}/${action}/${known[name]}`,
        ),
      ),
      {
        ...editingPage(
          `/manage/${name}/unmerge/:id`,
          isAllowed,
          303,
          `/manage/${name}/unmerge/${known[name]}`,
        ),
        inBrowser: {
          // The record was not merged.
          GET: (role: Role) => (!isSignedIn(role) ? 303 : isAllowed(role) ? 404 : 403),
          POST: (role: Role) => (isAllowed(role) ? 303 : 403),
        },
      },
      editingPage(`/manage/${name}/new`, isAllowed, 303),
      editingPage(
        `/manage/${name}/edit/:id`,
        isAllowed,
        303,
        `/manage/${name}/edit/${known[name]}`,
      ),
      editingPage(
        `/manage/${name}/history/:id`,
        isAllowed,
        303,
        `/manage/${name}/history/${known[name]}`,
      ),
      editingPage(
        `/manage/${name}/visibility/:id`,
        isAllowed,
        303,
        `/manage/${name}/visibility/${known[name]}`,
      ),
      editingPage(
        `/manage/${name}/remove/:id`,
        isAllowed,
        303,
        `/manage/${name}/remove/${known[name]}`,
      ),
    ]
  }),
  ...(['agents', 'zines'] as const).map((name) =>
    editingPage(
      `/manage/${name}/remove-name/:id`,
      isWriterOf(name),
      200,
      `/manage/${name}/remove-name/${known[name]}`,
    ),
  ),
  ...resources.map(({ name }) => editingPage(`/manage/batch/${name}`, isWriterOf(name), 303)),
  ...(['zines', 'holdings'] as const).map((name): Route => ({
    ...editingPage(
      `/manage/${name}/pictures/:id`,
      isWriterOf(name),
      303,
      `/manage/${name}/pictures/${known[name]}`,
    ),
  })),
  {
    path: '/manage/pictures/:picture/:size',
    at: '/manage/pictures/none/300,400',
    open: true,
    uses: { GET: { who: all(404) } },
    inBrowser: { GET: () => 404 },
  },
  editingPage('/manage/batches', isWriter, 200),
  {
    ...editingPage('/manage/batches/:id', isWriter, 303, '/manage/batches/none'),
    inBrowser: {
      GET: (role) => (!isSignedIn(role) ? 303 : isWriter(role) ? 404 : 403),
      // The batch of the test has zines.
      POST: (role) => (isWriterOf('zines')(role) ? 303 : 403),
    },
  },
  editingPage('/manage/imports', isWriter, 303),
  ...['', ...importSteps.map((step) => `/${step}`)].map((part): Route => ({
    ...editingPage(`/manage/imports/:id${part}`, isWriter, 303, `/manage/imports/none${part}`),
    inBrowser: {
      GET: (role) => (!isSignedIn(role) ? 303 : isWriter(role) ? 404 : 403),
      // The import of the test is another account's, whose rows may have what only staff sees of any kind.
      POST: (role) =>
        resources.every(({ name }) => isWriterOf(name)(role)) ? 303 : isWriter(role) ? 404 : 403,
    },
  })),
  ...['profile', 'report'].map((part): Route => ({
    path: `/manage/imports/:id/${part}`,
    at: `/manage/imports/none/${part}`,
    open: true,
    uses: { GET: { who: all(303) } },
    inBrowser: { GET: (role) => (!isSignedIn(role) ? 303 : isWriter(role) ? 404 : 403) },
  })),
  {
    path: '/reconcile',
    at: '/reconcile',
    open: true,
    uses: {
      GET: { who: all() },
      POST: {
        who: all(),
        send: {
          raw: `queries=${encodeURIComponent('{"q0":{"query":"maker"}}')}`,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        },
      },
    },
  },
  ...['entity', 'property', 'type'].map((what) =>
    reading(`/reconcile/suggest/${what}`, `/reconcile/suggest/${what}?prefix=m`),
  ),
  reading('/reconcile/properties', '/reconcile/properties?type=agents'),
  {
    path: '/reconcile/view',
    at: '/reconcile/view?id=agents%2Fmaker',
    uses: { GET: { who: all(303) } },
  },
  // It is a page, but says the same to everybody.
  { ...reading('/reconcile/preview', '/reconcile/preview?id=agents%2Fmaker'), inBrowser: {} },
  reading('/queries/'),
  reading('/queries/:id', '/queries/counts'),
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
