// Texts with marks on the words that a search has found, and the fields of a record that have them.

import type { MarkedText, Snippet } from '../../model/marked-text.js'
import { languageUnlessOfPage, t } from '../translate.js'

export const Marked = ({ text }: { readonly text: MarkedText }) => (
  <>
    {text.map((part, index) => (part.isMarked ? <mark key={index}>{part.text}</mark> : part.text))}
  </>
)

/** Where the words are that the title of a record does not have. */
export const Snippets = ({ snippets }: { readonly snippets: readonly Snippet[] }) =>
  snippets.length === 0 ? null : (
    <dl class="snippets">
      {snippets.map(({ label, text, language }, index) => (
        <div key={index}>
          <dt>{t(label)}</dt>
          <dd dir="auto" lang={language && languageUnlessOfPage(language)}>
            <Marked text={text} />
          </dd>
        </div>
      ))}
    </dl>
  )
