// Makes the records of a mapped row, as a client would send them, with what was decided about names
// and terms. Checking them is left to the catalogue (docs/reference/import-profiles.md, "How values
// are read").

import { withheldName } from '../../../model/record/title.js'
import type { Field, Resources } from '../../../model/resources.js'
import {
  type DefaultValue,
  type DuplicateDecision,
  type ImportedKind,
  type MadeKind,
  type NameDecision,
  type NewTerm,
  type Profile,
  madeKinds,
  notesFieldOf,
} from '../profile.js'
import { createDecisions, type Decisions } from './decisions.js'
import type { Duplicate } from '../matching/duplicates.js'
import { slugOf } from '../../../lib/names/folding.js'
import { isUnknownName, isVariousName, naturalOrder } from '../../../lib/names/name-forms.js'
import { type WantedIdentifier, freeIdentifier, makeIdentifier } from './identifiers.js'
import type {
  FieldPlace,
  MappedHolding,
  MappedName,
  MappedRecord,
  MappedRow,
  MappedTerm,
  MappedTexts,
  MappingIssue,
} from './mapped-row.js'
import { fitOf, parseSelector } from './selectors.js'

export type BuiltRecord = {
  readonly id: string
  /** A new record; undefined if the row is only for a record that is there. */
  readonly body: ReadonlyMap<string, unknown> | undefined
  /**
   * What a record that is there gets: what the row says, and nothing else; undefined if it stays as
   * it is.
   */
  readonly changes: ReadonlyMap<string, unknown> | undefined
  /**
   * What its lists get beside what they have, such as notes that the source does not have as notes.
   */
  readonly additions?: ReadonlyMap<string, readonly string[]>
}

export type RowRecords = {
  /** The agents that the zine names and the import makes, those of rows before too. */
  readonly agents: readonly BuiltRecord[]
  /**
   * The zine that the row is about; undefined where rows are not about zines, and where no
   * identifier can be made.
   */
  readonly place: ZinePlace | undefined
  /** Undefined where the zine is not written. */
  readonly zine: BuiltRecord | undefined
  readonly holdings: readonly BuiltRecord[]
  /** The makers and libraries that the row names. */
  readonly others: readonly (BuiltRecord & { readonly kind: ImportedKind })[]
  /** The new terms that the records use. */
  readonly newTerms: readonly NewTerm[]
  /** Those of the mapping, and what is not decided. */
  readonly issues: readonly MappingIssue[]
}

/** What the zine of a row is told by. */
export type ZineOfRow = {
  readonly row: number
  readonly title: string
  readonly issue: string
  /** The identifiers of the agents that the row itself names as creators. */
  readonly creators: readonly string[]
  readonly dates: readonly string[]
  readonly identifiers: readonly string[]
  /** Those of its holdings. */
  readonly barcodes: readonly string[]
}

/** Which zine a row is about. */
export type ZinePlace = {
  readonly id: string
  /** Whether the catalogue has the zine. */
  readonly isThere: boolean
  /** Whether the row has only copies of it. */
  readonly hasCopiesOnly?: boolean
  /** What identifiers of its holdings are made of, if not of its own. */
  readonly holdingsOf?: string
  /**
   * The zines of the catalogue and the rows before that have the same zine, and what is done about
   * them.
   */
  readonly duplicates?: readonly Duplicate[]
  readonly decision?: DuplicateDecision | undefined
  /** Why the row cannot be written. */
  readonly problem?: string | undefined
}

export type HoldingPlace = Pick<ZinePlace, 'id' | 'problem'>

/** Says which records rows are about, by their identifiers and by what they are like. */
export type RecordPlaces = {
  zine(identifier: WantedIdentifier, zine: ZineOfRow): ZinePlace
  /** @param zine the identifier of its zine, as far as it is known */
  holding(identifier: WantedIdentifier, zine: string): HoldingPlace
  /** Whether the catalogue has an agent of the identifier, which then is another one. */
  isAgentTaken(id: string): boolean
  /**
   * Whether the identifier, which a decision gives to a name, is that of an agent who has another
   * name.
   */
  isAnotherAgent(id: string, name: string): boolean
}

export type RecordBuilder = {
  /**
   * Rows come in the order of the source, each once: agents get their identifiers in this order.
   */
  toRecords(row: MappedRow): RowRecords
}

export type RecordBuilderOptions = {
  readonly profile: Profile
  readonly resources: Resources
  /** What identifiers are made of beside the row: `source` and `import`. */
  readonly origin?: Readonly<Record<string, string>>
  /** The columns of a table, whose empty cells may say something. */
  readonly columns?: readonly string[]
  /** Those of the profile, if nothing else is said. */
  readonly decisions?: Decisions
  /** Without them, the catalogue has no record that a row is about. */
  readonly places?: RecordPlaces
}

