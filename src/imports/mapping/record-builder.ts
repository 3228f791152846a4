// Makes the records of a mapped row, as a client would send them, with what was decided about names and terms.
// Checking them is left to the catalogue (docs/import.md, "How values are read").

import { withheldName } from '../../model/record/title.js'
import type { Field, Resources } from '../../model/resources.js'
import type { ImportedKind, NameDecision, Profile } from '../profile.js'
import { createDecisions, type Decisions } from './decisions.js'
import { slugOf } from '../../matching/folding.js'
import { naturalOrder } from '../../matching/name-forms.js'
import { freeIdentifier, makeIdentifier } from './identifiers.js'
import type {
  MappedHolding,
  MappedName,
  MappedRow,
  MappedTerm,
  MappingIssue,
} from './mapped-row.js'

export type BuiltRecord = {
  readonly id: string
  readonly body: ReadonlyMap<string, unknown>
}

/** A term of the institution's own vocabulary that a decision asks for. */
export type NewTerm = { readonly vocabulary: string; readonly code: string; readonly label: string }

export type RowRecords = {
  /** The agents that the row names and the import makes, those of rows before too. */
  readonly agents: readonly BuiltRecord[]
  /** Undefined where rows are copies only, and where no identifier can be made. */
  readonly zine: BuiltRecord | undefined
  readonly holdings: readonly BuiltRecord[]
  /** The new terms that no row before has used. */
  readonly newTerms: readonly NewTerm[]
  /** Those of the mapping, and what is not decided. */
  readonly issues: readonly MappingIssue[]
}

export type RecordBuilder = {
  /** Rows come in the order of the source, each once: agents get their identifiers in this order. */
  toRecords(row: MappedRow): RowRecords
}

export type RecordBuilderOptions = {
  readonly profile: Profile
  readonly resources: Resources
  /** Those of the profile, if nothing else is said. */
  readonly decisions?: Decisions
  /** Whether the catalogue has an agent of this identifier, which then is another one. */
  readonly isAgentTaken?: (id: string) => boolean
}

export function createRecordBuilder(options: RecordBuilderOptions): RecordBuilder {
  const { profile, resources } = options
  const decisions = options.decisions ?? createDecisions(profile)
  const agents = createAgentMaker(profile, options.isAgentTaken ?? (() => false))
  const knownTerms = new Set<string>()

  return {
    toRecords(row) {
      const issues: MappingIssue[] = [...row.issues]
      const newAgents: BuiltRecord[] = []
      const newTerms: NewTerm[] = []
      const context: RowContext = {
        profile,
        resources,
        decisions,
        issues,
        agentFor(decision, name) {
          const record = agents.get(decision, name)
          if (!newAgents.includes(record)) newAgents.push(record)
          return record.id
        },
        onNewTerm(term) {
          const key = `${term.vocabulary} ${term.code}`
          if (!knownTerms.has(key)) newTerms.push(term)
          knownTerms.add(key)
        },
      }
      const placeholders = { ...row.placeholders, row: String(row.number) }
      const zineId = makeIdentifier(profile.identifiers.zines, placeholders)
      const hasZine = profile.identifiers.zines !== ''
      if (hasZine && zineId === undefined)
        issues.push(missingIdentifier('zines.zine_id', profile.identifiers.zines))
      const zine =
        hasZine && zineId !== undefined
          ? { id: zineId, body: buildZine(row, zineId, context) }
          : undefined
      const holdings =
        hasZine && zineId === undefined
          ? []
          : row.holdings.flatMap((holding, index) =>
              buildHolding(holding, index + 1, zineId, placeholders, context),
            )
      return { agents: newAgents, zine, holdings, newTerms, issues }
    },
  }
}

/** The name of the decision about rows that name no creator. */
export const noName = ''

type CreateDecision = Extract<
  NameDecision,
  { readonly create: unknown } | { readonly hide: unknown }
>

type RowContext = {
  readonly profile: Profile
  readonly resources: Resources
  readonly decisions: Decisions
  readonly issues: MappingIssue[]
  agentFor(decision: CreateDecision, name: string): string
  onNewTerm(term: NewTerm): void
}

const missingIdentifier = (field: string, pattern: string): MappingIssue => ({
  kind: 'missing',
  field,
  value: pattern,
  message: 'The row has no value for the pattern of identifiers.',
})

