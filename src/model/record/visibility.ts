// Who sees a record: everybody, or only accounts that may write records of its kind
// (docs/reference/records.md, "Hidden records"). A record that is not public has this among its
// values, beside those of its fields; a public one does not.

import { type Message, message } from '../../message.js'
import { readString, tooLongMessage } from './input.js'
import type { RecordValues } from './values.js'

export const visibilities = ['public', 'hidden', 'draft'] as const

export type Visibility = (typeof visibilities)[number]

/** How long the reason for hiding a record may be, in characters. */
export const maxReasonLength = 1000

export const visibilityOf = ({ visibility }: RecordValues): Visibility =>
  isVisibility(visibility) ? visibility : 'public'

/** Why a record is not public; empty where nobody said it. */
export const reasonOf = ({ hidden_reason: reason }: RecordValues): string =>
  typeof reason === 'string' ? reason : ''

/** The values of a record with another visibility. */
export function withVisibility(
  values: RecordValues,
  visibility: Visibility,
  reason: string,
): RecordValues {
  const others = Object.fromEntries(
    Object.entries(values).filter(([name]) => !visibilityNames.includes(name)),
  )
  if (visibility === 'public') return others
  return { ...others, visibility, ...(reason === '' ? {} : { hidden_reason: reason }) }
}

/** The names of the values, which JSON has too. */
export const visibilityNames: readonly string[] = ['visibility', 'hidden_reason']

/**
 * The values with what a body says of the visibility. What the body leaves out stays as it was, so
 * that nothing is published because a request left it out.
 */
export function readVisibility(
  before: RecordValues,
  values: RecordValues,
  body: ReadonlyMap<string, unknown>,
): { readonly values: RecordValues; readonly errors: ReadonlyMap<string, Message> } {
  const errors = new Map<string, Message>()
  const visibility = readChoice(body.get('visibility') ?? visibilityOf(before))
  if (isVisibility(visibility)) {
    const { value, messages } = readString(body.get('hidden_reason') ?? reasonOf(before))
    const reason = value.normalize('NFC').trim()
    const [wrong] = reason.length > maxReasonLength ? [tooLongMessage(maxReasonLength)] : messages
    if (wrong !== undefined) errors.set('hidden_reason', wrong)
    return { values: withVisibility(values, visibility, reason), errors }
  }
  const value = visibility.slice(0, 100).toWellFormed()
  errors.set('visibility', message('"{value}" is not a valid choice.', { value }))
  return { values, errors }
}

const readChoice = (sent: unknown): string =>
  typeof sent === 'string' ? sent : JSON.stringify(sent)

const isVisibility = (value: unknown): value is Visibility =>
  visibilities.some((name) => name === value)
