// The values of properties of entities, for data extension: every public field of a record, and
// some that follow from others. Private fields are never among them, whoever asks.

import type { Lists } from '../../catalogue/lists.js'
import type { RecordReads } from '../../catalogue/record-reads.js'
import { type Place, placeFields } from '../../model/places.js'
import { type RecordValues, listValue, textValue } from '../../model/record/values.js'
import type { Field, Resources } from '../../model/resources.js'
import { type Vocabulary, altLabelsOf, broaderOf } from '../../model/vocabulary.js'
import { createYielder } from '../../lib/scheduling.js'
import {
  type Entities,
  type Entity,
  type EntityKey,
  type EntityType,
  type TermType,
  isEntityType,
  isRecordType,
  readKey,
  writeKey,
} from './entities.js'

/** A value as the reconciliation API has it. */
export type CellValue =
  | { readonly id: string; readonly name: string }
  | { readonly str: string }
  | { readonly int: number }
  | { readonly float: number }
  | { readonly date: string }

type ExtensionProperty = {
  readonly id: string
  readonly name: string
  /** The type of entities that are its values. */
  readonly type?: EntityType
}

type ExtensionRows = ReadonlyMap<string, ReadonlyMap<string, readonly CellValue[]>>

export type ExtensionSources = {
  readonly entities: Entities
  readonly catalogue: Pick<RecordReads, 'mergedInto' | 'find'> & Pick<Lists, 'list'>
  readonly resources: Resources
  readonly vocabularies: Readonly<Record<TermType, Vocabulary>>
}

/** So many zines of an agent are told. */
const maxZines = 100

/** So many entities are read at once. */
const batchSize = 50

const termProperties: readonly ExtensionProperty[] = [
  { id: 'code', name: 'Code' },
  { id: 'label', name: 'Label' },
  { id: 'uri', name: 'URI' },
  { id: 'definition', name: 'Definition' },
  { id: 'alternative_labels', name: 'Alternative labels' },
]

export class Extension {
  readonly #entities: Entities
  readonly #catalogue: ExtensionSources['catalogue']
  readonly #resources: Resources
  readonly #vocabularies: ExtensionSources['vocabularies']
  /** The properties of all types. */
  readonly #all: ReadonlyMap<string, ExtensionProperty>

