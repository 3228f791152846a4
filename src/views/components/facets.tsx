// The filters of a list: those that can be chosen, with the number of records that each would
// leave, and those that are.

import { Form } from '../form.js'
import type { PageContext } from '../layout.js'
import { createAddresses, queryWithout, withParameters } from '../links.js'
import { numberText, rich, t } from '../translate.js'

/** The parameters of the address that a link changes; those set to undefined are removed. */
type Changes = Readonly<Record<string, string | undefined>>

/** A filter with its values. */
export type Facet = {
  readonly name: string
  readonly label: string
  readonly choices: readonly FacetChoice[]
  /** Whether all values are shown, and not the most frequent ones alone. */
  readonly isWhole: boolean
  /**
   * Where several values can be chosen, and one is: whether records have each, or any of them, and
   * what changes that.
   */
  readonly joining?: { readonly isEach: boolean; readonly changes: Changes }
  /** The years between which the records are from; empty texts for none. */
  readonly range?: { readonly from: string; readonly to: string }
}

export type FacetChoice = {
  /** The parameter that finds the records with this value. */
  readonly param: string
  readonly value: string
  readonly label: string
  /** That of the label, where it is not the page's. */
  readonly language?: string | undefined
  /**
   * How many records choosing it would leave, or with a sign, add or leave out; undefined where that
   * is not counted.
   */
  readonly count: number | undefined
  readonly sign?: '+' | '−'
  readonly isChosen: boolean
  /** What choosing it changes, or where it is chosen, removing it. */
  readonly changes: Changes
}

/** A value that is chosen, with what removes it. */
export type ChosenFilter = {
  readonly param: string
  readonly value: string
  /** The filter, and the value, as people know them. */
  readonly label: string
  readonly text: string
  /** That of the text, where it is not the page's. */
  readonly language?: string | undefined
  readonly changes: Changes
}

type FacetsProps = {
  readonly context: PageContext
  readonly facets: readonly Facet[]
  /** How many filters are chosen. */
  readonly chosen: number
}

/** Beside the results; on a narrow screen in a drawer before them (assets/site.css). */
export const Facets = ({ context, facets, chosen }: FacetsProps) => {
  const addressOf = createFirstPageAddresses(context)
  return (
    <details class="drawer" open={facets.some(({ isWhole }) => isWhole)}>
      <summary>
        {t('Filters')}
        {chosen > 0 && ` (${chosen})`}
      </summary>
      <aside class="facets" aria-label={t('Filters')}>
        {facets.map((facet) => (
          <FacetBox key={facet.name} {...{ context, facet, addressOf }} />
        ))}
      </aside>
    </details>
  )
}

/** So many values are shown at most, unless all are wanted. */
export const maxShownChoices = 12
/** So many of more, with a link to all. */
const shownOfMore = 8

type AddressOf = (changes: Changes) => string

type FacetProps = {
  readonly context: PageContext
  readonly facet: Facet
  readonly addressOf: AddressOf
}

const FacetBox = ({ context, facet, addressOf }: FacetProps) => {
  const { name, label, choices, joining, range, isWhole } = facet
  if (choices.length === 0) return null
  const hasMore = !isWhole && choices.length > maxShownChoices
  const chosen = choices.filter(({ isChosen }) => isChosen).length
  const shown = hasMore ? choices.slice(0, Math.max(shownOfMore, chosen)) : choices
  const id = `facet-${name}`
  // Without scripts, the keyboard goes on where it was.
  const addressHere: AddressOf = (changes) => `${addressOf(changes)}#${id}`
  return (
    <section class={isWhole ? 'facet whole' : 'facet'} id={id}>
      <h2>{t(label)}</h2>
      <a class="to-results" href={`#${resultsId}`} aria-keyshortcuts="Escape">
        {t('Skip to the results')}
      </a>
      {joining && <Joining {...{ name, label, joining }} addressOf={addressHere} />}
      <ul>
        {shown.map((choice) => (
          <FacetItem
            key={`${choice.param} ${choice.value}`}
            {...{ name, choice }}
            addressOf={addressHere}
          />
        ))}
      </ul>
      {(hasMore || isWhole) && <WholeFacetLink {...{ context, facet }} />}
      {range && <YearRange context={context} range={range} />}
    </section>
  )
}

/** The section with the results, where the filters lead to. */
export const resultsId = 'results'

