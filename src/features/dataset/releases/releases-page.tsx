// The page of all downloads: the files that are always current, the newest release, the snapshots that
// are kept, and how to cite one.

import { rdfFormats } from '../../../formats/rdf/documents.js'
import { dumpFiles } from '../../../model/dataset-description.js'
import { FormatLinks } from '../../../views/components/api-request.js'
import { DataTable } from '../../../views/components/data-table.js'
import { Layout, type PageContext } from '../../../views/layout.js'
import { dateText, numberText, rich, t } from '../../../views/translate.js'
import type { Handler } from '../../../http/context.js'
import { type AssetUrls, pageContext, sendPage } from '../../../http/response/html.js'
import { ReleaseMetadata } from '../../citations/citation.js'
import type { Release, ReleaseFiles } from './release-files.js'
import { type DatasetTitle, citationFile, releaseUrl, titleOf } from './release-metadata.js'

type ReleasesPageDependencies = {
  readonly assets: AssetUrls
  readonly dataset: DatasetTitle
  readonly releases: ReleaseFiles | undefined
}

export const releasesPage =
  ({ assets, dataset, releases }: ReleasesPageDependencies): Handler =>
  (ctx) => {
    sendPage(
      ctx,
      <ReleasesPage
        context={pageContext(ctx, assets)}
        dataset={dataset}
        newest={releases?.all()[0]}
        snapshots={releases?.snapshots() ?? []}
      />,
    )
  }

type ReleasesPageProps = {
  readonly context: PageContext
  readonly dataset: DatasetTitle
  readonly newest: Release | undefined
  readonly snapshots: readonly Release[]
}

const ReleasesPage = ({ context, dataset, newest, snapshots }: ReleasesPageProps) => {
  // What is cited has to stay.
  const [cited] = snapshots
  return (
    <Layout
      context={context}
      title={t('Downloads')}
      styles={['reference.css']}
      head={cited && <ReleaseMetadata {...metadataOf(dataset, cited)} />}
    >
      <header class="page-head">
        <h1>{t('Downloads')}</h1>
      </header>
      <p class="lead">
        {t('The whole catalogue as files that other programs open. Only public data are in them.')}
      </p>
      <section class="overview">
        <h2 class="label">{t('Always current')}</h2>
        <ul class="ways">
          {dumpFiles.map(({ path, title }) => (
            <li key={path}>
              {rich('{file}, compressed', { file: <a href={path}>{t(title)}</a> })}
            </li>
          ))}
        </ul>
      </section>
      <section class="overview">
        <h2 class="label">{t('Newest release')}</h2>
        {newest ? (
          <Files release={newest} />
        ) : (
          <p>{t('No release has been made yet. Look again in a few minutes.')}</p>
        )}
      </section>
      {snapshots.length > 0 && (
        <section class="overview">
          <h2 class="label">{t('Monthly snapshots')}</h2>
          <p>
            {t(
              'The first release of each month is kept at the same address, so that you can cite it. When something is removed for privacy, all older releases are withdrawn.',
            )}
          </p>
          {snapshots.map((release) => (
            <details key={release.version} id={release.version}>
              <summary>{versionText(release)}</summary>
              <Files release={release} />
            </details>
          ))}
        </section>
      )}
      {cited && (
        <section class="overview">
          <h2 class="label">{t('Cite the data')}</h2>
          <pre tabIndex={0}>{citationFile(dataset, cited)}</pre>
        </section>
      )}
      <FormatLinks context={context} formats={rdfFormats} />
    </Layout>
  )
}

const metadataOf = (dataset: DatasetTitle, { version, at, files }: Release) => {
  const url = releaseUrl(dataset.iris, { version })
  return {
    url,
    version,
    issued: at,
    title: dataset.siteName,
    description: `${dataset.about.description}.`,
    license: dataset.license,
    downloads: files.map((file) => ({ url: url + file.name, ...file })),
  }
}

const versionText = ({ version, at }: Release): string => `${version} (${dateText(at)})`

const Files = ({ release }: { readonly release: Release }) => (
  <DataTable label={versionText(release)} columns={[t('File'), t('Size'), t('Checksum (SHA-256)')]}>
    {release.files.map(({ name, bytes, sha256 }) => (
      <tr key={name}>
        <th scope="row">
          <a href={`/dumps/${release.version}/${name}`}>{t(titleOf(name))}</a>
        </th>
        <td>{t('{size} kB', { size: numberText(Math.ceil(bytes / 1000)) })}</td>
        <td>
          <code class="checksum">{sha256}</code>
        </td>
      </tr>
    ))}
  </DataTable>
)
