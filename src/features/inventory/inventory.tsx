// The inventory: holdings found by barcode, call number, place or title, in the order of the shelf;
// the days on which they were seen, lists of them to print or as CSV, and labels
// (docs/how-to/cataloguing.md, "Inventory"). How they look is left to
// features/inventory/inventory-page.tsx.

import type { VNode } from 'preact'

import type { RememberedValues } from '../../accounts/remembered-values.js'
import type { Account } from '../../accounts/accounts.js'
import { mayWrite, mayWriteSomething } from '../../accounts/rights.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { RequestError } from '../../errors.js'
import { csv, csvRow, neutralizeFormula } from '../../formats/csv.js'
import { labelOfCode } from '../../messages/labels.js'
import { english, type Translator } from '../../messages/translator.js'
import { labelOfReference } from '../../model/record/title.js'
import { type RecordValues, textValue } from '../../model/record/values.js'
import type { Reference, ResolvedRecord } from '../../model/record/views.js'
import type { Field, Resources } from '../../model/resources.js'
import { yieldToEventLoop } from '../../lib/scheduling.js'
import { type Message, message } from '../../message.js'
import { MessagePage, type Notice } from '../../views/form-layout.js'
import { titleWithIssue } from '../../views/components/record-summary.js'
import { editingLinks, editingRoutes } from '../../views/links.js'
import {
  type InventoryItem,
  InventoryPage,
  InventoryPrintPage,
  type LabelsProps,
  LabelsPage,
  SeenNotice,
  inventoryPageSizes,
  labelCodes,
  labelSheets,
  staffText,
} from './inventory-page.js'
import type { Endpoint } from '../../http/endpoint.js'
import { type PageQuery, parsePageQuery, setPageLinks } from '../../http/request/pagination.js'
import { mayWriteRecord } from '../../http/request/record-rights.js'
import { queryParam } from '../../http/request/url.js'
import { labelFacetCounts } from '../../http/response/facet-labels.js'
import {
  type FileAnswer,
  type FormDependencies,
  type Redirect,
  type SignedInRequest,
  type SubmittedForm,
  createFormEndpoint,
} from '../../http/form-endpoint.js'
import { rich, t } from '../../views/translate.js'
import type { PageContext } from '../../views/layout.js'

type InventoryDependencies = FormDependencies & {
  readonly catalogue: Catalogue
  readonly resources: Resources
  readonly rememberedValues: RememberedValues
}

export const inventoryEndpoint = (dependencies: InventoryDependencies): Endpoint =>
  createFormEndpoint(dependencies, {
    path: editingRoutes.inventory,
    name: 'Inventory',
    description: 'Holdings in the order of the shelf, with lists to print and labels.',
    isAllowed: mayWriteSomething,
    render: (request) => inventoryPage(dependencies, request),
    submit: (request, form) => submitted(dependencies, request, form),
  })

async function inventoryPage(
  dependencies: InventoryDependencies,
  { ctx, context, account }: SignedInRequest,
  notice?: Notice,
): Promise<VNode> {
  const { catalogue, rememberedValues } = dependencies
  const q = queryParam(ctx, 'q').trim()
  const chosen = queryParam(ctx, 'library')
  const libraries = await findLibraries(dependencies)
  const [usual = ''] = rememberedValues.of(account.name).get('repository_id') ?? []
  const libraryId = chosen === '' && q === '' ? usual : chosen
  const library = libraries.some(({ id }) => id === libraryId) ? libraryId : ''
  const filters = new Map(library === '' ? [] : [['repository_id', library]])
  const unseenSince = queryParam(ctx, 'unseen')
  const all = await catalogue.inShelfOrder({ filters, q })
  const ids =
    unseenSince === '' ? all : await findUnseen(dependencies, all, { account, unseenSince })
  const page = readPage(ctx, ids.length)
  const start = (page.page - 1) * page.pageSize
  return (
    <InventoryPage
      {...{ context, libraries, library, q, unseenSince, notice }}
      items={await readItems(dependencies, ids.slice(start, start + page.pageSize), {
        account,
        translator: context.translator,
      })}
      count={ids.length}
      page={{ number: page.page, size: page.pageSize }}
      links={setPageLinks(ctx, page, ids.length)}
    />
  )
}

/** The page of the address; the last one for a number past it. */
function readPage(ctx: SignedInRequest['ctx'], count: number): PageQuery {
  const { page } = parsePageQuery(ctx)
  const sizeParam = Number(queryParam(ctx, 'page_size'))
  const pageSize = inventoryPageSizes.find((size) => size === sizeParam) ?? 100
  return { page: Math.min(page, Math.max(1, Math.ceil(count / pageSize))), pageSize }
}

