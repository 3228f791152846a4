// What the rows of an import have in all: the use of their fields, their names and terms with what
// the catalogue has of them, and what was not understood. Decisions that need no person, such as
// about a name that is found exactly, are proposed here; those of the profile come before them.

import { message } from '../../message.js'
import type { Resources } from '../../model/resources.js'
import type { Vocabulary } from '../../model/vocabulary.js'
import { createYielder } from '../../lib/scheduling.js'
import {
  type CollectedNameCount,
  type CollectedTermCount,
  createNameCollector,
  createTermCollector,
} from './mapping/collectors.js'
import { type Decisions, createDecisions } from './mapping/decisions.js'
import { mapRow } from './mapping/map-row.js'
import type { MappedRow, MappingIssue } from './mapping/mapped-row.js'
import {
  type MissingDefault,
  type RecordBuilderOptions,
  createMissingDefaultCounter,
  createRecordBuilder,
  noName,
} from './mapping/record-builder.js'
import { type Shelf, createShelfCollector } from './mapping/shelves.js'
import { type SourceFieldStatistics, SourceFieldCollector } from './mapping/source-fields.js'
import { fold, slugOf } from '../../lib/names/folding.js'
import {
  type NameGroup,
  type NameMatch,
  type NameMatcher,
  type NamedAgent,
  createNameMatcher,
  groupNames,
} from './matching/names.js'
import {
  type TermMatch,
  type TermMatcher,
  createTermMatcher,
  termListOf,
} from '../../model/term-lists.js'
import type { NameDecision, Profile, TermDecision } from './profile.js'
import type { SourceRow } from '../../lib/sources/source.js'

/** Spellings of one name, what the catalogue has like it, and what becomes of it. */
export type AnalysedName = NameGroup & {
  /** The fields that it fills, such as `creator`. */
  readonly fields: readonly string[]
  readonly match: NameMatch
  /** What a person should know of it, as sentences. */
  readonly remarks: readonly string[]
  /** Another name of the source, which the source says is a fuller form of this one. */
  readonly sameAs: string | undefined
  /** What was decided about one of the spellings; undefined while nothing is. */
  readonly decided: NameDecision | undefined
  /** What was decided, or else is proposed; undefined if a person has to decide. */
  readonly decision: NameDecision | undefined
}

export type AnalysedTerm = CollectedTermCount & {
  readonly match: TermMatch
  readonly decided: TermDecision | undefined
  readonly decision: TermDecision | undefined
}

type CountedIssue = Pick<MappingIssue, 'kind' | 'field' | 'message'> & {
  readonly count: number
  /** Some of the values, with the numbers of their rows. */
  readonly examples: readonly { readonly row: number; readonly value: string }[]
}

export type Analysis = {
  /** The collections of the source, of which a person says which are owned. */
  readonly shelves: readonly Shelf[]
  readonly fields: readonly SourceFieldStatistics[]
  /** The most frequent first. */
  readonly names: readonly AnalysedName[]
  /** Those of one vocabulary after those of another, the most frequent first. */
  readonly terms: readonly AnalysedTerm[]
  /**
   * Counts the rows that lack a required field for which the profile has no value: reads all rows,
   * once.
   */
  readonly missing: () => Promise<readonly MissingDefault[]>
  readonly issues: readonly CountedIssue[]
  /** All decisions, those that were proposed too. */
  readonly decisions: Decisions
}

/** What the rows are compared with. */
export type Comparison = {
  readonly resources: Resources
  readonly vocabularies: readonly Vocabulary[]
  /** The agents of the catalogue with their public names. */
  readonly agents: readonly NamedAgent[]
}

/** Among the decisions about terms: that about all values about which nothing else is decided. */
export const anyValue = '*'

const maxExamples = 20

/** What all rows have, whatever was decided about it. */
export type CollectedRows = {
  readonly shelves: readonly Shelf[]
  readonly fields: readonly SourceFieldStatistics[]
  readonly names: readonly CollectedNameCount[]
  readonly terms: readonly CollectedTermCount[]
  readonly issues: readonly CountedIssue[]
}

