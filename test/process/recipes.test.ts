// The recipes of CONTRIBUTING.md name every file that has to be touched. They are followed in a copy,
// all at once: the copy compiles, passes the tests that compare tables with the code, and has the new
// field, code list, filter, format and page.

import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

import { expect } from 'chai'

import { agent, zine } from '../examples.js'
import { adminSettings, serve, tokenAt } from '../process.js'

const run = promisify(execFile)

/** A text that is put into a file, before one that is there; a new file, where that is not given. */
type Edit = readonly [file: string, text: string, before?: string]

type Recipe = { readonly heading: string; readonly edits: readonly Edit[] }

const inBothLanguages = (text: string, before = '\nmsgid "Edition statement"'): readonly Edit[] =>
  ['es', 'fr'].map((language) => [
    `src/messages/${language}.po`,
    `\nmsgid "${text}"\nmsgstr "${text} (${language})"\n`,
    before,
  ])

const recipes: readonly Recipe[] = [
  {
    heading: 'A field',
    edits: [
      [
        'ontology/zine-catalogue.ttl',
        `zc:dedication
  a rdf:Property ;
  rdfs:label "Dedication"@en ;
  rdfs:comment "To whom the zine is dedicated."@en ;
  rdfs:subPropertyOf dcterms:description ;
  zc:dublinCoreElement dcterms:description .

`,
        'bf:editionStatement',
      ],
      [
        'shapes/zine.ttl',
        `# dedication
        [ sh:path zc:dedication ;
          sh:description "To whom the zine is dedicated." ;
          sh:maxCount 1 ; sh:datatype xsd:string ; sh:maxLength 500 ] ,
        `,
        '# edition_statement',
      ],
      [
        'src/model/declarations/zines.ts',
        "{ name: 'dedication', property: iris.term('dedication'), searchable: true },\n    ",
        "{ name: 'edition_statement'",
      ],
      ...inBothLanguages('Dedication'),
      ...inBothLanguages('To whom the zine is dedicated.'),
      ['src/features/records/form-groups.ts', "'dedication', ", "'edition_statement'"],
      [
        'docs/reference/fields.md',
        '| dedication | `zc:dedication` | text | max 500 | search, dc:description |\n',
        '| edition_statement |',
      ],
      [
        'shapes/zine.ttl',
        `# printing_process
        [ sh:path zc:printingProcess ;
          sh:description "How it was printed." ;
          sh:node <#printing-process> ; sh:message "Invalid printing process codes: {?values}" ] ,
        `,
        '# rights',
      ],
      [
        'ontology/zine-catalogue.ttl',
        `zc:printingProcess
  a rdf:Property ;
  rdfs:label "Printing process"@en ;
  rdfs:comment "How the zine was printed."@en .

`,
        'bf:editionStatement',
      ],
      [
        'src/model/declarations/zines.ts',
        "{ name: 'printing_process', property: iris.term('printingProcess'), filterable: true },\n    ",
        "{ name: 'rights'",
      ],
      ...inBothLanguages('Printing process'),
      ...inBothLanguages('How it was printed.'),
      ['src/features/records/form-groups.ts', "'printing_process', ", "'rights', 'identifier'"],
      [
        'docs/reference/fields.md',
        '| printing_process | `zc:printingProcess` | concept of `printing-processes` | list | filter |\n',
        '| rights |',
      ],
    ],
  },
  {
    heading: 'A code list',
    edits: [
      [
        'vocabularies/printing-processes.ttl',
        `# How paper is printed.

@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dcterms: <http://purl.org/dc/terms/> .

<> a skos:ConceptScheme ;
  dcterms:title "Printing processes"@en ;
  dcterms:description "How paper is printed."@en ;
  dcterms:license <https://creativecommons.org/publicdomain/zero/1.0/> .

<#risograph> a skos:Concept ;
  skos:inScheme <> ;
  skos:notation "risograph" ;
  skos:prefLabel "Risograph"@en ;
  skos:definition "Printed on a Risograph."@en ;
  skos:topConceptOf <> .

<#screen-print> a skos:Concept ;
  skos:inScheme <> ;
  skos:notation "screen-print" ;
  skos:prefLabel "Screen print"@en ;
  skos:definition "Printed through a screen."@en ;
  skos:topConceptOf <> .
`,
      ],
      [
        'vocabularies/README.md',
        '| `printing-processes.ttl` | how zines are printed |\n',
        '| `rights',
      ],
      ['src/model/declarations/read-files.ts', "'printing-processes',\n  ", "'rights-status',"],
      [
        'shapes/common.ttl',
        '<#printing-process> sh:property [ sh:path skos:inScheme ; sh:hasValue <vocabularies/printing-processes> ] .\n',
        '<#rights> ',
      ],
      ...inBothLanguages('Printing processes'),
      ...inBothLanguages('How paper is printed.'),
      [
        'src/features/imports/import-terms-page.tsx',
        "'printing-processes': message('Printing processes'),\n  ",
        "'rights-status': message",
      ],
      [
        'test/features/vocabularies/vocabularies.test.ts',
        "'printing-processes': words('risograph screen-print'),\n  ",
        "'rights-status': words",
      ],
      ['test/security/routes.ts', "'printing-processes': 'risograph', ", "'rights-status'"],
      ['test/security/fuzz.test.ts', "'printing-processes': 'risograph', ", "'rights-status'"],
    ],
  },
  {
    heading: 'A filter',
    edits: [
      [
        'src/catalogue/list-conditions.ts',
        `has_contributor: yesOrNo(
    message('Contributor'),
    'Whether anybody is a contributor.',
    ({ resource }) => isSet(filterOf(resource, 'contributor')),
  ),
  `,
        'undated: yesOrNo',
      ],
      [
        'src/views/list-title.ts',
        "has_contributor: yesOrNo(message('with contributors'), message('without contributors')),\n    ",
        'has_holding: yesOrNo',
      ],
      ...inBothLanguages('with contributors'),
      ...inBothLanguages('without contributors'),
      ['test/recorded/requests.ts', "has_contributor: 'true',\n  ", "undated: 'true'"],
      [
        'docs/reference/lists.md',
        '| `has_contributor=true` | that have a contributor |\n',
        '| `undated=true`',
      ],
    ],
  },
  {
    heading: 'A format',
    edits: [
      [
        'src/formats/yaml.ts',
        `// Serializes records as YAML documents.

import { stringify } from 'yaml'

import { type ResolvedRecord, toInputValues } from '../model/record/views.js'
import type { Format, RecordSerializer } from './serializer.js'

export const yaml: Format = { name: 'yaml', title: 'YAML', type: 'application/yaml' }

export const yamlSerializer: RecordSerializer = {
  ...yaml,
  record: write,
  listStart: () => '',
  listItem: write,
  listEnd: () => '',
}

function write(record: ResolvedRecord): string {
  return \`---\\n\${stringify(toInputValues(record, 'detail'))}\`
}
`,
      ],
      [
        'src/formats/serializers.ts',
        "import { yaml, yamlSerializer } from './yaml.js'\n",
        'import { xlsx,',
      ],
      [
        'src/formats/serializers.ts',
        '{ format: yaml, resources: resourceNames, create: () => yamlSerializer },\n  ',
        '{ format: jsonLines,',
      ],
      ['test/project/imports.test.ts', "yaml: ['serializer'],\n    ", "atom: ['serializer'"],
      ['test/project/imports.test.ts', "'yaml',\n      ", "'xlsx',\n      'atom'"],
      ['test/http/formats.ts', "yaml: 'application/yaml',\n  ", 'html:'],
      ['test/http/negotiation.test.ts', 'yaml, ', 'atom, html'],
      ['test/http/negotiation.test.ts', 'yaml, ', "atom, html',\n    ],\n    ['/api/schema"],
      ['docs/reference/formats.md', '| `yaml` | `application/yaml` | records |\n', '| `jsonl` |'],
    ],
  },
  {
    heading: 'A feature',
    edits: [
      [
        'src/features/whereabouts/feature.ts',
        `// What this feature adds to the service.

import type { PartsOf } from '../../http/feature.js'
import { whereaboutsEndpoint } from './whereabouts.js'

export const whereaboutsFeature = {
  name: 'whereabouts',
  pages: (parts: PartsOf<typeof whereaboutsEndpoint>) => [whereaboutsEndpoint(parts)],
}
`,
      ],
      [
        'src/app/features.ts',
        "import { whereaboutsFeature } from '../features/whereabouts/feature.js'\n",
        'import { webhooksFeature',
      ],
      ['src/app/features.ts', 'whereaboutsFeature,\n  ', 'homeFeature,'],
      ['test/project/imports.test.ts', 'whereabouts: [],\n    ', 'webhooks: ['],
    ],
  },
  {
    heading: 'A page',
    edits: [
      [
        'src/features/whereabouts/whereabouts.tsx',
        `// A page that says where the catalogue is.

import { json } from '../../formats/common-formats.js'
import type { Endpoint } from '../../http/endpoint.js'
import { sendJson } from '../../http/response/conditional.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'
import { ApiRequest, FormatLinks } from '../../views/components/api-request.js'
import { Layout, type PageContext } from '../../views/layout.js'
import { t } from '../../views/translate.js'

const data = { where: 'here' }

export function whereaboutsEndpoint({ assets }: { readonly assets: AssetUrls }): Endpoint {
  return {
    path: '/whereabouts',
    name: 'Whereabouts',
    description: 'Where the catalogue is.',
    formats: [json],
    htmlHandler: (ctx) => sendPage(ctx, <Whereabouts context={pageContext(ctx, assets)} />),
    methods: { GET: (ctx) => sendJson(ctx, data) },
  }
}

const Whereabouts = ({ context }: { readonly context: PageContext }) => (
  <Layout title={t('Whereabouts')} context={context}>
    <h1>{t('Whereabouts')}</h1>
    <p>{t('The catalogue is here.')}</p>
    <FormatLinks context={context} formats={[json]} />
    <ApiRequest context={context} json={JSON.stringify(data)} />
  </Layout>
)
`,
      ],
      ...inBothLanguages('Whereabouts'),
      ...inBothLanguages('The catalogue is here.'),
      ['test/security/routes.ts', "reading('/whereabouts'),\n  ", "reading('/explore'),"],
      ['test/views/pages.test.ts', "'/whereabouts',\n  ", "'/explore',"],
      [
        'docs/reference/requests.md',
        '| `GET /whereabouts` | where the catalogue is |\n',
        '| `GET /healthz`',
      ],
    ],
  },
]

