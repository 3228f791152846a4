// Serializes records as MARC 21 in ISO 2709, the file that library systems import (`.mrc`). The
// MARC records are built by marc-records.ts and written by iso2709.ts. A list is its records one
// after the other.

import type { ResourceName } from '../../model/iris.js'
import type { Format, RecordSerializer } from '../serializer.js'
import { serializeIso2709 } from './iso2709.js'
import { type MarcDependencies, serializerWithItems } from './marc-records.js'

/** The media type has no parameters (RFC 2220); Leader/09 says that the text is UTF-8. */
export const marc: Format = {
  name: 'marc',
  title: 'MARC (ISO 2709)',
  type: 'application/marc',
  parameters: '',
  extension: 'mrc',
  isBinary: true,
  isLinkedLast: true,
}

export const marcSerializer = (
  dependencies: MarcDependencies,
  resource: ResourceName,
): RecordSerializer =>
  serializerWithItems(dependencies, resource, (createRecord) => {
    const serialize: RecordSerializer['record'] = (record) => serializeIso2709(createRecord(record))
    return {
      ...marc,
      record: serialize,
      listStart: () => '',
      listItem: serialize,
      listEnd: () => '',
    }
  })
