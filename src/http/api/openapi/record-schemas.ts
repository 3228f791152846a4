// The shapes of the four resources: written, changed, in a list, on its own, and a page of them.

import type { Field, Resource, Resources } from '../../../model/resources.js'
import type { Schema } from './document.js'
import { outputFieldSchema, inputFieldSchema } from './field-schemas.js'
import { pageSchema } from './reference-schemas.js'

/** The names of a resource's components. */
export const schemaNames = ({ noun }: Pick<Resource, 'noun'>) => ({
  written: `${noun}Write`,
  changed: `Patched${noun}Write`,
  listed: `${noun}List`,
  page: `Paginated${noun}List`,
  detailed: `${noun}Detail`,
})

/** A noun in a sentence, as in `an agent`. */
export const withArticle = (noun: string, article: 'a' | 'A' = 'a'): string =>
  `${article}${/^[AEIOU]/.test(noun) ? 'n' : ''} ${noun.toLowerCase()}`

/** The components of a resource, by name. */
export function recordSchemas(
  resources: Resources,
  resource: Resource,
): readonly (readonly [name: string, schema: Schema])[] {
  const shapes = schemaNames(resource)
  return [
    [shapes.written, writtenShape(resource)],
    [shapes.changed, changedShape(resource)],
    [shapes.listed, listShape(resources, resource)],
    [shapes.page, pageSchema(shapes.listed)],
    [shapes.detailed, detailShape(resources, resource)],
  ]
}

function writtenShape({ noun, inputFields }: Resource): Schema {
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
function changedShape({ noun, inputFields }: Resource): Schema {
  return {
    type: 'object',
    description: `The fields of ${withArticle(noun)} that are to change.`,
    properties: Object.fromEntries(
      inputFields.map((field) => [field.name, inputFieldSchema(field)]),
    ),
  }
}

function listShape(resources: Resources, resource: Resource): Schema {
  return {
    type: 'object',
    description: `${withArticle(resource.noun, 'A')} in a list.`,
    ...shownShape(
      resources,
      resource,
      resource.fields.filter((field) => field.inLists),
      'list',
    ),
  }
}

function detailShape(resources: Resources, resource: Resource): Schema {
  return {
    type: 'object',
    description: `${withArticle(resource.noun, 'A')} on its own.`,
    ...shownShape(resources, resource, resource.fields, 'detail'),
  }
}

function shownShape(
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
    // A private field is left out of what its record shows to most.
    required: fields.filter((field) => !field.private).map((field) => field.outputName),
  }
}
