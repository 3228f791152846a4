// The page of the shapes: a table for each resource, with a row for each of its properties and what
// their values may be.

import { type RdfContext, rdfFormats, serializeRdf } from '../../formats/rdf/documents.js'
import { createPrefixer } from '../../formats/rdf/prefixed-names.js'
import { turtle } from '../../formats/rdf/turtle.js'

import type { ResourceName } from '../../model/iris.js'
import { shapesDescription } from '../../model/model-description.js'
import type { Field, Resource, Resources } from '../../model/resources.js'
import type { Quad } from '../../rdf/terms.js'
import { ApiRequestIn, FormatLinks } from '../../views/components/api-request.js'
import { ScrollRegion, Table } from '../../views/components/data-table.js'
import { Layout, type PageContext } from '../../views/layout.js'
import { entryPath, isServed, nounFor, resourceTitle } from '../../views/links.js'
import type { Handler } from '../../http/context.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'

type ShapesPageDependencies = {
  readonly assets: AssetUrls
  readonly resources: Resources
  readonly shapes: readonly Quad[]
  readonly rdfContext: RdfContext
}

export function shapesPage(dependencies: ShapesPageDependencies): Handler {
  const { assets, shapes, rdfContext } = dependencies
  const shown = describeShapes(dependencies)
  const text = serializeRdf(turtle, shapes, rdfContext)
  return (ctx) =>
    sendPage(ctx, <ShapesPage context={pageContext(ctx, assets)} shapes={shown} text={text} />)
}

function describeShapes({ resources, rdfContext }: ShapesPageDependencies) {
  const toPrefixedName = createPrefixer(rdfContext.prefixes)
  const anchorOf = ({ shape }: Resource): string => shape.value.slice(shape.value.indexOf('#') + 1)
  const nameOf = (iri: string): string => toPrefixedName(iri)?.join(':') ?? iri
  const describe = (field: Field): ShownProperty => ({
    label: field.formLabel,
    path: field.path.map(({ value }) => nameOf(value)).join(' / '),
    count: countOf(field),
    values: valuesOf(field, (name) => `#${anchorOf(resources[name])}`),
    hint: field.hint,
  })
  return Object.values(resources).map((resource) => ({
    name: resource.name,
    anchor: anchorOf(resource),
    shape: resource.shape.value,
    targetClass: nameOf(resource.class.value),
    properties: resource.inputFields.map(describe),
  }))
}

/** How many values a record may have: SHACL's least and greatest number. */
function countOf({ nonEmpty, repeatable }: Field): string {
  const [least, most] = [nonEmpty ? 1 : 0, repeatable ? '*' : 1]
  return least === most ? String(least) : `${least}..${most}`
}

const kinds: Readonly<Record<Field['kind'], string>> = {
  text: 'text',
  link: 'web address or text',
  url: 'URL',
  email: 'e-mail address',
  integer: 'whole number',
  boolean: 'true or false',
  time: 'time',
  code: 'concept',
  reference: 'record',
}

function valuesOf(
  { kind, vocabulary, target, maxLength, minimum }: Field,
  linkTo: (name: ResourceName) => string,
): ShownProperty['values'] {
  if (vocabulary)
    return isServed(vocabulary)
      ? { text: vocabulary.title, href: entryPath(vocabulary) }
      : { text: vocabulary.title }
  if (target) return { text: `one of the ${nounFor(target, 2)}`, href: linkTo(target) }
  const limits = [
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
  ]
  return { text: [kinds[kind], ...limits].join(', ') }
}

type ShownProperty = {
  readonly label: string
  /** The prefixed names of the property, or of several in a row. */
  readonly path: string
  /** How many values there may be, such as `0..1` or `1..*`. */
  readonly count: string
  readonly values: { readonly text: string; readonly href?: string }
  readonly hint: string
}

const ShapesPage = ({
  context,
  shapes,
  text,
}: {
  readonly context: PageContext
  readonly shapes: ReturnType<typeof describeShapes>
  /** The shapes as Turtle. */
  readonly text: string
}) => (
  <Layout context={context} title="Shapes" styles={['reference.css']}>
    <header class="page-head">
      <h1>Shapes</h1>
    </header>
    <p class="lead">{shapesDescription}</p>
    <p class="made">
      What the properties mean is said by <a href="/ns">the vocabulary documentation</a>.
    </p>
    {shapes.map(({ name, anchor, shape, targetClass, properties }) => (
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
    <FormatLinks context={context} formats={rdfFormats} />
    <ApiRequestIn context={context} type="text/turtle" text={text} />
  </Layout>
)
