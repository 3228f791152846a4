// The text by which people know a record, for pages and for formats that name referred records.
// Formats that programs read refer to records by identifiers instead.

import type { ResourceName } from '../iris.js'
import type { Resources } from '../resources.js'
import { type RecordValues, textValue } from './values.js'
import type { RecordLookup, Reference } from './views.js'

/** What people call a record: its title or name; its identifier where it has neither. */
export function titleOf(resources: Resources, name: ResourceName, values: RecordValues): string {
  const { title, id } = resources[name]
  const known = title ? textValue(values, title.name) : ''
  return known === '' ? textValue(values, id.name) : known
}

/** The same of a record that another one refers to; empty when it was deleted. */
export function titleOfReference(
  resources: Resources,
  lookup: RecordLookup,
  reference: Reference,
): string {
  const values = lookup(reference)
  return values ? titleOf(resources, reference.target, values) : ''
}

/** What stands for an agent that was deleted: the identifier that is left may be a name. */
export const withheldName = 'name withheld'

/**
 * The same for people: `name withheld` for a deleted agent, and the identifier of another deleted
 * record.
 */
export function labelOfReference(
  resources: Resources,
  lookup: RecordLookup,
  reference: Reference,
): string {
  const deleted = reference.target === 'agents' ? withheldName : reference.id
  return titleOfReference(resources, lookup, reference) || deleted
}

/** A title without case, accents and punctuation, which people write differently. */
export const comparableTitle = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .join(' ')
    .trim()
