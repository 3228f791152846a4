// The small form for a record that the form of another one refers to, such as the maker of a zine.
// It is a page of the other form, which carries all that was entered there; client/referred-record.ts
// shows it as a dialog. The record is created as by its own form.

import type { VNode } from 'preact'

import { mayWrite } from '../../accounts/rights.js'
import type { Account } from '../../accounts/accounts.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { ForbiddenError } from '../../errors.js'
import type { SignedInRequest, SubmittedForm } from '../../http/form-endpoint.js'
import type { ResourceName } from '../../model/iris.js'
import { textValue } from '../../model/record/values.js'
import { titleOf } from '../../model/record/title.js'
import type { Field, Resource, Resources } from '../../model/resources.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import { Form } from '../../views/form.js'
import { FormPage } from '../../views/form-layout.js'
import { editingLinks, withParameters } from '../../views/links.js'
import { rich, t } from '../../views/translate.js'
import { kindTexts } from '../../views/kind-texts.js'
import { smallForms } from './form-groups.js'
import { createRecord, type RefusedRecord } from './create-record.js'
import { proposeIdentifier } from './new-record.js'
import { FieldBox, type FormInput, type RecordFormProps, Refused } from './record-form-page.js'

type ReferredDependencies = { readonly catalogue: Catalogue; readonly resources: Resources }

/** A form in which a button for a new record was pressed. */
type OtherForm = {
  readonly resource: Resource
  readonly form: SubmittedForm
  /** What was entered in it. */
  readonly input: FormInput
}

/** The record that was created or chosen, and the input of the other form with it. */
export type Referred = {
  readonly input: FormInput
  readonly newRecord: NonNullable<RecordFormProps['newRecord']>
}

/**
 * Creates the record that the small form has, or shows that form; undefined if the button of
 * another form was not pressed.
 * @throws ForbiddenError where the account may not create such records
 */
export async function referToNew(
  dependencies: ReferredDependencies,
  request: SignedInRequest,
  other: OtherForm,
): Promise<VNode | Referred | undefined> {
  const { catalogue, resources } = dependencies
  const [, name = '', typed] = /^(\w+)(?::([^]*))?$/.exec(other.form.get('.make') ?? '') ?? []
  const field = other.resource.byName.get(name)
  const target = field && smallFormTarget(request.account, field)
  if (!field?.target || !smallForms.has(field.target)) return undefined
  if (!target) throw new ForbiddenError()
  const replaced = typed ?? (await lastUnknown(catalogue, target, other.input.get(name) ?? []))
  const refer = async (id: string): Promise<Referred> => {
    const lookup = await catalogue.find([{ target, id }])
    const title = titleOf(resources, target, lookup({ target, id }) ?? {})
    return { input: withReference(other.input, field, { id, replaced }), newRecord: { id, title } }
  }
  const chosen = other.form.get('.use')
  if (chosen !== null) return refer(chosen)
  const resource = resources[target]
  const show = (input: FormInput, refusal?: RefusedRecord): VNode => (
    <ReferredRecordPage
      {...{ ...refusal, resource, resources, input, other, field, replaced }}
      context={request.context}
    />
  )
  if (!other.form.has('.made')) return show(firstValues(resource, replaced))
  const entered = readSmallForm(resource, other.form)
  const id = await proposeIdentifier(catalogue, resource, entered)
  const result = await createRecord(catalogue, request, {
    resource,
    input: new Map([...entered, [resource.id.name, id === '' ? [] : [id]]]),
    isConfirmed: other.form.get('.sure') === 'yes',
  })
  if ('id' in result) return refer(result.id)
  if (result.errors.size > 0) request.ctx.status = 400
  return show(entered, result)
}

/** The resource of which the account may create a record in the small form of a field. */
const smallFormTarget = (account: Account, { target }: Field): ResourceName | undefined =>
  target && smallForms.has(target) && mayWrite(account, target) ? target : undefined

/** The last of the values that names no record; it is likely the name of the new one. */
async function lastUnknown(
  catalogue: Pick<Catalogue, 'find'>,
  target: ResourceName,
  values: readonly string[],
): Promise<string> {
  const lookup = await catalogue.find(values.map((id) => ({ target, id })))
  return values.findLast((id) => lookup({ target, id }) === undefined) ?? ''
}

/** The input with a record in place of the text that was typed for it, or else as another value. */
function withReference(
  input: FormInput,
  { name, repeatable }: Field,
  { id, replaced }: { readonly id: string; readonly replaced: string },
): FormInput {
  const values = repeatable ? (input.get(name) ?? []) : []
  const index = values.indexOf(replaced)
  return new Map([...input, [name, index < 0 ? [...values, id] : values.with(index, id)]])
}

