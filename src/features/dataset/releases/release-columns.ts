// The columns that releases have of a kind.

import { type TableColumn, tableColumns } from '../../../formats/table-columns.js'
import type { Resource, Resources } from '../../../model/resources.js'

/**
 * The public ones. Legal names, e-mail addresses and phone numbers of agents are in no release, also while
 * they are public: an agent may hide them at any time, and others keep what they downloaded.
 */
export const releaseColumns = (resources: Resources, resource: Resource): readonly TableColumn[] =>
  tableColumns(resources, resource).filter(({ field }) => field.private === undefined)
