// The pages of batches: the form that edits many records at once, the preview of what it would change,
// and the batches that were written, with what undoes them.

import { Fragment } from 'preact'

import type { PageLinks } from '../../formats/serializer.js'
import type { ResourceName } from '../../model/iris.js'
import { labelOfReference } from '../../model/record/title.js'
import type { RecordValues } from '../../model/record/values.js'
import type { RecordLookup, Reference } from '../../model/record/views.js'
import type { Field, Resource, Resources } from '../../model/resources.js'
import { Time, textsIn } from '../components/field-value.js'
import { FormPage, MessagePage, type Notice } from '../form-layout.js'
import { Csrf, type PageContext } from '../layout.js'
import { editingLinks, listPath, nounFor, recordPath } from '../links.js'
import { Pager } from './list.js'
import { ValueInput } from './record-form.js'

/** What is done to a field of many records. */
export type EditAction = 'add' | 'remove' | 'replace' | 'set' | 'clear'

/** What is done to one field. */
export type ChosenEdit = {
  readonly field: Field
  readonly action: EditAction
  /** The value that is removed or replaced. */
  readonly old: string
  readonly value: string
}

/** A batch edit as it was chosen so far. */
export type BatchEditInput = {
  /** The query of the list whose records are edited; without one, those with these identifiers. */
  readonly query: string
  readonly ids: readonly string[]
  /** What was chosen for other fields before. */
  readonly earlier: readonly ChosenEdit[]
} & Omit<ChosenEdit, 'field'> & { readonly field: Field | undefined }

type BatchEditProps = {
  readonly context: PageContext
  readonly resource: Resource
  readonly resources: Resources
  readonly input: BatchEditInput
  /** How many records are to be edited. */
  readonly count: number
  readonly lookup: RecordLookup
  readonly notice?: Notice | undefined
}

const countOf = (count: number, name: ResourceName): string =>
  `${count.toLocaleString('en')} ${nounFor(name, count)}`

/** What may be done to a field, with the words of the form. */
export const actionsFor = ({ repeatable, nonEmpty, kind }: Field): readonly EditAction[] =>
  repeatable
    ? ['add', 'remove', 'replace']
    : nonEmpty || kind === 'boolean'
      ? ['set']
      : ['set', 'clear']

/** The fields that can be edited in many records at once. */
export const editableFields = ({ inputFields, id }: Resource): readonly Field[] =>
  inputFields.filter((field) => field !== id)

export const BatchEditPage = (props: BatchEditProps) => {
  const { context, resource, input, count, notice } = props
  return (
    <FormPage
      context={context}
      title={`Edit ${countOf(count, resource.name)}`}
      notice={notice}
      scripts={['form.js']}
    >
      <p class="lead">
        Choose a field and what to do with it. Before anything is written, you see what would
        change.
      </p>
      <form method="post" action={editingLinks.batchEdit(resource.name)} class="narrow" data-form>
        <Csrf token={context.csrf} />
        {/* Enter activates the first button of a form, which has to be the one that goes on. */}
        <button
          class="visually-hidden"
          tabIndex={-1}
          aria-hidden="true"
          name="do"
          value={input.field ? 'preview' : 'choose'}
        >
          Go on
        </button>
        <Selection input={input} />
        <EarlierEdits {...props} />
        <div class="field">
          <label for="field">Field</label>
          <select id="field" name="field">
            {editableFields(resource).map((field) => (
              <option key={field.name} value={field.name} selected={field === input.field}>
                {field.formLabel}
              </option>
            ))}
          </select>
        </div>
        {!input.field && (
          <p class="actions">
            <button name="do" value="choose">
              Go on
            </button>
            {input.earlier.length > 0 && (
              <button class="quiet" name="do" value="preview">
                Preview without another field
              </button>
            )}
          </p>
        )}
        {input.field && (
          <>
            <p class="actions">
              <button class="quiet small" name="do" value="choose">
                Change the field
              </button>
            </p>
            <input type="hidden" name="chosen" value={input.field.name} />
            <ActionFields {...props} field={input.field} />
            <p class="actions">
              <button name="do" value="preview">
                Preview
              </button>
              <button class="quiet" name="do" value="another">
                Add another field
              </button>
              <a class="button quiet" href={listPath(resource.name)}>
                Cancel
              </a>
            </p>
          </>
        )}
      </form>
    </FormPage>
  )
}

