// The page of all imports: the forms of a new one, from a file or from another catalogue, and those
// so far.

import type { PageLinks } from '../../formats/serializer.js'
import type { Import, ImportState } from './import-state.js'
import { FormPage, InputRow, type Notice } from '../../views/form-layout.js'
import { Minute, rowCount } from './import-layout.js'
import { Csrf, type PageContext } from '../../views/layout.js'
import { editingLinks } from '../../views/links.js'
import { message, t } from '../../views/translate.js'
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
        'Bring in the records that your library already has. You look at everything before it is written, and the whole import can be undone.',
      )}
    </p>
    <section class="panel" aria-labelledby="from-file">
      <h2 id="from-file">{t('From a file')}</h2>
      <form method="post" action={editingLinks.imports} encType="multipart/form-data">
        <Csrf token={props.context.csrf} />
        <div class="field">
          <label for="file">{t('File')}</label>
          <p class="hint" id="file-hint">
            {t(
              'A spreadsheet (.xlsx, .xls, .ods, .csv, .tsv), MARC 21, UNIMARC or MARCXML, a LibraryThing export, BibTeX, RIS, EndNote, CSL-JSON, MODS, RDF, or JSON Lines. At most 512 MB and 100,000 rows.',
            )}
          </p>
          <input type="file" id="file" name="file" required aria-describedby="file-hint" />
        </div>
        <p class="actions">
          <button>{t('Upload and check')}</button>
        </p>
      </form>
    </section>
    <section class="panel" aria-labelledby="from-catalogue">
      <h2 id="from-catalogue">{t('From another catalogue')}</h2>
      <details>
        <summary>{t('Fetch records by OAI-PMH')}</summary>
        <form method="post" action={editingLinks.imports} class="narrow">
          <Csrf token={props.context.csrf} />
          <InputRow
            name="url"
            label={t('Address')}
            hint={t('Such as {address}. Ask the other library for it.', {
              address: 'https://catalogue.example.org/oai',
            })}
          />
          <div class="field">
            <label for="prefix">{t('Format')}</label>
            <select id="prefix" name="prefix">
              <option value="marcxml">MARCXML</option>
              <option value="oai_dc">Dublin Core (oai_dc)</option>
            </select>
          </div>
          <InputRow
            name="set"
            label={t('Set')}
            hint={t('Only this part of the catalogue. May stay empty.')}
          />
          <div class="field">
            <label for="profile">{t('Profile')}</label>
            <select id="profile" name="profile">
              <option value="">{t('The one that fits best')}</option>
              {props.profiles.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </div>
          <button>{t('Fetch')}</button>
        </form>
      </details>
    </section>
    <section class="panel" aria-labelledby="so-far">
      <h2 id="so-far">{t('Imports so far')}</h2>
      {props.imports.length === 0 ? <p>{t('There are none yet.')}</p> : <ImportTable {...props} />}
      <Pager {...props} />
    </section>
  </FormPage>
)

const ImportTable = ({ imports }: ImportsPageProps) => (
  <div class="scroll" tabIndex={0} role="region" aria-label={t('Table of imports')}>
    <table>
      <thead>
        <tr>
          <th scope="col">{t('Source')}</th>
          <th scope="col">{t('Rows')}</th>
          <th scope="col">{t('State')}</th>
          <th scope="col">{t('Begun')}</th>
        </tr>
      </thead>
      <tbody>
        {imports.map((one) => (
          <tr key={one.id}>
            <th scope="row">
              <a href={editingLinks.importOf(one.id)}>{one.name}</a>
            </th>
            <td>{rowCount(one.rows)}</td>
            <td>{t(stateWords[one.state])}</td>
            <td>
              <Minute value={one.createdAt} />
              {one.account !== undefined && ` ${t('by {account}', { account: one.account })}`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const stateWords: Readonly<Record<ImportState, string>> = {
  harvesting: message('being fetched'),
  reading: message('being read'),
  open: message('not written yet'),
  previewing: message('being previewed'),
  writing: message('being written'),
  stopped: message('stopped before the end'),
  written: message('written'),
  undoing: message('being undone'),
  undone: message('undone|import'),
  failed: message('could not be read'),
}
