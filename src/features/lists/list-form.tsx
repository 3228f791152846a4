// The forms with which editors make a list, change it and delete it. A record's place is a number,
// so that ordering needs no script.

import type { VNode } from 'preact'

import { PreconditionFailedError } from '../../catalogue/errors.js'
import { ConflictError } from '../../errors.js'
import {
  type FormDependencies,
  type Redirect,
  type SignedInRequest,
  type SubmittedForm,
  createFormEndpoint,
} from '../../http/form-endpoint.js'
import type { Endpoint } from '../../http/endpoint.js'
import { message } from '../../message.js'
import { resourceNames } from '../../model/iris.js'
import { ValidationError } from '../../model/record/input.js'
import { recordHeading } from '../../views/components/record-summary.js'
import {
  CancelLink,
  FormPage,
  InputRow,
  LabelledField,
  type Notice,
} from '../../views/form-layout.js'
import { Form } from '../../views/form.js'
import { curatedListPath, editingLinks, editingRoutes, listsPath } from '../../views/links.js'
import type { PageContext } from '../../views/layout.js'
import { messageText, rich, t } from '../../views/translate.js'
import { type CuratedList, versionOf } from './curated-lists.js'
import { parseListInput, parseSlug } from './list-input.js'
import type { ListDependencies } from './lists-api.js'
import { keyOf, mayEditLists, replaceList, requireList, visibleRecords } from './listed-records.js'

type ListFormDependencies = FormDependencies & ListDependencies

export const listFormEndpoints = (dependencies: ListFormDependencies): Endpoint[] => [
  newListEndpoint(dependencies),
  editListEndpoint(dependencies),
]

/** What is in the fields of the form. */
type FormInput = {
  readonly slug: string
  readonly title: string
  readonly text: string
  readonly public: boolean
  readonly records: readonly FormRecord[]
  /** More records, one a line, after the others. */
  readonly more: string
}

type FormRecord = { readonly key: string; readonly note: string; readonly heading: string }

function newListEndpoint(dependencies: ListFormDependencies): Endpoint {
  const { catalogue, lists } = dependencies
  const page = ({ context }: SignedInRequest, input: FormInput, notice?: Notice): VNode => (
    <NewListPage {...{ context, input, notice }} />
  )
  return createFormEndpoint(dependencies, {
    path: editingRoutes.newList,
    name: 'New list',
    description: 'A form that makes a list of records.',
    isAllowed: mayEditLists,
    render: (request) =>
      page(request, { slug: '', title: '', text: '', public: false, records: [], more: '' }),
    async submit(request, form) {
      const { account } = request
      try {
        const slug = parseSlug(form.get('slug'))
        await lists.add(slug, await parseListInput(catalogue, account, toBody(form)))
        return { to: curatedListPath(slug), done: 'created' }
      } catch (error) {
        return page(request, readForm(form), noticeOf(request, error))
      }
    },
  })
}

function editListEndpoint(dependencies: ListFormDependencies): Endpoint {
  const { catalogue, lists, resources } = dependencies

  const listOf = ({ ctx, account }: SignedInRequest): CuratedList =>
    requireList(lists, account, String(ctx.params.list))

  async function inputOf({ account }: SignedInRequest, list: CuratedList): Promise<FormInput> {
    const records = await visibleRecords(catalogue, account, list)
    return {
      ...list,
      public: list.isPublic,
      records: records.map(({ reference, record, note }) => ({
        key: keyOf(reference),
        note,
        heading: recordHeading(record, resources),
      })),
      more: '',
    }
  }

  const page = (request: SignedInRequest, input: FormInput, notice?: Notice): VNode => (
    <EditListPage {...{ context: request.context, list: listOf(request), input, notice }} />
  )

  async function write(request: SignedInRequest, form: SubmittedForm): Promise<Redirect> {
    const { account } = request
    const list = listOf(request)
    const isMet = (version: string): boolean => version === form.get('.version')
    if (form.get('do') === 'delete') {
      await lists.remove(list.slug, isMet)
      return { to: listsPath, done: 'deleted' }
    }
    const input = await parseListInput(catalogue, account, toBody(form))
    await replaceList(dependencies, account, list, input, isMet)
    return { to: curatedListPath(list.slug), done: 'saved' }
  }

  return createFormEndpoint(dependencies, {
    path: editingRoutes.list,
    name: 'Edit a list',
    description: 'A form that changes a list of records, or deletes it.',
    isAllowed: mayEditLists,
    render: async (request) => page(request, await inputOf(request, listOf(request))),
    async submit(request, form) {
      try {
        return await write(request, form)
      } catch (error) {
        const notice = noticeOf(request, error)
        const stored = await inputOf(request, listOf(request))
        // Without a title it is the form that deletes.
        return page(request, form.has('title') ? readForm(form) : stored, notice)
      }
    },
  })
}

