// The page of the shapes: a table for each resource, with a row for each of its properties.

import type { Format } from '../../formats/serializer.js'
import type { ResourceName } from '../../model/iris.js'
import { ApiRequestIn, FormatLinks } from '../../views/components/api-request.js'
import { ScrollRegion, Table } from '../../views/components/data-table.js'
import { Layout, type PageContext } from '../../views/layout.js'
import { resourceTitle } from '../../views/links.js'

export type ShownProperty = {
  readonly label: string
  /** The prefixed names of the property, or of several in a row. */
  readonly path: string
  /** How many values there may be, such as `0..1` or `1..*`. */
  readonly count: string
  readonly values: { readonly text: string; readonly href?: string }
  readonly hint: string
}

export type ShapesPageProps = {
  readonly context: PageContext
  readonly description: string
  readonly resources: readonly {
    readonly name: ResourceName
    /** The fragment of the shape's IRI. */
    readonly anchor: string
    /** The IRI of the node shape. */
    readonly shape: string
    readonly targetClass: string
    readonly properties: readonly ShownProperty[]
  }[]
  readonly formats: readonly Format[]
  readonly turtle: string
}

export const ShapesPage = ({
  context,
  description,
  resources,
  formats,
  turtle,
}: ShapesPageProps) => (
  <Layout context={context} title="Shapes" styles={['reference.css']}>
    <header class="page-head">
      <h1>Shapes</h1>
    </header>
    <p class="lead">{description}</p>
    <p class="made">
      What the properties mean is said by <a href="/ns">the vocabulary documentation</a>.
    </p>
    {resources.map(({ name, anchor, shape, targetClass, properties }) => (
      <section key={name} id={anchor} class="overview">
        <h2 class="label">{resourceTitle(name)}</h2>
        <p class="made">
          <code>{shape}</code> for <code>{targetClass}</code>
        </p>
        <ScrollRegion class="table-scroll" label={resourceTitle(name)}>
          <Table columns={['Property', 'Path', 'How many', 'Values']}>
            {properties.map(({ label, path, count, values, hint }) => (
              <tr key={path}>
                <th scope="row" title={hint}>
                  {label}
                </th>
                <td>
                  <code>{path}</code>
                </td>
                <td>{count}</td>
                <td>
                  {values.href === undefined ? (
                    values.text
                  ) : (
                    <a href={values.href}>{values.text}</a>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        </ScrollRegion>
      </section>
    ))}
    <FormatLinks context={context} formats={formats} />
    <ApiRequestIn context={context} type="text/turtle" text={turtle} />
  </Layout>
)
