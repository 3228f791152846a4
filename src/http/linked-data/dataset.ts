// The description of the catalogue as a dataset, at its own IRI: `{base}/dataset`.

import type { Catalogue } from '../../catalogue/catalogue.js'
import type { Statistics } from '../../catalogue/sparql-record-index.js'
import { rdfFormats, serializeRdf } from '../../formats/rdf/documents.js'
import type { Iris } from '../../model/iris.js'
import { dcatNamespace, describeDataset } from '../../model/dataset-description.js'
import type { Resources } from '../../model/resources.js'
import { prefixesUnder } from '../../rdf/namespaces.js'
import { sendText } from '../response/conditional.js'
import type { Endpoint, Handler } from '../endpoint.js'
import type { PackageInfo } from '../api/openapi/document-builder.js'

export type DatasetEndpointDependencies = {
  readonly about: PackageInfo
  readonly iris: Iris
  readonly license: string
  readonly resources: Resources
}

type DatasetQuadsDependencies = DatasetEndpointDependencies & {
  readonly catalogue: Catalogue
  readonly page: Handler
}

export const datasetEndpoint = (parts: DatasetQuadsDependencies): Endpoint => ({
  path: '/dataset',
  name: 'Dataset',
  description: 'What the catalogue holds and where to get it, in VoID and DCAT.',
  formats: rdfFormats,
  htmlHandler: parts.page,
  methods: {
    async GET(ctx) {
      const { iris, catalogue } = parts
      const quads = datasetQuads(parts, await catalogue.statistics())
      const { base } = iris
      const prefixes = { ...prefixesUnder(base), dcat: dcatNamespace }
      sendText(ctx, serializeRdf(ctx.state.format, quads, { base, prefixes }))
    },
  },
})

export function datasetQuads(
  { about, iris, license, resources }: DatasetEndpointDependencies,
  survey: Statistics,
) {
  const facts = {
    title: 'Zine Catalogue',
    description: `${about.description}.`,
    license,
    ...survey,
  }
  return describeDataset(facts, resources, iris)
}
