// The page on which editors choose the list that a record goes to, or those that they ticked.

import type { VNode } from 'preact'

import { recordKey } from '../../catalogue/records/record-cache.js'
import { type ResourceName, resourceNames } from '../../model/iris.js'
import { ValidationError, maxItems } from '../../model/record/input.js'
import { type SignedInRequest, createFormEndpoint, sourceOf } from '../../http/form-endpoint.js'
import type { Endpoint } from '../../http/endpoint.js'
import { mayEditLists } from '../../http/request/record-rights.js'
import { parseListQueryText } from '../../http/request/list-query.js'
import { type Message, message } from '../../message.js'
import { recordHeading } from '../../views/components/record-summary.js'
import { FormPage, MessagePage, type Notice } from '../../views/form-layout.js'
import { Form } from '../../views/form.js'
import { curatedListPath, editingLinks, editingRoutes, listsPath } from '../../views/links.js'
import type { PageContext } from '../../views/layout.js'
import { numberText, plural, rich, t } from '../../views/translate.js'
import type { CuratedList, ListedRecord } from './curated-lists.js'
import { type ListFormDependencies, noticeOf } from './list-form.js'
import { parseLines, parseListInput } from './list-input.js'
import {
  findListed,
  replaceList,
  requireList,
  versionSeen,
  visibleAmong,
  visibleRecords,
} from './listed-records.js'

export function addToListEndpoint(dependencies: ListFormDependencies): Endpoint {
  const { catalogue, lists, resources } = dependencies

  async function page(
    { context, account }: SignedInRequest,
    keys: readonly string[],
    notice?: Notice,
  ): Promise<VNode> {
    if (keys.length === 0) return <NothingTicked context={context} />
    const records = keys.slice(0, maxShown).flatMap(toListed)
    const shown = await visibleRecords(catalogue, account, { records })
    const headings = shown.map(({ record }) => recordHeading(record, resources))
    return <AddToListPage {...{ context, keys, headings, notice }} lists={lists.all()} />
  }

  /** The page for what was ticked in a list of records. */
  async function pageOfTicked(request: SignedInRequest, form: URLSearchParams): Promise<VNode> {
    const kind = resourceNames.find((name) => name === form.get('kind'))
    if (!kind) return page(request, [])
    const { count, ids } = await findTicked(request, kind, form)
    if (count <= maxItems) return page(request, keysOf(kind, ids))
    request.ctx.status = 400
    return <TooManyTicked context={request.context} count={count} />
  }

  /** With `all`, everything that the list finds, also on its other pages. */
  async function findTicked(
    { account }: SignedInRequest,
    kind: ResourceName,
    form: URLSearchParams,
  ) {
    const ids = form.getAll('id')
    if (form.get('all') !== 'yes') return { ids, count: ids.length }
    const query = parseListQueryText(resources[kind], form.get('list') ?? '', account)
    return catalogue.findIds(kind, query, { limit: maxItems, offset: 0 })
  }

  /** Adds after the records that the list has; those that are there already stay where they are. */
  async function add(request: SignedInRequest, list: CuratedList, keys: readonly string[]) {
    const { account } = request
    const found = await findListed(catalogue, account, list.records)
    const shown = visibleAmong(list, found)
    const listed = shown.map(({ reference, note }) => ({ ...toItem(recordKey(reference)), note }))
    const present = new Set(shown.map(({ reference }) => recordKey(reference)))
    const added = keys.filter((key) => !present.has(key)).map(toItem)
    const count = listed.length + added.length
    if (count > maxItems) throw new ValidationError(new Map([['records', [tooMany(count)]]]))
    const body = new Map<string, unknown>([
      ['title', list.title],
      ['text', list.text],
      ['public', list.isPublic],
      ['records', [...listed, ...added]],
    ])
    const input = await parseListInput(catalogue, account, body)
    await replaceList(dependencies, account, list, input, {
      source: sourceOf(request),
      isMet: (last) => last === versionSeen(list, found),
    })
  }

  return createFormEndpoint(dependencies, {
    path: editingRoutes.addToList,
    name: 'Add to a list',
    description: 'A form that adds records to a list.',
    isAllowed: mayEditLists,
    render: (request) => pageOfTicked(request, new URLSearchParams(request.ctx.querystring)),
    async submit(request, form) {
      // The form of a list of records has no `more`, and its `list` is what it finds.
      if (!form.has('more')) return pageOfTicked(request, form)
      const keys = chosenKeys(form)
      const slug = form.get('list')
      if (slug === null || keys.length === 0) return page(request, keys, noList)
      const list = requireList(lists, request.account, slug)
      try {
        await add(request, list, keys)
        return { to: curatedListPath(slug), done: 'saved' }
      } catch (error) {
        return page(request, keys, noticeOf(request, error))
      }
    },
  })
}

