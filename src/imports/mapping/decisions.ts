// Finds what was decided about a name or a term. Decisions are kept in profiles.

import { cleanLine } from './text.js'
import type { NameDecision, Profile, TermDecision } from '../profile.js'

export type Decisions = {
  findName(name: string): NameDecision | undefined
  findTerm(vocabulary: string, value: string): TermDecision | undefined
}

/** The decisions of a profile, and others where it has none, such as exact matches. */
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
      new Map(Object.entries(decisions).map(([value, decision]) => [cleanLine(value), decision])),
    ]),
  )
  return {
    findName: (name) => names.get(cleanLine(name)) ?? others?.findName(name),
    findTerm: (vocabulary, value) =>
      terms.get(vocabulary)?.get(cleanLine(value)) ?? others?.findTerm(vocabulary, value),
  }
}
