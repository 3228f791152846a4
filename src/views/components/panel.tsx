// A part of a page in a frame, with its heading.

import type { ComponentChildren } from 'preact'

type PanelProps = {
  readonly title: ComponentChildren
  /** The identifier of the heading, for a region that screen readers list by it. */
  readonly id?: string
  readonly children: ComponentChildren
}

export const Panel = ({ title, id, children }: PanelProps) => (
  <section class="panel" aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
)
