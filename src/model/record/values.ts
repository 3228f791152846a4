// A record in the hand: the values of its fields as the write shape names them.

export type Value = string | number | boolean | null | readonly string[]

/** Field names are ours, never a client's, so a plain object holds them. */
export type Card = Readonly<Record<string, Value>>

/** The text of a field; empty when it is unset. */
export const textOf = (card: Card, field: string): string => {
  const value = card[field]
  return typeof value === 'string' ? value : ''
}

/** The values of a repeatable field. */
export const valuesOf = (card: Card, field: string): readonly string[] => {
  const value = card[field]
  return Array.isArray(value) ? (value as readonly string[]) : []
}
