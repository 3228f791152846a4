// The zines most like a zine, as JSON (docs/reference/explore.md, "Similar zines").

import { english } from '../../messages/translator.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { json } from '../../formats/common-formats.js'
import { toView } from '../../model/record/views.js'
import type { Endpoint } from '../../http/endpoint.js'
import { recordSchema } from '../../http/operation.js'
import { recordIdParam } from '../../http/request/list-query.js'
import { sendJson } from '../../http/response/conditional.js'
import * as schema from '../../http/schemas.js'
import { followMerges } from '../merges/merges-api.js'
import { type LabelDependencies, labelOfTrait } from './similar-box.js'
import { findSimilarZines, maxShown, traitNames } from './similar-zines.js'

const similarSchema = schema.component('SimilarZines', 'The zines that are most like a zine.', {
  results: schema.listOf(
    schema.object({
      zine: recordSchema('ZineList'),
      shared: schema.listOf(
        schema.object({
          facet: schema.choice(traitNames),
          value: schema.text('As the filter of zines with this name takes it.'),
          label: schema.text('What people call it.'),
        }),
        'What both have, the most telling first.',
      ),
    }),
    `The most alike first, at most ${maxShown}.`,
  ),
})

export type SimilarDependencies = LabelDependencies & {
  readonly catalogue: Catalogue
}

export const similarEndpoint = (dependencies: SimilarDependencies): Endpoint => ({
  path: '/api/zines/:id/similar/',
  name: 'Similar Zines',
  description:
    'The zines that share a maker, a subject, a genre, a place, a decade or the series with a zine, the most alike first. What few zines have counts more.',
  formats: [json],
  resource: 'zines',
  methods: {
    GET: followMerges(async (ctx) => {
      const { catalogue, resources } = dependencies
      ctx.state.isCurrent = catalogue.currentUntilNextWrite()
      const { record } = await catalogue.read('zines', recordIdParam(ctx), 'detail')
      const similar = await findSimilarZines(dependencies, record)
      ctx.set('Cache-Control', 'no-cache')
      sendJson(ctx, {
        results: similar.map(({ record: zine, shared }) => ({
          zine: toView(resources, zine, 'list'),
          shared: shared.map((trait) => ({
            facet: trait.name,
            value: trait.value,
            label: labelOfTrait(dependencies, english, zine, trait),
          })),
        })),
      })
    }, 'similar/'),
  },
  operations: { GET: { response: similarSchema } },
})
