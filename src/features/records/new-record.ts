// What the form of a new record begins with: the values of its address, of a record that it is made
// like, and those that the account chose last; and the identifier that is proposed for it
// (docs/how-to/cataloguing.md, "Forms of records").

import type { Remembered } from '../../accounts/remembered-values.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { slugOf } from '../../lib/names/folding.js'
import type { ResourceName } from '../../model/iris.js'
import type { Reference } from '../../model/record/views.js'
import type { RecordValues } from '../../model/record/values.js'
import type { Field, Resource } from '../../model/resources.js'
import { textsIn } from '../../views/components/field-value.js'
import { identifyingFields } from './record-form-page.js'
import { raiseNumber } from './raise-number.js'

/** The values of the fields of a form, by their names. */
type Input = ReadonlyMap<string, readonly string[]>

/**
 * Whether a similar record begins with the value of a field. What tells one record from another is
 * left out.
 */
const isCopied = (resource: Resource, field: Field): boolean =>
  field !== resource.id &&
  !field.identifies &&
  !field.private &&
  !leftOut.has(`${resource.name}.${field.name}`)

const leftOut: ReadonlySet<string> = new Set([
  'zines.date',
  'zines.public_notes',
  'zines.identifier',
  'holdings.notes',
])

/** The values that a record similar to this one begins with: its issue is the next. */
export const similarValues = (resource: Resource, values: RecordValues): Input =>
  new Map(
    resource.inputFields
      .filter((field) => isCopied(resource, field))
      .map((field) => {
        const texts = textsIn(field, values)
        return [
          field.name,
          field === resource.summary.subtitle ? texts.map(raiseNumber).filter(Boolean) : texts,
        ]
      }),
  )

const rememberedFields: Partial<Record<ResourceName, readonly string[]>> = {
  zines: ['language', 'rights', 'genre'],
  holdings: ['repository_id'],
}

/** What is remembered of a new record for the next one of the same account. */
export const valuesToRemember = ({ name }: Resource, input: Input): Remembered =>
  new Map((rememberedFields[name] ?? []).map((field) => [field, input.get(field) ?? []]))

/**
 * The remembered values that a new record can have: records and entries of vocabularies may be gone
 * meanwhile.
 */
export async function usableValues(
  catalogue: Pick<Catalogue, 'find'>,
  resource: Resource,
  lastValues: Remembered,
): Promise<Input> {
  const fields = (rememberedFields[resource.name] ?? []).flatMap(
    (name) => resource.byName.get(name) ?? [],
  )
  const valuesOf = ({ name }: Field): readonly string[] => lastValues.get(name) ?? []
  const lookup = await catalogue.find(
    fields.flatMap((field): Reference[] => {
      const { target } = field
      return target ? valuesOf(field).map((id) => ({ target, id })) : []
    }),
  )
  const isUsable = ({ target, vocabulary }: Field, value: string): boolean =>
    target ? lookup({ target, id: value }) !== undefined : Boolean(vocabulary?.find(value))
  return new Map(
    fields.map((field) => [field.name, valuesOf(field).filter((value) => isUsable(field, value))]),
  )
}

/**
 * An identifier that no record has, made of the title and the issue of a record, or of the records
 * that it names; empty as long as these are missing.
 */
export async function proposeIdentifier(
  catalogue: Pick<Catalogue, 'exists' | 'mergedInto' | 'isHidden'>,
  resource: Resource,
  input: Input,
): Promise<string> {
  const identifier = wantedIdentifier(resource, input)
  if (identifier === '') return ''
  const { name } = resource
  const isTaken = async (id: string): Promise<boolean> =>
    catalogue.isHidden({ target: name, id }) ||
    (await catalogue.exists(name, id)) ||
    (await catalogue.mergedInto(name, id)) !== undefined
  if (!(await isTaken(identifier))) return identifier
  let number = 2
  while (await isTaken(`${identifier}-${number}`)) number += 1
  return `${identifier}-${number}`
}

function wantedIdentifier(resource: Resource, input: Input): string {
  const { title, noun } = resource
  const { subtitle } = resource.summary
  const textOf = (field: Field | undefined): string => (field && input.get(field.name)?.[0]) ?? ''
  if (title) {
    if (textOf(title).trim() === '') return ''
    const name = slugOf(textOf(title)) || noun.toLowerCase()
    return [name, issuePart(textOf(subtitle))].filter(Boolean).join('-')
  }
  const named = identifyingFields(resource).map((field) => slugOf(textOf(field)))
  return named.includes('') ? '' : named.join('-')
}

/** The numbers of an issue, such as `1-3` for `vol. 1 no. 3`; its words if it has none. */
const issuePart = (issue: string): string =>
  (issue.match(/\d+/g) ?? []).join('-').slice(0, 40) || slugOf(issue, 40)
