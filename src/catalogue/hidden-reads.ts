// Reads hidden records for those who may write them, and takes the references to hidden records
// from what others read. Which records are hidden: records/hidden-records.ts.

import type { ResourceName } from '../model/iris.js'
import type { RdfMapper } from '../model/record/rdf-mapper.js'
import type { RecordValues } from '../model/record/values.js'
import {
  type RecordLookup,
  type Reference,
  type ResolvedRecord,
  type ViewName,
  referencesOf,
} from '../model/record/views.js'
import { type Visibility, reasonOf, visibilityOf } from '../model/record/visibility.js'
import type { Resource, Resources } from '../model/resources.js'
import { RecordMergedError } from './errors.js'
import { type Redirects, missingError } from './redirects.js'
import {
  type HiddenRecord,
  type HiddenRecords,
  withhold as withoutReferences,
} from './records/hidden-records.js'
import { type RecordJson, contentHash } from './records/json-cache.js'
import { type RecordReader, recordKey } from './records/record-cache.js'
import { type ResolveReferences, resolveValues } from './records/resolve-references.js'

/** What those who may write a hidden record are told of that. */
export type HiddenState = {
  /** `public` for a record that is hidden only with one that it cannot be without. */
  readonly visibility: Visibility
  readonly reason: string
  readonly since: string
}

type FoundHiddenRecord = RecordJson & {
  readonly record: ResolvedRecord
  readonly hidden: HiddenState
}

/** Whether the reader sees hidden records of a kind. */
export type Sees = (kind: ResourceName) => boolean

export const seesNothing: Sees = () => false

type HiddenReadsDependencies = {
  readonly resources: Resources
  readonly mapper: RdfMapper
  readonly records: RecordReader
  readonly redirects: Redirects
  readonly hiddenRecords: HiddenRecords
  readonly resolve: ResolveReferences
  readonly writeJson: (record: ResolvedRecord, view: ViewName) => string
}

export class HiddenReads {
  readonly #resources: Resources
  readonly #mapper: RdfMapper
  readonly #records: RecordReader
  readonly #redirects: Redirects
  readonly #hiddenRecords: HiddenRecords
  readonly #resolve: ResolveReferences
  readonly #writeJson: HiddenReadsDependencies['writeJson']

  constructor({
    resources,
    mapper,
    records,
    redirects,
    hiddenRecords,
    resolve,
    writeJson,
  }: HiddenReadsDependencies) {
    this.#resources = resources
    this.#mapper = mapper
    this.#records = records
    this.#redirects = redirects
    this.#hiddenRecords = hiddenRecords
    this.#resolve = resolve
    this.#writeJson = writeJson
  }

  /** The values without the references to hidden records that the reader does not see. */
  withhold(name: ResourceName, values: RecordValues, sees: Sees): RecordValues {
    const hidden = this.#hiddenRecords
    if (hidden.isEmpty()) return values
    return withoutReferences(
      this.#resources[name].inputFields,
      values,
      (reference) => (hidden.has(reference) || hidden.isGone(reference)) && !sees(reference.target),
    )
  }

  /** @throws NotFoundError, RecordMergedError */
  async read(reference: Reference, view: ViewName, sees: Sees): Promise<FoundHiddenRecord> {
    const into = this.#hiddenRecords.redirect(reference)?.into
    if (into !== undefined) throw new RecordMergedError({ ...reference, id: into })
    const hidden = (await this.#hiddenRecords.read([reference])).get(recordKey(reference))
    if (!hidden) throw await missingError(this.#redirects, reference)
    return this.#show(reference, hidden, view, sees)
  }

  /** Those of these records that are hidden, as everybody would see them if they were not. */
  async find(references: readonly Reference[], sees: Sees): Promise<RecordLookup> {
    const hidden = await this.#hiddenRecords.read(references.filter(({ target }) => sees(target)))
    return (reference) => {
      const values = hidden.get(recordKey(reference))?.values
      if (!values) return undefined
      const resource = this.#resources[reference.target]
      const shown = this.#mapper.toStoredValues(resource, values, 'detail')
      return this.withhold(reference.target, shown, sees)
    }
  }

  async #show(
    { target }: Reference,
    { values, since }: HiddenRecord,
    view: ViewName,
    sees: Sees,
  ): Promise<FoundHiddenRecord> {
    const resource = this.#resources[target]
    const shown = this.#mapper.toStoredValues(resource, this.withhold(target, values, sees), view)
    const record = {
      resource,
      values: shown,
      lookup: await this.#lookUp(resource, shown, view, sees),
    }
    const hidden = { visibility: visibilityOf(values), reason: reasonOf(values), since }
    const json = withMembers(this.#writeJson(record, view), hidden)
    const version = contentHash(JSON.stringify(values))
    return { record, json, version, hidden }
  }

  /** The records that a hidden record shows, those that are hidden among them. */
  async #lookUp(
    resource: Resource,
    shown: RecordValues,
    view: ViewName,
    sees: Sees,
  ): Promise<RecordLookup> {
    const references = referencesOf(resource, shown, view)
    const hiddenOnes = await this.find(references, sees)
    const { lookup } = await resolveValues(this.#resolve, resource, shown, view)
    const others = await this.#records.get(
      references.flatMap((reference) => {
        const values = hiddenOnes(reference)
        return values ? referencesOf(this.#resources[reference.target], values, view) : []
      }),
    )
    return (reference) => hiddenOnes(reference) ?? lookup(reference) ?? others(reference)
  }
}

/** The JSON of a hidden record, which says that it is hidden. */
const withMembers = (json: string, { visibility, reason, since }: HiddenState): string =>
  `${json.slice(0, -1)},"visibility":${JSON.stringify(visibility)},"hidden_reason":${JSON.stringify(reason)},"hidden_at":${JSON.stringify(since)}}`
