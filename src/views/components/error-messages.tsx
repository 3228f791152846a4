// The messages of the API about wrong fields, in the words of forms: what to do, instead of what is
// wrong. The API's own messages are in shapes/ and src/model/record/input.ts.

import type { ComponentChildren } from 'preact'

import type { Field, Resource } from '../../model/resources.js'
import { nounFor, recordPath } from '../links.js'

/** What somebody can do about an error of a field. A message that is not known is shown as it is. */
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
  const [, place = '', text = ''] = /^(Item \d+: )?([^]*)$/.exec(message) ?? []
  const where = place === '' ? '' : `Entry ${place.slice('Item '.length)}`
  return (
    <>
      {where}
      {wordingOf(text, { resource, field, id })}
    </>
  )
}

type FieldContext = { readonly resource: Resource; readonly field: Field; readonly id: string }

type Wording = readonly [
  pattern: RegExp,
  say: (context: FieldContext, found: string) => ComponentChildren,
]

// prettier-ignore
const wordings: readonly Wording[] = [
  [/^This list may not be empty\.$/, ({ field }) => `Add at least one ${field.label.toLowerCase()}.`],
  [/^This field (?:is required|may not be blank|may not be null)\.$/, ({ field }) => `Fill in ${field.label.toLowerCase()}.`],
  [/^Ensure this field has no more than (\d+) characters\.$/, (_, count) => `Too long: use at most ${count} characters.`],
  [/^Ensure this value is greater than or equal to 0\.$/, () => 'Use a number from 0.'],
  [/^A valid integer is required\.$/, () => 'Use a whole number, such as 3.'],
  [/^Enter a valid URL\.$/, () => 'Use a web address, such as https://example.org.'],
  [/^Enter a valid email address\.$/, () => 'Use an e-mail address, such as name@example.org.'],
  [/^Enter a valid (?:ORCID|ROR|ISIL|Wikidata) identifier\.$/, ({ field }) => field.hint],
  [/^(?:Agent|Zine|Repository) '([^]*)' does not exist$/, ({ field }, id) => `There is no ${field.target ? nounFor(field.target) : 'record'} “${id}”. Choose one from the list, or create it first.`],
  [/^Invalid (?:[a-z ]+ codes|access status|repository kind|kind|status): ([^]*?)(?:\. Must be one of [^]*)?$/, unknownCodes],
  [/^Invalid country code\./, () => 'Choose a country from the list.'],
  [/ with this \w+ already exists\.$/, identifierTaken],
]

function wordingOf(message: string, context: FieldContext): ComponentChildren {
  for (const [pattern, say] of wordings) {
    const match = pattern.exec(message)
    if (match) return say(context, match[1] ?? '')
  }
  return message
}

function identifierTaken({ resource, id }: FieldContext): ComponentChildren {
  return (
    <>
      Another {nounFor(resource.name)} already uses this identifier:{' '}
      <a href={recordPath(resource.name, id)}>open it</a>.
    </>
  )
}

function unknownCodes({ field }: FieldContext, codes: string): string {
  return codes
    .split(', ')
    .map((code) => {
      const similar = similarLabels(field, code)
      const question = similar.length > 0 ? ` Did you mean ${similar.join(' or ')}?` : ''
      return `“${code}” is not in the list of ${field.vocabulary?.title.toLowerCase() ?? field.label.toLowerCase()}.${question}`
    })
    .join(' ')
}

const maxSimilar = 3

/** Labels of entries that have a part of what was typed, or begin like it. */
function similarLabels({ vocabulary }: Field, typed: string): readonly string[] {
  const wanted = typed.toLowerCase().trim()
  const start = wanted.slice(0, Math.max(3, wanted.length - 2))
  if (wanted.length < 2) return []
  return (vocabulary?.entries ?? [])
    .filter(({ code, label }) =>
      [code, label.toLowerCase()].some((one) => one.includes(wanted) || one.startsWith(start)),
    )
    .slice(0, maxSimilar)
    .map(({ label }) => `“${label}”`)
}