/** What went wrong, with its status. @throws what no form can mend */
function noticeOf({ ctx }: SignedInRequest, error: unknown): Notice {
  if (error instanceof PreconditionFailedError) {
    ctx.status = 412
    return { tone: 'look', text: changedMeanwhile }
  }
  if (error instanceof ConflictError) {
    ctx.status = 409
    return { tone: 'wrong', text: error.text }
  }
  if (!(error instanceof ValidationError)) throw error
  ctx.status = 400
  return {
    tone: 'wrong',
    text: <WrongFields errors={error.fieldErrors} />,
  }
}

const changedMeanwhile = message(
  'Nothing is saved yet: somebody else changed this list meanwhile. Save again to replace it.',
)

const labels = {
  slug: message('Identifier'),
  title: message('Title'),
  text: message('Text'),
  public: message('Everyone sees this list'),
  records: message('Records'),
} as const

const WrongFields = ({ errors }: { readonly errors: ValidationError['fieldErrors'] }) => (
  <ul>
    {[...errors].map(([name, texts]) => (
      <li key={name}>
        {rich('{label}: {value}', {
          label: t(labels[name as keyof typeof labels]),
          value: texts.map((text) => messageText(text)).join(' '),
        })}
      </li>
    ))}
  </ul>
)

type ListFormProps = {
  readonly context: PageContext
  readonly input: FormInput
  readonly notice: Notice | undefined
}

const NewListPage = ({ context, input, notice }: ListFormProps) => (
  <FormPage context={context} title={t('New list')} notice={notice}>
    <Form context={context} action={editingLinks.newList}>
      <InputRow
        name="slug"
        label={t('Identifier')}
        hint={t('A short code for the web address, such as summer-reading.')}
        value={input.slug}
        required
      />
      <ListFields input={input} />
      <p class="actions">
        <button>{t('Create list')}</button>
        <CancelLink href={listsPath} />
      </p>
    </Form>
  </FormPage>
)

const EditListPage = ({
  context,
  list,
  input,
  notice,
}: ListFormProps & { readonly list: CuratedList }) => (
  <FormPage context={context} title={list.title} notice={notice}>
    <Form context={context} action={editingLinks.list(list.slug)}>
      <input type="hidden" name=".version" value={versionOf(list)} />
      <ListFields input={input} />
      <p class="actions">
        <button name="do" value="save">
          {t('Save')}
        </button>
        <CancelLink href={curatedListPath(list.slug)} />
      </p>
    </Form>
    <details>
      <summary>{t('Delete this list')}</summary>
      <Form context={context} action={editingLinks.list(list.slug)}>
        <input type="hidden" name=".version" value={versionOf(list)} />
        <p>{t('The records stay. The list cannot be restored.')}</p>
        <p class="actions">
          <button class="danger" name="do" value="delete">
            {t('Delete this list')}
          </button>
        </p>
      </Form>
    </details>
  </FormPage>
)

