import { expect } from 'chai'

import { createRecordValidation } from '../../src/catalogue/writes/validation.js'
import { createIris } from '../../src/model/iris.js'
import { ValidationError, parsePartial } from '../../src/model/record/input.js'
import type { RecordValues } from '../../src/model/record/values.js'
import { createShaclValidator, createValidator } from '../../src/model/validation/validator.js'
import { openModel } from '../model/model.js'

const iris = createIris('https://zines.example')
const { declared, resources, mapper } = await openModel(iris)
const dependencies = { iris, resources, mapper }
const engine = createShaclValidator(declared.shapes, dependencies)

const resource = resources.zines
const before: RecordValues = {
  zine_id: 'a',
  title: 'Title',
  creator: ['someone', 'deleted'],
  contributor: ['someone'],
  publisher: ['someone'],
  subject: ['punk'],
  language: ['en'],
}

/** Changes the record, and counts how often the SHACL engine runs for it. */
async function validateChange(
  body: Readonly<Record<string, unknown>>,
  stored: RecordValues = before,
): Promise<number> {
  let runs = 0
  const validator = createValidator(declared.shapes, dependencies, {
    validate(...record) {
      runs += 1
      return engine.validate(...record)
    },
  })
  const state = {
    lookup: () =>
      Promise.resolve(({ id }: { readonly id: string }) =>
        id === 'someone' ? { agent_id: id } : undefined,
      ),
    has: () => Promise.resolve(false),
  }
  const parsed = parsePartial(resource, new Map(Object.entries(body)))
  const values = { ...stored, ...parsed.values }
  await createRecordValidation({ iris, validator })({
    resource,
    values,
    parsed,
    knownErrors: new Map(),
    state,
  })
  return runs
}

describe('the validation of a changed record', () => {
  it('does not run the SHACL engine when the references were not sent', async () => {
    expect(await validateChange({ title: 'Another' })).to.equal(0)
  })

  it('does not run the SHACL engine for an old error in a field that was not sent', async () => {
    const old = { ...before, subject: ['no-such-subject'], title: '' }
    expect(await validateChange({ abstract: 'Another' }, old)).to.equal(0)
  })

  it('does not run the SHACL engine when the references that were sent exist', async () => {
    expect(await validateChange({ creator: ['someone'] })).to.equal(0)
  })

  it('reports a reference that was sent and does not exist', async () => {
    const error = await validateChange({ creator: ['someone', 'nobody'] }).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).to.be.instanceOf(ValidationError)
    expect([...(error as ValidationError).fieldErrors.keys()]).to.deep.equal(['creator'])
  })
})
