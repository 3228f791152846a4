// What a page says beside the results of a search: what was likely meant, and what to do where nothing is found.

import { searchPath } from '../links.js'

export const DidYouMean = ({ q, href }: { readonly q: string; readonly href: string }) => (
  <p class="did-you-mean">
    Did you mean{' '}
    <a href={href} dir="auto">
      {q}
    </a>
    ?
  </p>
)

type SearchHelpProps = {
  readonly q: string
  /** What was searched, in the plural, where it is one kind only. */
  readonly noun?: string
  /** Whether other filters are in force. */
  readonly isFiltered?: boolean
}

export const SearchHelp = ({ q, noun, isFiltered = false }: SearchHelpProps) => (
  <div class="notice">
    <p>
      {noun === undefined ? 'Nothing' : `None of the ${noun}`} has all the words of{' '}
      <strong dir="auto">{q}</strong>, nor words that are spelled nearly alike.
    </p>
    <ul>
      <li>Try fewer words, or only the beginning of a name.</li>
      {isFiltered && <li>Remove one of the filters above.</li>}
      {noun !== undefined && (
        <li>
          <a href={searchPath(q)}>Search the whole catalogue</a> for the same.
        </li>
      )}
    </ul>
  </div>
)
