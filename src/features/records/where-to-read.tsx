// Where a zine can be read: the libraries that have it, each with its copies. Those of the country
// that the reader chose come first.

import type { ComponentChildren } from 'preact'

import { type HoldingLibrary, librariesOf } from '../../model/libraries.js'
import { textValue } from '../../model/record/values.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import { ExternalLink, isWebAddress } from '../../views/components/field-value.js'
import { Select } from '../../views/components/select.js'
import { Form } from '../../views/form.js'
import { recordPath } from '../../views/links.js'
import {
  codeText,
  entriesOf,
  fieldText,
  labelled,
  numberText,
  plural,
  t,
} from '../../views/translate.js'

type WhereToReadProps = {
  readonly holdings: readonly ResolvedRecord[]
  readonly resources: Resources
  /** The path of the page. */
  readonly path: string
  /** The code of the country that the reader chose; empty for none. */
  readonly near: string
}

/** So many libraries, and so many copies of each, are shown at once. */
const maxShown = 3

export const WhereToRead = ({ holdings, resources, path, near }: WhereToReadProps) => {
  const libraries = librariesOf(holdings)
  const isNear = ({ values }: HoldingLibrary): boolean => values.country === near
  const ordered = [...libraries.filter(isNear), ...libraries.filter((library) => !isNear(library))]
  const countries = new Set(libraries.map(({ values }) => textValue(values, 'country')))
  return (
    <section class="related where" aria-labelledby="where">
      <h2 id="where">
        {t('Where to read it')} <Count of={libraries.length} />
      </h2>
      {libraries.length === 0 && <p class="none">{t('No library copy')}</p>}
      {countries.size > 1 && (
        <CountryForm {...{ path, near, resources }} countries={new Set([...countries, near])} />
      )}
      <Folded
        items={ordered.map((library) => (
          <li key={library.id}>
            <Library library={library} resources={resources} />
          </li>
        ))}
        textOfMore={(more) => plural(more, '{count} more library', '{count} more libraries')}
      />
    </section>
  )
}

/** How many records a part of a page lists. */
export const Count = ({ of }: { readonly of: number }) => (
  <span class="count">({numberText(of)})</span>
)

const Library = ({
  library: { id, name, values, copies },
  resources,
}: {
  readonly library: HoldingLibrary
  readonly resources: Resources
}) => {
  const countries = resources.repositories.byName.get('country')?.vocabulary
  const country = textValue(values, 'country')
  const place = [textValue(values, 'city'), country && codeText(countries, country)]
  return (
    <>
      <h3 dir="auto">
        <a href={recordPath('repositories', id)}>{name}</a>
      </h3>
      <p class="line" dir="auto">
        {place.filter(Boolean).join(', ')}
      </p>
      <Folded
        items={copies.map((copy) => (
          <li key={textValue(copy.values, 'holding_id')}>
            <Copy copy={copy} />
          </li>
        ))}
        textOfMore={(more) => plural(more, '{count} more copy', '{count} more copies')}
      />
    </>
  )
}

/** A copy: its call number, which leads to its page, who may read it, and where it stands. */
const Copy = ({ copy: { resource, values } }: { readonly copy: ResolvedRecord }) => {
  const access = textValue(values, 'access_status')
  const callNumber = textValue(values, 'call_number')
  const address = textValue(values, 'digital_url')
  const parts: readonly ComponentChildren[] = [
    <a href={recordPath('holdings', textValue(values, 'holding_id'))}>
      {callNumber === ''
        ? t('About this copy')
        : labelled(fieldText(resource, 'call_number'), callNumber)}
    </a>,
    access && codeText(resource.byName.get('access_status')?.vocabulary, access),
    textValue(values, 'location'),
    isWebAddress(address) && <ExternalLink href={address}>{t('Read it online')}</ExternalLink>,
  ]
  return (
    <p class="line" dir="auto">
      {parts.filter(Boolean).map((part, index) => (
        <span key={index}>{part}</span>
      ))}
    </p>
  )
}

/** A list whose first items are shown, and the others when somebody asks for them. */
const Folded = ({
  items,
  textOfMore,
}: {
  readonly items: readonly ComponentChildren[]
  readonly textOfMore: (more: number) => string
}) => (
  <>
    <ul>{items.slice(0, maxShown)}</ul>
    {items.length > maxShown && (
      <details>
        <summary>{textOfMore(items.length - maxShown)}</summary>
        <ul>{items.slice(maxShown)}</ul>
      </details>
    )}
  </>
)

const CountryForm = ({
  path,
  near,
  resources,
  countries,
}: Pick<WhereToReadProps, 'path' | 'near' | 'resources'> & {
  readonly countries: ReadonlySet<string>
}) => {
  const vocabulary = resources.repositories.byName.get('country')?.vocabulary
  const entries = (vocabulary?.entries ?? []).filter(({ code }) => countries.has(code))
  return (
    <Form method="get" action={path} class="near">
      <label>
        <span>{t('Your country')}</span>{' '}
        <Select
          name="near"
          value={near}
          options={[
            ['', t('Not stated')],
            ...(vocabulary ? entriesOf(vocabulary, entries) : []).map(
              ({ code, label }) => [code, label] as const,
            ),
          ]}
        />
      </label>{' '}
      <button class="quiet small">{t('Nearest first')}</button>
    </Form>
  )
}
