// Which files may import which: between the top folders, the root files and the parts of each folder.
// Imports form no circles. The names of exports are checked by names.test.ts.

import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'

import { expect } from 'chai'
import ts from 'typescript'

type Allowed = Readonly<Record<string, readonly string[]>>

/**
 * What each top folder and root file of src/ may import, besides itself. A folder stands for all its
 * files; app/ and main.ts connect the others and may import everything.
 */
const allowedInSource: Allowed = {
  message: [],
  errors: ['message'],
  config: ['errors'],
  network: [],
  outgoing: ['errors', 'message'],
  scheduling: [],
  standards: ['errors'],
  cache: [],
  'file-cache': ['text-table', 'typed-arrays'],
  'text-table': ['typed-arrays'],
  'typed-arrays': [],
  jobs: [],
  log: ['config'],
  metrics: ['model/iris', 'http/middleware/access-log', 'store/key-value/write-monitor'],
  rdf: ['errors'],
  model: ['rdf', 'errors', 'scheduling', 'message'],
  queries: ['model', 'rdf'],
  store: ['rdf', 'scheduling', 'errors', 'file-cache'],
  catalogue: [
    'queries',
    'matching',
    'model',
    'rdf',
    'store/store',
    'store/errors',
    'store/key-value/batch-log',
    'store/key-value/change-log',
    'store/key-value/key-value-store',
    'store/key-value/keys',
    'store/key-value/unfinished-redactions',
    'scheduling',
    'cache',
    'file-cache',
    'text-table',
    'typed-arrays',
    'errors',
    'message',
  ],
  matching: ['model/text-folding', 'scheduling', 'text-table', 'typed-arrays'],
  reconciliation: ['catalogue', 'matching', 'model', 'scheduling'],
  accounts: [
    'network',
    'store/key-value',
    'store/durable-file',
    'store/errors',
    'scheduling',
    'model/iris',
    'errors',
    'message',
  ],
  'change-requests': ['store/key-value', 'model/iris', 'model/text-removal', 'errors', 'message'],
  branding: ['errors'],
  'copy-cataloguing': ['imports', 'model', 'outgoing', 'errors', 'message'],
  pictures: [
    'catalogue/writes',
    'model',
    'rdf',
    'store/key-value',
    'store/durable-file',
    'errors',
    'message',
  ],
  citations: ['cache', 'errors', 'message'],
  webhooks: [
    'catalogue/history/change-feed',
    'catalogue/errors',
    'model/iris',
    'outgoing',
    'scheduling',
    'store/key-value',
    'errors',
    'model/record/input',
    'message',
  ],
  formats: ['model', 'rdf', 'standards'],
  imports: [
    'catalogue',
    'formats/csv',
    'rdf/namespaces',
    'rdf/terms',
    'matching',
    'model',
    'outgoing',
    'store/key-value',
    'store/durable-file',
    'scheduling',
    'standards',
    'errors',
    'message',
  ],
  sparql: [
    'rdf',
    'store/store',
    'store/remote',
    'store/embedded',
    'scheduling',
    'text-table',
    'typed-arrays',
    'errors',
  ],
  views: [
    'formats/serializer',
    'formats/common-formats',
    'catalogue/history/record-history',
    'citations/styles',
    'copy-cataloguing',
    'imports',
    'messages',
    'model',
    'pictures/addresses',
    'pictures/description',
    'pictures/picture',
    'rdf',
    'standards',
    'message',
  ],
  messages: ['model', 'rdf', 'errors', 'message'],
  http: [
    'views',
    'messages',
    'jobs',
    'catalogue',
    'formats',
    'model',
    'rdf',
    'accounts',
    'change-requests',
    'branding/site-files',
    'copy-cataloguing',
    'citations',
    'webhooks',
    'imports',
    'matching',
    'pictures',
    'reconciliation',
    'sparql',
    'config',
    'network',
    'scheduling',
    'cache',
    'errors',
    'message',
  ],
  commands: [
    'pictures',
    'config',
    'accounts',
    'branding',
    'copy-cataloguing',
    'change-requests',
    'webhooks',
    'imports',
    'catalogue',
    'model',
    'rdf',
    'store',
    'errors',
  ],
}

const errorsAndAddresses = ['context', 'errors', 'origin', 'address']

