// The form of a record, made from the facts: every field that is written, with what helps to fill it
// in and what was wrong with it. It works without scripts; scripts search while somebody types.

import { titleOf } from '../../model/record/title.js'
import type { Field, Resource, Resources } from '../../model/resources.js'
import type { RecordLookup, ResolvedRecord } from '../../model/record/views.js'
import type { FieldErrors } from '../../model/record/input.js'
import { editingLinks, entryPath, recordPath } from '../links.js'
import { Csrf, type PageContext } from '../layout.js'
import { RecordSummary } from '../components/record-summary.js'
import { FormPage, type Notice } from '../form-layout.js'

/** What stands in the form, as it was typed: the values of each field, by its name. */
export type FormInput = ReadonlyMap<string, readonly string[]>

export type RecordFormProps = {
  readonly visit: PageContext
  readonly resource: Resource
  readonly resources: Resources
  /** The record that is changed; undefined for a new one. */
  readonly id: string | undefined
  readonly typed: FormInput
  readonly failures: FieldErrors
  readonly notice?: Notice | undefined
  /** The version that was read, to tell whether somebody else wrote meanwhile. */
  readonly version?: string | undefined
  /** What the record says now where somebody else changed it. */
  readonly others?: readonly EditConflict[]
  /** Records that may be the same as the one to be made. */
  readonly duplicates?: readonly ResolvedRecord[]
  /** The cards of those that the form names. */
  readonly cards: RecordLookup
}

/** What a field says now, which is not what is typed. */
export type EditConflict = { readonly field: Field; readonly now: string }

export const RecordFormPage = (props: RecordFormProps) => {
  const { visit, resource, id, typed, failures, notice, version, others = [] } = props
  const { duplicates = [], resources } = props
  const noun = resource.noun.toLowerCase()
  const fields = resource.inputFields.filter((field) => id === undefined || field !== resource.id)
  return (
    <FormPage
      visit={visit}
      title={id === undefined ? `New ${noun}` : `Edit ${noun} ${id}`}
      notice={notice}
      scripts={['form.js']}
    >
      {failures.size > 0 && <Wrongs resource={resource} failures={failures} />}
      {others.length > 0 && <Others others={others} />}
      <form
        method="post"
        action={
          id === undefined
            ? editingLinks.create(resource.name)
            : editingLinks.edit(resource.name, id)
        }
        class="record-form"
        data-form
      >
        <Csrf token={visit.csrf} />
        {/* The first button of a form is the one that Enter presses. */}
        <button class="sr" tabIndex={-1} aria-hidden="true">
          Save
        </button>
        {version !== undefined && <input type="hidden" name=".version" value={version} />}
        {fields.map((field) => (
          <FieldBox
            key={field.name}
            {...props}
            field={field}
            values={typed.get(field.name) ?? []}
          />
        ))}
        {duplicates.length > 0 && (
          <section class="notice look" role="alert" aria-label="Possible duplicates">
            <h2>Is it one of these?</h2>
            <ul class="records">
              {duplicates.map((record) => (
                <li key={record.values[record.resource.id.name]}>
                  <RecordSummary record={record} resources={resources} />
                </li>
              ))}
            </ul>
            <input type="hidden" name=".confirm" value="yes" />
          </section>
        )}
        <p class="actions">
          <button>{submitLabel(noun, id, duplicates.length > 0, others.length > 0)}</button>
          <a
            class="button quiet"
            href={id === undefined ? `/api/${resource.name}/` : recordPath(resource.name, id)}
          >
            Cancel
          </a>
        </p>
      </form>
    </FormPage>
  )
}

function submitLabel(
  noun: string,
  id: string | undefined,
  isDoubtful: boolean,
  isContested: boolean,
): string {
  if (id !== undefined) return isContested ? 'Save over the other changes' : 'Save'
  return isDoubtful ? `Create the ${noun} all the same` : `Create the ${noun}`
}

const Wrongs = ({
  resource,
  failures,
}: {
  readonly resource: Resource
  readonly failures: FieldErrors
}) => (
  <section class="notice wrong" role="alert" tabIndex={-1} data-focus>
    <h2>Not saved yet</h2>
    <ul>
      {[...failures].map(([name, messages]) => (
        <li key={name}>
          <a href={`#field-${name}`}>{resource.byName.get(name)?.label ?? name}</a>:{' '}
          {messages.join(' ')}
        </li>
      ))}
    </ul>
  </section>
)

