// The page that hides many records from the public, or shows them again. Nothing is previewed: what
// becomes of each record is the same, so that the number of the records is typed instead.

import type { Resource } from '../../model/resources.js'
import { Form } from '../../views/form.js'
import { CancelLink, FormPage, InputRow, type Notice } from '../../views/form-layout.js'
import type { PageContext } from '../../views/layout.js'
import { editingLinks, listPath } from '../../views/links.js'
import { recordCount, t } from '../../views/translate.js'
import { type ChosenVisibility, VisibilityFields } from '../records/visibility.js'
import { type BatchEditInput, Selection } from './batches-page.js'

export const BatchVisibilityPage = ({
  context,
  resource: { name },
  input,
  chosen,
  count,
  notice,
}: {
  readonly context: PageContext
  readonly resource: Resource
  readonly input: BatchEditInput
  readonly chosen: ChosenVisibility
  /** How many records are chosen. */
  readonly count: number
  readonly notice: Notice | undefined
}) => (
  <FormPage
    context={context}
    title={t('Hide or show {records}', { records: recordCount(name, count) })}
    notice={notice}
  >
    <p class="lead">
      {t('What belongs to a record, such as the copies of a zine, is hidden and shown with it.')}
    </p>
    <Form context={context} action={editingLinks.batchEdit(name)} class="narrow">
      <Selection input={input} />
      <VisibilityFields chosen={chosen} />
      <InputRow
        name=".count"
        id="count"
        label={t('Type how many records it is about')}
        hint={String(count)}
        autocomplete="off"
      />
      <p class="actions">
        <button name="do" value="set-visibility">
          {t('Save')}
        </button>
        <CancelLink href={listPath(name)} />
      </p>
    </Form>
  </FormPage>
)
