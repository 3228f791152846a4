// The page of the dataset: its description, the number of records, and every way to get the data.

import { type Format, titleOfFormat } from '../../formats/serializer.js'
import { type ResourceName, resourceNames } from '../../model/iris.js'
import { type DatasetDescription, changeFeeds, dumpFiles } from '../../model/dataset-description.js'
import { exportPath, listPath, schemaPath, sparqlPath, resourceTitle } from '../links.js'
import { Layout, type PageContext } from '../layout.js'
import { FormatLinks, ApiRequestIn } from '../components/api-request.js'
import { DatasetMetadata } from '../components/citation.js'
import { ExternalLink, Time, isWebAddress } from '../components/field-value.js'
import { ItemExports } from '../components/item-exports.js'

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
      title="About the dataset"
      styles={['reference.css']}
      head={
        <DatasetMetadata
          {...{ base, title: context.siteName, description, license, issued, modified }}
        />
      }
    >
      <header class="page-head">
        <h1>About the dataset</h1>
      </header>
      <p class="lead">{description}</p>
      <dl class="fields">
        <div>
          <dt>Licence</dt>
          <dd>{isWebAddress(license) ? <ExternalLink href={license} /> : license}</dd>
        </div>
        <div>
          <dt>Publisher</dt>
          <dd>
            {publisher}
            {contact !== undefined && (
              <>
                , <a href={contact}>contact</a>
              </>
            )}
          </dd>
        </div>
        {issued !== undefined && (
          <div>
            <dt>First record</dt>
            <dd>
              <Time value={issued} />
            </dd>
          </div>
        )}
        {modified !== undefined && (
          <div>
            <dt>Last change</dt>
            <dd>
              <Time value={modified} />
            </dd>
          </div>
        )}
        <div>
          <dt>Described with</dt>
          <dd>
            <a href="/ns">its terms</a>, <a href="/shapes">the shapes of its records</a>,{' '}
            <a href="/api/vocabularies/">its vocabularies</a>
          </dd>
        </div>
      </dl>
      <section class="overview">
        <h2 class="label">Download a list</h2>
        <Exports {...props} />
      </section>
      <section class="overview">
        <h2 class="label">Download everything</h2>
        <ul class="ways">
          {dumpFiles.map(({ path, title }) => (
            <li key={path}>
              <a href={path}>{title}</a>, compressed
            </li>
          ))}
          <li>
            Query all public data with <a href={sparqlPath}>SPARQL</a>.
          </li>
          <li>
            Read and write records from a program with the <a href={schemaPath}>API</a>.
          </li>
          <li>
            Match the names in a spreadsheet with these records: OpenRefine takes{' '}
            <a href="/reconcile">{`${context.origin}/reconcile`}</a> as a reconciliation service.
          </li>
        </ul>
      </section>
      <section class="overview">
        <h2 class="label">Follow what changes</h2>
        <ul class="ways">
          {changeFeeds.map(({ page, title }) => (
            <li key={page}>
              <a href={page}>{title}</a>
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
          <a href={listPath(name)}>{resourceTitle(name)}</a> {counts[name].toLocaleString('en')}
        </dt>
        <dd>
          <ul class="inline">
            {exports[name].map((format) => (
              <li key={format.name}>
                <a href={exportPath(name, '', format.name)} type={format.type}>
                  {titleOfFormat(format)}
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
