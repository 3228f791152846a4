// The filters that a list of zines has, as people read them.

import { message } from '../../message.js'
import type { Translator } from '../../messages/translator.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { fieldOfNamedFacet, namedFacetNames } from '../../catalogue/list-facets.js'
import { type Resources, filtersOf } from '../../model/resources.js'
import type { ActiveFilter } from '../../views/components/filter-chips.js'
import { titleCase } from '../../views/links.js'
import { labelFacetCounts } from '../../http/response/facet-labels.js'

/** What filters are called that have no field of the same name. */
const titles: Readonly<Record<string, string>> = {
  q: message('Search'),
  search: message('Search'),
  year__gte: message('From year'),
  year__lte: message('To year'),
  only_in: message('Only in'),
  repository: message('Library'),
  country: message('Country of the library'),
}

/** @param filters by name */
export const activeFilters = (
  catalogue: Catalogue,
  resources: Resources,
  filters: Readonly<Record<string, string>>,
  translator: Translator,
): Promise<readonly ActiveFilter[]> =>
  Promise.all(
    Object.entries(filters).map(async ([name, value]) => {
      const facet = namedFacetNames.find(
        (one) => one === (name === 'only_in' ? 'repository' : name),
      )
      const filter = facet
        ? fieldOfNamedFacet(facet, resources)
        : filtersOf(resources.zines).find((one) => one.name === name)
      const [labelled] = filter
        ? await labelFacetCounts(catalogue, resources, filter, [{ value, count: 0 }], translator)
        : []
      return {
        name,
        label:
          titles[name] ??
          filter?.label ??
          titleCase((name.split('__')[0] ?? '').replaceAll('_', '-')),
        text: labelled?.label ?? value,
      }
    }),
  )
