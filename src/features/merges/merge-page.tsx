// The pages that merge a record into another one and that rename it: which record it is merged
// into, which value of each field stays, and what is rewritten; and the list of likely duplicates.

import type { Message } from '../../message.js'
import { titleOf } from '../../model/record/title.js'
import type { ResourceName } from '../../model/iris.js'
import type { FieldErrors } from '../../model/record/input.js'
import { textValue } from '../../model/record/values.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import type { Field, Resource, Resources } from '../../model/resources.js'
import { FieldMessage } from '../../views/components/error-messages.js'
import { valueTexts } from '../../views/components/field-value.js'
import { RecordSummary, recordHeading } from '../../views/components/record-summary.js'
import { Form } from '../../views/form.js'
import { CancelLink, FormPage, InputRow, type Notice } from '../../views/form-layout.js'
import { Layout, type PageContext } from '../../views/layout.js'
import { editingLinks, recordPath, withParameters } from '../../views/links.js'
import { ChangeAuthor, type LastChange } from '../records/last-change.js'
import { pickerSource } from '../records/record-form-page.js'
import { kindTitle, nounText, plural, recordCount, rich, t, tKind } from '../../views/translate.js'
import { kindTexts } from '../../views/kind-texts.js'

/** Whose value of a field the record that stays has afterwards. */
export type KeptValue = 'stays' | 'goes' | 'both'

/** A field in which the two records differ. */
export type MergeField = {
  readonly field: Field
  readonly keep: KeptValue
  readonly choices: readonly KeptValue[]
}

type MergePageProps = {
  readonly context: PageContext
  readonly resources: Resources
  readonly goes: ResolvedRecord
  /** How many records of each kind name the one that goes. */
  readonly moved: ReadonlyMap<ResourceName, number>
  readonly notice?: Notice | undefined
}

const idOf = ({ resource, values }: ResolvedRecord): string => textValue(values, resource.id.name)

