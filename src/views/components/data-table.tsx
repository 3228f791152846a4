// Tables of records and other data.

import type { ComponentChildren } from 'preact'

type TableProps = {
  readonly class?: string
  /** The headings; those of columns that are left out are false. */
  readonly columns: readonly ComponentChildren[]
  /** The rows. */
  readonly children: ComponentChildren
}

export const Table = ({ class: name, columns, children }: TableProps) => (
  <table class={name}>
    <thead>
      <tr>
        {columns.filter(Boolean).map((column, index) => (
          <th key={index} scope="col">
            {column}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
)

type ScrollRegionProps = {
  /** What it is, for screen readers: the region can be focused, to scroll it with the keyboard. */
  readonly label: string
  readonly class?: string
  readonly children: ComponentChildren
}

/** What may be wider than the page. */
export const ScrollRegion = ({ label, class: name = 'scroll', children }: ScrollRegionProps) => (
  <div class={name} tabIndex={0} role="region" aria-label={label}>
    {children}
  </div>
)

/** A table that scrolls where it is wider than the page. */
export const DataTable = ({ label, ...table }: TableProps & Pick<ScrollRegionProps, 'label'>) => (
  <ScrollRegion label={label}>
    <Table {...table} />
  </ScrollRegion>
)
