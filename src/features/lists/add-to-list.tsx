// The page on which editors choose the list that a record goes to, or those that they ticked.

import type { VNode } from 'preact'

import { resourceNames } from '../../model/iris.js'
import { maxItems } from '../../model/record/input.js'
import { type SignedInRequest, createFormEndpoint } from '../../http/form-endpoint.js'
import type { Endpoint } from '../../http/endpoint.js'
import { mayEditLists } from '../../http/request/record-rights.js'
import { message } from '../../message.js'
import { recordHeading } from '../../views/components/record-summary.js'
import { FormPage, MessagePage, type Notice } from '../../views/form-layout.js'
import { Form } from '../../views/form.js'
import { curatedListPath, editingLinks, editingRoutes, listsPath } from '../../views/links.js'
import type { PageContext } from '../../views/layout.js'
import { rich, t } from '../../views/translate.js'
import { type CuratedList, type ListedRecord, versionOf } from './curated-lists.js'
import { type ListFormDependencies, noticeOf } from './list-form.js'
import { parseLines, parseListInput } from './list-input.js'
import { keyOf, replaceList, requireList, visibleRecords } from './listed-records.js'

export function addToListEndpoint(dependencies: ListFormDependencies): Endpoint {
  const { catalogue, lists, resources } = dependencies

  async function page(
    { context, account }: SignedInRequest,
    keys: readonly string[],
    notice?: Notice,
  ): Promise<VNode> {
    if (keys.length === 0) return <NothingTicked context={context} />
    const records = keys.flatMap(toListed)
    const shown = await visibleRecords(catalogue, account, { records })
    const headings = shown.map(({ record }) => recordHeading(record, resources))
    return <AddToListPage {...{ context, keys, headings, notice }} lists={lists.all()} />
  }

  /** Adds after the records that the list has; those that are there already stay where they are. */
  async function add({ account }: SignedInRequest, list: CuratedList, keys: readonly string[]) {
    const shown = await visibleRecords(catalogue, account, list)
    const listed = shown.map(({ reference, note }) => ({ ...toItem(keyOf(reference)), note }))
    const present = new Set(shown.map(({ reference }) => keyOf(reference)))
    const added = keys.filter((key) => !present.has(key)).map(toItem)
    const body = new Map<string, unknown>([
      ['title', list.title],
      ['text', list.text],
      ['public', list.isPublic],
      ['records', [...listed, ...added]],
    ])
    const input = await parseListInput(catalogue, account, body)
    await replaceList(dependencies, account, list, input, (last) => last === versionOf(list))
  }

  return createFormEndpoint(dependencies, {
    path: editingRoutes.addToList,
    name: 'Add to a list',
    description: 'A form that adds records to a list.',
    isAllowed: mayEditLists,
    render: (request) => page(request, chosenKeys(new URLSearchParams(request.ctx.querystring))),
    async submit(request, form) {
      const keys = chosenKeys(form)
      const slug = form.get('list')
      if (slug === null || keys.length === 0)
        return page(request, keys, form.has('more') ? noList : undefined)
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

/** The records of this form, or those that were ticked in a list of their kind, each once. */
function chosenKeys(form: URLSearchParams): readonly string[] {
  const kind = form.get('kind') ?? ''
  const ticked = form.getAll('id').map((id) => `${kind}/${id}`)
  const chosen = parseLines(form.get('more') ?? '').map(({ kind, id }) => `${kind}/${id}`)
  return [...new Set([...ticked, ...chosen])].slice(0, maxItems)
}

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
