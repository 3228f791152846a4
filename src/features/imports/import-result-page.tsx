// The last step of an import: what was made, refused rows and the report, what takes the import
// back, and what removes its file.

import type { PreviewedRow } from './preview.js'
import { resourceNames } from '../../model/iris.js'
import type { RecordLookup, ResolvedRecord } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import { CoverLinks, type Covers } from '../covers/cover.js'
import { RecordLink } from '../../views/components/record-link.js'
import { Panel } from '../../views/components/panel.js'
import { ImportForm, ImportPage, type ImportPageProps, NumberedPages } from './import-layout.js'
import { editingLinks } from '../../views/links.js'
import { fieldText, numberText, plural, rich, t, tKind } from '../../views/translate.js'
import { Counts, Refused } from './import-preview-page.js'

/** How many records that an undo kept are named. */
export const maxKept = 200

export const rowsPerResultPage = 50

/** How many zines that an import wrote are shown by their covers. */
export const maxCovers = 20

export type RefusedRow = Pick<PreviewedRow, 'number' | 'fields' | 'reasons'>

type ImportResultProps = ImportPageProps & {
  readonly resources: Resources
  readonly refused: readonly RefusedRow[]
  /** How many rows were refused. */
  readonly count: number
  /** How many rows have something that was left out or moved. */
  readonly notes: number
  readonly page: number
  readonly lookup: RecordLookup
  readonly zines: readonly ResolvedRecord[]
  readonly covers: Covers
}

export const ImportResultPage = (props: ImportResultProps) => {
  const { job } = props
  if (job.batch === undefined)
    return (
      <ImportPage {...props} step="result">
        <p class="lead">{t('Nothing is written yet.')}</p>
        <p class="actions">
          <a class="button" href={editingLinks.importStep(job.id, 'preview')}>
            {t('Go to the preview')}
          </a>
        </p>
        <Remove {...props} />
      </ImportPage>
    )
  return (
    <ImportPage {...props} step="result">
      {job.state === 'undone' ? <Undone {...props} /> : <Written {...props} />}
      <Report {...props} />
      {job.harvest?.harvestedAt !== undefined && <FetchChanges {...props} />}
      {job.state === 'undone' ? <Again {...props} /> : <Undo {...props} />}
      <Remove {...props} />
    </ImportPage>
  )
}

const Written = ({ job, zines, resources, covers }: ImportResultProps) => {
  const { batch } = job
  const kinds = resourceNames.filter((name) => {
    const { created = 0, updated = 0 } = job.written?.[name] ?? {}
    return created + updated > 0
  })
  return (
    <>
      {job.state === 'stopped' && (
        <div class="notice wrong" role="alert">
          <p>
            {job.writtenTo === undefined
              ? t('The import stopped.')
              : t('The import stopped after row {row} of {rows}.', {
                  row: numberText(job.writtenTo),
                  rows: numberText(job.rows),
                })}{' '}
            {rich(
              'What was written stays until you undo it. {preview} to go on: rows that are written already are not made twice.',
              {
                preview: (
                  <a href={editingLinks.importStep(job.id, 'preview')}>{t('Preview it again')}</a>
                ),
              },
            )}
          </p>
        </div>
      )}
      <Counts counts={job.written ?? {}} />
      {zines.length > 0 && <CoverLinks {...{ zines, resources, covers }} />}
      <p class="actions">
        {batch !== undefined &&
          kinds.map((kind) => (
            <a key={kind} class="button quiet" href={editingLinks.batch(batch, { kind })}>
              {tKind(kind, 'lookAt')}
            </a>
          ))}
        {batch !== undefined && (
          <a class="button quiet" href={editingLinks.batch(batch)}>
            {t('All changes of the import')}
          </a>
        )}
      </p>
    </>
  )
}

