// Reads the names of people and groups from a source, and which field of a zine a relator means. Which agent a
// name stands for is decided elsewhere.

import { splitName } from '../../matching/name-forms.js'
import { relatorField } from '../matching/relators.js'
import { cleanLine, withoutEndPunctuation } from './text.js'

/** The fields of a zine with agents. */
export type AgentField = 'creator' | 'contributor' | 'publisher'

/** A name without what MARC and lists have behind it. */
export const cleanName = (name: string): string => withoutEndPunctuation(cleanLine(name))

/** The names that it is proposed to part a text into; empty where it has one. */
export const proposeNames = (text: string): readonly string[] => splitName(text)?.names ?? []

/**
 * The fields that relators mean for a name that the source has for one field; none for donors and others who had no
 * part in the zine. A main entry stays the creator, and may be the publisher beside.
 */
export function fieldsOfRelators(
  own: AgentField,
  relators: readonly string[],
): readonly AgentField[] {
  if (relators.length === 0) return [own]
  const fields = new Set(relators.map((relator) => relatorField(relator) ?? 'contributor'))
  if (own === 'creator') return fields.has('publisher') ? [own, 'publisher'] : [own]
  return [...fields].filter((field) => field !== 'none')
}
