// The layout of every page: head, navigation, who is signed in, and the page's own content.

import type { ComponentChildren } from 'preact'

import { Form } from './form.js'
import {
  aboutPath,
  editingLinks,
  homePath,
  myListPath,
  type NavigationSection,
  privacyPath,
  withParameters,
} from './links.js'
import type { Translator } from '../messages/translator.js'
import { languageNames, languages } from '../messages/languages.js'
import { clientTexts } from './client-texts.js'
import { MastheadSearch } from './search-form.js'
import { numberText, pageTranslator, rich, t } from './translate.js'

/** What a page needs to know about its request. */
export type PageContext = {
  /** What the catalogue is called. */
  readonly siteName: string
  /** The address of the institution's logo, if it has one. */
  readonly logo: string | undefined
  /** Whether there is a page about the catalogue. */
  readonly hasAbout: boolean
  /** The scheme and host that the browser used. */
  readonly origin: string
  /** The path as requested, percent-encoded. */
  readonly path: string
  /** The query string, without the question mark. */
  readonly query: string
  /** The account that is signed in. */
  readonly account: { readonly name: string; readonly role: string } | undefined
  /** The CSRF token of the session, which every form sends. */
  readonly csrf: string
  /** Where those who run the catalogue can be reached: a URL, also a `mailto:` one. */
  readonly contact: string | undefined
  /** Gives texts in the language of the page, to handlers; components use translate.ts. */
  readonly translator: Translator
  /** The number of open requests for changes, for accounts that answer them. */
  readonly openRequests: number | undefined
  /** Whether the whole catalogue can be searched for words. */
  readonly findsWords: boolean
  /** The time at which a demonstration goes back to its beginning; undefined for other services. */
  readonly resetsAt?: string | undefined
  /** What the last form did, said once, and the path of the form that undoes it. */
  readonly done?: { readonly text: string; readonly undo: string | undefined } | undefined
  /** The links of the navigation; SPARQL is missing where it is switched off. */
  readonly sections: readonly NavigationSection[]
  /** The address of an asset, such as `site.css`, with its version. */
  readonly assetUrl: (name: string) => string
  /** The content of a style sheet, where the page is to have it in it. */
  readonly inlineStyle: (name: string) => string | undefined
}

type LayoutProps = {
  readonly context: PageContext
  readonly title: string
  /** More elements of `<head>`, for search engines and citation managers. */
  readonly head?: ComponentChildren
  /** Assets that only some pages need. */
  readonly scripts?: readonly string[]
  readonly styles?: readonly string[]
  /** For pages that need the whole width. */
  readonly wide?: true
  readonly children: ComponentChildren
}

export const Layout = ({
  context,
  title,
  head,
  scripts = [],
  styles = [],
  wide,
  children,
}: LayoutProps) => (
  <html lang={pageTranslator().language} data-finds-words={context.findsWords ? '' : undefined}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title === context.siteName ? title : `${title} · ${context.siteName}`}</title>
      <link rel="icon" type="image/svg+xml" href={context.assetUrl('icon.svg')} />
      {[...commonStyles, ...styles].map((name) => (
        <StyleSheet key={name} name={name} context={context} />
      ))}
      {['site.js', 'suggestions.js', 'keep.js', ...scripts].map((name) => (
        <script key={name} type="module" src={context.assetUrl(name)} />
      ))}
      <link
        rel="search"
        type="application/opensearchdescription+xml"
        title={context.siteName}
        href="/opensearch.xml"
      />
      {head}
    </head>
    <body data-texts={textsOfScripts(pageTranslator())}>
      <a class="skip" href="#main">
        {t('Skip to the content')}
      </a>
      <Masthead context={context} />
      {context.resetsAt !== undefined && <DemoNotice context={context} value={context.resetsAt} />}
      <main id="main" class={wide ? 'wide' : undefined} tabIndex={-1}>
        {context.done && <DoneNotice context={context} {...context.done} />}
        {children}
      </main>
      <footer class="site-footer">
        <p>
          {t(
            'A catalogue of zines, of the people who make them, and of the places that keep them.',
          )}{' '}
          {context.hasAbout && (
            <>
              <a href={aboutPath}>{t('About')}</a> ·{' '}
            </>
          )}
          <a href={privacyPath}>{t('Privacy')}</a> · <a href="/dataset">{t('Data and licence')}</a>{' '}
          · <a href="/ns">{t('Vocabulary documentation')}</a>
          {context.contact !== undefined && (
            <>
              {' · '}
              <a href={context.contact}>{t('Contact')}</a>
            </>
          )}
        </p>
        <Languages context={context} />
      </footer>
    </body>
  </html>
)

/** The style sheets of all pages. */
const commonStyles: readonly string[] = ['site.css', 'covers.css']

/** In English the scripts have their texts themselves. */
const textsOfScripts = ({ language, pattern }: Translator): string | undefined =>
  language === 'en'
    ? undefined
    : JSON.stringify(Object.fromEntries(clientTexts.map((text) => [text, pattern(text)])))

/**
 * The page in the other languages; the link to one is remembered (docs/reference/formats.md,
 * "Languages of pages").
 */
