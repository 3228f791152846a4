// Which files may import which: between the top folders, the root files and the parts of each folder.
// Imports form no circles. The names of exports are checked by names.test.ts.

import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'

import { expect } from 'chai'
import ts from 'typescript'

type Allowed = Readonly<Record<string, readonly string[]>>

/**
 * What each top folder and root file of src/ may import, besides itself: imports go down.
 * docs/explanation/architecture.md, "Layers", says what each is for. app/ and main.ts connect the
 * others and may import everything.
 */
const allowedInSource: Allowed = {
  commands: [
    'features',
    'catalogue',
    'accounts',
    'branding',
    'model',
    'store',
    'rdf',
    'lib',
    'config',
    'errors',
    'message',
  ],
  metrics: ['http', 'model', 'lib'],
  features: [
    'http',
    'views',
    'catalogue',
    'formats',
    'accounts',
    'branding',
    'messages',
    'model',
    'store',
    'rdf',
    'lib',
    'config',
    'errors',
    'message',
  ],
  http: [
    'views',
    'catalogue',
    'formats',
    'accounts',
    'messages',
    'model',
    'rdf',
    'lib',
    'config',
    'errors',
    'message',
  ],
  views: ['messages', 'formats', 'model', 'rdf', 'message'],
  catalogue: ['queries', 'model', 'store', 'rdf', 'lib', 'errors', 'message'],
  formats: ['model', 'rdf', 'lib'],
  accounts: ['model', 'store', 'lib', 'errors', 'message'],
  branding: ['errors', 'message'],
  queries: ['model', 'rdf', 'lib'],
  messages: ['model', 'rdf', 'lib', 'errors', 'message'],
  model: ['rdf', 'lib', 'errors', 'message'],
  store: ['rdf', 'lib', 'errors', 'message'],
  rdf: ['lib', 'errors', 'message'],
  lib: ['errors', 'message'],
  log: ['config'],
  config: ['errors', 'message'],
  errors: ['message'],
  message: [],
}

/** Imports that go up, each of which is to go. */
const exceptions: readonly string[] = [
  'src/lib/key-value/key-value-store.ts imports src/store/key-value/keys',
]

const errorPages = ['error-page', 'plain-error-page']
const errorsAndAddresses = ['context', 'errors', 'origin', 'address']

