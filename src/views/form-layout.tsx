// The parts that all pages with forms share: the layout, notices, and input rows.

import type { ComponentChildren } from 'preact'

import { FilledMessage, isMessage } from '../message.js'
import { Layout, type PageContext } from './layout.js'
import { messageText, t } from './translate.js'

export type Notice = {
  /** An error, a success, or something to look at before going on. */
  readonly tone: 'wrong' | 'done' | 'look'
  readonly text: ComponentChildren | FilledMessage
}

export const NoticeBox = ({ notice: { tone, text } }: { readonly notice: Notice }) => (
  <div class={`notice ${tone}`} role={tone === 'wrong' ? 'alert' : 'status'} tabIndex={-1}>
    {isMessage(text) ? messageText(text) : text}
  </div>
)

type FormPageProps = {
  readonly context: PageContext
  readonly title: string
  readonly notice?: Notice | undefined
  readonly scripts?: readonly string[]
  readonly styles?: readonly string[]
  /** For pages with wide tables. */
  readonly wide?: true
  readonly children: ComponentChildren
}

/** A page for editing: a title, a notice where there is one, and the forms. */
export const FormPage = ({
  context,
  title,
  notice,
  scripts = [],
  styles = [],
  wide,
  children,
}: FormPageProps) => (
  <Layout
    context={context}
    title={title}
    scripts={scripts}
    styles={styles}
    head={<meta name="robots" content="noindex" />}
  >
    <div class={wide ? 'editing wide' : 'editing'}>
      <header class="page-head">
        <h1>{title}</h1>
      </header>
      {notice && <NoticeBox notice={notice} />}
      {children}
    </div>
  </Layout>
)

/** A page that only shows a message. */
export const MessagePage = ({
  context,
  title,
  children,
}: {
  readonly context: PageContext
  readonly title: string
  readonly children: ComponentChildren
}) => (
  <FormPage context={context} title={title}>
    <div class="lead">{children}</div>
  </FormPage>
)

export type LabelledFieldProps = {
  /** The identifier of the input. */
  readonly id: string
  readonly label: string
  readonly hint?: string | undefined
}

/** An input with its label, and with its hint, which has the identifier `…-hint`. */
export const LabelledField = ({
  id,
  label,
  hint,
  children,
}: LabelledFieldProps & { readonly children: ComponentChildren }) => (
  <div class="field">
    <label for={id}>{label}</label>
    {hint && (
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
    {children}
  </div>
)

type InputRowProps = Omit<LabelledFieldProps, 'id'> & {
  readonly name: string
  /** The name unless given. */
  readonly id?: string

  readonly type?: 'text' | 'password'
  readonly value?: string
  readonly autocomplete?: string

  readonly required?: true
}

/** A single-line input with its label and hint. */
export const InputRow = ({
  name,
  id = name,
  label,
  hint,
  type = 'text',
  ...rest
}: InputRowProps) => {
  const input = {
    id,
    name,
    'aria-describedby': hint && `${id}-hint`,
    autocapitalize: 'none',
    spellcheck: false,
    ...rest,
  } as const
  return (
    <LabelledField id={id} label={label} hint={hint}>
      {type === 'password' ? (
        <input type="password" {...input} />
      ) : (
        <input type="text" {...input} />
      )}
    </LabelledField>
  )
}

/** Leaves a form without sending it. */
export const CancelLink = ({ href }: { readonly href: string }) => (
  <a class="button quiet" href={href}>
    {t('Cancel')}
  </a>
)