/** The tests of the copy: those that compare tables and documents with the code. */
const tests = [
  ...[
    'project/documentation',
    'project/imports',
    'messages/messages',
    'model/resources',
    'features/openapi/schemas',
  ],
  ...['http/negotiation', 'features/vocabularies/vocabularies', 'views/pages'],
]

describe('the recipes of CONTRIBUTING.md', () => {
  it('name every file that they touch', async () => {
    const contributing = await readFile('CONTRIBUTING.md', 'utf8')
    const missing = recipes.flatMap(({ heading, edits }) => {
      const [, section = ''] = contributing.split(`\n### ${heading}\n`)
      const [recipe = ''] = section.split('\n### ')
      return edits.filter((edit) => !isNamed(recipe, edit)).map(([file]) => `${heading}: ${file}`)
    })
    expect(missing).to.deep.equal([])
  })

  it('give a field, a code list, a filter, a format and a page', async function () {
    // A second compilation takes a minute of a processor.
    if (!process.env.KILL_ROUNDS) this.skip()
    const copy = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
    try {
      await makeCopy(copy)
      for (const edit of recipes.flatMap(({ edits }) => edits)) await apply(copy, edit)
      const node = (...args: string[]) => runIn(copy, args)
      await node('node_modules/typescript/bin/tsc')
      const files = tests.map((name) => `build/test/${name}.test.js`)
      await node('node_modules/mocha/bin/mocha.js', '--no-config', '--timeout', '600000', ...files)
      await useWhatIsNew(copy)
    } finally {
      await rm(copy, { recursive: true, force: true })
    }
  })
})

