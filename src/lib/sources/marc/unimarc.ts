// Tells records of UNIMARC, as libraries in France, Italy and Portugal have them, from those of
// MARC 21: the same tags mean other things there.

import type { SourceField, SourceRow } from '../source.js'

/** The title is in 200, where MARC 21 has 245. */
export const hasUnimarcTags = (tags: readonly string[]): boolean =>
  tags.includes('200') && !tags.includes('245')

export const isUnimarc = (fields: readonly SourceField[]): boolean =>
  hasUnimarcTags(fields.map(({ name }) => name)) &&
  fields.some(({ name, parts }) => name === '200' && parts.some(({ code }) => code === 'a'))

/** What the records of a file are called. */
export function nameFormat(rows: readonly Pick<SourceRow, 'fields'>[]): string {
  const are = new Set(rows.map(({ fields }) => fields.some(({ name }) => name === 'U200')))
  if (!are.has(true)) return 'MARC 21'
  return are.has(false) ? 'UNIMARC and MARC 21' : 'UNIMARC'
}

/**
 * The fields with a `U` before their tags, so that no rule for MARC 21 is for them. The first ten
 * are alike.
 */
export const nameUnimarc = (fields: readonly SourceField[]): readonly SourceField[] =>
  fields.map((field) =>
    /^(?!00)\d{3}$/.test(field.name) ? { ...field, name: `U${field.name}` } : field,
  )