const ListFields = ({ input }: { readonly input: FormInput }) => (
  <>
    <InputRow name="title" label={t('Title')} value={input.title} required />
    <LabelledField id="text" label={t('Text')} hint={t('You can use Markdown.')}>
      <textarea id="text" name="text" rows={6} aria-describedby="text-hint">
        {input.text}
      </textarea>
    </LabelledField>
    <label class="choice">
      <input type="checkbox" name="public" value="true" checked={input.public} />
      <span>{t('Everyone sees this list')}</span>
    </label>
    {input.records.length > 0 && (
      <fieldset>
        <legend>{t('Records')}</legend>
        <p class="hint">
          {t('Change the numbers to change the order. Clear a number to take a record off.')}
        </p>
        <ol class="records">
          {input.records.map((record, index) => (
            <RecordFields key={record.key} record={record} number={index + 1} />
          ))}
        </ol>
      </fieldset>
    )}
    <LabelledField
      id="more"
      label={t('Add records')}
      hint={t('One on each line: its web address, or in short {example}.', {
        example: 'zines/doris-15',
      })}
    >
      <textarea id="more" name="more" rows={4} aria-describedby="more-hint" spellcheck={false}>
        {input.more}
      </textarea>
    </LabelledField>
  </>
)

type RecordFieldsProps = { readonly record: FormRecord; readonly number: number }

const RecordFields = ({ record, number }: RecordFieldsProps) => (
  <li>
    <input type="hidden" name="record" value={record.key} />
    <p dir="auto">
      <strong>{record.heading}</strong>
    </p>
    <div class="fields">
      <label>
        {t('Number')}
        <input
          type="text"
          name="number"
          value={String(number)}
          inputMode="numeric"
          size={4}
          aria-label={t('Number of {title}', { title: record.heading })}
        />
      </label>
      <label>
        {t('Note')}
        <input
          type="text"
          name="note"
          value={record.note}
          aria-label={t('Note about {title}', { title: record.heading })}
        />
      </label>
    </div>
  </li>
)

function readForm(form: SubmittedForm): FormInput {
  const textOf = (name: string): string => form.get(name) ?? ''
  return {
    slug: textOf('slug'),
    title: textOf('title'),
    text: textOf('text').replaceAll('\r\n', '\n'),
    public: form.has('public'),
    records: orderedRecords(form),
    more: textOf('more'),
  }
}

/** The rows of the form by their numbers; a number that two rows have is in the order of the rows. */
function orderedRecords(form: SubmittedForm): readonly FormRecord[] {
  const [numbers, notes] = [form.getAll('number'), form.getAll('note')]
  return form
    .getAll('record')
    .map((key, index) => ({
      key,
      heading: key,
      note: notes[index] ?? '',
      number: numbers[index]?.trim() ?? '',
    }))
    .filter(({ number }) => number !== '')
    .sort((a, b) => (Number(a.number) || 0) - (Number(b.number) || 0))
}

/** The form as the body that it stands for. */
function toBody(form: SubmittedForm): ReadonlyMap<string, unknown> {
  const { records, more, title, text, public: isPublic } = readForm(form)
  const added = more.split('\n').flatMap((line) => (line.trim() === '' ? [] : [parseLine(line)]))
  const listed = records.map(({ key, note }) => ({ ...parseLine(key), note }))
  return new Map<string, unknown>([
    ['title', title],
    ['text', text],
    ['public', isPublic],
    ['records', [...listed, ...added]],
  ])
}

/** The kind and the identifier at the end of an address, or of a line. */
function parseLine(line: string): { readonly kind: string; readonly id: string } {
  const parts = line
    .trim()
    .replace(/[?#].*/, '')
    .split('/')
    .filter(Boolean)
  const at = parts.findLastIndex((part, index) => isKind(part) && index < parts.length - 1)
  const [kind = '', id = line.trim()] = at === -1 ? [] : parts.slice(at, at + 2)
  return { kind, id: decode(id) }
}

const isKind = (part: string): boolean => resourceNames.some((name) => name === part)

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
