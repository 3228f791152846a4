// A record in a few lines, as lists and related records show it, and the titles of records. Which
// fields are shown, and where, is declared with each field (`summary` in
// model/declarations/field-declaration.ts); how the values of a field look on a record's own page
// is in field-value.tsx.

import type { ComponentChildren } from 'preact'

import type { ResourceName } from '../../model/iris.js'
import { labelOfReference, titleOf } from '../../model/record/title.js'
import { librariesOf } from '../../model/libraries.js'
import { type RecordValues, listValue, textValue } from '../../model/record/values.js'
import {
  type RecordLookup,
  type Reference,
  type ResolvedRecord,
  valuesIn,
} from '../../model/record/views.js'
import type { Field, Resources } from '../../model/resources.js'
import type { WordMarks } from '../../model/marked-text.js'
import { listPath, recordPath } from '../links.js'
import { textsIn } from './field-value.js'
import { Marked, Snippets } from './marked-text.js'
import { codeLanguage, codeText, plural, recordCount, t } from '../translate.js'

type RecordSummaryProps = {
  readonly record: ResolvedRecord
  readonly resources: Resources
  /** The record on whose page the summary is, so that what that page says is not repeated. */
  readonly on?: Reference
  /** Where the words of a search occur. */
  readonly marks?: WordMarks | undefined
}

export const RecordSummary = (props: RecordSummaryProps) => {
  const { record, resources, marks } = props
  const { values, resource } = record
  const { tags, excerpt } = resource.summary
  const issue = subtitleOf(record, resources)
  return (
    <article class="summary">
      <h3>
        <a
          href={recordPath(resource.name, textValue(values, resource.id.name))}
          dir="auto"
          lang={languageOf(record)}
        >
          {marks ? <Marked text={marks.title} /> : recordTitle(record, resources)}
        </a>
        {issue && (
          <span class="issue" dir="auto" lang={languageOf(record)}>
            {' '}
            {issue}
          </span>
        )}
      </h3>
      <SummaryLine {...props} />
      <Holders {...props} />
      {tags.map((field) => (
        <Tags key={field.name} {...{ field, record, resources }} />
      ))}
      {marks ? (
        <Snippets snippets={marks.snippets} />
      ) : (
        excerpt.map((field) => <Excerpt key={field.name} text={textValue(values, field.name)} />)
      )}
    </article>
  )
}

/**
 * The title of a record at the head of its page; for a resource without a title of its own, such as
 * holdings, that of the record that its title field refers to.
 */
export function recordTitle(record: ResolvedRecord, resources: Resources): string {
  const { resource, values } = record
  const { title } = resource.summary
  return title?.target
    ? referenceTitle(record, resources, title.name) || textValue(values, resource.id.name)
    : titleOf(resources, resource.name, values)
}

/**
 * The title of a record with its subtitle, such as the issue: `Profane Existence, no. 38`; that of
 * a copy also with its library and call number.
 */
export function recordHeading(record: ResolvedRecord, resources: Resources): string {
  const copy =
    record.resource.name === 'holdings'
      ? joined(
          referenceTitle(record, resources, 'repository_id'),
          textValue(record.values, 'call_number'),
        )
      : ''
  return [titleWithIssue(record, resources), copy].filter(Boolean).join(' – ')
}

/** The same of a copy without its library and call number. */
export const titleWithIssue = (record: ResolvedRecord, resources: Resources): string =>
  joined(recordTitle(record, resources), subtitleOf(record, resources))

const joined = (...texts: readonly string[]): string => texts.filter(Boolean).join(', ')

/** The subtitle of a record, or of the record that gives it its title. */
function subtitleOf({ resource, values, lookup }: ResolvedRecord, resources: Resources): string {
  const { title, subtitle } = resource.summary
  if (!title?.target) return subtitle ? textValue(values, subtitle.name) : ''
  const [id] = valuesIn(title, values)
  const referred = id === undefined ? undefined : lookup({ target: title.target, id })
  const { subtitle: ofReferred } = resources[title.target].summary
  return referred && ofReferred ? textValue(referred, ofReferred.name) : ''
}

/** The values of a zine, or of the zine that a holding is a copy of; undefined for other records. */
export function zineValuesOf({
  resource,
  values,
  lookup,
}: ResolvedRecord): RecordValues | undefined {
  if (resource.name === 'holdings')
    return lookup({ target: 'zines', id: textValue(values, 'zine_id') })
  return resource.name === 'zines' ? values : undefined
}

/** The language of a zine's texts, or of those of a copy's zine, where it has exactly one. */
export function languageOf(record: ResolvedRecord): string | undefined {
  const languages = listValue(zineValuesOf(record) ?? {}, 'language')
  return languages.length === 1 ? languages[0] : undefined
}

