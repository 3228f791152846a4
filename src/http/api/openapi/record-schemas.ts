// The schemas of each resource: as input, as a change, in a list, on its own, and a page of a list.

import type { Field, Resource, Resources } from '../../../model/resources.js'
import type { Schema } from './document.js'
import { outputFieldSchema, inputFieldSchema } from './field-schemas.js'
import { pageSchema } from './reference-schemas.js'

/** The names of a resource's components. */
export const schemaNames = ({ noun }: Pick<Resource, 'noun'>) => ({
  input: `${noun}Write`,
  patch: `Patched${noun}Write`,
  listItem: `${noun}List`,
  page: `Paginated${noun}List`,
  detail: `${noun}Detail`,
})

/** A noun in a sentence, as in `an agent`. */
export const withArticle = (noun: string, article: 'a' | 'A' = 'a'): string =>
  `${article}${/^[AEIOU]/.test(noun) ? 'n' : ''} ${noun.toLowerCase()}`

/** The components of a resource with their names. */
export function recordSchemas(
  resources: Resources,
  resource: Resource,
): readonly (readonly [name: string, schema: Schema])[] {
  const names = schemaNames(resource)
  return [
    [names.input, inputSchema(resource)],
    [names.patch, patchSchema(resource)],
    [names.listItem, listItemSchema(resources, resource)],
    [names.page, pageSchema(names.listItem)],
    [names.detail, detailSchema(resources, resource)],
  ]
}

function inputSchema({ noun, inputFields }: Resource): Schema {
  return {
    type: 'object',
    description: `${withArticle(noun, 'A')} as it is sent. Fields that are not of this shape are ignored.`,
    properties: Object.fromEntries(
      inputFields.map((field) => [
        field.name,
        {
          ...inputFieldSchema(field),
          ...(field.defaultValue === undefined ? {} : { default: field.defaultValue }),
        },
      ]),
    ),
    required: inputFields.filter((field) => field.required).map((field) => field.name),
  }
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

function listItemSchema(resources: Resources, resource: Resource): Schema {
  return {
    type: 'object',
    description: `${withArticle(resource.noun, 'A')} in a list.`,
    ...viewSchema(
      resources,
      resource,
      resource.fields.filter((field) => field.inLists),
      'list',
    ),
  }
}

function detailSchema(resources: Resources, resource: Resource): Schema {
  return {
    type: 'object',
    description: `${withArticle(resource.noun, 'A')} on its own.`,
    ...viewSchema(resources, resource, resource.fields, 'detail'),
  }
}

function viewSchema(
  resources: Resources,
  { name }: Resource,
  fields: readonly Field[],
  view: 'list' | 'detail',
): Schema {
  return {
    properties: Object.fromEntries(
      fields.map((field) => [
        field.outputName,
        outputFieldSchema(resources, name, field, field.nested?.[view]),
      ]),
    ),
    // Private fields are left out for most clients.
    required: fields.filter((field) => !field.private).map((field) => field.outputName),
  }
}
