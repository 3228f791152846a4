// The inventory of a library: its holdings in the order of the shelf, a list of them to print, and
// their labels.

import type { PageLinks } from '../../formats/serializer.js'
import type { Message } from '../../message.js'
import type { Field } from '../../model/resources.js'
import { Barcode } from './barcode.js'
import { DataTable, ScrollRegion } from '../../views/components/data-table.js'
import { LabelledSelect } from '../../views/components/select.js'
import { Form } from '../../views/form.js'
import { FormPage, type Notice } from '../../views/form-layout.js'
import type { PageContext } from '../../views/layout.js'
import { editingLinks, exportPath, recordPath, withParameters } from '../../views/links.js'
import { Pager } from '../records/list-page.js'
import {
  message,
  messageText,
  nounText,
  numberText,
  plural,
  recordCount,
  t,
} from '../../views/translate.js'

/** What the inventory shows of a holding. */
export type InventoryItem = {
  readonly id: string
  readonly zineId: string
  /** The title of its zine, with the issue. */
  readonly title: string
  readonly callNumber: string
  readonly barcode: string
  readonly location: string
  readonly access: string
  readonly copies: string
  readonly library: string
  /** The fields for the staff; undefined where the account may not edit the holding. */
  readonly forStaff: readonly { readonly field: Field; readonly text: string }[] | undefined
  /** Its version for preconditions; undefined where the account may not edit the holding. */
  readonly version: string | undefined
}

/** A field for the staff, as far as the account sees it. */
export const staffText = ({ forStaff = [] }: InventoryItem, name: string): string =>
  forStaff.find(({ field }) => field.name === name)?.text ?? ''

type Library = { readonly id: string; readonly name: string; readonly count: number }

export type InventoryProps = {
  readonly context: PageContext
  readonly items: readonly InventoryItem[]
  readonly count: number
  readonly page: { readonly number: number; readonly size: number }
  readonly links: PageLinks
  /** The chosen library; empty for all. */
  readonly library: string
  readonly libraries: readonly Library[]
  /** What is looked for. */
  readonly q: string
  /** The day that the copies were not seen since; empty for all copies. */
  readonly unseenSince: string
  readonly notice?: Notice | undefined
}

export const inventoryPageSizes = [50, 100, 250, 500] as const

export const InventoryPage = (props: InventoryProps) => {
  const { context, items, count, page, links, library, q, unseenSince, notice } = props
  const filters = new URLSearchParams({ q, repository_id: library }).toString()
  const mayEdit = items.some(({ version }) => version !== undefined)
  return (
    <FormPage
      context={context}
      title={t('Inventory')}
      notice={notice}
      wide
      styles={['inventory.css']}
      scripts={['inventory.js']}
    >
      <Finder {...props} />
      <p class="count" role="status">
        <strong>{numberText(count)}</strong> {nounText('holdings', count)}
      </p>
      {mayEdit && <ShelfCheck context={context} />}
      {items.length > 0 && (
        <Form
          context={context}
          action={withParameters(editingLinks.inventory, context.query, {})}
          aria-label={t('Inventory')}
        >
          <p class="actions">
            {mayEdit && (
              <button class="small" name="do" value="seen">
                {t('Seen today')}
              </button>
            )}
            <button class="small" name="do" value="labels">
              {t('Labels')}
            </button>
            <button class="quiet small" name="do" value="print">
              {t('List to print')}
            </button>
            <button class="quiet small" name="do" value="csv">
              {t('CSV')}
            </button>
            {unseenSince === '' && (
              <a class="button quiet small" href={exportPath('holdings', filters, 'csv')}>
                {t('All {count} as CSV', { count: numberText(count) })}
              </a>
            )}
          </p>
          <p class="hint">
            {t('For the ticked copies, or for all on this page if none is ticked.')}{' '}
            {mayEdit && t('“Seen today” is for the ticked copies alone.')}
          </p>
          <p>
            <label class="choice">
              <input type="checkbox" class="unticked-alone" autocomplete="off" />{' '}
              {t('Show only what is not ticked')}
            </label>
          </p>
          <ItemTable items={items} withTicks withLibrary={library === ''} />
          {items.map(({ id }) => (
            <input key={id} type="hidden" name="shown" value={id} />
          ))}
        </Form>
      )}
      <Pager {...{ context, count, page, links }} />
    </FormPage>
  )
}

/**
 * Ticks copies by their codes, with a scanner or with the camera: client/inventory.ts, which shows it. Without scripts
 * they are ticked by hand.
 */