const anyOrigin = { source: 'source', import: 'import' }

const newPlaces: RecordPlaces = {
  zine: ({ id }) => ({ id, isThere: false }),
  holding: ({ id }) => ({ id }),
  isAgentTaken: () => false,
  isAnotherAgent: () => false,
}

export function createRecordBuilder(options: RecordBuilderOptions): RecordBuilder {
  const { profile, resources, columns = [], origin = anyOrigin, places = newPlaces } = options
  const decisions = options.decisions ?? createDecisions(profile)
  const agents = createAgentMaker(profile, places)
  const clearable = clearableFields(profile, columns)

  return {
    toRecords(row) {
      const issues: MappingIssue[] = [...row.issues]
      const newAgents: BuiltRecord[] = []
      const newTerms = new Map<string, NewTerm>()
      const placeholders = { ...row.placeholders, ...origin, row: String(row.number) }
      const context: RowContext = {
        row,
        clearable,
        placeholders,
        places,
        profile,
        resources,
        decisions,
        issues,
        agentFor(decision, name) {
          const record = agents.get(decision, name)
          if (!record) return undefined
          if (!newAgents.includes(record)) newAgents.push(record)
          return record.id
        },
        onNewTerm: (term) => void newTerms.set(`${term.vocabulary} ${term.code}`, term),
      }
      const { zine, place } = isOfZine(row, profile) ? buildZine(context) : noZine
      const holdings = row.holdings.flatMap((holding, index) =>
        buildHolding(holding, index + 1, place, context),
      )
      const used = zine && (place?.isThere ? zine.changes : zine.body)
      return {
        agents: newAgents.filter(({ id }) => used && namesAgent(used, id, resources)),
        place,
        zine,
        holdings: zine || !isOfZine(row, profile) || place?.hasCopiesOnly ? holdings : [],
        others: row.others.flatMap((other) => buildOther(other, context)),
        newTerms: [...newTerms.values()],
        issues,
      }
    },
  }
}

const noZine = { zine: undefined, place: undefined }

/** Whether a row is about a zine, and not only about copies, makers or libraries. */
const isOfZine = ({ named, others }: MappedRow, { identifiers }: Profile): boolean =>
  named.has('zines') || (identifiers.zines !== '' && others.length === 0)

const namesAgent = (
  body: ReadonlyMap<string, unknown>,
  id: string,
  resources: Resources,
): boolean =>
  resources.zines.inputFields
    .filter(({ target }) => target === 'agents')
    .some(({ name }) => [body.get(name)].flat().includes(id))

/** The name of the decision about rows that name no creator. */
export const noName = ''

type CreateDecision = Extract<
  NameDecision,
  { readonly create: unknown } | { readonly hide: unknown }
>

type RowContext = {
  readonly row: MappedRow
  /** The fields that an empty cell clears. */
  readonly clearable: ReadonlySet<string>
  /** What identifiers can be made of. */
  readonly placeholders: Readonly<Record<string, string>>
  readonly places: RecordPlaces
  readonly profile: Profile
  readonly resources: Resources
  readonly decisions: Decisions
  readonly issues: MappingIssue[]
  /** Undefined if the decision names the identifier of another agent. */
  agentFor(decision: CreateDecision, name: string): string | undefined
  onNewTerm(term: NewTerm): void
}

/** What a row says of a record, by field. */
type SaidValues = {
  readonly values: Map<string, string[]>
  /** The lists to which it only adds. */
  readonly added: Set<string>
  /** The fields of which a name or a term is not decided. */
  readonly undecided: Set<string>
}

const toSaid = (texts: MappedTexts, added: readonly string[] = []): SaidValues => ({
  values: new Map(Object.entries(texts).map(([field, values]) => [field, [...values]])),
  added: new Set(added),
  undecided: new Set(),
})

const missingIdentifier = (field: string, pattern: string): MappingIssue => ({
  kind: 'missing',
  field,
  value: pattern,
  message: 'The row has no value for the pattern of identifiers.',
})

