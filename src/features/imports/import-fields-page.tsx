// The second step of an import: each field of the source with samples and where it goes, the
// library that keeps the copies, identifiers, what the source does not say, and profiles.

import type { ComponentChildren } from 'preact'

import { itemTags } from './profiles/marc21.js'
import { unimarcItemTag } from './profiles/unimarc.js'
import type { Analysis } from './analysis.js'
import { type FieldRule, type ImportedKind, type Reading, madeKinds, readings } from './profile.js'
import { resourceNames } from '../../model/iris.js'
import { maxSourceName, sourceNameOf } from './import-state.js'
import type { RecordLookup } from '../../model/record/views.js'
import type { Field, Resources } from '../../model/resources.js'
import { valueText } from '../../views/components/field-value.js'
import { DataTable } from '../../views/components/data-table.js'
import { Panel } from '../../views/components/panel.js'
import { type Option, Select, SelectRow, codeOptions } from '../../views/components/select.js'
import { CancelLink, InputRow, LabelledField } from '../../views/form-layout.js'
import {
  ImportForm,
  ImportPage,
  type ImportPageProps,
  rowCount,
  shorten,
  timeCount,
} from './import-layout.js'
import { editingLinks } from '../../views/links.js'
import { message, plural, recordCount, rich, t } from '../../views/translate.js'
import { pickerSource } from '../records/record-form-page.js'
import { kindTexts } from '../../views/kind-texts.js'

export type ChosenRepository = { readonly id: string; readonly title: string }

type SourceField = Analysis['fields'][number]

type ImportFieldsProps = ImportPageProps & {
  readonly resources: Resources
  readonly analysis: Analysis
  /** The fields that go nowhere. */
  readonly unused: readonly SourceField[]
  readonly shelves: Analysis['shelves']
  readonly missing: Awaited<ReturnType<Analysis['missing']>>
  readonly repositories: readonly ChosenRepository[]
  readonly profiles: readonly string[]
  readonly savedProfiles: readonly string[]
  /** The sources of imports that were written. */
  readonly sources: readonly string[]
  readonly lookup: RecordLookup
}

/**
 * How many fields that go nowhere have a choice on the page; the others are chosen on pages of
 * their own.
 */
const maxUnused = 40

const fieldsForm = 'fields'

export const ImportFieldsPage = (props: ImportFieldsProps) => {
  const { context, job, unused } = props
  return (
    <ImportPage {...props} step="fields" form={fieldsForm}>
      <p class="lead">
        {t(
          'The profile “{name}” says where each field of the file goes. Change what is not right.',
          { name: job.profile.name },
        )}
      </p>
      <ImportForm context={context} job={job} step="fields" id={fieldsForm}>
        {unused.length > 0 && <UnusedFields {...props} />}
        <SourceName {...props} />
        <Library {...props} />
        {props.shelves.length > 0 && <Shelves {...props} />}
        {props.missing.length > 0 && <Missing {...props} />}
        <Constants {...props} />
        <Identifiers {...props} />
        <p class="actions sticky">
          <button name="do" value="go-on">
            {t('Save and continue')}
          </button>
        </p>
      </ImportForm>
      <UsedFields {...props} />
      <Profiles {...props} />
    </ImportPage>
  )
}

