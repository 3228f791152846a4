// Tests the vocabularies under /api/vocabularies/, and the local terms that an institution adds.
// Places, countries and languages are tested in geography.test.ts.

import { expect } from 'chai'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { agent, zine } from '../../examples.js'
import { BASE_URL, startService, useService, type TestService } from '../../service.js'

const words = (text: string) => text.trim().split(/\s+/)

/** Codes that each vocabulary must have. */
const CODES = {
  subjects: words(`feminism personal-narrative daily-life zine-making diy how-to food humor
    parenting race punk critical-theory activism music politics queer trans mental-health
    disability art comics poetry travel anarchism`),
  genres: words(`perzine fanzine art-zine comic-zine political-zine instructional resource-guide
    essay-zine literary-zine compilation-zine newsletter`),
  'agent-kinds': words('Person Collective Organization'),
  'agent-roles': words(`creator editor illustrator publisher distributor contributor photographer
    translator printer`),
  'repository-kinds': words(`academic-library public-library special-library archive
    community-archive distro personal-collection museum other`),
  'access-status': words('circulating reading-room-only restricted digital-only personal-use'),
  'rights-status': words(`all-rights-reserved anti-copyright copyleft freely-duplicatable cc0
    cc-by-4.0 cc-by-sa-4.0 cc-by-nc-4.0 cc-by-nc-sa-4.0 unknown`),
  'content-advice': words('self-harm suicide sexual-assault violence nudity racism'),
  formats: words(`half-letter quarter-letter mini one-page-folded digest full-size a5 a6 digital`),
}

/** Vocabularies that have exactly these codes. */
const COMPLETE_LISTS = ['agent-kinds', 'repository-kinds', 'access-status']

describe('reference lists:', () => {
  const service = useService()
  const getJson = async (name: string, query = '') =>
    (await service().get(`/api/vocabularies/${name}/${query}`)).body

  for (const [name, codes] of Object.entries(CODES))
    describe(`the vocabulary ${name}`, () => {
      it('is a plain array', async () => {
        const { status, body } = await service().get(`/api/vocabularies/${name}/`)
        expect(status).to.equal(200)
        expect(body).to.be.an('array')
      })

      it('is complete in one answer, whatever page is requested', async () => {
        const whole = await getJson(name)
        expect(await getJson(name, '?page_size=1&page=2')).to.deep.equal(whole)
      })

      it('has the required codes', async () => {
        const found = (await getJson(name)).map((entry: any) => entry.code)
        if (COMPLETE_LISTS.includes(name)) expect(found).to.have.members(codes)
        else expect(found).to.include.members(codes)
      })

      it('has no duplicate codes', async () => {
        const found = (await getJson(name)).map((entry: any) => entry.code)
        expect(new Set(found).size).to.equal(found.length)
      })

      it('is sorted by label', async () => {
        const labels = (await getJson(name)).map((entry: any) => entry.label)
        expect(labels).to.deep.equal(labels.toSorted(inEnglish))
      })

      it('has entries with code, label, uri and optionally a definition', async () => {
        for (const entry of await getJson(name)) {
          const { definition, ...rest } = entry
          expect(rest).to.have.all.keys('code', 'label', 'uri')
          for (const text of Object.values(rest)) expect(text).to.be.a('string').and.not.be.empty
          if ('definition' in entry) expect(definition).to.be.a('string').and.not.be.empty
        }
      })

      it('has entries with the URI of their code under BASE_URL', async () => {
        for (const { code, uri } of await getJson(name))
          expect(uri).to.equal(`${BASE_URL}/vocabularies/${name}#${code}`)
      })

      it('shows each entry at the path of its code', async () => {
        for (const entry of (await getJson(name)).slice(0, 20))
          expect(await getJson(name, `${encodeURIComponent(entry.code)}/`)).to.deep.equal(entry)
      })

      for (const code of ['none', '__proto__', 'constructor', (codes[0] ?? '').toUpperCase()])
        it(`answers 404 for the code ${code}`, async () => {
          const { status, body } = await service().get(`/api/vocabularies/${name}/${code}/`)
          expect(status).to.equal(404)
          expect(body).to.deep.equal({ detail: 'Not found.' })
        })

      it('can be searched by code', async () => {
        const [code = ''] = codes
        const found = (await getJson(name, `?search=${code}`)).map((entry: any) => entry.code)
        expect(found).to.include(code)
        expect(found.length).to.be.below((await getJson(name)).length)
      })

      it('can be searched by label in any case', async () => {
        const [first] = await getJson(name)
        for (const label of [first.label.toUpperCase(), first.label.toLowerCase()])
          expect(await getJson(name, `?search=${encodeURIComponent(label)}`)).to.deep.include(first)
      })

      it('is an empty array for a search without matches', async () => {
        expect(await getJson(name, '?search=xyzzyx')).to.deep.equal([])
      })
    })

  it('there are at least 200 subjects', async () => {
    expect((await getJson('subjects')).length).to.be.at.least(200)
  })

  it('at least nine in ten subjects have a definition', async () => {
    const subjects = await getJson('subjects')
    const defined = subjects.filter((entry: any) => entry.definition)
    expect(defined.length / subjects.length).to.be.at.least(0.9)
  })

  for (const path of ['/api/vocabularies/subjects/', '/api/vocabularies/subjects/punk/'])
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      it(`${method} ${path} answers 405`, async () => {
        expect((await service().ask(method, path)).status).to.equal(405)
      })
})

