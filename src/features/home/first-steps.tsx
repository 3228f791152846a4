// The first steps, which the home page shows while the catalogue is empty.

import type { PageContext } from '../../views/layout.js'
import { editingLinks } from '../../views/links.js'
import { rich, t } from '../../views/translate.js'

type FirstStepsProps = { readonly context: PageContext; readonly hasAccounts: boolean }

export const FirstSteps = ({ context, hasAccounts }: FirstStepsProps) => (
  <section class="first-steps">
    <h2>{t('The catalogue is empty')}</h2>
    <p>{t('To begin:')}</p>
    <ol>
      {!hasAccounts && (
        <li>
          {t(
            'Create an account. Nobody can edit yet: open the link that the service printed when it started.',
          )}
        </li>
      )}
      <li>
        {context.account ? (
          <FirstRecords />
        ) : (
          rich('{signIn} and add a maker, a zine, and a library that keeps it.', {
            signIn: <a href={editingLinks.login}>{t('Sign in')}</a>,
          })
        )}
      </li>
      <li>
        {context.account?.role === 'admin'
          ? rich('Or see all {ways}, such as an import or a sample.', {
              ways: <a href={editingLinks.welcome}>{t('ways to begin')}</a>,
            })
          : rich(
              'Or load a whole collection from files with {load}. A small invented one to look at: {sample}.',
              {
                load: <code>npx zine-catalogue load FILE</code>,
                sample: <code>npx zine-catalogue load --sample</code>,
              },
            )}
      </li>
    </ol>
  </section>
)

/** What to add first, for whoever may. */
export const FirstRecords = () => (
  <>
    {rich(
      'Add the {maker}, then their {zine}. A {library} and its copies say where the zine is kept.',
      {
        maker: <a href={editingLinks.create('agents')}>{t('first maker')}</a>,
        zine: <a href={editingLinks.create('zines')}>{t('first zine')}</a>,
        library: <a href={editingLinks.create('repositories')}>{t('library')}</a>,
      },
    )}
  </>
)
