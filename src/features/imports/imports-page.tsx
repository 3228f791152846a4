// The page of all imports: the forms of a new one, from a file or from another catalogue, and those
// so far.

import type { PageLinks } from '../../formats/serializer.js'
import { type Import, rulesOf } from './import-state.js'
import { DataTable } from '../../views/components/data-table.js'
import { Panel } from '../../views/components/panel.js'
import { SelectRow } from '../../views/components/select.js'
import { Form } from '../../views/form.js'
import { FormPage, InputRow, LabelledField, type Notice } from '../../views/form-layout.js'
import { Minute, rowCount } from './import-layout.js'
import type { PageContext } from '../../views/layout.js'
import { editingLinks } from '../../views/links.js'
import { t } from '../../views/translate.js'
import { Pager } from '../records/list-page.js'

type ImportsPageProps = {
  readonly context: PageContext
  readonly imports: readonly Import[]
  readonly count: number
  readonly page: { readonly number: number; readonly size: number }
  readonly links: PageLinks
  /** The names of the profiles that can be chosen. */
  readonly profiles: readonly string[]
  readonly notice?: Notice | undefined
}

export const ImportsPage = (props: ImportsPageProps) => (
  <FormPage context={props.context} title={t('Import')} notice={props.notice}>
    <p class="lead">
      {t(
        'Import the records that your library already has. You check everything before it is saved, and you can undo the whole import.',
      )}
    </p>
    <Panel id="from-file" title={t('From a file')}>
      <Form context={props.context} action={editingLinks.imports} enctype="multipart/form-data">
        <LabelledField
          id="file"
          label={t('File')}
          hint={t(
            'A spreadsheet (.xlsx, .xls, .ods, .csv, .tsv), MARC 21, UNIMARC or MARCXML, a LibraryThing export, BibTeX, RIS, EndNote, CSL-JSON, MODS, RDF, or JSON Lines. At most 512 MB and 100,000 rows.',
          )}
        >
          <input type="file" id="file" name="file" required aria-describedby="file-hint" />
        </LabelledField>
        <p class="actions">
          <button>{t('Upload and check')}</button>
        </p>
      </Form>
    </Panel>
    <Panel id="from-catalogue" title={t('From another catalogue')}>
      <details>
        <summary>{t('Fetch records by OAI-PMH')}</summary>
        <Form context={props.context} action={editingLinks.imports} class="narrow">
          <InputRow
            name="url"
            label={t('Address')}
            hint={t('Such as {address}. Ask the other library for it.', {
              address: 'https://catalogue.example.org/oai',
            })}
          />
          <SelectRow
            name="prefix"
            label={t('Format')}
            options={[
              ['marcxml', 'MARCXML'],
              ['oai_dc', 'Dublin Core (oai_dc)'],
            ]}
          />
          <InputRow
            name="set"
            label={t('Set')}
            hint={t('Only this part of the catalogue. May stay empty.')}
          />
          <SelectRow
            name="profile"
            label={t('Profile')}
            options={[
              ['', t('The one that fits best')],
              ...props.profiles.map((name) => [name, name] as const),
            ]}
          />
          <button>{t('Fetch')}</button>
        </Form>
      </details>
    </Panel>
    <Panel id="so-far" title={t('Imports so far')}>
      {props.imports.length === 0 ? <p>{t('There are none yet.')}</p> : <ImportTable {...props} />}
      <Pager {...props} />
    </Panel>
  </FormPage>
)

const ImportTable = ({ imports }: ImportsPageProps) => (
  <DataTable
    label={t('Table of imports')}
    columns={[t('Source'), t('Rows'), t('State'), t('Started')]}
  >
    {imports.map((job) => (
      <tr key={job.id}>
        <th scope="row">
          <a href={editingLinks.importOf(job.id)}>{job.name}</a>
        </th>
        <td>{rowCount(job.rows)}</td>
        <td>{t(rulesOf(job).label)}</td>
        <td>
          <Minute value={job.createdAt} />
          {job.account !== undefined && ` ${t('by {account}', { account: job.account })}`}
        </td>
      </tr>
    ))}
  </DataTable>
)
