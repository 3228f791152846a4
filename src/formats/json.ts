// Serializes records as the JSON of the API: the list and detail views of a record, and the page
// object of lists (docs/reference/lists.md, "Lists").

import { createJsonWriter, type WriteRecordJson } from '../model/record/json-text.js'
import { visibilityNames } from '../model/record/visibility.js'
import { toView } from '../model/record/views.js'
import type { Resource, Resources } from '../model/resources.js'
import { json } from './common-formats.js'
import type { RecordSerializer } from './serializer.js'

export function jsonSerializer(resources: Resources, resource: Resource): RecordSerializer {
  const inRecords = [
    ...resource.fields.map(({ outputName }) => outputName),
    ...visibilityNames,
    'hidden_at',
  ]
  const inLists = resource.fields
    .filter((field) => field.inLists)
    .map(({ outputName }) => outputName)
  const select = (names: ReadonlySet<string>): RecordSerializer =>
    serializerFor((record, view) =>
      JSON.stringify(
        Object.fromEntries(
          Object.entries(toView(resources, record, view)).filter(([name]) => names.has(name)),
        ),
      ),
    )
  return {
    ...serializerFor(createJsonWriter(resources)),
    fields: { inLists, inRecords, select },
  }
}

function serializerFor(write: WriteRecordJson): RecordSerializer {
  return {
    ...json,
    listsUseListView: true,
    record: (record) => write(record, 'detail'),
    listStart({ count, links, didYouMean }) {
      const { next = null, previous = null } = links ?? {}
      const page = { count, next, previous, did_you_mean: didYouMean }
      return `${JSON.stringify(page).slice(0, -1)},"results":[`
    },
    listItem: (record, index) => (index === 0 ? '' : ',') + write(record, 'list'),
    listEnd: () => ']}',
  }
}
