// The messages of the API about wrong fields, in the words of forms: what to do, instead of what is
// wrong. The API's own messages are in shapes/ and src/model/record/input.ts.

import { type ComponentChildren, Fragment } from 'preact'

import type { Message, MessageValues } from '../../message.js'
import type { Field, Resource } from '../../model/resources.js'
import { type FieldErrors, ItemMessage } from '../../model/record/input.js'
import { recordPath } from '../links.js'
import { entriesOf, message, messageText, quoted, rich, t, tKind } from '../translate.js'
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
  readonly message: Message
  /** The identifier in the form, for a link to the record that has it already. */
  readonly id: string
}) {
  const context = { resource, field, id }
  if (!(message instanceof ItemMessage)) return <>{wordingOf(message, context)}</>
  const { number, text } = message
  return (
    <>
      {rich('{label}: {value}', {
        label: t('Entry {number}', { number }),
        value: wordingOf(text, context),
      })}
    </>
  )
}

/** What is wrong with a field, or with the record where there is no field. */
export type MessagesOfField = {
  readonly field: Field | undefined
  readonly texts: readonly Message[]
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
          <Fragment key={index}>
            {index > 0 && ' '}
            <FieldMessage {...{ resource, field, message, id }} />
          </Fragment>
        ))
      : texts.map(messageText).join(' ')}
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

type Wording = (context: FieldContext, values: MessageValues) => ComponentChildren

const fillIn: Wording = ({ field }) =>
  t(field.target || field.vocabulary ? 'Choose a {label}.' : 'Fill in {label}.', {
    label: lowerLabel(field),
  })

const hintOf: Wording = ({ field }) => t(field.hint)

/** What forms say in place of the messages of the API. */
// prettier-ignore
const wordings: ReadonlyMap<string, Wording> = new Map<string, Wording>([
  ['This list may not be empty.', ({ field }) => t('Add at least one {label}.', { label: lowerLabel(field) })],
  [message('This field is required.'), fillIn],
  [message('This field may not be blank.'), fillIn],
  ['This field may not be null.', fillIn],
  ['Ensure this field has no more than {maxLength} characters.', (_, { maxLength }) => t('Too long: use at most {count} characters.', { count: maxLength })],
  ['Ensure this value is greater than or equal to {minInclusive}.', () => t('Use a number from 0.')],
  ['A valid integer is required.', () => t('Use a whole number, such as 3.')],
  [message('Enter a valid URL.'), () => t('Use a web address, such as https://example.org.')],
  ['Enter a valid email address.', () => t('Use an e-mail address, such as name@example.org.')],
  ['Enter a valid ORCID identifier.', hintOf],
  ['Enter a valid ROR identifier.', hintOf],
  ['Enter a valid ISIL identifier.', hintOf],
  ['Enter a valid Wikidata identifier.', hintOf],
  ["Invalid country code. Must be ISO 3166-1 alpha-2 (e.g., 'US')", () => t('Choose a country from the list.')],
  ['{noun} with this {name} already exists.', identifierTaken],
])

function wordingOf(message: Message, context: FieldContext): ComponentChildren {
  const [pattern, values]: readonly [string, MessageValues] =
    typeof message === 'string' ? [message, {}] : [message.pattern, message.values]
  // The messages of the shapes that name a value: a record that there is not, or codes.
  return values.values === undefined
    ? (wordings.get(pattern)?.(context, values) ?? messageText(message))
    : wordingOfValue(String(values.values), context)
}

const wordingOfValue = (value: string, context: FieldContext): string =>
  context.field.target
    ? tKind(context.field.target, 'missing', { id: value })
    : unknownCodes(context, value)

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
  const lowerCased = typed.toLowerCase().trim()
  const start = lowerCased.slice(0, Math.max(3, lowerCased.length - 2))
  if (lowerCased.length < 2) return []
  return (vocabulary ? entriesOf(vocabulary) : [])
    .filter(({ code, label }) =>
      [code, label.toLowerCase()].some(
        (candidate) => candidate.includes(lowerCased) || candidate.startsWith(start),
      ),
    )
    .slice(0, maxSimilar)
    .map(({ label }) => quoted(label))
}
