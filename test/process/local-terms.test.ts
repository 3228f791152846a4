// Terms of an institution that are added to a vocabulary, and removed, while the catalogue is open: the file, the vocabulary,
// the graph of vocabularies and its replicas, and the next start.

import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'
import { pino } from 'pino'

import { type Backend, openBackend } from '../../src/app/backend.js'
import { readConfig } from '../../src/config.js'
import { type LocalTerm, LocalTermError } from '../../src/model/declarations/local-terms.js'
import type { StorageOptions } from '../../src/app/storage.js'
import { partsInGraphs } from '../../src/store/commit-parts.js'
import { skos } from '../../src/rdf/namespaces.js'
import { iri } from '../../src/rdf/terms.js'
import { sparql } from '../../src/rdf/sparql-template.js'
import { agent, zine } from '../examples.js'
import { BASE_URL } from '../service.js'
import { storeFor } from '../stores.js'

const bodyOf = (values: object) => new Map<string, unknown>(Object.entries(values))

const shows: LocalTerm = {
  code: 'basement-shows',
  label: 'Basement "shows"',
  definition: 'Concerts below\nground.',
  broader: 'concerts',
}

describe('terms that are added while the catalogue is open', () => {
  let dataDir: string

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'zine-catalogue-terms-'))
  })
  afterEach(() => rm(dataDir, { recursive: true }))

  async function withBackend<Result>(
    work: (backend: Backend) => Promise<Result>,
    options: StorageOptions = {},
    listIndex = 'on',
  ): Promise<Result> {
    const store = await storeFor(dataDir)
    const backend = await openBackend(
      readConfig({ BASE_URL, DATA_DIR: dataDir, LIST_INDEX: listIndex, ...store }),
      options,
    )
    try {
      return await work(backend)
    } finally {
      await backend.close()
    }
  }

  const file = (name = 'subjects') => join(dataDir, 'vocabularies', `${name}.ttl`)

  async function writeOwnFile(text: string): Promise<void> {
    await mkdir(join(dataDir, 'vocabularies'), { recursive: true })
    await writeFile(file(), text)
  }

  const createZine = async ({ catalogue }: Backend, subject: string) => {
    await catalogue.create('agents', bodyOf(agent('maker')))
    return catalogue.create('zines', bodyOf(zine('z', { subject: [subject] })))
  }

  for (const validation of ['compiled', 'shacl'] as const)
    it(`can be used by records at once (${validation})`, () =>
      withBackend(
        async (backend) => {
          const refused = await createZine(backend, shows.code).catch((error: unknown) => error)
          expect(refused).to.be.instanceOf(Error)
          await backend.localTerms.add('subjects', [shows])
          const { catalogue, vocabularies } = backend
          await catalogue.create('zines', bodyOf(zine('z', { subject: [shows.code] })))
          expect(vocabularies.subjects.find(shows.code)?.label).to.equal(shows.label)
          expect(vocabularies.subjects.entries.map(({ code }) => code)).to.include(shows.code)
        },
        { validation },
      ))

  it('are in the graph of vocabularies, in dumps and in the counts, as after the next start', async () => {
    const read = async ({ store, iris, dump, tripleCounts }: Backend) => {
      const concept = iri(`${BASE_URL}/vocabularies/subjects#${shows.code}`)
      const rows = await store.select(
        sparql`SELECT ?s ?p ?o WHERE { GRAPH ${iris.graphs.vocabularies} { { ${concept} ?p ?o } UNION { ?s ?p ${concept} } } }`,
      )
      let text = ''
      for await (const chunk of dump()) text += chunk
      const lines = text.split('\n')
      return {
        rows: rows
          .map(({ s, p, o }) => [s, p, o].map((term) => term?.value ?? '').join(' '))
          .sort(),
        dumped: lines.filter((line) => line.includes(`<${concept.value}>`)).sort(),
        all: lines.length,
        counts: tripleCounts().vocabularies,
      }
    }
    const withQueries = <Result>(work: (backend: Backend) => Promise<Result>) =>
      withBackend(work, {}, 'off')
    const added = await withQueries(async (backend) => {
      await backend.localTerms.add('subjects', [shows])
      return read(backend)
    })
    expect(added.rows).to.have.length(6)
    expect(added.dumped).to.have.length(6)
    expect(await withQueries(read)).to.deep.equal(added)
  })

  it('reach those who follow the graph, each triple once', () =>
    withBackend(async ({ store, iris, localTerms }) => {
      if (store.isShared) return
      const told: string[] = []
      store.listeners.add('public quads', {
        async onCommit(commit) {
          const parts = await partsInGraphs(commit, [iris.graphs.vocabularies])
          told.push(parts.map(({ added }) => added).join(''))
        },
      })
      await localTerms.add('subjects', [shows])
      await localTerms.add('subjects', [{ code: 'attic-shows', label: 'Attic shows' }])
      expect(told.map((added) => added.trim().split('\n').length)).to.deep.equal([6, 6])
    }))

  it('are gone when they are removed, as if they had never been added', async () => {
    const read = async ({ dump, tripleCounts, vocabularies }: Backend) => {
      let text = ''
      for await (const chunk of dump()) text += chunk
      const quads = text.split('\n').sort()
      return { quads, counts: tripleCounts().vocabularies, entries: vocabularies.subjects.entries }
    }
    await withBackend(async (backend) => {
      const { store, iris, localTerms } = backend
      const before = await read(backend)
      const removals: string[] = []
      if (!store.isShared)
        store.listeners.add('public quads', {
          async onCommit(commit) {
            for (const { removed } of await partsInGraphs(commit, [iris.graphs.vocabularies]))
              if (removed !== '') removals.push(removed)
          },
        })
      await localTerms.add('subjects', [shows])
      await localTerms.remove('subjects', [shows])
      expect(await read(backend)).to.deep.equal(before)
      expect(removals.map((removed) => removed.trim().split('\n').length)).to.deep.equal(
        store.isShared ? [] : [6],
      )
    })
  })

  it('leave what is in the file as it is', async () => {
    const own = `# Ours\n@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n
<#riverside> a skos:Concept ; skos:notation "riverside" ; skos:prefLabel "Riverside"@en . # end`
    await writeOwnFile(own)
    const { mode } = await stat(file())
    await withBackend(async ({ localTerms }) => {
      await localTerms.add('subjects', [shows])
      await localTerms.add('subjects', [{ code: 'attic', label: 'Attic' }])
    })
    const text = await readFile(file(), 'utf8')
    expect(text.startsWith(own)).to.equal(true)
    expect(text.slice(own.length)).to.equal(`

<#basement-shows> a skos:Concept ;
  skos:notation "basement-shows" ;
  skos:prefLabel "Basement \\"shows\\""@en ;
  skos:definition "Concerts below\\nground."@en ;
  skos:broader <#concerts> .

<#attic> a skos:Concept ;
  skos:notation "attic" ;
  skos:prefLabel "Attic"@en .
`)
    expect((await stat(file())).mode).to.equal(mode)
    expect(await readdir(join(dataDir, 'vocabularies'))).to.deep.equal(['subjects.ttl'])
  })

  const files: readonly (readonly [string, string])[] = [
    [
      'declares no prefix',
      '<#a> <http://www.w3.org/2004/02/skos/core#notation> "a" ; <http://www.w3.org/2004/02/skos/core#prefLabel> "A" .\n',
    ],
    ['uses the prefix for something else', '@prefix skos: <http://example.org/> .\n'],
    [
      'has the prefix in a comment only',
      '# @prefix skos: <http://www.w3.org/2004/02/skos/core#> .',
    ],
  ]
  for (const [what, text] of files)
    it(`can be added to a file that ${what}`, async () => {
      await writeOwnFile(text)
      await withBackend(({ localTerms }) => localTerms.add('subjects', [shows]))
      await withBackend(({ vocabularies }) => {
        expect(vocabularies.subjects.find(shows.code)?.definition).to.equal(shows.definition)
        return Promise.resolve()
      })
    })

  it('can be added after a crash that left an unfinished file', async () => {
    await writeOwnFile('')
    await writeFile(`${file()}.new`, '<#half> a sko')
    await withBackend(({ localTerms }) => localTerms.add('subjects', [shows]))
    expect(await readFile(file(), 'utf8')).to.include('basement-shows')
  })

  for (const [what, text] of [
    [
      'has the term since the start',
      '<#basement-shows> <http://www.w3.org/2004/02/skos/core#prefLabel> "Shows" .',
    ],
    ['is no Turtle any more', '<#basement-shows> a sko'],
    ['sets another base', '@base <http://example.org/> .'],
  ] as const)
    it(`are refused, and the file stays, where it ${what}`, () =>
      withBackend(async ({ localTerms }) => {
        await writeOwnFile(text)
        const error = await localTerms.add('subjects', [shows]).catch((reason: unknown) => reason)
        expect(error).to.be.instanceOf(LocalTermError)
        expect(await readFile(file(), 'utf8')).to.equal(text)
      }))

  it('are added once, however often they are', async () => {
    await withBackend(async ({ localTerms }) => {
      await Promise.all([1, 2, 3].map(() => localTerms.add('subjects', [shows])))
    })
    const text = await readFile(file(), 'utf8')
    await withBackend(({ localTerms }) => localTerms.add('subjects', [shows, shows]))
    expect(await readFile(file(), 'utf8')).to.equal(text)
  })

  const refused: readonly (readonly [string, string, LocalTerm, RegExp])[] = [
    ['a code that is taken', 'subjects', { code: 'punk', label: 'Other' }, /that of “Punk”/],
    ['a label that is taken', 'subjects', { code: 'p', label: 'PUNK' }, /“punk” already/],
    ['an alternative label', 'subjects', { code: 'p', label: 'punk rock' }, /“punk” already/],
    ['a code with capitals', 'subjects', { code: 'Punk', label: 'P' }, /no code/],
    ['a code with a slash', 'subjects', { code: '../p', label: 'P' }, /no code/],
    ['no label', 'subjects', { code: 'p', label: ' ' }, /needs a label/],
    ['control characters', 'subjects', { code: 'p', label: 'a\u0007b' }, /not allowed/],
    ['half of a character', 'subjects', { code: 'p', label: '\ud800' }, /not allowed/],
    [
      'a broader term that is not there',
      'subjects',
      { code: 'p', label: 'P', broader: 'q' },
      /no term “q”/,
    ],
    ['a closed vocabulary', 'agent-kinds', { code: 'band', label: 'Band' }, /can be added to/],
    ['a path', '../subjects', { code: 'p', label: 'P' }, /can be added to/],
  ]
  for (const [what, vocabulary, term, message] of refused)
    it(`are refused with ${what}, together with the others`, () =>
      withBackend(async ({ localTerms, vocabularies }) => {
        const error = await localTerms
          .add(vocabulary, [{ code: 'fine', label: 'Fine' }, term])
          .then(
            () => undefined,
            (reason: unknown) => reason,
          )
        expect(error).to.be.instanceOf(LocalTermError)
        expect(error).to.have.property('message').that.matches(message)
        expect(vocabularies.subjects.find('fine')).to.equal(undefined)
        expect(await readdir(dataDir)).not.to.include('vocabularies')
      }))

  it('that are called the same are told at the start, once for each vocabulary and label', async () => {
    const term = (code: string, label: string) =>
      `<#${code}> skos:notation "${code}" ; skos:prefLabel ${label} .\n`
    const write = (name: string, ...terms: readonly string[]) =>
      writeFile(file(name), `@prefix skos: <${skos('').value}> .\n${terms.join('')}`)
    await mkdir(join(dataDir, 'vocabularies'))
    await write(
      'subjects',
      ...['a', 'b', 'c'].map((code) => term(code, '"Riverside"@en')),
      ...['d', 'e'].map((code) => term(code, `"${code}"@en, "Ribera"@es`)),
      term('f', '"Bikes"@en'),
    )
    await write('formats', term('a', '"Riverside"@en'), term('b', '"riverside"'))
    const told: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void told.push(line) })
    await withBackend(() => Promise.resolve(), { log })
    expect(told.map((line) => (JSON.parse(line) as { msg: string }).msg)).to.have.members([
      'subjects: “a”, “b” and “c” have the same label, “riverside”',
      'subjects: “d” and “e” have the same label, “ribera”',
      'subjects: alternative labels that another term has, too: 1. `doctor` names them',
      'formats: “b” and “a” have the same label, “riverside”',
    ])
  })
})
