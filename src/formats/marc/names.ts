// Builds the headings of agents, in the same form in bibliographic and authority records, so that
// library systems can match them.

import type { RecordAccessor } from '../record-accessor.js'
import { type FieldWithIndicators, type Subfields, plain } from './fields.js'

/** Whether the agent has a personal name in MARC (X00) rather than a corporate one (X10). */
export const isPerson = (agent: RecordAccessor): boolean => agent.text('kind') === 'Person'

/**
 * The heading of an agent: a person's sort name, else the display name. A group has its name in
 * direct order (RDA 11.2), since its sort name may be inverted: "Tigers, The".
 */
export const headingOf = (agent: RecordAccessor): string => {
  const name = agent.text('display_name')
  return plain(isPerson(agent) ? agent.text('sort_name') || name : name)
}

/**
 * A heading with its first indicator: 1 surname first, 0 name in direct order, 2 corporate body. A
 * comma in the name that a person uses, such as `Anna, Queen of Zines`, says nothing of a surname.
 */
export const withNameIndicator = (
  agent: RecordAccessor,
  name: string,
  subfields: Subfields,
): FieldWithIndicators => ({
  indicators: isPerson(agent) ? (isInverted(agent, name) ? '1_' : '0_') : '2_',
  subfields,
})

const isInverted = (agent: RecordAccessor, name: string): boolean =>
  name.includes(',') &&
  (name === plain(agent.text('sort_name')) || name !== plain(agent.text('display_name')))