  constructor({ entities, catalogue, resources, vocabularies }: ExtensionSources) {
    this.#entities = entities
    this.#catalogue = catalogue
    this.#resources = resources
    this.#vocabularies = vocabularies
    this.#all = new Map(
      (['places', 'genres', 'subjects', 'repositories', 'agents', 'zines'] as const)
        .flatMap((type) => this.propertiesOf(type))
        .map((property) => [property.id, property]),
    )
  }

  /** The properties of the entities of a type. */
  propertiesOf(type: EntityType): readonly ExtensionProperty[] {
    if (type === 'places') return placeFields.map((id) => ({ id, name: labelOf(id) }))
    if (!isRecordType(type)) return [...termProperties, { id: 'broader', name: 'Broader', type }]
    const fieldProperties = this.#resources[type].fields.filter(isPublic).map(toProperty)
    return type === 'agents'
      ? [...fieldProperties, { id: 'zine', name: 'Zines', type: 'zines' }]
      : fieldProperties
  }

  /** A property of any type. */
  find(id: string): ExtensionProperty | undefined {
    return this.#all.get(id)
  }

  /** The values of properties, by the identifier as it was sent and the property. */
  async extend(ids: readonly string[], properties: readonly string[]): Promise<ExtensionRows> {
    const rows = new Map<string, ReadonlyMap<string, readonly CellValue[]>>()
    const maybeYield = createYielder()
    for (let start = 0; start < ids.length; start += batchSize) {
      const batch = ids.slice(start, start + batchSize)
      const keys = await Promise.all(batch.map((id) => this.#present(id)))
      const read = await this.#entities.read(keys.filter((key) => key !== undefined))
      const names = await this.#namesOf([...read.values()], properties)
      for (const [index, id] of batch.entries()) {
        const key = keys[index]
        const entity = key && read.get(writeKey(key))
        const cells = new Map<string, readonly CellValue[]>()
        for (const property of properties)
          cells.set(property, entity ? await this.#valuesOf(entity, property, names) : [])
        rows.set(id, cells)
        await maybeYield()
      }
    }
    return rows
  }

  /** The key of an entity; of a record that was merged into another one, that of the other one. */
  async #present(text: string): Promise<EntityKey | undefined> {
    const key = readKey(text)
    if (!key || !isRecordType(key.type)) return key
    const into = await this.#catalogue.mergedInto(key.type, key.id)
    return into === undefined ? key : { ...key, id: into }
  }

  /** The names of the records that these properties refer to. */
  async #namesOf(
    entities: readonly Entity[],
    properties: readonly string[],
  ): Promise<ReadonlyMap<string, Entity>> {
    const keys = entities.flatMap(({ type, values }) =>
      isRecordType(type) && values
        ? this.#resources[type].fields
            .filter(({ name, target }) => target && properties.includes(name))
            .flatMap(({ name, target }) =>
              textsIn(values, name).flatMap((id) =>
                target && isEntityType(target) ? [{ type: target, id }] : [],
              ),
            )
        : [],
    )
    return this.#entities.read(keys)
  }

  async #valuesOf(
    entity: Entity,
    property: string,
    names: ReadonlyMap<string, Entity>,
  ): Promise<readonly CellValue[]> {
    const { type, values, place } = entity
    if (place) return valuesOfPlace(place, property)
    if (!isRecordType(type)) return this.#valuesOfTerm(entity, type as TermType, property)
    if (type === 'agents' && property === 'zine') return this.#zinesOf(entity.id)
    const field = this.#resources[type].byName.get(property)
    return field && values && isPublic(field) ? this.#valuesOfField(field, values, names) : []
  }

  #valuesOfField(
    field: Field,
    values: RecordValues,
    names: ReadonlyMap<string, Entity>,
  ): readonly CellValue[] {
    const { kind, name, target, vocabulary } = field
    if (target && isEntityType(target))
      return textsIn(values, name).map((id) => {
        const key = writeKey({ type: target, id })
        return { id: key, name: names.get(key)?.name ?? id }
      })
    const type = this.#termTypeOf(vocabulary)
    if (type && vocabulary)
      return textsIn(values, name).map((code) => ({
        id: writeKey({ type, id: code }),
        name: vocabulary.find(code)?.label ?? code,
      }))
    if (kind === 'integer') return typeof values[name] === 'number' ? [{ int: values[name] }] : []
    if (kind === 'boolean') return values[name] === undefined ? [] : [{ str: String(values[name]) }]
    if (kind === 'time') return textsIn(values, name).map((date) => ({ date }))
    return textsIn(values, name).map((str) => ({ str }))
  }

  #termTypeOf(vocabulary: Vocabulary | undefined): TermType | undefined {
    return (['subjects', 'genres'] as const).find((type) => this.#vocabularies[type] === vocabulary)
  }

  #valuesOfTerm({ id }: Entity, type: TermType, property: string): readonly CellValue[] {
    const vocabulary = this.#vocabularies[type]
    const entry = vocabulary.find(id)
    if (!entry) return []
    const texts: Readonly<Record<string, readonly string[]>> = {
      code: [entry.code],
      label: [entry.label],
      uri: [entry.uri],
      definition: entry.definition === undefined ? [] : [entry.definition],
      alternative_labels: altLabelsOf(vocabulary, entry.code),
    }
    if (property === 'broader')
      return broaderOf(vocabulary, entry.code).map((code) => ({
        id: writeKey({ type, id: code }),
        name: vocabulary.find(code)?.label ?? code,
      }))
    return Object.hasOwn(texts, property) ? (texts[property] ?? []).map((str) => ({ str })) : []
  }

  async #zinesOf(agent: string): Promise<readonly CellValue[]> {
    const filters = new Map([['creator', agent]])
    const query = { filters, search: '', ordering: ['title'], page: 1, pageSize: maxZines }
    const { records } = await this.#catalogue.list('zines', query)
    return records.map(({ values }) => ({
      id: writeKey({ type: 'zines', id: textValue(values, 'zine_id') }),
      name: textValue(values, 'title'),
    }))
  }
}

const isPublic = (field: Field): boolean => !field.private

const toProperty = ({ name, label, target, vocabulary }: Field): ExtensionProperty => {
  const type = target ?? vocabulary?.name
  return { id: name, name: label, ...(type && isEntityType(type) ? { type } : {}) }
}

const labelOf = (name: string): string =>
  (name.slice(0, 1).toUpperCase() + name.slice(1)).replaceAll('_', ' ')

function valuesOfPlace(place: Place, property: string): readonly CellValue[] {
  const name = placeFields.find((field) => field === property)
  const value = name && place[name]
  if (value === undefined || value === null || value === '') return []
  if (typeof value === 'string') return [{ str: value }]
  return Number.isInteger(value) && !['latitude', 'longitude'].includes(property)
    ? [{ int: value }]
    : [{ float: value }]
}

const textsIn = (values: RecordValues, name: string): readonly string[] =>
  [...listValue(values, name), textValue(values, name)].filter((text) => text !== '')
