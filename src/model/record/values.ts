// A record in the hand: the values of its fields as the write shape names them.

export type FieldValue = string | number | boolean | null | readonly string[]

/** Field names are ours, never a client's, so a plain object holds them. */
export type RecordValues = Readonly<Record<string, FieldValue>>

/** The text of a field; empty when it is unset. */
export const textValue = (card: RecordValues, field: string): string => {
  const value = card[field]
  return typeof value === 'string' ? value : ''
}

/** The values of a repeatable field. */
export const listValue = (card: RecordValues, field: string): readonly string[] => {
  const value = card[field]
  return Array.isArray(value) ? (value as readonly string[]) : []
}