/** Which records are edited, carried from page to page. */
const Selection = ({ input: { query, ids, earlier } }: Pick<BatchEditProps, 'input'>) => (
  <>
    {earlier.map(({ field, ...edit }, index) => (
      <input
        key={index}
        type="hidden"
        name="edit"
        value={JSON.stringify({ field: field.name, ...edit })}
      />
    ))}
    <input type="hidden" name="query" value={query} />
    {ids.map((id) => (
      <input key={id} type="hidden" name="id" value={id} />
    ))}
  </>
)

/** What was chosen for other fields, each with a button that takes it back. */
const EarlierEdits = ({ input: { earlier }, resources, lookup }: BatchEditProps) => {
  if (earlier.length === 0) return null
  return (
    <section class="field">
      <h2 class="label">Chosen so far</h2>
      <ul>
        {earlier.map((edit, index) => (
          <li key={index}>
            {describeEdit(edit, { resources, lookup })}{' '}
            <button
              class="quiet small"
              name="drop"
              value={String(index)}
              aria-label={`Take back: ${describeEdit(edit, { resources, lookup })}`}
            >
              Take back
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** An edit in words, such as `Subjects: replace “Punk” by “Music”`. */
function describeEdit(
  { field, action, old, value }: ChosenEdit,
  { resources, lookup }: Pick<BatchEditProps, 'resources' | 'lookup'>,
): string {
  const quote = (text: string): string => `“${labelOfValue(field, text, { resources, lookup })}”`
  const words: Readonly<Record<EditAction, () => string>> = {
    add: () => `add ${quote(value)}`,
    remove: () => `remove ${quote(old)}`,
    replace: () => `replace ${quote(old)} by ${quote(value)}`,
    set: () => `set to ${quote(value)}`,
    clear: () => 'clear',
  }
  return `${field.formLabel}: ${words[action]()}`
}

/** What pages call a value: the label of a code, the title of a record, or the text itself. */
const labelOfValue = (
  { target, vocabulary }: Field,
  text: string,
  { resources, lookup }: Pick<BatchEditProps, 'resources' | 'lookup'>,
): string =>
  target
    ? labelOfReference(resources, lookup, { target, id: text })
    : (vocabulary?.find(text)?.label ?? text)

const ActionFields = ({
  field,
  input,
  lookup,
  resources,
}: BatchEditProps & { readonly field: Field }) => {
  const actions = actionsFor(field)
  const label = field.formLabel.toLowerCase()
  const valueInput = (name: 'old' | 'value', text: string) => (
    <ValueInput {...{ field, name, lookup, resources, label: text, value: input[name] }} />
  )
  return (
    <>
      <fieldset class="field">
        <legend>What to do</legend>
        <div class="choices">
          {actions.map((action, index) => (
            <label key={action} class="choice">
              <input
                type="radio"
                name="action"
                value={action}
                checked={
                  action === input.action || (index === 0 && !actions.includes(input.action))
                }
              />
              {actionWords[action]}
            </label>
          ))}
        </div>
      </fieldset>
      {actions.includes('remove') && (
        <div class="field">
          <p class="field-name">To remove, or to replace</p>
          {valueInput('old', `The ${label} to remove or replace`)}
        </div>
      )}
      <div class="field">
        <p class="field-name">{actions.includes('add') ? 'To add, or to put in place' : 'Value'}</p>
        {valueInput('value', `The new ${label}`)}
      </div>
    </>
  )
}

const actionWords: Readonly<Record<EditAction, string>> = {
  add: 'Add a value',
  remove: 'Remove a value',
  replace: 'Replace a value',
  set: 'Set the value',
  clear: 'Clear it',
}

/** The values of a record before and after an edit. */
export type EditDifference = {
  readonly reference: Reference
  readonly before: RecordValues
  readonly after: RecordValues
}

/** A record that the edit cannot be made to, and why. */
export type EditFailure = { readonly reference: Reference; readonly messages: readonly string[] }

type PreviewProps = BatchEditProps & {
  readonly edits: readonly ChosenEdit[]
  /** How many records would change, and some of them. */
  readonly changed: number
  readonly differences: readonly EditDifference[]
  /** How many records the edit cannot be made to, and some of them. */
  readonly failed: number
  readonly failures: readonly EditFailure[]
}

export const BatchPreviewPage = (props: PreviewProps) => {
  const { context, resource, resources, input, edits, lookup } = props
  const fields = [...new Set(edits.map(({ field }) => field))]
  const { count, changed, failed, differences, failures } = props
  const unchanged = count - changed - failed
  return (
    <FormPage
      context={context}
      title={`Change ${countOf(changed, resource.name)}?`}
      notice={props.notice}
    >
      <ul class="lead">
        <li>
          <strong>{changed.toLocaleString('en')}</strong> would change.
        </li>
        {unchanged > 0 && <li>{unchanged.toLocaleString('en')} are so already.</li>}
        {failed > 0 && (
          <li>
            <strong>{failed.toLocaleString('en')}</strong> cannot be changed and would stay as they
            are.
          </li>
        )}
      </ul>
      <form method="post" action={editingLinks.batchEdit(resource.name)} class="actions">
        <Csrf token={context.csrf} />
        <Selection input={input} />
        {input.field && (
          <>
            <input type="hidden" name="field" value={input.field.name} />
            <input type="hidden" name="chosen" value={input.field.name} />
            <input type="hidden" name="action" value={input.action} />
            <input type="hidden" name="old" value={input.old} />
            <input type="hidden" name="value" value={input.value} />
          </>
        )}
        <input type="hidden" name="expected" value={String(changed)} />
        {changed > 0 && (
          <button name="do" value="write">
            Change {countOf(changed, resource.name)}
          </button>
        )}
        <button class="quiet" name="do" value="choose">
          Back
        </button>
      </form>
      {changed > 1000 && <p class="hint">This takes some seconds. A page shows how far it is.</p>}
      {failures.length > 0 && (
        <section class="panel">
          <h2>What would fail</h2>
          <ul>
            {failures.map(({ reference, messages }) => (
              <li key={reference.id}>
                <RecordLink {...{ reference, resources, lookup }} />: {messages.join(' ')}
              </li>
            ))}
          </ul>
          {failed > failures.length && (
            <p>And {(failed - failures.length).toLocaleString('en')} more.</p>
          )}
        </section>
      )}
      {differences.length > 0 && (
        <section class="panel">
          <h2>What would change</h2>
          <div class="scroll" tabIndex={0} role="region" aria-label="What would change">
            <table>
              <thead>
                <tr>
                  <th scope="col">Record</th>
                  {fields.map((field) => (
                    <Fragment key={field.name}>
                      <th scope="col">{field.formLabel} before</th>
                      <th scope="col">{field.formLabel} after</th>
                    </Fragment>
                  ))}
                </tr>
              </thead>
              <tbody>
                {differences.map(({ reference, before, after }) => (
                  <tr key={reference.id}>
                    <th scope="row">
                      <RecordLink {...{ reference, resources, lookup }} />
                    </th>
                    {fields.map((field) => (
                      <Fragment key={field.name}>
                        <td>
                          <FieldTexts
                            {...{ field, resources, lookup, values: before, other: after }}
                            tone="del"
                          />
                        </td>
                        <td>
                          <FieldTexts
                            {...{ field, resources, lookup, values: after, other: before }}
                            tone="ins"
                          />
                        </td>
                      </Fragment>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {changed > differences.length && (
            <p>And {(changed - differences.length).toLocaleString('en')} more.</p>
          )}
        </section>
      )}
    </FormPage>
  )
}

const RecordLink = ({
  reference,
  resources,
  lookup,
}: {
  readonly reference: Reference
  readonly resources: Resources
  readonly lookup: RecordLookup
}) =>
  lookup(reference) ? (
    <a href={recordPath(reference.target, reference.id)}>
      {labelOfReference(resources, lookup, reference)}
    </a>
  ) : (
    <code>{reference.id}</code>
  )

/** The values of a field; those that the other version does not have are marked. */
const FieldTexts = ({
  field,
  resources,
  lookup,
  values,
  other,
  tone: Mark,
}: {
  readonly field: Field
  readonly resources: Resources
  readonly lookup: RecordLookup
  readonly values: RecordValues
  readonly other: RecordValues
  readonly tone: 'ins' | 'del'
}) => {
  const others = textsIn(field, other)
  const texts = textsIn(field, values)
  if (texts.length === 0) return <>(nothing)</>
  return (
    <ul class="values">
      {texts.map((text) => {
        const label = labelOfValue(field, text, { resources, lookup })
        return (
          <li key={text} class="text" dir="auto">
            {others.includes(text) ? label : <Mark>{label}</Mark>}
          </li>
        )
      })}
    </ul>
  )
}

type BatchProgressProps = {
  readonly context: PageContext
  readonly job: {
    readonly done: number
    readonly total: number
    readonly error: Error | undefined
  }
  /** Whether it failed because somebody else changed records meanwhile. */
  readonly isChanged: boolean
}

/** How far a batch is that is being written, or that it was not written. */
export const BatchProgressPage = ({ context, job, isChanged }: BatchProgressProps) => {
  if (job.error)
    return (
      <MessagePage context={context} title="Nothing was changed">
        <p>
          {isChanged
            ? 'Somebody else changed records meanwhile. Go back to the list, and look at the preview again.'
            : 'Something went wrong. No record was changed.'}
        </p>
      </MessagePage>
    )
  const { done, total } = job
  return (
    <FormPage context={context} title="Being written">
      <p class="lead">
        {total === 0
          ? 'It begins when other changes are written.'
          : `${done.toLocaleString('en')} of ${total.toLocaleString('en')} are checked. Then all are written at once.`}
      </p>
      <p>
        <progress max={Math.max(total, 1)} value={done} aria-label="How far it is" />
      </p>
      <p class="hint">
        This page is loaded again every two seconds. You may leave it: the work goes on.
      </p>
      <p>
        <a href={editingLinks.batches}>All batches</a>
      </p>
    </FormPage>
  )
}

/** A batch as pages show it. */
export type ShownBatch = {
  readonly id: string
  readonly at: string
  readonly account?: string | undefined
  readonly how: string
  readonly count: number
  readonly kinds: Readonly<Record<string, Readonly<Record<string, number | undefined>>>>
  readonly undoes?: string | undefined
  readonly undoneBy?: string | undefined
}

type BatchesPageProps = {
  readonly context: PageContext
  readonly batches: readonly ShownBatch[]
  readonly count: number
  readonly page: { readonly number: number; readonly size: number }
  readonly links: PageLinks
}

export const BatchesPage = (props: BatchesPageProps) => (
  <FormPage context={props.context} title="Batches">
    <p class="lead">
      A batch is a change of many records at once. Each can be undone, as long as nobody changed the
      same fields since.
    </p>
    {props.batches.length === 0 ? (
      <p>There are none yet. Begin one with “Edit all” on the page of a list.</p>
    ) : (
      <div class="scroll" tabIndex={0} role="region" aria-label="Batches">
        <table>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Who</th>
              <th scope="col">What</th>
              <th scope="col">Undo</th>
            </tr>
          </thead>
          <tbody>
            {props.batches.map((batch) => (
              <tr key={batch.id}>
                <th scope="row">
                  <a href={editingLinks.batch(batch.id)}>{minuteOf(batch.at)}</a>
                </th>
                <td>{batch.account ?? ''}</td>
                <td>
                  {batch.undoes !== undefined && 'Undo: '}
                  {summaryOf(batch)}
                </td>
                <td>
                  {batch.undoneBy === undefined ? (
                    <UndoForm context={props.context} batch={batch} label={minuteOf(batch.at)} />
                  ) : (
                    <a href={editingLinks.batch(batch.undoneBy)}>undone</a>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
    <Pager {...props} />
  </FormPage>
)

/** A time in ISO 8601, to the minute. */
const minuteOf = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 16)}`

/** How many records of each kind a batch changed, such as `2 zines changed, 1 copy deleted`. */
const summaryOf = ({ kinds }: ShownBatch): string =>
  Object.entries(kinds)
    .flatMap(([name, counts]) =>
      Object.entries(counts).map(
        // The cast: the catalogue wrote the names.
        ([change, count]) =>
          `${countOf(count ?? 0, name as ResourceName)} ${changeWords[change] ?? change}`,
      ),
    )
    .join(', ')

const changeWords: Readonly<Record<string, string>> = {
  created: 'created',
  updated: 'changed',
  deleted: 'deleted',
  merged: 'merged',
}

const UndoForm = ({
  context,
  batch,
  label,
  withPrivate,
}: {
  readonly context: PageContext
  readonly batch: ShownBatch
  readonly label: string
  /** Whether it can be chosen to take back what is private too. */
  readonly withPrivate?: boolean
}) => (
  <form method="post" action={editingLinks.batch(batch.id)}>
    <Csrf token={context.csrf} />
    {withPrivate && (
      <label class="choice">
        <input type="checkbox" name="private" value="true" />
        Take back also what is private, and who is public
      </label>
    )}
    <button class="small" name="do" value="undo" aria-label={`Undo the batch of ${label}`}>
      Undo
    </button>
  </form>
)

/** A record that keeps a batch from being undone. */
export type ShownConflict = {
  readonly reference: Reference
  readonly fields: readonly string[]
  readonly dependents: readonly Reference[]
}

/** Some of the records of a batch, with what was done to each. */
export type ShownChange = { readonly reference: Reference; readonly change: string }

export const BatchPage = ({
  context,
  resources,
  batch,
  changes,
  lookup,
  conflicts,
  mayUndo,
  notice,
}: {
  readonly context: PageContext
  readonly resources: Resources
  readonly batch: ShownBatch
  readonly changes: readonly ShownChange[]
  readonly lookup: RecordLookup
  readonly conflicts: readonly ShownConflict[]
  readonly mayUndo: boolean
  readonly notice?: Notice | undefined
}) => (
  <FormPage context={context} title={`Batch of ${minuteOf(batch.at)}`} notice={notice}>
    <p class="lead">
      {summaryOf(batch)}
      {batch.account !== undefined && `, by ${batch.account}`}.
    </p>
    {batch.undoes !== undefined && (
      <p>
        It undid <a href={editingLinks.batch(batch.undoes)}>another batch</a>.
      </p>
    )}
    {batch.undoneBy !== undefined && (
      <p>
        It was undone by <a href={editingLinks.batch(batch.undoneBy)}>another batch</a>.
      </p>
    )}
    {conflicts.length > 0 && (
      <section class="notice wrong" role="alert">
        <h2>Nothing was undone</h2>
        <p>These records were changed since:</p>
        <ul>
          {conflicts.slice(0, maxShown).map(({ reference, fields, dependents }) => (
            <li key={`${reference.target}/${reference.id}`}>
              <RecordLink {...{ reference, resources, lookup }} />
              {fields.length > 0 &&
                `: ${fields.map((name) => labelOf(resources, reference, name)).join(', ')}`}
              {dependents.length > 0 && `: ${dependents.length} records refer to it`}
            </li>
          ))}
        </ul>
      </section>
    )}
    {mayUndo && batch.undoneBy === undefined && (
      <section class="panel">
        <h2>Undo</h2>
        <UndoForm
          context={context}
          batch={batch}
          label={minuteOf(batch.at)}
          withPrivate={'agents' in batch.kinds}
        />
      </section>
    )}
    {changes.length > 0 && (
      <section class="panel">
        <h2>Records</h2>
        <ul>
          {changes.map(({ reference, change }) => (
            <li key={`${reference.target}/${reference.id}`}>
              <RecordLink {...{ reference, resources, lookup }} /> {changeWords[change] ?? change}
            </li>
          ))}
        </ul>
        {batch.count > changes.length && (
          <p>And {(batch.count - changes.length).toLocaleString('en')} more.</p>
        )}
      </section>
    )}
    <p>
      <a href={editingLinks.batches}>All batches</a>
      {' · '}
      <Time value={batch.at} />
    </p>
  </FormPage>
)

/** How many records or conflicts are shown. */
export const maxShown = 20

const labelOf = (resources: Resources, { target }: Reference, name: string): string =>
  resources[target].byName.get(name)?.formLabel ?? name
