// The JSON that is written without a view, compared with that of the view.

import { expect } from 'chai'
import fc from 'fast-check'

import { createIris, resourceNames } from '../../src/model/iris.js'
import { createJsonWriter } from '../../src/model/record/json-text.js'
import { type Reference, toView } from '../../src/model/record/views.js'
import { openModel } from './model.js'
import { anyRecordValues } from './record-values.js'

const { resources } = await openModel(createIris('https://zines.example'))
const writeJson = createJsonWriter(resources)

describe('the JSON text of a record', () => {
  for (const name of resourceNames)
    for (const view of ['list', 'detail', 'private'] as const)
      it(`of ${name} is that of the view ${view}, with records that exist and that do not`, () => {
        const referred = fc.record({
          agents: anyRecordValues(resources, 'agents'),
          zines: anyRecordValues(resources, 'zines'),
          repositories: anyRecordValues(resources, 'repositories'),
          holdings: anyRecordValues(resources, 'holdings'),
        })
        fc.assert(
          fc.property(anyRecordValues(resources, name), referred, (values, others) => {
            const lookup = ({ target, id }: Reference) =>
              id.length % 3 === 0 ? undefined : others[target]
            const record = { resource: resources[name], values, lookup }
            expect(writeJson(record, view)).to.equal(
              JSON.stringify(toView(resources, record, view)),
            )
          }),
          { numRuns: 100 },
        )
      })
})