const Others = ({ others }: { readonly others: readonly EditConflict[] }) => (
  <section class="notice look" role="alert" tabIndex={-1} data-focus>
    <h2>Somebody else changed this record meanwhile</h2>
    <p>Nothing of yours is lost: it stands in the form. Where it differs, the record now says:</p>
    <dl class="fields">
      {others.map(({ field, now }) => (
        <div key={field.name}>
          <dt>
            <a href={`#field-${field.name}`}>{field.label}</a>
          </dt>
          <dd class="text">{now === '' ? '(nothing)' : now}</dd>
        </div>
      ))}
    </dl>
  </section>
)

type BoxProps = RecordFormProps & { readonly field: Field; readonly values: readonly string[] }

const FieldBox = (props: BoxProps) => {
  const { field, failures } = props
  const messages = failures.get(field.name) ?? []
  const Body = field.repeatable ? Rows : Single
  const id = `field-${field.name}`
  return (
    <div
      class={messages.length > 0 ? 'field wrong' : 'field'}
      id={field.repeatable ? id : undefined}
    >
      {field.repeatable ? (
        <p class="field-name" id={`${id}-name`}>
          {field.label} <Required field={field} />
        </p>
      ) : (
        field.kind !== 'boolean' && (
          <p class="field-name">
            <label for={id}>{field.label}</label> <Required field={field} />
          </p>
        )
      )}
      <p class="hint" id={`${id}-hint`}>
        {hintOf(field)}
      </p>
      {messages.length > 0 && (
        <p class="message" id={`${id}-wrong`}>
          {messages.join(' ')}
        </p>
      )}
      <Body {...props} />
    </div>
  )
}

const Required = ({ field }: { readonly field: Field }) =>
  field.required && field.nonEmpty ? <span class="required">required</span> : null

/** What the ontology says of the property, as far as it helps; the reasons are for others. */
const hintOf = ({ comment, private: isPrivate }: Field): string =>
  comment.replace(/ Our own because .*$/s, '') +
  (isPrivate ? ' Shown to nobody but editors unless the agent is public.' : '')

const described = ({ field, failures }: BoxProps): string =>
  [
    `field-${field.name}-hint`,
    ...(failures.has(field.name) ? [`field-${field.name}-wrong`] : []),
  ].join(' ')

const Single = (props: BoxProps) => {
  const { field, values, failures } = props
  const id = `field-${field.name}`
  const value = values[0] ?? ''
  const common = {
    id,
    name: field.name,
    'aria-describedby': described(props),
    'aria-invalid': failures.has(field.name) ? ('true' as const) : undefined,
  }
  if (field.kind === 'boolean')
    return (
      <label class="choice">
        <input type="checkbox" value="true" checked={value === 'true'} {...common} />
        {field.label}
      </label>
    )
  if (field.vocabulary && field.vocabulary.entries.length <= mostOptions)
    return <Select {...{ field, value, common }} />
  if (field.kind === 'reference' || field.vocabulary)
    return <Picked {...props} {...{ value, common }} />
  if (isLong(field, value))
    return (
      <textarea rows={4} {...common}>
        {value}
      </textarea>
    )
  return (
    <input
      type="text"
      inputMode={inputModes[field.kind]}
      value={value}
      required={field.nonEmpty}
      autocomplete="off"
      {...common}
    />
  )
}

// Beyond that, a list is searched rather than looked through.
const mostOptions = 300

const inputModes: Partial<Record<Field['kind'], 'url' | 'email' | 'numeric'>> = {
  url: 'url',
  link: 'url',
  email: 'email',
  integer: 'numeric',
}

// A single line would lose the breaks that a value has.
const isLong = ({ maxLength, kind }: Field, value: string): boolean =>
  kind === 'text' && (maxLength === undefined || value.includes('\n'))

type Common = Readonly<Record<string, string | undefined>> & { readonly name: string }

const Select = ({
  field,
  value,
  common,
}: {
  readonly field: Field
  readonly value: string
  readonly common: object
}) => {
  const entries = field.vocabulary?.entries ?? []
  return (
    <select {...common}>
      <option value="">{field.nonEmpty ? 'Choose …' : '(none)'}</option>
      {value !== '' && !entries.some(({ code }) => code === value) && (
        <option value={value} selected>
          {value}
        </option>
      )}
      {entries.map(({ code, label }) => (
        <option key={code} value={code} selected={code === value}>
          {label}
        </option>
      ))}
    </select>
  )
}

