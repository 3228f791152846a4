// JSON: the read shapes and the page object of the specification.

import type { Resources } from '../model/resources.js'
import { show } from '../model/record/views.js'
import type { Press } from './serializer.js'

export function jsonPress(resources: Resources): Press {
  return {
    name: 'json',
    type: 'application/json',
    brief: true,
    record: (sheet) => JSON.stringify(show(resources, sheet, 'detail')),
    open({ count, links }) {
      const { next = null, previous = null } = links ?? {}
      return `${JSON.stringify({ count, next, previous }).slice(0, -1)},"results":[`
    },
    item: (sheet, index) =>
      (index === 0 ? '' : ',') + JSON.stringify(show(resources, sheet, 'list')),
    close: () => ']}',
  }
}