/**
 * Of a profile, only what `collectedBy` names counts here.
 * @param columns the names of the columns of a table
 */
export async function collectRows(
  rows: AsyncIterable<SourceRow>,
  columns: readonly string[],
  profile: Profile,
  resources: Resources,
): Promise<CollectedRows> {
  const fields = new SourceFieldCollector(profile, resources, columns)
  const shelves = createShelfCollector(profile)
  const names = createNameCollector()
  const terms = createTermCollector()
  const missing = createMissingDefaultCounter(profile, resources)
  const issues = createIssueCounter()
  const maybeYield = createYielder()
  for await (const row of rows) {
    fields.add(row)
    shelves.add(row)
    const mapped = mapRow(row, profile, resources)
    for (const collector of [names, terms, missing, issues]) collector.add(mapped)
    await maybeYield()
  }
  const unnamed = missing.list().filter(({ field }) => field.name === 'creator')
  return {
    shelves: shelves.list(),
    fields: fields.list(),
    names: [...names.list(), ...unnamed.map(asName)],
    terms: terms.list(),
    issues: issues.list(),
  }
}

/** The parts of a profile on which depends what is collected: not those with decisions. */
export const collectedBy = ({
  source,
  identifiers,
  items,
  shelves,
  others,
  rules,
  defaults,
}: Profile): string =>
  JSON.stringify([source, identifiers, items, shelves, others, rules, defaults])

type AnalysisInput = {
  readonly collected: CollectedRows
  /** Reads all rows. */
  readonly rows: () => AsyncIterable<SourceRow>
  readonly profile: Profile
  readonly comparison: Comparison
}

export async function analyseRows({
  collected,
  rows,
  profile,
  comparison,
}: AnalysisInput): Promise<Analysis> {
  const { resources } = comparison
  const { shelves, fields, issues } = collected
  const decided = createDecisions(profile)
  const matchers = await matchersFor(comparison)
  const names = await proposeForNames(collected.names, { decided, profile, comparison, matchers })
  const terms = await proposeForTerms(collected.terms, decided, matchers)
  const decisions = createDecisions(profile, {
    findName: (name) => names.decisions.get(name),
    findTerm: createTermFinder(terms, decided),
  })
  let missing: ReturnType<Analysis['missing']> | undefined
  return {
    shelves,
    fields,
    names: names.names,
    terms,
    missing: () => (missing ??= countMissing(rows(), { profile, resources, decisions })),
    issues,
    decisions,
  }
}

/** What finds the names and terms of the catalogue. */
export type Matchers = {
  readonly names: NameMatcher
  readonly terms: ReadonlyMap<string, TermMatcher>
}

const matchersOf = new WeakMap<Comparison, Promise<Matchers>>()

/** The same matchers for the same comparison: to make them takes longer than to ask them. */
export function matchersFor(comparison: Comparison): Promise<Matchers> {
  const known = matchersOf.get(comparison)
  if (known) return known
  const matchers = createMatchers(comparison)
  matchersOf.set(comparison, matchers)
  return matchers
}

async function createMatchers({ agents, vocabularies }: Comparison): Promise<Matchers> {
  const lists = vocabularies.map(termListOf)
  const terms = lists.map((list) => {
    const others = lists.filter((other) => other !== list)
    const matcher = createTermMatcher(list, others)
    return [list.name, { match: withMemory((value) => matcher.match(value)) }] as const
  })
  const names = await createNameMatcher(agents)
  return {
    names: {
      match: withMemory((name) => names.match(name)),
      matchDirect: withMemory((name) => names.matchDirect(name)),
    },
    terms: new Map(terms),
  }
}

/** How many matches are remembered. */
const maxRemembered = 50_000

/** The same, but what was found is remembered. */
function withMemory<Match>(match: (value: string) => Match): (value: string) => Match {
  const known = new Map<string, Match>()
  return (value) => {
    const cached = known.get(value)
    if (cached !== undefined) return cached
    const result = match(value)
    if (known.size >= maxRemembered) known.clear()
    known.set(value, result)
    return result
  }
}

