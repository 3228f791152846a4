// The filters that a list has, as people read them.

import { message } from '../../message.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { curatedListFilter, furtherFiltersOf } from '../../catalogue/list-conditions.js'
import type { ListQuery } from '../../catalogue/lists.js'
import type { Translator } from '../../messages/translator.js'
import { type Resource, type Resources, filtersOf } from '../../model/resources.js'
import type { ActiveFilter } from '../../views/components/filter-chips.js'
import { labelFacetCounts } from '../../http/response/facet-labels.js'

/** What parameters are called that every list has. */
const sharedLabels: Readonly<Record<string, string>> = {
  q: message('Search'),
  search: message('Search'),
  updated_since: message('Changed since'),
  updated_before: message('Changed before'),
}

type ActiveFiltersDependencies = {
  readonly catalogue: Catalogue
  readonly resources: Resources
  readonly translator: Translator
  readonly query: Pick<ListQuery, 'seesAllLists'>
}

/** @param filters by name */
export const activeFilters = (
  { catalogue, resources, translator, query }: ActiveFiltersDependencies,
  resource: Resource,
  filters: Iterable<readonly [name: string, value: string]>,
): Promise<readonly ActiveFilter[]> =>
  Promise.all(
    Array.from(filters, async ([name, value]) => {
      const further = furtherFiltersOf(resource).get(name)
      const filter = further
        ? further.labelledBy?.(resources)
        : filtersOf(resource).find((candidate) => candidate.name === name)
      const [labelled] = filter
        ? await labelFacetCounts({ catalogue, resources, translator }, filter, [
            { value, count: 0 },
          ])
        : []
      const isTold = further?.schema?.type === 'boolean'
      const label =
        further?.label ?? (filter && 'label' in filter ? filter.label : sharedLabels[name])
      return {
        name,
        label: label ?? name,
        text:
          labelled?.label ??
          (name === curatedListFilter ? catalogue.curatedListTitle(value, query) : undefined) ??
          (isTold ? translator.t(value === 'true' ? message('Yes') : message('No')) : value),
      }
    }),
  )
