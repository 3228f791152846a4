// Sentences for people, with values in them. A sentence is known by its English text, in which the
// values have placeholders, so pages translate it without reading it (docs/how-to/translations.md).

export type MessageValues = Readonly<Record<string, string | number | FilledMessage | undefined>>

/**
 * A sentence with values in it. Wherever it becomes a string, as in JSON and in logs, it is
 * English.
 */
export class FilledMessage {
  /** @param pattern the English text, with the values' names in braces */
  constructor(
    readonly pattern: string,
    readonly values: MessageValues,
  ) {}

  toString(): string {
    return fill(this.pattern, this.values)
  }

  toJSON(): string {
    return this.toString()
  }
}

export type Message = string | FilledMessage

/** The JSON of a message that pages can still translate when it is read again. */
export type StoredMessage = string | Pick<FilledMessage, 'pattern' | 'values'>

export const storedMessage = (message: Message): StoredMessage =>
  typeof message === 'string' ? message : { pattern: message.pattern, values: message.values }

export const readMessage = (stored: StoredMessage): Message =>
  typeof stored === 'string' ? stored : new FilledMessage(stored.pattern, stored.values)

/** The message with its text, or the values in it, changed. */
export function withValues(message: Message, change: (text: string) => string): Message {
  if (typeof message === 'string') return change(message)
  const values = Object.entries(message.values).map(
    ([name, value]) => [name, typeof value === 'string' ? change(value) : value] as const,
  )
  return new FilledMessage(message.pattern, Object.fromEntries(values))
}

export const isMessage = (value: unknown): value is Message =>
  typeof value === 'string' || value instanceof FilledMessage

/** Marks a text that is translated where it is shown. @param values what its placeholders hold */
export function message<Text extends string>(text: Text): Text
export function message(text: string, values: MessageValues): FilledMessage
export function message(text: string, values?: MessageValues): Message {
  return values ? new FilledMessage(text, values) : text
}

const placeholder = /\{(\w+)\}/g

/** The parts of a text: those with odd positions are the names of placeholders. */
export const partsOf = (pattern: string): readonly string[] => pattern.split(placeholder)

/** The text with the values in place of `{name}`. */
export const fill = (pattern: string, values: MessageValues): string =>
  pattern.replace(placeholder, (whole, name: string) =>
    name in values ? String(values[name] ?? '') : whole,
  )
