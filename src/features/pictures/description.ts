// Reads what somebody says about a picture, from JSON or from a form: its description, and where it
// is if it is elsewhere.

import type { Message } from '../../message.js'
import {
  urlMessage,
  tooLongMessage,
  ValidationError,
  blankMessage,
  nullCharactersMessage,
  parseBoolean,
  readString,
} from '../../model/record/input.js'
import type { Vocabulary } from '../../model/vocabulary.js'
import {
  type ElsewhereAddress,
  type PictureDescription,
  iiifTypes,
  maxPictures,
} from './picture.js'
import type { PictureChange } from './pictures.js'

export type Sent = ReadonlyMap<string, unknown>

export const maxAltLength = 1000
export const maxCreditLength = 300
const maxUrlLength = 2000

const noDescription: PictureDescription = { alt: '', rights: '', credit: '', public: false }

type Messages = Map<string, readonly Message[]>

/** What a new picture is said to be; its place is the last. @throws ValidationError */
export function parseNewDescription(sent: Sent, rights: Vocabulary): PictureDescription {
  const change = parsePictureChange(
    new Map([...sent].filter(([name]) => name !== 'position')),
    rights,
  )
  return { ...noDescription, ...change }
}

/**
 * The parts of the description that were sent.
 * @throws ValidationError with the messages of all that are wrong
 */
export function parsePictureChange(sent: Sent, rights: Vocabulary): PictureChange {
  const messages: Messages = new Map()
  const change = {
    ...readText(sent, 'alt', maxAltLength, messages),
    ...readText(sent, 'credit', maxCreditLength, messages),
    ...readRights(sent, rights, messages),
    ...readPublic(sent, messages),
    ...readPosition(sent, messages),
  }
  if (messages.size > 0) throw new ValidationError(messages)
  return change
}

/** The address of a picture that is elsewhere. @throws ValidationError */
export function parseElsewhere(sent: Sent): ElsewhereAddress {
  const messages: Messages = new Map()
  const { url = '' } = readText(sent, 'url', maxUrlLength, messages)
  if (!messages.has('url') && !isWebAddress(url))
    messages.set('url', [url === '' ? blankMessage : urlMessage])
  const type = iiifTypes.find((iiifType) => iiifType === (sent.get('iiif') ?? 'image'))
  if (!type) messages.set('iiif', [`Must be one of ${iiifTypes.join(', ')}.`])
  if (messages.size > 0 || !type) throw new ValidationError(messages)
  return { type, url }
}

function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/[^\s<>"\\^`{|}]+$/.test(text) || !URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}

function readText<Name extends 'alt' | 'credit' | 'url'>(
  sent: Sent,
  name: Name,
  maxLength: number,
  messages: Messages,
): Partial<Record<Name, string>> {
  if (!sent.has(name)) return {}
  const read = readString(sent.get(name))
  const value = read.value.trim().normalize('NFC')
  if (read.messages.length > 0) messages.set(name, read.messages)
  else if (value.includes('\0')) messages.set(name, [nullCharactersMessage])
  else if (Array.from(value).length > maxLength) messages.set(name, [tooLongMessage(maxLength)])
  // The cast: an object with one computed name has the type of all names to TypeScript.
  return { [name]: value } as Partial<Record<Name, string>>
}

function readRights(sent: Sent, vocabulary: Vocabulary, messages: Messages) {
  if (!sent.has('rights')) return {}
  const { value, messages: valueMessages } = readString(sent.get('rights'))
  const rights = value.trim()
  if (valueMessages.length > 0) messages.set('rights', valueMessages)
  else if (rights !== '' && !vocabulary.find(rights))
    messages.set('rights', [`Invalid rights codes: ${rights}`])
  return { rights }
}

function readPublic(sent: Sent, messages: Messages) {
  if (!sent.has('public')) return {}
  const { value, messages: valueMessages } = parseBoolean(sent.get('public'))
  if (valueMessages.length > 0) messages.set('public', valueMessages)
  return { public: value }
}

function readPosition(sent: Sent, messages: Messages) {
  if (!sent.has('position')) return {}
  const { value } = readString(sent.get('position'))
  const position = /^\d{1,3}$/.test(value) ? Number(value) : 0
  if (position < 1 || position > maxPictures)
    messages.set('position', [`A number from 1 to ${maxPictures} is required.`])
  return { position }
}
