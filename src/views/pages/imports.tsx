// The page of all imports: the forms of a new one, from a file or from another catalogue, and those so far.

import type { PageLinks } from '../../formats/serializer.js'
import type { Import, ImportState } from '../../imports/import-state.js'
import { FormPage, InputRow, type Notice } from '../form-layout.js'
import { Minute, countOf } from '../import-layout.js'
import { Csrf, type PageContext } from '../layout.js'
import { editingLinks } from '../links.js'
import { Pager } from './list.js'

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
  <FormPage context={props.context} title="Import" notice={props.notice}>
    <p class="lead">
      Bring in the records that your library already has. You look at everything before it is
      written, and the whole import can be undone.
    </p>
    <section class="panel" aria-labelledby="from-file">
      <h2 id="from-file">From a file</h2>
      <form method="post" action={editingLinks.imports} encType="multipart/form-data">
        <Csrf token={props.context.csrf} />
        <div class="field">
          <label for="file">File</label>
          <p class="hint" id="file-hint">
            MARC 21 or MARCXML, a spreadsheet (.xlsx, .xls, .ods, .csv, .tsv), a LibraryThing
            export, or JSON Lines. At most 512 MB and 100,000 rows.
          </p>
          <input type="file" id="file" name="file" required aria-describedby="file-hint" />
        </div>
        <p class="actions">
          <button>Upload and look</button>
        </p>
      </form>
    </section>
    <section class="panel" aria-labelledby="from-catalogue">
      <h2 id="from-catalogue">From another catalogue</h2>
      <details>
        <summary>Fetch records by OAI-PMH</summary>
        <form method="post" action={editingLinks.imports} class="narrow">
          <Csrf token={props.context.csrf} />
          <InputRow
            name="url"
            label="Address"
            hint="Such as https://catalogue.example.org/oai. Ask the other library for it."
          />
          <div class="field">
            <label for="prefix">Format</label>
            <select id="prefix" name="prefix">
              <option value="marcxml">MARCXML</option>
              <option value="oai_dc">Dublin Core (oai_dc)</option>
            </select>
          </div>
          <InputRow
            name="set"
            label="Set"
            hint="Only this part of the catalogue. May stay empty."
          />
          <div class="field">
            <label for="profile">Profile</label>
            <select id="profile" name="profile">
              <option value="">The one that fits best</option>
              {props.profiles.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </div>
          <button>Fetch</button>
        </form>
      </details>
    </section>
    <section class="panel" aria-labelledby="so-far">
      <h2 id="so-far">Imports so far</h2>
      {props.imports.length === 0 ? <p>There are none yet.</p> : <ImportTable {...props} />}
      <Pager {...props} />
    </section>
  </FormPage>
)

const ImportTable = ({ imports }: ImportsPageProps) => (
  <div class="scroll" tabIndex={0} role="region" aria-label="Imports so far">
    <table>
      <thead>
        <tr>
          <th scope="col">Source</th>
          <th scope="col">Rows</th>
          <th scope="col">State</th>
          <th scope="col">Begun</th>
        </tr>
      </thead>
      <tbody>
        {imports.map((one) => (
          <tr key={one.id}>
            <th scope="row">
              <a href={editingLinks.importOf(one.id)}>{one.name}</a>
            </th>
            <td>{countOf(one.rows, 'row')}</td>
            <td>{stateWords[one.state]}</td>
            <td>
              <Minute value={one.createdAt} />
              {one.account !== undefined && ` by ${one.account}`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const stateWords: Readonly<Record<ImportState, string>> = {
  harvesting: 'being fetched',
  reading: 'being read',
  open: 'not written yet',
  previewing: 'being previewed',
  writing: 'being written',
  stopped: 'stopped before the end',
  written: 'written',
  undoing: 'being undone',
  undone: 'undone',
  failed: 'could not be read',
}
