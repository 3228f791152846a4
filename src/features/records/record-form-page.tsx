// The form of a record, made from the declarations of its fields: every input field with its hint
// and its errors, in the groups of form-groups.ts. It works without scripts; with them,
// client/form.ts searches for values while somebody types.

import type { ComponentChildren } from 'preact'

import type { Message } from '../../message.js'
import { titleOf } from '../../model/record/title.js'
import type { ResourceName } from '../../model/iris.js'
import type { Field, Resource, Resources } from '../../model/resources.js'
import type { RecordLookup, ResolvedRecord } from '../../model/record/views.js'
import { type FieldErrors, ItemMessage } from '../../model/record/input.js'
import { visibilityNames } from '../../model/record/visibility.js'
import { Form } from '../../views/form.js'
import { editingLinks, entryPath, hostOf, recordPath } from '../../views/links.js'
import type { PageContext } from '../../views/layout.js'
import { FieldMessages } from '../../views/components/error-messages.js'
import { valueText, valueTexts } from '../../views/components/field-value.js'
import { RecordSummary, recordHeading } from '../../views/components/record-summary.js'
import { Options, Select, type SelectProps, codeOptions } from '../../views/components/select.js'
import { type FieldGroup, groupFields, smallForms } from './form-groups.js'
import { CancelLink, FormPage, type Notice } from '../../views/form-layout.js'
import { ChangeAuthor, type LastChange } from './last-change.js'
import { identifierHasName } from './identifier-names.js'
import { NameToType } from './typed-name.js'
import { type ChosenVisibility, VisibilityGroup } from './visibility.js'
import { codeText, fieldText, quoted, rich, t, tKind } from '../../views/translate.js'
import { kindTexts } from '../../views/kind-texts.js'

/** The values in the form as they were typed, by the names of fields. */
export type FormInput = ReadonlyMap<string, readonly string[]>

export type RecordFormProps = {
  readonly context: PageContext
  readonly resource: Resource
  readonly resources: Resources
  /** The identifier of the edited record; undefined for a new one. */
  readonly id: string | undefined
  readonly input: FormInput
  readonly errors: FieldErrors
  readonly notice?: Notice | undefined
  /** The identifier that was proposed for a new record, as long as nobody chose another one. */
  readonly proposedId?: string
  /** The state of the record that the form was opened with, to detect changes by others. */
  readonly opened?: string | undefined
  /** The fields that somebody else changed meanwhile. */
  readonly conflicts?: readonly EditConflict[]
  /** Existing records that may be the same as the new one. */
  readonly duplicates?: readonly ResolvedRecord[]
  /** Whether the sender has seen the possible duplicates. */
  readonly isConfirmed?: boolean
  /** The resources in which the account may create records that the form refers to. */
  readonly creatable?: readonly ResourceName[]
  /** The records that the form's values refer to. */
  readonly lookup: RecordLookup
  /** The record of another catalogue that the form was filled in from. */
  readonly source?: TakenRecord | undefined
  /** Whether there are other catalogues to look it up in. */
  readonly mayLookUp?: boolean
  /** Who is to see the record; everybody unless given. */
  readonly visibility?: ChosenVisibility
  /** The record that was created from within the form, and that it refers to now. */
  readonly newRecord?: { readonly id: string; readonly title: string }
}

export type TakenRecord = {
  readonly address: string
  /** What it has for a field and was not taken over. */
  readonly leftOut: ReadonlyMap<string, readonly string[]>
}

/** A field that somebody else changed, the record as it is now, and the last change of the field. */
export type EditConflict = {
  readonly field: Field
  readonly current: ResolvedRecord
  readonly change: LastChange
}

/** What a form sends to say whose values of a field are taken. */
export const takenName = (field: string): string => `.take.${field}`

