// What this feature adds to the service.

import type { PartsOf } from '../../http/feature.js'
import type { ResourceName } from '../../model/iris.js'
import { exportEndpoints } from './exports.js'
import { listPage } from './list.js'
import { createRecordBodies } from './rdf-bodies.js'
import { recordFormEndpoints } from './record-form.js'
import { recordPage } from './record.js'
import { recordEndpoints } from './records-api.js'
import { visibilityEndpoints } from './visibility.js'

type RecordParts = PartsOf<typeof recordEndpoints>

type Parts = Omit<RecordParts, 'pages' | 'bodies' | 'documents'> &
  Omit<PartsOf<typeof exportEndpoints>, 'serializers'> &
  Omit<PartsOf<typeof createRecordBodies>, 'documents'> &
  PartsOf<typeof listPage> &
  PartsOf<typeof recordPage> & {
    readonly exports: PartsOf<typeof exportEndpoints>['serializers']
    readonly documents: {
      readonly read: PartsOf<typeof createRecordBodies>['documents']
      readonly rewrite: RecordParts['documents']
    }
  }

export const recordsFeature = {
  name: 'records',
  api(parts: Parts) {
    const { documents, resources } = parts
    return [
      // Before the records, whose paths are more general.
      ...exportEndpoints({ ...parts, serializers: parts.exports }),
      ...recordEndpoints({
        ...parts,
        pages: {
          list: (name: ResourceName) => listPage(parts, resources[name]),
          record: (name: ResourceName) => recordPage(parts, resources[name]),
        },
        bodies: createRecordBodies({ ...parts, documents: documents.read }),
        documents: documents.rewrite,
      }),
    ]
  },
  pages: (parts: PartsOf<typeof recordFormEndpoints>) => [
    ...recordFormEndpoints(parts),
    ...visibilityEndpoints(parts),
  ],
}