/** What each part of a folder may import of the same folder, besides itself. */
const allowedInFolder: Readonly<Record<string, Allowed>> = {
  http: {
    context: [],
    errors: [],
    origin: [],
    address: ['origin'],
    server: ['connection-limits', 'listener-errors', ...errorPages, 'protocol-errors', 'uploads'],
    uploads: [],
    'listener-errors': [],
    'connection-limits': [],
    'protocol-errors': ['plain-error-page', 'errors', 'request'],
    'plain-cookies': [],
    request: ['plain-cookies', ...errorsAndAddresses],
    language: ['context', 'plain-cookies'],
    response: ['language', 'plain-cookies', 'request', 'schemas', ...errorsAndAddresses],
    middleware: ['language', 'request', 'response', ...errorsAndAddresses],
    schemas: ['errors'],
    operation: ['schemas', 'context', 'errors', 'request', 'response'],
    endpoint: ['language', 'operation', 'request', 'response', ...errorsAndAddresses],
    'fast-path': ['endpoint', 'middleware', 'request', 'response', ...errorsAndAddresses],
    'error-page': ['language', 'request', 'response', 'context', 'errors'],
    'plain-error-page': ['language', 'request', 'errors'],
    'form-endpoint': ['endpoint', 'request', 'response', 'context', 'errors'],
    feature: ['endpoint'],
    app: ['fast-path', 'middleware', 'endpoint', 'request', 'context'],
  },
  store: {
    errors: [],
    store: ['commit-listeners', 'errors', 'key-value/change-log', 'key-value/key-value-store'],
    'key-value': ['errors'],
    'commit-listeners': ['store', 'key-value/change-log', 'key-value/key-value-store'],
    'commit-parts': ['commit-listeners', 'store'],
    'data-part': ['errors', 'key-value'],
    embedded: [
      'store',
      'errors',
      'commit-parts',
      'commit-listeners',
      'key-value/change-log',
      'key-value/key-value-store',
      'key-value/keys',
    ],
    remote: ['store', 'errors', 'commit-listeners', 'key-value', 'embedded'],
  },
  model: {
    'standard-identifiers': [],
    'authority-links': [],
    dates: ['edtf'],
    edtf: [],
    iris: [],
    places: [],
    'place-names': ['places'],
    series: ['record/values'],
    'issue-numbers': [],
    libraries: ['record'],
    'series-details': ['record', 'dates', 'issue-numbers', 'series'],
    'term-lists': ['vocabulary'],
    'text-removal': [],
    vocabulary: [],
    'label-case': ['vocabulary'],
    'marked-text': [],
    'dublin-core-elements': [],
    declarations: [
      'record/values',
      'resources',
      'iris',
      'vocabulary',
      'standard-identifiers',
      'authority-links',
      'dates',
      'edtf',
      'places',
      'place-names',
      'series',
    ],
    resources: [
      'declarations',
      'record',
      'iris',
      'dublin-core-elements',
      'vocabulary',
      'places',
      'place-names',
    ],
    record: ['declarations/field-declaration', 'resources', 'iris', 'dates', 'vocabulary'],
    validation: ['record', 'resources', 'iris', 'vocabulary'],
    'link-targets': [],
    worklists: [],
    dcat: [],
    'dataset-description': ['resources', 'iris', 'link-targets', 'dcat'],
    'model-description': ['iris'],
  },
  formats: {
    serializer: [],
    'common-formats': ['serializer'],
    titles: [],
    xml: [],
    'record-accessor': ['titles', 'serializer'],
    json: ['serializer', 'common-formats'],
    'json-lines': ['serializer', 'common-formats'],
    'table-columns': [],
    'iri-values': [],
    'csv-metadata': ['serializer', 'table-columns', 'iri-values'],
    csv: ['serializer', 'table-columns', 'csv-metadata'],
    xlsx: ['serializer', 'table-columns'],
    atom: ['serializer', 'common-formats'],
    citation: ['record-accessor'],
    bibtex: ['serializer', 'record-accessor', 'citation'],
    ris: ['serializer', 'record-accessor', 'citation'],
    'csl-json': ['serializer', 'record-accessor', 'citation'],
    'dublin-core': ['serializer', 'record-accessor', 'titles', 'xml'],
    marc: ['serializer', 'record-accessor', 'xml'],
    mods: ['serializer', 'record-accessor', 'citation', 'marc'],
    rdf: ['serializer', 'jsonld', 'common-formats'],
    jsonld: ['serializer', 'rdf', 'iri-values'],
    'other-vocabularies': ['serializer', 'record-accessor', 'marc', 'rdf', 'jsonld'],
    vocabularies: ['serializer', 'rdf', 'jsonld', 'common-formats'],
    places: ['serializer', 'rdf', 'jsonld', 'common-formats'],
    series: ['serializer', 'rdf', 'common-formats'],
    serializers: [
      'serializer',
      'common-formats',
      'json',
      'json-lines',
      'csv',
      'xlsx',
      'atom',
      'bibtex',
      'ris',
      'csl-json',
      'dublin-core',
      'marc',
      'mods',
      'rdf',
      'jsonld',
      'other-vocabularies',
    ],
  },
  catalogue: {
    errors: [],
    clock: [],
    revision: [],
    'search-terms': [],
    'triple-counts': [],
    records: ['revision'],
    history: ['records', 'errors'],
    'list-position': [],
    'list-cursor': ['list-position', 'clock', 'errors'],
    'time-conditions': ['clock'],
    'list-conditions': ['list-facets'],
    'list-facets': [],
    search: ['index/documents', 'revision'],
    'sparql-record-index': ['records', 'list-position', 'errors'],
    index: [
      'errors',
      'revision',
      'sparql-record-index',
      'records',
      'list-position',
      'clock',
      'search',
      'search-terms',
    ],
    lists: [
      'list-conditions',
      'list-facets',
      'search',
      'sparql-record-index',
      'records',
      'list-cursor',
      'time-conditions',
      'errors',
      'search-terms',
      'redirects',
    ],
    redirects: ['records', 'errors'],
    'former-series': ['record-reads', 'history/value-differences', 'errors'],
    duplicates: ['lists', 'sparql-record-index', 'records'],
    'kept-values': ['revision'],
    'shelf-order': ['kept-values', 'lists', 'sparql-record-index', 'records'],
    'hidden-reads': ['records', 'redirects', 'errors'],
    'record-reads': [
      'hidden-reads',
      'sparql-record-index',
      'records',
      'redirects',
      'revision',
      'errors',
    ],
    writes: [
      'duplicates',
      'former-series',
      'history',
      'lists',
      'record-reads',
      'redirects',
      'sparql-record-index',
      'records',
      'revision',
      'clock',
      'errors',
    ],
    catalogue: [
      'former-series',
      'kept-values',
      'record-reads',
      'writes',
      'history',
      'lists',
      'search',
      'duplicates',
      'shelf-order',
      'redirects',
      'sparql-record-index',
      'records',
      'revision',
      'clock',
    ],
  },
  views: {
    'kind-texts': [],
    'list-orders': [],
    translate: ['kind-texts', 'links'],
    links: ['kind-texts'],
    form: ['links', 'translate'],
    render: ['translate'],
    'search-form': ['form', 'links', 'translate'],
    'client-texts': [],
    layout: ['client-texts', 'form', 'links', 'search-form', 'translate'],
    'form-layout': ['links', 'layout', 'translate'],
    'worklist-texts': [],
    components: ['form', 'kind-texts', 'links', 'layout', 'form-layout', 'translate'],
    'list-title': ['links', 'components'],
    client: [],
  },
  lib: {
    cache: ['memory'],
    'command-line': ['control-socket'],
    'control-socket': ['read-line'],
    'durable-file': [],
    'file-cache': ['scheduling', 'text-table', 'typed-arrays'],
    groups: [],
    jobs: [],
    json: [],
    'key-value': ['durable-file', 'scheduling'],
    memory: [],
    names: ['scheduling', 'text-folding', 'text-table', 'typed-arrays'],
    network: [],
    'packed-files': ['scheduling', 'sqlite-pages'],
    'read-line': [],
    outgoing: ['network'],
    'package-files': [],
    scheduling: [],
    'sqlite-pages': [],
    'rdf-prefixes': [],
    sources: [
      'json',
      'names',
      'outgoing',
      'package-files',
      'rdf-prefixes',
      'scheduling',
      'standards',
      'worker-thread',
    ],
    standards: ['package-files'],
    'text-folding': [],
    'text-index': ['text-folding', 'text-table', 'typed-arrays'],
    'text-traces': ['key-value', 'packed-files'],
    'text-table': ['typed-arrays'],
    'typed-arrays': [],
    'worker-thread': ['scheduling'],
  },
  features: {
    'account-pages': ['webhooks'],
    batches: ['records'],
    'change-requests': [],
    changes: [],
    citations: ['merges', 'pictures'],
    'copy-cataloguing': ['imports', 'records'],
    covers: ['merges', 'pictures'],
    dataset: ['citations', 'vocabularies'],
    booklets: ['covers', 'records'],
    explore: ['records'],
    demo: ['account-pages'],
    'first-run': ['account-pages', 'batches', 'home'],
    harvesting: [],
    history: ['imports'],
    home: ['covers', 'my-list', 'openapi', 'pictures', 'vocabularies'],
    queries: ['places', 'sparql'],
    imports: ['covers', 'records'],
    inventory: ['records'],
    lists: ['booklets', 'covers', 'history', 'my-list'],
    makers: ['records'],
    merges: ['records'],
    'my-list': [],
    'name-removal': ['change-requests', 'history', 'pictures'],
    openapi: [],
    pictures: ['merges'],
    places: ['covers', 'records', 'vocabularies'],
    reconciliation: [],
    records: [
      'citations',
      'copy-cataloguing',
      'covers',
      'merges',
      'my-list',
      'pictures',
      'similar',
    ],
    search: ['covers', 'explore', 'my-list', 'records'],
    series: ['covers', 'records'],
    'service-page': ['change-requests', 'imports', 'webhooks'],
    similar: ['covers', 'merges', 'my-list'],
    sparql: [],
    'static-copy': ['pictures'],
    tasks: ['change-requests', 'imports'],
    vocabularies: ['covers', 'places', 'records'],
    webhooks: ['tasks'],
  },
}

