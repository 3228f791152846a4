// Creates a record from what a form has for it, unless the catalogue may have it already. The form
// itself is left to record-form.tsx, and the one for a record that another one refers to, to
// referred-record.tsx.

import type { Catalogue } from '../../catalogue/catalogue.js'
import { comparableTitle } from '../../model/record/title.js'
import { textValue } from '../../model/record/values.js'
import type { Resource } from '../../model/resources.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import { type FieldErrors, ValidationError } from '../../model/record/input.js'
import { type SignedInRequest, sourceOf } from '../../http/form-endpoint.js'
import { firstPageQuery } from '../../http/request/list-query.js'
import { seesHidden } from '../../http/request/record-rights.js'
import { findByTitle } from '../../http/request/typed-values.js'
import { type FormInput, identifyingFields } from './record-form-page.js'
import { type ChosenVisibility, visibilityBody } from './visibility.js'

export type NewRecord = {
  readonly resource: Resource
  readonly input: FormInput
  /** Who is to see the record; everybody unless given. */
  readonly visibility?: ChosenVisibility
  /** Whether the sender has seen the possible duplicates. */
  readonly isConfirmed: boolean
  /** The address of the record of another catalogue that it was made from. */
  readonly derivedFrom?: string | undefined
}

/** Why nothing was created: what is wrong, and the records that may be the same. */
export type RefusedRecord = {
  readonly errors: FieldErrors
  readonly duplicates: readonly ResolvedRecord[]
}

/** @returns the identifier of the record, or why there is none */
export async function createRecord(
  catalogue: Catalogue,
  request: Pick<SignedInRequest, 'account'>,
  { resource, input, visibility, isConfirmed, derivedFrom }: NewRecord,
): Promise<{ readonly id: string } | RefusedRecord> {
  const { name } = resource
  const body = new Map([
    ...bodyOf(resource, input),
    ...(visibility && visibility.visibility !== '' ? visibilityBody(visibility) : []),
  ])
  const duplicates = isConfirmed ? [] : await findDuplicates(catalogue, resource, input)
  try {
    if (duplicates.length > 0) {
      await catalogue.validateNew(name, body)
      return { errors: new Map(), duplicates }
    }
    const { record } = await catalogue.create(name, body, {
      view: 'private',
      mayName: seesHidden(request.account),
      source: sourceOf(request),
      derivedFrom,
    })
    return { id: textValue(record.values, resource.id.name) }
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    return { errors: withoutMissingId(resource, input, error.fieldErrors), duplicates }
  }
}

/** The input as the JSON members that a client of the API would send; fields without any are left out. */
export const bodyOf = (
  resource: Pick<Resource, 'inputFields'>,
  input: FormInput,
): ReadonlyMap<string, unknown> =>
  new Map(
    resource.inputFields.flatMap((field): [string, unknown][] => {
      const values = input.get(field.name)
      if (!values) return []
      if (field.repeatable) return [[field.name, values]]
      const value = values[0] ?? ''
      return [[field.name, field.kind === 'integer' && value === '' ? null : value]]
    }),
  )

/**
 * The errors without that of an identifier which is missing only because what it is made of is
 * wrong.
 */
function withoutMissingId(resource: Resource, input: FormInput, errors: FieldErrors): FieldErrors {
  const { id } = resource
  const isMissing = (input.get(id.name) ?? []).length === 0
  const isCaused = identifyingFields(resource).some(({ name }) => errors.has(name))
  return isMissing && isCaused ? new Map([...errors].filter(([name]) => name !== id.name)) : errors
}

const maxDuplicates = 5

/**
 * Existing records that may be the same as a new one: with the same title and issue, or with the
 * same references.
 */
async function findDuplicates(
  catalogue: Catalogue,
  resource: Resource,
  input: FormInput,
): Promise<readonly ResolvedRecord[]> {
  const { title } = resource
  if (!title) {
    const filters = Object.fromEntries(
      resource.inputFields
        .filter(({ target, filterable }) => target && filterable)
        .map(({ name }) => [name, input.get(name)?.[0] ?? '']),
    )
    if (Object.values(filters).includes('')) return []
    return (await catalogue.list(resource.name, firstPageQuery(maxDuplicates, { filters }))).records
  }
  const { records } = await findByTitle(catalogue, resource, input.get(title.name)?.[0] ?? '')
  const { subtitle } = resource.summary
  const issue = comparableTitle((subtitle && input.get(subtitle.name)?.[0]) ?? '')
  const mayBeSame = ({ values }: ResolvedRecord): boolean => {
    const other = subtitle ? comparableTitle(textValue(values, subtitle.name)) : ''
    return issue === '' || other === '' || issue === other
  }
  return records.filter(mayBeSame).slice(0, maxDuplicates)
}
