// A citation as plain text.

import type { CitationPart } from './styles.js'

/** A citation without italics. */
export const textOf = (parts: readonly CitationPart[]): string =>
  parts.map(({ text }) => text).join('')
