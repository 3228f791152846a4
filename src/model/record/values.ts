// The values of a record's fields, by the names under which clients write them.

export type FieldValue = string | number | boolean | null | readonly string[]

/** By field name. The names are declared, never a client's, so a plain object is safe. */
export type RecordValues = Readonly<Record<string, FieldValue>>

/** The text of a field; empty when it is unset. */
export const textValue = (values: RecordValues, field: string): string => {
  const value = values[field]
  return typeof value === 'string' ? value : ''
}

/** The values of a repeatable field. */
export const listValue = (values: RecordValues, field: string): readonly string[] => {
  const value = values[field]
  return Array.isArray(value) ? (value as readonly string[]) : []
}