/** Counts the rows and copies that lack a required field after all decisions. */
async function countMissing(
  rows: AsyncIterable<SourceRow>,
  options: RecordBuilderOptions,
): Promise<readonly MissingDefault[]> {
  const { profile, resources } = options
  const builder = createRecordBuilder(options)
  const counter = createMissingDefaultCounter(profile, resources)
  const maybeYield = createYielder()
  for await (const row of rows) {
    counter.addRecords(builder.toRecords(mapRow(row, profile, resources)))
    await maybeYield()
  }
  return counter.list()
}

/** Rows that name no creator, as a name that is decided about like others. */
const asName = ({ count }: MissingDefault): CollectedNameCount => ({
  name: noName,
  count,
  fields: ['creator'],
  relators: [],
  split: [],
})

function createIssueCounter() {
  type Counted = { -readonly [Key in keyof CountedIssue]: CountedIssue[Key] } & {
    readonly examples: CountedIssue['examples'][number][]
  }
  const issues = new Map<string, Counted>()
  return {
    add({ number, issues: rowIssues }: Pick<MappedRow, 'number' | 'issues'>): void {
      for (const { kind, field, message, value } of rowIssues) {
        const key = `${kind} ${field} ${message}`
        const known = issues.get(key) ?? { kind, field, message, count: 0, examples: [] }
        issues.set(key, known)
        known.count += 1
        if (known.examples.length < maxExamples) known.examples.push({ row: number, value })
      }
    },
    list: (): readonly CountedIssue[] => [...issues.values()].sort((a, b) => b.count - a.count),
  }
}

/**
 * Groups the spellings of names, and proposes what becomes of those about which nothing is decided.
 */
async function proposeForNames(
  counted: readonly CollectedNameCount[],
  {
    decided,
    profile,
    comparison: { agents },
    matchers: { names: matcher },
  }: {
    readonly decided: Decisions
    readonly profile: Profile
    readonly comparison: Comparison
    readonly matchers: Matchers
  },
) {
  const known = new Map(counted.map((collected) => [collected.name, collected]))
  const agentIds = new Set(agents.map(({ id }) => id))
  const decisions = new Map<string, NameDecision>()
  const propose = createNameProposer(matcher, agentIds, profile)
  const analysed = new Map<NameGroup, AnalysedName>()
  const maybeYield = createYielder()
  const groups = await groupNames(counted)
  const groupByName = new Map(groups.map((group) => [fold(group.displayName), group]))
  const described = groups.map((group) => describeGroup(group, known, groupByName))
  const isShorter = ({ sameAs }: DescribedGroup): boolean => sameAs !== undefined
  // An agent gets the shorter forms of its name when it is proposed for the first time.
  for (const description of [
    ...described.filter(isShorter),
    ...described.filter((it) => !isShorter(it)),
  ]) {
    const { group, counts, otherNames, wikidata, sameAs } = description
    const spellings = group.spellings.map(({ name }) => name)
    const givenDecision = spellings
      .map((name) => decided.findName(name))
      .find((it) => it !== undefined)
    const isDirect = counts.some((it) => it.isDirect)
    const match = withFullerForms(
      isDirect ? matcher.matchDirect(group.displayName) : matcher.match(group.displayName),
      otherNames.flatMap((name) => matcher.match(name).exact),
    )
    const kind = counts[0]?.kind
    const decision =
      givenDecision ?? propose(match, { group: sameAs ?? group, kind, otherNames, wikidata })
    if (decision) for (const name of spellings) decisions.set(name, decision)
    for (const part of decision && 'split' in decision ? decision.split : [])
      if (!decided.findName(part)) {
        const proposed = propose(matcher.match(part), {})
        if (proposed && !('split' in proposed)) decisions.set(part, proposed)
      }
    analysed.set(group, {
      ...group,
      fields: [...new Set(counts.flatMap(({ fields }) => fields))],
      match,
      remarks: remarksOn(group, match, { sameAs, isOfOne: kind !== undefined }),
      sameAs: sameAs?.displayName,
      decided: givenDecision,
      decision,
    })
    await maybeYield()
  }
  return { names: groups.flatMap((group) => analysed.get(group) ?? []), decisions }
}