/** Agents that the import makes: one for each identifier, or name and kind, that decisions give. */
function createAgentMaker(profile: Profile, places: RecordPlaces) {
  const recordsByAgent = new Map<string, BuiltRecord>()
  const usedIds = new Set<string>()
  // Identifiers that decisions name are kept for them.
  const reserved = new Set(
    Object.values(profile.names).flatMap((decision) =>
      'create' in decision && decision.create.agent_id ? [decision.create.agent_id] : [],
    ),
  )
  return {
    get(decision: CreateDecision, name: string): BuiltRecord | undefined {
      if ('hide' in decision) {
        const { hide: id } = decision
        if (places.isAnotherAgent(id, withheldName)) return undefined
        const record = recordsByAgent.get(id) ?? {
          id,
          body: hiddenAgentBody(id, name),
          changes: undefined,
        }
        recordsByAgent.set(id, record)
        return record
      }
      const { create } = decision
      const { agent_id: givenId, display_name: displayName, kind } = create
      if (givenId !== undefined && places.isAnotherAgent(givenId, displayName)) return undefined
      const key = givenId ?? `${kind} ${displayName}`
      const known = recordsByAgent.get(key)
      if (known) return known
      const base = profile.identifiers.agents + (slugOf(displayName) || 'agent')
      const id =
        givenId ??
        freeIdentifier(
          base,
          (candidate) =>
            usedIds.has(candidate) || reserved.has(candidate) || places.isAgentTaken(candidate),
        )
      const record = { id, body: agentBody(id, create, name), changes: undefined }
      recordsByAgent.set(key, record)
      usedIds.add(id)
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
    wikidata,
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
    ...(wikidata === undefined ? [] : [['wikidata', wikidata] as const]),
  ])
}

type BuiltZine = { readonly zine: BuiltRecord | undefined; readonly place: ZinePlace | undefined }

function buildZine(context: RowContext): BuiltZine {
  const { row, places } = context
  const said = toSaid(row.zine, row.added)
  for (const name of row.names) addTo(said.values, name.field, agentsOf(name, said, context))
  addTerms(said, row.terms, 'zines', context)
  const identifier = wantedIdentifier('zines', context)
  if (!identifier) return noZine
  const place = places.zine(identifier, describeZine(said, context))
  refuse('zines', place, context)
  if (place.hasCopiesOnly) return { zine: undefined, place }
  const isNamed = identifier.by === 'record'
  const further = new Map(isNamed || said.values.has('creator') ? [] : unnamedCreators(context))
  return { zine: buildRecord('zines', place.id, { said, further, isNamed }, context), place }
}

/** The identifier that the row names, or else one that is made by the pattern. */
function wantedIdentifier(
  kind: MadeKind,
  { row, profile, placeholders, issues, resources }: RowContext,
  more: Readonly<Record<string, string>> = {},
): WantedIdentifier | undefined {
  const named = row.named.get(kind)
  if (named !== undefined) return { id: named, by: 'record' }
  const pattern = profile.identifiers[kind]
  const identifier = makeIdentifier(pattern, { ...placeholders, ...more })
  if (!identifier) issues.push(missingIdentifier(`${kind}.${resources[kind].id.name}`, pattern))
  return identifier
}

function describeZine({ values }: SaidValues, { row, decisions }: RowContext): ZineOfRow {
  const all = (name: string): readonly string[] => values.get(name) ?? []
  const unknown = new Set(
    row.names
      .filter(({ name }) => isUnknownName(name) || isVariousName(name))
      .flatMap(({ name }) => {
        const decision = decisions.findName(name)
        if (!decision) return []
        return 'use' in decision
          ? [decision.use]
          : 'create' in decision
            ? [decision.create.agent_id]
            : []
      }),
  )
  return {
    row: row.number,
    title: all('title')[0] ?? '',
    issue: all('issue_designation')[0] ?? '',
    creators: all('creator').filter((id) => !unknown.has(id)),
    dates: all('date'),
    identifiers: all('identifier'),
    barcodes: row.holdings.flatMap(({ texts }) => texts.barcode ?? []),
  }
}

/** What is decided about rows that name no creator. */
function unnamedCreators(context: RowContext): readonly (readonly [string, string[]])[] {
  const decision = context.decisions.findName(noName)
  if (!decision || context.row.names.some(({ field }) => field === 'creator')) return []
  return [['creator', [...agentOf(noName, decision, 'creator', context)]]]
}

function buildHolding(
  holding: MappedHolding,
  item: number,
  place: ZinePlace | undefined,
  context: RowContext,
): BuiltRecord[] {
  const said = toSaid(holding.texts, holding.added)
  addTerms(said, holding.terms, 'holdings', context)
  if (place) said.values.set('zine_id', [place.id])
  const zine = said.values.get('zine_id')?.[0] ?? ''
  const identifier = wantedIdentifier('holdings', context, {
    ...holding.placeholders,
    zine: place?.holdingsOf ?? zine,
    item: String(item),
  })
  if (!identifier) return []
  const isNamed = identifier.by === 'record'
  const isDigital = said.values.has('digital_url') && !isNamed
  const further = new Map(isDigital ? [['digital_available', ['true']] as const] : [])
  const holdingPlace = context.places.holding(identifier, zine)
  refuse('holdings', holdingPlace, context)
  return [buildRecord('holdings', holdingPlace.id, { said, further, isNamed }, context)]
}

