// Builds the MARC 21 record of a record: of zines bibliographic, of agents authority, of holdings
// holdings records. How a MARC record is written is left to marcxml.ts and marc.ts.

import type { ResourceName } from '../../model/iris.js'
import { type FindPlace, otherCountryCode } from '../../model/place-names.js'
import type { Places } from '../../model/places.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import { type AccessorDependencies, type RecordAccessor, accessRecord } from '../record-accessor.js'
import type { RecordSerializer } from '../serializer.js'
import { createAuthorityRecord } from './authority.js'
import { createBibliographicRecord } from './bibliographic.js'
import { createPlaceCoder } from './country-codes.js'
import { type MarcField, type MarcRecord, fieldsOf } from './fields.js'
import { createHoldingsRecord } from './holdings.js'
import { itemFields } from './items.js'

export type MarcDependencies = AccessorDependencies & {
  /**
   * The MARC code of the organization that runs the catalogue; empty or missing where it has none.
   */
  readonly marcOrgCode?: string
  readonly places: Places
  readonly findPlace: FindPlace
}

type CreateMarcRecord = (record: ResolvedRecord) => MarcRecord

/**
 * A serializer that writes MARC records. That of zines has a variant with the holdings of each zine
 * in its record.
 */
export function serializerWithItems(
  dependencies: MarcDependencies,
  resource: ResourceName,
  create: (createRecord: CreateMarcRecord) => RecordSerializer,
): RecordSerializer {
  const createRecord = marcRecordsOf(dependencies, resource)
  const serializer = create(createRecord)
  if (resource !== 'zines') return withStaffVariant(serializer)
  return withStaffVariant({
    ...serializer,
    withItems(options) {
      const fields = itemFields[options.field](options)
      const withItems = create((record) =>
        addItems(createRecord(record), fields, accessRecord(dependencies, record)),
      )
      return withStaffVariant({ ...withItems, needsHoldings: true })
    },
  })
}

/** A record that has fields for the staff shows them. */
const withStaffVariant = (serializer: RecordSerializer): RecordSerializer => ({
  ...serializer,
  forStaff: { ...serializer, needsStaffFields: true },
})

/** @throws Error for a resource that MARC has no records of */
function marcRecordsOf(dependencies: MarcDependencies, resource: ResourceName): CreateMarcRecord {
  const create = createRecordOf(dependencies, resource)
  if (!create) throw new Error(`MARC has no records of ${resource}`)
  return (record) => create(accessRecord(dependencies, record))
}

function createRecordOf(
  dependencies: MarcDependencies,
  resource: ResourceName,
): ((source: RecordAccessor) => MarcRecord) | undefined {
  const { marcOrgCode = '', iris, resources } = dependencies
  // Fields 003 and 040 name the agency by its MARC code or, without one, by the host of the
  // service.
  const agency = marcOrgCode === '' ? new URL(iris.base).host : marcOrgCode
  if (resource === 'agents') return createAuthorityRecord(agency)
  if (resource === 'holdings') return createHoldingsRecord(agency)
  if (resource !== 'zines') return undefined
  const countries = resources.repositories.byName.get('country')?.vocabulary
  const codesByName = new Map(
    countries?.entries.map(({ code, label }) => [label.toLowerCase(), code]),
  )
  const findCountry = (name: string): string | undefined =>
    codesByName.get(name.toLowerCase()) ?? otherCountryCode(name)
  return createBibliographicRecord(agency, createPlaceCoder({ ...dependencies, findCountry }))
}

const addItems = (
  record: MarcRecord,
  fields: readonly MarcField[],
  zine: RecordAccessor,
): MarcRecord => ({ ...record, data: [...record.data, ...fieldsOf(fields, zine)] })
