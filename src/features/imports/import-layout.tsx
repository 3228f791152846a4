// What the pages of an import have in common: the steps with what is still to decide, the parts of
// forms that several steps use, and the pages that wait for work or say that an import was changed
// elsewhere.

import type { ComponentChildren } from 'preact'

import type { Message } from '../../message.js'
import { type Import, rulesOf } from './import-state.js'
import { Mistake } from './mapping/profile-parser.js'
import type { PreviewedRow } from './preview.js'
import { Form } from '../../views/form.js'
import { FormPage, type Notice } from '../../views/form-layout.js'
import type { PageContext } from '../../views/layout.js'
import { type ImportStep, editingLinks, importSteps } from '../../views/links.js'
import { messageText, message, numberText, plural, t } from '../../views/translate.js'

/** How far a step is: what stands beside its name. */
type StepStatus = {
  readonly isDone: boolean
  /** How many things are left to decide. */
  readonly open: number
}

export type StepStatuses = Readonly<Record<ImportStep, StepStatus>>

/** What every page of an import is given. */
export type ImportPageProps = {
  readonly context: PageContext
  readonly job: Import
  readonly steps: StepStatuses
  readonly notice?: Notice | undefined
}

const stepTitles: Readonly<Record<ImportStep, string>> = {
  file: message('File'),
  fields: message('Fields'),
  names: message('Names'),
  terms: message('Terms'),
  preview: message('Preview'),
  result: message('Result'),
}

/**
 * A page of a step.
 * @param form the identifier of the form that is saved by whatever leads to another step
 */
export const ImportPage = ({
  context,
  job,
  steps,
  step,
  notice,
  form,
  children,
}: ImportPageProps & {
  readonly step: ImportStep
  readonly form?: string
  readonly children: ComponentChildren
}) => (
  <FormPage
    context={context}
    title={t('{step}: {name}', { step: t(stepTitles[step]), name: job.name })}
    notice={notice}
    scripts={['form.js']}
    wide
  >
    {/* Enter activates the first button of a form: it saves, and stays on the page. */}
    {form !== undefined && (
      <button class="visually-hidden" form={form} tabIndex={-1} aria-hidden="true">
        {t('Save')}
      </button>
    )}
    <StepNavigation job={job} steps={steps} current={step} form={form} />
    {job.message !== undefined && (
      <div class="notice wrong" role="alert">
        {messageText(job.message)}
      </div>
    )}
    {children}
  </FormPage>
)

const StepNavigation = ({
  job,
  steps,
  current,
  form,
}: {
  readonly job: Import
  readonly steps: StepStatuses
  readonly current: ImportStep
  readonly form: string | undefined
}) => (
  <nav aria-label={t('Steps of the import')}>
    <ol class="steps">
      {importSteps.map((step, index) => {
        const note = noteOf(job, steps, step)
        return (
          <li key={step} class={steps[step].isDone ? 'done' : undefined}>
            <LeadOn
              form={form}
              href={editingLinks.importStep(job.id, step)}
              aria-current={step === current ? 'step' : undefined}
            >
              <span class="step-title">
                {index + 1}. {t(stepTitles[step])}
              </span>
              <span class="step-note">{note}</span>
            </LeadOn>
          </li>
        )
      })}
    </ol>
  </nav>
)

/**
 * A link to another part of an import. Where there is a form, a button that saves the form before
 * it leads there.
 */
const LeadOn = ({
  form,
  href,
  children,
  ...attributes
}: {
  readonly form: string | undefined
  readonly href: string
  readonly children: ComponentChildren
  readonly 'aria-current'?: 'step' | 'true' | undefined
  readonly rel?: string
}) =>
  form === undefined ? (
    <a href={href} {...attributes}>
      {children}
    </a>
  ) : (
    <button
      class="lead-on"
      form={form}
      formNoValidate
      name=".to"
      value={href}
      aria-current={attributes['aria-current']}
    >
      {children}
    </button>
  )

/** What stands beside the name of a step: what is left to decide, or that nothing is. */
function noteOf(job: Import, steps: StepStatuses, step: ImportStep): string {
  const { isDone, open } = steps[step]
  if (open > 0) return t('{count} to decide', { count: numberText(open) })
  if (step === 'result' && job.state === 'undone') return t('undone|import')
  return isDone ? t('done|step') : ' '
}

/**
 * The hidden inputs that each form of an import begins with: a form of an outdated page is refused.
 */
export const ImportForm = ({
  context,
  job,
  step,
  children,
  ...rest
}: Pick<ImportPageProps, 'context' | 'job'> & {
  readonly step: ImportStep
  readonly class?: string
  readonly id?: string
  /** The query of the page, which the next page has too. */
  readonly query?: string
  readonly children: ComponentChildren
}) => {
  const { query = '', ...attributes } = rest
  return (
    <Form
      context={context}
      action={`${editingLinks.importStep(job.id, step)}${query === '' ? '' : `?${query}`}`}
      {...attributes}
    >
      <input type="hidden" name=".revision" value={job.revision} />
      {children}
    </Form>
  )
}

