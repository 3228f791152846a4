// Shared by the tests over HTTP: a service with the records that the examples refer to, the four
// resources as a table, and functions that create records with unique identifiers.
// The names and kinds of fields come from the declarations in src/model, so a new field needs no
// change here. The example values are in test/examples.ts.

import { expect } from 'chai'

import { loadResources } from '../../src/app/load-model.js'
import type { StorageOptions } from '../../src/app/storage.js'
import type { Field } from '../../src/model/resources.js'
import { full, minimal, referencedRecords } from '../examples.js'
import { useService, type TestService } from '../service.js'

type Fields = Readonly<Record<string, unknown>>

export type Resource = {
  readonly name: 'zines' | 'agents' | 'repositories' | 'holdings'
  /** The name of one record, as error messages use it. */
  readonly noun: string
  /** The name of the field with the identifier. */
  readonly idField: string
  /** A field of free text, which a test can change without an effect on other fields. */
  readonly textField: string
  readonly required: readonly string[]
  /** A body with the required fields only. */
  readonly minimal: (id: string, more?: object) => Fields
  /** A body with every field. */
  readonly full: (id: string, more?: object) => Fields
}

const model = await loadResources()

/** The names of the fields that GET of any record shows. */
export const detailFields = (name: Resource['name']): string[] =>
  model[name].fields
    .filter(({ leftOutIfUnset }) => !leftOutIfUnset)
    .map(({ outputName }) => outputName)

/** The names of the fields that only those see who may edit a record. */
export const staffFields = (name: Resource['name']): string[] =>
  model[name].fields.filter((field) => field.private === 'always').map((field) => field.name)

/** The names of the fields that the list of a resource shows. */
export const listFields = (name: Resource['name']): string[] =>
  model[name].fields.filter(({ inLists }) => inLists).map(({ outputName }) => outputName)

/** Values for fields that test/examples.ts does not have yet. */
const EXAMPLE_VALUES: ReadonlyMap<Field['kind'], unknown> = new Map<Field['kind'], unknown>([
  ['text', 'Example'],
  ['link', 'Example'],
  ['url', 'https://example.org/'],
  ['email', 'example@example.org'],
  ['integer', 1],
  ['boolean', true],
])

export const resources: readonly Resource[] = [
  {
    name: 'zines',
    noun: 'Zine',
    idField: 'zine_id',
    textField: 'abstract',
    required: ['zine_id', 'title', 'creator', 'subject', 'genre', 'date', 'language', 'rights'],
    minimal: minimal.zines,
    full: withEveryField('zines'),
  },
  {
    name: 'agents',
    noun: 'Agent',
    idField: 'agent_id',
    textField: 'biography',
    required: ['agent_id', 'kind', 'display_name', 'public'],
    minimal: minimal.agents,
    full: withEveryField('agents'),
  },
  {
    name: 'repositories',
    noun: 'Repository',
    idField: 'repo_id',
    textField: 'description',
    required: ['repo_id', 'repository_name', 'repository_kind', 'country'],
    minimal: minimal.repositories,
    full: withEveryField('repositories'),
  },
  {
    name: 'holdings',
    noun: 'Holding',
    idField: 'holding_id',
    textField: 'condition',
    required: ['holding_id', 'zine_id', 'repository_id'],
    minimal: minimal.holdings,
    full: withEveryField('holdings'),
  },
]

/** The full example of a resource, with a value for each declared field that the example lacks. */
function withEveryField(name: Resource['name']): Resource['full'] {
  const example = full[name]
  const known = Object.keys(example('any'))
  const others = model[name].inputFields.filter((field) => !known.includes(field.name))
  const values = Object.fromEntries(
    others.flatMap((field) => {
      const value = exampleValue(field)
      return value === undefined ? [] : [[field.name, field.repeatable ? [value] : value] as const]
    }),
  )
  return (id, more) => ({ ...example(id), ...values, ...more })
}

/** A valid value of a field, or undefined where a value cannot be chosen without an example. */
function exampleValue({ kind, pattern, vocabulary }: Field): unknown {
  if (pattern !== undefined) return undefined
  if (kind === 'code') return vocabulary?.entries[0]?.code
  return EXAMPLE_VALUES.get(kind)
}

