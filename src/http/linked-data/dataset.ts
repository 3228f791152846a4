// The description of the catalogue as a dataset, at its own IRI: `{base}/dataset`.

import type { Catalogue } from '../../catalogue/catalogue.js'
import type { Survey } from '../../catalogue/sparql-record-index.js'
import { rdfFormats, writeIn } from '../../formats/rdf/documents.js'
import type { Addresses } from '../../model/iris.js'
import { dcatNamespace, describeDataset } from '../../model/dataset-description.js'
import type { Resources } from '../../model/resources.js'
import { prefixesUnder } from '../../rdf/namespaces.js'
import { send } from '../response/conditional.js'
import type { Endpoint, Handler } from '../endpoint.js'
import type { About } from '../api/openapi/document-builder.js'

export type Dataset = {
  readonly about: About
  readonly addresses: Addresses
  readonly license: string
  readonly resources: Resources
}

type Parts = Dataset & {
  readonly catalogue: Catalogue
  readonly page: Handler
}

export const datasetEndpoint = (parts: Parts): Endpoint => ({
  path: '/dataset',
  name: 'Dataset',
  description: 'What the catalogue holds and where to get it, in VoID and DCAT.',
  formats: rdfFormats,
  page: parts.page,
  methods: {
    async GET(ctx) {
      const { addresses, catalogue } = parts
      const quads = datasetQuads(parts, await catalogue.survey())
      const { base } = addresses
      const prefixes = { ...prefixesUnder(base), dcat: dcatNamespace }
      send(ctx, writeIn(ctx.state.format, quads, { base, prefixes }))
    },
  },
})

export function datasetQuads({ about, addresses, license, resources }: Dataset, survey: Survey) {
  const facts = {
    title: 'Zine Catalogue',
    description: `${about.description}.`,
    license,
    ...survey,
  }
  return describeDataset(facts, resources, addresses)
}
