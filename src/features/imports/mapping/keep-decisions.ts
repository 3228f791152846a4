// What was decided about a source that is read in another way: with another separator, sheet or
// first row its columns are others, and what still applies is kept.

import type { FieldRule, Profile } from '../profile.js'
import { placeholdersOf } from './identifiers.js'
import { fitOf, parseSelector } from './selectors.js'

export type KeptDecisions = {
  readonly profile: Profile
  /** What no longer applies, in words. */
  readonly dropped: readonly string[]
}

export type ReadAgain = {
  /** The profile with what was decided. */
  readonly decided: Profile
  /** What is proposed for the source as it is read now. */
  readonly proposed: Profile
  /** The names of the fields of the source before, and now. */
  readonly before: ReadonlySet<string>
  readonly now: ReadonlySet<string>
  /** Whether the rows are the same, so that decisions about single ones hold. */
  readonly hasSameRows: boolean
}

export function keepDecisions({
  decided,
  proposed,
  before,
  now,
  hasSameRows,
}: ReadAgain): KeptDecisions {
  const isLost = (rule: FieldRule): boolean => appliesTo(rule, before) && !appliesTo(rule, now)
  const lost = decided.rules.filter(isLost)
  const keptRules = decided.rules.filter((rule) => !isLost(rule))
  const added = [...now].filter((name) => !before.has(name))
  const isForAdded = (rule: FieldRule): boolean => appliesTo(rule, new Set(added))
  const isKnown = ({ from }: FieldRule): boolean => keptRules.some((rule) => rule.from === from)
  const identifiers = keptIdentifiers(decided, proposed, now)
  const { rows, ...duplicates } = decided.duplicates
  return {
    profile: {
      ...proposed,
      ...(added.length === 0 ? { name: decided.name, description: decided.description } : {}),
      identifiers,
      items: keptRules.length > 0 ? decided.items : proposed.items,
      rules: [...keptRules, ...proposed.rules.filter((rule) => isForAdded(rule) && !isKnown(rule))],
      defaults: {
        zines: { ...proposed.defaults.zines, ...decided.defaults.zines },
        holdings: { ...proposed.defaults.holdings, ...decided.defaults.holdings },
      },
      emptyCells: decided.emptyCells,
      newRecords: decided.newRecords,
      names: decided.names,
      terms: decided.terms,
      duplicates: { ...duplicates, rows: hasSameRows ? rows : {} },
    },
    dropped: [
      ...lost.map(({ from, to }) => `“${from}” goes to ${to}`),
      ...(identifiers.zines !== decided.identifiers.zines && decided.identifiers.zines !== usual
        ? [`identifiers are ${decided.identifiers.zines}`]
        : []),
      ...(!hasSameRows && Object.keys(rows).length > 0 ? ['what is done with single rows'] : []),
    ],
  }
}

/** The pattern where nothing better is known. */
const usual = '{import}-{row}'

function appliesTo({ from, with: others = [] }: FieldRule, names: ReadonlySet<string>): boolean {
  return [from, ...others].some((column) => {
    const selector = parseSelector(column)
    return [...names].some((name) => fitOf(selector, { name, parts: [] }) !== undefined)
  })
}

function keptIdentifiers(
  { identifiers }: Profile,
  proposed: Profile,
  now: ReadonlySet<string>,
): Profile['identifiers'] {
  const isThere = (name: string): boolean => now.has(name.replace(/\$.*$/, ''))
  return identifiers.zines !== usual && placeholdersOf(identifiers.zines).every(isThere)
    ? identifiers
    : { ...identifiers, zines: proposed.identifiers.zines }
}
