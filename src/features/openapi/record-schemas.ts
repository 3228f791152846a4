// The schemas of each resource: as input, as a change, in a list, on its own, and a page of a list.

import type { Field, Resource } from '../../model/resources.js'
import { withArticle } from '../../http/operation.js'
import type { Schema } from '../../http/schemas.js'
import { inputFieldSchema } from './field-schemas.js'
import type { NestedSchemas } from './nested-schemas.js'

/** The names of a resource's components. */
export const schemaNames = ({ noun }: Pick<Resource, 'noun'>) => ({
  input: `${noun}Write`,
  patch: `Patched${noun}Write`,
  listItem: `${noun}List`,
  page: `Paginated${noun}List`,
  detail: `${noun}Detail`,
  selection: `${noun}Selection`,
  listSelection: `${noun}ListSelection`,
  selectionPage: `Paginated${noun}ListSelection`,
})

/** The components of a resource with their names. */
export function recordSchemas(
  nested: NestedSchemas,
  resource: Resource,
): readonly (readonly [name: string, schema: Schema])[] {
  const names = schemaNames(resource)
  return [
    [names.input, inputSchema(resource)],
    [names.patch, patchSchema(resource)],
    [names.listItem, listItemSchema(nested, resource)],
    [names.detail, detailSchema(nested, resource)],
    [names.selection, selectionSchema(detailSchema(nested, resource))],
    [names.listSelection, selectionSchema(listItemSchema(nested, resource))],
  ]
}

function inputSchema({ noun, inputFields }: Resource): Schema {
  return {
    type: 'object',
    description: `${withArticle(noun, 'A')} as it is sent. Fields that are not of this shape are ignored.`,
    properties: Object.fromEntries(
      inputFields.map((field) => [field.name, withDefault(field, inputFieldSchema(field))]),
    ),
    required: inputFields.filter((field) => field.required).map((field) => field.name),
  }
}

/** The default in words: as a keyword, it makes generated types require the field. */
const withDefault = ({ defaultValue }: Field, schema: Schema): Schema =>
  defaultValue === undefined
    ? schema
    : {
        ...schema,
        description: `${String(schema.description)} \`${String(defaultValue)}\` where it is left out.`,
      }

// Without defaults: what a PATCH leaves out stays as it is.
function patchSchema({ noun, inputFields }: Resource): Schema {
  return {
    type: 'object',
    description: `The fields of ${withArticle(noun)} that are to change.`,
    properties: Object.fromEntries(
      inputFields.map((field) => [field.name, inputFieldSchema(field)]),
    ),
  }
}

function listItemSchema(nested: NestedSchemas, resource: Resource): Schema {
  return {
    type: 'object',
    description: `${withArticle(resource.noun, 'A')} in a list.`,
    ...viewSchema(
      nested,
      resource,
      resource.fields.filter((field) => field.inLists),
      'list',
    ),
  }
}

function detailSchema(nested: NestedSchemas, resource: Resource): Schema {
  return {
    type: 'object',
    description: `${withArticle(resource.noun, 'A')} on its own.`,
    ...viewSchema(nested, resource, resource.fields, 'detail'),
  }
}

/** The same with some of the fields, for `?fields=`. */
const selectionSchema = ({ type, properties, description }: Schema): Schema => ({
  type,
  properties,
  description: `${String(description)} Only the fields that \`fields\` names.`,
})

function viewSchema(
  nested: NestedSchemas,
  { name }: Resource,
  fields: readonly Field[],
  view: 'list' | 'detail',
): Schema {
  return {
    properties: Object.fromEntries(
      fields.map((field) => [field.outputName, nested.viewFieldSchema(name, field, view)]),
    ),
    // Private fields are left out for most clients.
    required: fields
      .filter((field) => !field.private && !field.leftOutIfUnset)
      .map((field) => field.outputName),
  }
}
