// What is shown once, right after it was made: a token, the secret of a webhook, the link of an
// invitation.

import type { ComponentChildren } from 'preact'

type ShownOnceProps = {
  /** What it is, and that it is not shown again. */
  readonly children: ComponentChildren
  readonly value: string
  /** Whether it is an address, which may be broken anywhere. */
  readonly isAddress?: boolean
}

export const ShownOnce = ({ children, value, isAddress }: ShownOnceProps) => (
  <div class="notice look" role="status">
    <p>{children}</p>
    <p>
      <code class={isAddress ? 'address' : undefined}>{value}</code>
    </p>
  </div>
)