/** The files of http/ that render pages. */
const rendering = [
  'http/response/html',
  'http/form-endpoint',
  'http/error-page',
  'http/plain-error-page',
]

/** The packages that only some top folders may import. */
const packageOwners: Readonly<Record<string, readonly string[]>> = {
  koa: ['http', 'features'],
  '@koa/router': ['http'],
  'koa-body': ['http'],
  preact: ['views', 'http', 'features'],
  'preact-render-to-string': ['views'],
  'classic-level': ['lib/key-value'],
  oxigraph: ['store', 'rdf', 'features/sparql'],
  sparqljs: ['features/sparql'],
  'shacl-engine': ['model'],
  diff: ['features/history'],
  '@e965/xlsx': ['lib/sources'],
  '@rubensworks/saxes': ['lib/sources', 'branding'],
  yazl: ['formats', 'features/dataset'],
  'node-sqlite3-wasm': ['features/dataset'],
  hyparquet: ['features/dataset', 'lib'],
  yauzl: ['lib'],
  'hyparquet-writer': ['features/dataset'],
  sharp: ['features/pictures'],
  citeproc: ['features/citations'],
  'markdown-it': ['branding'],
}

describe('the folders of tests', () => {
  for (const folder of ['features', 'lib'])
    it(`in test/${folder} are called as those of src/${folder}`, () => {
      const tested = readdirSync(`test/${folder}`, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && entry.name !== 'worker-thread')
        .map(({ name }) => name)
      expect(readdirSync(`src/${folder}`)).to.include.members(tested)
    })
})

