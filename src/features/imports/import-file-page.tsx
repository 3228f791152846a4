// The first step of an import: what the file was recognized as, its problems, and rows before and
// after their texts are repaired.

import type { FieldSample, RowSample, SourceReport } from '../../lib/sources/report.js'
import type { RecognizedSource, SourceOptions, SourceType } from '../../lib/sources/source.js'
import { DataTable } from '../../views/components/data-table.js'
import { Panel } from '../../views/components/panel.js'
import { SelectRow } from '../../views/components/select.js'
import { LabelledField } from '../../views/form-layout.js'
import { ImportForm, ImportPage, type ImportPageProps, rowCount, shorten } from './import-layout.js'
import { editingLinks } from '../../views/links.js'
import { messageText, message, plural, rich, t } from '../../views/translate.js'

type ImportFileProps = ImportPageProps & {
  /** Undefined where the file could not be read. */
  readonly report: SourceReport | undefined
}

export const ImportFilePage = (props: ImportFileProps) => {
  const { job, report } = props
  return (
    <ImportPage {...props} step="file">
      {job.recognized && (
        <p class="lead">
          {rich('{description}: {rows}.', {
            description: job.recognized.description,
            rows: <strong>{rowCount(job.rows)}</strong>,
          })}
        </p>
      )}
      {report && (
        <>
          <Problems report={report} isRepaired={job.profile.source.repair !== false} />
          <p class="actions">
            <a class="button" href={editingLinks.importStep(job.id, 'fields')}>
              {t('Next: fields')}
            </a>
          </p>
          <Samples report={report} />
        </>
      )}
      {job.recognized && job.state !== 'failed' && <Options {...props} />}
      {job.state === 'failed' && (
        <p class="actions">
          <a class="button" href={editingLinks.imports}>
            {t('Choose another file')}
          </a>
        </p>
      )}
    </ImportPage>
  )
}

const Problems = ({
  report,
  isRepaired,
}: {
  readonly report: SourceReport
  readonly isRepaired: boolean
}) => {
  const { repaired, damaged, shortRows, deletedRows, brokenRows, broken } = report
  const problems: readonly (readonly [count: number, text: string])[] = [
    [
      repaired.rows,
      isRepaired
        ? message('{rows} had garbled letters, such as “Ã©” for “é”. They are repaired.')
        : message(
            '{rows} have garbled letters, such as “Ã©” for “é”. They are not repaired, as you chose.',
          ),
    ],
    [
      damaged.rows,
      message('{rows} have letters that are lost and cannot be repaired. Look at them below.'),
    ],
    [shortRows, message('{rows} have fewer cells than there are columns.')],
    [deletedRows, message('{rows} were deleted in the other catalogue.')],
    [brokenRows, message('{rows} cannot be read and will be refused.')],
  ]
  const shown = problems.filter(([count]) => count > 0)
  return (
    <Panel id="problems" title={t('Problems found')}>
      {shown.length === 0 && <p>{t('None. All rows could be read.')}</p>}
      <ul>
        {shown.map(([count, text]) => (
          <li key={text}>{rich(text, { rows: <strong>{rowCount(count)}</strong> })}</li>
        ))}
      </ul>
      {broken.length > 0 && (
        <details>
          <summary>{t('Rows that cannot be read')}</summary>
          <ul>
            {broken.map(({ number, problem }) => (
              <li key={number}>
                {t('Row {number}: {problem}', { number, problem: problem && messageText(problem) })}
              </li>
            ))}
          </ul>
        </details>
      )}
    </Panel>
  )
}

const Samples = ({ report: { samples } }: { readonly report: SourceReport }) => (
  <Panel
    id="rows"
    title={plural(samples.length, '{count} row as they are read', '{count} rows as they are read')}
  >
    {samples.map((sample, index) => (
      <details
        key={sample.number}
        open={index === 0 || sample === samples.find(isChanged) || isDamaged(sample)}
      >
        <summary>
          {t('Row {number}', { number: sample.number })}
          {isChanged(sample) && ` · ${t('repaired')}`}
          {isDamaged(sample) && ` · ${t('damaged')}`}
          {sample.problem !== undefined && ` · ${t('cannot be read')}`}
        </summary>
        <DataTable
          label={t('Row {number}', { number: sample.number })}
          class="compact"
          columns={[t('Field'), isChanged(sample) && t('In the file'), t('As it is read')]}
        >
          {sample.fields.map((field, number) => (
            <SampleRow key={number} field={field} isWide={isChanged(sample)} />
          ))}
        </DataTable>
        {[sample.problem, ...sample.remarks.map(({ message }) => message)]
          .filter((text) => text !== undefined)
          .map((text, number) => (
            <p key={number} class="hint">
              {text}
            </p>
          ))}
      </details>
    ))}
  </Panel>
)

