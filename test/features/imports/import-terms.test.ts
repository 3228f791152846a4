// Tests over HTTP which new terms an import adds to a vocabulary: those of rows that are written, by accounts that
// may write zines.

import { expect } from 'chai'

import { minimal } from '../../examples.js'
import { PASSWORD } from '../../service.js'
import { listPath, unique, useCatalogue } from '../../http/catalogue.js'
import { importClient } from './import-client.js'

describe('new terms of an import', () => {
  const { service } = useCatalogue()
  const { get, settled, send, pathOf } = importClient(service)

  const isTerm = async (code: string): Promise<boolean> =>
    (await service().get(`/api/vocabularies/subjects/${code}/`)).status === 200

  /** Imports rows with a new term as an account, as far as it may. */
  async function importAs(token: string, lines: readonly string[], code: string): Promise<any> {
    const ask = { token }
    const one = await settled(await send(lines.join('\n'), `filename=${code}.csv`, ask))
    const decided = await service().patch(
      pathOf(one.id),
      {
        terms: { subjects: { 'new term': { create: { code, label: `Term ${code}` } } } },
        defaults: {
          zines: { genre: ['zine'], language: ['en'], rights: [], date: null },
          holdings: { repository_id: 'library' },
        },
      },
      ask,
    )
    expect(decided.status, decided.text).to.equal(200)
    for (const part of ['preview/', 'commit/'])
      await settled(await service().post(pathOf(one.id, part), {}, ask))
    return get(one.id)
  }

  for (const [who, rights] of [
    ['is bound to a library', { restrictedTo: [], repository: 'library' }],
    ['may write holdings only', { restrictedTo: ['holdings'] }],
  ] as const)
    it(`are not added by an account that ${who}`, async () => {
      const code = unique('forbidden')
      await service().accounts.add({ name: code, password: PASSWORD, role: 'editor', ...rights })
      const token = await service().accounts.login(code, PASSWORD)
      const title = `There ${code}`
      await service().post(listPath('zines'), minimal.zines(code, { title, date: ['1999'] }))
      const lines = [
        'Title,Author,Year,Tags',
        `${title},Ann,1999,new term`,
        `New ${code},Bob,,new term`,
      ]
      const one = await importAs(token, lines, code)
      expect(await isTerm(code)).to.equal(false)
      expect(one.written.zines).to.equal(undefined)
    })

  it('are added for rows that are written, and not for those that are refused', async () => {
    const code = unique('refused')
    const token = service().tokens.editor
    const refused = await importAs(token, ['Title,Author,Tags', ',Ann,new term'], code)
    expect(refused.preview.rows).to.deep.equal({ written: 0, skipped: 0, refused: 1 })
    expect(await isTerm(code)).to.equal(false)
    await importAs(token, ['Title,Author,Tags', ',Ann,new term', `Z ${code},Ann,new term`], code)
    expect(await isTerm(code)).to.equal(true)
  })
})
