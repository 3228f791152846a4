// The schemas of nested objects: what a record shows of the records and vocabulary entries that it
// refers to. Each is a component with a name, so that generated clients have a type for it.

import { cascadesOf } from '../../catalogue/writes/cascade.js'
import type { NestedFields } from '../../model/declarations/field-declaration.js'
import type { ResourceName } from '../../model/iris.js'
import type { Field, Resources } from '../../model/resources.js'
import { type Schema, refer } from './document.js'
import { outputDescription, outputFieldSchema, readOnlyOf } from './field-schemas.js'
import { entrySchema } from './reference-schemas.js'

type View = 'list' | 'detail'

export type NestedSchemas = {
  /**
   * The schema of a field as a list or a record shows it, with references to the nested objects.
   */
  readonly viewFieldSchema: (owner: ResourceName, field: Field, view: View) => Schema
  /** The nested objects by their names. */
  readonly components: Readonly<Record<string, Schema>>
}

/** How a name tells apart what lists, records and other nested objects show. */
const nameIn: Readonly<Record<View | 'nested', (noun: string) => string>> = {
  list: (noun) => `${noun}Reference`,
  detail: (noun) => `${noun}DetailReference`,
  nested: (noun) => `Nested${noun}Reference`,
}

/** Equal objects have one name: that of the list, if a list shows them. */
export function createNestedSchemas(resources: Resources): NestedSchemas {
  const components: Record<string, Schema> = {}

  for (const view of ['list', 'detail'] as const)
    for (const { name, fields } of Object.values(resources))
      for (const field of fields) if (field.nested) viewFieldSchema(name, field, view)

  return { viewFieldSchema, components }

  function viewFieldSchema(owner: ResourceName, field: Field, view: View): Schema {
    const nested = field.nested?.[view]
    return nested ? referenceSchema(owner, field, nested, view) : outputFieldSchema(field)
  }

  function referenceSchema(
    owner: ResourceName,
    field: Field,
    nested: NestedFields,
    place: View | 'nested',
  ): Schema {
    const { target } = field
    const schema = target ? recordSchema(owner, target, field, nested) : entryPart(nested)
    const reference = refer('schemas', nameOf(schema, owner, field, place))
    const rest = { ...readOnlyOf(field), description: outputDescription(field) }
    // OpenAPI 3.0 ignores what stands beside a reference.
    return field.repeatable
      ? { type: 'array', items: reference, ...rest }
      : { allOf: [reference], ...rest }
  }

  function nameOf(
    schema: Schema,
    owner: ResourceName,
    { target }: Field,
    place: View | 'nested',
  ): string {
    const text = JSON.stringify(schema)
    const known = Object.keys(components).find((name) => JSON.stringify(components[name]) === text)
    if (known !== undefined) return known
    const name = nameIn[place](target ? resources[target].noun : 'Entry')
    const free = name in components ? `${resources[owner].noun}${name}` : name
    components[free] = schema
    return free
  }

  function recordSchema(
    owner: ResourceName,
    target: ResourceName,
    field: Field,
    nested: NestedFields,
  ): Schema {
    const properties = nested.flatMap((key): [string, Schema][] => {
      const [name, inner] = typeof key === 'string' ? [key] : key
      const referred = resources[target].byName.get(name)
      if (!referred) return []
      const schema = inner
        ? referenceSchema(target, referred, inner, 'nested')
        : outputFieldSchema(referred, true)
      return [[name, schema]]
    })
    // Of a deleted record only the fields of lists are left, unless the referring record is deleted
    // with it.
    const isDeletedWith = cascadesOf(resources, target).some(
      (cascade) => cascade.resource === owner && cascade.field === field.name,
    )
    const alwaysPresent = isDeletedWith
      ? nested
      : nested.filter((key) => field.nested?.list.includes(key))
    return {
      type: 'object',
      properties: Object.fromEntries(properties),
      required: alwaysPresent.map((key) => (typeof key === 'string' ? key : key[0])),
    }
  }
}

function entryPart(nested: NestedFields): Schema {
  const { properties, required } = entrySchema
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).filter(([name]) => nested.includes(name)),
    ),
    required: required.filter((name) => nested.includes(name)),
  }
}
