// Serializes records as the JSON of the API: the list and detail views of a record, and the page
// object of lists (docs/api.md, "Lists").

import type { Resources } from '../model/resources.js'
import { toView } from '../model/record/views.js'
import { json } from './common-formats.js'
import type { RecordSerializer } from './serializer.js'

export function jsonSerializer(resources: Resources): RecordSerializer {
  return {
    ...json,
    listsUseListView: true,
    record: (record) => JSON.stringify(toView(resources, record, 'detail')),
    listStart({ count, links, didYouMean }) {
      const { next = null, previous = null } = links ?? {}
      const page = { count, next, previous, did_you_mean: didYouMean }
      return `${JSON.stringify(page).slice(0, -1)},"results":[`
    },
    listItem: (record, index) =>
      (index === 0 ? '' : ',') + JSON.stringify(toView(resources, record, 'list')),
    listEnd: () => ']}',
  }
}