const UnusedFields = ({ job, unused, resources }: ImportFieldsProps) => (
  <Panel
    id="unused"
    title={plural(unused.length, '{count} field goes nowhere', '{count} fields go nowhere')}
  >
    <p class="hint">{t('They are left out, unless you say where they go.')}</p>
    {unused.length > 1 && (
      <div class="field narrow">
        <label for="rest">{t('All for which you choose nothing')}</label>
        <Select
          id="rest"
          name="rest"
          options={[
            ['', t('Nowhere yet')],
            ['private', t('Kept for editors only')],
            ['nothing', t('Left out')],
          ]}
        />
      </div>
    )}
    <DataTable
      label={t('Table of fields without a place')}
      class="import-table"
      columns={fieldColumns()}
    >
      {unused.map((field, index) => (
        <FieldRow key={field.name} field={field} rows={job.rows}>
          {index < maxUnused && (
            <>
              <input type="hidden" name="from" value={field.name} />
              <TargetSelect
                name="to"
                label={t('Where {name} goes', { name: field.name })}
                current=""
                rules={job.profile.rules}
                resources={resources}
              />
            </>
          )}
          <ChangeLink job={job} field={field} text={t('More choices')} />
        </FieldRow>
      ))}
    </DataTable>
  </Panel>
)

const UsedFields = ({ job, analysis, unused, resources }: ImportFieldsProps) => {
  const used = analysis.fields.filter((field) => !unused.includes(field))
  return (
    <Panel
      id="used"
      title={plural(used.length, '{count} field with a place', '{count} fields with a place')}
    >
      <DataTable
        label={t('Table of fields with a place')}
        class="import-table"
        columns={fieldColumns()}
      >
        {used.map((field) => (
          <FieldRow key={field.name} field={field} rows={job.rows}>
            <ul>
              {field.rules.map((rule, index) => (
                <li key={index}>{describeRule(rule, resources)}</li>
              ))}
              {field.rules.length === 0 && (
                <li>{field.rows > 0 ? t('Identifiers are made of it') : t('Empty in all rows')}</li>
              )}
            </ul>
            <ChangeLink job={job} field={field} text={t('Change')} />
          </FieldRow>
        ))}
      </DataTable>
    </Panel>
  )
}

const fieldColumns = (): readonly string[] => [t('Field of the file'), t('Such as'), t('Goes to')]

const FieldRow = ({
  field: { name, columns, rows, samples },
  rows: all,
  children,
}: {
  readonly field: SourceField
  /** The number of all rows. */
  readonly rows: number
  readonly children: ComponentChildren
}) => (
  <tr>
    <th scope="row">
      {name}
      <span class="hint">
        {columns > 1 && `${columnCount(columns)}, `}
        {rows === all ? t('all rows') : rowCount(rows)}
      </span>
    </th>
    <td>
      <ul class="samples">
        {samples.map((sample) => (
          <li key={sample} dir="auto">
            {shorten(sample, 90)}
          </li>
        ))}
      </ul>
    </td>
    <td>{children}</td>
  </tr>
)

const columnCount = (count: number): string => plural(count, '{count} column', '{count} columns')

const ChangeLink = ({
  job,
  field,
  text,
}: Pick<ImportPageProps, 'job'> & { readonly field: SourceField; readonly text: string }) => (
  <a
    class="change"
    href={editingLinks.importStep(job.id, 'fields', { field: field.name })}
    aria-label={t('{label}: {value}', { label: text, value: field.name })}
  >
    {text}
  </a>
)

/** The fields that a source can fill. */
const targetFields = (resources: Resources, kind: ImportedKind): readonly Field[] =>
  resources[kind].inputFields.filter((field) => field !== resources[kind].id)

const targetOptions = (resources: Resources, kind: ImportedKind): readonly Option[] =>
  targetFields(resources, kind).map(({ name, formLabel }) => [`${kind}.${name}`, t(formLabel)])

/** The kinds whose fields are offered: makers and libraries only where the file is about them. */
const targetKinds = (rules: readonly FieldRule[]): readonly ImportedKind[] =>
  (['zines', 'holdings', 'agents', 'repositories'] as const).filter(
    (kind) =>
      madeKinds.some((madeKind) => madeKind === kind) ||
      rules.some(({ to }) => to.startsWith(`${kind}.`)),
  )