const Undone = ({ job, resources, lookup }: ImportResultProps) => {
  const conflicts = job.kept ?? []
  return (
    <>
      <p class="lead">
        {t(
          'The import was undone. What it created was removed, and what it changed is as it was before.',
        )}
      </p>
      {conflicts.length > 0 && (
        <section class="notice look" aria-labelledby="kept">
          <h2 id="kept">
            {plural(conflicts.length, '{count} record was kept', '{count} records were kept')}
          </h2>
          <p>{t('They were edited since, or other records link to them:')}</p>
          <ul>
            {conflicts.slice(0, maxKept).map(({ reference, fields }) => {
              const link = <RecordLink {...{ reference, resources, lookup }} />
              const names = fields.map((name) => fieldText(resources[reference.target], name))
              return (
                <li key={`${reference.target}/${reference.id}`}>
                  {names.length > 0
                    ? rich('{label}: {value}', { label: link, value: names.join(', ') })
                    : link}
                </li>
              )
            })}
          </ul>
          {conflicts.length > maxKept && (
            <p>{t('And {count} more.', { count: numberText(conflicts.length - maxKept) })}</p>
          )}
        </section>
      )}
    </>
  )
}

const Report = ({ job, refused, count, notes, page, resources }: ImportResultProps) => (
  <Panel id="report" title={t('Report')}>
    <p>
      {count === 0
        ? t('No row was refused.')
        : plural(
            count,
            '{count} row was refused, with why:',
            '{count} rows were refused, with why:',
          )}{' '}
      {notes > 0 &&
        plural(
          notes,
          'Of {count} row something was left out or moved; the report says what.',
          'Of {count} rows something was left out or moved; the report says what.',
        )}
    </p>
    <p class="actions">
      <a class="button quiet" href={editingLinks.importReport(job.id)} download>
        {t('Report (CSV)')}
      </a>
    </p>
    {refused.length > 0 && <Refused rows={refused} resources={resources} />}
    <NumberedPages
      page={page}
      size={rowsPerResultPage}
      count={count}
      hrefOf={(number) =>
        editingLinks.importStep(job.id, 'result', number > 1 ? { page: String(number) } : {})
      }
    />
  </Panel>
)

const FetchChanges = ({ context, job }: ImportResultProps) => (
  <Panel id="again" title={t('Fetch again')}>
    <p>
      {t(
        'A new import with the same decisions fetches what the other catalogue changed since. Records of the same identifiers are updated.',
      )}
    </p>
    <ImportForm context={context} job={job} step="result" class="actions">
      <button class="quiet" name="do" value="again">
        {t('Fetch what changed since')}
      </button>
    </ImportForm>
  </Panel>
)

const Undo = ({ context, job }: ImportResultProps) => (
  <Panel id="undo" title={t('Undo')}>
    <details>
      <summary>{t('Undo this import')}</summary>
      <p>
        {t(
          'All records that it created are removed, and those that it changed get their former values. Records that somebody edited since stay, and are listed.',
        )}
      </p>
      <ImportForm context={context} job={job} step="result" class="actions">
        <button class="danger" name="do" value="undo">
          {t('Undo the whole import')}
        </button>
      </ImportForm>
    </details>
  </Panel>
)

const Again = ({ job }: ImportResultProps) => (
  <p class="actions">
    <a class="button quiet" href={editingLinks.importStep(job.id, 'fields')}>
      {t('Change something and import again')}
    </a>
  </p>
)

const Remove = ({ context, job }: ImportResultProps) => (
  <Panel id="remove" title={t('Delete this import')}>
    <details>
      <summary>{t('Delete the file and its rows')}</summary>
      <p>
        {job.batch !== undefined && job.state !== 'undone'
          ? t(
              'The records in the catalogue stay. The original rows are no longer shown beside them, and the import can be undone only as a batch.',
            )
          : t(
              'The records in the catalogue stay. The original rows are no longer shown beside them.',
            )}
      </p>
      <ImportForm context={context} job={job} step="result" class="actions">
        <button class="danger" name="do" value="remove">
          {t('Delete the file and its rows')}
        </button>
      </ImportForm>
    </details>
  </Panel>
)
