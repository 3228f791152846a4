// The messages of the API about wrong fields, in the words of forms: what to do, instead of what is
// wrong. The API's own messages are in shapes/ and src/model/record/input.ts.

import { type ComponentChildren, Fragment } from 'preact'

import type { Field, Resource } from '../../model/resources.js'
import type { FieldErrors } from '../../model/record/input.js'
import { recordPath } from '../links.js'
import { apiText, entriesOf, quoted, rich, t, tKind } from '../translate.js'
import { kindTexts } from '../kind-texts.js'

/**
 * What somebody can do about an error of a field. A message that is not known is shown as it is.
 */
export function FieldMessage({
  resource,
  field,
  message,
  id,
}: {
  readonly resource: Resource
  readonly field: Field
  readonly message: string
  /** The identifier in the form, for a link to the record that has it already. */
  readonly id: string
}) {
  const [, number, text = ''] = /^(?:Item (\d+): )?([^]*)$/.exec(message) ?? []
  const wording = wordingOf(text, { resource, field, id })
  if (number === undefined) return <>{wording}</>
  return <>{rich('{label}: {value}', { label: t('Entry {number}', { number }), value: wording })}</>
}

/** What is wrong with a field, or with the record where there is no field. */
export type MessagesOfField = {
  readonly field: Field | undefined
  readonly texts: readonly string[]
}

export const messagesByField = (
  { byName }: Resource,
  errors: FieldErrors,
): readonly MessagesOfField[] =>
  [...errors].map(([name, texts]) => ({ field: byName.get(name), texts }))

/** The same in the words of forms, without the label of the field. */
export const FieldMessages = ({
  resource,
  field,
  texts,
  id,
}: MessagesOfField & { readonly resource: Resource; readonly id: string }) => (
  <>
    {field
      ? texts.map((message, index) => (
          <Fragment key={message}>
            {index > 0 && ' '}
            <FieldMessage {...{ resource, field, message, id }} />
          </Fragment>
        ))
      : texts.map(apiText).join(' ')}
  </>
)

/** What is wrong with a record, with the labels of its fields. */
export const RecordMessages = ({
  resource,
  id,
  messages,
}: {
  readonly resource: Resource
  readonly id: string
  readonly messages: readonly MessagesOfField[]
}) => (
  <>
    {messages.map(({ field, texts }, index) => {
      const said = <FieldMessages {...{ resource, field, texts, id }} />
      return (
        <Fragment key={index}>
          {index > 0 && ' '}
          {field ? rich('{label}: {value}', { label: t(field.formLabel), value: said }) : said}
        </Fragment>
      )
    })}
  </>
)

type FieldContext = { readonly resource: Resource; readonly field: Field; readonly id: string }

type Wording = readonly [
  pattern: RegExp,
  say: (context: FieldContext, found: string) => ComponentChildren,
]

// prettier-ignore
const wordings: readonly Wording[] = [
  [/^This list may not be empty\.$/, ({ field }) => t('Add at least one {label}.', { label: lowerLabel(field) })],
  [/^This field (?:is required|may not be blank|may not be null)\.$/, ({ field }) => t('Fill in {label}.', { label: lowerLabel(field) })],
  [/^Ensure this field has no more than (\d+) characters\.$/, (_, count) => t('Too long: use at most {count} characters.', { count })],
  [/^Ensure this value is greater than or equal to 0\.$/, () => t('Use a number from 0.')],
  [/^A valid integer is required\.$/, () => t('Use a whole number, such as 3.')],
  [/^Enter a valid URL\.$/, () => t('Use a web address, such as https://example.org.')],
  [/^Enter a valid email address\.$/, () => t('Use an e-mail address, such as name@example.org.')],
  [/^Enter a valid (?:ORCID|ROR|ISIL|Wikidata) identifier\.$/, ({ field }) => t(field.hint)],
  [/^(?:Agent|Zine|Repository) '([^]*)' does not exist$/, ({ field }, id) => field.target ? tKind(field.target, 'missing', { id }) : id],
  [/^Invalid (?:[a-z ]+ codes|access status|repository kind|kind|status): ([^]*?)(?:\. Must be one of [^]*)?$/, unknownCodes],
  [/^Invalid country code\./, () => t('Choose a country from the list.')],
  [/ with this \w+ already exists\.$/, identifierTaken],
]

function wordingOf(message: string, context: FieldContext): ComponentChildren {
  for (const [pattern, say] of wordings) {
    const match = pattern.exec(message)
    if (match) return say(context, match[1] ?? '')
  }
  return apiText(message)
}

const lowerLabel = ({ label }: Field): string => t(label).toLowerCase()

function identifierTaken({ resource, id }: FieldContext): ComponentChildren {
  return (
    <>
      {rich(kindTexts[resource.name].identifierTaken, {
        link: <a href={recordPath(resource.name, id)}>{t('open it')}</a>,
      })}
    </>
  )
}

function unknownCodes({ field }: FieldContext, codes: string): string {
  return codes
    .split(', ')
    .map((code) => {
      const similar = similarLabels(field, code)
      const list = t(field.vocabulary?.title ?? field.label).toLowerCase()
      const question =
        similar.length > 0
          ? ` ${t('Did you mean {words}?', { words: similar.join(` ${t('or')} `) })}`
          : ''
      return t('“{code}” is not in the list of {list}.', { code, list }) + question
    })
    .join(' ')
}

const maxSimilar = 3

/** Labels of entries that have a part of what was typed, or begin like it. */
function similarLabels({ vocabulary }: Field, typed: string): readonly string[] {
  const wanted = typed.toLowerCase().trim()
  const start = wanted.slice(0, Math.max(3, wanted.length - 2))
  if (wanted.length < 2) return []
  return (vocabulary ? entriesOf(vocabulary) : [])
    .filter(({ code, label }) =>
      [code, label.toLowerCase()].some((one) => one.includes(wanted) || one.startsWith(start)),
    )
    .slice(0, maxSimilar)
    .map(({ label }) => quoted(label))
}