/** Agents that the import makes: one for each identifier, or name and kind, that decisions give. */
function createAgentMaker(profile: Profile, isTaken: (id: string) => boolean) {
  const recordsByAgent = new Map<string, BuiltRecord>()
  const given = new Set<string>()
  // Identifiers that decisions name are kept for them.
  const reserved = new Set(
    Object.values(profile.names).flatMap((decision) =>
      'create' in decision && decision.create.agent_id ? [decision.create.agent_id] : [],
    ),
  )
  return {
    get(decision: CreateDecision, name: string): BuiltRecord {
      if ('hide' in decision) {
        const { hide: id } = decision
        const record = recordsByAgent.get(id) ?? { id, body: hiddenAgentBody(id, name) }
        recordsByAgent.set(id, record)
        return record
      }
      const { create } = decision
      const { display_name: displayName, kind } = create
      const key = create.agent_id ?? `${kind} ${displayName}`
      const known = recordsByAgent.get(key)
      if (known) return known
      const wanted = profile.identifiers.agents + (slugOf(displayName) || 'agent')
      const id =
        create.agent_id ??
        freeIdentifier(wanted, (one) => given.has(one) || reserved.has(one) || isTaken(one))
      const record = { id, body: agentBody(id, create, name) }
      recordsByAgent.set(key, record)
      given.add(id)
      return record
    },
  }
}

/** The name is kept as the legal name, which is private while the agent is not public. */
const hiddenAgentBody = (id: string, name: string): ReadonlyMap<string, unknown> =>
  new Map<string, unknown>([
    ['agent_id', id],
    ['kind', 'Person'],
    ['display_name', withheldName],
    ['public', false],
    ['legal_name', name],
  ])

function agentBody(
  id: string,
  {
    display_name: displayName,
    kind,
    alternative_names: otherNames = [],
  }: Extract<CreateDecision, { readonly create: unknown }>['create'],
  name: string,
): ReadonlyMap<string, unknown> {
  const isInverted = kind === 'Person' && name !== displayName && naturalOrder(name) === displayName
  return new Map<string, unknown>([
    ['agent_id', id],
    ['kind', kind],
    ['display_name', displayName],
    ['public', false],
    ...(isInverted ? [['sort_name', name] as const] : []),
    ...(otherNames.length > 0 ? [['alternative_names', otherNames] as const] : []),
  ])
}

function buildZine(row: MappedRow, id: string, context: RowContext): ReadonlyMap<string, unknown> {
  const values = new Map<string, string[]>(
    Object.entries(row.zine).map(([field, texts]) => [field, [...texts]]),
  )
  for (const name of row.names) addTo(values, name.field, agentsOf(name, context))
  if (!values.has('creator') && !row.names.some(({ field }) => field === 'creator')) {
    const decision = context.decisions.findName(noName)
    if (decision) addTo(values, 'creator', agentOf(noName, decision, 'creator', context))
  }
  addTerms(values, row.terms, 'zines', context)
  values.set('zine_id', [id])
  return bodyOf('zines', values, context)
}

function buildHolding(
  holding: MappedHolding,
  item: number,
  zineId: string | undefined,
  placeholders: Readonly<Record<string, string>>,
  context: RowContext,
): BuiltRecord[] {
  const values = new Map<string, string[]>(
    Object.entries(holding.texts).map(([field, texts]) => [field, [...texts]]),
  )
  addTerms(values, holding.terms, 'holdings', context)
  const zine = zineId ?? values.get('zine_id')?.[0] ?? ''
  const pattern = context.profile.identifiers.holdings
  const id = makeIdentifier(pattern, {
    ...placeholders,
    ...holding.placeholders,
    zine,
    item: String(item),
  })
  if (id === undefined) {
    context.issues.push(missingIdentifier('holdings.holding_id', pattern))
    return []
  }
  values.set('holding_id', [id])
  if (zineId !== undefined) values.set('zine_id', [zineId])
  if (values.has('digital_url') && !values.has('digital_available'))
    values.set('digital_available', ['true'])
  return [{ id, body: bodyOf('holdings', values, context) }]
}

function addTo(values: Map<string, string[]>, field: string, more: readonly string[]): void {
  const known = values.get(field) ?? []
  values.set(field, [...known, ...more.filter((value) => !known.includes(value))])
}

/** The identifiers of the agents that a name stands for. */
function agentsOf(name: MappedName, context: RowContext): readonly string[] {
  if (name.isId) return [name.name]
  const decision = context.decisions.findName(name.name)
  // The names of a split are decided for each; a name that was split is not split again.
  const parts = decision && 'split' in decision ? decision.split : [name.name]
  if (decision && 'use' in decision && name.otherNames)
    context.issues.push({
      kind: 'unreadable',
      field: `zines.${name.field}`,
      value: name.otherNames.join(' | '),
      message: 'The maker is here already, and gets no other name from the file.',
    })
  return parts.flatMap((part) =>
    agentOf(
      part,
      part === name.name ? decision : context.decisions.findName(part),
      name.field,
      context,
    ),
  )
}

