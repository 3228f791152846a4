// The fifth step of an import: what it would do, rows that would be refused, duplicates, samples of
// the records as they would be, and what is left out.

import { tooManyItems, tooLongMessage } from '../../model/record/input.js'
import type { Message } from '../../message.js'
import type { ImportCounts } from './import-state.js'
import type { Duplicate, DuplicateReason } from './matching/duplicates.js'
import type { PreviewedChange, PreviewedRecord, PreviewedRow } from './preview.js'
import type { DuplicateDecision, Profile } from './profile.js'
import { resourceNames } from '../../model/iris.js'
import { titleOfReference } from '../../model/record/title.js'
import type { RecordLookup } from '../../model/record/views.js'
import type { Field, Resources } from '../../model/resources.js'
import { valueText } from '../../views/components/field-value.js'
import { DataTable } from '../../views/components/data-table.js'
import { type Option, Select } from '../../views/components/select.js'
import {
  ImportForm,
  ImportPage,
  type ImportPageProps,
  NumberedPages,
  OriginalRow,
  Tabs,
  rowCount,
  shorten,
} from './import-layout.js'
import { editingLinks, recordPath } from '../../views/links.js'
import {
  messageText,
  message,
  nounText,
  numberText,
  plural,
  rich,
  t,
} from '../../views/translate.js'

export const previewTabs = ['refused', 'duplicates', 'changes', 'samples', 'notes'] as const

export type PreviewTab = (typeof previewTabs)[number]

export type PreviewCounts = Readonly<Record<PreviewTab, number>>

export const rowsPerPage = 50

/** Notes with the same text. */
export type NoteGroup = {
  readonly text: string
  readonly count: number
  /** Some of the rows. */
  readonly rows: readonly number[]
}

type ShownPreview = {
  readonly tab: PreviewTab
  readonly page: number
  readonly counts: PreviewCounts
  /** Those of the page of the tab. */
  readonly rows: readonly PreviewedRow[]
  readonly notes: readonly NoteGroup[]
  readonly lookup: RecordLookup
  /** The names of agents that the import would make. */
  readonly newAgents: ReadonlyMap<string, string>
}

type ImportPreviewProps = ImportPageProps & {
  readonly resources: Resources
  /** Undefined where nothing was found out yet. */
  readonly shown: ShownPreview | undefined
}

const tabLabels: Readonly<Record<PreviewTab, string>> = {
  refused: message('Refused rows'),
  duplicates: message('Duplicates'),
  changes: message('Changes of records'),
  samples: message('Samples'),
  notes: message('Left out or moved'),
}

export const ImportPreviewPage = (props: ImportPreviewProps) => {
  const { context, job, shown } = props
  const { preview } = job
  if (!preview || !shown) return <NoPreview {...props} />
  // Only decisions about duplicates are made on this page.
  const form = shown.tab === 'duplicates' ? duplicatesForm : undefined
  const hrefOf = (name: string, page = 1): string =>
    editingLinks.importStep(job.id, 'preview', {
      show: name,
      ...(page > 1 ? { page: String(page) } : {}),
    })
  return (
    <ImportPage {...props} step="preview" {...(form === undefined ? {} : { form })}>
      <Counts counts={preview.counts} />
      <p class="lead">
        {rich(outcomeText(preview.rows), {
          rows: <strong>{rowCount(preview.rows.written)}</strong>,
          skipped: numberText(preview.rows.skipped),
          refused: numberText(preview.rows.refused),
        })}
      </p>
      <ImportForm context={context} job={job} step="preview" class="actions">
        <input type="hidden" name="hash" value={preview.hash} />
        <button name="do" value="write" disabled={preview.rows.written === 0}>
          {plural(preview.rows.written, 'Import {count} row', 'Import {count} rows')}
        </button>
        <button class="quiet" name="do" value="preview">
          {t('Preview again')}
        </button>
      </ImportForm>
      <p class="hint">{t('You can undo the whole import afterwards.')}</p>
      <div class="panel">
        <Tabs
          label={t('What the preview found')}
          current={shown.tab}
          tabs={previewTabs.map((name) => ({
            name,
            label: t(tabLabels[name]),
            count: shown.counts[name],
          }))}
          hrefOf={(name) => hrefOf(name)}
          form={form}
        />
        <TabContent {...props} shown={shown} />
        <NumberedPages
          page={shown.page}
          size={rowsPerPage}
          count={shown.tab === 'notes' ? 0 : shown.counts[shown.tab]}
          hrefOf={(page) => hrefOf(shown.tab, page)}
          form={form}
        />
      </div>
    </ImportPage>
  )
}

