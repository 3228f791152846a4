// Agents as access points: the same form in bibliographic and authority records, so that they meet.

import type { RecordAccessor } from '../record-accessor.js'
import { type FieldWithIndicators, type Subfields, plain } from './fields.js'

/** Whether MARC gives it a personal name (X00) rather than a corporate one (X10). */
export const isPerson = (agent: RecordAccessor): boolean => agent.text('kind') === 'Person'

/**
 * A person by the name that they are filed under; a group by its name in direct order, as RDA has
 * corporate bodies (RDA 11.2), since what it is filed under may be inverted: "Tigers, The".
 */
export const headingOf = (agent: RecordAccessor): string => {
  const name = agent.text('display_name')
  return plain(isPerson(agent) ? agent.text('sort_name') || name : name)
}

/** A heading's field, its first indicator as its name asks: surname first, name in direct order, body. */
export const withNameIndicator = (
  agent: RecordAccessor,
  name: string,
  subfields: Subfields,
): FieldWithIndicators => ({
  indicators: isPerson(agent) ? (name.includes(',') ? '1_' : '0_') : '2_',
  subfields,
})
