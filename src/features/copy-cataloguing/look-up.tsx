// Copy cataloguing: looks a zine up in other catalogues, and fills the form of a new one in from a
// record of them (docs/how-to/cataloguing.md, "Look it up elsewhere"). The form is the ordinary
// one, in record-form.tsx.

import { type Message, isMessage } from '../../message.js'
import { mayWrite } from '../../accounts/rights.js'
import type { OtherRecord } from './clients.js'
import { type TakenValues, toFormValues } from './form-values.js'
import type { CatalogueResult, OtherCatalogues } from './other-catalogues.js'
import type { Imports } from '../imports/imports.js'
import { isWebIri } from '../../model/record/rdf-mapper.js'
import { FormPage } from '../../views/form-layout.js'
import type { PageContext } from '../../views/layout.js'
import { editingLinks, editingRoutes } from '../../views/links.js'
import { LookUpForm, type TakenRecord } from '../records/record-form-page.js'
import { messageText, t } from '../../views/translate.js'
import { seesHidden } from '../../http/request/record-rights.js'
import type { Endpoint } from '../../http/endpoint.js'
import { queryParam } from '../../http/request/url.js'
import {
  type FormDependencies,
  type SignedInRequest,
  type SubmittedForm,
  createPageEndpoint,
} from '../../http/form-endpoint.js'

export type LookUpDependencies = {
  readonly otherCatalogues: OtherCatalogues
  readonly imports: Pick<Imports, 'matchers'>
}

/** Longer texts are no titles. */
const maxLength = 500

export const lookUpEndpoints = (
  dependencies: FormDependencies & LookUpDependencies,
): readonly Endpoint[] => {
  const { otherCatalogues } = dependencies
  if (!otherCatalogues.areNamed) return []
  const endpoint = createPageEndpoint(dependencies, {
    path: editingRoutes.lookUp,
    name: 'Look up a Zine',
    description: 'What other catalogues have for a title.',
    isAllowed: (account) => mayWrite(account, 'zines'),
    async render({ ctx, context }) {
      const text = queryParam(ctx, 'q').trim().slice(0, maxLength)
      const results = text === '' ? [] : await otherCatalogues.search(text)
      return <LookUpPage {...{ context, text, results }} />
    },
  })
  return [endpoint]
}

export type TakenOver = {
  readonly values: TakenValues['values']
  readonly source: TakenRecord
}

/**
 * The record of another catalogue that the address of the form names; undefined where it names
 * none.
 * @returns a sentence if it cannot be had
 */
export async function takeOver(
  { otherCatalogues, imports }: LookUpDependencies,
  { ctx, account }: SignedInRequest,
): Promise<TakenOver | Message | undefined> {
  const name = queryParam(ctx, 'catalogue')
  if (name === '') return undefined
  const record = await otherCatalogues.find(
    name,
    queryParam(ctx, 'record'),
    queryParam(ctx, 'q').slice(0, maxLength),
  )
  if (isMessage(record)) return record
  const { values, leftOut } = toFormValues(
    record.described,
    await imports.matchers({ mayWrite: seesHidden(account) }),
  )
  return { values, source: { address: record.address, leftOut } }
}

/**
 * The record that a form was filled in from, as the form carries it; undefined for what is no
 * address.
 */
export function takenIn(form: SubmittedForm): TakenRecord | undefined {
  const address = form.get('.from') ?? ''
  if (!isWebIri(address)) return undefined
  const leftOut = new Map<string, readonly string[]>()
  for (const entry of form.getAll('.left-out')) {
    const [, field = '', text = ''] = /^(\w+):([^]+)$/.exec(entry) ?? []
    leftOut.set(field, [...(leftOut.get(field) ?? []), text])
  }
  return { address, leftOut }
}

type LookUpProps = {
  readonly context: PageContext
  /** What was looked up; empty if nothing was yet. */
  readonly text: string
  readonly results: readonly CatalogueResult[]
}

const LookUpPage = ({ context, text, results }: LookUpProps) => (
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
