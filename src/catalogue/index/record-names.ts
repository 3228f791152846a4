// The names and identifiers of all agents, zines and repositories, to find those that are like a
// name (docs/reference/reconciliation.md). It is filled while the store is loaded, updated with
// every commit, and made from public statements only, so no private name is ever found.

import { type FoundName, type SavedNames, NameIndex } from '../../lib/names/name-index.js'
import type { NameKind } from '../../lib/names/name-likeness.js'
import type { Iris, ResourceName } from '../../model/iris.js'
import type { Statement } from '../../model/record/rdf-mapper.js'
import type { Field, Resource, Resources } from '../../model/resources.js'
import { selectTriples } from '../../rdf/nquads.js'
import { collectInSteps, createYielder } from '../../lib/scheduling.js'
import type { Commit, WrittenRecord } from '../../store/commit-listeners.js'
import { indexNotReady } from '../errors.js'
import { referenceOf } from '../records/record-cache.js'

/** The resources whose records have a name of their own. */
const namedResources = ['agents', 'zines', 'repositories'] as const

export type NamedResource = (typeof namedResources)[number]

export type RecordNames = {
  /** Adds a record of the store, as N-Quads under its key. */
  add(key: string, nquads: string): void
  /** Call when all records were added. */
  build(): Promise<void>
  /** The content in parts, for `restore`. Nothing may be written meanwhile. */
  save(): AsyncIterable<SavedNamesPart>
  /** Fills it while it is empty, in place of `add` and `build`. */
  restore(part: SavedNamesPart): void
  /** Call after each commit. */
  onCommit(commit: Commit): Promise<void>
  /** The records whose names are most like a name, the likest first. */
  find(resource: NamedResource, name: string, limit: number): readonly FoundName[]
  /** The records with a name that has these words, the last of which may be a beginning. */
  complete(resource: NamedResource, prefix: string, limit: number): readonly FoundName[]
  /** The records with an identifier of another authority, such as an ORCID or an ISBN. */
  withIdentifier(resource: NamedResource, identifier: string): readonly string[]
}

export type SavedNamesPart = { readonly named: NamedResource; readonly names: SavedNames }

/** Where the names of a resource are. */
type NameSource = {
  readonly kind: NameKind
  /** The fields that are names. */
  readonly fields: readonly string[]
  /** Further fields with identifiers, besides those that identify a record in the model. */
  readonly identifiers?: readonly string[]
  /** @param values of the fields, in their order */
  readonly namesIn: (values: readonly (readonly string[])[]) => readonly string[]
}

const nameSources: Readonly<Record<NamedResource, NameSource>> = {
  agents: {
    kind: 'person',
    fields: ['display_name', 'alternative_names', 'sort_name'],
    namesIn: withSortNames,
  },
  zines: {
    kind: 'title',
    fields: ['title', 'alternative_title', 'issue_designation'],
    identifiers: ['identifier'],
    namesIn: withIssues,
  },
  repositories: {
    kind: 'title',
    fields: ['repository_name', 'alternative_names'],
    namesIn: (values) => values.flat(),
  },
}

type IndexedNames = {
  readonly index: NameIndex
  readonly names: readonly Field[]
  readonly identifiers: readonly Field[]
  readonly properties: ReadonlySet<string>
}

type RecordNamesDependencies = { readonly iris: Iris; readonly resources: Resources }

export function createRecordNames({ iris, resources }: RecordNamesDependencies): RecordNames {
  const graph = iris.graphs.public
  // The cast: the keys are those of the list.
  const indexed = Object.fromEntries(
    namedResources.map((name) => [name, indexedNamesOf(name, resources[name])]),
  ) as Readonly<Record<NamedResource, IndexedNames>>

  function set(name: NamedResource, id: string, statements: readonly Statement[]): void {
    const { index, names, identifiers } = indexed[name]
    const thing = iris.thing(name, id).value
    const valuesOf = ({ path }: Field): readonly string[] =>
      statements.filter(({ s, p }) => s === thing && p === path[0]?.value).map(({ o }) => o)
    const values = names.map(valuesOf)
    index.set(id, nameSources[name].namesIn(values), identifiers.flatMap(valuesOf))
  }

  function update({ key, nquads = '', change }: WrittenRecord): void {
    const { target, id } = referenceOf(key)
    if (!isNamed(target)) return
    const { properties } = indexed[target]
    const concerns = (text: string): boolean =>
      [...properties].some((property) => text.includes(`> <${property}> `))
    if (!change || concerns(change.added) || concerns(change.removed))
      set(target, id, selectTriples(nquads, graph, properties))
  }

  return {
    add: (key, nquads) => update({ key, nquads }),
    async build() {
      for (const { index } of Object.values(indexed)) await collectInSteps(index.build())
    },
    async *save() {
      for (const named of namedResources) yield { named, names: await indexed[named].index.save() }
    },
    restore: ({ named, names }) => indexed[named].index.restore(names),
    async onCommit({ records }) {
      const maybeYield = createYielder()
      for (const record of records) {
        update(record)
        await maybeYield()
      }
    },
    find: (resource, name, limit) => indexed[resource].index.find(name, limit),
    complete: (resource, prefix, limit) => indexed[resource].index.complete(prefix, limit),
    withIdentifier: (resource, identifier) => indexed[resource].index.withIdentifier(identifier),
  }
}