/** Whether records have all of the chosen values or any of them. */
const Joining = ({
  name,
  label,
  joining: { isEach, changes },
  addressOf,
}: Pick<Facet, 'name' | 'label'> & {
  readonly joining: NonNullable<Facet['joining']>
  readonly addressOf: AddressOf
}) => {
  const stateOf = (isCurrent: boolean, text: string) =>
    isCurrent ? (
      <strong>{text}</strong>
    ) : (
      <a href={addressOf(changes)} rel="nofollow" data-filter-link={name}>
        {text}
        <span class="visually-hidden">: {t(label).toLowerCase()}</span>
      </a>
    )
  return (
    <p class="joining">
      {stateOf(isEach, t('All of these'))} · {stateOf(!isEach, t('Any of these'))}
    </p>
  )
}

/**
 * Shows all values, or the most frequent ones again; client/site.ts puts them in place of those of
 * this page.
 */
const WholeFacetLink = ({
  context: { path, query },
  facet: { name, label, isWhole },
}: Omit<FacetProps, 'addressOf'>) => (
  <p class="more">
    <a
      href={`${withParameters(path, query, { facet: isWhole ? undefined : name })}#facet-${name}`}
      rel="nofollow"
      data-facet-link
    >
      {rich(isWhole ? 'Fewer {of}' : 'More {of}', {
        of: (
          <span class="visually-hidden">{t('of {label}', { label: t(label).toLowerCase() })}</span>
        ),
      })}
    </a>
  </p>
)

const FacetItem = ({
  name,
  choice: { value, label, language, count, sign, isChosen, changes },
  addressOf,
}: {
  readonly name: string
  readonly choice: FacetChoice
  readonly addressOf: AddressOf
}) => (
  <li>
    <a
      href={addressOf(changes)}
      aria-current={isChosen ? 'true' : undefined}
      rel="nofollow"
      data-filter-link={`${name} ${value}`}
    >
      <span>
        {isChosen && <span class="visually-hidden">{t('Remove')} </span>}
        <span lang={language}>{label}</span>
      </span>{' '}
      {isChosen ? (
        <span aria-hidden="true">×</span>
      ) : (
        count !== undefined && (
          <span>
            {sign}
            {numberText(count)}
          </span>
        )
      )}
    </a>
  </li>
)

/** Addresses of the first page with other filters. */
const createFirstPageAddresses = ({ path, query }: PageContext): AddressOf =>
  createAddresses(path, queryWithout(query, 'page', 'cursor'))

/** What a range of years replaces. */
const yearParams = ['year__gte', 'year__lte', 'decade', 'year', 'undated']

const YearRange = ({
  context,
  range: { from, to },
}: {
  readonly context: PageContext
  readonly range: NonNullable<Facet['range']>
}) => (
  <Form method="get" class="year-range" action={context.path} aria-label={t('Years')}>
    <HiddenParameters query={context.query} except={yearParams} />
    <YearInput name="year__gte" label={t('From year')} value={from} />
    <YearInput name="year__lte" label={t('to year')} value={to} />
    <button class="quiet small">{t('Show')}</button>
  </Form>
)

const YearInput = ({
  name,
  label,
  value,
}: {
  readonly name: string
  readonly label: string
  readonly value: string
}) => (
  <label>
    <span>{label}</span>
    <input name={name} value={value} inputmode="numeric" pattern="\d{4}" maxLength={4} size={4} />
  </label>
)

/** Parameters of pages that a form does not keep: another list begins with its first page. */
const paramsOfPage = ['page', 'cursor', 'format']

/** The parameters of the address as inputs, so that a form keeps them. */
export const HiddenParameters = ({
  query,
  except,
}: {
  readonly query: string
  readonly except: readonly string[]
}) => (
  <>
    {[...new Map(new URLSearchParams(query))]
      .filter(([name, value]) => value !== '' && ![...except, ...paramsOfPage].includes(name))
      .map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
  </>
)

/** The search and the filters in force, each as a link that removes it. */
export const ChosenFilters = ({
  context,
  chosen,
}: {
  readonly context: PageContext
  readonly chosen: readonly ChosenFilter[]
}) => {
  if (chosen.length === 0) return null
  const addressOf = createFirstPageAddresses(context)
  return (
    <ul class="chosen" aria-label={t('Chosen filters')}>
      {chosen.map(({ param, value, label, text, language, changes }) => (
        <li key={`${param} ${value}`}>
          <a href={addressOf(changes)} data-filter-link>
            <span class="visually-hidden">{t('Remove')} </span>
            {rich('{label}: {value}', {
              label: t(label),
              value: <span lang={language}>{text}</span>,
            })}{' '}
            <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
      {chosen.length > 1 && (
        <li>
          <a class="all" href={context.path} data-filter-link>
            {t('Remove all')}
          </a>
        </li>
      )}
    </ul>
  )
}