const ShelfCheck = ({ context: { account, assetUrl } }: Pick<InventoryProps, 'context'>) => (
  <section
    class="shelf-check"
    data-shelf-check={account?.name}
    data-worker={assetUrl('inventory-worker.js')}
    aria-label={t('Check a shelf')}
    hidden
  >
    <Form method="get" class="controls">
      <label class="grow">
        <span>{t('Barcode or call number of a copy that is there')}</span>
        <input
          type="text"
          name="code"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
        />
      </label>
      <button>{t('Tick')}</button>
      <button type="button" class="quiet" data-camera>
        {t('Read with the camera')}
      </button>
    </Form>
    <video hidden muted playsInline aria-label={t('What the camera sees')} />
    <p role="status" />
  </section>
)

/** Says how many copies were marked as seen, and names those that were not. */
export const SeenNotice = ({
  marked,
  batch,
  others,
}: {
  readonly marked: number
  readonly batch: string | undefined
  readonly others: readonly { readonly id: string; readonly why: Message }[]
}) => (
  <>
    <p>
      {plural(marked, '{count} copy is marked as seen.', '{count} copies are marked as seen.')}{' '}
      {batch !== undefined && <a href={editingLinks.batch(batch)}>{t('Details and undo')}</a>}
    </p>
    {others.length > 0 && (
      <ul>
        {others.map(({ id, why }) => (
          <li key={id} data-not-marked={id}>
            <a href={recordPath('holdings', id)}>{id}</a>: {messageText(why)}
          </li>
        ))}
      </ul>
    )}
  </>
)

const Finder = ({ context, library, libraries, q, unseenSince, page }: InventoryProps) => (
  <Form method="get" class="controls" action={context.path} role="search">
    <label class="grow">
      <span>{t('Find')}</span>
      <input
        type="search"
        name="q"
        value={q}
        autocomplete="off"
        placeholder={t('Barcode, call number, place, title')}
      />
    </label>
    <LabelledSelect
      name="library"
      label={t('Library')}
      value={library}
      options={[
        ['all', t('All libraries')],
        ...libraries.map(({ id, name, count }) => [id, `${name} (${numberText(count)})`] as const),
      ]}
    />
    <label>
      <span>{t('Not seen since')}</span>
      <input type="date" name="unseen" value={unseenSince} />
    </label>
    <LabelledSelect
      name="page_size"
      label={t('Rows')}
      value={String(page.size)}
      options={inventoryPageSizes.map((size) => [String(size), size])}
    />
    <button>{t('Show')}</button>
  </Form>
)

const ItemTable = ({
  items,
  withTicks,
  withLibrary,
}: {
  readonly items: readonly InventoryItem[]
  readonly withTicks: boolean
  readonly withLibrary: boolean
}) => {
  const withStaff = items.some(isNotedForStaff)
  return (
    <DataTable
      label={t('Copies')}
      class="inventory"
      columns={[
        <span class="visually-hidden">{t('Tick')}</span>,
        t('Call number'),
        t('Title'),
        t('Place'),
        t('Barcode'),
        t('Access'),
        t('Copies'),
        withLibrary && t('Library'),
        withStaff && t('For staff'),
      ]}
    >
      {items.map((item) => (
        <tr key={item.id}>
          <td>
            {withTicks ? (
              <>
                <input
                  type="checkbox"
                  name="id"
                  value={item.id}
                  data-codes={codesOf(item).join('\n')}
                  aria-label={t('Tick {value}', { value: nameOf(item) })}
                />
                {item.version !== undefined && (
                  <input type="hidden" name="version" value={`${item.version} ${item.id}`} />
                )}
              </>
            ) : (
              <span class="tick-box" aria-hidden="true" />
            )}
          </td>
          <td>{item.callNumber}</td>
          <td dir="auto">
            <a href={recordPath('holdings', item.id)}>{item.title}</a>
          </td>
          <td>{item.location}</td>
          <td>{item.barcode}</td>
          <td>{item.access}</td>
          <td>{item.copies}</td>
          {withLibrary && <td>{item.library}</td>}
          {withStaff && <StaffCell item={item} />}
        </tr>
      ))}
    </DataTable>
  )
}

/** What tells a copy from the others: the title has the issue. */
const nameOf = ({ callNumber, title }: InventoryItem): string =>
  [callNumber, title].filter(Boolean).join(' – ')

/** What the bars of its label may say. */
const codesOf = (item: InventoryItem): readonly string[] =>
  [item.barcode, item.callNumber, staffText(item, 'accession_number')].filter(Boolean)

const isNotedForStaff = ({ forStaff = [] }: InventoryItem): boolean =>
  forStaff.some(({ text }) => text !== '')

const StaffCell = ({ item: { forStaff = [] } }: { readonly item: InventoryItem }) => (
  <td class="for-staff">
    {forStaff
      .filter(({ text }) => text !== '')
      .map(({ field, text }) => (
        <p key={field.name}>
          <span class="hint">{t(field.label)}:</span> <span dir="auto">{text}</span>
        </p>
      ))}
  </td>
)