type RecordBatches = AsyncIterable<readonly (readonly [key: string, nquads: string])[]>

/** Names that are filled while others use them already. */
export type FilledRecordNames = RecordNames & {
  /** Resolves when they are filled, or when that failed for the first time. */
  readonly filled: Promise<void>
  readonly isFilled: () => boolean
  /** Ends the filling that is under way. */
  close(): Promise<void>
}

type FillOptions = {
  /** All records, of which those that are written meanwhile may have an earlier state. */
  readonly records: () => RecordBatches
  readonly onError: (error: unknown) => void
  /** The pause before they are filled again after an error. */
  readonly retryMs?: number
}

/** Names that have all records. */
export const filledNames = (names: RecordNames): FilledRecordNames => ({
  ...names,
  filled: Promise.resolve(),
  isFilled: () => true,
  close: () => Promise.resolve(),
})

/** Fills the names in steps, between which other work runs. Until then nothing can be found. */
export function fillBesideOtherWork(
  names: RecordNames,
  { records, onError, retryMs = 2000 }: FillOptions,
): FilledRecordNames {
  /** The records that were written while the names are being filled. */
  let written: Set<string> | undefined = new Set()
  let isClosed = false
  let retryTimer: NodeJS.Timeout | undefined
  const filled = fillOrRetry()
  let filling = filled

  function fillOrRetry(): Promise<void> {
    return fill().catch((error: unknown) => {
      onError(error)
      if (isClosed) return
      retryTimer = setTimeout(() => {
        filling = fillOrRetry()
      }, retryMs).unref()
    })
  }

  async function fill(): Promise<void> {
    const maybeYield = createYielder()
    for await (const batch of records())
      for (const [key, nquads] of batch) {
        if (isClosed) return
        if (!written?.has(key)) names.add(key, nquads)
        await maybeYield()
      }
    await names.build()
    written = undefined
  }

  function unlessFilling<Result>(find: () => Result): Result {
    if (written) throw indexNotReady()
    return find()
  }

  return {
    ...names,
    filled,
    isFilled: () => written === undefined,
    async onCommit(commit) {
      for (const { key } of commit.records) written?.add(key)
      await names.onCommit(commit)
    },
    find: (...parameters) => unlessFilling(() => names.find(...parameters)),
    complete: (...parameters) => unlessFilling(() => names.complete(...parameters)),
    withIdentifier: (...parameters) => unlessFilling(() => names.withIdentifier(...parameters)),
    async close() {
      isClosed = true
      clearTimeout(retryTimer)
      await filling
    },
  }
}

const isNamed = (name: ResourceName): name is NamedResource =>
  namedResources.some((named) => named === name)

function indexedNamesOf(name: NamedResource, { fields }: Resource): IndexedNames {
  const source = nameSources[name]
  const further = source.identifiers ?? []
  const names = source.fields.flatMap((fieldName) =>
    fields.filter((field) => field.name === fieldName),
  )
  const identifiers = fields.filter((field) => field.identifies ?? further.includes(field.name))
  if ([...names, ...identifiers].some((field) => field.private))
    throw new Error(`a private field of ${name} would be found`)
  return {
    index: new NameIndex(source.kind),
    names,
    identifiers,
    properties: new Set([...names, ...identifiers].flatMap(({ path }) => path[0]?.value ?? [])),
  }
}

/** The number of an issue is a name with the title before it. */
function withIssues([titles = [], others = [], issues = []]: readonly (readonly string[])[]) {
  const [title = ''] = titles
  return [...titles, ...others, ...issues.map((issue) => `${title} ${issue}`)]
}

/** A sort name is mostly the name in another order, which is found anyway. */
function withSortNames([names = [], others = [], sortNames = []]: readonly (readonly string[])[]) {
  const known = new Set([...names, ...others].map(sortedWords))
  return [...names, ...others, ...sortNames.filter((sortName) => !known.has(sortedWords(sortName)))]
}

const sortedWords = (name: string): string =>
  name
    .split(/[\s,]+/)
    .filter(Boolean)
    .sort()
    .join(' ')
