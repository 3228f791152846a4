// The page that follows the first account: the ways to begin a catalogue.

import type { Catalogue } from '../../catalogue/catalogue.js'
import { mayWrite } from '../../accounts/rights.js'
import type { Jobs } from '../../lib/jobs.js'
import type { Resources } from '../../model/resources.js'
import { createFormEndpoint, type FormDependencies } from '../../http/form-endpoint.js'
import type { Endpoint } from '../../http/endpoint.js'
import { Panel } from '../../views/components/panel.js'
import { Form } from '../../views/form.js'
import { FormPage } from '../../views/form-layout.js'
import type { PageContext } from '../../views/layout.js'
import { editingLinks, editingRoutes } from '../../views/links.js'
import { rich, t } from '../../views/translate.js'
import { writeBatchAsJob } from '../batches/batch-job.js'
import { FirstRecords } from '../home/first-steps.js'
import { sampleLines } from './sample.js'

export type WelcomeDependencies = FormDependencies & {
  readonly catalogue: Pick<Catalogue, 'statistics' | 'writeBatch'>
  readonly resources: Resources
  readonly jobs: Jobs
  /** The base of all IRIs. */
  readonly iris: { readonly base: string }
}

export function welcomeEndpoint(dependencies: WelcomeDependencies): Endpoint {
  const { catalogue, resources, jobs, iris } = dependencies

  const isEmpty = async (): Promise<boolean> =>
    Object.values((await catalogue.statistics()).counts).every((count) => count === 0)

  return createFormEndpoint(dependencies, {
    path: editingRoutes.welcome,
    name: 'Welcome',
    description: 'The ways to begin a catalogue.',
    isAllowed: ({ role }) => role === 'admin',
    render: async ({ context }) => (
      <WelcomePage {...{ context }} baseUrl={iris.base} isEmpty={await isEmpty()} />
    ),
    async submit({ account }) {
      // The sample among records of one's own would be hard to tell from them.
      if (!(await isEmpty())) return { to: editingLinks.welcome, done: 'unchanged' }
      const lines = await sampleLines(resources)
      return writeBatchAsJob(jobs, account, async (options) => {
        await catalogue.writeBatch(lines, {
          ...options,
          mode: 'each',
          withJson: false,
          account: account.name,
          mayWrite: (name) => mayWrite(account, name),
        })
      })
    },
  })
}

const WelcomePage = ({
  context,
  baseUrl,
  isEmpty,
}: {
  readonly context: PageContext
  readonly baseUrl: string
  readonly isEmpty: boolean
}) => (
  <FormPage context={context} title={t('Ways to begin')}>
    <p class="lead">{t('Your catalogue runs. Begin with one of these, in any order.')}</p>
    <Panel id="import" title={t('Import what you have')}>
      <p>
        {t(
          'A spreadsheet, MARC, a LibraryThing export, BibTeX and more. You check everything before it is saved, and you can undo the whole import.',
        )}
      </p>
      <p class="actions">
        <a class="button" href={editingLinks.imports}>
          {t('Import')}
        </a>
      </p>
    </Panel>
    <Panel id="record" title={t('Begin with a record')}>
      <p>
        <FirstRecords />
      </p>
    </Panel>
    <Panel id="sample" title={t('Load the sample')}>
      {isEmpty ? (
        <Form context={context} action={editingRoutes.welcome}>
          <p>
            {t(
              'A hundred invented records show what a catalogue looks like. The next page has a button that removes them again; later it is under {batches}.',
              { batches: t('Batches') },
            )}
          </p>
          <p class="actions">
            <button class="quiet">{t('Load the sample')}</button>
          </p>
        </Form>
      ) : (
        <p>{t('The sample can be loaded only into an empty catalogue. This one has records.')}</p>
      )}
    </Panel>
    <Panel id="name" title={t('Name and address')}>
      <p>
        {rich('The catalogue is called {name}, and its address is {address}.', {
          name: <strong>{context.siteName}</strong>,
          address: <strong class="address">{baseUrl}</strong>,
        })}{' '}
        {t('Both are settings. Stop the service, and start it again with your own name:')}
      </p>
      <Command text="SITE_NAME='Zines of the North' npm start" />
      <p>{t('To give it a permanent address, stop the service and run:')}</p>
      <Command text="npx zine-catalogue rebase https://zines.example.org" />
      <Command text="BASE_URL=https://zines.example.org SITE_NAME='Zines of the North' npm start" />
    </Panel>
  </FormPage>
)

const Command = ({ text }: { readonly text: string }) => (
  <p>
    <code class="address">{text}</code>
  </p>
)