const toItem = (key: string) => ({
  kind: key.slice(0, key.indexOf('/')),
  id: key.slice(key.indexOf('/') + 1),
})

/** What a key names; none where its kind is unknown. */
function toListed(key: string): readonly ListedRecord[] {
  const { kind, id } = toItem(key)
  const target = resourceNames.find((name) => name === kind)
  return target ? [{ reference: { target, id }, note: '' }] : []
}

/** Each once. */
const keysOf = (kind: string, ids: readonly string[]): readonly string[] => [
  ...new Set(ids.map((id) => `${kind}/${id}`)),
]

/** The records of this form. */
const chosenKeys = (form: URLSearchParams): readonly string[] => [
  ...new Set(parseLines(form.get('more') ?? '').flatMap(({ kind, id }) => keysOf(kind, [id]))),
]

/** So many of the chosen records are shown. */
const maxShown = 20

const tooMany = (count: number): Message =>
  message('With the chosen records this list would have {count}. A list has {most} at most.', {
    count,
    most: maxItems,
  })

const noList: Notice = { tone: 'wrong', text: message('Choose a list.') }

const NothingTicked = ({ context }: { readonly context: PageContext }) => (
  <MessagePage context={context} title={t('Nothing is ticked')}>
    <p>
      {rich('Go back and tick the records for a list, or go to the {lists}.', {
        lists: <a href={listsPath}>{t('Lists').toLowerCase()}</a>,
      })}
    </p>
  </MessagePage>
)

type TooManyTickedProps = { readonly context: PageContext; readonly count: number }

const TooManyTicked = ({ context, count }: TooManyTickedProps) => (
  <MessagePage context={context} title={t('Too many records for a list')}>
    <p>
      {t('{count} records are ticked. A list has {most} at most. Go back and add a filter.', {
        count: numberText(count),
        most: numberText(maxItems),
      })}
    </p>
  </MessagePage>
)

type AddToListPageProps = {
  readonly context: PageContext
  readonly keys: readonly string[]
  readonly headings: readonly string[]
  readonly lists: readonly CuratedList[]
  readonly notice: Notice | undefined
}

const AddToListPage = ({ context, keys, headings, lists, notice }: AddToListPageProps) => (
  <FormPage context={context} title={t('Add to a list')} notice={notice}>
    <Form context={context} action={editingLinks.addToList()}>
      <input type="hidden" name="more" value={keys.join('\n')} />
      <ul>
        {headings.map((heading, index) => (
          <li key={index} dir="auto">
            {heading}
          </li>
        ))}
        {keys.length > maxShown && (
          <li>{plural(keys.length - maxShown, 'and {count} more', 'and {count} more')}</li>
        )}
      </ul>
      {lists.length > 0 && (
        <fieldset>
          <legend>{t('Lists')}</legend>
          {lists.map(({ slug, title }) => (
            <label key={slug} class="choice">
              <input type="radio" name="list" value={slug} />
              <span dir="auto">{title}</span>
            </label>
          ))}
        </fieldset>
      )}
      <p class="actions">
        {lists.length > 0 && <button>{t('Add to the list')}</button>}
        <button class="quiet" name="do" value="choose" formAction={editingLinks.newList}>
          {t('New list')}
        </button>
      </p>
    </Form>
  </FormPage>
)
