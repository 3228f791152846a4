// The page of the list that a reader keeps in the browser alone (docs/reference/explore.md, "A list of
// your own"). The service knows nothing of the list: views/client/my-list.ts fills the page.

import { html } from '../../formats/common-formats.js'
import { message } from '../../message.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'
import type { Endpoint } from '../../http/endpoint.js'
import { Layout, type PageContext } from '../../views/layout.js'
import { listPath, myListPath } from '../../views/links.js'
import { pageTranslator, rich, t } from '../../views/translate.js'

export const myListEndpoint = (assets: AssetUrls): Endpoint => ({
  path: myListPath,
  name: 'My List',
  description: 'The list of zines that a reader keeps in the browser alone.',
  formats: [html],
  methods: { GET: (ctx) => sendPage(ctx, <MyListPage context={pageContext(ctx, assets)} />) },
})

/** What the script says, with the names of its values. Read by views/client/my-list-parts.ts. */
const said = {
  ownHeading: message('My list'),
  linkedHeading: message('A list from a link'),
  removed: message('Removed from your list: {title}'),
  emptied: message('Your list is empty now.'),
  undone: message('Undone.'),
  count: message('Zines in your list: {count}'),
  gone: message('Not in the catalogue any more when it was last checked.'),
  formerly: message('Formerly {id}'),
  more: message('Other libraries: {count}'),
  noLibrary: message('No library copy'),
  unknownLibraries: message('Open its page to see which libraries have it.'),
  asking: message('The catalogue is asked …'),
  notAsked: message('The catalogue could not be asked. Try again later.'),
  checked: message(
    'Checked. No longer in the catalogue: {gone}. At another address or merged: {moved}.',
  ),
  kept: message('Added to your list: {count}'),
  tooMany: message('There is room for {room} more in your list. Remove some zines first.'),
  shortened: message('This link names more than {count} zines. Only the first are shown.'),
  noZines: message('This link names no zines.'),
} as const

const MyListPage = ({ context }: { readonly context: PageContext }) => (
  <Layout
    context={context}
    title={t('My list')}
    scripts={['cite.js', 'my-list.js']}
    styles={['dragged-rows.css', 'my-list.css']}
  >
    <header class="page-head">
      <h1 tabIndex={-1}>{t('My list')}</h1>
    </header>
    <noscript>
      <p class="notice">
        {t('This page works with scripts only, since your list is kept in your browser alone.')}
      </p>
    </noscript>
    <div class="my-list" data-said={textsToSay()} hidden>
      <OwnList />
      <LinkedList />
      {/* Stays in view below the rows. */}
      <div data-part="status" role="status">
        <span />{' '}
        <button class="plain" data-do="undo" hidden>
          {t('Undo')}
        </button>
      </div>
      <Row />
    </div>
  </Layout>
)

const textsToSay = (): string => {
  const { pattern } = pageTranslator()
  return JSON.stringify(
    Object.fromEntries(Object.entries(said).map(([name, text]) => [name, pattern(text)])),
  )
}

const OwnList = () => (
  <section data-part="own">
    <p class="lead no-print">
      {t('This list is kept in this browser only. Everyone who uses this browser can see it.')}
    </p>
    <p class="none" data-part="empty" hidden>
      {rich('Nothing is in your list yet. Press “Keep in my list” at one of the {zines}.', {
        zines: <a href={listPath('zines')}>{t('Zines').toLowerCase()}</a>,
      })}
    </p>
    <p class="actions" data-part="start-again" hidden>
      <button class="quiet" data-do="start-again">
        {t('Delete it and start a new list')}
      </button>
    </p>
    <div data-part="filled" hidden>
      <p class="count" data-part="count" />
      <p class="actions">
        <button class="quiet" data-do="print">
          {t('Print')}
        </button>
        <button class="quiet" data-do="check" aria-describedby="check-hint">
          {t('Check what has changed')}
        </button>
        <button class="quiet" data-do="empty">
          {t('Empty the list')}
        </button>
      </p>
      <p class="hint no-print" id="check-hint">
        {t(
          'To check, the identifiers of these zines are sent to the catalogue. Nothing else sends them.',
        )}
      </p>
      <ol class="records kept" data-part="rows" />
      <section class="no-print">
        <h2>{t('Give this list to others')}</h2>
        <p>
          {t(
            'The link contains the identifiers of the zines, after the #. Browsers do not send this part to the catalogue.',
          )}
        </p>
        <p class="link-of-list">
          <code data-part="link" data-copy={t('Link')} />
        </p>
      </section>
    </div>
  </section>
)

const LinkedList = () => (
  <section data-part="linked" hidden>
    <p class="lead no-print">
      {t('The link that you opened contains this list. Your own list is unchanged.')}
    </p>
    <p class="actions">
      <button data-do="keep-these">{t('Keep these')}</button>
      <button class="quiet" data-do="show-titles" aria-describedby="titles-hint">
        {t('Show titles and covers')}
      </button>
      <button class="quiet" data-do="print">
        {t('Print')}
      </button>
      <a class="button quiet" href={myListPath}>
        {t('My list')}
      </a>
    </p>
    <p class="hint no-print" id="titles-hint" data-part="titles-hint">
      {t(
        'Nothing of it was sent. To show titles and covers, the identifiers of these zines are sent to the catalogue.',
      )}
    </p>
    <ol class="records kept" data-part="rows" />
  </section>
)

/** A zine of the list. The labels of its buttons have `{title}`, which the script fills in. */
const Row = () => {
  const title = { title: '{title}' }
  return (
    <template data-part="row">
      <li>
        <div class="cover thumbnail" aria-hidden="true" />
        <article class="summary">
          <h2>
            <a dir="auto" />
          </h2>
          <p class="line" />
          <p class="held" dir="auto" />
          <p class="state" />
          <p class="address" dir="ltr" />
        </article>
        <span class="row-buttons">
          <span class="drag-handle" data-drag aria-hidden="true" />
          <button class="quiet small" data-do="up" aria-label={t('Move {title} up', title)}>
            ↑
          </button>
          <button class="quiet small" data-do="down" aria-label={t('Move {title} down', title)}>
            ↓
          </button>
          <button
            class="quiet small"
            data-do="remove"
            aria-label={t('Remove {heading}', { heading: '{title}' })}
          >
            {t('Remove')}
          </button>
        </span>
      </li>
    </template>
  )
}