describe('imports', () => {
  for (const [part, allowed] of Object.entries(allowedInSource))
    it(`of src/${part} lead only to ${listed(allowed)}`, () => {
      expect(straysOf('src', part, allowed)).to.deep.equal([])
    })

  for (const [folder, parts] of Object.entries(allowedInFolder))
    for (const [part, allowed] of Object.entries(parts))
      it(`of src/${folder}/${part} lead only to ${listed(allowed)} of src/${folder}`, () => {
        expect(straysOf(`src/${folder}`, part, allowed)).to.deep.equal([])
      })

  it('are allowed as the table of docs/explanation/architecture.md says', () => {
    const table = readFileSync('docs/explanation/architecture.md', 'utf8').matchAll(
      /^\| `src\/(?<folder>[a-z]+)(?:\/|\.ts)` \|[^|]*\| (?<imports>[^|]*) \|$/gm,
    )
    const documented = Object.fromEntries(
      Array.from(table, ({ groups }) => [groups?.folder, groups?.imports]),
    )
    expect(documented).to.deep.equal({
      ...{ main: 'everything', app: 'everything' },
      ...Object.fromEntries(
        Object.entries(allowedInSource).map(([folder, allowed]) => [folder, listed(allowed)]),
      ),
    })
  })

  it('go in the directions of the diagram of docs/explanation/architecture.md', () => {
    const [, diagram = ''] =
      /^```mermaid\n(.*?)^```/ms.exec(readFileSync('docs/explanation/architecture.md', 'utf8')) ??
      []
    const arrows = Array.from(
      diagram.matchAll(/^ +(\w+) --> (\w+)$/gm),
      ([, from = '', to = '']) => ({
        from,
        to,
      }),
    )
    expect(arrows).not.to.be.empty
    const wrong = arrows.filter(
      ({ from, to }) => from !== 'app' && !allowedInSource[from]?.includes(to),
    )
    expect(wrong).to.deep.equal([])
  })

  it('have a rule for every top folder and root file of src', () => {
    const connecting = ['app', 'main']
    expect(partsOf('src')).to.have.members([...Object.keys(allowedInSource), ...connecting])
  })

  for (const [folder, parts] of Object.entries(allowedInFolder))
    it(`have a rule for every part of src/${folder}`, () => {
      expect(Object.keys(parts)).to.include.members(partsOf(`src/${folder}`))
    })

  it('of views/ in http/ are left to pages, editing and response/html', () => {
    const strays = imports.filter(
      ({ file, target }) =>
        file.startsWith('src/http/') &&
        target.startsWith('src/views/') &&
        !rendering.some((part) => file.startsWith(`src/${part}`)),
    )
    expect(strays.map(describeImport)).to.deep.equal([])
  })

  it('of a package stay in the folders that own it', () => {
    const strays = packageImports.filter(({ file, target }) => {
      const owners = packageOwners[target]
      return (
        owners && file.startsWith('src/') && !owners.some((one) => isWithin(file, `src/${one}`))
      )
    })
    expect(strays.map(describeImport)).to.deep.equal([])
  })

  it('of types and values form no circle of files in src, bench and test', () => {
    expect(findCircles()).to.deep.equal([])
  })
})

