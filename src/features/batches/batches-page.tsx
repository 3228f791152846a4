// The pages of batches: the form that edits many records at once, the preview of what it would
// change, and the batches that were written, with what undoes them.

import { Fragment } from 'preact'

import type { PageLinks } from '../../formats/serializer.js'
import type { ResourceName } from '../../model/iris.js'
import type { RecordValues } from '../../model/record/values.js'
import type { RecordLookup, Reference } from '../../model/record/views.js'
import type { Field, Resource, Resources } from '../../model/resources.js'
import { type MessagesOfField, RecordMessages } from '../../views/components/error-messages.js'
import { Time, textsIn, valueText } from '../../views/components/field-value.js'
import { RecordLink } from '../../views/components/record-link.js'
import { type ShownConflict, UndoConflictText } from '../../views/components/undo-conflict.js'
import { DataTable } from '../../views/components/data-table.js'
import { Panel } from '../../views/components/panel.js'
import { SelectRow } from '../../views/components/select.js'
import { Form } from '../../views/form.js'
import { CancelLink, FormPage, MessagePage, type Notice } from '../../views/form-layout.js'
import type { PageContext } from '../../views/layout.js'
import { editingLinks, listPath } from '../../views/links.js'
import { Pager } from '../records/list-page.js'
import { ValueInput } from '../records/record-form-page.js'
import {
  kindTitle,
  labelled,
  message,
  numberText,
  plural,
  quoted,
  recordCount,
  rich,
  richPlural,
  t,
} from '../../views/translate.js'
import { kindTexts } from '../../views/kind-texts.js'

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
      title={t('Edit {records}', { records: recordCount(resource.name, count) })}
      notice={notice}
      scripts={['form.js']}
    >
      <p class="lead">
        {t('Choose a field and what to do with it. You see a preview before anything is written.')}
      </p>
      <Form
        context={context}
        action={editingLinks.batchEdit(resource.name)}
        class="narrow"
        data-form
      >
        {/* Enter activates the first button of a form, which has to be the one that goes on. */}
        <button
          class="visually-hidden"
          tabIndex={-1}
          aria-hidden="true"
          name="do"
          value={input.field ? 'preview' : 'choose'}
        >
          {t('Continue')}
        </button>
        <Selection input={input} />
        <EarlierEdits {...props} />
        <SelectRow
          name="field"
          label={t('Field')}
          value={input.field?.name}
          options={editableFields(resource).map(({ name, formLabel }) => [name, t(formLabel)])}
        />
        {input.field ? (
          <ChosenField {...props} field={input.field} />
        ) : (
          <NoField hasEarlier={input.earlier.length > 0} />
        )}
      </Form>
    </FormPage>
  )
}

/** The buttons below the choice of a field that was not made. */
const NoField = ({ hasEarlier }: { readonly hasEarlier: boolean }) => (
  <p class="actions">
    <button name="do" value="choose">
      {t('Continue')}
    </button>
    {hasEarlier ? (
      <button class="quiet" name="do" value="preview">
        {t('Preview without another field')}
      </button>
    ) : (
      <>
        <input type="hidden" name="visibility" value="hidden" />
        <button class="quiet" name="do" value="visibility">
          {t('Hide or show')}
        </button>
      </>
    )}
  </p>
)

/** What is done to the chosen field, with the buttons. */
const ChosenField = (props: BatchEditProps & { readonly field: Field }) => (
  <>
    <p class="actions">
      <button class="quiet small" name="do" value="choose">
        {t('Change the field')}
      </button>
    </p>
    <input type="hidden" name="chosen" value={props.field.name} />
    <ActionFields {...props} />
    <p class="actions">
      <button name="do" value="preview">
        {t('Preview')}
      </button>
      <button class="quiet" name="do" value="another">
        {t('Add another field')}
      </button>
      <CancelLink href={listPath(props.resource.name)} />
    </p>
  </>
)