describe('local terms of a vocabulary', () => {
  let dataDir = ''

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'zine-catalogue-local-'))
  })
  afterEach(() => rm(dataDir, { recursive: true, force: true }))

  const TERM = `@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
    <#basement-shows> a skos:Concept ;
      skos:notation "basement-shows" ;
      skos:prefLabel "Basement shows"@en ;
      skos:definition "Concerts below ground."@en .`

  /** Puts a file into the vocabularies of the data directory. */
  async function writeVocabulary(file: string, text: string) {
    const path = join(dataDir, 'vocabularies', file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }

  async function withService(use: (service: TestService) => Promise<void>) {
    const service = await startService({ DATA_DIR: dataDir })
    try {
      await use(service)
    } finally {
      await service.close()
    }
  }

  it('can be read at the path of their code', async () => {
    await writeVocabulary('subjects.ttl', TERM)
    await withService(async (service) => {
      const { body } = await service.get('/api/vocabularies/subjects/basement-shows/')
      expect(body).to.deep.equal({
        code: 'basement-shows',
        label: 'Basement shows',
        uri: `${BASE_URL}/vocabularies/subjects#basement-shows`,
        definition: 'Concerts below ground.',
      })
    })
  })

  it('are in the list with the other terms', async () => {
    await writeVocabulary('subjects.ttl', TERM)
    await withService(async (service) => {
      const { body } = await service.get('/api/vocabularies/subjects/')
      const codes = body.map((entry: any) => entry.code)
      expect(codes).to.include.members(['basement-shows', 'punk'])
    })
  })

  it('can be the subject of a zine, which shows their label', async () => {
    await writeVocabulary('subjects.ttl', TERM)
    await withService(async (service) => {
      await service.post('/api/agents/', agent('maker'))
      const { body } = await service.post('/api/zines/', zine('z', { subject: ['basement-shows'] }))
      expect(body.subject[0]).to.include({ code: 'basement-shows', label: 'Basement shows' })
    })
  })

  it('can be the genre of a zine, which shows their label', async () => {
    await writeVocabulary('genres.ttl', TERM)
    await withService(async (service) => {
      await service.post('/api/agents/', agent('maker'))
      const { body } = await service.post('/api/zines/', zine('z', { genre: ['basement-shows'] }))
      expect(body.genre[0]).to.include({ code: 'basement-shows', label: 'Basement shows' })
    })
  })

  for (const [problem, text] of [
    ['is not Turtle', 'Basement shows, and other subjects.'],
    ['is truncated', TERM.slice(0, -10)],
    ['has a term without a label', TERM.replace(/skos:prefLabel [^;]*;/, '')],
  ] as const)
    it(`stop the service from starting, with an error that names their file, when it ${problem}`, async () => {
      await writeVocabulary('subjects.ttl', text)
      const failure = await startService({ DATA_DIR: dataDir }).then(
        (service) => service.close(),
        (error: unknown) => error,
      )
      expect(failure).to.be.instanceOf(Error).with.property('message').that.includes('subjects.ttl')
    })
})

const inEnglish = new Intl.Collator('en').compare
