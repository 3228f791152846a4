// Tests created_at and updated_at: their format, and when they change.

import { expect } from 'chai'

import { recordPath, resources, useCatalogue } from '../../http/catalogue.js'

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

describe('timestamps:', () => {
  const { service, given } = useCatalogue()

  for (const resource of resources) {
    const { name, idField, textField, minimal } = resource

    describe(`created_at and updated_at of ${name}`, () => {
      it('have six decimals and a Z', async () => {
        const created = await given.record(resource)
        expect(created.created_at).to.match(TIMESTAMP)
        expect(created.updated_at).to.match(TIMESTAMP)
      })

      it('are the time of the request', async () => {
        const start = Date.now()
        const created = await given.record(resource)
        expect(Date.parse(created.created_at)).to.be.within(start - 1, Date.now() + 1)
      })

      it('are equal on creation', async () => {
        const created = await given.record(resource)
        expect(created.updated_at).to.equal(created.created_at)
      })

      it('differ for two records created one after the other', async () => {
        const first = await given.record(resource)
        const second = await given.record(resource)
        expect(second.created_at > first.created_at).to.be.true
      })

      const writes: Readonly<Record<string, (id: string) => [method: string, body: object]>> = {
        'a PUT': (id) => ['PUT', minimal(id, { [textField]: 'Changed.' })],
        'a PUT that changes nothing': (id) => ['PUT', minimal(id)],
        'a PATCH': () => ['PATCH', { [textField]: 'Changed.' }],
        'a PATCH of nothing': () => ['PATCH', {}],
      }

      for (const [write, request] of Object.entries(writes)) {
        it(`change with ${write}: updated_at is later`, async () => {
          const created = await given.record(resource)
          const [method, body] = request(created[idField])
          const written = await service().ask(method, recordPath(name, created[idField]), { body })
          expect(written.status, written.text).to.equal(200)
          expect(written.body.updated_at).to.match(TIMESTAMP)
          expect(written.body.updated_at > created.updated_at).to.be.true
        })

        it(`change with ${write}: created_at stays`, async () => {
          const created = await given.record(resource)
          const [method, body] = request(created[idField])
          const written = await service().ask(method, recordPath(name, created[idField]), { body })
          expect(written.body.created_at).to.equal(created.created_at)
        })
      }

      it('stay the same after a refused PATCH', async () => {
        const created = await given.record(resource)
        const refused = await service().patch(recordPath(name, created[idField]), {
          [textField]: null,
        })
        expect(refused.status).to.equal(400)
        const read = await service().get(recordPath(name, created[idField]))
        expect(read.body.updated_at).to.equal(created.updated_at)
      })

      it('change with each of several PATCHes: updated_at is later', async () => {
        const { [idField]: id } = await given.record(resource)
        const seen: string[] = []
        for (const words of ['One.', 'Two.', 'Three.', 'Four.'])
          seen.push(
            (await service().patch(recordPath(name, id), { [textField]: words })).body.updated_at,
          )
        expect(seen).to.deep.equal([...new Set(seen)].sort())
      })
    })
  }
})