/** The page on which the record to merge into is chosen. */
export const ChooseMergePage = ({
  context,
  resources,
  goes,
  moved,
  notice,
  duplicates,
}: MergePageProps & { readonly duplicates: readonly ResolvedRecord[] }) => {
  const { resource } = goes
  const { name } = resource
  const id = idOf(goes)
  const action = editingLinks.merge(name, id)
  return (
    <FormPage
      context={context}
      title={t('Merge {title}', { title: recordHeading(goes, resources) })}
      notice={notice}
      scripts={['form.js']}
    >
      <div class="lead">
        <p>
          {tKind(name, 'choose')}{' '}
          {rich(
            'All links to {id} will point to the record you keep. Its old address redirects there.',
            { id: <code>{id}</code> },
          )}
        </p>
        <Moved id={id} moved={moved} />
      </div>
      {duplicates.length > 0 && (
        <section class="related" aria-label={t('Likely duplicates')}>
          <h2>{t('Likely duplicates')}</h2>
          <ul class="records">
            {duplicates.map((record) => (
              <li key={idOf(record)}>
                <RecordSummary record={record} resources={resources} />
                <p>
                  <a href={withParameters(action, '', { into: idOf(record) })}>
                    {rich('Merge into {id}', { id: <code>{idOf(record)}</code> })}
                  </a>
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Form method="get" action={action} class="record-form" data-form>
        <div class="field">
          <p class="field-name">
            <label for="into">{tKind(name, 'staying')}</label>
          </p>
          <IntoPicker resource={resource} resources={resources} />
        </div>
        <p class="actions">
          <button>{t('Compare')}</button>
          <CancelLink href={recordPath(name, id)} />
        </p>
      </Form>
    </FormPage>
  )
}

/** How many records of each kind will name the other record. */
const Moved = ({ id, moved }: Pick<MergePageProps, 'moved'> & { readonly id: string }) => {
  const goes = <code>{id}</code>
  if (moved.size === 0) return <p>{rich('No other record links to {id}.', { id: goes })}</p>
  return (
    <p>
      {rich('These link to {id}, and will link to the record you keep: {records}.', {
        id: goes,
        records: (
          <strong>{[...moved].map(([name, count]) => recordCount(name, count)).join(', ')}</strong>
        ),
      })}
    </p>
  )
}

const IntoPicker = ({
  resource: { name },
  resources,
}: {
  readonly resource: Resource
  readonly resources: Resources
}) => {
  const { source, id, title, details } = pickerSource({ target: name }, resources)
  return (
    <span class="picked">
      <input
        type="text"
        id="into"
        name="into"
        autocomplete="off"
        data-picker={source}
        data-picker-id={id}
        data-picker-title={title}
        data-picker-details={details}
      />
      <span class="picked-label" />
    </span>
  )
}

export type ComparePageProps = MergePageProps & {
  readonly stays: ResolvedRecord
  readonly fields: readonly MergeField[]
  readonly errors: FieldErrors
  readonly mayForget: boolean
  /** The versions of both records, to detect changes by others. */
  readonly version: string
}

/** The page on which the values that stay are chosen. */
export const CompareMergePage = (props: ComparePageProps) => {
  const { context, resources, goes, stays, fields, moved, errors, version, notice } = props
  const { name } = goes.resource
  const [id, into] = [idOf(goes), idOf(stays)]
  return (
    <FormPage
      context={context}
      title={t('Merge {goes} into {stays}', {
        goes: recordHeading(goes, resources),
        stays: recordHeading(stays, resources),
      })}
      notice={notice}
    >
      <div class="lead">
        <p>
          {rich('{stays} is kept. The address of {goes} will redirect there.', {
            stays: <code>{into}</code>,
            goes: <code>{id}</code>,
          })}{' '}
          <a href={withParameters(editingLinks.merge(name, into), '', { into: id })}>
            {rich('Keep {id} instead', { id: <code>{id}</code> })}
          </a>
        </p>
        <Moved id={id} moved={moved} />
      </div>
      {errors.size > 0 && <MergeErrors {...props} />}
      <Form context={context} action={editingLinks.merge(name, id)} class="record-form">
        <input type="hidden" name="into" value={into} />
        <input type="hidden" name=".version" value={version} />
        {fields.length === 0 && <p>{t('Both have the same values.')}</p>}
        {fields.map((mergeField) => (
          <FieldChoice key={mergeField.field.name} {...props} {...mergeField} />
        ))}
        <ForgetChoice id={id} mayForget={props.mayForget} />
        <p class="actions">
          <button>{t('Merge')}</button>
          <a class="button quiet" href={editingLinks.merge(name, id)}>
            {t('Choose another')}
          </a>
        </p>
      </Form>
    </FormPage>
  )
}

/** Which of the two records somebody else changed, who and when. */
export const ChangedMeanwhile = ({
  changes,
  resources,
}: {
  readonly changes: readonly { readonly record: ResolvedRecord; readonly change: LastChange }[]
  readonly resources: Resources
}) => (
  <>
    {changes.map(({ record, change }) => (
      <p key={idOf(record)}>
        {rich('{label}: {value}', {
          label: recordHeading(record, resources),
          value: <ChangeAuthor change={change} />,
        })}
      </p>
    ))}
    <p>{t('Look again before you merge them.')}</p>
  </>
)

/** Whether the identifier that goes is forgotten: administrators choose, and others are told so. */
const ForgetChoice = ({ id, mayForget }: { readonly id: string; readonly mayForget: boolean }) =>
  mayForget ? (
    <div class="field">
      <label class="choice">
        <input type="checkbox" name="forget" value="yes" />
        <span>{rich('Forget {id} permanently', { id: <code>{id}</code> })}</span>
      </label>
      <p class="hint">
        {t(
          'The old address is then gone, and nothing leads from it to the other one. The versions that the history has under it are removed, and no record can have it again. This cannot be undone.',
        )}
      </p>
    </div>
  ) : (
    <p class="hint">
      {t('An administrator can have the old address forgotten, so that it leads nowhere.')}
    </p>
  )

const MergeErrors = ({ goes: { resource, values }, errors }: ComparePageProps) => (
  <section class="notice wrong" role="alert">
    <h2>{t('Not merged yet')}</h2>
    <ul>
      {[...errors].flatMap(([name, messages]) =>
        messages.map((message, index) => {
          const field = resource.byName.get(name)
          const id = textValue(values, resource.id.name)
          return (
            <li key={index}>
              {field ? <FieldMessage {...{ resource, field, message, id }} /> : String(message)}
            </li>
          )
        }),
      )}
    </ul>
  </section>
)

const FieldChoice = ({
  resources,
  goes,
  stays,
  field,
  keep,
  choices,
}: ComparePageProps & MergeField) => (
  <fieldset class="field">
    <legend class="field-name">{t(field.formLabel)}</legend>
    {choices.map((choice) => (
      <label class="choice" key={choice}>
        <input type="radio" name={`keep.${field.name}`} value={choice} checked={choice === keep} />
        <span>
          {choice === 'both' ? (
            t('Both')
          ) : (
            <>
              <code>{idOf(choice === 'stays' ? stays : goes)}</code>:{' '}
              <ShownValue
                field={field}
                record={choice === 'stays' ? stays : goes}
                {...{ resources }}
              />
            </>
          )}
        </span>
      </label>
    ))}
  </fieldset>
)

/** The value of a field as text, since a choice cannot have links. */
const ShownValue = ({
  field,
  record: { values, lookup },
  resources,
}: {
  readonly field: Field
  readonly record: ResolvedRecord
  readonly resources: Resources
}) => {
  const texts = valueTexts(field, values, { resources, lookup })
  return texts.length === 0 ? <>{t('(nothing)')}</> : <bdi>{texts.join('; ')}</bdi>
}

/** The question whether a merge or a rename is undone. */
export const UnmergePage = ({
  context,
  name,
  id,
  into,
  notice,
}: {
  readonly context: PageContext
  readonly name: ResourceName
  readonly id: string
  readonly into: string
  /** Why it cannot be undone. */
  readonly notice: Notice | undefined
}) => (
  <FormPage context={context} title={t('Undo the merge of {id}?', { id })} notice={notice}>
    <div class="lead">
      <p>
        {rich(
          '{id} comes back, and what linked to it before the merge links to it again instead of {other}.',
          { id: <code>{id}</code>, other: <code>{into}</code> },
        )}
      </p>
    </div>
    <Form context={context} action={editingLinks.unmerge(name, id)} class="actions">
      <button>{t('Undo the merge')}</button>
      <CancelLink href={recordPath(name, into)} />
    </Form>
  </FormPage>
)

/** The form for another identifier. */
export const RenamePage = ({
  context,
  resource,
  id,
  typed,
  messages,
  mayForget,
}: {
  readonly context: PageContext
  readonly resource: Resource
  readonly id: string
  readonly typed: string
  readonly messages: readonly Message[]
  readonly mayForget: boolean
}) => (
  <FormPage
    context={context}
    title={tKind(resource.name, 'rename', { id })}
    notice={
      messages.length === 0
        ? undefined
        : {
            tone: 'wrong',
            text: messages.map((message, index) => (
              <FieldMessage key={index} {...{ resource, field: resource.id, message, id: typed }} />
            )),
          }
    }
  >
    <div class="lead">
      <p>
        {rich(
          'The identifier is part of the web address. All links to {id} will point to the new one, and the old address redirects there.',
          { id: <code>{id}</code> },
        )}
      </p>
    </div>
    <Form context={context} action={editingLinks.rename(resource.name, id)} class="record-form">
      <InputRow name="id" label={t('New identifier')} value={typed} autocomplete="off" required />
      <ForgetChoice id={id} mayForget={mayForget} />
      <p class="actions">
        <button>{t('Change identifier')}</button>
        <CancelLink href={editingLinks.edit(resource.name, id)} />
      </p>
    </Form>
  </FormPage>
)

/** Records that share a value of a field. */
type ShownDuplicates = { readonly field: Field; readonly records: readonly ResolvedRecord[] }

type DuplicatesPageProps = {
  readonly context: PageContext
  readonly name: ResourceName
  readonly resources: Resources
  /** The resources whose records the account may merge. */
  readonly names: readonly ResourceName[]
  readonly count: number
  readonly groups: readonly ShownDuplicates[]
  readonly page: number
  readonly hasNext: boolean
}

/** The list of likely duplicates of a resource. */
export const DuplicatesPage = (props: DuplicatesPageProps) => {
  const { context, name, resources, names, count, groups, page, hasNext } = props
  const pageLink = (number: number) =>
    withParameters(context.path, context.query, { page: String(number) })
  return (
    <Layout
      context={context}
      title={t('Likely duplicates: {kind}', { kind: nounText(name, 2) })}
      head={<meta name="robots" content="noindex" />}
    >
      <header class="page-head">
        <h1>{t('Likely duplicates')}</h1>
      </header>
      <p>
        {names.map((kind) => (
          <span key={kind}>
            <a
              href={withParameters(editingLinks.duplicates, '', { kind })}
              aria-current={kind === name ? 'page' : undefined}
            >
              {kindTitle(kind)}
            </a>{' '}
          </span>
        ))}
      </p>
      <p>
        {count === 0
          ? tKind(name, 'noDuplicates')
          : plural(count, kindTexts[name].duplicates.one, kindTexts[name].duplicates.other)}
      </p>
      {groups.length > 0 && (
        <Form context={context} action={editingLinks.batchEdit(name)} aria-label={t('Batch edit')}>
          <p class="actions">
            <button class="quiet small" name="do" value="choose">
              {t('Edit the ticked records')}
            </button>
          </p>
          {groups.map((group) => (
            <DuplicatesGroup
              key={group.records.map(idOf).join()}
              {...group}
              resources={resources}
            />
          ))}
        </Form>
      )}
      <p class="actions">
        {page > 1 && <a href={pageLink(page - 1)}>{t('Previous')}</a>}
        {hasNext && <a href={pageLink(page + 1)}>{t('Next')}</a>}
      </p>
    </Layout>
  )
}

const DuplicatesGroup = ({
  field,
  records,
  resources,
}: ShownDuplicates & { readonly resources: Resources }) => {
  const [first, ...others] = records
  if (!first) return null
  const { name } = first.resource
  return (
    <section class="related">
      <h2>
        {titleOf(resources, name, first.values)}{' '}
        <span class="count">{t('same {label}', { label: t(field.label).toLowerCase() })}</span>
      </h2>
      <ul class="records ticked">
        <li>
          <Tick record={first} resources={resources} />
          <RecordSummary record={first} resources={resources} />
        </li>
        {others.map((record) => (
          <li key={idOf(record)}>
            <Tick record={record} resources={resources} />
            <RecordSummary record={record} resources={resources} />
            <p>
              <a
                href={withParameters(editingLinks.merge(name, idOf(record)), '', {
                  into: idOf(first),
                })}
              >
                {rich('Merge {goes} into {stays}', {
                  goes: <code>{idOf(record)}</code>,
                  stays: <code>{idOf(first)}</code>,
                })}
              </a>
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Tick = ({
  record,
  resources,
}: {
  readonly record: ResolvedRecord
  readonly resources: Resources
}) => (
  <input
    type="checkbox"
    name="id"
    value={idOf(record)}
    aria-label={t('Tick {title}', {
      title: `${recordHeading(record, resources)} (${idOf(record)})`,
    })}
  />
)
