// What the pages on which people write have in common: notices, the rows of a form, its buttons.

import type { ComponentChildren } from 'preact'

import { Layout, type PageContext } from './layout.js'

export type Notice = {
  /** What it is about: something went wrong, something was done, or something to look at first. */
  readonly tone: 'wrong' | 'done' | 'look'
  readonly text: ComponentChildren
}

export const NoticeBox = ({ notice: { tone, text } }: { readonly notice: Notice }) => (
  <div class={`notice ${tone}`} role={tone === 'wrong' ? 'alert' : 'status'} tabIndex={-1}>
    {text}
  </div>
)

type FormPageProps = {
  readonly visit: PageContext
  readonly title: string
  readonly notice?: Notice | undefined
  readonly scripts?: readonly string[]
  readonly children: ComponentChildren
}

/** A page of the desk: a title, what there is to say, and what there is to do. */
export const FormPage = ({ visit, title, notice, scripts = [], children }: FormPageProps) => (
  <Layout
    visit={visit}
    title={title}
    scripts={scripts}
    head={<meta name="robots" content="noindex" />}
  >
    <div class="editing">
      <header class="page-head">
        <h1>{title}</h1>
      </header>
      {notice && <NoticeBox notice={notice} />}
      {children}
    </div>
  </Layout>
)

export const MessagePage = ({
  visit,
  title,
  children,
}: {
  readonly visit: PageContext
  readonly title: string
  readonly children: ComponentChildren
}) => (
  <FormPage visit={visit} title={title}>
    <div class="lead">{children}</div>
  </FormPage>
)

type InputRowProps = {
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'password'
  readonly value?: string
  readonly autocomplete?: string
  readonly hint?: string
  readonly required?: true
}

/** One line to be filled in. */
export const InputRow = ({ name, label, hint, type = 'text', ...rest }: InputRowProps) => {
  const input = {
    id: name,
    name,
    'aria-describedby': hint && `${name}-hint`,
    autocapitalize: 'none',
    spellcheck: false,
    ...rest,
  } as const
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {type === 'password' ? (
        <input type="password" {...input} />
      ) : (
        <input type="text" {...input} />
      )}
    </div>
  )
}
