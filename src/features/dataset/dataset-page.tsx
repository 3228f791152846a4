// The page of the dataset: its description, the number of records, and every way to get the data.

import { type Format, titleOfFormat } from '../../formats/serializer.js'
import { type ResourceName, resourceNames } from '../../model/iris.js'
import { type DatasetDescription, changeFeeds, dumpFiles } from '../../model/dataset-description.js'
import { exportPath, listPath, schemaPath, sparqlPath } from '../../views/links.js'
import { Layout, type PageContext } from '../../views/layout.js'
import { FormatLinks, ApiRequestIn } from '../../views/components/api-request.js'
import { DatasetMetadata } from '../citations/citation.js'
import { ExternalLink, Time, isWebAddress } from '../../views/components/field-value.js'
import { ItemExports } from '../../views/components/item-exports.js'
import { kindTitle, numberText, rich, t } from '../../views/translate.js'

export type DatasetPageProps = Omit<DatasetDescription, 'title' | 'graphs' | 'updateFrequency'> & {
  readonly context: PageContext
  /** The base URL of the dataset's IRIs. */
  readonly base: string
  /** The export formats of each list. */
  readonly exports: Readonly<Record<ResourceName, readonly Format[]>>
  readonly formats: readonly Format[]
  readonly turtle: string
}

export const DatasetPage = (props: DatasetPageProps) => {
  const { context, base, description, license, issued, modified, formats, turtle } = props
  const { publisher, contact } = props
  return (
    <Layout
      context={context}
      title={t('About the dataset')}
      styles={['reference.css']}
      head={
        <DatasetMetadata
          {...{ base, title: context.siteName, description, license, issued, modified }}
        />
      }
    >
      <header class="page-head">
        <h1>{t('About the dataset')}</h1>
      </header>
      <p class="lead">{t(description)}</p>
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
          <dt>{t('Described with')}</dt>
          <dd>
            <a href="/ns">{t('its terms')}</a>,{' '}
            <a href="/shapes">{t('the shapes of its records')}</a>,{' '}
            <a href="/api/vocabularies/">{t('its vocabularies')}</a>
          </dd>
        </div>
      </dl>
      <section class="overview">
        <h2 class="label">{t('Download a list')}</h2>
        <Exports {...props} />
      </section>
      <section class="overview">
        <h2 class="label">{t('Download everything')}</h2>
        <ul class="ways">
          {dumpFiles.map(({ path, title }) => (
            <li key={path}>
              {rich('{file}, compressed', { file: <a href={path}>{t(title)}</a> })}
            </li>
          ))}
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
      </section>
      <section class="overview">
        <h2 class="label">{t('Follow what changes')}</h2>
        <ul class="ways">
          {changeFeeds.map(({ page, title }) => (
            <li key={page}>
              <a href={page}>{t(title)}</a>
            </li>
          ))}
        </ul>
      </section>
      <FormatLinks context={context} formats={formats} />
      <ApiRequestIn context={context} type="text/turtle" text={turtle} />
    </Layout>
  )
}

const Exports = ({ counts, exports }: DatasetPageProps) => (
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