const NoPreview = (props: ImportPreviewProps) => {
  const { context, job, steps } = props
  return (
    <ImportPage {...props} step="preview">
      <p class="lead">
        {t(
          'The preview writes nothing. It shows what will be created and changed, which rows will be refused, and which zines you may already have.',
        )}
      </p>
      {(['fields', 'names', 'terms'] as const).some((step) => !steps[step].isDone) && (
        <p>
          {t(
            'Something is still to decide. What is not decided is left out. A zine without a maker or a subject is refused.',
          )}
        </p>
      )}
      <ImportForm context={context} job={job} step="preview" class="actions">
        <button name="do" value="preview">
          {t('Preview')}
        </button>
      </ImportForm>
    </ImportPage>
  )
}

/** What would become of the rows. */
const outcomeText = ({
  skipped,
  refused,
}: {
  readonly skipped: number
  readonly refused: number
}): string =>
  skipped > 0
    ? refused > 0
      ? message('{rows} will be imported, {skipped} skipped, {refused} refused.')
      : message('{rows} will be imported, {skipped} skipped.')
    : refused > 0
      ? message('{rows} will be imported, {refused} refused.')
      : message('{rows} will be imported.')

const changes = ['created', 'updated', 'unchanged'] as const

const changeWords = {
  created: message('New|record'),
  updated: message('Changed|record'),
  unchanged: message('No change|record'),
} as const

