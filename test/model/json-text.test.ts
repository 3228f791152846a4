// The JSON that is written without a view, compared with that of the view.

import { expect } from 'chai'
import fc from 'fast-check'

import { type ResourceName, createIris, resourceNames } from '../../src/model/iris.js'
import { createJsonWriter } from '../../src/model/record/json-text.js'
import { type Reference, toView } from '../../src/model/record/views.js'
import type { RecordValues } from '../../src/model/record/values.js'
import { openModel } from './model.js'
import { anyRecordValues } from './record-values.js'

const { resources } = await openModel(createIris('https://zines.example'))
const writeJson = createJsonWriter(resources)

type Referred = Readonly<Record<ResourceName, RecordValues>> & { readonly missing: number }

/** A record of each resource, and of how many identifiers there is none. */
const anyReferred: fc.Arbitrary<Referred> = fc.record({
  agents: anyRecordValues(resources, 'agents'),
  zines: anyRecordValues(resources, 'zines'),
  repositories: anyRecordValues(resources, 'repositories'),
  holdings: anyRecordValues(resources, 'holdings'),
  missing: fc.nat(2),
})

const lookupIn =
  (referred: Referred) =>
  ({ target, id }: Reference): RecordValues | undefined =>
    id.length % 3 === referred.missing
      ? undefined
      : { ...referred[target], [resources[target].id.name]: id }

describe('the JSON text of a record', () => {
  for (const name of resourceNames)
    for (const view of ['list', 'detail', 'private'] as const)
      it(`of ${name} is that of the view ${view}, with records that exist and that do not`, () => {
        fc.assert(
          fc.property(anyRecordValues(resources, name), anyReferred, (values, referred) => {
            const record = { resource: resources[name], values, lookup: lookupIn(referred) }
            expect(writeJson(record, view)).to.equal(
              JSON.stringify(toView(resources, record, view)),
            )
          }),
          { numRuns: 100 },
        )
      })
})
