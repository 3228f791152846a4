// Reads what an editor sends of a list, as JSON or by the form, and says all that is wrong with it.

import { slugPattern } from '../../lib/names/folding.js'
import type { Account } from '../../accounts/accounts.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { recordKey } from '../../catalogue/records/record-cache.js'
import type { Message } from '../../message.js'
import { message } from '../../message.js'
import { resourceNames } from '../../model/iris.js'
import {
  ValidationError,
  blankMessage,
  maxItems,
  readString,
  tooLongMessage,
  tooManyItems,
} from '../../model/record/input.js'
import type { CuratedListInput, ListedRecord } from './curated-lists.js'
import { missingRecords } from './listed-records.js'

/** In code points. */
const maxLengths = { title: 300, text: 20_000, note: 2_000 } as const

const maxSlugLength = 100

/** @throws ValidationError */
export function parseSlug(sent: unknown): string {
  const { value, messages } = readString(sent)
  if (messages.length > 0) throw new ValidationError(new Map([['slug', messages]]))
  if (value.length > maxSlugLength || !slugPattern.test(value))
    throw new ValidationError(new Map([['slug', [slugMessage]]]))
  return value
}

const slugMessage = message(
  'Use small letters from a to z, digits, and single hyphens between them.',
)

/**
 * @param account whose records may be listed
 * @throws ValidationError with all that is wrong
 */
export async function parseListInput(
  catalogue: Catalogue,
  account: Account | undefined,
  body: ReadonlyMap<string, unknown>,
): Promise<CuratedListInput> {
  const errors = new Map<string, readonly Message[]>()
  const textOf = (name: keyof typeof maxLengths, sent: unknown): string => {
    const { value, messages } = readString(sent)
    const isTooLong = Array.from(value).length > maxLengths[name]
    const found = isTooLong ? [...messages, tooLongMessage(maxLengths[name])] : messages
    if (found.length > 0) errors.set(name === 'note' ? 'records' : name, found)
    return value
  }
  const title = textOf('title', body.get('title') ?? '').trim()
  if (title === '' && !errors.has('title')) errors.set('title', [blankMessage])
  const isPublic = body.get('public') ?? false
  if (typeof isPublic !== 'boolean') errors.set('public', [message('Must be a valid boolean.')])
  const text = textOf('text', body.get('text') ?? '')
  const sent = parseRecords(body.get('records') ?? [], (note) => textOf('note', note))
  if ('wrong' in sent) errors.set('records', [sent.wrong])
  else {
    const [missing] = await missingRecords(catalogue, account, sent.records)
    if (missing)
      errors.set('records', [
        message('There is no record {record}.', { record: recordKey(missing) }),
      ])
  }
  if (errors.size > 0 || 'wrong' in sent) throw new ValidationError(errors)
  return { title, text, isPublic: isPublic === true, records: sent.records }
}

function parseRecords(
  sent: unknown,
  noteOf: (note: unknown) => string,
): { readonly records: readonly ListedRecord[] } | { readonly wrong: Message } {
  if (!Array.isArray(sent)) return { wrong: recordsMessage }
  if (sent.length > maxItems) return { wrong: tooManyItems }
  const records = new Map<string, ListedRecord>()
  for (const item of sent as unknown[]) {
    // A cast: members that are not there are undefined.
    const { kind, id, note = '' } = (item ?? {}) as Readonly<Record<string, unknown>>
    const target = resourceNames.find((name) => name === kind)
    if (!target || typeof id !== 'string') return { wrong: recordsMessage }
    const listed = { reference: { target, id }, note: noteOf(note) }
    const key = recordKey(listed.reference)
    if (records.has(key))
      return { wrong: message('The record {record} is named twice.', { record: key }) }
    records.set(key, listed)
  }
  return { records: [...records.values()] }
}

const recordsMessage = message('Name each record by its kind and its identifier.')

/** What the lines of a text name, but for empty ones. */
export const parseLines = (text: string) =>
  text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [parseLine(line)]))

/** The kind and the identifier at the end of an address, or of a line. */
export function parseLine(line: string): { readonly kind: string; readonly id: string } {
  const parts = line
    .trim()
    .replace(/[?#].*/, '')
    .split('/')
    .filter(Boolean)
  const at = parts.findLastIndex((part, index) => isKind(part) && index < parts.length - 1)
  const [kind = '', id = line.trim()] = at === -1 ? [] : parts.slice(at, at + 2)
  return { kind, id: decode(id) }
}

const isKind = (part: string): boolean => resourceNames.some((name) => name === part)

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
