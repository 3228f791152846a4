// The endpoint of the dataset description at `{base}/dataset` (docs/reference/rdf-formats.md,
// "Dataset description"). Its triples are built by model/dataset-description.ts.

import type { Statistics } from '../../catalogue/sparql-record-index.js'
import { rdfFormats, serializeRdf } from '../../formats/rdf/documents.js'
import {
  type DatasetDescription,
  type GraphCounts,
  dcatNamespace,
  describeDataset,
} from '../../model/dataset-description.js'
import type { Iris } from '../../model/iris.js'
import type { Resources } from '../../model/resources.js'
import { prefixesUnder } from '../../rdf/namespaces.js'
import type { Quad } from '../../rdf/terms.js'
import type { Handler } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { sendText } from '../../http/response/conditional.js'

type DatasetEndpointDependencies = {
  readonly iris: Iris
  readonly catalogue: { readonly statistics: () => Promise<Statistics> }
  /** Builds the triples of the description. */
  readonly describe: (statistics: Statistics) => readonly Quad[]
  readonly page: Handler
}

export const datasetEndpoint = ({
  iris: { base },
  catalogue,
  describe,
  page,
}: DatasetEndpointDependencies): Endpoint => ({
  path: '/dataset',
  name: 'Dataset',
  description: 'The content of the catalogue and where to download it, in VoID and DCAT.',
  formats: rdfFormats,
  htmlHandler: page,
  methods: {
    async GET(ctx) {
      const quads = describe(await catalogue.statistics())
      const prefixes = { ...prefixesUnder(base), dcat: dcatNamespace }
      sendText(ctx, serializeRdf(ctx.state.format, quads, { base, prefixes }))
    },
  },
})

type DatasetDescriptionDependencies = Pick<
  DatasetDescription,
  'license' | 'publisher' | 'contact' | 'updateFrequency'
> & {
  readonly about: { readonly description: string }
  readonly siteName: string
  readonly iris: Iris
  readonly resources: Resources
  readonly tripleCounts: () => GraphCounts
}

/** Creates the function that describes the dataset with the given statistics. */
export const createDatasetDescription =
  ({
    about,
    iris,
    resources,
    siteName,
    tripleCounts,
    license,
    publisher,
    contact,
    updateFrequency,
  }: DatasetDescriptionDependencies) =>
  (statistics: Statistics): readonly Quad[] =>
    describeDataset(
      {
        title: siteName,
        description: `${about.description}.`,
        license,
        publisher,
        contact,
        updateFrequency,
        ...statistics,
        graphs: tripleCounts(),
      },
      resources,
      iris,
    )