type DescribedGroup = {
  readonly group: NameGroup
  /** Of its spellings. */
  readonly counts: readonly CollectedNameCount[]
  /** Other names that the source has for it. */
  readonly otherNames: readonly string[]
  /** Its number in Wikidata, where the source has one for it. */
  readonly wikidata: string | undefined
  /** A group that has one of these names. */
  readonly sameAs: NameGroup | undefined
}

function describeGroup(
  group: NameGroup,
  known: ReadonlyMap<string, CollectedNameCount>,
  groupByName: ReadonlyMap<string, NameGroup>,
): DescribedGroup {
  const counts = group.spellings.flatMap(({ name }) => known.get(name) ?? [])
  const otherNames = [...new Set(counts.flatMap((count) => count.otherNames ?? []))]
  const [sameAs] = otherNames
    .flatMap((name) => groupByName.get(fold(name)) ?? [])
    .filter((other) => other !== group)
  const [wikidata, ...others] = new Set(counts.flatMap((count) => count.wikidata ?? []))
  const isOne = others.length === 0
  return { group, counts, otherNames, wikidata: isOne ? wikidata : undefined, sameAs }
}

/** Agents that have a fuller form of the name are like it. */
const withFullerForms = (match: NameMatch, ids: readonly string[]): NameMatch => {
  const similar = [...new Set(ids)]
    .filter((id) => !match.exact.includes(id))
    .map((id) => ({ id, score: 0.95, reason: message('a fuller form of the name is the same') }))
  const others = match.similar.filter(({ id }) => !ids.includes(id))
  return similar.length === 0 ? match : { ...match, similar: [...similar, ...others] }
}