/** A list of holdings to print, with a box for each to tick by hand. */
export const InventoryPrintPage = ({
  context,
  items,
}: Pick<InventoryProps, 'context' | 'items'>) => (
  <FormPage context={context} title={t('Inventory list')} wide styles={['inventory.css']}>
    <p class="lead no-print">{t('Print this page with your browser. The menu is not printed.')}</p>
    <p>{recordCount('holdings', items.length)}</p>
    <ItemTable items={items} withTicks={false} withLibrary />
  </FormPage>
)

/**
 * Sheets of labels as shops sell them. Their measures are in the style sheet, under the same names.
 */
export const labelSheets = [
  { name: 'a4-3x8', title: 'A4, 3 × 8, 70 × 37 mm', columns: 3, rows: 8 },
  { name: 'a4-3x7', title: 'A4, 3 × 7, 63.5 × 38.1 mm', columns: 3, rows: 7 },
  { name: 'a4-5x13', title: 'A4, 5 × 13, 38.1 × 21.2 mm', columns: 5, rows: 13 },
  { name: 'letter-3x10', title: message('Letter, 3 × 10, 2 5/8 × 1 in'), columns: 3, rows: 10 },
] as const

type LabelSheet = (typeof labelSheets)[number]

/** What the bars of a label say. */
export const labelCodes = [
  ['barcode', message('Barcode')],
  ['call-number', message('Call number')],
  ['accession-number', message('Accession number')],
  ['none', message('No bars')],
] as const

type LabelCode = (typeof labelCodes)[number][0]

export type LabelsProps = Pick<InventoryProps, 'context' | 'items'> & {
  readonly sheet: LabelSheet
  readonly code: LabelCode
  /** The position of the first label on the first sheet, from 1. */
  readonly first: number
}

export const LabelsPage = ({ context, items, sheet, code, first }: LabelsProps) => {
  const size = sheet.columns * sheet.rows
  const cells = [...Array.from({ length: first - 1 }, () => undefined), ...items]
  const sheets = Array.from({ length: Math.ceil(cells.length / size) }, (_, index) =>
    cells.slice(index * size, (index + 1) * size),
  )
  // Who may edit no copy has no accession numbers.
  const codes = labelCodes.filter(
    ([name]) => name !== 'accession-number' || items.some(({ forStaff }) => forStaff),
  )
  const missing = items.filter((item) => code === 'barcode' && item.barcode === '').length
  return (
    <FormPage context={context} title={t('Labels')} wide styles={['inventory.css']}>
      <Form context={context} class="controls" action={editingLinks.inventory}>
        {items.map(({ id }) => (
          <input key={id} type="hidden" name="id" value={id} />
        ))}
        <LabelledSelect
          name="sheet"
          label={t('Sheet')}
          value={sheet.name}
          options={labelSheets.map(({ name, title }) => [name, t(title)])}
        />
        <LabelledSelect
          name="code"
          label={t('Bars')}
          value={code}
          options={codes.map(([name, title]) => [name, t(title)])}
        />
        <label>
          <span>{t('First label')}</span>
          <input type="number" name="first" min={1} max={size} value={String(first)} />
        </label>
        <button name="do" value="labels">
          {t('Show')}
        </button>
      </Form>
      <p class="no-print">
        {plural(items.length, '{count} label', '{count} labels')}{' '}
        {plural(sheets.length, 'on {count} sheet', 'on {count} sheets')}
        {missing > 0 && `, ${t('{count} without a barcode', { count: numberText(missing) })}`}.{' '}
        {t('Print them with your browser in their full size (100 %), without margins.')}
      </p>
      <ScrollRegion class="scroll sheets" label={t('Sheets')}>
        {sheets.map((labels, index) => (
          <ol
            key={index}
            class={`label-sheet ${sheet.name}`}
            aria-label={t('Sheet {number}', { number: index + 1 })}
          >
            {labels.map((item, position) => (
              <li key={position} class="sheet-label">
                {item && <Label item={item} code={code} />}
              </li>
            ))}
          </ol>
        ))}
      </ScrollRegion>
    </FormPage>
  )
}

const Label = ({ item, code }: { readonly item: InventoryItem; readonly code: LabelCode }) => {
  // A copy shows its label to everybody: of what only the staff sees, it has what was chosen.
  const accession = code === 'accession-number' ? staffText(item, 'accession_number') : ''
  const coded = {
    barcode: item.barcode,
    'call-number': item.callNumber,
    'accession-number': accession,
    none: '',
  }[code]
  const number = code === 'accession-number' ? accession : item.barcode
  return (
    <>
      <strong class="label-call-number">{item.callNumber}</strong>
      <span class="label-title" dir="auto">
        {item.title}
      </span>
      {coded !== '' && <Barcode text={coded} />}
      {number !== '' && <span class="label-barcode">{number}</span>}
    </>
  )
}
