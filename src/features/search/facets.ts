// The facets of zines: how many have each subject, genre, language and so on, among those that a
// list has (docs/reference/explore.md, "Facets"). A record with the identifier `facets` comes first
// at the same address.

import type { Catalogue } from '../../catalogue/catalogue.js'
import { fieldOfNamedFacet, isDecade, namedFacetNames } from '../../catalogue/list-facets.js'
import type { ListQuery } from '../../catalogue/lists.js'
import { json } from '../../formats/common-formats.js'
import { type Resources, countedValuesOf } from '../../model/resources.js'
import { ValidationError } from '../../model/record/input.js'
import { yieldToEventLoop } from '../../lib/scheduling.js'
import type { RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { inQuery } from '../../http/operation.js'
import {
  type LabelledCount,
  labelFacetCounts,
  labelledCountSchema,
} from '../../http/response/facet-labels.js'
import { checkListParams, parseListQuery } from '../../http/request/list-query.js'
import { queryParam } from '../../http/request/url.js'
import { sendJson } from '../../http/response/conditional.js'
import * as schema from '../../http/schemas.js'
import { isNotARecord } from '../records/exports.js'

const facetNames = [
  'subject',
  'genre',
  'language',
  'decade',
  'repository',
  'country',
  'format',
  'access',
  'creator',
  'year',
  'place',
]

/** Those that are counted where none is named. */
const defaultFacets = facetNames.slice(0, 8)

const facetLimits = { default: 50, max: 1000 }

const facetsSchema = schema.component(
  'ZineFacets',
  'The values of each facet, the most frequent first; years the latest first.',
  schema.partial(
    Object.fromEntries(facetNames.map((name) => [name, schema.listOf(labelledCountSchema)])),
  ),
)

const parameters = [
  inQuery(
    'facet',
    `The facets to count, joined by commas: ${facetNames.join(', ')}. Without it, the first eight.`,
  ),
  inQuery(
    'limit',
    'How many values each facet has at most.',
    schema.positive({ maximum: facetLimits.max, default: facetLimits.default }),
  ),
]

type FacetDependencies = { readonly catalogue: Catalogue; readonly resources: Resources }

export const facetEndpoint = ({ catalogue, resources }: FacetDependencies): Endpoint => ({
  path: '/api/zines/facets/',
  matches: isNotARecord(catalogue, 'zines', 'facets'),
  name: 'Zine Facets',
  description: 'How many zines of a list have each value, the most frequent first.',
  formats: [json],
  methods: {
    async GET(ctx) {
      checkListParams(ctx, resources.zines)
      const query = parseListQuery(ctx)
      const limit = parseLimit(ctx)
      ctx.state.isCurrent = catalogue.currentUntilNextWrite()
      const facets: Record<string, readonly LabelledCount[]> = {}
      for (const name of parseFacets(ctx)) {
        // Counting blocks the event loop for a moment.
        await yieldToEventLoop()
        const choices = await countFacet(name, { catalogue, resources, query, limit })
        facets[name] = choices.map(({ value, label, count }) => ({ value, label, count }))
      }
      ctx.set('Cache-Control', 'no-cache')
      sendJson(ctx, facets)
    },
  },
  operations: { GET: { response: facetsSchema, parameters, selects: 'zines', errors: [400, 501] } },
})

/** @throws ValidationError for a name of which there is no facet */
function parseFacets(ctx: RequestContext): readonly string[] {
  const names = queryParam(ctx, 'facet')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  const unknown = names.filter((name) => !facetNames.includes(name))
  if (unknown.length > 0)
    throw new ValidationError(
      new Map([['facet', [`A facet has to be one of ${facetNames.join(', ')}.`]]]),
    )
  return names.length > 0 ? [...new Set(names)] : defaultFacets
}

function parseLimit(ctx: RequestContext): number {
  const limit = queryParam(ctx, 'limit')
  const isNumber = /^\d{1,9}$/.test(limit) && Number(limit) > 0
  return isNumber ? Math.min(Number(limit), facetLimits.max) : facetLimits.default
}

type Counting = FacetDependencies & { readonly query: ListQuery; readonly limit: number }

async function countFacet(name: string, counting: Counting): Promise<readonly LabelledCount[]> {
  const { catalogue, resources, query, limit } = counting
  const named = namedFacetNames.find((facetName) => facetName === name)
  if (named) {
    const counts = await catalogue.namedFacetCounts('zines', named, query)
    const filter = fieldOfNamedFacet(named, resources)
    return labelFacetCounts(counting, filter, counts.slice(0, limit))
  }
  if (name === 'decade') return countDecades(counting)
  const counts = await catalogue.facetCounts('zines', name, query)
  const filter = countedValuesOf(resources.zines).find((candidate) => candidate.name === name)
  if (!filter) throw new Error(`zines have no facet ${name}`)
  // Decades are among the years, and have a facet of their own.
  const shownCounts = name === 'year' ? counts.filter(({ value }) => !isDecade(value)) : counts
  return labelFacetCounts(counting, filter, shownCounts.slice(0, limit))
}

/** The decades of the years, as the filter `decade` takes them. */
async function countDecades({
  catalogue,
  query,
  limit,
}: Counting): Promise<readonly LabelledCount[]> {
  const counts = await catalogue.facetCounts('zines', 'year', query)
  return counts
    .filter(({ value }) => isDecade(value))
    .slice(0, limit)
    .map(({ value, count }) => ({
      value: value.replace('X', '0'),
      label: `${value.replace('X', '0')}s`,
      count,
    }))
}
