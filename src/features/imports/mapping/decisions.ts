// Finds what was decided about a name or a term. Decisions are kept in profiles.

import { comparableTitle } from '../../../model/record/title.js'
import { cleanLine } from './text.js'
import type { NameDecision, Profile, TermDecision } from '../profile.js'

export type Decisions = {
  findName(name: string): NameDecision | undefined
  findTerm(vocabulary: string, value: string): TermDecision | undefined
}

/**
 * The decisions of a profile, and others where it has none, such as exact matches. A decision about
 * a term holds for its other spellings too.
 */
export function createDecisions(
  profile: Pick<Profile, 'names' | 'terms'>,
  others?: Decisions,
): Decisions {
  const names = new Map(
    Object.entries(profile.names).map(([name, decision]) => [cleanLine(name), decision]),
  )
  const terms = new Map(
    Object.entries(profile.terms).map(([vocabulary, decisions]) => [
      vocabulary,
      {
        exact: decisionsBy(decisions, cleanLine),
        comparable: decisionsBy(decisions, comparableTerm),
      },
    ]),
  )
  return {
    findName: (name) => names.get(cleanLine(name)) ?? others?.findName(name),
    findTerm(vocabulary, value) {
      const known = terms.get(vocabulary)
      return (
        known?.exact.get(cleanLine(value)) ??
        known?.comparable.get(comparableTerm(value)) ??
        others?.findTerm(vocabulary, value)
      )
    },
  }
}

const decisionsBy = (
  decisions: Readonly<Record<string, TermDecision>>,
  key: (value: string) => string,
): ReadonlyMap<string, TermDecision> =>
  new Map(Object.entries(decisions).map(([value, decision]) => [key(value), decision]))

/** A term without case, accents and punctuation. */
export const comparableTerm = (value: string): string => comparableTitle(value) || cleanLine(value)