const smallFields = (resource: Resource): readonly Field[] =>
  (smallForms.get(resource.name) ?? []).flatMap((name) => resource.byName.get(name) ?? [])

const firstValues = (resource: Resource, title: string): FormInput =>
  new Map(
    smallFields(resource).map((field) => [
      field.name,
      field === resource.title ? [title] : [usualKinds.get(field.name) ?? ''],
    ]),
  )

const usualKinds: ReadonlyMap<string, string> = new Map([['kind', 'Person']])

/** A box that it does not have is not ticked. */
const readSmallForm = (resource: Resource, form: SubmittedForm): FormInput =>
  new Map<string, readonly string[]>([
    ...resource.inputFields
      .filter(({ kind }) => kind === 'boolean')
      .map(({ name }) => [name, ['false']] as const),
    ...smallFields(resource).map(
      ({ name }) => [name, form.getAll(name).filter((value) => value.trim() !== '')] as const,
    ),
  ])

type ReferredRecordProps = Partial<RefusedRecord> & {
  readonly context: SignedInRequest['context']
  readonly resource: Resource
  readonly resources: Resources
  readonly input: FormInput
  readonly other: OtherForm
  /** The field of the other form that refers to the record. */
  readonly field: Field
  /** What was typed there for it. */
  readonly replaced: string
}

const ReferredRecordPage = (props: ReferredRecordProps) => {
  const { context, resource, other, field, replaced, errors = new Map(), duplicates = [] } = props
  const { name, title } = resource
  const fieldProps = { ...props, errors, id: undefined, lookup: () => undefined }
  const create = duplicates.length > 0 ? t('Create anyway') : t(kindTexts[name].create)
  return (
    <FormPage context={context} title={t(kindTexts[name].new)} scripts={['form.js']}>
      <Form context={context} action={context.path} class="record-form" data-referred>
        {/* Enter activates the first button of a form, which has to be the one that creates. */}
        <button class="visually-hidden" tabIndex={-1} aria-hidden="true" name=".made" value="yes">
          {create}
        </button>
        {carriedEntries(other.form, resource).map(([entry, value], index) => (
          <input key={index} type="hidden" name={entry} value={value} />
        ))}
        <input type="hidden" name=".make" value={`${field.name}:${replaced}`} />
        {duplicates.length > 0 && <input type="hidden" name=".sure" value="yes" />}
        <Refused {...fieldProps} duplicates={duplicates}>
          {(record) => <UseButton {...props} record={record} />}
        </Refused>
        <p class="lead">{t('Nothing that you entered in the other form is lost.')}</p>
        {smallFields(resource).map((smallField) => (
          <FieldBox
            key={smallField.name}
            {...fieldProps}
            field={smallField}
            values={props.input.get(smallField.name) ?? []}
            isFocused={smallField === title}
          />
        ))}
        <p class="hint">
          {rich('The web address is made from the name. Use {form} to choose another.', {
            form: (
              <a
                href={withParameters(editingLinks.create(name), '', {
                  [title?.name ?? '']: replaced || undefined,
                })}
                target="_blank"
                rel="opener"
              >
                {t('the form with all fields')}
              </a>
            ),
          })}
        </p>
        <p class="actions">
          <button name=".made" value="yes">
            {create}
          </button>
          <button class="quiet" name=".more" value={field.name} formNoValidate data-cancel>
            {t('Cancel')}
          </button>
        </p>
      </Form>
    </FormPage>
  )
}

/** The names of what this form sends beside its fields. */
const ownInputs = ['csrf_token', '.make', '.made', '.sure', '.use']

/** What the other form has, without what this one adds. */
function carriedEntries(form: SubmittedForm, resource: Resource): readonly [string, string][] {
  const added = new Set([...ownInputs, ...smallFields(resource).map(({ name }) => name)])
  return [...form].filter(([name]) => !added.has(name))
}

/** Refers to a record that is here already. */
const UseButton = ({
  resource,
  resources,
  record: { values },
}: ReferredRecordProps & { readonly record: ResolvedRecord }) => (
  <p class="actions">
    <button
      class="quiet small"
      name=".use"
      value={textValue(values, resource.id.name)}
      formNoValidate
    >
      {t('Use this record')}
      <span class="visually-hidden"> {titleOf(resources, resource.name, values)}</span>
    </button>
  </p>
)
