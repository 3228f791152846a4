// Tests the error messages for fields that are missing, null, blank or of the wrong type. Lengths
// are tested in lengths.test.ts, codes, references and formats of values in values.test.ts.

import { expect } from 'chai'

import {
  listPath,
  recordPath,
  resourceOf,
  resources,
  toBody,
  unique,
  useCatalogue,
} from '../../http/catalogue.js'

const REQUIRED = 'This field is required.'
const NULL = 'This field may not be null.'
const BLANK = 'This field may not be blank.'
const NOT_A_STRING = 'Not a valid string.'

describe('validation:', () => {
  const { service, given, errorsOfPost } = useCatalogue()

  for (const { name, idField, textField, required, minimal, full } of resources)
    describe(`${name}:`, () => {
      const fields = Object.entries(full('any')).filter(([field]) => field !== idField)
      const strings = fields.filter(([, value]) => typeof value === 'string').map(nameOf)
      const arrays = fields.filter(([, value]) => Array.isArray(value)).map(nameOf)
      const numbers = fields.filter(([, value]) => typeof value === 'number').map(nameOf)
      const requiredStrings = strings.filter((field) => required.includes(field))
      const optional = fields.map(nameOf).filter((field) => !required.includes(field))

      for (const field of required)
        it(`a POST without ${field} answers 400 “This field is required.”`, async () => {
          const sent = minimal(unique(idField), { [field]: undefined })
          const answer = await service().post(listPath(name), sent)
          expect(answer.status).to.equal(400)
          expect(answer.body).to.deep.equal({ [field]: [REQUIRED] })
        })

      it('a POST of {} answers 400 with every required field', async () => {
        const answer = await service().post(listPath(name), {})
        expect(answer.status).to.equal(400)
        expect(answer.body).to.deep.equal(withValue(required, [REQUIRED]))
      })

      it('a POST with null in every required field answers 400 with each of them', async () => {
        const answer = await service().post(listPath(name), withValue(required, null))
        expect(answer.status).to.equal(400)
        expect(answer.body).to.deep.equal(withValue(required, [NULL]))
      })

      it('a POST with null in every optional field but numbers answers 400 with each of them', async () => {
        const nulls = optional.filter((field) => !numbers.includes(field))
        expect(await errorsOfPost(name, withValue(nulls, null))).to.deep.equal(
          withValue(nulls, [NULL]),
        )
      })

      for (const field of numbers)
        it(`a POST with null in the number ${field} is accepted`, async () => {
          const { [idField]: id } = await given.record(resourceOf(name), { [field]: null })
          expect(id).to.be.a('string')
        })

      for (const blank of ['', '  ', '\n'])
        it(`a POST with ${JSON.stringify(blank)} in every required text answers 400 with each of them`, async () => {
          const answer = await service().post(listPath(name), {
            ...minimal(unique(idField)),
            ...withValue([idField, ...requiredStrings], blank),
          })
          expect(answer.status).to.equal(400)
          expect(answer.body).to.deep.equal(withValue([idField, ...requiredStrings], [BLANK]))
        })

      for (const value of [true, false, [], ['x'], {}, { x: 'y' }])
        it(`a POST with ${JSON.stringify(value)} in every text answers 400 “Not a valid string.”`, async () => {
          const sent = { ...minimal(unique(idField)), ...withValue([idField, ...strings], value) }
          const answer = await service().post(listPath(name), sent)
          expect(answer.status).to.equal(400)
          expect(answer.body).to.deep.equal(withValue([idField, ...strings], [NOT_A_STRING]))
        })

      for (const [value, stored] of [
        [1994, '1994'],
        [0, '0'],
        [-1.5, '-1.5'],
      ] as const)
        it(`a POST with the number ${value} in a text stores ${stored}`, async () => {
          const made = await given.record(resourceOf(name), { [textField]: value })
          expect(made[textField]).to.equal(stored)
        })

      for (const [value, type] of [
        ['x', 'str'],
        ['', 'str'],
        [{}, 'dict'],
        [{ 0: 'x', length: 1 }, 'dict'],
        [3, 'int'],
        [0.5, 'float'],
        [true, 'bool'],
        [false, 'bool'],
      ] as const)
        it(`a POST with ${JSON.stringify(value)} in every array answers 400 with the type “${type}”`, async () => {
          expect(await errorsOfPost(name, withValue(arrays, value))).to.deep.equal(
            withValue(arrays, [`Expected a list of items but got type "${type}".`]),
          )
        })

      for (const [element, message] of [
        ['', BLANK],
        ['  ', BLANK],
        [null, NULL],
        [true, NOT_A_STRING],
        [[], NOT_A_STRING],
        [['punk'], NOT_A_STRING],
        [{}, NOT_A_STRING],
      ] as const)
        it(`a POST with the element ${JSON.stringify(element)} in every array answers 400 “Item 1: ${message}”`, async () => {
          expect(await errorsOfPost(name, withValue(arrays, [element]))).to.deep.equal(
            withValue(arrays, [`Item 1: ${message}`]),
          )
        })

      it('a PATCH with wrong types answers 400 with the same messages as a POST', async () => {
        const made = await given.record(resourceOf(name))
        const sent = { ...withValue(strings, []), ...withValue(arrays, [null]) }
        const answer = await service().patch(recordPath(name, made[idField]), sent)
        expect(answer.status).to.equal(400)
        expect(answer.body).to.deep.equal({
          ...withValue(strings, [NOT_A_STRING]),
          ...withValue(arrays, [`Item 1: ${NULL}`]),
        })
      })

      it('a PATCH of {} is accepted and changes no field', async () => {
        const made = await given.record(resourceOf(name))
        const answer = await service().patch(recordPath(name, made[idField]), {})
        expect(answer.status, answer.text).to.equal(200)
        expect(toBody(resourceOf(name), answer.body)).to.deep.equal(toBody(resourceOf(name), made))
      })
    })

  for (const field of ['creator', 'subject'])
    it(`a POST of a zine with an empty ${field} answers 400 “This list may not be empty.”`, async () => {
      expect(await errorsOfPost('zines', { [field]: [] })).to.deep.equal({
        [field]: ['This list may not be empty.'],
      })
    })

  for (const field of ['creator', 'subject'])
    it(`a PATCH of a zine with an empty ${field} answers 400 “This list may not be empty.”`, async () => {
      const { zine_id } = await given.zine()
      const answer = await service().patch(recordPath('zines', zine_id), { [field]: [] })
      expect(answer.status).to.equal(400)
      expect(answer.body).to.deep.equal({ [field]: ['This list may not be empty.'] })
    })

  it('a number as element of an array is stored as its text', async () => {
    expect((await given.zine({ date: [1994, '1995'] })).date).to.deep.equal(['1994', '1995'])
  })

  it('every wrong element of an array is reported with its position', async () => {
    const date = ['1994', '', '1995', null, true, '1996']
    expect(await errorsOfPost('zines', { date })).to.deep.equal({
      date: [`Item 2: ${BLANK}`, `Item 4: ${NULL}`, `Item 5: ${NOT_A_STRING}`],
    })
  })

  it('every wrong field is reported at once, whatever is wrong with it', async () => {
    const { zine_id } = await given.zine()
    const sent = {
      zine_id,
      creator: ['nobody-here'],
      subject: ['no-such-subject'],
      genre: 'perzine',
      abstract: {},
      date: [''],
      language: ['xx'],
      issue_designation: 'x'.repeat(101),
      rights: null,
    }
    const answer = await service().post('/api/zines/', sent)
    expect(answer.status).to.equal(400)
    expect(answer.body).to.deep.equal({
      zine_id: ['Zine with this zine_id already exists.'],
      title: [REQUIRED],
      creator: ["Agent 'nobody-here' does not exist"],
      subject: ['Invalid subject codes: no-such-subject'],
      genre: ['Expected a list of items but got type "str".'],
      abstract: [NOT_A_STRING],
      date: [`Item 1: ${BLANK}`],
      language: ['Invalid language codes: xx'],
      issue_designation: ['Ensure this field has no more than 100 characters.'],
      rights: [NULL],
    })
  })

  it('a refused POST creates no record', async () => {
    const id = unique('zine')
    await service().post('/api/zines/', { zine_id: id })
    expect((await service().get(recordPath('zines', id))).status).to.equal(404)
  })
})

function nameOf([field]: [string, unknown]): string {
  return field
}

/** An object with this value for each of these fields. */
function withValue(fields: readonly string[], value: unknown): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, value]))
}
