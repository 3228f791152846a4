// What the pages of names and of terms have in common: tabs, one table of decisions in pages of a
// hundred, and one form, which is saved by whatever leads on.

import type { ComponentChildren } from 'preact'

import { Table } from '../../views/components/data-table.js'
import { type Option, Select } from '../../views/components/select.js'
import { ImportForm, type ImportPageProps, NumberedPages, Tabs } from './import-layout.js'
import { type ImportStep, editingLinks } from '../../views/links.js'
import { t } from '../../views/translate.js'

export const decisionsPerPage = 100

/** The form of these pages. */
export const decisionsForm = 'decisions'

/** What is shown of a list of decisions: a page of a tab. */
export type ShownDecisions<Tab extends string, Item> = {
  readonly tab: Tab
  readonly counts: Readonly<Record<Tab, number>>
  readonly page: number
  readonly items: readonly Item[]
}

type DecisionsProps<Tab extends string> = Pick<ImportPageProps, 'context' | 'job'> & {
  readonly step: ImportStep
  readonly shown: ShownDecisions<Tab, unknown>
  readonly label: string
  readonly tabs: readonly { readonly name: Tab; readonly label: string }[]
  /** What the addresses of the tabs have too. */
  readonly query?: Readonly<Record<string, string>>
  readonly columns: readonly string[]
  /** What stands between the tabs and the table. */
  readonly head: ComponentChildren
  /** How the table is filled in. */
  readonly hint: ComponentChildren
  /** Buttons beside that which saves and goes on. */
  readonly actions: ComponentChildren
  /** The rows of the table. */
  readonly children: ComponentChildren
}

export const Decisions = <Tab extends string>({
  context,
  job,
  step,
  shown: { tab: current, counts, page, items },
  label,
  tabs,
  query = {},
  columns,
  head,
  hint,
  actions,
  children,
}: DecisionsProps<Tab>) => {
  const hrefOf = (show: string, number = 1): string =>
    editingLinks.importStep(job.id, step, {
      ...query,
      show,
      ...(number > 1 ? { page: String(number) } : {}),
    })
  return (
    <>
      <Tabs
        label={label}
        current={current}
        tabs={tabs.map((tab) => ({ ...tab, count: counts[tab.name] }))}
        hrefOf={(name) => hrefOf(name)}
        form={decisionsForm}
      />
      <ImportForm
        context={context}
        job={job}
        step={step}
        id={decisionsForm}
        query={new URLSearchParams({ ...query, show: current, page: String(page) }).toString()}
      >
        {head}
        {items.length > 0 && (
          <>
            <p class="hint">{hint}</p>
            <Table class="import-table decisions" columns={columns}>
              {children}
            </Table>
          </>
        )}
        <p class="actions sticky">
          <button name="do" value="go-on">
            {t('Save and continue')}
          </button>
          {actions}
        </p>
      </ImportForm>
      <NumberedPages
        page={page}
        size={decisionsPerPage}
        count={counts[current]}
        hrefOf={(number) => hrefOf(current, number)}
        form={decisionsForm}
      />
    </>
  )
}

type DecisionRowProps = {
  readonly index: number
  /** What the form sends for the row, so that its decision finds what it is about. */
  readonly of: { readonly name: string; readonly value: string }
  readonly label: string
  /** What stands in the first column. */
  readonly head: ComponentChildren
  readonly options: readonly Option[]
  readonly chosen: string | undefined
  /** What stands below the options. */
  readonly below?: ComponentChildren
  readonly text: { readonly label: string; readonly value: string }
  /** Further columns. */
  readonly children?: ComponentChildren
}

/** A row of the table: what the file has, what becomes of it, and a text for that. */
export const DecisionRow = ({
  index,
  of,
  label,
  head,
  options,
  chosen,
  below,
  text,
  children,
}: DecisionRowProps) => (
  <tr>
    <th scope="row">{head}</th>
    <td>
      <input type="hidden" name={of.name} value={of.value} />
      <Select
        name={`do.${index}`}
        aria-label={t('What {name} becomes', { name: label })}
        value={chosen}
        options={options}
      />
      {below}
    </td>
    <td>
      <input
        type="text"
        name={`text.${index}`}
        value={text.value}
        autocomplete="off"
        aria-label={text.label}
        dir="auto"
      />
    </td>
    {children}
  </tr>
)