/** How many records of each kind are made and changed. */
export const Counts = ({ counts }: { readonly counts: ImportCounts }) => {
  const kinds = resourceNames.filter((name) => counts[name])
  if (kinds.length === 0) return <p>{t('No records.')}</p>
  const used = changes.filter((change) => kinds.some((kind) => counts[kind]?.[change]))
  return (
    <table class="counts">
      <thead>
        <tr>
          <td />
          {used.map((change) => (
            <th key={change} scope="col">
              {t(changeWords[change])}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {kinds.map((kind) => (
          <tr key={kind}>
            <th scope="row">{capitalize(nounText(kind, 2))}</th>
            {used.map((change) => (
              <td key={change}>{numberText(counts[kind]?.[change] ?? 0)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const TabContent = (props: ImportPreviewProps & { readonly shown: ShownPreview }) => {
  const { shown } = props
  if (shown.tab === 'duplicates') return <Duplicates {...props} />
  if (shown.tab === 'changes') return <Changes {...props} />
  if (shown.tab === 'notes') return <Notes notes={shown.notes} />
  if (shown.rows.length === 0)
    return <p>{shown.tab === 'refused' ? t('No row will be refused.') : t('There are none.')}</p>
  return shown.tab === 'refused' ? (
    <>
      {shown.rows.some(({ reasons }) => reasons.some(isMissing)) && (
        <p>
          {rich('Some lack what each record needs. {give}, or decide more names and terms.', {
            give: (
              <a href={editingLinks.importStep(props.job.id, 'fields')}>
                {t('Give one value for all rows without one')}
              </a>
            ),
          })}
        </p>
      )}
      <Refused rows={shown.rows} resources={props.resources} />
    </>
  ) : (
    <>
      <p class="hint">{t('The first rows, as they will be in the catalogue.')}</p>
      {shown.rows.map((row) => (
        <Sample key={row.number} {...props} row={row} />
      ))}
    </>
  )
}

/** Rows that are refused, with why, and as they are in the source. */
export const Refused = ({
  rows,
  resources,
}: {
  readonly rows: readonly Pick<PreviewedRow, 'number' | 'fields' | 'reasons'>[]
  readonly resources: Resources
}) => (
  <ul class="records">
    {rows.map(({ number, fields, reasons }) => (
      <li key={number}>
        <h2>{t('Row {number}', { number })}</h2>
        <div class="beside">
          <ul class="message">
            {reasons.map((reason) => (
              <li key={reason}>{withLabel(reason, resources)}</li>
            ))}
          </ul>
          <OriginalRow fields={fields} />
        </div>
      </li>
    ))}
  </ul>
)

/** A message with the label of its field: `Title: …` for `zines.title: …`. */
function withLabel(text: string, resources: Resources): string {
  const [, kind = '', name = '', rest = ''] = /^(\w+)\.(\w+): (.*)$/s.exec(text) ?? []
  const resource = resourceNames.find((resourceName) => resourceName === kind)
  const field = resource && resources[resource].byName.get(name)
  if (!field) return messageText(text)
  return t('{label}: {value}', {
    label: t(field.formLabel),
    value: isMissing(rest) ? t('The row has none.') : messageText(withLimit(rest, field)),
  })
}

/** Rows keep what is wrong with them in English, which is known again by the limit of the field. */
const withLimit = (text: string, { maxLength = 0 }: Field): Message =>
  [tooLongMessage(maxLength), tooManyItems].find((limitMessage) => String(limitMessage) === text) ??
  text

const isMissing = (text: string): boolean =>
  /(?:^|: )This (?:field is required|list may not be empty)\.$/.test(text)

const decisionLabels: Readonly<Record<DuplicateDecision, string>> = {
  update: message('Update the zine in the catalogue'),
  holding: message('Add a copy to the zine in the catalogue'),
  new: message('Create a new zine'),
  skip: message('Skip the row'),
}

const reasonLabels: Readonly<Record<DuplicateReason, string>> = {
  barcode: message('the same barcode'),
  identifier: message('the same ISBN or other identifier'),
  title: message('the same title, issue and date'),
  'similar-title': message('nearly the same title, the same issue and date'),
  number: message('the same number, but another title and another maker'),
}

const duplicatesForm = 'duplicates'

const Duplicates = (props: ImportPreviewProps & { readonly shown: ShownPreview }) => {
  const { context, job, shown } = props
  const { duplicates } = job.profile
  return (
    <ImportForm
      context={context}
      job={job}
      step="preview"
      id={duplicatesForm}
      query={`show=duplicates&page=${shown.page}`}
    >
      <input type="hidden" name="do" value="duplicates" />
      <p class="hint">
        {shown.rows.length === 0
          ? t('No zine seems to be in the catalogue, or twice in the file.')
          : t('These seem to be in the catalogue already, or twice in the file.')}
      </p>
      <DecisionsForAll duplicates={duplicates} />
      <ul class="records">
        {shown.rows.map((row) => (
          <li key={row.number}>
            <h2>{t('Row {number}', { number: row.number })}</h2>
            <div class="beside">
              <div>
                <ul>
                  {row.duplicates.slice(0, 5).map((duplicate, index) => (
                    <li key={index}>
                      <DuplicateOf duplicate={duplicate} {...props} />
                    </li>
                  ))}
                </ul>
                <input type="hidden" name="row" value={row.number} />
                <Select
                  name={`do.${row.number}`}
                  aria-label={t('What is done with row {number}', { number: row.number })}
                  value={duplicates.rows[String(row.number)]}
                  options={[['', t('As all others')], ...decisionOptions()]}
                />
              </div>
              <OriginalRow fields={row.fields.slice(0, 6)} />
            </div>
          </li>
        ))}
      </ul>
      <p class="actions sticky">
        <button>{t('Save and preview again')}</button>
      </p>
    </ImportForm>
  )
}

const DecisionsForAll = ({ duplicates }: Pick<Profile, 'duplicates'>) => (
  <div class="inline-fields">
    <label>
      {t('All that the catalogue has')}
      <DecisionSelect name="catalogue" current={duplicates.catalogue} />
    </label>
    <label>
      {t('All that an earlier file of this source created')}
      <DecisionSelect name="again" current={duplicates.again ?? 'skip'} />
    </label>
    <label>
      {t('All that are twice in the file')}
      <DecisionSelect name="source" current={duplicates.source} />
    </label>
    <label>
      {t('All with the number of a zine whose title and maker are others')}
      <DecisionSelect name="different" current={duplicates.different} />
    </label>
  </div>
)

const decisionOptions = (): readonly Option[] =>
  Object.entries(decisionLabels).map(([value, label]) => [value, t(label)])

const DecisionSelect = ({
  name,
  current,
}: {
  readonly name: keyof Profile['duplicates']
  /** Undefined where each row is asked about. */
  readonly current: DuplicateDecision | undefined
}) => (
  <Select
    name={name}
    value={current}
    options={[
      ...(name === 'different' ? [['', t('Ask about each')] as const] : []),
      ...decisionOptions(),
    ]}
  />
)

const DuplicateOf = ({
  duplicate,
  resources,
  shown,
}: {
  readonly duplicate: Duplicate
  readonly resources: Resources
  readonly shown: ShownPreview
}) => (
  <>
    {rich('{label}: {value}', {
      label:
        'zine' in duplicate ? (
          <a href={recordPath('zines', duplicate.zine)} target="_blank" rel="noopener">
            {titleOfReference(resources, shown.lookup, { target: 'zines', id: duplicate.zine }) ||
              duplicate.zine}
          </a>
        ) : (
          t('Row {number}', { number: duplicate.row })
        ),
      value: t(reasonLabels[duplicate.reason]),
    })}
  </>
)

/** What records that are there get, beside what they have. */
const Changes = (props: ImportPreviewProps & { readonly shown: ShownPreview }) => {
  const { resources, shown } = props
  if (shown.rows.length === 0) return <p>{t('No record of the catalogue will change.')}</p>
  return (
    <ul class="records">
      {shown.rows.map(({ number, changes: changed }) => (
        <li key={number}>
          <h2>{t('Row {number}', { number })}</h2>
          <DataTable
            label={t('Row {number}', { number })}
            class="compact"
            columns={[t('Record'), t('Field'), t('Now'), t('After the import')]}
          >
            {changed.map((change) => (
              <ChangeRow
                key={`${change.kind}/${change.id}/${change.field}`}
                {...{ change, resources, shown }}
              />
            ))}
          </DataTable>
        </li>
      ))}
    </ul>
  )
}

const ChangeRow = ({
  change: { kind, id, field: name, before, after },
  resources,
  shown,
}: Pick<ImportPreviewProps, 'resources'> & {
  readonly change: PreviewedChange
  readonly shown: ShownPreview
}) => {
  const target = resourceNames.find((resourceName) => resourceName === kind)
  const field = target && resources[target].byName.get(name)
  if (!target || !field) return null
  const textOf = (value: unknown): string =>
    textsOf(value)
      .map((text) => labelOf(field, text, resources, shown))
      .join(field.vocabulary ? ', ' : '\n')
  return (
    <tr>
      <th scope="row">
        <a href={recordPath(target, id)} target="_blank" rel="noopener">
          {id}
        </a>
      </th>
      <td>{t(field.formLabel)}</td>
      <td dir="auto" class="text">
        <del>{textOf(before)}</del>
      </td>
      <td dir="auto" class="text">
        <ins>{textOf(after)}</ins>
      </td>
    </tr>
  )
}

const Notes = ({ notes }: { readonly notes: readonly NoteGroup[] }) =>
  notes.length === 0 ? (
    <p>{t('Nothing is left out of the rows that will be imported.')}</p>
  ) : (
    <>
      <p class="hint">
        {t(
          'This is not in the records as the file has it. The original row is kept with the import.',
        )}
      </p>
      <ul class="records">
        {notes.map(({ text, count, rows }) => (
          <li key={text}>
            {shorten(messageText(text), 300)}
            <span class="hint">
              {t('{label}: {value}', {
                label: rowCount(count),
                value: `${rows.join(', ')}${count > rows.length ? ' …' : ''}`,
              })}
            </span>
          </li>
        ))}
      </ul>
    </>
  )

const Sample = ({
  row,
  resources,
  shown,
}: ImportPreviewProps & { readonly row: PreviewedRow; readonly shown: ShownPreview }) => {
  const records = (row.records ?? []).filter(({ kind }) => kind !== 'agents')
  const zine = records.find(({ kind }) => kind === 'zines')
  const title = zine?.body.title
  return (
    <details open={row === shown.rows[0]}>
      <summary>
        {typeof title === 'string'
          ? t('{label}: {value}', {
              label: t('Row {number}', { number: row.number }),
              value: title,
            })
          : t('Row {number}', { number: row.number })}
      </summary>
      {records.map((record) => (
        <SampleRecord key={`${record.kind}/${record.id}`} {...{ record, resources, shown }} />
      ))}
      {row.notes.length > 0 && (
        <ul class="hint">
          {row.notes.map((note) => (
            <li key={note}>{withLabel(note, resources)}</li>
          ))}
        </ul>
      )}
      <details>
        <summary>{t('The row in the file')}</summary>
        <OriginalRow fields={row.fields} />
      </details>
    </details>
  )
}

const SampleRecord = ({
  record: { kind, id, change, body },
  resources,
  shown,
}: {
  readonly record: PreviewedRecord
  readonly resources: Resources
  readonly shown: ShownPreview
}) => {
  const name = resourceNames.find((resourceName) => resourceName === kind)
  if (name === undefined) return null
  const { inputFields, id: idField } = resources[name]
  const fields = inputFields.filter(
    (field) =>
      field !== idField && field.target !== 'zines' && textsOf(body[field.name]).length > 0,
  )
  return (
    <section class="sample">
      <h2>
        {capitalize(nounText(name))} <code>{id}</code>{' '}
        <span class="hint">
          {change in changeWords ? t(changeWords[change as keyof typeof changeWords]) : change}
        </span>
      </h2>
      <dl class="fields">
        {fields.map((field) => (
          <div key={field.name}>
            <dt>{t(field.formLabel)}</dt>
            <dd dir="auto">
              {textsOf(body[field.name])
                .map((text) => labelOf(field, text, resources, shown))
                .join(field.vocabulary ? ', ' : '; ')}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function textsOf(value: unknown): readonly string[] {
  if (value === undefined || value === null || value === '') return []
  return [value].flat().map(String)
}

function labelOf(
  field: Field,
  text: string,
  resources: Resources,
  { lookup, newAgents }: ShownPreview,
): string {
  if (field.target) {
    const title = titleOfReference(resources, lookup, { target: field.target, id: text })
    return title === '' ? (newAgents.get(text) ?? text) : title
  }
  return valueText(field, text, { resources, lookup })
}
