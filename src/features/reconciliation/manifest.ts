// The manifest of the reconciliation service, and the entities, types and properties as its answers
// show them (docs/reference/reconciliation.md).

import type { CellValue, Extension } from './extension.js'
import { type Entity, type EntityType, entityTypes, typeLabels, writeKey } from './entities.js'
import type { Candidate } from './reconciler.js'

/** The size in pixels of the frame of a preview. */
const previewSize = { width: 420, height: 200 } as const

type ManifestInput = {
  /** What the catalogue is called. */
  readonly name: string
  /** The scheme and host that the client used. */
  readonly origin: string
  /** BASE_URL. */
  readonly base: string
  readonly version: string
}

export const manifestOf = ({ name, origin, base, version }: ManifestInput) => ({
  versions: ['0.1', '0.2'],
  name,
  identifierSpace: `${base}/id/`,
  schemaSpace: `${base}/ns#`,
  serviceVersion: version,
  documentation: `${origin}/api/schema/swagger-ui/`,
  defaultTypes: entityTypes.map(typeObject),
  view: { url: `${origin}/reconcile/view?id={{id}}` },
  preview: { url: `${origin}/reconcile/preview?id={{id}}`, ...previewSize },
  suggest: {
    entity: { service_url: origin, service_path: '/reconcile/suggest/entity' },
    property: { service_url: origin, service_path: '/reconcile/suggest/property' },
    type: { service_url: origin, service_path: '/reconcile/suggest/type' },
  },
  extend: {
    propose_properties: { service_url: origin, service_path: '/reconcile/properties' },
    property_settings: [],
  },
})

export const typeObject = (type: EntityType) => ({ id: type, name: typeLabels[type] })

const describe = ({ description }: Entity) => (description === '' ? {} : { description })

export const candidateJson = ({ entity, score, features, isMatch }: Candidate) => ({
  id: writeKey(entity),
  name: entity.name,
  ...describe(entity),
  type: [typeObject(entity.type)],
  score,
  features,
  match: isMatch,
})

export const suggestionJson = (entity: Entity) => ({
  id: writeKey(entity),
  name: entity.name,
  ...describe(entity),
  notable: [typeObject(entity.type)],
})

/** The answer to a data extension query. */
export function extensionJson(
  properties: readonly string[],
  rows: ReadonlyMap<string, ReadonlyMap<string, readonly CellValue[]>>,
  find: Extension['find'],
) {
  return {
    meta: properties.map((id) => {
      const { name = id, type } = find(id) ?? {}
      return { id, name, ...(type === undefined ? {} : { type: typeObject(type) }) }
    }),
    rows: Object.fromEntries([...rows].map(([id, cells]) => [id, Object.fromEntries(cells)])),
  }
}
