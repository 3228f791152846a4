// The search of the whole catalogue, on every page and larger on some. client/suggestions.ts adds
// suggestions to it.

import { Form } from './form.js'
import { listPath, searchPath } from './links.js'
import { t } from './translate.js'

type SearchFormProps = {
  /** Of the context of the page. */
  readonly context: {
    readonly path: string
    readonly query: string
    readonly findsWords: boolean
  }
  /** What the page has searched for. */
  readonly q?: string
}

/** In the masthead: a box and a button in one line. */
export const MastheadSearch = ({ context }: SearchFormProps) => {
  const isHere = context.path === searchPath()
  const q = isHere ? (new URLSearchParams(context.query).get('q') ?? '') : ''
  return (
    <Form
      method="get"
      class="search"
      action={searchPath()}
      role="search"
      aria-label={t('Catalogue')}
    >
      <SearchBox label={t('Search the catalogue')} q={q} />
      <button aria-label={t('Search')}>
        <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
          <circle cx="8" cy="8" r="5.5" />
          <path d="M12 12l6 6" />
        </svg>
      </button>
    </Form>
  )
}

const SearchBox = ({ label, q }: { readonly label: string; readonly q: string }) => (
  <span class="suggesting">
    <input
      type="search"
      name="q"
      value={q}
      aria-label={label}
      placeholder={t('Search')}
      autocomplete="off"
      data-suggest
    />
  </span>
)

/**
 * In the content of a page. Where the service does not search for words, zines are searched for
 * parts of words.
 */
export const CatalogueSearch = ({ context, q = '' }: SearchFormProps) =>
  context.findsWords ? (
    <Form
      method="get"
      class="controls"
      action={searchPath()}
      role="search"
      aria-label={t('Whole catalogue')}
    >
      {/* The suggestions are beside the input. Inside of its label, they would be part of its name. */}
      <div class="grow">
        <label for="catalogue-search">
          <span>{t('Search zines, makers and libraries')}</span>
        </label>
        <span class="suggesting">
          <input
            type="search"
            id="catalogue-search"
            name="q"
            value={q}
            autocomplete="off"
            data-suggest
          />
        </span>
      </div>
      <button>{t('Search')}</button>
    </Form>
  ) : (
    <Form method="get" class="controls" action={listPath('zines')} role="search">
      <label class="grow">
        <span>{t('Search zines')}</span>
        <input type="search" name="search" autocomplete="off" />
      </label>
      <button>{t('Search')}</button>
    </Form>
  )
