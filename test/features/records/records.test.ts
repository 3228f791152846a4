// Tests POST, GET, PUT, PATCH and DELETE as far as they are the same for all four resources. What is
// special to one resource is tested in its own file, such as zines.test.ts.

import { expect } from 'chai'

import {
  isEmptyValue,
  listPath,
  recordPath,
  resources,
  shown,
  staffFields,
  toBody,
  unique,
  unset,
  useCatalogue,
} from '../../http/catalogue.js'

describe('records:', () => {
  const { service, given } = useCatalogue()

  for (const resource of resources) {
    const { name, noun, idField, textField, required, minimal, full } = resource
    const list = listPath(name)

    describe(`${name}:`, () => {
      it('a POST answers 201 with the same record as GET', async () => {
        const id = unique(idField)
        const created = await service().post(list, full(id))
        expect(created.status, created.text).to.equal(201)
        const read = await service().get(recordPath(name, id))
        expect(created.body).to.deep.equal(read.body)
      })

      it('GET shows every field as it was sent', async () => {
        const id = unique(idField)
        await service().post(list, full(id))
        const read = await service().get(recordPath(name, id))
        expect(read.status).to.equal(200)
        expect(toBody(resource, read.body)).to.deep.equal(shown(resource, full(id)))
      })

      it('GET shows fields that were never set as empty or as their default', async () => {
        const id = unique(idField)
        await service().post(list, minimal(id))
        const read = await service().get(recordPath(name, id))
        expect(toBody(resource, read.body)).to.deep.equal(shown(resource, minimal(id)))
      })

      it('a POST of an identifier in use answers 400', async () => {
        const id = unique(idField)
        await service().post(list, full(id))
        const again = await service().post(list, minimal(id))
        expect(again.status).to.equal(400)
        expect(again.body).to.deep.equal({
          [idField]: [`${noun} with this ${idField} already exists.`],
        })
      })

      it('a POST of an identifier in use does not change the record', async () => {
        const id = unique(idField)
        const created = await service().post(list, full(id))
        await service().post(list, minimal(id))
        expect((await service().get(recordPath(name, id))).body).to.deep.equal(created.body)
      })

      it('of two simultaneous POSTs of one identifier, one answers 201 and one 400', async () => {
        const id = unique(idField)
        const answers = await Promise.all([1, 2].map(() => service().post(list, minimal(id))))
        expect(answers.map((answer) => answer.status).sort()).to.deep.equal([201, 400])
      })

      it('a PUT answers 200 with the same record as GET', async () => {
        const id = (await given.record(resource))[idField]
        const replaced = await service().put(recordPath(name, id), full(id))
        expect(replaced.status, replaced.text).to.equal(200)
        expect(replaced.body).to.deep.equal((await service().get(recordPath(name, id))).body)
      })

      it('a PUT writes every field that it contains', async () => {
        const id = (await given.record(resource))[idField]
        await service().put(recordPath(name, id), full(id))
        const read = await service().get(recordPath(name, id))
        expect(toBody(resource, read.body)).to.deep.equal(shown(resource, full(id)))
      })

      it('a PUT clears the optional fields that it omits', async () => {
        const id = unique(idField)
        await service().post(list, full(id))
        await service().put(recordPath(name, id), minimal(id))
        const read = await service().get(recordPath(name, id))
        expect(toBody(resource, read.body)).to.deep.equal(shown(resource, minimal(id)))
      })

      for (const field of required)
        it(`a PUT without ${field} answers 400 “This field is required.”`, async () => {
          const id = (await given.record(resource))[idField]
          const answer = await service().put(recordPath(name, id), {
            ...full(id),
            [field]: undefined,
          })
          expect(answer.status).to.equal(400)
          expect(answer.body).to.deep.equal({ [field]: ['This field is required.'] })
        })

      it('a PUT of a record that does not exist answers 404', async () => {
        const id = unique(idField)
        const answer = await service().put(recordPath(name, id), minimal(id))
        expect(answer.status).to.equal(404)
        expect(answer.body).to.deep.equal({ detail: 'Not found.' })
      })

      it('a PUT of a record that does not exist creates none', async () => {
        const id = unique(idField)
        await service().put(recordPath(name, id), minimal(id))
        expect((await service().get(recordPath(name, id))).status).to.equal(404)
      })

      // Those for staff: staff-fields.test.ts.
      const unseen = [idField, ...staffFields(name)]
      for (const field of Object.keys(full('any')).filter((field) => !unseen.includes(field)))
        it(`a PATCH of ${field} changes only that field`, async () => {
          const created = await given.record(resource)
          const { [field]: value } = full(created[idField])
          const changed = await service().patch(recordPath(name, created[idField]), {
            [field]: value,
          })
          expect(changed.status, changed.text).to.equal(200)
          expect(toBody(resource, changed.body)).to.deep.equal({
            ...toBody(resource, created),
            [field]: value,
          })
        })

      // A field with a default cannot be cleared.
      const emptyFields = Object.entries(unset(resource)).filter(([, value]) => isEmptyValue(value))
      for (const [field, empty] of emptyFields)
        it(`a PATCH with ${JSON.stringify(empty)} clears ${field}`, async () => {
          const id = unique(idField)
          await service().post(list, full(id))
          const changed = await service().patch(recordPath(name, id), { [field]: empty })
          expect(changed.status, changed.text).to.equal(200)
          expect(toBody(resource, changed.body)).to.deep.equal(
            shown(resource, { ...full(id), [field]: empty }),
          )
        })

      it('a PATCH answers with the same record as GET', async () => {
        const id = (await given.record(resource))[idField]
        const changed = await service().patch(recordPath(name, id), { [textField]: 'Changed.' })
        expect(changed.body).to.deep.equal((await service().get(recordPath(name, id))).body)
      })

      it('a PATCH of a record that does not exist answers 404', async () => {
        const answer = await service().patch(recordPath(name, unique(idField)), {
          [textField]: 'Changed.',
        })
        expect(answer.status).to.equal(404)
        expect(answer.body).to.deep.equal({ detail: 'Not found.' })
      })

      it('a refused PATCH writes none of its fields', async () => {
        const created = await given.record(resource)
        const id = created[idField]
        const last = required.at(-1) ?? ''
        await service().patch(recordPath(name, id), { [textField]: 'Changed.', [last]: null })
        expect((await service().get(recordPath(name, id))).body).to.deep.equal(created)
      })

      it('a DELETE answers 204 with no body', async () => {
        const id = (await given.record(resource))[idField]
        const deleted = await service().delete(recordPath(name, id))
        expect(deleted.status).to.equal(204)
        expect(deleted.text).to.equal('')
      })

      it('GET of a deleted record answers 404', async () => {
        const id = (await given.record(resource))[idField]
        await service().delete(recordPath(name, id))
        const read = await service().get(recordPath(name, id))
        expect(read.status).to.equal(404)
        expect(read.body).to.deep.equal({ detail: 'Not found.' })
      })

      it('a deleted record is in no list', async () => {
        const id = (await given.record(resource))[idField]
        await service().delete(recordPath(name, id))
        const { body } = await service().get(`${list}?page_size=100`)
        expect(body.results.map((record: any) => record[idField])).not.to.include(id)
      })

      it('a second DELETE answers 404', async () => {
        const id = (await given.record(resource))[idField]
        await service().delete(recordPath(name, id))
        const again = await service().delete(recordPath(name, id))
        expect(again.status).to.equal(404)
        expect(again.body).to.deep.equal({ detail: 'Not found.' })
      })

      it('a new record with the identifier of a deleted one has none of its values', async () => {
        const id = unique(idField)
        await service().post(list, full(id))
        await service().delete(recordPath(name, id))
        const again = await service().post(list, minimal(id))
        expect(again.status, again.text).to.equal(201)
        expect(toBody(resource, again.body)).to.deep.equal(shown(resource, minimal(id)))
      })

      it('unknown fields in a body are ignored', async () => {
        const id = unique(idField)
        const created = await service().post(list, minimal(id, { colour: 'red', id: 7 }))
        expect(created.status, created.text).to.equal(201)
        expect(created.body).not.to.have.any.keys('colour', 'id')
      })

      it('the keys __proto__ and constructor in a body are ignored', async () => {
        const id = unique(idField)
        const unusualKeys = `{"__proto__":{"${textField}":"odd"},"constructor":{"prototype":{"${textField}":"odd"}},`
        const raw = unusualKeys + JSON.stringify(minimal(id)).slice(1)
        const created = await service().ask('POST', list, { raw })
        expect(created.status, created.text).to.equal(201)
        expect(toBody(resource, created.body)).to.deep.equal(shown(resource, minimal(id)))
      })

      it('created_at and updated_at in a body are ignored', async () => {
        const id = unique(idField)
        const longAgo = '2001-01-01T00:00:00.000000Z'
        const sent = minimal(id, { created_at: longAgo, updated_at: longAgo })
        const created = await service().post(list, sent)
        expect(created.status, created.text).to.equal(201)
        expect([created.body.created_at, created.body.updated_at]).not.to.include(longAgo)
      })
    })
  }
})