/** How far work is, as a bar where the end is known. */
const Progress = ({
  label,
  progress,
}: {
  readonly label: string
  readonly progress: Import['progress']
}) => (
  <div class="progress" role="status">
    <p>
      {label}
      {progress && progress.done > 0 && (
        <>
          {' '}
          {progress.total > 0
            ? t('{done} of {total}', {
                done: numberText(progress.done),
                total: numberText(progress.total),
              })
            : numberText(progress.done)}
        </>
      )}
    </p>
    {progress && progress.total > 0 ? (
      <progress aria-label={label} max={progress.total} value={progress.done} />
    ) : (
      <progress aria-label={label} />
    )}
  </div>
)

/**
 * Shown while work goes on. It comes anew by itself (see the Refresh header), also without scripts.
 */
export const ImportWorkPage = ({ context, job }: Pick<ImportPageProps, 'context' | 'job'>) => (
  <FormPage context={context} title={job.name} wide>
    <Progress
      label={t(
        rulesOf(job).work?.label ?? message('The rows are being compared with the catalogue.'),
      )}
      progress={job.progress}
    />
    <p class="hint">
      {t('This page reloads every two seconds. You can leave; the work continues.')}
    </p>
    <p class="actions">
      <a
        class="button quiet"
        href={`${context.path}${context.query === '' ? '' : `?${context.query}`}`}
      >
        {t('Reload')}
      </a>
      <a class="button quiet" href={editingLinks.imports}>
        {t('All imports')}
      </a>
    </p>
  </FormPage>
)

/** Shown when a form is of a page that is outdated, or when the import is busy. */
export const ImportConflictPage = ({
  context,
  id,
  why,
}: {
  readonly context: PageContext
  readonly id: string
  readonly why: Message
}) => (
  <FormPage context={context} title={t('Nothing was saved')}>
    <div class="lead">
      <p>{messageText(why)}</p>
      <p>
        <a href={editingLinks.importOf(id)}>{t('Go to the import as it is now')}</a>
      </p>
    </div>
  </FormPage>
)

/** The place of a member of the profile, and not of an item of a list. */
const isMember = /^[a-z][\w.]*$/

/** A mistake in a form, without its place in the profile, which the form does not show. */
export const ProfileMistake = ({ mistake }: { readonly mistake: Message }) => (
  <li>
    {messageText(
      mistake instanceof Mistake && isMember.test(mistake.place) ? mistake.text : mistake,
    )}
  </li>
)

export type Tab = {
  readonly name: string
  readonly label: string
  readonly count: number
}

/** Links that choose which part of a list is shown. */
export const Tabs = ({
  tabs,
  current,
  label,
  hrefOf,
  form,
}: {
  readonly tabs: readonly Tab[]
  readonly current: string
  readonly label: string
  readonly hrefOf: (name: string) => string
  /** The form that is saved before another tab is shown. */
  readonly form?: string | undefined
}) => (
  <nav aria-label={label}>
    <ul class="tabs">
      {tabs.map((tab) => (
        <li key={tab.name}>
          <LeadOn
            form={form}
            href={hrefOf(tab.name)}
            aria-current={tab.name === current ? 'true' : undefined}
          >
            {tab.label} <span class="count">{numberText(tab.count)}</span>
          </LeadOn>
        </li>
      ))}
    </ul>
  </nav>
)

/** Links to the pages before and after; nothing for a single page. */
export const NumberedPages = ({
  page,
  size,
  count,
  hrefOf,
  form,
}: {
  readonly page: number
  readonly size: number
  readonly count: number
  readonly hrefOf: (page: number) => string
  /** The form that is saved before another page is shown. */
  readonly form?: string | undefined
}) => {
  const last = Math.max(1, Math.ceil(count / size))
  if (last === 1) return null
  return (
    <nav class="pager" aria-label={t('Pages')}>
      {page > 1 && (
        <LeadOn form={form} rel="prev" href={hrefOf(page - 1)}>
          {t('← Previous')}
        </LeadOn>
      )}
      <span>
        {t('Page {number} of {last}', { number: numberText(page), last: numberText(last) })}
      </span>
      {page < last && (
        <LeadOn form={form} rel="next" href={hrefOf(page + 1)}>
          {t('Next →')}
        </LeadOn>
      )}
    </nav>
  )
}

/** A row as the source has it. */
export const OriginalRow = ({ fields }: Pick<PreviewedRow, 'fields'>) => (
  <dl class="original">
    {fields.map(([name, text], index) => (
      <div key={index}>
        <dt>{name}</dt>
        <dd dir="auto">{shorten(text, 300)}</dd>
      </div>
    ))}
  </dl>
)

/** `1 row`, `2 rows`. */
export const rowCount = (count: number): string => plural(count, '{count} row', '{count} rows')

/** How often something is in a source: `1 time`, `2 times`. */
export const timeCount = (count: number): string => plural(count, '{count} time', '{count} times')

export function shorten(text: string, length: number): string {
  const characters = Array.from(text)
  return characters.length > length ? `${characters.slice(0, length).join('')}…` : text
}

/** A time in ISO 8601, to the minute. */
export const Minute = ({ value }: { readonly value: string }) => (
  <time dateTime={value}>{`${value.slice(0, 10)} ${value.slice(11, 16)}`}</time>
)