function refuse(
  kind: MadeKind,
  { problem }: HoldingPlace,
  { issues, resources }: RowContext,
): void {
  if (problem === undefined) return
  issues.push({
    kind: 'missing',
    field: `${kind}.${resources[kind].id.name}`,
    value: '',
    message: problem,
  })
}

function buildOther({ kind, texts }: MappedRecord, context: RowContext) {
  const { row, resources, issues } = context
  const id = row.named.get(kind)
  const field = resources[kind].id.name
  if (id === undefined) {
    issues.push({
      kind: 'missing',
      field: `${kind}.${field}`,
      value: '',
      message: 'The row does not say which record it is for.',
    })
    return []
  }
  const values = { said: toSaid(texts), further: new Map<string, string[]>(), isNamed: true }
  return [{ kind, ...buildRecord(kind, id, values, context) }]
}

function addTo(values: Map<string, string[]>, field: string, more: readonly string[]): void {
  const known = values.get(field) ?? []
  values.set(field, [...known, ...more.filter((value) => !known.includes(value))])
}

/** The identifiers of the agents that a name stands for. */
function agentsOf(name: MappedName, said: SaidValues, context: RowContext): readonly string[] {
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
  return parts.flatMap((part) => {
    const partDecision = part === name.name ? decision : context.decisions.findName(part)
    if (!partDecision || 'split' in partDecision) said.undecided.add(name.field)
    return agentOf(part, partDecision, name.field, context)
  })
}

function agentOf(
  name: string,
  decision: NameDecision | undefined,
  field: string,
  context: RowContext,
): readonly string[] {
  if (decision && 'use' in decision) return [decision.use]
  if (decision && ('create' in decision || 'hide' in decision)) {
    const id = context.agentFor(decision, name)
    if (id !== undefined) return [id]
    context.issues.push({
      kind: 'missing',
      field: `zines.${field}`,
      value: name,
      message: 'The identifier that is decided for this name is that of another maker by now.',
    })
    return []
  }
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
  { values, added, undecided: open }: SaidValues,
  terms: readonly MappedTerm[],
  kind: ImportedKind,
  context: RowContext,
): void {
  const undecided = new Set<string>()
  for (const term of terms) {
    const decision = term.isExact
      ? undefined
      : context.decisions.findTerm(term.vocabulary, term.value)
    if (!decision) {
      if (term.code !== undefined) addTo(values, term.field, [term.code])
      else {
        open.add(term.field)
        if (!undecided.has(term.value)) context.issues.push(undecidedTerm(kind, term))
      }
      undecided.add(term.value)
    } else if ('note' in decision) {
      const notes = notesFieldOf(kind)
      if (!values.has(notes)) added.add(notes)
      addTo(values, notes, [term.value])
    } else if ('create' in decision) {
      context.onNewTerm({ vocabulary: term.vocabulary, ...decision.create })
      addTo(values, term.field, [decision.create.code])
    } else if ('codes' in decision) addTo(values, term.field, decision.codes)
    else if ('code' in decision) {
      const { field = term.field, code }: { readonly field?: string; readonly code: string } =
        decision
      if (field !== term.field && !values.has(field)) added.add(field)
      addTo(values, field, [code])
    }
  }
}

const undecidedTerm = (kind: ImportedKind, { field, value }: MappedTerm): MappingIssue => ({
  kind: 'undecided',
  field: `${kind}.${field}`,
  value,
  message: 'Nothing is decided about this term.',
})

type RecordSources = {
  readonly said: SaidValues
  /** What else a new record has, where the row says nothing. */
  readonly further: ReadonlyMap<string, readonly string[]>
  /** The row names the record: it may be meant for one that is there only. */
  readonly isNamed: boolean
}

function buildRecord(
  kind: ImportedKind,
  id: string,
  sources: RecordSources,
  context: RowContext,
): BuiltRecord {
  const additions = [...sources.said.values].filter(([name]) => sources.said.added.has(name))
  return {
    id,
    body: newBody(kind, id, sources, context),
    changes: changesOf(kind, sources.said, context),
    ...(additions.length > 0 ? { additions: new Map(additions) } : {}),
  }
}

