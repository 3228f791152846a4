// The forms with which editors make a list, change it and delete it. A record's place is a number,
// so that ordering needs no script. With views/client/list-order.ts, records are dragged too.

import type { VNode } from 'preact'

import { PreconditionFailedError } from '../../catalogue/errors.js'
import { recordKey } from '../../catalogue/records/record-cache.js'
import { ConflictError } from '../../errors.js'
import {
  type FormDependencies,
  type Redirect,
  type SignedInRequest,
  type SubmittedForm,
  createFormEndpoint,
  sourceOf,
} from '../../http/form-endpoint.js'
import type { Endpoint } from '../../http/endpoint.js'
import { mayEditLists } from '../../http/request/record-rights.js'
import { message } from '../../message.js'
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
import type { CuratedList, DeletedList } from './curated-lists.js'
import { parseLine, parseLines, parseListInput, parseSlug } from './list-input.js'
import type { ListDependencies } from './lists-api.js'
import {
  findListed,
  removeList,
  replaceList,
  requireList,
  versionSeen,
  visibleAmong,
} from './listed-records.js'

export type ListFormDependencies = FormDependencies & ListDependencies

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
  /** The slug of a deleted list, of which the editor was told. */
  readonly replaces?: string
  /** Of the list that the form was made of; that of the list as it is now without it. */
  readonly version?: string
  /** The record that a button moved, and which way. */
  readonly moved?: { readonly index: number; readonly direction: Direction }
}

/** The form of the list as it is now. */
type StoredInput = FormInput & { readonly version: string }

const directions = ['up', 'down'] as const

type Direction = (typeof directions)[number]

type FormRecord = { readonly key: string; readonly note: string; readonly heading: string }

