// The page with the citations of a record: in each style and format, to select or to copy. The
// script cite.js shows its content on the page of the record too, and adds the buttons.

import { type CitationPart, citationStyles } from './styles.js'
import { textValue } from '../../model/record/values.js'
import type { Resources } from '../../model/resources.js'
import { recordHeading } from '../../views/components/record-summary.js'
import { Layout, type PageContext } from '../../views/layout.js'
import { recordPath, withParameters } from '../../views/links.js'
import { rich, t } from '../../views/translate.js'
import type { RequestContext } from '../../http/context.js'
import { type CitedRecord, citationFormats } from './cited-record.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'

type CitationPageDependencies = { readonly assets: AssetUrls; readonly resources: Resources }

export const citationPage =
  ({ assets, resources }: CitationPageDependencies) =>
  (ctx: RequestContext, cited: CitedRecord): void =>
    sendPage(
      ctx,
      <CitationsPage context={pageContext(ctx, assets)} resources={resources} {...cited} />,
    )

type CitationsPageProps = CitedRecord & {
  readonly context: PageContext
  readonly resources: Resources
}

const formatTitles = { bibtex: 'BibTeX', ris: 'RIS' } as const

const CitationsPage = (props: CitationsPageProps) => {
  const { context, record, resources, citations, formats, permanentAddress } = props
  const { resource, values } = record
  const title = recordHeading(record, resources)
  const path = recordPath(resource.name, textValue(values, resource.id.name))
  return (
    <Layout context={context} title={t('Cite {title}', { title })} scripts={['cite.js']}>
      <header class="page-head">
        <div>
          <p class="kicker">
            <a href={path}>{title}</a>
          </p>
          <h1>{t('Cite')}</h1>
        </div>
      </header>
      <div class="citations" data-citations>
        <section>
          <h2>{t('Permanent address')}</h2>
          <p data-copy={t('Permanent address')}>
            <a href={permanentAddress}>{permanentAddress}</a>
          </p>
        </section>
        {citationStyles.map((style) => (
          <section key={style.name}>
            <h2>{style.title}</h2>
            <p data-copy={style.title} dir="auto">
              <Parts parts={citations[style.name]} />
            </p>
          </section>
        ))}
        {citationFormats.map((name) => (
          <section key={name}>
            <h2>{formatTitles[name]}</h2>
            <pre class="code" tabIndex={0} data-copy={formatTitles[name]}>
              {formats[name]}
            </pre>
            <p class="made">
              <a href={withParameters(path, '', { format: name })}>
                {t('Download as {format}', { format: formatTitles[name] })}
              </a>
            </p>
          </section>
        ))}
        <p class="made">
          {rich(
            'Styles of the {project} ({licence}), printed by {program} of Frank Bennett and others (CPAL 1.0). Check them against the rules that you follow.',
            {
              project: (
                <a href="https://citationstyles.org/">{t('Citation Style Language project')}</a>
              ),
              licence: <a href="https://creativecommons.org/licenses/by-sa/3.0/">CC BY-SA 3.0</a>,
              // What the Common Public Attribution License asks for: where its source is.
              program: <a href="https://github.com/juris-m/citeproc-js">citeproc-js</a>,
            },
          )}
        </p>
      </div>
    </Layout>
  )
}

const Parts = ({ parts }: { readonly parts: readonly CitationPart[] }) => (
  <>{parts.map(({ text, isItalic }, index) => (isItalic ? <i key={index}>{text}</i> : text))}</>
)