/** The libraries that have holdings, by name. */
async function findLibraries({ catalogue, resources }: InventoryDependencies) {
  const field = resources.holdings.byName.get('repository_id')
  if (!field) throw new Error('holdings have no library')
  const counts = await catalogue.facetCounts('holdings', field.name)
  const labelled = await labelFacetCounts({ catalogue, resources }, field, counts)
  return labelled
    .map(({ value, label, count }) => ({ id: value, name: label, count }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
}

/** Those of the holdings that the account may edit and that were not seen on the day or later. */
async function findUnseen(
  dependencies: InventoryDependencies,
  ids: readonly string[],
  { account, unseenSince }: { readonly account: Account; readonly unseenSince: string },
): Promise<readonly string[]> {
  const unseen: string[] = []
  for (let start = 0; start < ids.length; start += readAtOnce) {
    const part = await readHoldings(dependencies, ids.slice(start, start + readAtOnce), account)
    for (const { values, forStaff } of part)
      if (forStaff && textValue(values, 'last_seen') < unseenSince)
        unseen.push(textValue(values, 'holding_id'))
    await yieldToEventLoop()
  }
  return unseen
}

const readAtOnce = 500

async function submitted(
  dependencies: InventoryDependencies,
  request: SignedInRequest,
  form: SubmittedForm,
): Promise<VNode | Redirect | FileAnswer> {
  const { context, account } = request
  if (form.get('do') === 'seen')
    return inventoryPage(dependencies, request, await markAsSeen(dependencies, account, form))
  const ticked = form.getAll('id')
  const ids = (ticked.length > 0 ? ticked : form.getAll('shown')).slice(0, maxItems)
  if (ids.length === 0) return { to: editingLinks.inventory }
  const isFile = form.get('do') === 'csv'
  // Data are in English on every page.
  const translator = isFile ? english : context.translator
  const items = await readItems(dependencies, ids, { account, translator })
  if (items.length === 0) return <NothingLeft context={context} />
  if (isFile) return toCsv(items, dependencies.resources)
  if (form.get('do') === 'print') return <InventoryPrintPage context={context} items={items} />
  return <LabelsPage context={context} items={items} {...readLabelOptions(form)} />
}

/**
 * Writes the day on which the ticked copies were seen, unless they were changed since the page was made. A device that
 * missed the answer may send the same again, and one that sends late changes no later day.
 */
async function markAsSeen(
  dependencies: InventoryDependencies,
  account: Account,
  form: SubmittedForm,
): Promise<Notice> {
  const ids = form.getAll('id').slice(0, maxItems)
  if (ids.length === 0) return nothingTicked
  const versions = new Map(form.getAll('version').map(readVersion))
  const sent = form.get('day') ?? ''
  const day = sent === '' ? new Date().toISOString().slice(0, 10) : sent
  const body = new Map([['last_seen', day]])
  const present = await readHoldings(dependencies, ids, account)
  const done = new Set(
    present
      .filter(({ values }) => textValue(values, 'last_seen') >= day)
      .map(({ values }) => textValue(values, 'holding_id')),
  )
  const { batch, lines } = await dependencies.catalogue.writeBatch(
    ids
      .filter((id) => !done.has(id))
      .map((id) => ({
        op: 'change',
        reference: { target: 'holdings', id },
        body,
        precondition: (version) => version === versions.get(id),
      })),
    {
      mode: 'each',
      isDryRun: false,
      withJson: false,
      account: account.name,
      mayWrite: (name) => mayWrite(account, name),
    },
  )
  const others = lines.flatMap((line) =>
    'error' in line ? [{ id: line.reference.id, why: whyNot(line.error) }] : [],
  )
  const marked = ids.length - others.length
  return {
    tone: others.length > 0 ? 'look' : 'done',
    text: <SeenNotice {...{ marked, others }} batch={batch?.id} />,
  }
}

/** What the page has of each row: the version, and the identifier of the holding. */
function readVersion(text: string): readonly [id: string, version: string] {
  const end = text.indexOf(' ')
  return [text.slice(end + 1), text.slice(0, end)]
}

const whyNot = (error: Error): Message =>
  error instanceof RequestError ? error.text : error.message

const nothingTicked: Notice = {
  tone: 'wrong',
  text: message('Nothing is ticked. Tick the copies that are in their place.'),
}

/** As many as the longest page has. */
const maxItems = Math.max(...inventoryPageSizes)

function readLabelOptions(form: SubmittedForm): Pick<LabelsProps, 'sheet' | 'code' | 'first'> {
  const sheet = labelSheets.find(({ name }) => name === form.get('sheet')) ?? labelSheets[0]
  const [code] = labelCodes.find(([name]) => name === form.get('code')) ?? labelCodes[0]
  const first = Math.trunc(Number(form.get('first') ?? 1))
  const isOnSheet = first >= 1 && first <= sheet.columns * sheet.rows
  return { sheet, code, first: isOnSheet ? first : 1 }
}

/**
 * Holdings with what an inventory shows of them, in the order of the identifiers; those that are
 * gone are left out.
 */
async function readItems(
  { catalogue, resources }: InventoryDependencies,
  ids: readonly string[],
  { account, translator }: { readonly account: Account; readonly translator: Translator },
): Promise<readonly InventoryItem[]> {
  const records = await readHoldings({ catalogue, resources }, ids, account)
  const lookup = await catalogue.find(records.flatMap(({ values }) => referencesIn(values)))
  return Promise.all(
    records.map(async (record) =>
      toItem({ ...record, lookup }, await versionOf(catalogue, record), { resources, translator }),
    ),
  )
}

/** Holdings with their fields for the staff, and without what they refer to. */
async function readHoldings(
  { catalogue, resources }: Pick<InventoryDependencies, 'catalogue' | 'resources'>,
  ids: readonly string[],
  account: Account,
): Promise<readonly ResolvedRecord[]> {
  const lookup = await catalogue.find(ids.map((id) => ({ target: 'holdings', id })))
  const rows = ids
    .map((id) => lookup({ target: 'holdings', id }))
    .filter((values) => values !== undefined)
  return catalogue.withStaffFields(
    rows.map((values) => ({ resource: resources.holdings, values, lookup })),
    (reference) => mayWriteRecord(catalogue, account, reference),
  )
}

const versionOf = (catalogue: Catalogue, { values, forStaff }: ResolvedRecord) =>
  forStaff ? catalogue.version('holdings', textValue(values, 'holding_id'), 'detail') : undefined

const referencesIn = (values: RecordValues): readonly Reference[] => [
  { target: 'zines', id: textValue(values, 'zine_id') },
  { target: 'repositories', id: textValue(values, 'repository_id') },
]

function toItem(
  record: ResolvedRecord,
  version: string | undefined,
  { resources, translator }: { readonly resources: Resources; readonly translator: Translator },
): InventoryItem {
  const { values, lookup, forStaff } = record
  const access = resources.holdings.byName.get('access_status')?.vocabulary
  const count = values.copy_count
  return {
    version,
    id: textValue(values, 'holding_id'),
    zineId: textValue(values, 'zine_id'),
    title: titleWithIssue(record, resources),
    callNumber: textValue(values, 'call_number'),
    barcode: textValue(values, 'barcode'),
    location: textValue(values, 'location'),
    access: labelOfCode(translator, access, textValue(values, 'access_status')),
    copies: typeof count === 'number' ? String(count) : '',
    library: labelOfReference(resources, lookup, {
      target: 'repositories',
      id: textValue(values, 'repository_id'),
    }),
    forStaff:
      forStaff &&
      staffFieldsOf(resources).map((field) => ({ field, text: textValue(values, field.name) })),
  }
}

const staffFieldsOf = ({ holdings }: Resources): readonly Field[] =>
  holdings.fields.filter((field) => field.private === 'always')

/** It has the columns for the staff where the account may edit one of the holdings. */
function toCsv(items: readonly InventoryItem[], resources: Resources): FileAnswer {
  const isForStaff = items.some(({ forStaff }) => forStaff)
  const columns = [...csvColumns, ...(isForStaff ? staffColumns(resources) : [])]
  const rows = items.map((item) => columns.map(([, valueOf]) => neutralizeFormula(valueOf(item))))
  return {
    fileName: 'inventory.csv',
    format: csv,
    content: [columns.map(([name]) => name), ...rows].map((cells) => csvRow(cells)).join(''),
  }
}

type CsvColumn = readonly [name: string, valueOf: (item: InventoryItem) => string]

const staffColumns = (resources: Resources): readonly CsvColumn[] =>
  staffFieldsOf(resources).map(({ name }) => [name, (item) => staffText(item, name)])

const csvColumns: readonly CsvColumn[] = [
  ['call_number', ({ callNumber }) => callNumber],
  ['title', ({ title }) => title],
  ['location', ({ location }) => location],
  ['barcode', ({ barcode }) => barcode],
  ['access', ({ access }) => access],
  ['copy_count', ({ copies }) => copies],
  ['repository', ({ library }) => library],
  ['holding_id', ({ id }) => id],
  ['zine_id', ({ zineId }) => zineId],
]

const NothingLeft = ({ context }: { readonly context: PageContext }) => (
  <MessagePage context={context} title={t('Nothing is left')}>
    <p>
      {rich('These copies were deleted meanwhile. Go to the {inventory}.', {
        inventory: <a href={editingLinks.inventory}>{t('inventory')}</a>,
      })}
    </p>
  </MessagePage>
)
