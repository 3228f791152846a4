// The list of zines that a reader keeps in this browser alone, in its local storage. Nothing of it is
// sent. What is shown of a zine is kept with it, as the pages have it in `data-keep`
// (features/my-list/keep-place.tsx), so that showing the list asks nobody.

import { text } from './texts.js'

export type KeptZine = {
  readonly id: string
  readonly title: string
  /** Makers and dates. */
  readonly line: string
  /** That of the title, where it is known. */
  readonly language: string
  /** The libraries that have it; null where nobody knows. */
  readonly libraries: readonly string[] | null
  /** How many libraries more. */
  readonly more: number
  /** The cover as a `data:` address, or else the classes of the drawn one (assets/covers.css). */
  readonly picture: string
  readonly look: string
  /** What the last check of the list found. */
  readonly isGone: boolean
  /** The identifier that led to this one; empty for none. */
  readonly formerId: string
}

export const maxKept = 200

const key = 'my-list'

/** Of the stored form. */
const version = 1

/** The list cannot be read or written; the message is for the reader. */
export class KeptListError extends Error {
  /** Whether the list is there, but nobody can read it. */
  readonly isDamaged: boolean

  constructor(message: string, isDamaged = false, options?: ErrorOptions) {
    super(message, options)
    this.isDamaged = isDamaged
  }
}

/** @throws KeptListError */
export function readKept(): readonly KeptZine[] {
  const stored = readStored()
  if (stored === null) return []
  const zines = parseStored(stored)
  if (!zines)
    throw new KeptListError(text('Your list in this browser is damaged and cannot be read.'), true)
  return zines
}

/** @throws KeptListError */
export function writeKept(zines: readonly KeptZine[]): void {
  if (zines.length > maxKept)
    throw new KeptListError(
      text('Your list has {count} zines, which is the most. Remove one first.', { count: maxKept }),
    )
  try {
    if (zines.length === 0) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify({ version, zines }))
  } catch (cause) {
    // Both have the same class in all browsers.
    const isFull = cause instanceof DOMException && cause.name === 'QuotaExceededError'
    throw isFull
      ? new KeptListError(text('This browser has no more room for your list.'))
      : new KeptListError(refused())
  }
}

/** Calls back when the list changes in another tab, or while this page was not shown. */
export function onKeptChange(callback: () => void): void {
  addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) callback()
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) callback()
  })
}

function readStored(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    // Browsers refuse it where cookies are refused.
    throw new KeptListError(refused())
  }
}

const refused = (): string => text('This browser keeps nothing for this site, and so no list.')

function parseStored(stored: string): readonly KeptZine[] | undefined {
  try {
    const list = JSON.parse(stored) as unknown
    if (!isObject(list) || list.version !== version || !Array.isArray(list.zines)) return undefined
    const zines = list.zines.map(toKeptZine)
    return zines.every((zine) => zine !== undefined) ? zines.slice(0, maxKept) : undefined
  } catch {
    return undefined
  }
}

/** @returns undefined for what names no zine. What else is missing or wrong in it is left out. */
export function toKeptZine(value: unknown): KeptZine | undefined {
  if (!isObject(value)) return undefined
  const { id, libraries, more } = value
  if (typeof id !== 'string' || id === '') return undefined
  return {
    id,
    title: textIn(value.title) || id,
    line: textIn(value.line),
    language: textIn(value.language),
    libraries: Array.isArray(libraries)
      ? libraries.filter((name) => typeof name === 'string')
      : null,
    more: typeof more === 'number' ? more : 0,
    picture: matching(value.picture, /^data:image\/jpeg;base64,[\w+/=]*$/),
    look: matching(value.look, /^texture-\d paper-\d$/),
    isGone: value.isGone === true,
    formerId: textIn(value.formerId),
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

const matching = (value: unknown, pattern: RegExp): string =>
  pattern.test(textIn(value)) ? textIn(value) : ''
