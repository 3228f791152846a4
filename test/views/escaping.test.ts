// Pages show hostile values of clients and vocabularies as text: none of them runs as code, and
// none becomes a link that does anything but lead to a page.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect } from 'chai'

import { full, referencedRecords } from '../examples.js'
import { type TestService, startService, WITH_INDEX } from '../service.js'
import { addressesIn, expectInert, open } from './browser.js'

const HOSTILE = [
  '<script>alert(1)</script>',
  '</script><script>alert(1)</script>',
  '</title></textarea></style><img src=x onerror=alert(1)>',
  '"><img src=x onerror=alert(1)>',
  `' onmouseover='alert(1)`,
  '" autofocus onfocus="alert(1)',
  'javascript:alert(1)',
  ' JaVaScRiPt:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '<!--<script>',
  ']]><svg onload=alert(1)>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '{{constructor.constructor("alert(1)")()}}',
]

const CODE = '"><img src=x onerror=alert(1)>'
const encoded = encodeURIComponent(CODE).replace(/[()]/g, (one) => (one === '(' ? '%28' : '%29'))

const TERMS = `
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<#hostile> a skos:Concept ; skos:notation "hostile" ;
  skos:prefLabel "<script>alert(1)</script>"@en ;
  skos:definition "\\"><img src=x onerror=alert(1)>"@en ;
  skos:altLabel "</script><script>alert(1)</script>"@en ;
  skos:scopeNote "javascript:alert(1)"@en ;
  skos:exactMatch <javascript:alert(1)>, <http://elsewhere.example/> ;
  skos:related <javascript:alert(2)> .
<#${encoded}> a skos:Concept ; skos:notation ${JSON.stringify(CODE)} ;
  skos:prefLabel "Quoted"@en ; skos:broader <#hostile> .
`

const kinds = [
  ['agents', 'agent_id'],
  ['zines', 'zine_id'],
  ['repositories', 'repo_id'],
  ['holdings', 'holding_id'],
] as const

const references = ['creator', 'contributor', 'publisher', 'zine_id', 'repository_id']

describe('hostile values', () => {
  let dataDir: string
  let service: TestService
  /** The addresses of the records with hostile values. */
  const paths: string[] = []
  /** The number of hostile values that were accepted, by resource. */
  const accepted = new Map<string, number>()

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'zine-catalogue-'))
    await mkdir(join(dataDir, 'vocabularies'))
    await writeFile(join(dataDir, 'vocabularies', 'subjects.ttl'), TERMS)
    service = await startService({ DATA_DIR: dataDir })
    for (const [name, record] of referencedRecords) await service.post(`/api/${name}/`, record)
    for (const id of ['zine', 'second-zine'])
      await service.patch(`/api/zines/${id}/`, { subject: ['hostile', CODE] })
    for (const [name, id] of kinds)
      for (const [index, value] of HOSTILE.entries()) await store(name, id, value, index)
  })
  after(async () => {
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  /** Creates a record with the value in every field that accepts it, its identifier included. */
  async function store(
    name: keyof typeof full,
    id: string,
    value: string,
    index: number,
  ): Promise<void> {
    const valid: Record<string, unknown> = { ...full[name](`${name}-${index}`) }
    const fields = Object.keys(valid).filter(
      (field) =>
        !references.includes(field) &&
        (typeof valid[field] === 'string' || Array.isArray(valid[field])),
    )
    const hostile = Object.fromEntries(
      fields.map((field) => [field, Array.isArray(valid[field]) ? [value] : value]),
    )
    const first = await service.post(`/api/${name}/`, { ...valid, ...hostile })
    const rejected = first.status === 400 ? Object.keys(first.body) : []
    const acceptedFields = Object.entries(hostile).filter(([field]) => !rejected.includes(field))
    const record = { ...valid, ...Object.fromEntries(acceptedFields) }
    if (first.status === 400) {
      const again = await service.post(`/api/${name}/`, record)
      expect(again.status, again.text).to.equal(201)
    }
    accepted.set(name, (accepted.get(name) ?? 0) + acceptedFields.length)
    paths.push(`/api/${name}/${encodeURIComponent(String(record[id]).trim())}/`)
  }

  it('are stored in many fields of every resource', () => {
    for (const [name] of kinds)
      expect(accepted.get(name), name).to.be.greaterThan(4 * HOSTILE.length)
  })

  it('do not run on the page of any record', async () => {
    for (const path of paths) expectInert(await open(service, path), path)
  })

  it('do not run on lists, nor as search, order and filters of lists', async function () {
    if (!WITH_INDEX) this.skip()
    for (const [name] of kinds) {
      expectInert(await open(service, `/api/${name}/?page_size=100`), name)
      for (const value of HOSTILE)
        for (const by of name === 'zines'
          ? ['search', 'q', 'ordering', 'subject', 'subject__in', 'place', 'repository']
          : ['search', 'q']) {
          const query = new URLSearchParams({ [by]: value })
          for (const path of [`/api/${name}/?${query}`, `/explore?${query}`, `/map?${query}`])
            expectInert(await open(service, path), path)
        }
    }
  })

  it('do not run in the results of a search of all kinds', async function () {
    if (!WITH_INDEX) this.skip()
    for (const value of [...HOSTILE, 'hostile']) {
      const path = `/api/search/?${new URLSearchParams({ q: value })}`
      expectInert(await open(service, path), path)
    }
  })

  it('do not run on the home page and the pages of vocabularies and places', async () => {
    for (const path of [
      '/api/',
      '/dataset',
      '/explore?rows=creator&columns=subject',
      '/makers?letter=%23',
      '/makers?letter=M',
      '/map',
      '/explore?rows=repository&columns=country',
      '/api/vocabularies/',
      '/api/vocabularies/subjects/',
      '/api/vocabularies/subjects/hostile/',
      `/api/vocabularies/subjects/${encodeURIComponent(CODE)}/`,
      '/vocabularies/subjects',
      ...HOSTILE.flatMap((value) => {
        const search = new URLSearchParams({ search: value })
        return [`/api/vocabularies/subjects/?${search}`, `/api/geography/places/?${search}`]
      }),
      `/api/geography/places/?${new URLSearchParams({ country_code: HOSTILE[3] ?? '', level: HOSTILE[3] ?? '' })}`,
    ])
      expectInert(await open(service, path), path)
  })

  it('are shown as text', async () => {
    const { text } = await open(service, '/api/vocabularies/subjects/hostile/')
    expect(text).to.include('<script>alert(1)</script>')
    expect(text).to.include('"><img src=x onerror=alert(1)>')
    expect((await open(service, '/api/')).text).to.include('<script>alert(1)</script>')
  })

  it('in the properties of a term link only to other terms and to web addresses', async () => {
    const page = await open(service, '/api/vocabularies/subjects/hostile/')
    expect(addressesIn(page)).to.include('http://elsewhere.example/')
    expect(addressesIn(page)).to.include(`/api/vocabularies/subjects/${encoded}/`)
    expect(page.text).to.include('javascript:alert(2)')
  })
})