const isDamaged = ({ remarks }: RowSample): boolean =>
  remarks.some(({ kind }) => kind === 'damaged')

const isChanged = ({ fields }: RowSample): boolean =>
  fields.some(({ before, after }) => before !== after)

const SampleRow = ({
  field: { name, before, after },
  isWide,
}: {
  readonly field: FieldSample
  readonly isWide: boolean
}) => (
  <tr>
    <th scope="row">{name}</th>
    {before === after ? (
      <td dir="auto" colSpan={isWide ? 2 : 1}>
        {shorten(after, 300)}
      </td>
    ) : (
      <>
        <td dir="auto">
          <del>{shorten(before, 300)}</del>
        </td>
        <td dir="auto">
          <ins>{shorten(after, 300)}</ins>
        </td>
      </>
    )}
  </tr>
)

/** How the file is read, with what can be chosen for its type. */
const Options = ({ context, job }: ImportFileProps) => {
  const { options, sheets }: Pick<RecognizedSource, 'options' | 'sheets'> = job.recognized ?? {
    options: {},
    sheets: [],
  }
  const has = (types: readonly SourceType[]): boolean =>
    options.type !== undefined && types.includes(options.type)
  return (
    <details class="panel">
      <summary>{t('This is not right: read it another way')}</summary>
      <ImportForm context={context} job={job} step="file" class="narrow">
        {has(['csv', 'marc', 'json-lines', 'marcxml']) && <EncodingRow options={options} />}
        {has(['csv']) && <DelimiterRow options={options} />}
        {sheets.length > 1 && (
          <SelectRow
            name="sheet"
            label={t('Sheet|file')}
            value={options.sheet}
            options={sheets.map((name) => [name, name])}
          />
        )}
        {has(['csv', 'spreadsheet']) && (
          <LabelledField id="skipRows" label={t('Rows above the names of the columns')}>
            <input
              type="text"
              inputMode="numeric"
              id="skipRows"
              name="skipRows"
              value={options.skipRows ?? 0}
            />
          </LabelledField>
        )}
        <div class="field">
          <label class="choice">
            <input
              type="checkbox"
              name="repair"
              value="yes"
              checked={job.profile.source.repair !== false}
            />
            {t('Repair garbled letters and HTML entities (“Ã©”, “&amp;”)')}
          </label>
        </div>
        <p class="hint">
          {t(
            'With another sheet, separator or first row, the fields are recognized anew. What you decided stays where it still applies, and you are told what does not.',
          )}
        </p>
        <button>{t('Read it again')}</button>
      </ImportForm>
    </details>
  )
}

type OptionsProps = Pick<RecognizedSource, 'options'>

const EncodingRow = ({ options }: OptionsProps) => (
  <SelectRow
    name="encoding"
    label={t('Encoding')}
    hint={t('Choose another one where letters with accents are wrong in all rows.')}
    value={options.encoding}
    options={[
      ['', t('Recognize it')],
      ...encodingsFor(options).map((name) => [name, t(encodingNames[name] ?? name)] as const),
    ]}
  />
)

const DelimiterRow = ({ options }: OptionsProps) => (
  <SelectRow
    name="delimiter"
    label={t('Between the cells')}
    value={options.delimiter}
    options={[
      ['', t('Recognize it')],
      ...Object.entries(delimiterNames).map(([value, label]) => [value, t(label)] as const),
    ]}
  />
)

const encodingNames: Readonly<Record<string, string>> = {
  'utf-8': message('UTF-8 (today’s usual one)'),
  'utf-16le': message('UTF-16 (“Unicode text” of Excel)'),
  'utf-16be': 'UTF-16, big-endian',
  'windows-1252': message('Windows, Western Europe'),
  'iso-8859-1': 'Latin-1',
  macintosh: 'Macintosh',
  'marc-8': 'MARC-8',
}

function encodingsFor({ type, encoding }: SourceOptions): readonly string[] {
  const known = type === 'marc' ? ['utf-8', 'marc-8'] : Object.keys(encodingNames).slice(0, -1)
  return encoding === undefined || known.includes(encoding) ? known : [...known, encoding]
}

const delimiterNames: Readonly<Record<string, string>> = {
  ',': message('Comma'),
  ';': message('Semicolon'),
  '\t': message('Tab'),
  '|': message('Vertical bar |'),
}
