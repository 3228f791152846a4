// The inventory of a library: its holdings in the order of the shelf, a list of them to print, and
// their labels.

import type { PageLinks } from '../../formats/serializer.js'
import { Barcode } from './barcode.js'
import { FormPage, type Notice } from '../../views/form-layout.js'
import { Csrf, type PageContext } from '../../views/layout.js'
import { editingLinks, exportPath, recordPath } from '../../views/links.js'
import { Pager } from '../records/list-page.js'
import { message, nounText, numberText, plural, recordCount, t } from '../../views/translate.js'

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
}

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
  readonly notice?: Notice | undefined
}

export const inventoryPageSizes = [50, 100, 250, 500] as const

export const InventoryPage = (props: InventoryProps) => {
  const { context, items, count, page, links, library, q, notice } = props
  const filters = new URLSearchParams({ q, repository_id: library }).toString()
  return (
    <FormPage
      context={context}
      title={t('Inventory')}
      notice={notice}
      wide
      styles={['inventory.css']}
    >
      <Finder {...props} />
      <p class="count" role="status">
        <strong>{numberText(count)}</strong> {nounText('holdings', count)}
      </p>
      {items.length > 0 && (
        <form method="post" action={editingLinks.inventory} aria-label={t('Inventory')}>
          <Csrf token={context.csrf} />
          <p class="actions">
            <button class="small" name="do" value="labels">
              {t('Labels')}
            </button>
            <button class="quiet small" name="do" value="print">
              {t('List to print')}
            </button>
            <button class="quiet small" name="do" value="csv">
              {t('CSV')}
            </button>
            <a class="button quiet small" href={exportPath('holdings', filters, 'csv')}>
              {t('All {count} as CSV', { count: numberText(count) })}
            </a>
          </p>
          <p class="hint">{t('Of the ticked ones, or of all on this page if none is ticked.')}</p>
          <ItemTable items={items} withTicks withLibrary={library === ''} />
          {items.map(({ id }) => (
            <input key={id} type="hidden" name="shown" value={id} />
          ))}
        </form>
      )}
      <Pager {...{ context, count, page, links }} />
    </FormPage>
  )
}

const Finder = ({ context, library, libraries, q, page }: InventoryProps) => (
  <form class="controls" method="get" action={context.path} role="search">
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
    <label>
      <span>{t('Library')}</span>
      <select name="library">
        <option value="all">{t('All libraries')}</option>
        {libraries.map(({ id, name, count }) => (
          <option key={id} value={id} selected={id === library}>
            {name} ({numberText(count)})
          </option>
        ))}
      </select>
    </label>
    <label>
      <span>{t('Rows')}</span>
      <select name="page_size">
        {inventoryPageSizes.map((size) => (
          <option key={size} value={String(size)} selected={size === page.size}>
            {size}
          </option>
        ))}
      </select>
    </label>
    <button>{t('Show')}</button>
  </form>
)

const ItemTable = ({
  items,
  withTicks,
  withLibrary,
}: {
  readonly items: readonly InventoryItem[]
  readonly withTicks: boolean
  readonly withLibrary: boolean
}) => (
  <div class="scroll" role="region" aria-label={t('Copies')} tabIndex={0}>
    <table class="inventory">
      <thead>
        <tr>
          <th scope="col">
            <span class="visually-hidden">{t('Tick')}</span>
          </th>
          <th scope="col">{t('Call number')}</th>
          <th scope="col">{t('Title')}</th>
          <th scope="col">{t('Place')}</th>
          <th scope="col">{t('Barcode')}</th>
          <th scope="col">{t('Access')}</th>
          <th scope="col">{t('Copies')}</th>
          {withLibrary && <th scope="col">{t('Library')}</th>}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={item.id}>
            <td>
              {withTicks ? (
                <input
                  type="checkbox"
                  name="id"
                  value={item.id}
                  aria-label={t('Tick {value}', { value: item.callNumber || item.title })}
                />
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
          </tr>
        ))}
      </tbody>
    </table>
  </div>
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
  const missing = items.filter((item) => code === 'barcode' && item.barcode === '').length
  return (
    <FormPage context={context} title={t('Labels')} wide styles={['inventory.css']}>
      <form class="controls" method="post" action={editingLinks.inventory}>
        <Csrf token={context.csrf} />
        {items.map(({ id }) => (
          <input key={id} type="hidden" name="id" value={id} />
        ))}
        <label>
          <span>{t('Sheet')}</span>
          <select name="sheet">
            {labelSheets.map(({ name, title }) => (
              <option key={name} value={name} selected={name === sheet.name}>
                {t(title)}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>{t('Bars')}</span>
          <select name="code">
            {labelCodes.map(([name, title]) => (
              <option key={name} value={name} selected={name === code}>
                {t(title)}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>{t('First label')}</span>
          <input type="number" name="first" min={1} max={size} value={String(first)} />
        </label>
        <button name="do" value="labels">
          {t('Show')}
        </button>
      </form>
      <p class="no-print">
        {plural(items.length, '{count} label', '{count} labels')}{' '}
        {plural(sheets.length, 'on {count} sheet', 'on {count} sheets')}
        {missing > 0 && `, ${t('{count} without a barcode', { count: numberText(missing) })}`}.{' '}
        {t('Print them with your browser in their full size (100 %), without margins.')}
      </p>
      <div class="scroll sheets" role="region" aria-label={t('Sheets')} tabIndex={0}>
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
      </div>
    </FormPage>
  )
}

const Label = ({ item, code }: { readonly item: InventoryItem; readonly code: LabelCode }) => {
  const coded = { barcode: item.barcode, 'call-number': item.callNumber, none: '' }[code]
  return (
    <>
      <strong class="label-call-number">{item.callNumber}</strong>
      <span class="label-title" dir="auto">
        {item.title}
      </span>
      {coded !== '' && <Barcode text={coded} />}
      {item.barcode !== '' && <span class="label-barcode">{item.barcode}</span>}
    </>
  )
}
