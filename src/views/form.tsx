// The one form of all pages.

import type { FormHTMLAttributes } from 'preact'

type FormProps = Omit<FormHTMLAttributes, 'method'> &
  (
    | {
        /** Of the page, for a form that changes something: it sends the session's CSRF token. */
        readonly context: { readonly csrf: string }
        readonly method?: undefined
      }
    | { readonly context?: undefined; readonly method: 'get' }
  )

export const Form = ({ context, method, action, children, ...attributes }: FormProps) => (
  <form method={method ?? 'post'} action={action} {...attributes}>
    {context && <input type="hidden" name="csrf_token" value={context.csrf} />}
    {children}
  </form>
)
