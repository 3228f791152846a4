// The page of the dataset: its description, the number of records, and every way to get the data.

import type { Statistics } from '../../catalogue/sparql-record-index.js'
import { type RdfContext, rdfFormats, serializeRdf } from '../../formats/rdf/documents.js'
import { turtle } from '../../formats/rdf/turtle.js'
import { titleOfFormat } from '../../formats/serializer.js'
import type { Serializers } from '../../formats/serializers.js'
import { changeFeeds, dumpFiles } from '../../model/dataset-description.js'
import { resourceNames } from '../../model/iris.js'
import type { Quad } from '../../rdf/terms.js'
import { ApiRequestIn, FormatLinks } from '../../views/components/api-request.js'
import { DatasetMetadata } from '../citations/citation.js'
import { ExternalLink, Time, isWebAddress } from '../../views/components/field-value.js'
import { ItemExports } from '../../views/components/item-exports.js'
import { Layout, type PageContext } from '../../views/layout.js'
import { exportPath, listPath, schemaPath, sparqlPath } from '../../views/links.js'
import { kindTitle, numberText, rich, t } from '../../views/translate.js'
import type { Handler } from '../../http/context.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'
import type { CachedStatistics } from '../../http/response/cached-statistics.js'

type DatasetPageDependencies = {
  readonly about: { readonly description: string }
  readonly assets: AssetUrls
  readonly license: string
  readonly publisher: string
  readonly contact: string | undefined
  readonly statistics: CachedStatistics
  readonly exports: Serializers
  readonly rdfContext: RdfContext
  /** Builds the triples of the description. */
  readonly describe: (statistics: Statistics) => readonly Quad[]
}

export const datasetPage =
  (dependencies: DatasetPageDependencies): Handler =>
  async (ctx) => {
    const { assets, describe, rdfContext } = dependencies
    const statistics = await dependencies.statistics.statistics()
    const text = serializeRdf(turtle, describe(statistics), rdfContext)
    const page = (
      <DatasetPage
        {...dependencies}
        context={pageContext(ctx, assets)}
        statistics={statistics}
        text={text}
      />
    )
    sendPage(ctx, page)
  }

type DatasetPageProps = Omit<DatasetPageDependencies, 'statistics'> & {
  readonly context: PageContext
  readonly statistics: Statistics
  /** The description as Turtle. */
  readonly text: string
}

const DatasetPage = (props: DatasetPageProps) => {
  const { context, license, statistics, rdfContext, text } = props
  const { issued, modified } = statistics
  const description = `${props.about.description}.`
  return (
    <Layout
      context={context}
      title={t('About the dataset')}
      styles={['reference.css']}
      head={
        <DatasetMetadata
          {...{ title: context.siteName, description, license, issued, modified }}
          base={rdfContext.base}
        />
      }
    >
      <header class="page-head">
        <h1>{t('About the dataset')}</h1>
      </header>
      <p class="lead">{t(description)}</p>
      <DatasetFields {...props} />
      <section class="overview">
        <h2 class="label">{t('Download a list')}</h2>
        <Exports {...props} />
      </section>
      <section class="overview">
        <h2 class="label">{t('Download everything')}</h2>
        <DownloadWays context={context} />
      </section>
      <section class="overview" data-needs-service>
        <h2 class="label">{t('Follow what changes')}</h2>
        <ul class="ways">
          {changeFeeds.map(({ page, title }) => (
            <li key={page}>
              <a href={page}>{t(title)}</a>
            </li>
          ))}
        </ul>
      </section>
      <FormatLinks context={context} formats={rdfFormats} />
      <ApiRequestIn context={context} type="text/turtle" text={text} />
    </Layout>
  )
}

const DatasetFields = ({ license, publisher, contact, statistics }: DatasetPageProps) => {
  const { issued, modified } = statistics
  return (
    <dl class="fields">
      <div>
        <dt>{t('Licence')}</dt>
        <dd>{isWebAddress(license) ? <ExternalLink href={license} /> : license}</dd>
      </div>
      <div>
        <dt>{t('Publisher')}</dt>
        <dd>
          {publisher}
          {contact !== undefined && (
            <>
              , <a href={contact}>{t('contact')}</a>
            </>
          )}
        </dd>
      </div>
      {issued !== undefined && (
        <div>
          <dt>{t('First record')}</dt>
          <dd>
            <Time value={issued} />
          </dd>
        </div>
      )}
      {modified !== undefined && (
        <div>
          <dt>{t('Last change')}</dt>
          <dd>
            <Time value={modified} />
          </dd>
        </div>
      )}
      <div>
        <dt>{t('Documentation')}</dt>
        <dd>
          <a href="/ns">{t('vocabulary')}</a>, <a href="/shapes">{t('record shapes (SHACL)')}</a>,{' '}
          <a href="/api/vocabularies/">{t('subject and genre lists')}</a>
        </dd>
      </div>
    </dl>
  )
}

const DownloadWays = ({ context }: Pick<DatasetPageProps, 'context'>) => (
  <ul class="ways">
    {dumpFiles.map(({ path, title }) => (
      <li key={path}>{rich('{file}, compressed', { file: <a href={path}>{t(title)}</a> })}</li>
    ))}
    <li data-needs-service>
      <a href="/dumps/">{t('SQLite, Parquet, CSV and monthly snapshots')}</a>
    </li>
    <li>
      {rich('Query all public data with {sparql}.', {
        sparql: <a href={sparqlPath}>SPARQL</a>,
      })}
    </li>
    <li>
      {rich('Read and write records from a program with the {api}.', {
        api: <a href={schemaPath}>API</a>,
      })}
    </li>
    <li>
      {rich(
        'Match the names in a spreadsheet with these records: OpenRefine takes {address} as a reconciliation service.',
        { address: <a href="/reconcile">{`${context.origin}/reconcile`}</a> },
      )}
    </li>
  </ul>
)

const Exports = ({ statistics: { counts }, exports }: DatasetPageProps) => (
  <dl class="fields">
    {resourceNames.map((name) => (
      <div key={name}>
        <dt>
          <a href={listPath(name)}>{kindTitle(name)}</a> {numberText(counts[name])}
        </dt>
        <dd>
          <ul class="inline">
            {exports[name].map((format) => (
              <li key={format.name}>
                <a href={exportPath(name, '', format.name)} type={format.type}>
                  {t(titleOfFormat(format))}
                </a>
              </li>
            ))}
            <ItemExports name={name} query="" />
          </ul>
        </dd>
      </div>
    ))}
  </dl>
)