type Import = {
  readonly file: string
  /** A path without ending, such as `src/http/app`, or the name of a package. */
  readonly target: string
}

const files = ['src', 'bench', 'test'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules/'))
    .map((name) => join(folder, name)),
)

/** Imports of types and values, also by `import()`. */
const allImports: readonly Import[] = files.flatMap((file) =>
  ts
    .preProcessFile(readFileSync(file, 'utf8'))
    .importedFiles.map(({ fileName }) => ({ file, target: targetOf(file, fileName) })),
)

const imports = allImports.filter(({ target }) => /^(?:src|bench|test)\//.test(target))
const packageImports = allImports.filter((one) => !imports.includes(one))

function targetOf(file: string, specifier: string): string {
  return specifier.startsWith('.')
    ? withoutEnding(join(dirname(file), specifier).replace(/\.js$/, '.ts'))
    : specifier
}

function withoutEnding(path: string): string {
  return path.replace(/(?:\.d)?\.tsx?$/, '')
}

/** The folders and files of a folder that hold source files, the files without their ending. */
function partsOf(folder: string): readonly string[] {
  const paths = files.filter((file) => file.startsWith(`${folder}/`))
  const names = paths.map((path) => path.slice(folder.length + 1).split('/')[0] ?? '')
  return [...new Set(names.map(withoutEnding))]
}

const isWithin = (path: string, part: string): boolean =>
  path === part || path.startsWith(`${part}/`)

/** The imports of a part of a folder that lead to other parts of the folder than the allowed ones. */
const straysOf = (folder: string, part: string, allowed: readonly string[]): readonly string[] =>
  imports
    .filter(
      ({ file, target }) =>
        isWithin(withoutEnding(file), `${folder}/${part}`) &&
        isWithin(target, folder) &&
        ![part, ...allowed].some((one) => isWithin(target, `${folder}/${one}`)),
    )
    .map(describeImport)
    .filter((one) => !exceptions.includes(one))

const describeImport = ({ file, target }: Import): string => `${file} imports ${target}`

function listed(parts: readonly string[]): string {
  return parts.join(', ') || 'nothing'
}

/** Files that import each other, directly or over others; each group once. */
function findCircles(): readonly string[] {
  const targetsByFile = new Map<string, string[]>(files.map((file) => [withoutEnding(file), []]))
  for (const { file, target } of imports) targetsByFile.get(withoutEnding(file))?.push(target)
  const done = new Set<string>()
  const circles: string[] = []

  function follow(file: string, path: readonly string[]): void {
    if (path.includes(file)) {
      circles.push([...path.slice(path.indexOf(file)), file].join(' → '))
      return
    }
    if (done.has(file)) return
    for (const target of targetsByFile.get(file) ?? []) follow(target, [...path, file])
    done.add(file)
  }

  for (const file of targetsByFile.keys()) follow(file, [])
  return circles
}
