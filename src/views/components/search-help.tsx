// What a page says beside the results of a search: what was likely meant, and what to do where
// nothing is found.

import type { ResourceName } from '../../model/iris.js'
import { searchPath } from '../links.js'
import { rich, t } from '../translate.js'

export const DidYouMean = ({ q, href }: { readonly q: string; readonly href: string }) => (
  <p class="did-you-mean">
    {rich('Did you mean {words}?', {
      words: (
        <a href={href} dir="auto">
          {q}
        </a>
      ),
    })}
  </p>
)

type SearchHelpProps = {
  readonly q: string
  /** What was searched, where it is one kind only. */
  readonly name?: ResourceName
  /** Whether other filters are in force. */
  readonly isFiltered?: boolean
}

export const SearchHelp = ({ q, name, isFiltered = false }: SearchHelpProps) => (
  <div class="notice">
    <p>
      {rich('No results for “{q}”, and nothing with a similar spelling.', {
        q: <strong dir="auto">{q}</strong>,
      })}
    </p>
    <ul>
      <li>{t('Try fewer words, or only the beginning of a name.')}</li>
      {isFiltered && <li>{t('Remove one of the filters above.')}</li>}
      {name !== undefined && (
        <li>
          {rich('{search} for the same.', {
            search: <a href={searchPath(q)}>{t('Search the whole catalogue')}</a>,
          })}
        </li>
      )}
    </ul>
  </div>
)