/** What each part of a folder may import of the same folder, besides itself. */
const allowedInFolder: Readonly<Record<string, Allowed>> = {
  http: {
    context: [],
    errors: [],
    origin: [],
    address: ['origin'],
    server: ['connection-limits', 'listener-errors', 'pages', 'protocol-errors', 'uploads'],
    uploads: [],
    'listener-errors': [],
    'connection-limits': [],
    'protocol-errors': ['pages', 'errors', 'request'],
    'plain-cookies': [],
    request: ['plain-cookies', ...errorsAndAddresses],
    language: ['context', 'plain-cookies'],
    response: ['language', 'plain-cookies', ...errorsAndAddresses],
    middleware: ['language', 'request', 'response', ...errorsAndAddresses],
    endpoint: ['language', 'request', 'response', 'context', 'errors'],
    app: ['middleware', 'endpoint', 'request', 'context'],
    api: ['request', 'response', 'endpoint', ...errorsAndAddresses],
    'linked-data': ['request', 'response', 'endpoint', ...errorsAndAddresses],
    oai: ['request', 'endpoint', ...errorsAndAddresses],
    sparql: ['request', 'response', 'endpoint', ...errorsAndAddresses],
    reconciliation: ['request', 'response', 'endpoint', ...errorsAndAddresses],
    pages: ['language', 'request', 'response', 'endpoint', ...errorsAndAddresses],
    editing: ['request', 'response', 'endpoint', ...errorsAndAddresses],
  },
  store: {
    errors: [],
    'durable-file': [],
    store: ['errors', 'key-value/change-log', 'key-value/key-value-store'],
    'key-value': ['errors', 'durable-file'],
    'commit-parts': ['store'],
    'commit-subscribers': ['store', 'commit-parts'],
    embedded: [
      'store',
      'errors',
      'commit-parts',
      'commit-subscribers',
      'key-value/change-log',
      'key-value/key-value-store',
      'key-value/keys',
    ],
    remote: ['store', 'errors', 'commit-subscribers', 'key-value', 'embedded'],
  },
  model: {
    'standard-identifiers': [],
    'authority-links': [],
    dates: ['edtf'],
    edtf: [],
    iris: [],
    places: [],
    'place-names': ['places', 'text-folding'],
    series: ['record/values', 'text-folding'],
    'issue-numbers': [],
    'series-details': ['record', 'dates', 'issue-numbers', 'series'],
    'text-folding': [],
    'text-removal': [],
    'text-tokens': ['text-folding'],
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
    'dataset-description': ['resources', 'iris', 'link-targets'],
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
    harvest: ['history', 'records', 'clock'],
    'list-position': [],
    'list-cursor': ['list-position', 'clock', 'errors'],
    'time-conditions': ['clock'],
    'list-conditions': [],
    'list-facets': [],
    search: ['index/postings', 'index/added-numbers', 'index/posting-log', 'index/sorted-ids'],
    'sparql-record-index': ['records', 'list-position', 'errors'],
    index: [
      'errors',
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
    ],
    redirects: ['records'],
    'former-series': ['record-reads', 'history/value-differences', 'errors'],
    duplicates: ['lists', 'sparql-record-index', 'records'],
    'shelf-order': ['lists', 'sparql-record-index', 'records'],
    'record-reads': ['sparql-record-index', 'records', 'redirects', 'revision', 'errors'],
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
  imports: {
    errors: [],
    sources: [],
    profile: ['sources/source'],
    profiles: ['profile', 'sources/source'],
    matching: [],
    mapping: ['matching', 'sources/source', 'sources/marc-links', 'profile', 'profiles'],
    'import-state': ['profile', 'sources/source'],
    'import-files': ['errors', 'sources/source'],
    identities: ['mapping'],
    comparisons: ['analysis', 'identities', 'matching'],
    analysis: ['mapping', 'matching', 'profile', 'sources/source'],
    places: ['identities', 'mapping', 'matching', 'profile'],
    planner: ['places', 'mapping', 'matching', 'profile', 'sources/source'],
    report: ['import-state'],
    'known-profiles': ['imports', 'mapping', 'profile'],
    'made-terms': ['import-state', 'profile'],
    'new-terms': ['profile'],
    'recent-results': [],
    preview: ['planner', 'import-state', 'matching', 'profile', 'sources/source'],
    'import-work': ['errors', 'import-state', 'mapping', 'sources/errors'],
    imports: [
      'analysis',
      'comparisons',
      'errors',
      'identities',
      'import-files',
      'import-state',
      'import-work',
      'made-terms',
      'mapping',
      'new-terms',
      'planner',
      'preview',
      'profile',
      'profiles',
      'recent-results',
      'sources',
    ],
  },
  views: {
    translate: ['links'],
    links: [],
    render: ['translate'],
    'search-form': ['links', 'translate'],
    'client-texts': [],
    layout: ['client-texts', 'links', 'search-form', 'translate'],
    'map-projection': [],
    'form-layout': ['links', 'layout', 'translate'],
    'form-groups': [],
    'worklist-texts': [],
    components: ['links', 'layout', 'form-layout', 'translate'],
    'import-layout': ['links', 'layout', 'form-layout', 'components', 'translate'],
    'list-title': ['links', 'components'],
    pages: [
      'translate',
      'links',
      'layout',
      'search-form',
      'form-layout',
      'form-groups',
      'worklist-texts',
      'import-layout',
      'map-projection',
      'components',
    ],
    client: [],
  },
}

/** The parts of http/ that render pages. */
const rendering = ['http/pages/', 'http/editing/', 'http/response/html']

/** The packages that only some top folders may import. */
const packageOwners: Readonly<Record<string, readonly string[]>> = {
  koa: ['http'],
  '@koa/router': ['http'],
  'koa-body': ['http'],
  preact: ['views', 'http'],
  'preact-render-to-string': ['views'],
  'classic-level': ['store'],
  oxigraph: ['store', 'rdf', 'sparql'],
  sparqljs: ['sparql'],
  'shacl-engine': ['model'],
  diff: ['views'],
  '@e965/xlsx': ['imports'],
  '@rubensworks/saxes': ['imports', 'branding'],
  yazl: ['formats'],
  sharp: ['pictures'],
  citeproc: ['citations'],
  'markdown-it': ['branding'],
}

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
      return owners && file.startsWith('src/') && !owners.includes(file.split('/')[1] ?? '')
    })
    expect(strays.map(describeImport)).to.deep.equal([])
  })

  it('of types and values form no circle of files in src, bench and test', () => {
    expect(findCircles()).to.deep.equal([])
  })

  it('connect each page of views/pages with a handler of the same file name', () => {
    const handlers = ['pages', 'editing'].flatMap((folder) => partsOf(`src/http/${folder}`))
    expect(handlers).to.include.members(partsOf('src/views/pages'))
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
