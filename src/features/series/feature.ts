// What this feature adds to the service.

import type { PartsOf } from '../../http/feature.js'
import type { CachedStatistics } from '../../http/response/cached-statistics.js'
import { seriesEndpoints } from './series-endpoints.js'
import { minIssues } from './series-query.js'
import { createSeriesPages } from './series.js'

type Parts = Omit<
  PartsOf<typeof seriesEndpoints> & PartsOf<typeof createSeriesPages>,
  'countIssues' | 'pages'
> & { readonly statistics: CachedStatistics }

export const seriesFeature = {
  name: 'series',
  api(parts: Parts) {
    const countIssues = () => parts.statistics.facetCounts('zines', 'series', minIssues)
    const dependencies = { ...parts, countIssues }
    return seriesEndpoints({ ...dependencies, pages: createSeriesPages(dependencies) })
  },
}