/** A surname with nothing but initials, which several people of a file may share. */
const isShortName = (name: string): boolean =>
  /^(?:\p{Lu}\.?[\s-]?){1,3}\s\p{Lu}\p{Ll}[\p{L}'’-]*$/u.test(name)

type NameContext = {
  readonly sameAs: NameGroup | undefined
  /** Whether the source has a field for each name. */
  readonly isOfOne: boolean
}

/** What people should know of a name. */
function remarksOn(
  { displayName, count, hasYear, isAmbiguous }: NameGroup,
  { contact, parts }: NameMatch,
  { sameAs, isOfOne }: NameContext,
): readonly string[] {
  return [
    ...(contact === 'email'
      ? [message('It has an e-mail address, which must not be public.')]
      : []),
    ...(contact === 'phone'
      ? [message('It has a telephone number, which must not be public.')]
      : []),
    ...(isOfOne && parts ? [message('The field is for one name, and several stand in it.')] : []),
    ...(sameAs ? [message('The file has a fuller form of this name.')] : []),
    ...(isAmbiguous ? [message('It may be one of those with a year of birth.')] : []),
    ...(count > 1 && !hasYear && isShortName(displayName)
      ? [message('This short name may be of several people.')]
      : []),
  ]
}

type ProposalHints = {
  readonly group?: NameGroup
  /** The kind that the source says. */
  readonly kind?: string | undefined
  readonly otherNames?: readonly string[]
  readonly wikidata?: string | undefined
}

/** The identifiers of agents that are proposed are free in the catalogue, and one for each name. */
function createNameProposer(matcher: NameMatcher, agentIds: ReadonlySet<string>, profile: Profile) {
  const namesMakers = profile.rules.some(({ to }) => to === 'zines.creator')
  const namesById = new Map<string, string>()
  /**
   * What is proposed for new names, by what they are compared by: a part of a name may be a name
   * elsewhere.
   */
  const created = new Map<string, NameDecision>()

  /** @param name what the agent is known by among those of the import */
  function freeId(base: string, name: string): string {
    for (let number = 1; ; number++) {
      const id = number === 1 ? base : `${base}-${number}`
      const isFree = !agentIds.has(id) && (namesById.get(id) ?? name) === name
      if (!isFree) continue
      namesById.set(id, name)
      return id
    }
  }

  return (
    match: NameMatch,
    { group, kind, otherNames = [], wikidata }: ProposalHints,
  ): NameDecision | undefined => {
    const { exact, parts } = match
    // Whether it is hidden, renamed or left out is for a person to say.
    if (match.contact) return undefined
    if (exact.length === 1 && exact[0] !== undefined) return { use: exact[0] }
    // Namesakes are told apart by people.
    if (exact.length > 1) return undefined
    // Whether one maker made all zines of a file that has no makers is asked.
    if (group?.displayName === noName && !namesMakers) return undefined
    if (match.isUnknown || match.isVarious) return proposeForNobody(matcher, match, group)
    if (parts?.isSure) return { split: parts.names }
    // A group of the source that has a fuller form of the name is the same agent.
    const displayName = group?.displayName ?? match.displayName
    const key = `${fold(displayName) || displayName} ${group?.apartBy ?? ''}`
    const known = created.get(key)
    if (known) return known
    const base = profile.identifiers.agents + (slugOf(displayName) || 'agent')
    const decision = {
      create: {
        display_name: displayName,
        kind: kind ?? match.kind,
        agent_id: freeId(base, key),
        ...alternativesOf(displayName, [match.displayName, ...otherNames]),
        ...(wikidata === undefined ? {} : { wikidata }),
      },
    }
    created.set(key, decision)
    return decision
  }

  function proposeForNobody(
    known: NameMatcher,
    { isUnknown }: NameMatch,
    group: NameGroup | undefined,
  ): NameDecision {
    const [id, name] = isUnknown
      ? (['unknown', 'Unknown maker'] as const)
      : (['various', 'Various makers'] as const)
    const spellings = [name, id, ...(group?.spellings.map((spelling) => spelling.name) ?? [])]
    const [use] = spellings.flatMap((spelling) => known.match(spelling).exact)
    if (use !== undefined) return { use }
    const agentId = freeId(profile.identifiers.agents + id, name)
    return { create: { display_name: name, kind: 'Collective', agent_id: agentId } }
  }
}

function alternativesOf(displayName: string, names: readonly string[]) {
  const others = names.filter((name) => fold(name) !== fold(displayName))
  return others.length === 0 ? {} : { alternative_names: [...new Set(others)] }
}

async function proposeForTerms(
  counted: readonly CollectedTermCount[],
  decided: Decisions,
  { terms: matchers }: Matchers,
): Promise<readonly AnalysedTerm[]> {
  const terms: AnalysedTerm[] = []
  const maybeYield = createYielder()
  for (const term of counted) {
    const match = matcherFor(term)
    const givenDecision = decided.findTerm(term.vocabulary, term.value)
    const decision = givenDecision ?? (match.kind === 'exact' ? { code: match.code } : undefined)
    terms.push({ ...term, match, decided: givenDecision, decision })
    await maybeYield()
  }
  return terms

  function matcherFor({ vocabulary, value, code }: CollectedTermCount): TermMatch {
    const matched = matchers.get(vocabulary)?.match(value) ?? { kind: 'none' as const }
    return code === undefined || matched.kind === 'exact'
      ? matched
      : { kind: 'exact', code, label: value }
  }
}

/**
 * Finds what is proposed for a term; for others what was decided about all others of the
 * vocabulary.
 */
function createTermFinder(
  terms: readonly AnalysedTerm[],
  decided: Decisions,
): Decisions['findTerm'] {
  const decisions = new Map(
    terms.flatMap(({ vocabulary, spellings, decision }) =>
      decision ? spellings.map((spelling) => [`${vocabulary} ${spelling}`, decision] as const) : [],
    ),
  )
  return (vocabulary, value) =>
    decisions.get(`${vocabulary} ${value}`) ?? decided.findTerm(vocabulary, anyValue)
}
