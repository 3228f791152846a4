// The shapes of the four resources: written, changed, in a list, on its own, and a page of them.

import type { Field, Resource, Resources } from '../../../model/resources.js'
import type { Schema } from './document.js'
import { readField, writtenField } from './field-schemas.js'
import { pageSchema } from './reference-schemas.js'

/** The names of a resource's components. */
export const shapesOf = ({ noun }: Pick<Resource, 'noun'>) => ({
  written: `${noun}Write`,
  changed: `Patched${noun}Write`,
  listed: `${noun}List`,
  page: `Paginated${noun}List`,
  detailed: `${noun}Detail`,
})

/** A noun in a sentence, as in `an agent`. */
export const aOf = (noun: string, article: 'a' | 'A' = 'a'): string =>
  `${article}${/^[AEIOU]/.test(noun) ? 'n' : ''} ${noun.toLowerCase()}`

/** The components of a resource, by name. */
export function recordSchemas(
  resources: Resources,
  resource: Resource,
): readonly (readonly [name: string, schema: Schema])[] {
  const shapes = shapesOf(resource)
  return [
    [shapes.written, writtenShape(resource)],
    [shapes.changed, changedShape(resource)],
    [shapes.listed, listShape(resources, resource)],
    [shapes.page, pageSchema(shapes.listed)],
    [shapes.detailed, detailShape(resources, resource)],
  ]
}

function writtenShape({ noun, written }: Resource): Schema {
  return {
    type: 'object',
    description: `${aOf(noun, 'A')} as it is sent. Fields that are not of this shape are ignored.`,
    properties: Object.fromEntries(
      written.map((field) => [
        field.name,
        {
          ...writtenField(field),
          ...(field.byDefault === undefined ? {} : { default: field.byDefault }),
        },
      ]),
    ),
    required: written.filter((field) => field.required).map((field) => field.name),
  }
}

// Without defaults: what a PATCH leaves out stays as it is.
function changedShape({ noun, written }: Resource): Schema {
  return {
    type: 'object',
    description: `The fields of ${aOf(noun)} that are to change.`,
    properties: Object.fromEntries(written.map((field) => [field.name, writtenField(field)])),
  }
}

function listShape(resources: Resources, resource: Resource): Schema {
  return {
    type: 'object',
    description: `${aOf(resource.noun, 'A')} in a list.`,
    ...shownShape(
      resources,
      resource,
      resource.fields.filter((field) => field.list),
      'list',
    ),
  }
}

function detailShape(resources: Resources, resource: Resource): Schema {
  return {
    type: 'object',
    description: `${aOf(resource.noun, 'A')} on its own.`,
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
      fields.map((field) => [field.as, readField(resources, name, field, field.shows?.[view])]),
    ),
    // A private field is left out of what its record shows to most.
    required: fields.filter((field) => !field.private).map((field) => field.as),
  }
}
