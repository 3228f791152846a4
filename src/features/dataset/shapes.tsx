// The page of the shapes: for each resource, what its properties may be. How it looks is left to
// features/dataset/shapes-page.tsx.

import { type RdfContext, rdfFormats, serializeRdf } from '../../formats/rdf/documents.js'
import { createPrefixer } from '../../formats/rdf/prefixed-names.js'
import { turtle } from '../../formats/rdf/turtle.js'
import { shapesDescription } from '../../model/model-description.js'
import type { ResourceName } from '../../model/iris.js'
import type { Field, Resource, Resources } from '../../model/resources.js'
import type { Quad } from '../../rdf/terms.js'
import { entryPath, isServed, nounFor } from '../../views/links.js'
import { type ShownProperty, ShapesPage } from './shapes-page.js'
import type { Handler } from '../../http/context.js'
import { type AssetUrls, pageContext, sendPage } from '../../http/response/html.js'

type ShapesPageDependencies = {
  readonly assets: AssetUrls
  readonly resources: Resources
  readonly shapes: readonly Quad[]
  readonly rdfContext: RdfContext
}

export function shapesPage({
  assets,
  resources,
  shapes,
  rdfContext,
}: ShapesPageDependencies): Handler {
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
  const shown = Object.values(resources).map((resource) => ({
    name: resource.name,
    anchor: anchorOf(resource),
    shape: resource.shape.value,
    targetClass: nameOf(resource.class.value),
    properties: resource.inputFields.map(describe),
  }))
  const text = serializeRdf(turtle, shapes, rdfContext)
  return (ctx) =>
    sendPage(
      ctx,
      <ShapesPage
        context={pageContext(ctx, assets)}
        description={shapesDescription}
        resources={shown}
        formats={rdfFormats}
        turtle={text}
      />,
    )
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
