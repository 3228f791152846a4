// The page that says to makers what is promised about what the catalogue says of them: what
// SECURITY.md promises, in the words of people who do not write programs.

import { html } from '../../formats/common-formats.js'
import { Layout, type PageContext } from '../../views/layout.js'
import { privacyPath } from '../../views/links.js'
import { message, rich, t } from '../../views/translate.js'
import type { Endpoint } from '../../http/endpoint.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'

export const privacyEndpoint = (assets: AssetUrls): Endpoint => ({
  path: privacyPath,
  name: 'Privacy',
  description: 'What is promised to makers, and how they ask for a change.',
  formats: [html],
  methods: { GET: (ctx) => sendPage(ctx, <PrivacyPage context={pageContext(ctx, assets)} />) },
})

const promises: readonly string[] = [
  message(
    'Only people who edit makers see your legal name, e-mail address and phone number, unless you allow everyone to see them. No list, search or file has them.',
  ),
  message('Only staff see what is written for them, such as who gave a copy and what it cost.'),
  message(
    'The page about you or about a zine can be hidden. Then only people who may edit it can find or open it.',
  ),
  message(
    'A name, a text or a picture can be deleted permanently, from its page and from the history. Then no file of this service has it any more, and a search through the files shows that.',
  ),
  message(
    'A web address may contain a name. It can be changed, and the old address forgotten. The old address then leads nowhere, and nothing says where it led.',
  ),
  message(
    'Only editors read your request. Your internet address is not stored. A request is deleted a year after it was answered.',
  ),
]

const limits: readonly string[] = [
  message(
    'We cannot change what others have copied: search engines, other catalogues, downloaded files. Those who follow our changes are told that something must be removed.',
  ),
  message('Backups still contain what was removed, until they are deleted.'),
  message('The people who run the computers of this service can read all that is stored there.'),
]

const PrivacyPage = ({ context }: { readonly context: PageContext }) => (
  <Layout context={context} title={t('Privacy')}>
    <header class="page-head">
      <h1>{t('Privacy')}</h1>
    </header>
    <div class="prose">
      <h2>{t('What we promise to makers')}</h2>
      <Sentences texts={promises} />
      <h2>{t('What we cannot promise')}</h2>
      <Sentences texts={limits} />
      <h2>{t('How to ask for a change')}</h2>
      <p>
        {t(
          'Open the page of the maker or the zine, and follow the link to ask for a change, below the details. You need no account and no reason. Editors read your request, do it or decline it, and answer you if you say how.',
        )}
      </p>
      {context.contact !== undefined && (
        <p>
          {rich('You can also write to {contact}.', {
            contact: <a href={context.contact}>{t('those who run this catalogue')}</a>,
          })}
        </p>
      )}
    </div>
  </Layout>
)

const Sentences = ({ texts }: { readonly texts: readonly string[] }) => (
  <ul>
    {texts.map((text) => (
      <li key={text}>{t(text)}</li>
    ))}
  </ul>
)
