// The addresses of the releases: `/dumps/` describes them, `/dumps/{version}/{file}` sends a file, and
// `/dumps/{file}` that of the newest.

import { NotFoundError } from '../../../errors.js'
import { rdfFormats, serializeRdf } from '../../../formats/rdf/documents.js'
import type { Format } from '../../../formats/serializer.js'
import { releaseFileKinds } from '../../../model/dataset-description.js'
import { dcatNamespace, quadsOf } from '../../../model/dcat.js'
import { prefixesUnder } from '../../../rdf/namespaces.js'
import type { Handler, RequestContext } from '../../../http/context.js'
import type { Endpoint } from '../../../http/endpoint.js'
import { httpErrors } from '../../../http/errors.js'
import { requestOrigin } from '../../../http/origin.js'
import { sendText } from '../../../http/response/conditional.js'
import type { SendFile } from '../../../http/response/file.js'
import { sendStoredFile } from '../../../http/response/stored-file.js'
import type { Release, ReleaseFiles } from './release-files.js'
import { type DatasetTitle, typeOf } from './release-metadata.js'
import { describeDownloads, spdxNamespace } from './releases-description.js'
import { redirectToOther } from '../../../http/response/redirect.js'

export type ReleaseEndpointsDependencies = {
  readonly dataset: DatasetTitle
  /** Undefined in a process that only reads. */
  readonly releases: ReleaseFiles | undefined
  readonly sendFile: SendFile
  readonly page: Handler
}

export function releaseEndpoints(dependencies: ReleaseEndpointsDependencies): Endpoint[] {
  const { dataset, releases, page } = dependencies
  const { base } = dataset.iris

  return [
    {
      path: '/dumps/',
      name: 'Downloads',
      description: 'All files with the whole catalogue, and the releases that are kept, in DCAT.',
      formats: rdfFormats,
      htmlHandler: page,
      methods: {
        GET(ctx) {
          const quads = quadsOf(describeDownloads(dataset, releases?.all() ?? []))
          const prefixes = { ...prefixesUnder(base), dcat: dcatNamespace, spdx: spdxNamespace }
          ctx.set('Cache-Control', 'no-cache')
          sendText(ctx, serializeRdf(ctx.state.format, quads, { base, prefixes }))
        },
      },
    },
    ...releaseFileKinds.map(({ name, title, type }): Endpoint => ({
      path: `/dumps/${name}`,
      name: title,
      description: 'A file of the newest release of the data.',
      formats: [{ name: 'file', type }],
      ignoresAccept: true,
      methods: {
        GET(ctx) {
          const newest = releases?.all()[0]
          if (!newest) throw new NotFoundError()
          send(ctx, dependencies, newest, name)
        },
      },
      operations: { GET: { file: true, errors: [404] } },
    })),
    {
      path: '/dumps/:version/:file',
      name: 'File of a release',
      description: 'A file of a release of the data. Those of a snapshot are kept.',
      formats: fileFormats,
      ignoresAccept: true,
      methods: {
        GET(ctx) {
          send(ctx, dependencies, findRelease(ctx, releases), ctx.params.file ?? '')
        },
      },
      operations: { GET: { file: true, errors: [404, 410] } },
    },
  ]
}

/** The address by which a release is cited. */
export function citedReleaseEndpoint({
  releases,
}: Pick<ReleaseEndpointsDependencies, 'releases'>): Endpoint {
  const redirect: Handler = (ctx) => {
    const { version } = findRelease(ctx, releases)
    redirectToOther(ctx, `${requestOrigin(ctx)}/dumps/#${version}`)
  }
  return {
    path: '/dumps/:version/',
    name: 'Release',
    description: 'Leads to the description of a release of the data.',
    formats: rdfFormats,
    ignoresAccept: true,
    htmlHandler: redirect,
    methods: { GET: redirect },
  }
}

/** @throws NotFoundError, HttpError 410 for a snapshot that was withdrawn */
function findRelease(
  { params: { version = '' } }: RequestContext,
  releases: ReleaseFiles | undefined,
): Release {
  if (releases?.isWithdrawn(version)) throw httpErrors.gone()
  const release = releases?.find(version)
  if (!release) throw new NotFoundError()
  return release
}

const fileFormats: readonly Format[] = releaseFileKinds.map(({ type }) => ({ name: 'file', type }))

/** @throws NotFoundError, and what `sendStoredFile` throws */
function send(
  ctx: RequestContext,
  { releases, sendFile }: ReleaseEndpointsDependencies,
  release: Release,
  name: string,
): void {
  const file = release.files.find((other) => other.name === name)
  if (!file || !releases) throw new NotFoundError()
  const path = releases.pathOf(release, name)
  sendStoredFile(ctx, { ...file, path, type: typeOf(name), time: new Date(release.at) }, sendFile)
}
