// The lists of editors that a record is in, on its page.

import type { ListOfEditors } from '../../catalogue/lists/curated-list-reads.js'
import { curatedListPath, listsPath } from '../../views/links.js'
import { plural, t } from '../../views/translate.js'

const maxShown = 10

export const OnLists = ({ lists }: { readonly lists: readonly ListOfEditors[] }) => {
  if (lists.length === 0) return null
  const more = lists.length - maxShown
  return (
    <section class="related">
      <h2>{t('On these lists')}</h2>
      <ul class="values">
        {lists.slice(0, maxShown).map(({ slug, title, isPublic }) => (
          <li key={slug}>
            <a href={curatedListPath(slug)} dir="auto">
              {title}
            </a>
            {!isPublic && <span class="hint"> {t('Only editors see this list.')}</span>}
          </li>
        ))}
        {more > 0 && (
          <li>
            <a href={listsPath}>{plural(more, 'and {count} more', 'and {count} more')}</a>
          </li>
        )}
      </ul>
    </section>
  )
}
