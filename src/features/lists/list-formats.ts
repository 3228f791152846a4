// A list that editors made as RDF (schema.org's ItemList) and as an Atom feed of its records.

import { atom, feedEnd, feedEntry, feedStart } from '../../formats/atom.js'
import { type RdfContext, jsonAndRdfFormats, serializeRdf } from '../../formats/rdf/documents.js'
import type { Format } from '../../formats/serializer.js'
import type { Iris } from '../../model/iris.js'
import { titleOf } from '../../model/record/title.js'
import type { Resources } from '../../model/resources.js'
import { rdf, schema } from '../../rdf/namespaces.js'
import { type Quad, integer, stringLiteral, triple } from '../../rdf/terms.js'
import type { CuratedList } from './curated-lists.js'
import type { VisibleRecord } from './listed-records.js'

export type FormatDependencies = {
  readonly iris: Iris
  readonly rdfContext: RdfContext
  readonly resources: Resources
  readonly siteName: string
}

export const listFormats: readonly Format[] = [...jsonAndRdfFormats, atom]

/** @param records those that the reader sees */
export function serializeList(
  format: Format,
  dependencies: FormatDependencies,
  list: CuratedList,
  records: readonly VisibleRecord[],
): string {
  return format.name === atom.name
    ? toFeed(dependencies, list, records)
    : serializeRdf(format, toTriples(dependencies, list, records), dependencies.rdfContext)
}

function toFeed(
  { iris, resources, siteName }: FormatDependencies,
  { slug, title, modified }: CuratedList,
  records: readonly VisibleRecord[],
): string {
  const head = { id: iris.curatedList(slug).value, title, updated: modified, author: siteName }
  const entries = records.map(({ record }) => feedEntry({ iris, resources }, record))
  return feedStart(head) + entries.join('') + feedEnd
}

function toTriples(
  { iris, resources }: FormatDependencies,
  { slug, title, text }: CuratedList,
  records: readonly VisibleRecord[],
): readonly Quad[] {
  const list = iris.curatedList(slug)
  return [
    triple(list, rdf('type'), schema('ItemList')),
    triple(list, schema('name'), stringLiteral(title)),
    ...(text === '' ? [] : [triple(list, schema('description'), stringLiteral(text))]),
    triple(list, schema('numberOfItems'), integer(records.length)),
    ...records.flatMap(({ reference: { target, id }, record, note }, index) => {
      const position = index + 1
      const item = iris.part(list, `item-${position}`)
      return [
        triple(list, schema('itemListElement'), item),
        triple(item, rdf('type'), schema('ListItem')),
        triple(item, schema('position'), integer(position)),
        triple(item, schema('item'), iris.thing(target, id)),
        triple(item, schema('name'), stringLiteral(titleOf(resources, target, record.values))),
        ...(note === '' ? [] : [triple(item, schema('description'), stringLiteral(note))]),
      ]
    }),
  ]
}
