// Tests over HTTP that what this catalogue writes comes back through an import unchanged, whatever characters it has.

import { expect } from 'chai'
import fc from 'fast-check'

import {
  createCollectionDirectory,
  createRecords,
  hasCollection,
  readCollection,
} from '../../collection.js'
import { type TestService, startService } from '../../service.js'
import { listPath, recordPath, unique, useCatalogue } from '../../http/catalogue.js'
import { minimal } from '../../examples.js'
import { importClient } from './import-client.js'

const kinds = ['agents', 'repositories', 'zines', 'holdings'] as const

const formats = ['jsonl', 'csv'] as const

const exportOf = async (service: TestService, kind: string, format: string): Promise<string> =>
  (await service.get(`/api/${kind}/export/?format=${format}`)).text

describe('an export of this catalogue', () => {
  const { service } = useCatalogue()
  const { begin, get, post, write } = importClient(service)

  /** What no reader of other tables would leave alone. */
  const texts = [
    'one | two',
    'a\\|b|c',
    'two  spaces   and\ttab',
    'R&amp;B itâ€™s',
    '="0123"',
    "'quoted'",
    'line\nbreak\r\nand "quotes", commas; semicolons',
    'unknown',
    'Doris #24',
    'sic transit /',
    '[1999]',
    'Ünïcode ﬁ 🄰 e\u0301',
    '\u2028\u0085x',
    '#REF!',
  ]

  /** Records of all kinds with these texts, and identifiers that addresses have to escape. */
  async function createAll(prefix: string, values: readonly string[]): Promise<void> {
    const [first = 'x', ...others] = values
    const id = `${prefix} a/b|c`
    const bodies = {
      agents: minimal.agents(id, {
        display_name: first,
        alternative_names: values,
        biography: others.join('\n') || 'x',
      }),
      repositories: minimal.repositories(id, { repository_name: first.slice(0, 100) }),
      zines: minimal.zines(id, {
        title: first,
        creator: [id],
        public_notes: [...values, first],
        abstract: values.join('  '),
        alternative_title: values,
        identifier: values,
      }),
      holdings: minimal.holdings(id, {
        zine_id: id,
        repository_id: id,
        call_number: first.slice(0, 50),
        notes: [...values, first],
        copy_count: 3,
        barcode: '0001',
      }),
    }
    for (const kind of kinds) {
      const { status, text } = await service().post(listPath(kind), bodies[kind])
      expect(status, text).to.equal(201)
    }
  }

  async function expectUnchanged(): Promise<void> {
    for (const kind of kinds)
      for (const format of formats) {
        const text = await exportOf(service(), kind, format)
        const { id } = await begin(text, `filename=${kind}.${format}`)
        const { preview } = await post(id, 'preview/')
        const count = (await service().get(listPath(kind))).body.count as number
        expect(preview, `${kind} as ${format}`).to.deep.include({
          counts: { [kind]: { unchanged: count } },
          rows: { written: count, skipped: 0, refused: 0 },
        })
      }
  }

  it('is imported as it is: nothing would change', async () => {
    for (const [index] of texts.entries())
      await createAll(unique('own'), [...texts.slice(index), ...texts.slice(0, index)])
    await expectUnchanged()
  })

  it('is imported as it is, whatever its texts are', async () => {
    const value = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
      .filter(
        (text) =>
          text.trim() !== '' && !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(text),
      )
    for (const values of fc.sample(fc.array(value, { minLength: 1, maxLength: 20 }), 10))
      await createAll(unique('any'), values)
    await expectUnchanged()
  })

  for (const format of formats)
    it(`changes what was edited in it, and nothing else, as ${format}`, async () => {
      const prefix = unique('edited')
      await createAll(prefix, texts)
      const id = `${prefix} a/b|c`
      const before = (await service().get(recordPath('zines', id))).body
      const text = (await exportOf(service(), 'zines', format)).replaceAll('one | two  a', 'edited')
      const one = await begin(text, `filename=zines.${format}`)
      const { written } = await write(one.id)
      expect(written.zines.updated).to.be.greaterThan(0)
      expect(written.zines).to.have.all.keys('updated', 'unchanged')
      const after = (await service().get(recordPath('zines', id))).body
      expect(after).to.deep.equal({
        ...before,
        abstract: before.abstract.replaceAll('one | two  a', 'edited'),
        updated_at: after.updated_at,
      })
      await post(one.id, 'undo/')
    })

  it('makes the records again where they are not there', async () => {
    const prefix = unique('moved')
    await createAll(prefix, texts)
    const id = `${prefix} a/b|c`
    const records = await Promise.all(
      kinds.map(async (kind) => [kind, (await service().get(recordPath(kind, id))).body] as const),
    )
    const exports = new Map<string, string>()
    for (const kind of kinds) exports.set(kind, await exportOf(service(), kind, 'jsonl'))
    for (const kind of kinds.toReversed())
      expect((await service().ask('DELETE', recordPath(kind, id))).status).to.equal(204)
    for (const kind of kinds) {
      const { id: one } = await begin(exports.get(kind) ?? '', 'filename=a.jsonl')
      const { preview } = await post(one, 'preview/')
      const { results } = await get(one, 'preview/?outcome=refused')
      expect(results, JSON.stringify(results)).to.deep.equal([])
      expect(preview.counts[kind].created, kind).to.equal(1)
      await post(one, 'commit/')
    }
    for (const [kind, before] of records) {
      const { body: after } = await service().get(recordPath(kind, id))
      const { created_at, updated_at } = after
      expect(after, kind).to.deep.equal({ ...before, created_at, updated_at })
    }
  })
})

const ofCollection = hasCollection ? '' : ' (skipped: COLLECTION_FILES is not set)'

describe(`an export of the real collection${ofCollection}`, () => {
  let service: TestService
  const { begin, post } = importClient(() => service)

  before(async function () {
    if (!hasCollection) return this.skip()
    service = await startService({ DATA_DIR: await createCollectionDirectory() })
    for (const kind of kinds) await createRecords(service, kind, await readCollection(kind))
  })

  after(() => (hasCollection ? service.stop() : undefined))

  for (const kind of kinds)
    for (const format of formats)
      it(`updates nothing when it is imported: ${kind} as ${format}`, async () => {
        const { id } = await begin(await exportOf(service, kind, format), `filename=a.${format}`)
        const { preview } = await post(id, 'preview/')
        expect(preview.counts).to.have.all.keys(kind)
        expect(preview.counts[kind]).to.have.all.keys('unchanged')
        expect(preview.rows).to.include({ skipped: 0, refused: 0 })
      })
})