export const resourceOf = (name: Resource['name']): Resource => {
  const found = resources.find((resource) => resource.name === name)
  if (!found) throw new Error(`no resource ${name}`)
  return found
}

export const listPath = (name: Resource['name']) => `/api/${name}/`

export const recordPath = (name: Resource['name'], id: string) =>
  `/api/${name}/${encodeURIComponent(id)}/`

/** A service with the agents, zines and repositories that the examples refer to. */
export function useCatalogue(env?: Readonly<Record<string, string>>, options?: StorageOptions) {
  const service = useService(env, options)
  before(async () => {
    for (const [name, record] of referencedRecords) await create(service(), name, record)
  })
  return { service, given: recordCreators(service), errorsOfPost: postErrorChecks(service) }
}

/** Functions that create a record for one test and give the record as the POST answers it. */
export const recordCreators = (service: () => TestService) => ({
  agent: (more?: object) => create(service(), 'agents', minimal.agents(unique('agent'), more)),
  zine: (more?: object) => create(service(), 'zines', minimal.zines(unique('zine'), more)),
  repository: (more?: object) =>
    create(service(), 'repositories', minimal.repositories(unique('repo'), more)),
  holding: (more?: object) =>
    create(service(), 'holdings', minimal.holdings(unique('holding'), more)),
  /** A record of any resource, with the required fields only. */
  record: (resource: Resource, more?: object) =>
    create(service(), resource.name, resource.minimal(unique(resource.idField), more)),
})

async function create(service: TestService, name: Resource['name'], record: object): Promise<any> {
  const answer = await service.post(listPath(name), record)
  expect(answer.status, answer.text).to.equal(201)
  return answer.body
}

/** Sends a POST that is valid but for these fields, expects 400, and gives the body of the answer. */
const postErrorChecks =
  (service: () => TestService) => async (name: Resource['name'], fields: object) => {
    const { idField, minimal } = resourceOf(name)
    const answer = await service().post(listPath(name), minimal(unique(idField), fields))
    expect(answer.status, answer.text).to.equal(400)
    return answer.body
  }

let uniques = 0

/** A word that no other test uses, and that is not part of another such word. */
export const unique = (word: string) => `${word}${++uniques}x`

/**
 * The body that writes this record: nested objects become identifiers and codes, and fields that
 * clients cannot write are left out.
 */
export function toBody(resource: Resource, record: Fields): Fields {
  const { inputFields } = model[resource.name]
  return Object.fromEntries(
    inputFields
      .filter(({ outputName }) => outputName in record)
      .map((field) => [field.name, toInputValue(field, record[field.outputName])]),
  )
}

function toInputValue({ nested, target, repeatable }: Field, value: any): unknown {
  if (!nested) return value
  const key = target ? model[target].id.name : 'code'
  return repeatable ? value.map((one: any) => one[key]) : value[key]
}

/** The optional fields of a resource with the values that they have when they are not set. */
export function unset(resource: Resource): Fields {
  const optional = model[resource.name].inputFields.filter(
    ({ name }) => !resource.required.includes(name),
  )
  return Object.fromEntries(
    optional.map((field) => [field.name, field.defaultValue ?? emptyValue(field)]),
  )
}

/**
 * What GET shows of a body: every field, but none that only staff sees, and none that is left out
 * where it has no value.
 */
export function shown(resource: Resource, body: Fields): Fields {
  const { byName } = model[resource.name]
  return Object.fromEntries(
    Object.entries({ ...unset(resource), ...body }).filter(
      ([name, value]) =>
        byName.get(name)?.private !== 'always' &&
        !(byName.get(name)?.leftOutIfUnset && isEmptyValue(value)),
    ),
  )
}

export const isEmptyValue = (value: unknown): boolean =>
  value === '' || (Array.isArray(value) && value.length === 0)

function emptyValue({ repeatable, kind }: Field): unknown {
  if (repeatable) return []
  return kind === 'integer' ? null : ''
}
