// What this feature adds to the service.

import { createJsonLdContext } from '../../formats/jsonld/context.js'
import type { PartsOf } from '../../http/feature.js'
import {
  describeDocumentShapes,
  describeOntology,
  describeShapes,
} from '../../model/model-description.js'
import type { Quad } from '../../rdf/terms.js'
import { csvMetadataEndpoints } from './csv-metadata.js'
import { createDatasetDescription, datasetEndpoint } from './dataset-endpoint.js'
import { datasetPage } from './dataset.js'
import { dumpEndpoints } from './dumps.js'
import { linkedDataEndpoints } from './linked-data-endpoints.js'
import type { ReleaseFiles } from './releases/release-files.js'
import { citedReleaseEndpoint, releaseEndpoints } from './releases/releases-endpoints.js'
import { releasesPage } from './releases/releases-page.js'
import { ontologyPage } from './ontology.js'
import { shapesPage } from './shapes.js'
import { sitemapEndpoints } from './sitemap.js'
import { schemePage } from '../vocabularies/vocabulary.js'

type ApiParts = PartsOf<typeof dumpEndpoints> &
  PartsOf<typeof createDatasetDescription> &
  Omit<PartsOf<typeof datasetEndpoint> & PartsOf<typeof datasetPage>, 'describe' | 'page'>

type DocumentParts = Omit<
  PartsOf<typeof linkedDataEndpoints> &
    PartsOf<typeof ontologyPage> &
    PartsOf<typeof shapesPage> &
    PartsOf<typeof schemePage> &
    PartsOf<typeof csvMetadataEndpoints> &
    PartsOf<typeof createJsonLdContext>,
  'vocabularies' | 'version' | 'context' | 'documentShapes' | 'pages'
> & {
  readonly releases: ReleaseFiles | undefined
  readonly about: { readonly version: string }
  /** As the files have them. */
  readonly ontology: readonly Quad[]
  readonly shapes: readonly Quad[]
} & PartsOf<typeof sitemapEndpoints>

export const datasetFeature = {
  name: 'dataset',
  api(parts: ApiParts) {
    const described = { ...parts, describe: createDatasetDescription(parts) }
    const releases = { ...parts, dataset: parts }
    return [
      ...dumpEndpoints(parts),
      ...releaseEndpoints({ ...releases, page: releasesPage(releases) }),
      datasetEndpoint({ ...described, page: datasetPage(described) }),
    ]
  },
  pages(parts: DocumentParts) {
    const { about, iris, ontology, shapes } = parts
    const { version } = about
    const dependencies = {
      ...parts,
      version,
      vocabularies: Object.values(parts.vocabularies),
      context: createJsonLdContext(parts).document,
      ontology: describeOntology({ quads: ontology, version }, iris),
      shapes: describeShapes({ quads: shapes, version }, iris),
      documentShapes: describeDocumentShapes(shapes, iris),
    }
    const pages = {
      scheme: schemePage(dependencies),
      ontology: ontologyPage(dependencies),
      shapes: shapesPage(dependencies),
    }
    return [
      ...linkedDataEndpoints({ ...dependencies, pages }),
      ...csvMetadataEndpoints(parts),
      ...sitemapEndpoints(parts),
      citedReleaseEndpoint(parts),
    ]
  },
}
