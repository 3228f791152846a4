// The identifiers of items: `oai:{host}:{kind}/{percent-encoded id}`.

import { recordKey, referenceOf } from '../../catalogue/records/record-cache.js'
import { resourceNames } from '../../model/iris.js'
import { decodeSegment, encodeSegment } from '../../rdf/terms.js'

export type Identifiers = ReturnType<typeof createIdentifiers>

/** @param base the base URL */
export function createIdentifiers(base: string) {
  const host = new URL(base).hostname
  const prefix = `oai:${host}:`
  return {
    host,
    /** The identifier of the record with this key. */
    ofKey(key: string): string {
      const { target, id } = referenceOf(key)
      return `${prefix}${target}/${encodeSegment(id)}`
    },
    /** The key of the record with an identifier; undefined for one that no record can have. */
    toKey(identifier: string): string | undefined {
      if (!identifier.startsWith(prefix)) return undefined
      const [name, segment, ...more] = identifier.slice(prefix.length).split('/')
      const target = resourceNames.find((resourceName) => resourceName === name)
      if (!target || segment === undefined || more.length > 0) return undefined
      const id = decode(segment)
      return id === undefined || encodeSegment(id) !== segment
        ? undefined
        : recordKey({ target, id })
    },
  }
}

function decode(segment: string): string | undefined {
  try {
    return decodeSegment(segment)
  } catch {
    return undefined
  }
}