/** Which records are edited, carried from page to page. */
export const Selection = ({ input: { query, ids, earlier } }: Pick<BatchEditProps, 'input'>) => (
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
      <h2 class="label">{t('Chosen so far')}</h2>
      <ul>
        {earlier.map((edit, index) => (
          <li key={index}>
            {describeEdit(edit, { resources, lookup })}{' '}
            <button
              class="quiet small"
              name="drop"
              value={String(index)}
              aria-label={t('Take back: {edit}', {
                edit: describeEdit(edit, { resources, lookup }),
              })}
            >
              {t('Take back')}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** An edit in words, such as `Subjects: replace “Punk” with “Music”`. */
function describeEdit(
  { field, action, old, value }: ChosenEdit,
  { resources, lookup }: Pick<BatchEditProps, 'resources' | 'lookup'>,
): string {
  const quote = (text: string): string => quoted(valueText(field, text, { resources, lookup }))
  const words: Readonly<Record<EditAction, () => string>> = {
    add: () => t('add {value}', { value: quote(value) }),
    remove: () => t('remove {value}', { value: quote(old) }),
    replace: () => t('replace {old} with {new}', { old: quote(old), new: quote(value) }),
    set: () => t('set to {value}', { value: quote(value) }),
    clear: () => t('clear'),
  }
  return labelled(t(field.formLabel), words[action]())
}

const ActionFields = ({
  field,
  input,
  lookup,
  resources,
}: BatchEditProps & { readonly field: Field }) => {
  const actions = actionsFor(field)
  const label = t(field.formLabel).toLowerCase()
  const valueInput = (name: 'old' | 'value', text: string) => (
    <ValueInput {...{ field, name, lookup, resources, label: text, value: input[name] }} />
  )
  return (
    <>
      <fieldset class="field">
        <legend>{t('What to do')}</legend>
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
              {t(actionWords[action])}
            </label>
          ))}
        </div>
      </fieldset>
      {actions.includes('remove') && (
        <div class="field">
          <p class="field-name">{t('Value to remove or replace')}</p>
          {valueInput('old', t('The {label} to remove or replace', { label }))}
        </div>
      )}
      <div class="field">
        <p class="field-name">{actions.includes('add') ? t('New value') : t('Value')}</p>
        {valueInput('value', t('The new {label}', { label }))}
      </div>
    </>
  )
}

const actionWords: Readonly<Record<EditAction, string>> = {
  add: message('Add a value'),
  remove: message('Remove a value'),
  replace: message('Replace a value'),
  set: message('Set the value'),
  clear: message('Clear it'),
}

/** The values of a record before and after an edit. */
export type EditDifference = {
  readonly reference: Reference
  readonly before: RecordValues
  readonly after: RecordValues
}

/** A record that the edit cannot be made to, and why. */
export type EditFailure = {
  readonly reference: Reference
  readonly messages: readonly MessagesOfField[]
}

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
  const { context, resource, changed, differences, failures } = props
  return (
    <FormPage
      context={context}
      title={t('Change {records}?', { records: recordCount(resource.name, changed) })}
      notice={props.notice}
    >
      <PreviewCounts {...props} />
      <PreviewForm {...props} />
      {changed > 1000 && (
        <p class="hint">{t('This takes a few seconds. A page shows the progress.')}</p>
      )}
      {failures.length > 0 && <Failures {...props} />}
      {differences.length > 0 && <Differences {...props} />}
    </FormPage>
  )
}

/** How many records would change, are so already, and cannot be changed. */
const PreviewCounts = ({ count, changed, failed }: PreviewProps) => {
  const unchanged = count - changed - failed
  return (
    <ul class="lead">
      <li>
        {richPlural(changed, '{count} record will change.', '{count} records will change.', {
          count: <strong>{numberText(changed)}</strong>,
        })}
      </li>
      {unchanged > 0 && (
        <li>{plural(unchanged, '{count} needs no change.', '{count} need no change.')}</li>
      )}
      {failed > 0 && (
        <li>
          {richPlural(
            failed,
            '{count} cannot be changed and will stay as it is.',
            '{count} cannot be changed and will stay as they are.',
            { count: <strong>{numberText(failed)}</strong> },
          )}
        </li>
      )}
    </ul>
  )
}

/** The buttons of a preview, with all that was chosen. */
const PreviewForm = ({ context, resource, input, changed }: PreviewProps) => (
  <Form context={context} action={editingLinks.batchEdit(resource.name)} class="actions">
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
        {t('Change {records}', { records: recordCount(resource.name, changed) })}
      </button>
    )}
    <button class="quiet" name="do" value="choose">
      {t('Back')}
    </button>
  </Form>
)