function agentOf(
  name: string,
  decision: NameDecision | undefined,
  field: string,
  context: RowContext,
): readonly string[] {
  if (decision && 'use' in decision) return [decision.use]
  if (decision && ('create' in decision || 'hide' in decision))
    return [context.agentFor(decision, name)]
  if (decision && 'drop' in decision) return []
  context.issues.push({
    kind: 'undecided',
    field: `zines.${field}`,
    value: name,
    message: 'Nothing is decided about this name.',
  })
  return []
}

function addTerms(
  values: Map<string, string[]>,
  terms: readonly MappedTerm[],
  kind: ImportedKind,
  context: RowContext,
): void {
  const undecided = new Set<string>()
  for (const term of terms) {
    const decision = context.decisions.findTerm(term.vocabulary, term.value)
    if (!decision) {
      if (term.code !== undefined) addTo(values, term.field, [term.code])
      else if (!undecided.has(term.value)) context.issues.push(undecidedTerm(kind, term))
      undecided.add(term.value)
    } else if ('note' in decision)
      addTo(values, kind === 'zines' ? 'public_notes' : 'notes', [term.value])
    else if ('create' in decision) {
      context.onNewTerm({ vocabulary: term.vocabulary, ...decision.create })
      addTo(values, term.field, [decision.create.code])
    } else if ('codes' in decision) addTo(values, term.field, decision.codes)
    else if ('field' in decision) addTo(values, decision.field, [decision.code])
    else if ('code' in decision) addTo(values, term.field, [decision.code])
  }
}

const undecidedTerm = (kind: ImportedKind, { field, value }: MappedTerm): MappingIssue => ({
  kind: 'undecided',
  field: `${kind}.${field}`,
  value,
  message: 'Nothing is decided about this term.',
})

/** The body of a request: a list for a field with several values, a text for others. */
function bodyOf(
  kind: ImportedKind,
  values: ReadonlyMap<string, readonly string[]>,
  { profile, resources }: RowContext,
): ReadonlyMap<string, unknown> {
  const defaults = profile.defaults[kind]
  const body = new Map<string, unknown>()
  for (const field of resources[kind].inputFields) {
    const found = values.get(field.name) ?? []
    const value = found.length > 0 ? found : defaultsOf(defaults[field.name])
    if (value === undefined) continue
    if (field.repeatable) body.set(field.name, value)
    else if (value.length > 0) body.set(field.name, value[0])
  }
  return body
}

/** Undefined where nothing is said of the field; empty where it is to be left empty. */
function defaultsOf(
  value: Profile['defaults'][ImportedKind][string] | undefined,
): readonly string[] | undefined {
  if (value === undefined) return undefined
  if (value === null) return []
  return typeof value === 'string' ? [value] : value
}

/** A required field for which the profile has no value, where a row lacks it. */
export type MissingDefault = {
  readonly kind: ImportedKind
  readonly field: Field
  /** How many rows, or copies, lack it. */
  readonly count: number
  /** Whether it may be left empty. */
  readonly mayBeEmpty: boolean
}

export type MissingDefaultCounter = {
  /** A row before anything is decided about its names and terms. */
  add(row: MappedRow): void
  /** What was made of a row by all decisions. */
  addRecords(records: RowRecords): void
  list(): readonly MissingDefault[]
}

/** Counts the rows that lack a required field for which a value is asked. */
export function createMissingDefaultCounter(
  profile: Profile,
  resources: Resources,
): MissingDefaultCounter {
  const counts = new Map<string, number>()
  const asked = (['zines', 'holdings'] as const).flatMap((kind) =>
    resources[kind].inputFields
      .filter((field) => field.required && field !== resources[kind].id && field.target !== 'zines')
      .filter((field) => profile.defaults[kind][field.name] === undefined)
      .map((field) => ({ kind, field })),
  )
  const count = (key: string): void => {
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return {
    add(row) {
      const found = new Set([
        ...Object.keys(row.zine),
        ...[...row.names, ...row.terms].map(({ field }) => field),
      ])
      for (const { kind, field } of asked)
        if (kind === 'zines' && !found.has(field.name)) count(`${kind}.${field.name}`)
      for (const { texts, terms } of row.holdings)
        for (const { kind, field } of asked)
          if (
            kind === 'holdings' &&
            !texts[field.name] &&
            !terms.some((term) => term.field === field.name)
          )
            count(`${kind}.${field.name}`)
    },
    addRecords({ zine, holdings }) {
      for (const { kind, field } of asked)
        for (const { body } of kind === 'zines' ? (zine ? [zine] : []) : holdings)
          if (isEmpty(body.get(field.name))) count(`${kind}.${field.name}`)
    },
    list: () =>
      asked.flatMap(({ kind, field }) => {
        const number = counts.get(`${kind}.${field.name}`) ?? 0
        return number === 0 ? [] : [{ kind, field, count: number, mayBeEmpty: !field.nonEmpty }]
      }),
  }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.length === 0)
