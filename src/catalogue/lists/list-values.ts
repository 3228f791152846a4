// What the record index alone knows of whole lists: the values by which they are sorted, and how
// many records there are.

import type { ResourceName } from '../../model/iris.js'
import type { Resources } from '../../model/resources.js'
import type { ListSpecs } from './list-specs.js'
import { type AgentName, type ListQuery, type Lists, type UpdateTime, wholeList } from '../lists.js'
import type { PageRange, RecordIndex } from '../sparql-record-index.js'

type ListValuesDependencies = {
  readonly recordIndex: RecordIndex
  readonly resources: Resources
} & ListSpecs

export function createListValues({
  recordIndex,
  resources,
  specOf,
}: ListValuesDependencies): Pick<
  Lists,
  'agentNames' | 'findIds' | 'updateTimes' | 'findsWords' | 'statistics'
> {
  async function agentNames(): Promise<readonly AgentName[]> {
    const { agents } = resources
    const order = ['display_name', 'sort_name'].flatMap((name) => {
      const field = agents.byName.get(name)
      return field ? [{ field, descending: false }] : []
    })
    const listSpec = { resource: agents, filters: [], terms: [], order }
    const count = await recordIndex.count(listSpec)
    const rows = await recordIndex.sortValues(listSpec, { limit: count, offset: 0 })
    return rows.map(([displayName = '', sortName, id]) => ({
      id: String(id),
      displayName: String(displayName),
      filedAs: String(sortName ?? displayName),
    }))
  }

  async function updateTimes(
    name: ResourceName,
    { filters }: Pick<ListQuery, 'filters'>,
    range: PageRange,
  ): Promise<readonly UpdateTime[]> {
    const resource = resources[name]
    const order = ['created_at', 'updated_at'].flatMap((fieldName) => {
      const field = resource.byName.get(fieldName)
      return field ? [{ field, descending: false }] : []
    })
    const listSpec = { ...(await specOf(resource, { ...wholeList, filters })), order }
    const values = await recordIndex.sortValues(listSpec, range)
    return values.map(([, updated, id]) => ({ id: String(id), updated: String(updated) }))
  }

  return {
    agentNames,
    findIds: async (name, query, range) =>
      recordIndex.page(await specOf(resources[name], query), range),
    updateTimes,
    findsWords: recordIndex.findsWords,
    statistics: () => recordIndex.statistics(),
  }
}
