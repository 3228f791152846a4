// The endpoint of the dataset description at `{base}/dataset` (docs/reference/rdf-formats.md,
// "Dataset description"). Its triples are built by model/dataset-description.ts.

import type { Statistics } from '../../catalogue/sparql-record-index.js'
import { rdfFormats, serializeRdf } from '../../formats/rdf/documents.js'
import {
  type DatasetDescription,
  type GraphCounts,
  describeDataset,
} from '../../model/dataset-description.js'
import { dcatNamespace, quadsOf } from '../../model/dcat.js'
import type { Iris } from '../../model/iris.js'
import type { Resources } from '../../model/resources.js'
import { prefixesUnder } from '../../rdf/namespaces.js'
import type { Quad } from '../../rdf/terms.js'
import type { Handler } from '../../http/context.js'
import type { Endpoint } from '../../http/endpoint.js'
import { sendText } from '../../http/response/conditional.js'
import type { ReleaseFiles } from './releases/release-files.js'
import { describeNewestRelease, spdxNamespace } from './releases/releases-description.js'

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
      const prefixes = { ...prefixesUnder(base), dcat: dcatNamespace, spdx: spdxNamespace }
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
  /** Undefined in a process that only reads. */
  readonly releases: ReleaseFiles | undefined
}

/** Creates the function that describes the dataset with the given statistics. */
export const createDatasetDescription =
  (dependencies: DatasetDescriptionDependencies) =>
  (statistics: Statistics): readonly Quad[] => {
    const { about, iris, resources, siteName, tripleCounts, releases } = dependencies
    const description = {
      ...dependencies,
      ...statistics,
      title: siteName,
      description: `${about.description}.`,
      graphs: tripleCounts(),
    }
    return [
      ...describeDataset(description, resources, iris),
      ...quadsOf(describeNewestRelease(dependencies, releases?.all() ?? [])),
    ]
  }