const emptyInput = { slug: '', title: '', text: '', public: false, records: [], more: '' }

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
    render: (request) => page(request, emptyInput),
    async submit(request, form) {
      const { account } = request
      // The records were chosen elsewhere.
      if (form.get('do') === 'choose')
        return page(request, { ...emptyInput, more: form.get('more') ?? '' })
      try {
        const slug = parseSlug(form.get('slug'))
        const input = await parseListInput(catalogue, account, toBody(form))
        const deleted = lists.findDeleted(slug)
        if (deleted && form.get('replaces') !== slug) {
          request.ctx.status = 409
          const notice: Notice = { tone: 'look', text: <WasDeleted {...deleted} /> }
          return page(request, { ...readForm(form), replaces: slug }, notice)
        }
        await lists.add(slug, input, sourceOf(request))
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

  /** What the form has of the list as it is now. */
  async function readStored(request: SignedInRequest): Promise<StoredInput> {
    const list = listOf(request)
    const listed = await findListed(catalogue, request.account, list.records)
    return {
      ...list,
      version: versionSeen(list, listed),
      public: list.isPublic,
      records: visibleAmong(list, listed).map(({ reference, record, note }) => ({
        key: recordKey(reference),
        note,
        heading: recordHeading(record, resources),
      })),
      more: '',
    }
  }

  const page = (
    { context }: SignedInRequest,
    stored: StoredInput,
    input: FormInput,
    notice?: Notice,
  ): VNode => <EditListPage {...{ context, stored, input, notice }} />

  async function write(request: SignedInRequest, form: SubmittedForm): Promise<Redirect> {
    const { account } = request
    const list = listOf(request)
    const by = {
      source: sourceOf(request),
      isMet: (version: string): boolean => version === form.get('.version'),
    }
    if (form.get('do') === 'delete') {
      await removeList(dependencies, account, list, by)
      return { to: listsPath, done: 'deleted' }
    }
    const input = await parseListInput(catalogue, account, toBody(form))
    await replaceList(dependencies, account, list, input, by)
    return { to: curatedListPath(list.slug), done: 'saved' }
  }

  return createFormEndpoint(dependencies, {
    path: editingRoutes.list,
    name: 'Edit a list',
    description: 'A form that changes a list of records, or deletes it.',
    isAllowed: mayEditLists,
    async render(request) {
      const stored = await readStored(request)
      return page(request, stored, stored)
    },
    async submit(request, form) {
      const moved = movedForm(form)
      if (moved) {
        const stored = await readStored(request)
        return page(request, stored, withHeadings(moved, stored))
      }
      try {
        return await write(request, form)
      } catch (error) {
        const notice = noticeOf(request, error)
        const stored = await readStored(request)
        // Without a title it is the form that deletes.
        if (!form.has('title')) return page(request, stored, stored, notice)
        const sent = withHeadings(readForm(form), stored)
        // The editor was told of what others changed only where that was the error.
        const isTold = error instanceof PreconditionFailedError
        const version = form.get('.version')
        const input = isTold || version === null ? sent : { ...sent, version }
        return page(request, stored, input, notice)
      }
    },
  })
}

/** A form that was sent has no headings. */
function withHeadings(input: FormInput, stored: StoredInput): FormInput {
  const headings = new Map(stored.records.map(({ key, heading }) => [key, heading]))
  return {
    ...input,
    records: input.records.map((record) => ({
      ...record,
      heading: headings.get(record.key) ?? record.heading,
    })),
  }
}

/** What went wrong, with its status. @throws what no form can mend */
export function noticeOf({ ctx }: SignedInRequest, error: unknown): Notice {
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

/** The versions of the deleted list stay, and those of the new one follow them. */
const WasDeleted = ({ slug, title }: DeletedList) => (
  <>
    {rich(
      'A list with this identifier was deleted: {list}. Restore it there, or press the button again to create a new list.',
      { list: <a href={editingLinks.listHistory(slug)}>{title}</a> },
    )}
  </>
)

const changedMeanwhile = message(
  'Nothing is saved yet: somebody else changed this list meanwhile. Save again to replace it.',
)

/** The labels of the fields of a list. */
export const labels = {
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
      {input.replaces !== undefined && (
        <input type="hidden" name="replaces" value={input.replaces} />
      )}
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
  stored,
  input,
  notice,
}: ListFormProps & { readonly stored: StoredInput }) => (
  <FormPage
    context={context}
    title={stored.title}
    notice={notice}
    scripts={['list-order.js']}
    styles={['dragged-rows.css']}
  >
    <Form context={context} action={editingLinks.list(stored.slug)}>
      {/* Enter activates the first button of a form, which has to be the one that saves. */}
      <button class="visually-hidden" name="do" value="save" tabIndex={-1} aria-hidden="true">
        {t('Save')}
      </button>
      <input type="hidden" name=".version" value={input.version ?? stored.version} />
      <ListFields input={input} />
      <p class="actions">
        <button name="do" value="save">
          {t('Save')}
        </button>
        <CancelLink href={curatedListPath(stored.slug)} />
      </p>
    </Form>
    <details>
      <summary>{t('Delete this list')}</summary>
      <Form context={context} action={editingLinks.list(stored.slug)}>
        <input type="hidden" name=".version" value={stored.version} />
        <p>{t('The records stay. You can restore the list later.')}</p>
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
        <ol data-ordered>
          {input.records.map((record, index) => (
            <RecordFields
              key={record.key}
              record={record}
              number={index + 1}
              last={input.records.length}
              moved={input.moved?.index === index ? input.moved.direction : undefined}
            />
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

type RecordFieldsProps = {
  readonly record: FormRecord
  readonly number: number
  /** The number of the last record. */
  readonly last: number
  /** The button that was pressed last, if it was one of this record. */
  readonly moved: Direction | undefined
}

const RecordFields = ({ record, number, last, moved }: RecordFieldsProps) => (
  <li>
    <input type="hidden" name="record" value={record.key} />
    <p dir="auto">
      <strong>{record.heading}</strong>
    </p>
    <div class="controls">
      <label>
        <span>{t('Number')}</span>
        <input
          type="text"
          name="number"
          value={String(number)}
          inputMode="numeric"
          size={4}
          aria-label={t('Number of {title}', { title: record.heading })}
        />
      </label>
      <label class="grow">
        <span>{t('Note')}</span>
        <input
          type="text"
          name="note"
          value={record.note}
          aria-label={t('Note about {title}', { title: record.heading })}
        />
      </label>
      <span class="row-buttons">
        <MoveButton
          {...{ number, moved }}
          direction="up"
          disabled={number === 1}
          label={t('Move {title} up', { title: record.heading })}
        />
        <MoveButton
          {...{ number, moved }}
          direction="down"
          disabled={number === last}
          label={t('Move {title} down', { title: record.heading })}
        />
      </span>
    </div>
  </li>
)

type MoveButtonProps = {
  readonly number: number
  readonly direction: Direction
  readonly moved: Direction | undefined
  readonly disabled: boolean
  readonly label: string
}

/** Keeps the focus, so that the same key moves the record further. */
const MoveButton = ({ number, direction, moved, disabled, label }: MoveButtonProps) => (
  <button
    class="quiet small"
    name={`.${direction}`}
    value={String(number - 1)}
    formNoValidate
    disabled={disabled}
    autofocus={moved === direction && !disabled}
    aria-label={label}
  >
    {direction === 'up' ? '↑' : '↓'}
  </button>
)

/** The form after a button that moves a record by one place; undefined if it was another button. */
function movedForm(form: SubmittedForm): FormInput | undefined {
  const direction = directions.find((name) => form.has(`.${name}`))
  if (!direction) return undefined
  const version = form.get('.version') ?? ''
  const input: FormInput = { ...readForm(form), version }
  // The button has the place on the page, where a record may have another number by now.
  const key = form.getAll('record')[Number(form.get(`.${direction}`))]
  const from = input.records.findIndex((record) => record.key === key)
  const index = from + (direction === 'up' ? -1 : 1)
  const record = input.records[from]
  if (!record || index < 0 || index >= input.records.length) return input
  const records = input.records.toSpliced(from, 1).toSpliced(index, 0, record)
  return { ...input, records, moved: { index, direction } }
}

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
  const listed = records.map(({ key, note }) => ({ ...parseLine(key), note }))
  return new Map<string, unknown>([
    ['title', title],
    ['text', text],
    ['public', isPublic],
    ['records', [...listed, ...parseLines(more)]],
  ])
}