export const RecordFormPage = (props: RecordFormProps) => {
  const { context, resource, id, input, errors, notice } = props
  const { conflicts = [], duplicates = [] } = props
  const fields = resource.inputFields.filter((field) => id === undefined || field !== resource.id)
  const [essentials, ...groups] = groupFields(resource, fields)
  const isChecked = errors.size + duplicates.length + conflicts.length > 0 || notice !== undefined
  const focused =
    id === undefined && !isChecked ? firstToFill(essentials, input, resource) : undefined
  return (
    <FormPage
      context={context}
      title={
        id === undefined
          ? t(kindTexts[resource.name].new)
          : tKind(resource.name, 'edit', { id: nameOf(props) || id })
      }
      notice={notice}
      scripts={['form.js']}
    >
      <Refused {...props} errors={errors} duplicates={duplicates} />
      {props.newRecord && <Made {...props.newRecord} />}
      {props.source && <TakenOver {...props} source={props.source} />}
      {props.mayLookUp && <LookUpForm text="" />}
      {conflicts.length > 0 && <Conflicts {...props} conflicts={conflicts} />}
      {id !== undefined && <IdentifierLine resource={resource} id={id} />}
      <Form
        context={context}
        action={
          id === undefined
            ? editingLinks.create(resource.name)
            : editingLinks.edit(resource.name, id)
        }
        id="record-form"
        class="record-form"
        data-form
      >
        {/* Enter activates the first button of a form, which has to be the one that saves. */}
        <button class="visually-hidden" tabIndex={-1} aria-hidden="true">
          {t('Save')}
        </button>
        <HiddenInputs {...props} />
        {essentials && (
          <section class="field-group" aria-label={t(essentials.title)}>
            <GroupFields {...props} group={essentials} focused={focused} />
          </section>
        )}
        {groups.map((group) => (
          <FurtherGroup key={group.title} {...props} group={group} />
        ))}
        <VisibilityGroup
          chosen={props.visibility ?? { visibility: 'public', reason: '' }}
          hasError={visibilityNames.some((name) => errors.has(name))}
        />
        <KeyHints isNew={id === undefined} />
        <FormActions {...props} />
      </Form>
    </FormPage>
  )
}

const IdentifierLine = ({ resource, id }: { readonly resource: Resource; readonly id: string }) => (
  <p class="made">
    {t(resource.id.label)} <code>{id}</code>
    {' · '}
    <a href={editingLinks.rename(resource.name, id)}>{t('change it')}</a>
  </p>
)

/** What the form remembers from one submission to the next. */
const HiddenInputs = ({
  id,
  opened,
  source,
  proposedId = '',
  duplicates = [],
  isConfirmed = false,
}: RecordFormProps) => (
  <>
    {opened !== undefined && <input type="hidden" name=".opened" value={opened} />}
    {(isConfirmed || duplicates.length > 0) && <input type="hidden" name=".confirm" value="yes" />}
    {id === undefined && <input type="hidden" name=".proposed" value={proposedId} data-proposed />}
    {source && <TakenInputs source={source} />}
  </>
)

/** A group of fields that is closed until somebody looks into it. */
const FurtherGroup = ({ group, ...props }: RecordFormProps & { readonly group: FieldGroup }) => (
  <details class="field-group" open={isOpen(group, props)}>
    <summary>
      <h2>{t(group.title)}</h2>{' '}
      <span class="hint">{group.fields.map(({ formLabel }) => t(formLabel)).join(', ')}</span>
    </summary>
    <GroupFields {...props} group={group} />
  </details>
)

/** The keys that do something in the form. Scripts show them. */
const KeyHints = ({ isNew }: { readonly isNew: boolean }) => (
  <p class="hint" data-keys hidden>
    {rich('Keys: {ctrl}+{enter} saves', { ctrl: <kbd>Ctrl</kbd>, enter: <kbd>Enter</kbd> })}
    {isNew && (
      <>, {rich('with {shift} it goes on to the next', { shift: <kbd>Shift</kbd> })}</>
    )}.{' '}
    <span id="arrow-keys">
      {rich('{up} and {down} lead to the other values of a field.', {
        up: <kbd>↑</kbd>,
        down: <kbd>↓</kbd>,
      })}
    </span>{' '}
    {rich('{alt}+{shift}+{up} moves a value up; a value that is emptied is removed.', {
      alt: <kbd>Alt</kbd>,
      shift: <kbd>Shift</kbd>,
      up: <kbd>↑</kbd>,
    })}
  </p>
)