/** The body that creates a record, with the answers for what the row lacks. */
function newBody(
  kind: ImportedKind,
  id: string,
  { said: { values }, further, isNamed }: RecordSources,
  { profile, resources }: RowContext,
): ReadonlyMap<string, unknown> | undefined {
  const defaults = isMadeKind(kind) ? profile.defaults[kind] : {}
  const body = new Map<string, unknown>()
  for (const field of resources[kind].inputFields) {
    const { name } = field
    const fieldValues =
      field === resources[kind].id ? [id] : (values.get(name) ?? further.get(name) ?? [])
    const value =
      fieldValues.length > 0
        ? fieldValues
        : (defaultsOf(defaults[name]) ?? (isNamed ? emptyList(field) : undefined))
    if (value === undefined) continue
    if (isNamed && value.length === 0 && field.nonEmpty) return undefined
    if (field.repeatable) body.set(name, value)
    else if (value.length > 0) body.set(name, value[0])
  }
  const isComplete = resources[kind].inputFields.every(
    ({ required, name }) => !required || body.has(name),
  )
  return isNamed && !isComplete ? undefined : body
}

/** A list that a record has to have, and that may be empty. */
const emptyList = ({ repeatable, required, nonEmpty }: Field): readonly string[] | undefined =>
  repeatable && required && !nonEmpty ? [] : undefined

const isMadeKind = (kind: ImportedKind): kind is MadeKind =>
  madeKinds.some((madeKind) => madeKind === kind)

/** What the row says. A field of which something is not decided stays as it is. */
function changesOf(
  kind: ImportedKind,
  { values, added, undecided }: SaidValues,
  { row, clearable, resources }: RowContext,
): ReadonlyMap<string, unknown> {
  const isCleared = (place: FieldPlace): boolean =>
    clearable.has(place) && row.empty.includes(place)
  const changes = new Map<string, unknown>()
  for (const field of resources[kind].inputFields) {
    const { name } = field
    const said = values.get(name) ?? []
    if (field === resources[kind].id || added.has(name) || undecided.has(name)) continue
    if (said.length > 0) changes.set(name, field.repeatable ? said : said[0])
    else if (isCleared(`${kind}.${name}`)) changes.set(name, emptyValue(field))
  }
  return changes
}

/** The fields that have a column, if empty cells clear them. */
function clearableFields(
  { rules, emptyCells }: Profile,
  columns: readonly string[],
): ReadonlySet<string> {
  if (emptyCells !== 'clear') return new Set()
  const isColumn = ({ from }: Profile['rules'][number]): boolean => {
    const selector = parseSelector(from)
    return columns.some((name) => fitOf(selector, { name, parts: [] }) !== undefined)
  }
  return new Set(rules.filter(isColumn).map(({ to }) => to))
}

const emptyValue = ({ repeatable, kind }: Field): unknown =>
  repeatable ? [] : kind === 'integer' ? null : ''

/** Undefined where nothing is said of the field; empty where it is to be left empty. */
function defaultsOf(value: DefaultValue | undefined): readonly string[] | undefined {
  if (value === undefined) return undefined
  if (value === null) return []
  return typeof value === 'string' ? [value] : value
}

/** A required field for which the profile has no value, where a row lacks it. */
export type MissingDefault = {
  readonly kind: MadeKind
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
  const requiredFields = madeKinds.flatMap((kind) =>
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
      if (row.named.size > 0 || row.others.length > 0) return
      const rowFields = new Set([
        ...Object.keys(row.zine),
        ...[...row.names, ...row.terms].map(({ field }) => field),
      ])
      for (const { kind, field } of requiredFields)
        if (kind === 'zines' && !rowFields.has(field.name)) count(`${kind}.${field.name}`)
      for (const { texts, terms } of row.holdings)
        for (const { kind, field } of requiredFields)
          if (
            kind === 'holdings' &&
            !texts[field.name] &&
            !terms.some((term) => term.field === field.name)
          )
            count(`${kind}.${field.name}`)
    },
    addRecords({ zine, holdings }) {
      for (const { kind, field } of requiredFields)
        for (const { body } of kind === 'zines' ? (zine ? [zine] : []) : holdings)
          if (body && isEmpty(body.get(field.name))) count(`${kind}.${field.name}`)
    },
    list: () =>
      requiredFields.flatMap(({ kind, field }) => {
        const number = counts.get(`${kind}.${field.name}`) ?? 0
        return number === 0 ? [] : [{ kind, field, count: number, mayBeEmpty: !field.nonEmpty }]
      }),
  }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.length === 0)
