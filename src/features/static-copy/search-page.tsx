// The search of a copy: a form, and what it finds, which the script fills in (client/copy-search.ts).

import { type Option, LabelledSelect } from '../../views/components/select.js'
import { Form } from '../../views/form.js'
import { pageTranslator, t } from '../../views/translate.js'
import type { Translator } from '../../messages/translator.js'
import { renderPart } from '../../views/render.js'
import { searchFile } from './copy-addresses.js'

/** The values of a filter that the zines have. */
export type FilterChoices = {
  readonly name: string
  readonly label: string
  readonly options: readonly Option[]
}

type SearchProps = {
  /** Made when the texts of the page's language are there. */
  readonly filters: () => readonly FilterChoices[]
  readonly script: string
  readonly listFile: string
}

/** The content of the page, which stands in the frame of the service's own page of the search. */
export const renderSearch = (translator: Translator, props: SearchProps): string =>
  renderPart(<CopySearch {...props} />, translator)

const CopySearch = ({ filters, script, listFile }: SearchProps) => {
  const { pluralPattern } = pageTranslator()
  const counted = ['{count} zine.', '{count} zines.'] as const
  return (
    <>
      <header class="page-head">
        <h1>{t('Search')}</h1>
      </header>
      <Form
        method="get"
        id="copy-search"
        class="controls"
        action={searchFile}
        role="search"
        aria-label={t('Zines')}
      >
        <label class="grow">
          <span>{t('Search zines')}</span>
          <input type="search" name="q" autocomplete="off" />
        </label>
        {filters().map(({ name, label, options }) => (
          <LabelledSelect
            key={name}
            name={name}
            label={label}
            options={[['', t('Any')], ...options]}
          />
        ))}
        <button>{t('Search')}</button>
      </Form>
      <noscript>
        <p>
          {t('The search needs JavaScript.')} <a href={listFile}>{t('Zines')}</a>
        </p>
      </noscript>
      <p
        id="copy-count"
        role="status"
        data-none={t('No zines match these filters.')}
        data-one={pluralPattern(1, ...counted)}
        data-other={pluralPattern(2, ...counted)}
      />
      <h2 class="visually-hidden">{t('Records')}</h2>
      <ol id="copy-results" class="records" />
      <p id="copy-more" hidden>
        <button type="button">{t('Show more')}</button>
      </p>
      <script src={script} />
    </>
  )
}
