// How to cite a zine or a holding, in several styles and formats (docs/reference/citations.md,
// "Citations"). The styles are applied by citations/, in a thread of its own.

import { textOf } from './citation-text.js'
import { citationStyles } from './styles.js'
import { json } from '../../formats/common-formats.js'
import type { RequestContext } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { recordIdParam } from '../../http/request/list-query.js'
import {
  type CitationDependencies,
  type CitedRecord,
  citationFormats,
  citeRecord,
  citedResources,
} from './cited-record.js'
import { sendJson } from '../../http/response/conditional.js'
import * as schema from '../../http/schemas.js'
import { followMerges } from '../merges/merges-api.js'

const citationsSchema = schema.component('Citations', 'How to cite a record.', {
  permanent_address: schema.url(
    'The IRI of what is cited. It stays when the record is renamed or merged.',
  ),
  ...Object.fromEntries([
    ...citationStyles.map(({ name, title }) => [
      name,
      schema.text(`The citation in the style of ${title}, as plain text.`),
    ]),
    ...citationFormats.map((name) => [
      name,
      schema.text(`The same as the record with \`?format=${name}\`.`),
    ]),
  ]),
})

type CitationEndpointDependencies = CitationDependencies & {
  /** The page of a cited record. */
  readonly page: (ctx: RequestContext, cited: CitedRecord) => void
}

export const citationEndpoints = (dependencies: CitationEndpointDependencies): Endpoint[] =>
  citedResources.map((name) => {
    const { noun } = dependencies.resources[name]
    return {
      path: `/api/${name}/:id/citations/`,
      name: `${noun} Citations`,
      description: `How to cite one of the ${name}: in APA, MLA and Chicago, as BibTeX and RIS.`,
      formats: [json],
      resource: name,
      htmlHandler: followMerges(async (ctx) =>
        dependencies.page(ctx, await citeRecord(dependencies, name, recordIdParam(ctx))),
      ),
      methods: {
        GET: followMerges(async (ctx) => {
          ctx.state.isCurrent = dependencies.catalogue.currentUntilNextWrite()
          ctx.set('Cache-Control', 'no-cache')
          const cited = await citeRecord(dependencies, name, recordIdParam(ctx))
          sendJson(ctx, citationsJson(cited))
        }),
      },
      operations: { GET: { response: citationsSchema, errors: [503] } },
    }
  })

const citationsJson = ({ citations, formats, permanentAddress }: CitedRecord) => ({
  permanent_address: permanentAddress,
  ...Object.fromEntries(citationStyles.map(({ name }) => [name, textOf(citations[name])])),
  ...formats,
})
