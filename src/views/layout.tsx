// The frame that every page stands in: masthead, sections, who is signed in, and the page's own part.

import type { ComponentChildren } from 'preact'

import { editingLinks, homePath, type NavigationSection, withParameters } from './links.js'

/** What a page has to know of the request for it. */
export type PageContext = {
  /** The scheme and host that the browser used. */
  readonly origin: string
  /** The path, percent-encoded as it was asked for. */
  readonly path: string
  /** What stands behind its question mark. */
  readonly query: string
  /** Who is signed in. */
  readonly account: { readonly name: string; readonly role: string } | undefined
  /** What every form of the visitor carries, so that nobody else can send it for them. */
  readonly csrf: string
  /** The parts of the catalogue that are open here. */
  readonly sections: readonly NavigationSection[]
  /** The address of a file of ours, such as `site.css`. */
  readonly asset: (name: string) => string
}

type LayoutProps = {
  readonly visit: PageContext
  readonly title: string
  /** Said to search engines and to readers of citations. */
  readonly head?: ComponentChildren
  /** Files of ours that this page alone needs. */
  readonly scripts?: readonly string[]
  readonly styles?: readonly string[]
  /** For pages that need the whole width. */
  readonly wide?: true
  readonly children: ComponentChildren
}

export const siteName = 'Zine Catalogue'

export const Layout = ({
  visit,
  title,
  head,
  scripts = [],
  styles = [],
  wide,
  children,
}: LayoutProps) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title === siteName ? title : `${title} · ${siteName}`}</title>
      <link rel="icon" type="image/svg+xml" href={visit.asset('icon.svg')} />
      {['site.css', ...styles].map((name) => (
        <link key={name} rel="stylesheet" href={visit.asset(name)} />
      ))}
      {['site.js', ...scripts].map((name) => (
        <script key={name} type="module" src={visit.asset(name)} />
      ))}
      {head}
    </head>
    <body>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Masthead visit={visit} />
      <main id="main" class={wide ? 'wide' : undefined} tabIndex={-1}>
        {children}
      </main>
      <footer class="colophon">
        <p>
          A catalogue of zines, of those who make them, and of where they are kept. Every page is
          also data: <a href="/dataset">about the dataset</a>, <a href="/ns">its terms</a>.
        </p>
      </footer>
    </body>
  </html>
)

/** What shows that a form came from here: the first thing in every form that changes anything. */
export const Csrf = ({ token }: { readonly token: string }) => (
  <input type="hidden" name="csrf_token" value={token} />
)

const Masthead = ({ visit }: { readonly visit: PageContext }) => (
  <header class="masthead">
    <div class="masthead-inner">
      <a class="brand" href={homePath} aria-current={visit.path === homePath ? 'page' : undefined}>
        {siteName}
      </a>
      <nav aria-label="Catalogue">
        <ul>
          {visit.sections.map(([path, title]) => (
            <li key={path}>
              <a href={path} aria-current={currentOf(visit.path, path)}>
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <Visitor visit={visit} />
    </div>
  </header>
)

function currentOf(path: string, section: string): 'page' | 'true' | undefined {
  if (path === section) return 'page'
  return path.startsWith(section) ? 'true' : undefined
}

const Visitor = ({ visit }: { readonly visit: PageContext }) => {
  const { account, path, query, csrf } = visit
  if (!account)
    return (
      <p class="visitor">
        <a
          href={withParameters(editingLinks.login, '', { next: `${path}${query && `?${query}`}` })}
        >
          Sign in
        </a>
      </p>
    )
  return (
    <div class="visitor">
      <a href={editingLinks.account}>{account.name}</a>
      {account.role === 'admin' && <a href={editingLinks.accounts}>Accounts</a>}
      <form method="post" action={editingLinks.logout}>
        <Csrf token={csrf} />
        <button class="plain">Sign out</button>
      </form>
    </div>
  )
}
