// Shorter ways to write the rules of a shipped profile.

import type { FieldRule, Profile, Target } from '../profile.js'

/** A rule as a row of a table. */
export type RuleRow = readonly [from: string, to: Target, more?: Omit<FieldRule, 'from' | 'to'>]

export const toRules = (rows: readonly RuleRow[]): readonly FieldRule[] =>
  rows.map(([from, to, more]) => ({ from, to, ...more }))

/** What a profile has before anything is decided. */
export const undecided: Pick<Profile, 'version' | 'names' | 'terms' | 'duplicates'> = {
  version: 1,
  names: {},
  terms: {},
  duplicates: { catalogue: 'holding', source: 'new', rows: {} },
}
