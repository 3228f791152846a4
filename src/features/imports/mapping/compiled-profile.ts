// Prepares a profile for many rows: its rules with the fields that they fill, found by the name of
// a source field.

import type { Field, Resources } from '../../../model/resources.js'
import { resourceNames } from '../../../model/iris.js'
import {
  type FieldRule,
  type ImportedKind,
  type MadeKind,
  type Profile,
  type Reading,
  madeKinds,
} from '../profile.js'
import type { SourceField } from '../../../lib/sources/source.js'
import { placeholdersOf } from './identifiers.js'
import { type Selector, fitOf, maxRemembered, parseSelector } from './selectors.js'

export type CompiledRule = {
  /** Among the rules of the profile. */
  readonly position: number
  readonly rule: FieldRule
  readonly selector: Selector
  /** The selectors of further columns. */
  readonly others: readonly Selector[]
  /** That of the column which says how many values there are. */
  readonly counted: Selector | undefined
  readonly target: RuleTarget
}

export type RuleTarget =
  | { readonly kind: 'private' }
  | { readonly kind: 'nothing' }
  | {
      readonly kind: ImportedKind
      readonly field: Field
      readonly reading: Reading
    }

export type CompiledProfile = {
  readonly profile: Profile
  /** All rules, in their order. */
  readonly rules: readonly CompiledRule[]
  /** The rules that are for a source field, in their order. */
  rulesOf(field: SourceField): readonly CompiledRule[]
  /** The rules that keep texts of a source field private. */
  privateRulesOf(field: SourceField): readonly CompiledRule[]
  /** What the identifiers of zines and holdings name of the source. */
  readonly placeholders: readonly Selector[]
  /**
   * Patterns that are the name of an identifier of ours, such as `{zine_id}`, name records of this
   * catalogue.
   */
  readonly namedBy: readonly (readonly [MadeKind, Selector])[]
}

const cache = new WeakMap<Profile, CompiledProfile>()

/** The same object for the same profile, which is never changed but made anew. */
export function compileProfile(profile: Profile, resources: Resources): CompiledProfile {
  const known = cache.get(profile)
  if (known) return known
  const compiled = buildCompiledProfile(profile, resources)
  cache.set(profile, compiled)
  return compiled
}

function buildCompiledProfile(profile: Profile, resources: Resources): CompiledProfile {
  const rules = profile.rules.map((rule, position) => compileRule(rule, position, resources))
  const byField = new Map<string, readonly CompiledRule[]>()
  const privateByField = new Map<string, readonly CompiledRule[]>()
  const keyOf = ({ name, indicators }: SourceField): string =>
    indicators === undefined ? name : `${name} ${indicators}`
  const rulesOf: CompiledProfile['rulesOf'] = (field) => {
    const key = keyOf(field)
    const known = byField.get(key)
    if (known) return known
    const fieldRules = bestFitting(rules, field)
    if (byField.size >= maxRemembered) byField.clear()
    byField.set(key, fieldRules)
    return fieldRules
  }
  const { zines, holdings } = profile.identifiers
  return {
    profile,
    rules,
    rulesOf,
    privateRulesOf(field) {
      const key = keyOf(field)
      const known = privateByField.get(key)
      if (known) return known
      const privateRules = rulesOf(field).filter(({ target }) => target.kind === 'private')
      if (privateByField.size >= maxRemembered) privateByField.clear()
      privateByField.set(key, privateRules)
      return privateRules
    },
    placeholders: placeholdersOf(`${zines}${holdings}`).map(parseSelector),
    namedBy: madeKinds
      .map((kind) => [kind, resources[kind].id.name] as const)
      .filter(([kind, id]) => profile.identifiers[kind] === `{${id}}`)
      .map(([kind, id]) => [kind, parseSelector(id)] as const),
  }
}

function compileRule(rule: FieldRule, position: number, resources: Resources): CompiledRule {
  return {
    position,
    rule,
    selector: parseSelector(rule.from),
    others: (rule.with ?? []).map(parseSelector),
    counted: rule.counted === undefined ? undefined : parseSelector(rule.counted),
    target: targetOf(rule, resources),
  }
}

/** Rules with the whole tag, or else those with the fewest digits that may be any. */
function bestFitting(rules: readonly CompiledRule[], field: SourceField): readonly CompiledRule[] {
  const exact = rules.filter(({ selector }) => selector.text === field.name)
  const named = exact.length > 0 && !/^\d/.test(field.name) ? exact : rules
  const fits = named.flatMap((rule) => {
    const fit = fitOf(rule.selector, field)
    return fit === undefined ? [] : [{ rule, fit }]
  })
  const best = Math.min(...fits.map(({ fit }) => fit))
  return fits.filter(({ fit }) => fit === best).map(({ rule }) => rule)
}

function targetOf(rule: FieldRule, resources: Resources): RuleTarget {
  const { to } = rule
  if (to === 'private' || to === 'nothing') return { kind: to }
  const [kind = '', name = ''] = to.split('.')
  const field = findTargetField(resources, kind, name)
  // parseProfile has refused other targets.
  if (!field) return { kind: 'nothing' }
  return { kind: kind as ImportedKind, field, reading: readingOf(rule, kind, field) }
}

/**
 * The fields of makers and libraries are those of records that are there, so that nothing about
 * them is read.
 */
function readingOf({ as }: FieldRule, kind: string, field: Field): Reading {
  const isMade = madeKinds.some((madeKind) => madeKind === kind)
  return isMade ? (as ?? usualReading(field)) : 'exact'
}

export function findTargetField(
  resources: Resources,
  kind: string,
  name: string,
): Field | undefined {
  const resource = resourceNames.find((resourceName) => resourceName === kind)
  return resource && resources[resource].inputFields.find((field) => field.name === name)
}

const usualReadings: Readonly<Record<string, Reading>> = {
  date: 'date',
  language: 'language',
  number_of_pages: 'pages',
  place_of_publication: 'place',
}

function usualReading(field: Field): Reading {
  if (field.target === 'agents') return 'name'
  return usualReadings[field.name] ?? 'text'
}
