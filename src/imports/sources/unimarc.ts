// Tells records of UNIMARC, as libraries in France, Italy and Portugal have them, from those of MARC 21: the same
// tags mean other things there.

import type { SourceField } from './source.js'

/** The title is in 200, where MARC 21 has 245. */
export const isUnimarc = (fields: readonly SourceField[]): boolean =>
  fields.some(({ name, parts }) => name === '200' && parts.some(({ code }) => code === 'a')) &&
  fields.every(({ name }) => name !== '245')

/** The fields with a `U` before their tags, so that no rule for MARC 21 is for them. The first ten are alike. */
export const nameUnimarc = (fields: readonly SourceField[]): readonly SourceField[] =>
  fields.map((field) =>
    /^(?!00)\d{3}$/.test(field.name) ? { ...field, name: `U${field.name}` } : field,
  )