const Failures = ({ resource, resources, lookup, failed, failures }: PreviewProps) => (
  <Panel title={t('What will fail')}>
    <ul>
      {failures.map((failure) => (
        <li key={failure.reference.id}>
          {rich('{label}: {value}', {
            label: <RecordLink {...{ reference: failure.reference, resources, lookup }} />,
            value: <RecordMessages {...failure} {...{ resource }} id={failure.reference.id} />,
          })}
        </li>
      ))}
    </ul>
    {failed > failures.length && (
      <p>{t('And {count} more.', { count: numberText(failed - failures.length) })}</p>
    )}
  </Panel>
)

const Differences = ({ resources, lookup, edits, changed, differences }: PreviewProps) => {
  const fields = [...new Set(edits.map(({ field }) => field))]
  return (
    <Panel title={t('What will change')}>
      <DataTable
        label={t('What will change')}
        columns={[
          t('Record'),
          ...fields.flatMap(({ formLabel }) => [
            t('{label} before', { label: t(formLabel) }),
            t('{label} after', { label: t(formLabel) }),
          ]),
        ]}
      >
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
      </DataTable>
      {changed > differences.length && (
        <p>{t('And {count} more.', { count: numberText(changed - differences.length) })}</p>
      )}
    </Panel>
  )
}

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
  if (texts.length === 0) return <>{t('(nothing)')}</>
  return (
    <ul class="values">
      {texts.map((text) => {
        const label = valueText(field, text, { resources, lookup })
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
      <MessagePage context={context} title={t('Nothing was changed')}>
        <p>
          {isChanged
            ? t(
                'Somebody else changed records meanwhile. Go back to the list, and look at the preview again.',
              )
            : t('Something went wrong. No record was changed.')}
        </p>
      </MessagePage>
    )
  const { done, total } = job
  return (
    <FormPage context={context} title={t('Being written')}>
      <p class="lead">
        {total === 0
          ? t('It starts after other changes are written.')
          : t('{done} of {total} are checked. Then all are written at once.', {
              done: numberText(done),
              total: numberText(total),
            })}
      </p>
      <p>
        <progress max={Math.max(total, 1)} value={done} aria-label={t('Progress')} />
      </p>
      <p class="hint">
        {t('This page reloads every two seconds. You can leave; the work continues.')}
      </p>
      <p>
        <a href={editingLinks.batches}>{t('All batches')}</a>
      </p>
    </FormPage>
  )
}

/** A batch as pages show it. */
type ShownBatch = {
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
  <FormPage context={props.context} title={t('Batches')}>
    <p class="lead">
      {t(
        'A batch is a change of many records at once. Each can be undone, as long as nobody changed the same fields since.',
      )}
    </p>
    {props.batches.length === 0 ? (
      <p>{t('There are none yet. Tick records on the page of a list to begin one.')}</p>
    ) : (
      <DataTable label={t('Batches')} columns={[t('When'), t('Who'), t('What'), t('Undo')]}>
        {props.batches.map((batch) => (
          <tr key={batch.id}>
            <th scope="row">
              <a href={editingLinks.batch(batch.id)}>{minuteOf(batch.at)}</a>
            </th>
            <td>{batch.account ?? ''}</td>
            <td>
              {batch.undoes === undefined
                ? summaryOf(batch)
                : t('Undo: {changes}', { changes: summaryOf(batch) })}
            </td>
            <td>
              {batch.undoneBy === undefined ? (
                <UndoForm context={props.context} batch={batch} label={minuteOf(batch.at)} />
              ) : (
                <a href={editingLinks.batch(batch.undoneBy)}>{t('undone')}</a>
              )}
            </td>
          </tr>
        ))}
      </DataTable>
    )}
    <Pager {...props} />
  </FormPage>
)

/** A time in ISO 8601, to the minute. */
const minuteOf = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 16)}`

/** How many records of each kind a batch changed, such as `2 zines changed, 1 copy deleted`. */
const summaryOf = ({ kinds }: ShownBatch): string =>
  // The casts: the catalogue wrote the names.
  Object.entries(kinds)
    .flatMap(([name, counts]) =>
      Object.entries(counts).map(([change, count = 0]) => {
        const { one, other } =
          kindTexts[name as ResourceName].changes[change as ShownChange['change']]
        return plural(count, one, other)
      }),
    )
    .join(', ')

/** What was done to a record, beside its title. */
const changeTexts: Readonly<Record<ShownChange['change'], string>> = {
  created: message('{record}: created'),
  updated: message('{record}: changed'),
  deleted: message('{record}: deleted'),
  merged: message('{record}: merged'),
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
  <Form context={context} action={editingLinks.batch(batch.id)}>
    {withPrivate && (
      <label class="choice">
        <input type="checkbox" name="private" value="true" />
        {t('Also undo changes to private fields and to who sees them')}
      </label>
    )}
    <button
      class="small"
      name="do"
      value="undo"
      aria-label={t('Undo the batch of {label}', { label })}
    >
      {t('Undo')}
    </button>
  </Form>
)

/** A record of a batch, with what was done to it. */
type ShownChange = {
  readonly reference: Reference
  readonly change: 'created' | 'updated' | 'deleted' | 'merged'
}

type BatchPageProps = {
  readonly context: PageContext
  readonly resources: Resources
  readonly batch: ShownBatch
  /** The kind of the records that are shown; undefined for all. */
  readonly kind: ResourceName | undefined
  /** How many they are. */
  readonly count: number
  readonly page: { readonly number: number; readonly size: number }
  readonly links: PageLinks
  readonly changes: readonly ShownChange[]
  readonly lookup: RecordLookup
  readonly conflicts: readonly ShownConflict[]
  readonly mayUndo: boolean
  readonly notice?: Notice | undefined
}

export const BatchPage = (props: BatchPageProps) => {
  const { context, batch, changes, conflicts, mayUndo, notice } = props
  return (
    <FormPage
      context={context}
      title={t('Batch of {minute}', { minute: minuteOf(batch.at) })}
      notice={notice}
    >
      <p class="lead">
        {batch.account === undefined
          ? `${summaryOf(batch)}.`
          : t('{changes}, by {account}.', { changes: summaryOf(batch), account: batch.account })}
      </p>
      <LinkedBatches batch={batch} />
      {conflicts.length > 0 && <Conflicts {...props} />}
      {mayUndo && batch.undoneBy === undefined && (
        <Panel title={t('Undo')}>
          <UndoForm
            context={context}
            batch={batch}
            label={minuteOf(batch.at)}
            withPrivate={'agents' in batch.kinds}
          />
        </Panel>
      )}
      {changes.length > 0 && <ChangedRecords {...props} />}
      <p>
        <a href={editingLinks.batches}>{t('All batches')}</a>
        {' · '}
        <Time value={batch.at} />
      </p>
    </FormPage>
  )
}

/** The batch that a batch undid, and the one that undid it. */
const LinkedBatches = ({ batch: { undoes, undoneBy } }: { readonly batch: ShownBatch }) => (
  <>
    {undoes !== undefined && (
      <p>
        {rich('It undid {batch}.', {
          batch: <a href={editingLinks.batch(undoes)}>{t('another batch')}</a>,
        })}
      </p>
    )}
    {undoneBy !== undefined && (
      <p>
        {rich('It was undone by {batch}.', {
          batch: <a href={editingLinks.batch(undoneBy)}>{t('another batch')}</a>,
        })}
      </p>
    )}
  </>
)

const Conflicts = ({ conflicts, resources, lookup }: BatchPageProps) => (
  <section class="notice wrong" role="alert">
    <h2>{t('Nothing was undone')}</h2>
    <p>{t('These records keep it from being undone:')}</p>
    <ul>
      {conflicts.slice(0, maxShown).map((conflict) => (
        <li key={`${conflict.reference.target}/${conflict.reference.id}`}>
          <UndoConflictText {...{ conflict, resources, lookup }} />
        </li>
      ))}
    </ul>
  </section>
)

const ChangedRecords = (props: BatchPageProps) => {
  const { batch, kind, changes, resources, lookup, mayUndo } = props
  return (
    <Panel title={kind === undefined ? t('Records') : kindTitle(kind)}>
      {kind !== undefined && (
        <p>
          <a href={editingLinks.batch(batch.id)}>{t('Records of all kinds')}</a>
        </p>
      )}
      <ul>
        {changes.map(({ reference, change }) => (
          <li key={`${reference.target}/${reference.id}`}>
            {rich(changeTexts[change], {
              record: (
                <RecordLink {...{ reference, resources, lookup }} withholdsNames={!mayUndo} />
              ),
            })}
          </li>
        ))}
      </ul>
      <Pager {...props} />
    </Panel>
  )
}

/** How many records or conflicts are shown. */
export const maxShown = 20