/**
 * The title of the first record that a field refers to: its identifier when it was deleted, empty
 * when the field is.
 */
function referenceTitle(
  { resource, values, lookup }: ResolvedRecord,
  resources: Resources,
  name: string,
): string {
  const field = resource.byName.get(name)
  const [id] = field ? valuesIn(field, values) : []
  if (!field?.target || id === undefined) return ''
  return labelOfReference(resources, lookup, { target: field.target, id })
}

/** The line under the heading, without the parts that are empty. */
const SummaryLine = ({ record, resources, on }: RecordSummaryProps) => {
  const parts = record.resource.summary.line
    .map((fields) => linePart(fields, { record, resources, ...(on && { on }) }))
    .filter(Boolean)
  if (parts.length === 0) return null
  return (
    <p class="line">
      {parts.map((part, index) => (
        <span key={index}>{part}</span>
      ))}
    </p>
  )
}

function linePart(
  fields: readonly Field[],
  { record, resources, on }: RecordSummaryProps,
): ComponentChildren {
  const [field] = fields
  if (field?.target && field.repeatable)
    return <Links {...{ field, record, resources, target: field.target }} />
  // On the page of another record, a single reference is that record or the heading already.
  if (field?.target) return on === undefined && referenceTitle(record, resources, field.name)
  return fields
    .flatMap((summaryField) => labelsOf(summaryField, record))
    .filter(Boolean)
    .join(', ')
}

/** The values of a field as text, codes by their labels; none for a value that is the default. */
const labelsOf = (field: Field, { values }: ResolvedRecord): readonly string[] =>
  values[field.name] === field.defaultValue
    ? []
    : textsIn(field, values).map((value) => codeText(field.vocabulary, value))

/** So many libraries are named in a row; of more it says how many they are. */
const maxNamed = 2

/** The libraries that have a zine, where its holdings were read; on the page of one, the others. */
const Holders = ({ record: { holdings }, on }: RecordSummaryProps) => {
  if (holdings === undefined) return null
  const libraries = librariesOf(holdings)
  const others = libraries.filter(({ id }) => on?.target !== 'repositories' || id !== on.id)
  const isAmongOthers = others.length < libraries.length
  if (isAmongOthers && others.length === 0) return null
  const names = others.map(({ name }) => name).join(', ')
  return (
    <p class="held" dir="auto">
      {others.length === 0
        ? t('No library copy')
        : others.length > maxNamed
          ? recordCount('repositories', others.length)
          : isAmongOthers
            ? t('Also at: {names}', { names })
            : plural(others.length, 'Library: {names}', 'Libraries: {names}', { names })}
    </p>
  )
}

const maxLinks = 4

type FieldOfRecord = {
  readonly field: Field
  readonly record: ResolvedRecord
  readonly resources: Resources
}

/** The records that a field refers to, as links to them. */
const Links = ({
  field,
  record: { values, lookup },
  resources,
  target,
}: FieldOfRecord & { readonly target: ResourceName }) => {
  const ids = valuesIn(field, values)
  if (ids.length === 0) return null
  const more = ids.length - maxLinks
  return (
    <>
      {ids.slice(0, maxLinks).map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <RecordLink {...{ target, id, lookup, resources }} />
        </span>
      ))}
      {more > 0 && ` ${plural(more, 'and {count} more', 'and {count} more')}`}
    </>
  )
}

const RecordLink = ({
  target,
  id,
  lookup,
  resources,
}: {
  readonly target: ResourceName
  readonly id: string
  readonly lookup: RecordLookup
  readonly resources: Resources
}) => {
  const reference = { target, id }
  const label = labelOfReference(resources, lookup, reference)
  return lookup(reference) ? <a href={recordPath(target, id)}>{label}</a> : <>{label}</>
}

const maxTags = 6

/** The codes of a field, each as a link to the list that it filters. */
const Tags = ({ field, record: { resource, values } }: FieldOfRecord) => {
  const codes = valuesIn(field, values)
  if (codes.length === 0) return null
  return (
    <ul class="tags">
      {codes.slice(0, maxTags).map((code) => (
        <li key={code}>
          <a
            href={listPath(resource.name, { [field.name]: code })}
            lang={codeLanguage(field.vocabulary, code)}
          >
            {codeText(field.vocabulary, code)}
          </a>
        </li>
      ))}
      {codes.length > maxTags && <li>+{codes.length - maxTags}</li>}
    </ul>
  )
}

const maxExcerptLength = 220

const Excerpt = ({ text }: { readonly text: string }) =>
  text === '' ? null : (
    <p class="excerpt" dir="auto">
      {text.length > maxExcerptLength ? `${text.slice(0, maxExcerptLength)}…` : text}
    </p>
  )