const Languages = ({ context: { path, query } }: { readonly context: PageContext }) => {
  const { language } = pageTranslator()
  return (
    <nav class="languages" aria-label={t('Language')} data-live="languages" data-needs-service>
      <ul>
        {languages.map((choice) => (
          <li key={choice}>
            <a
              href={withParameters(path, query, { lang: choice })}
              lang={choice}
              hreflang={choice}
              rel="nofollow"
              aria-current={choice === language ? 'true' : undefined}
            >
              {languageNames[choice]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/**
 * A style sheet, or the address of one. A page that has those of all pages in it also loads them for
 * the next pages, which refer to them: as some for printing, for which nothing waits.
 */
const StyleSheet = ({
  name,
  context,
}: {
  readonly name: string
  readonly context: PageContext
}) => {
  const css = context.inlineStyle(name)
  const href = context.assetUrl(name)
  if (css === undefined) return <link rel="stylesheet" href={href} />
  return (
    <>
      <style dangerouslySetInnerHTML={{ __html: css }} />
      {commonStyles.includes(name) && <link rel="stylesheet" href={href} media="print" />}
    </>
  )
}

const DemoNotice = ({
  context: { account, path, query },
  value,
}: {
  readonly context: PageContext
  readonly value: string
}) => (
  <aside class="demo" aria-label={t('Demonstration')}>
    <p>
      {rich(
        'This is a demonstration: change whatever you like. Everything goes back at {time}. Enter nothing private, since everyone can read it.',
        { time: <ResetTime value={value} /> },
      )}{' '}
      {!account && <a href={signInPath(path, query)}>{t('Try editing')}</a>}
    </p>
  </aside>
)

/** The time to the minute, in UTC. */
export const ResetTime = ({ value }: { readonly value: string }) => (
  <time dateTime={value}>{`${value.slice(0, 10)} ${value.slice(11, 16)} UTC`}</time>
)

const signInPath = (path: string, query: string): string =>
  withParameters(editingLinks.login, '', { next: `${path}${query && `?${query}`}` })

const DoneNotice = ({
  context,
  text,
  undo,
}: NonNullable<PageContext['done']> & { readonly context: PageContext }) => (
  <div class="notice done" role="status">
    <p class="done">{t(text)}</p>
    {undo !== undefined && (
      <Form context={context} action={undo}>
        <button class="plain">{t('Undo')}</button>
      </Form>
    )}
  </div>
)

/** On a wide screen everything is shown; on a narrow one the menu opens (assets/site.css). */
const Masthead = ({ context }: { readonly context: PageContext }) => (
  <header class="masthead">
    <div class="masthead-inner">
      <a
        class="brand"
        href={homePath}
        aria-current={context.path === homePath ? 'page' : undefined}
      >
        {context.logo !== undefined && <img src={context.logo} alt="" />}
        {context.siteName}
      </a>
      {/* The home page has a larger one. */}
      {context.findsWords && context.path !== homePath && <MastheadSearch context={context} />}
      <details class="menu">
        <summary>{t('Menu')}</summary>
        <div class="menu-content">
          <nav aria-label={t('Catalogue')}>
            <ul>
              {context.sections.map(([path, title]) => (
                <li key={path}>
                  <a href={path} aria-current={ariaCurrent(context.path, path)}>
                    {t(title)}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <SignedIn context={context} />
        </div>
      </details>
    </div>
  </header>
)

function ariaCurrent(path: string, section: string): 'page' | 'true' | undefined {
  if (path === section) return 'page'
  return path.startsWith(section) ? 'true' : undefined
}

const SignedIn = ({ context }: { readonly context: PageContext }) => {
  const { account, path, query, openRequests } = context
  if (!account)
    return (
      <p class="visitor" data-live="visitor" data-needs-service>
        <MyListLink />
        <a href={signInPath(path, query)}>{t('Sign in')}</a>
      </p>
    )
  return (
    <div class="visitor">
      <MyListLink />
      <a href={editingLinks.account}>{account.name}</a>
      {account.role !== 'viewer' && <a href={editingLinks.deleted}>{t('Deleted')}</a>}
      {openRequests !== undefined && (
        <a href={editingLinks.changeRequests()}>
          {t('Requests')}
          {openRequests > 0 && ` (${numberText(openRequests)})`}
        </a>
      )}
      {account.role !== 'viewer' && <a href={editingLinks.worklists}>{t('Worklists')}</a>}
      {account.role !== 'viewer' && <a href={editingLinks.inventory}>{t('Inventory')}</a>}
      {account.role !== 'viewer' && <a href={editingLinks.batches}>{t('Batches')}</a>}
      {account.role !== 'viewer' && <a href={editingLinks.imports}>{t('Import')}</a>}
      {account.role === 'admin' && <a href={editingLinks.accounts}>{t('Accounts')}</a>}
      {account.role === 'admin' && <a href={editingLinks.service}>{t('Service')}</a>}
      <Form context={context} action={editingLinks.logout}>
        <button class="plain">{t('Sign out')}</button>
      </Form>
    </div>
  )
}

const MyListLink = () => <a href={myListPath}>{t('My list')}</a>