const FormActions = ({ resource, id, duplicates = [], conflicts = [] }: RecordFormProps) => (
  <p class="actions">
    <button data-save aria-keyshortcuts="Control+Enter">
      {submitLabel(resource.name, id, duplicates.length > 0, conflicts.length > 0)}
    </button>
    {id === undefined && (
      <button
        class="quiet"
        name=".next"
        value="yes"
        data-save-next
        aria-keyshortcuts="Control+Shift+Enter"
      >
        {t('Save and add next')}
      </button>
    )}
    {id === undefined && (
      <button class="quiet" name=".draft" value="yes">
        {t('Save as draft')}
      </button>
    )}
    <CancelLink
      href={id === undefined ? `/api/${resource.name}/` : recordPath(resource.name, id)}
    />
  </p>
)

/** Why nothing was saved. Scripts move the focus there. */
export const Refused = ({
  children,
  ...props
}: DuplicatesProps & Pick<RecordFormProps, 'input' | 'errors'>) =>
  props.errors.size + props.duplicates.length === 0 ? null : (
    <div class="notices" tabIndex={-1} data-focus>
      {props.errors.size > 0 && <ErrorSummary {...props} />}
      {props.duplicates.length > 0 && <Duplicates {...props}>{children}</Duplicates>}
    </div>
  )

/** The record that was created from within the form; client/referred-record.ts reads it. */
const Made = ({ id, title }: NonNullable<RecordFormProps['newRecord']>) => (
  <div class="notice done" role="status" tabIndex={-1} data-focus data-made={id} data-title={title}>
    {rich('{title} is chosen. Save the form to keep it.', { title: <bdi>{title}</bdi> })}
  </div>
)

/** What people call the record, as the form has it. */
function nameOf({ resource, resources, input, lookup }: RecordFormProps): string {
  const values = Object.fromEntries(
    resource.inputFields.map(({ name, repeatable }) => {
      const texts = input.get(name) ?? []
      return [name, repeatable ? texts : (texts[0] ?? '')]
    }),
  )
  return recordHeading({ resource, values, lookup }, resources)
}

/** Looks a title up in other catalogues. */
export const LookUpForm = ({ text }: { readonly text: string }) => (
  <Form method="get" action={editingLinks.lookUp} class="look-up" role="search">
    <div class="field">
      <label for="look-up">{t('Look it up elsewhere')}</label>
      <p class="hint" id="look-up-hint">
        {t('Words of the title, or the identifier of a record. Nothing is saved.')}
      </p>
      <input type="search" id="look-up" name="q" value={text} aria-describedby="look-up-hint" />
    </div>
    <p class="actions">
      <button class="quiet">{t('Look up')}</button>
    </p>
  </Form>
)

