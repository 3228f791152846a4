// The schemas of each resource: as input, as a change, in a list, on its own, and a page of a list.

import { maxReasonLength, visibilities } from '../../model/record/visibility.js'
import type { Field, Resource } from '../../model/resources.js'
import { withArticle } from '../../http/operation.js'
import { type Schema, choice, text, time } from '../../http/schemas.js'
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

/** Who sees a record, as every kind has it in the body of a write. */
const visibilityInput: Readonly<Record<string, Schema>> = {
  visibility: choice(
    visibilities,
    'Who sees the record: everybody, or only who may write its kind. A `draft` is hidden until it is finished. A new record is `public`, and one that exists stays as it is where this is left out.',
  ),
  hidden_reason: text({
    maxLength: maxReasonLength,
    description: 'Why the record is not public. Only who may write its kind sees it.',
  }),
}

/** The same as it is read. */
const visibilityOutput: Readonly<Record<string, Schema>> = {
  visibility: choice(
    visibilities,
    'Who sees the record. A record that everybody sees has it only where `fields` names it.',
  ),
  hidden_reason: text('Why the record is not public. A record that everybody sees has it not.'),
  hidden_at: time({
    readOnly: true,
    description: 'Since when the record is not public. A record that everybody sees has it not.',
  }),
}

function inputSchema({ noun, inputFields }: Resource): Schema {
  return {
    type: 'object',
    description: `${withArticle(noun, 'A')} as it is sent. Fields that are not of this shape are ignored.`,
    properties: {
      ...Object.fromEntries(
        inputFields.map((field) => [field.name, withDefault(field, inputFieldSchema(field))]),
      ),
      ...visibilityInput,
    },
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
    properties: {
      ...Object.fromEntries(inputFields.map((field) => [field.name, inputFieldSchema(field)])),
      ...visibilityInput,
    },
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
  const { properties, required } = viewSchema(nested, resource, resource.fields, 'detail')
  return {
    type: 'object',
    description: `${withArticle(resource.noun, 'A')} on its own.`,
    properties: { ...properties, ...visibilityOutput },
    required,
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
) {
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
