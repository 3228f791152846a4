// How the value of a field is shown: what it leads to, where it leads anywhere.

import { titleOf } from '../../model/record/title.js'
import type { ResourceName } from '../../model/iris.js'
import type { RecordValues } from '../../model/record/values.js'
import type { Field, Resources } from '../../model/resources.js'
import { type RecordLookup, type ResolvedRecord, valuesIn } from '../../model/record/views.js'
import { entryPath, isServed, listPath, recordPath } from '../links.js'

/** All values of a field; nothing where it has none. */
export const FieldValues = ({
  field,
  record: { resource, values, lookup },
  resources,
}: {
  readonly field: Field
  readonly record: ResolvedRecord
  readonly resources: Resources
}) => {
  const texts = textsIn(field, values)
  const items = texts.map((value) => (
    <Value key={value} {...{ field, value, cards: lookup, resources, resource: resource.name }} />
  ))
  if (items.length < 2) return <>{items}</>
  return (
    <ul class={field.kind === 'code' ? 'values tags' : 'values'}>
      {items.map((item, index) => (
        <li key={index}>{item}</li>
      ))}
    </ul>
  )
}

/** The values of a field as texts; a number or a truth is one. */
export function textsIn(field: Field, card: RecordValues): readonly string[] {
  const value = card[field.name]
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)]
  return valuesIn(field, card)
}

type FieldValueProps = {
  readonly resource: ResourceName
  readonly field: Field
  readonly value: string
  readonly cards: RecordLookup
  readonly resources: Resources
}

const Value = ({ resource, field, value, cards, resources }: FieldValueProps) => {
  if (field.target) {
    const card = cards({ target: field.target, id: value })
    const name = card && titleOf(resources, field.target, card)
    // Of a record that was deleted since, the identifier is left, and no page.
    return name === undefined ? (
      <span class="gone">{value} (deleted)</span>
    ) : (
      <a href={recordPath(field.target, value)}>{name}</a>
    )
  }
  if (field.vocabulary) {
    const { vocabulary } = field
    const label = vocabulary.find(value)?.label ?? value
    if (field.filterable) return <a href={listPath(resource, { [field.name]: value })}>{label}</a>
    return isServed(vocabulary) ? <a href={entryPath(vocabulary, value)}>{label}</a> : <>{label}</>
  }
  if (field.kind === 'boolean') return <>{value === 'true' ? 'Yes' : 'No'}</>
  if (field.kind === 'time') return <Time value={value} />
  if (field.kind === 'email') return <a href={`mailto:${encodeURI(value)}`}>{value}</a>
  if (field.prefix) return <ExternalLink href={field.prefix + value}>{value}</ExternalLink>
  if (isWebAddress(value)) return <ExternalLink href={value} />
  return <span class="text">{value}</span>
}

/** A link that leaves the catalogue, to where somebody wrote that it leads. */
export const ExternalLink = ({
  href,
  children,
}: {
  readonly href: string
  readonly children?: string
}) => (
  <a href={href} rel="nofollow ugc noopener">
    {children ?? href.replace(/^https?:\/\//, '').replace(/\/$/, '')}
  </a>
)

export const Time = ({ value }: { readonly value: string }) => (
  <time dateTime={value}>{value.slice(0, 10)}</time>
)

/** Whether a text may be linked to: no other scheme is safe, or leads anywhere from here. */
export const isWebAddress = (text: string): boolean =>
  /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