/** What the form was filled in from, and what still has to be decided. */
const TakenOver = ({
  source: { address },
  resource,
  input,
  lookup,
  creatable = [],
}: RecordFormProps & { readonly source: TakenRecord }) => {
  /** The names that stand for nobody here, with a field that has each. */
  const unknown = new Map(
    resource.inputFields.flatMap(({ name, target }) =>
      target
        ? (input.get(name) ?? [])
            .filter((id) => !lookup({ target, id }))
            .map((id) => [id, name] as const)
        : [],
    ),
  )
  return (
    <section class="notice look" role="status">
      <p>
        {rich('Filled in from {source}. Nothing is saved yet: check every field.', {
          source: (
            <a href={address} rel="nofollow">
              {hostOf(address)}
            </a>
          ),
        })}
      </p>
      {unknown.size > 0 && (
        <>
          <p>
            {t(
              'No maker here has exactly these names. The zine cannot be saved with them: choose another maker in the field, remove the name, or create the maker.',
            )}
          </p>
          <ul>
            {[...unknown].map(([text, name]) => (
              <li key={text}>
                {creatable.includes('agents') ? (
                  <button
                    class="plain"
                    form="record-form"
                    name=".make"
                    value={`${name}:${text}`}
                    formNoValidate
                  >
                    {t(kindTexts.agents.createNamed, { typed: text })}
                  </button>
                ) : (
                  <bdi>{text}</bdi>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

/** Carries the source on, so that it is not lost while the form is shown again. */
const TakenInputs = ({ source: { address, leftOut } }: { readonly source: TakenRecord }) => (
  <>
    <input type="hidden" name=".from" value={address} />
    {[...leftOut].flatMap(([name, texts]) =>
      texts.map((text) => (
        <input key={text} type="hidden" name=".left-out" value={`${name}:${text}`} />
      )),
    )}
  </>
)

const GroupFields = ({
  group,
  focused,
  ...props
}: RecordFormProps & { readonly group: FieldGroup; readonly focused?: Field | undefined }) => (
  <div class="group-fields">
    {group.fields.map((field) => (
      <FieldBox
        key={field.name}
        {...props}
        field={field}
        values={props.input.get(field.name) ?? []}
        isFocused={field === focused}
      />
    ))}
  </div>
)

/** Whether a group is used, or has something to look at. */
const isOpen = (
  { fields }: FieldGroup,
  { input, errors, conflicts = [], source }: RecordFormProps,
): boolean => {
  const named = new Set([
    ...errors.keys(),
    ...conflicts.map(({ field }) => field.name),
    ...(source?.leftOut.keys() ?? []),
  ])
  return fields.some(
    (field) =>
      named.has(field.name) ||
      (input.get(field.name) ?? []).some((value) => value !== unusedValue(field)),
  )
}

const unusedValue = ({ kind, defaultValue }: Field): string =>
  defaultValue === undefined ? (kind === 'boolean' ? 'false' : '') : String(defaultValue)

/** The field to begin with: the first that has no value yet. The identifier is proposed later. */
function firstToFill(
  group: FieldGroup | undefined,
  input: FormInput,
  { id }: Resource,
): Field | undefined {
  const empty = group?.fields.find(
    (field) => field !== id && (input.get(field.name) ?? []).length === 0,
  )
  return empty ?? group?.fields[0]
}

function submitLabel(
  name: ResourceName,
  id: string | undefined,
  hasDuplicates: boolean,
  hasConflicts: boolean,
): string {
  if (id !== undefined) return hasConflicts ? t('Save these choices') : t('Save')
  return hasDuplicates ? t('Create anyway') : t(kindTexts[name].create)
}

const ErrorSummary = (props: Pick<RecordFormProps, 'resource' | 'input' | 'errors'>) => (
  <section class="notice wrong" role="alert">
    <h2>{t('Not saved yet')}</h2>
    <ul>
      {[...props.errors].map(([name, messages]) => (
        <li key={name}>
          {rich('{label}: {value}', {
            label: <a href={`#field-${name}`}>{fieldText(props.resource, name)}</a>,
            value: <Messages {...props} name={name} messages={messages} />,
          })}
        </li>
      ))}
    </ul>
  </section>
)

/** The errors of a field, in the words of the form. */
const Messages = ({
  resource,
  input,
  name,
  messages,
}: Pick<RecordFormProps, 'resource' | 'input'> & {
  readonly name: string
  readonly messages: readonly Message[]
}) => (
  <FieldMessages
    {...{ resource, field: resource.byName.get(name), texts: messages }}
    id={input.get(resource.id.name)?.[0] ?? ''}
  />
)

type DuplicatesProps = Pick<RecordFormProps, 'resources' | 'resource'> & {
  readonly duplicates: readonly ResolvedRecord[]
  /** What can be done with one of them. */
  readonly children?: ((record: ResolvedRecord) => ComponentChildren) | undefined
}

const Duplicates = ({ duplicates, resources, resource, children }: DuplicatesProps) => (
  <section class="notice look" role="alert" aria-label={t('Possible duplicates')}>
    <h2>{t('Possible duplicates')}</h2>
    <p>{t('Nothing is saved yet. The catalogue already has:')}</p>
    <ul class="records">
      {duplicates.map((record) => (
        <li key={record.values[record.resource.id.name]}>
          <RecordSummary record={record} resources={resources} />
          {children?.(record)}
        </li>
      ))}
    </ul>
    <p>{tKind(resource.name, 'createAnother')}</p>
  </section>
)

const Conflicts = ({
  conflicts,
  ...props
}: Pick<RecordFormProps, 'input' | 'lookup' | 'resources'> & {
  readonly conflicts: readonly EditConflict[]
}) => (
  <section class="notice look" role="alert" tabIndex={-1} data-focus>
    <h2>{t('Somebody else changed the same fields')}</h2>
    <p>
      {t(
        'Nothing is saved yet, and your text is still in the form. Their changes to other fields are kept. Choose whose value each of these fields gets:',
      )}
    </p>
    {conflicts.map((conflict) => (
      <ConflictChoice key={conflict.field.name} {...props} {...conflict} />
    ))}
  </section>
)

/** Whose value a field gets. A choice is a part of the form, which begins further down. */
const ConflictChoice = ({
  field,
  current,
  change,
  input,
  lookup,
  resources,
}: Pick<RecordFormProps, 'input' | 'lookup' | 'resources'> & EditConflict) => {
  const typedTexts = (input.get(field.name) ?? []).map((text) =>
    valueText(field, text, { resources, lookup }),
  )
  const currentTexts = valueTexts(field, current.values, { resources, lookup: current.lookup })
  const choice = (whose: 'mine' | 'theirs', label: ComponentChildren, texts: readonly string[]) => (
    <label class="choice">
      <input
        type="radio"
        form="record-form"
        name={takenName(field.name)}
        value={whose}
        checked={whose === 'mine'}
      />
      <span>
        {rich('{label}: {value}', {
          label,
          value: texts.length === 0 ? t('(nothing)') : <bdi class="text">{texts.join('\n')}</bdi>,
        })}
      </span>
    </label>
  )
  return (
    <fieldset class="field">
      <legend class="field-name">{t(field.formLabel)}</legend>
      <p class="hint">
        <ChangeAuthor change={change} />
      </p>
      {choice('theirs', t('Theirs'), currentTexts)}
      {choice(
        'mine',
        <a href={`#field-${field.name}`}>{t('Mine, as it is in the form')}</a>,
        typedTexts,
      )}
    </fieldset>
  )
}

type FieldBoxProps = Omit<RecordFormProps, 'context'> & {
  readonly field: Field
  readonly values: readonly string[]
  /** The form begins here. */
  readonly isFocused?: boolean
}

export const FieldBox = (props: FieldBoxProps) => {
  const { field, errors } = props
  const messages = errors.get(field.name) ?? []
  const Body = field.repeatable ? Rows : Single
  const id = `field-${field.name}`
  return (
    <div
      class={['field', ...fieldClasses(props, messages)].join(' ')}
      id={field.repeatable ? id : undefined}
    >
      {field.repeatable ? (
        <p class="field-name" id={`${id}-name`}>
          {t(field.formLabel)} <Required field={field} />
        </p>
      ) : (
        field.kind !== 'boolean' && (
          <p class="field-name">
            <label for={id}>{t(field.formLabel)}</label>{' '}
            {isProposed(props) ? (
              <span class="optional">{t('proposed if empty')}</span>
            ) : (
              <Required field={field} />
            )}
          </p>
        )
      )}
      {field.kind !== 'boolean' && <Hint field={field} />}
      {isProposed(props) && <NameWarning {...props} />}
      {messages.length > 0 && (
        <p class="message" id={`${id}-wrong`}>
          <Messages {...props} name={field.name} messages={messages} />
        </p>
      )}
      <Body {...props} />
      <LeftOut texts={props.source?.leftOut.get(field.name) ?? []} />
    </div>
  )
}

/** What the record of another catalogue has for a field and no value here can say. */
const LeftOut = ({ texts }: { readonly texts: readonly string[] }) =>
  texts.length === 0 ? null : (
    <p class="hint" dir="auto">
      {t('Not taken over: {texts}', { texts: texts.map(quoted).join(', ') })}
    </p>
  )

const fieldClasses = (
  { field, resource }: FieldBoxProps,
  messages: readonly Message[],
): readonly string[] => [
  ...(messages.length > 0 ? ['wrong'] : []),
  ...(field === resource.title || (!field.repeatable && isLong(field, '')) ? ['whole-row'] : []),
]

/** The fields that an identifier is made of: title and issue, or the records that it names. */
export const identifyingFields = ({ title, summary, inputFields }: Resource): readonly Field[] =>
  title
    ? [title, ...(summary.subtitle ? [summary.subtitle] : [])]
    : inputFields.filter(({ target, required }) => target && required)

/** The fields of which the identifier of a new record is made, and those whose names it may have. */
const fieldsBeside = (resource: Resource): readonly Field[] => [
  ...identifyingFields(resource),
  ...resource.inputFields.filter(({ target, name }) => target === 'agents' && name === 'creator'),
]

/** A browser with JavaScript brings it up to date while the form is filled in. */
const NameWarning = ({ resource, input, lookup }: FieldBoxProps) => (
  <p class="hint" role="status" data-name-warning>
    {identifierHasName(resource, input, lookup) &&
      t('This address contains the name. It cannot be changed silently later.')}
  </p>
)

/** The identifier of a new record is proposed where it is left empty. */
const isProposed = ({ field, resource, id }: FieldBoxProps): boolean =>
  field === resource.id && id === undefined

const Required = ({ field }: { readonly field: Field }) =>
  field.required && field.nonEmpty ? <span class="required">{t('required')}</span> : null

const Hint = ({ field }: { readonly field: Field }) => (
  <p class="hint" id={`field-${field.name}-hint`}>
    {withCode(t(field.hint))}
  </p>
)

/** A hint whose examples are between backticks. */
const withCode = (hint: string) =>
  hint.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))

const describedBy = ({ field, errors }: FieldBoxProps): string =>
  [
    `field-${field.name}-hint`,
    ...(errors.has(field.name) ? [`field-${field.name}-wrong`] : []),
  ].join(' ')

const Single = (props: FieldBoxProps) => {
  const { field, values, errors } = props
  const id = `field-${field.name}`
  const value = values[0] ?? ''
  const attributes = {
    id,
    name: field.name,
    'data-focus': props.isFocused ? '' : undefined,
    'data-identifier': isProposed(props)
      ? fieldsBeside(props.resource)
          .map(({ name }) => name)
          .join(' ')
      : undefined,
    'aria-describedby': describedBy(props),
    'aria-invalid': errors.has(field.name) ? ('true' as const) : undefined,
  }
  if (field.kind === 'boolean')
    return (
      <>
        <label class="choice">
          <input type="checkbox" value="true" checked={value === 'true'} {...attributes} />
          <span>{t(field.formLabel)}</span>
        </label>
        <Hint field={field} />
      </>
    )
  if (field.vocabulary && field.vocabulary.entries.length <= maxOptions)
    return <CodeSelect {...{ field, value, attributes }} />
  if (field.kind === 'reference' || field.vocabulary)
    return (
      <>
        <Picker {...props} {...{ value, attributes }} />
        <NewReferred {...props} />
      </>
    )
  if (isLong(field, value))
    return (
      <textarea rows={4} {...attributes}>
        {value}
      </textarea>
    )
  return (
    <input
      type="text"
      inputMode={inputModes[field.kind]}
      value={value}
      required={field.nonEmpty && !isProposed(props)}
      autocomplete="off"
      {...attributes}
    />
  )
}

// The longest vocabulary shown as a select; the entries of longer ones are searched.
const maxOptions = 300

const inputModes: Partial<Record<Field['kind'], 'url' | 'email' | 'numeric'>> = {
  url: 'url',
  link: 'url',
  email: 'email',
  integer: 'numeric',
}

// A single-line input would lose the line breaks of a value.
const isLong = ({ maxLength, kind }: Field, value: string): boolean =>
  kind === 'text' && (maxLength === undefined || value.includes('\n'))

type InputAttributes = Readonly<Record<string, string | undefined>> & { readonly name: string }

const CodeSelect = ({
  field: { vocabulary, nonEmpty },
  value,
  attributes,
}: {
  readonly field: Field
  readonly value: string
  readonly attributes: Pick<SelectProps, 'name'>
}) => (
  <Select
    {...attributes}
    value={value}
    options={[
      ['', nonEmpty ? t('Choose …') : t('(none)')],
      ...(value === '' || vocabulary?.find(value) ? [] : [[value, value] as const]),
      ...codeOptions(vocabulary),
    ]}
  />
)

/** The values of a repeatable field, each in a row of its own, and an empty row for another. */
const Rows = (props: FieldBoxProps) => {
  const { field, values } = props
  const rows = [...values, '']
  const id = `field-${field.name}`
  return (
    <>
      <ol class="rows" data-rows={field.name} aria-labelledby={`${id}-name`}>
        {rows.map((value, index) => (
          <li key={index}>
            <RowInput {...props} value={value} index={index} />
            <span class="row-buttons">
              <button
                class="quiet small"
                name=".up"
                value={`${field.name}:${index}`}
                formNoValidate
                disabled={index === 0}
                aria-label={t('Move {label} {number} up', {
                  label: t(field.label).toLowerCase(),
                  number: index + 1,
                })}
              >
                ↑
              </button>
              <button
                class="quiet small"
                name=".drop"
                value={`${field.name}:${index}`}
                formNoValidate
                aria-label={t('Remove {label} {number}', {
                  label: t(field.label).toLowerCase(),
                  number: index + 1,
                })}
              >
                ×
              </button>
            </span>
          </li>
        ))}
      </ol>
      <button class="quiet small" name=".more" value={field.name} formNoValidate>
        {t('+ Add {label}', { label: t(field.label).toLowerCase() })}
      </button>{' '}
      <NewReferred {...props} />
      {field.vocabulary && <CodeList field={field} />}
    </>
  )
}

/** Leads to the small form for a record that the field refers to. */
const NewReferred = ({ field: { name, target }, creatable = [] }: FieldBoxProps) =>
  target && smallForms.has(target) && creatable.includes(target) ? (
    <button class="quiet small" name=".make" value={name} formNoValidate>
      {t(kindTexts[target].new)}
    </button>
  ) : null

/** Whether something is wrong with a value of a list, or with the list as a whole. */
const isInvalid = ({ field, errors, values }: FieldBoxProps, index: number): boolean => {
  const value = values[index]
  if (value === undefined && index > 0) return false
  return (errors.get(field.name) ?? []).some((message) => {
    if (message instanceof ItemMessage) return message.number === index + 1
    const { values: named } = typeof message === 'string' ? {} : message.values
    return named === undefined || `, ${String(named)}, `.includes(`, ${value}, `)
  })
}

const RowInput = (props: FieldBoxProps & { readonly value: string; readonly index: number }) => {
  const { field, value, index } = props
  const attributes = {
    name: field.name,
    'data-focus': props.isFocused && index === 0 ? '' : undefined,
    'aria-label': `${t(field.label)} ${index + 1}`,
    'aria-describedby': describedBy(props),
    'aria-invalid': isInvalid(props, index) ? ('true' as const) : undefined,
    // While it is shown, the row is empty: there is nothing to move or remove (assets/site.css).
    placeholder: ' ',
  }
  if (field.kind === 'reference' || field.vocabulary)
    return <Picker {...props} attributes={attributes} />
  return <TextInput field={field} value={value} rows={1} attributes={attributes} />
}

/** An input for one value of a field, in another form than that of its record. */
export const ValueInput = ({
  field,
  value,
  name,
  label,
  lookup,
  resources,
}: Pick<FieldBoxProps, 'field' | 'lookup' | 'resources'> & {
  readonly value: string
  readonly name: string
  readonly label: string
}) => {
  const attributes = { name, 'aria-label': label }
  if (field.kind === 'boolean')
    return (
      <Select
        {...attributes}
        value={value}
        options={[
          ['false', t('No')],
          ['true', t('Yes')],
        ]}
      />
    )
  if (field.vocabulary && field.vocabulary.entries.length <= maxOptions)
    return <CodeSelect {...{ field: { ...field, nonEmpty: true }, value, attributes }} />
  if (field.kind === 'reference' || field.vocabulary)
    return (
      <>
        <Picker {...{ field, value, lookup, resources, attributes }} />
        {field.vocabulary && <CodeList field={field} />}
      </>
    )
  return <TextInput field={field} value={value} rows={3} attributes={attributes} />
}

/** An input for a text: a long one has several lines. */
const TextInput = ({
  field,
  value,
  rows,
  attributes,
}: Pick<FieldBoxProps, 'field'> & {
  readonly value: string
  readonly rows: number
  readonly attributes: Readonly<Record<string, string | undefined>>
}) =>
  isLong(field, value) ? (
    <textarea rows={rows} {...attributes}>
      {value}
    </textarea>
  ) : (
    <input
      type="text"
      inputMode={inputModes[field.kind]}
      value={value}
      autocomplete="off"
      {...attributes}
    />
  )

/** An input for a code or identifier that is picked by search, with its label beside it. */
const Picker = ({
  field,
  value,
  lookup,
  resources,
  creatable = [],
  attributes,
}: Pick<FieldBoxProps, 'field' | 'lookup' | 'resources' | 'creatable'> & {
  readonly value: string
  readonly attributes: InputAttributes
}) => {
  const { source, id, title, details } = pickerSource(field, resources)
  const create = field.target && creatable.includes(field.target) ? field.target : undefined
  const isSmall = create !== undefined && smallForms.has(create)
  return (
    <span class="picked">
      <input
        type="text"
        value={value}
        autocomplete="off"
        list={field.vocabulary && `codes-${field.name}`}
        data-picker={source}
        data-picker-id={id}
        data-picker-title={title}
        data-picker-details={details}
        data-picker-create-text={create && tKind(create, 'createNamed')}
        data-picker-create={
          create && !isSmall ? `${editingLinks.create(create)}?${title}=` : undefined
        }
        data-picker-make={isSmall ? field.name : undefined}
        data-picker-label={labelOf(field, value, lookup, resources)}
        {...attributes}
      />
      <span class="picked-label">{labelOf(field, value, lookup, resources)}</span>
    </span>
  )
}

/**
 * The address where the values of a field are searched, and the keys of identifier and title in its
 * JSON. For records also the keys that tell records of one title apart, separated by spaces.
 */
export function pickerSource(
  { target, vocabulary }: Partial<Pick<Field, 'target' | 'vocabulary'>>,
  resources: Resources,
) {
  if (target) {
    const { id, title, summary } = resources[target]
    const details = [...(summary.subtitle ? [summary.subtitle] : []), ...summary.line.flat()]
    return {
      source: `/api/${target}/`,
      id: id.name,
      title: title?.name ?? id.name,
      details: details
        .filter((field) => field.inLists)
        .map((field) => detailKey(field, resources))
        .join(' '),
    }
  }
  return { source: vocabulary ? entryPath(vocabulary) : '', id: 'code', title: 'label' }
}

/** The key of a field in JSON; for a reference, with the key of the title in its nested object. */
function detailKey({ outputName, target, nested }: Field, resources: Resources): string {
  if (!nested) return outputName
  return `${outputName}.${target ? (resources[target].title?.name ?? '') : 'label'}`
}

function labelOf(field: Field, value: string, lookup: RecordLookup, resources: Resources): string {
  if (value === '') return ''
  const { target, vocabulary } = field
  if (!target) return vocabulary?.find(value) ? codeText(vocabulary, value) : ''
  const referred = lookup({ target, id: value })
  return referred ? titleOf(resources, target, referred) : ''
}

/** The codes with their labels, for browsers without scripts. */
const CodeList = ({ field: { name, vocabulary } }: { readonly field: Field }) => (
  <datalist id={`codes-${name}`}>
    <Options options={codeOptions(vocabulary)} />
  </datalist>
)

/** The question before a record is deleted, with the effects on other records. */
export const RemoveRecordPage = ({
  context,
  resource,
  id,
  title,
  version,
  effects,
  typedName,
  notice,
}: {
  readonly context: PageContext
  readonly resource: Resource
  readonly id: string
  readonly title: string
  readonly version: string
  /** The other records that are deleted or changed, with links to them. */
  readonly effects: readonly { readonly text: string; readonly path: string }[]
  /** What was typed as the name of the record; undefined if it need not be typed. */
  readonly typedName?: string | undefined
  readonly notice?: Notice | undefined
}) => (
  <FormPage context={context} title={t('Delete {title}?', { title })} notice={notice}>
    <div class="lead">
      <p>{rich(kindTexts[resource.name].removal, { id: <code>{id}</code> })}</p>
      {effects.map(({ text, path }) => (
        <p key={path}>
          <a href={path}>{text}</a>
        </p>
      ))}
    </div>
    <Form context={context} action={editingLinks.remove(resource.name, id)}>
      <input type="hidden" name=".version" value={version} />
      {typedName !== undefined && (
        <NameToType
          label={t('Type its name to delete it')}
          title={title}
          typed={typedName}
          required
        />
      )}
      <p class="actions">
        <button class="danger">{t('Delete')}</button>
        <CancelLink href={recordPath(resource.name, id)} />
      </p>
    </Form>
  </FormPage>
)