/** The values of a repeatable field, each in a row of its own, and one row for another. */
const Rows = (props: BoxProps) => {
  const { field, values } = props
  const rows = [...values, '']
  const id = `field-${field.name}`
  return (
    <>
      <ol class="rows" data-rows={field.name} aria-labelledby={`${id}-name`}>
        {rows.map((value, index) => (
          <li key={index}>
            <Row {...props} value={value} index={index} />
            <span class="row-buttons">
              <button
                class="quiet small"
                name=".up"
                value={`${field.name}:${index}`}
                formNoValidate
                disabled={index === 0}
                aria-label={`Move ${field.label.toLowerCase()} ${index + 1} up`}
              >
                ↑
              </button>
              <button
                class="quiet small"
                name=".drop"
                value={`${field.name}:${index}`}
                formNoValidate
                aria-label={`Remove ${field.label.toLowerCase()} ${index + 1}`}
              >
                ×
              </button>
            </span>
          </li>
        ))}
      </ol>
      <button class="quiet small" name=".more" value={field.name} formNoValidate>
        Another {field.label.toLowerCase()}
      </button>
      {field.vocabulary && <CodeList field={field} />}
    </>
  )
}

const Row = (props: BoxProps & { readonly value: string; readonly index: number }) => {
  const { field, value, index } = props
  const common = {
    name: field.name,
    'aria-label': `${field.label} ${index + 1}`,
    'aria-describedby': described(props),
  }
  if (field.kind === 'reference' || field.vocabulary) return <Picked {...props} common={common} />
  return isLong(field, value) ? (
    <textarea rows={1} {...common}>
      {value}
    </textarea>
  ) : (
    <input
      type="text"
      inputMode={inputModes[field.kind]}
      value={value}
      autocomplete="off"
      {...common}
    />
  )
}

/** What is picked from a list that is too long to be shown: its code or identifier, with its name beside it. */
const Picked = ({
  field,
  value,
  cards,
  resources,
  common,
}: BoxProps & { readonly value: string; readonly common: Common }) => {
  const { source, id, title } = sourceOf(field, resources)
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
        data-picker-label={labelOf(field, value, cards, resources)}
        {...common}
      />
      <span class="picked-label">{labelOf(field, value, cards, resources)}</span>
    </span>
  )
}

/** Where the values of a field are searched, and which keys of what is found there are which. */
function sourceOf({ target, vocabulary }: Field, resources: Resources) {
  if (target) {
    const { id, title } = resources[target]
    return { source: `/api/${target}/`, id: id.name, title: title?.name ?? id.name }
  }
  return { source: vocabulary ? entryPath(vocabulary) : '', id: 'code', title: 'label' }
}

function labelOf(field: Field, value: string, cards: RecordLookup, resources: Resources): string {
  if (value === '') return ''
  if (!field.target) return field.vocabulary?.find(value)?.label ?? ''
  const card = cards({ target: field.target, id: value })
  return card ? titleOf(resources, field.target, card) : ''
}

/** For browsers without scripts: what the codes are. */
const CodeList = ({ field }: { readonly field: Field }) => (
  <datalist id={`codes-${field.name}`}>
    {field.vocabulary?.entries.map(({ code, label }) => (
      <option key={code} value={code}>
        {label}
      </option>
    ))}
  </datalist>
)

/** What goes when a record is deleted, before it does. */
export const RemoveRecordPage = ({
  visit,
  resource,
  id,
  title,
  version,
  effects,
  notice,
}: {
  readonly visit: PageContext
  readonly resource: Resource
  readonly id: string
  readonly title: string
  readonly version: string
  /** What else is deleted, or left without it. */
  readonly effects: readonly { readonly text: string; readonly path: string }[]
  readonly notice?: Notice | undefined
}) => (
  <FormPage visit={visit} title={`Delete ${title}?`} notice={notice}>
    <div class="lead">
      <p>
        The {resource.noun.toLowerCase()} <code>{id}</code> will be deleted for good.
      </p>
      {effects.map(({ text, path }) => (
        <p key={path}>
          <a href={path}>{text}</a>
        </p>
      ))}
    </div>
    <form method="post" action={editingLinks.remove(resource.name, id)} class="actions">
      <Csrf token={visit.csrf} />
      <input type="hidden" name=".version" value={version} />
      <button class="danger">Delete</button>
      <a class="button quiet" href={recordPath(resource.name, id)}>
        Keep it
      </a>
    </form>
  </FormPage>
)