const TargetSelect = ({
  name,
  label,
  current,
  rules,
  resources,
}: {
  readonly name: string
  readonly label: string
  readonly current: string
  readonly rules: readonly FieldRule[]
  readonly resources: Resources
}) => (
  <Select
    name={name}
    aria-label={label}
    value={current}
    options={[
      ['', t('Nowhere yet')],
      ...targetKinds(rules).map((kind) => ({
        label: t(kindTexts[kind].label),
        options: [
          [
            `${kind}.${resources[kind].id.name}`,
            t('Identifier of a record of this catalogue'),
          ] as const,
          ...targetOptions(resources, kind),
        ],
      })),
      {
        label: t('Other|places'),
        options: [
          ['private', t('Kept for editors only')],
          ['nothing', t('Left out')],
        ],
      },
    ]}
  />
)

/** What a rule does, in words. */
function describeRule(rule: FieldRule, resources: Resources): string {
  const { from, to, with: others = [], split, prefix, as, fallback } = rule
  const details = [
    ...(split === undefined ? [] : [t('split at “{mark}”', { mark: split })]),
    ...(as === undefined ? [] : [t(readingLabels[as])]),
    ...(prefix === undefined ? [] : [t('with “{text}” before it', { text: prefix.trim() })]),
    ...(others.length === 0
      ? []
      : [t('{from} joined with {others}', { from, others: others.join(', ') })]),
    ...(/[$X*[]/.test(from) ? [from] : []),
    ...(fallback ? [t('if nothing else gave a value')] : []),
  ]
  const label = targetLabel(to, resources)
  return details.length === 0
    ? label
    : t('{label} ({details})', { label, details: details.join(', ') })
}

function targetLabel(to: string, resources: Resources): string {
  if (to === 'private') return t('Kept for editors only')
  if (to === 'nothing') return t('Left out')
  const [kind = '', name = ''] = to.split('.')
  const resource = resourceNames.find((resourceName) => resourceName === kind)
  const field = resource && resources[resource].byName.get(name)
  if (resource && field === resources[resource].id)
    return t('Identifier of a record of this catalogue')
  const label = field ? t(field.formLabel) : to
  return kind === 'holdings' ? t('Copy: {label}', { label }) : label
}

const readingLabels: Readonly<Record<Reading, string>> = {
  text: message('as it is'),
  date: message('as a date'),
  title: message('splits off the issue number'),
  'turned-title': message('splits off the issue number, puts the article first'),
  isbd: message('without ISBD punctuation'),
  name: message('as one name'),
  names: message('as one or several names'),
  language: message('as languages'),
  pages: message('as a number of pages'),
  place: message('as a place'),
  isbn: message('as ISBNs or ISSNs'),
  id: message('as identifiers of this catalogue'),
  exact: message('as this catalogue writes it'),
}

const SourceName = ({ job, sources }: ImportFieldsProps) => (
  <Panel id="source" title={t('Where the file comes from')}>
    <div class="field narrow">
      <p class="hint" id="source-hint">
        {t(
          'The name of the library system, the spreadsheet or the collection. A later file of the same source changes the records that this one makes. Files of other sources never do.',
        )}
      </p>
      <input
        type="text"
        name="source_name"
        list="sources"
        required
        maxLength={maxSourceName}
        value={sourceNameOf(job)}
        aria-labelledby="source"
        aria-describedby="source-hint"
      />
      <datalist id="sources">
        {sources.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <label class="choice">
        <input
          type="checkbox"
          name="emptyCells"
          value="clear"
          checked={job.profile.emptyCells === 'clear'}
        />
        {t('Empty cells clear the fields of records in the catalogue')}
      </label>
      <label class="choice">
        <input
          type="checkbox"
          name="newRecords"
          value="draft"
          checked={job.profile.newRecords === 'draft'}
        />
        {t('New records are drafts: only editors see them until they are shown')}
      </label>
    </div>
  </Panel>
)

const Library = ({ job, repositories }: ImportFieldsProps) => {
  const current = job.profile.defaults.holdings.repository_id
  const isFromSource = job.profile.rules.some(({ to }) => to === 'holdings.repository_id')
  return (
    <Panel id="library" title={t('The library that keeps the copies')}>
      <div class="field narrow">
        <p class="hint" id="library-hint">
          {isFromSource
            ? t('The file says it; this one is used where it does not.')
            : t('Without a library, only zines are created and no copies.')}{' '}
          {rich('Not in the list? {create}, then load this page again.', {
            create: <a href={editingLinks.create('repositories')}>{t('Create the library')}</a>,
          })}
        </p>
        <Select
          name="repository"
          aria-labelledby="library"
          aria-describedby="library-hint"
          value={typeof current === 'string' ? current : undefined}
          options={[
            ['', isFromSource ? t('None|library') : t('None: no copies')],
            ...repositories.map(({ id, title }) => [id, title] as const),
          ]}
        />
      </div>
    </Panel>
  )
}

/** Wishes and what was only read are in the same files as what is owned. */
const Shelves = ({ shelves }: ImportFieldsProps) => (
  <Panel id="shelves" title={t('Which of these do you own?')}>
    <p class="hint">{t('Rows of the others become zines without a copy.')}</p>
    {shelves.map(({ value, count, owned }) => (
      <div class="field narrow" key={value}>
        <p class="field-name">
          <span dir="auto">{value}</span> <span class="hint">{timeCount(count)}</span>
        </p>
        <input type="hidden" name="shelf" value={value} />
        <Select
          name="owned"
          aria-label={t('Whether {name} is owned', { name: value })}
          value={String(owned)}
          options={[
            ...(owned === undefined ? [['', t('Choose …')] as const] : []),
            ['true', t('We own these')],
            ['false', t('We do not own these')],
          ]}
        />
      </div>
    ))}
  </Panel>
)

const Missing = ({ missing, resources }: ImportFieldsProps) => (
  <Panel id="missing" title={t('What the file does not say')}>
    <p class="hint">
      {t(
        'The catalogue asks for these. Give one value for all rows without one, or leave it empty.',
      )}
    </p>
    {missing.filter(({ mayBeEmpty }) => mayBeEmpty).length > 1 && (
      <label class="choice">
        <input type="checkbox" name="all-empty" value="yes" />
        {t('Leave all of them empty that may be empty')}
      </label>
    )}
    {missing.map(({ kind, field, count, mayBeEmpty }) => (
      <div class="field narrow" key={`${kind}.${field.name}`}>
        <p class="field-name" id={`${kind}-${field.name}`}>
          {t(field.formLabel)}{' '}
          <span class="hint">{t('of {records}', { records: recordCount(kind, count) })}</span>
        </p>
        <ConstantInput
          name={`constant.${kind}.${field.name}`}
          label={t('{label}, for all rows without one', { label: t(field.formLabel) })}
          field={field}
          resources={resources}
        />
        {mayBeEmpty && (
          <label class="choice">
            <input type="hidden" name="may-be-empty" value={`${kind}.${field.name}`} />
            <input type="checkbox" name="empty" value={`${kind}.${field.name}`} />
            {t('Leave it empty')}
          </label>
        )}
      </div>
    ))}
  </Panel>
)

/**
 * An input for one value: a select for a short vocabulary; for a long one and for records, an input
 * with search.
 */
const ConstantInput = ({
  name,
  label,
  field,
  resources,
}: {
  readonly name: string
  readonly label: string
  readonly field: Field
  readonly resources: Resources
}) => {
  const { vocabulary, kind, target } = field
  if (kind === 'boolean')
    return (
      <Select
        name={name}
        aria-label={label}
        options={[
          ['', t('Choose …')],
          ['true', t('Yes')],
          ['false', t('No')],
        ]}
      />
    )
  if (vocabulary && vocabulary.entries.length <= 100)
    return (
      <Select
        name={name}
        aria-label={label}
        options={[['', t('Choose …')], ...codeOptions(vocabulary)]}
      />
    )
  return (
    <SearchInput
      name={name}
      label={label}
      field={vocabulary || target ? field : undefined}
      resources={resources}
    />
  )
}

/** An input whose value is searched in a vocabulary or among records, where scripts run. */
const SearchInput = ({
  name,
  label,
  field,
  resources,
  value = '',
}: {
  readonly name: string
  readonly label: string
  /** Undefined for a text that is not searched. */
  readonly field: Partial<Pick<Field, 'target' | 'vocabulary'>> | undefined
  readonly resources: Resources
  readonly value?: string
}) => {
  const input = { type: 'text', name, value, autocomplete: 'off', 'aria-label': label } as const
  if (!field) return <input {...input} />
  const { source, id, title, details } = pickerSource(field, resources)
  return (
    <span class="picked">
      <input
        {...input}
        data-picker={source}
        data-picker-id={id}
        data-picker-title={title}
        data-picker-details={details}
      />
    </span>
  )
}

const Constants = ({ job, resources, lookup }: ImportFieldsProps) => {
  const constants = madeKinds.flatMap((kind) =>
    Object.entries(job.profile.defaults[kind])
      .filter(([name]) => name !== 'repository_id')
      .map(([name, value]) => ({ kind, name, value, field: resources[kind].byName.get(name) })),
  )
  const labelOf = (field: Field | undefined, value: string): string =>
    field ? valueText(field, value, { resources, lookup }) : value
  return (
    <Panel id="constants" title={t('The same in all rows')}>
      {constants.length > 0 && (
        <ul class="constants">
          {constants.map(({ kind, name, value, field }) => (
            <li key={`${kind}.${name}`}>
              <span>
                {rich('{label}: {value}', {
                  label: <strong>{targetLabel(`${kind}.${name}`, resources)}</strong>,
                  value:
                    value === null
                      ? t('left empty where the file has none')
                      : [value]
                          .flat()
                          .map((text) => labelOf(field, text))
                          .join(', '),
                })}
              </span>
              <label class="choice">
                <input type="checkbox" name="forget" value={`${kind}.${name}`} />
                {t('Ask again')}
                <span class="visually-hidden">
                  {' '}
                  {t('about {words}', { words: field ? t(field.formLabel) : name })}
                </span>
              </label>
            </li>
          ))}
        </ul>
      )}
      <details>
        <summary>{t('Add a value for all rows that have none')}</summary>
        <div class="inline-fields">
          <label>
            {t('Field')}
            <Select
              name="constant-field"
              options={madeKinds.map((kind) => ({
                label: t(kindTexts[kind].label),
                options: targetOptions(resources, kind),
              }))}
            />
          </label>
          <label>
            {t('Value')}
            <input type="text" name="constant-value" autocomplete="off" />
          </label>
        </div>
      </details>
    </Panel>
  )
}

const Identifiers = ({ job, analysis }: ImportFieldsProps) => {
  const { identifiers, items } = job.profile
  const isMarc = analysis.fields.some(({ name }) => /^\d{3}(?:\$.)?$/.test(name))
  const names = analysis.fields.map(({ name }) => `{${name}}`)
  return (
    <details class="panel">
      <summary>
        {rich('Identifiers: {pattern}', {
          pattern: <code>{identifiers.zines || t('(none)')}</code>,
        })}
      </summary>
      <p class="hint">
        {rich(
          'The short codes in web addresses. {source} is where the file comes from, {import} this import, {row} the number of the row. A name in braces stands for a field of the file: {names}. After {bar} stands what is used where a row has no value. Made of numbers of the file, they find its records again in a later file of the same source.',
          {
            source: <code>{'{source}'}</code>,
            import: <code>{'{import}'}</code>,
            row: <code>{'{row}'}</code>,
            names: shorten(names.join(' '), 300),
            bar: <code>|</code>,
          },
        )}
      </p>
      <div class="narrow">
        <PatternInput
          name="zines"
          label={t('Zines')}
          value={identifiers.zines}
          hint={t('Empty: the rows are copies of zines that are there already.')}
        />
        <PatternInput
          name="holdings"
          label={t('Copies')}
          value={identifiers.holdings}
          hint={t(
            '{zine} is the identifier of the zine, {item} the number of the copy in the row.',
          )}
        />
        <PatternInput
          name="agents"
          label={t('Makers: what stands before their names')}
          value={identifiers.agents}
          hint={t('May stay empty.')}
        />
        {isMarc && (
          <SelectRow
            name="items"
            label={t('Copies are in the MARC field')}
            value={items}
            options={[
              ['', t('None: one copy for each row')],
              ...[...itemTags, unimarcItemTag].toSorted().map((tag) => [tag, tag] as const),
            ]}
          />
        )}
      </div>
    </details>
  )
}

const PatternInput = (
  props: Pick<Parameters<typeof InputRow>[0], 'name' | 'label' | 'value' | 'hint'>,
) => <InputRow {...props} autocomplete="off" />

const Profiles = ({ context, job, profiles, savedProfiles }: ImportFieldsProps) => (
  <details class="panel">
    <summary>{t('Profiles: use another one, or keep this one for the next file')}</summary>
    <ImportForm context={context} job={job} step="fields" class="narrow">
      <SelectRow
        name="profile"
        label={t('Use the profile')}
        hint={t('It replaces where the fields go. What you decided about names and terms stays.')}
        value={job.profile.name}
        options={profiles.map((name) => [name, name])}
      />
      <p class="actions">
        <button name="do" value="use-profile">
          {t('Use it')}
        </button>
      </p>
    </ImportForm>
    <ImportForm context={context} job={job} step="fields" class="narrow">
      <LabelledField
        id="profile-name"
        label={t('Save this profile as')}
        hint={t('With all decisions about names and terms.')}
      >
        <input
          type="text"
          id="profile-name"
          name="name"
          maxLength={100}
          required
          value={job.profile.name}
          aria-describedby="profile-name-hint"
        />
      </LabelledField>
      <p class="actions">
        <button name="do" value="save-profile">
          {t('Save the profile')}
        </button>
        <a class="button quiet" href={editingLinks.importProfile(job.id)} download>
          {t('Download it (JSON)')}
        </a>
      </p>
    </ImportForm>
    {savedProfiles.length > 0 && (
      <ImportForm context={context} job={job} step="fields" class="narrow">
        <SelectRow
          id="remove-profile"
          name="profile"
          label={t('Remove a saved profile')}
          options={savedProfiles.map((name) => [name, name])}
        />
        <p class="actions">
          <button class="quiet" name="do" value="remove-profile">
            {t('Remove it|profile')}
          </button>
        </p>
      </ImportForm>
    )}
  </details>
)

type ImportFieldProps = ImportPageProps & {
  readonly resources: Resources
  readonly field: SourceField
}

/** Where one field of the source goes: one place or several, with how its text is read. */
export const ImportFieldPage = (props: ImportFieldProps) => {
  const { context, job, field, resources } = props
  return (
    <ImportPage {...props} step="fields" form={fieldsForm}>
      <h2>
        {field.name}
        {field.columns > 1 && ` (${columnCount(field.columns)})`}
      </h2>
      <p class="hint">
        {field.rows === job.rows
          ? t('In all rows, such as:')
          : plural(field.rows, 'In {count} row, such as:', 'In {count} rows, such as:')}
      </p>
      <ul class="samples">
        {field.samples.map((sample) => (
          <li key={sample} dir="auto">
            {sample}
          </li>
        ))}
      </ul>
      <ImportForm context={context} job={job} step="fields" id={fieldsForm} query={context.query}>
        <input type="hidden" name="do" value="field" />
        <input type="hidden" name="field" value={field.name} />
        {[...field.rules, undefined].map((rule, index) => (
          <RuleFields
            key={index}
            rule={rule}
            index={index}
            position={rule && positionOf(rule, job.profile.rules)}
            rules={job.profile.rules}
            resources={resources}
            field={field}
          />
        ))}
        <p class="actions">
          <button name="back" value="yes">
            {t('Save')}
          </button>
          <CancelLink href={editingLinks.importStep(job.id, 'fields')} />
        </p>
      </ImportForm>
    </ImportPage>
  )
}

/** The analysis may be of a copy of the profile. */
function positionOf(rule: FieldRule, rules: readonly FieldRule[]): number {
  const text = JSON.stringify(rule)
  return rules.findIndex((other) => JSON.stringify(other) === text)
}

type RuleFieldsProps = {
  readonly rule: FieldRule | undefined
  readonly index: number
  readonly position: number | undefined
  readonly rules: readonly FieldRule[]
  readonly resources: Resources
  readonly field: SourceField
}

const RuleFields = ({ rule, index, position, rules, resources, field }: RuleFieldsProps) => {
  const isNamedOtherwise = rule !== undefined && rule.from !== field.name
  return (
    <fieldset class="panel">
      <legend>
        {rule
          ? t('Place {number}', { number: index + 1 })
          : index === 0
            ? t('Goes to')
            : t('Also goes to')}
      </legend>
      {isNamedOtherwise && (
        <p class="hint">
          {rich('This is set for {field}, of which it is a part.', {
            field: <code>{rule.from}</code>,
          })}
        </p>
      )}
      <input
        type="hidden"
        name="position"
        value={position === undefined || position < 0 ? '' : position}
      />
      <div class="inline-fields">
        <label>
          {t('Goes to')}
          <TargetSelect
            name={`to.${index}`}
            label={t('Where {name} goes, {number}', { name: field.name, number: index + 1 })}
            current={rule?.to ?? ''}
            rules={rules}
            resources={resources}
          />
        </label>
        <label>
          {t('Read|fields')}
          <Select
            name={`as.${index}`}
            value={rule?.as}
            options={[
              ['', t('as fits the field')],
              ...readings.map((reading) => [reading, t(readingLabels[reading])] as const),
            ]}
          />
        </label>
        <RuleText name={`split.${index}`} value={rule?.split} label={t('Split at')}>
          {t('What stands between several values, such as a comma.')}
        </RuleText>
        <RuleText name={`prefix.${index}`} value={rule?.prefix} label={t('Text before it')}>
          {t('Such as “Donated by: ” in a note.')}
        </RuleText>
      </div>
      <JoinedFields rule={rule} index={index} />
    </fieldset>
  )
}

const RuleText = ({
  name,
  value = '',
  label,
  children,
}: {
  readonly name: string
  readonly value: string | undefined
  readonly label: string
  /** The hint. */
  readonly children: string
}) => (
  <label>
    {label}
    <span class="hint">{children}</span>
    <input type="text" name={name} value={value} autocomplete="off" />
  </label>
)

const JoinedFields = ({ rule, index }: Pick<RuleFieldsProps, 'rule' | 'index'>) => (
  <details>
    <summary>{t('Joined with other fields')}</summary>
    <div class="inline-fields">
      <RuleText name={`with.${index}`} value={rule?.with?.join(' | ')} label={t('Other fields')}>
        {t('Their names, with | between them.')}
      </RuleText>
      <RuleText name={`join.${index}`} value={rule?.join} label={t('Between them')}>
        {t('Such as “, ”. A space if it is empty.')}
      </RuleText>
      <label class="choice">
        <input
          type="checkbox"
          name={`fallback.${index}`}
          value="yes"
          checked={rule?.fallback === true}
        />
        {t('Only where nothing else gave a value')}
      </label>
    </div>
  </details>
)
