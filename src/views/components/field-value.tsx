// Shows the values of a field on a record's page, as links wherever a value leads somewhere.

import { labelOfReference } from '../../model/record/title.js'
import type { ResourceName } from '../../model/iris.js'
import type { RecordValues } from '../../model/record/values.js'
import type { Field, Resources } from '../../model/resources.js'
import { type RecordLookup, type ResolvedRecord, valuesIn } from '../../model/record/views.js'
import { entryPath, isServed, listPath, recordPath } from '../links.js'
import { codeLanguage, codeText, dateText, plural, t } from '../translate.js'

/** The address of the page that a text leads to, such as that of the place that it names. */
export type PathOfText = (field: Field, text: string) => string | undefined

/** All values of a field; nothing where it has none. */
export const FieldValues = ({
  field,
  record: { resource, values, lookup },
  resources,
  pathOf,
}: {
  readonly field: Field
  readonly record: ResolvedRecord
  readonly resources: Resources
  readonly pathOf?: PathOfText
}) => {
  const texts = textsIn(field, values)
  const items = texts.map((value) => (
    <Value key={value} {...{ field, value, lookup, resources, pathOf, resource: resource.name }} />
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

/**
 * The values of a field in one line, separated by commas.
 * @param limit so many are shown; it says how many more there are
 */
export const FieldValueLine = ({
  field,
  record: { resource, values, lookup },
  resources,
  limit = Infinity,
}: {
  readonly field: Field
  readonly record: ResolvedRecord
  readonly resources: Resources
  readonly limit?: number
}) => {
  const texts = textsIn(field, values)
  const more = texts.length - limit
  return (
    <>
      {texts.slice(0, limit).map((value, index) => (
        <span key={value}>
          {index > 0 && ', '}
          <bdi>
            <Value
              {...{ field, value, lookup, resources }}
              resource={resource.name}
              pathOf={undefined}
            />
          </bdi>
        </span>
      ))}
      {more > 0 && ` ${plural(more, 'and {count} more', 'and {count} more')}`}
    </>
  )
}

/** The values of a field as texts, numbers and booleans included. */
export function textsIn(field: Field, values: RecordValues): readonly string[] {
  const value = values[field.name]
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)]
  return valuesIn(field, values)
}

/**
 * What pages call a value: the title of the record with an identifier, the label of a code, yes or
 * no, or the text itself, such as one that was typed and is none of these.
 */
export function valueText(
  { target, vocabulary, kind }: Field,
  value: string,
  { resources, lookup }: { readonly resources: Resources; readonly lookup: RecordLookup },
): string {
  if (target) return labelOfReference(resources, lookup, { target, id: value })
  if (kind === 'boolean' && value === 'true') return t('Yes')
  if (kind === 'boolean' && value === 'false') return t('No')
  return codeText(vocabulary, value)
}

/** What pages call the values of a field. */
export const valueTexts = (
  field: Field,
  values: RecordValues,
  context: Parameters<typeof valueText>[2],
): readonly string[] => textsIn(field, values).map((value) => valueText(field, value, context))

type FieldValueProps = {
  readonly resource: ResourceName
  readonly field: Field
  readonly value: string
  readonly lookup: RecordLookup
  readonly resources: Resources
  readonly pathOf: PathOfText | undefined
}

const Value = ({ resource, field, value, lookup, resources, pathOf }: FieldValueProps) => {
  if (field.target) {
    const reference = { target: field.target, id: value }
    const label = valueText(field, value, { resources, lookup })
    // A record that was deleted has no page.
    return lookup(reference) ? (
      <a href={recordPath(field.target, value)}>{label}</a>
    ) : (
      <span class="deleted">{t('{label} (deleted)', { label })}</span>
    )
  }
  if (field.vocabulary) {
    const { vocabulary } = field
    const entry = vocabulary.find(value)
    if (entry && isServed(vocabulary))
      return (
        <a href={entryPath(vocabulary, value)} lang={codeLanguage(vocabulary, value)}>
          {codeText(vocabulary, value)}
        </a>
      )
    const label = codeText(vocabulary, value)
    // A code that the vocabulary no longer has is a concept without a page.
    if (field.filterable) return <a href={listPath(resource, { [field.name]: value })}>{label}</a>
    return <>{label}</>
  }
  if (field.kind === 'boolean') return <>{valueText(field, value, { resources, lookup })}</>
  if (field.kind === 'time') return <Time value={value} />
  if (field.kind === 'email') return <a href={`mailto:${encodeURI(value)}`}>{value}</a>
  if (field.prefix) return <ExternalLink href={field.prefix + value}>{value}</ExternalLink>
  if (isWebAddress(value)) return <ExternalLink href={value} />
  const path = pathOf?.(field, value)
  const text = (
    <span class="text" dir="auto">
      {value}
    </span>
  )
  return path === undefined ? text : <a href={path}>{text}</a>
}

/** A link to another site, as an editor entered it. */
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

/** The date of a time in ISO 8601. */
export const Time = ({ value }: { readonly value: string }) => (
  <time dateTime={value}>{dateText(value)}</time>
)

/** Whether a text is a web address that may be a link; links with other schemes are not safe. */
export const isWebAddress = (text: string): boolean =>
  /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
