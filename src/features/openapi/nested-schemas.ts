// The schemas of nested objects: what a record shows of the records and vocabulary entries that it
// refers to. Each is a component with a name, so that generated clients have a type for it.

import { cascadesOf } from '../../catalogue/writes/cascade.js'
import type { NestedFields } from '../../model/declarations/field-declaration.js'
import type { ResourceName } from '../../model/iris.js'
import type { Field, Resources } from '../../model/resources.js'
import { type Schema, entrySchema } from '../../http/schemas.js'
import { refer } from './document.js'
import { outputDescription, outputFieldSchema, readOnlyOf } from './field-schemas.js'

type View = 'list' | 'detail'

/** How a name tells apart what lists, records and other nested objects show. */
const nameIn: Readonly<Record<View | 'nested', (noun: string) => string>> = {
  list: (noun) => `${noun}Reference`,
  detail: (noun) => `${noun}DetailReference`,
  nested: (noun) => `Nested${noun}Reference`,
}

/** Equal objects have one name: that of the list, if a list shows them. */
export class NestedSchemas {
  /** The nested objects by their names. */
  readonly components: Record<string, Schema> = {}

  constructor(private readonly resources: Resources) {
    for (const view of ['list', 'detail'] as const)
      for (const { name, fields } of Object.values(resources))
        for (const field of fields) if (field.nested) this.viewFieldSchema(name, field, view)
  }

  /**
   * The schema of a field as a list or a record shows it, with references to the nested objects.
   */
  viewFieldSchema(owner: ResourceName, field: Field, view: View): Schema {
    const nested = field.nested?.[view]
    return nested ? this.referenceSchema(owner, field, nested, view) : outputFieldSchema(field)
  }

  private referenceSchema(
    owner: ResourceName,
    field: Field,
    nested: NestedFields,
    place: View | 'nested',
  ): Schema {
    const { target } = field
    const schema = target ? this.recordSchema(owner, target, field, nested) : entryPart(nested)
    const reference = refer('schemas', this.nameOf(schema, owner, field, place))
    const rest = { ...readOnlyOf(field), description: outputDescription(field) }
    // OpenAPI 3.0 ignores what stands beside a reference.
    return field.repeatable
      ? { type: 'array', items: reference, ...rest }
      : { allOf: [reference], ...rest }
  }

  private nameOf(
    schema: Schema,
    owner: ResourceName,
    { target }: Field,
    place: View | 'nested',
  ): string {
    const { components, resources } = this
    const text = JSON.stringify(schema)
    const known = Object.keys(components).find((name) => JSON.stringify(components[name]) === text)
    if (known !== undefined) return known
    const name = nameIn[place](target ? resources[target].noun : 'Entry')
    const free = name in components ? `${resources[owner].noun}${name}` : name
    components[free] = schema
    return free
  }

  private recordSchema(
    owner: ResourceName,
    target: ResourceName,
    field: Field,
    nested: NestedFields,
  ): Schema {
    const properties = nested.flatMap((key): [string, Schema][] => {
      const [name, inner] = typeof key === 'string' ? [key] : key
      const referred = this.resources[target].byName.get(name)
      if (!referred) return []
      const schema = inner
        ? this.referenceSchema(target, referred, inner, 'nested')
        : outputFieldSchema(referred, true)
      return [[name, schema]]
    })
    // Of a deleted record only the fields of lists are left, unless the referring record is deleted
    // with it.
    const isDeletedWith = cascadesOf(this.resources, target).some(
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
  // The casts: `object` made the schema.
  const properties = Object.entries(entrySchema.properties as Readonly<Record<string, Schema>>)
  return {
    type: 'object',
    properties: Object.fromEntries(properties.filter(([name]) => nested.includes(name))),
    required: (entrySchema.required as readonly string[]).filter((name) => nested.includes(name)),
  }
}