/** Whether a recipe names a file, or the folder of a new one. */
function isNamed(recipe: string, [file, , before]: Edit): boolean {
  const folders = before === undefined ? [dirname(file), dirname(dirname(file))] : []
  return [file, ...folders.map((folder) => `${folder}/`)].some((name) => recipe.includes(name))
}

async function makeCopy(copy: string): Promise<void> {
  const { stdout } = await run('git', ['ls-files', '-z'], { maxBuffer: 1 << 26 })
  for (const file of stdout.split('\0').filter((name) => name !== ''))
    await cp(file, join(copy, file))
  await symlink(resolve('node_modules'), join(copy, 'node_modules'))
  await cp('build/client', join(copy, 'build/client'), { recursive: true })
}

/** Runs Node. @throws Error with what the program wrote, when it fails */
async function runIn(copy: string, args: readonly string[]): Promise<void> {
  await run(process.execPath, args, { cwd: copy, maxBuffer: 1 << 26 }).catch((error: unknown) => {
    const { stdout } = error as { readonly stdout: string }
    throw new Error(stdout.slice(-4000), { cause: error })
  })
}

async function apply(copy: string, [file, text, before]: Edit): Promise<void> {
  const path = join(copy, file)
  if (before === undefined) {
    await mkdir(dirname(path), { recursive: true })
    return writeFile(path, text)
  }
  const content = await readFile(path, 'utf8')
  expect(content, file).to.include(before)
  await writeFile(
    path,
    content.replace(before, () => text + before),
  )
}

async function useWhatIsNew(copy: string): Promise<void> {
  const env = { ...adminSettings, DATA_DIR: join(copy, 'data'), SPARQL_WORKERS: '0' }
  const service = await serve(env, [], join(copy, 'build/src/main.js'))
  try {
    const headers = {
      authorization: `Token ${await tokenAt(service.url)}`,
      'content-type': 'application/json',
    }
    const post = async (path: string, body: unknown) => {
      const answer = await fetch(service.url + path, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      expect(answer.status, path).to.equal(201)
    }
    await post('/api/agents/', agent('maker'))
    const added = {
      dedication: 'To all cats',
      printing_process: ['risograph'],
      contributor: ['maker'],
    }
    await post('/api/zines/', { ...zine('new'), ...added })
    await post('/api/zines/', zine('other'))
    const textOf = async (path: string, language = 'en') =>
      (await fetch(service.url + path, { headers: { 'accept-language': language } })).text()
    const found = async (query: string) =>
      (JSON.parse(await textOf(`/api/zines/?${query}`)) as { count: number }).count
    expect(JSON.parse(await textOf('/api/zines/new/'))).to.deep.include({
      dedication: 'To all cats',
    })
    expect(await found('search=cats')).to.equal(1)
    expect(await found('printing_process=risograph')).to.equal(1)
    expect(await found('has_contributor=false')).to.equal(1)
    expect(await textOf('/api/zines/new/?format=yaml')).to.include('dedication: To all cats')
    expect(await textOf('/whereabouts?format=html', 'es')).to.include('The catalogue is here. (es)')
  } finally {
    await service.end('SIGTERM')
  }
}
