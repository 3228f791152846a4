// What other catalogues have for a title, each record with a link to the form of a new zine that is
// filled in from it.

import type { CatalogueResult } from './other-catalogues.js'
import type { OtherRecord } from './clients.js'
import { FormPage } from '../../views/form-layout.js'
import type { PageContext } from '../../views/layout.js'
import { editingLinks } from '../../views/links.js'
import { messageText, t } from '../../views/translate.js'
import { LookUpForm } from '../records/record-form-page.js'

type LookUpProps = {
  readonly context: PageContext
  /** What was looked up; empty if nothing was yet. */
  readonly text: string
  readonly results: readonly CatalogueResult[]
}

export const LookUpPage = ({ context, text, results }: LookUpProps) => (
  <FormPage context={context} title={t('Look it up elsewhere')}>
    <LookUpForm text={text} />
    {results.map((result) => (
      <section key={result.name} class="looked-up">
        <h2>{result.name}</h2>
        <Found {...result} text={text} />
      </section>
    ))}
    <p>
      <a href={editingLinks.create('zines')}>{t('Describe the zine without another record')}</a>
    </p>
  </FormPage>
)

const Found = ({
  name,
  type,
  records,
  error,
  text,
}: CatalogueResult & { readonly text: string }) => {
  if (error !== undefined) return <p class="notice wrong">{messageText(error)}</p>
  if (records.length === 0)
    return (
      <p class="none">
        {type === 'oai-pmh'
          ? t('No record. This catalogue finds records by their identifiers only.')
          : t('No record with these words.')}
      </p>
    )
  return (
    <ul class="records">
      {records.map((record) => (
        <li key={record.id}>
          <Summary record={record} />
          <p class="actions">
            <a class="button quiet small" href={editingLinks.takeOver(name, record.id, text)}>
              {t('Use this record')}
              <span class="visually-hidden"> {titleIn(record)}</span>
            </a>
          </p>
        </li>
      ))}
    </ul>
  )
}

const Summary = ({ record }: { readonly record: OtherRecord }) => {
  const { zine, names } = record.described
  const makers = names.filter(({ field }) => field === 'creator').map(({ name }) => name)
  const line = [makers.join(', '), ...(zine.date ?? []), ...(zine.place_of_publication ?? [])]
  return (
    <>
      <p class="title" dir="auto">
        <a href={record.address} rel="nofollow">
          {titleIn(record)}
        </a>
      </p>
      <p class="hint" dir="auto">
        {line.filter(Boolean).join(' · ')}
      </p>
    </>
  )
}

const titleIn = ({ described: { zine } }: OtherRecord): string =>
  [...(zine.title ?? []), ...(zine.issue_designation ?? [])].join(', ')
