// Describes the CSV of records for programs: what a column means in RDF, the datatype of its cells,
// and how several values of a cell are separated (W3C, "Metadata Vocabulary for Tabular Data").

import type { Iris, ResourceName } from '../model/iris.js'
import { partOf } from '../model/record/rdf-mapper.js'
import type { Field, FieldKind, Resource, Resources } from '../model/resources.js'
import { isIriField, namespaceOf } from './iri-values.js'
import type { Format } from './serializer.js'
import { type TableColumn, tableColumns } from './table-columns.js'

export const csvMetadata: Format = {
  name: 'csvw',
  title: 'CSV on the Web',
  type: 'application/csvm+json',
}

/** The path of the description of tables of the resource. */
export const csvMetadataPath = (name: ResourceName): string => `/csvw/${name}`

type Table = {
  /** The address of the CSV, absolute. */
  readonly url: string
  readonly resource: Resource
  /** The names of the columns that it has; undefined for all. */
  readonly columns: ReadonlySet<string> | undefined
}

/** The description of a table, as a JSON object. */
export function describeTable(
  { iris, resources }: { readonly iris: Iris; readonly resources: Resources },
  { url, resource, columns }: Table,
): object {
  const thing = `${iris.base}/id/${resource.name}/{${resource.id.name}}`
  const record = `${iris.base}/api/${resource.name}/{${resource.id.name}}/`
  const present = tableColumns(resources, resource).filter(
    ({ name }) => columns === undefined || columns.has(name),
  )
  const hasIdentifier = present.some(({ name }) => name === resource.id.name)
  return {
    '@context': ['http://www.w3.org/ns/csvw', { '@language': 'en' }],
    url,
    'dc:title': resource.description,
    // An identifier may begin with `#`.
    dialect: { encoding: 'utf-8', lineTerminators: ['\r\n'], commentPrefix: null },
    tableSchema: {
      // Without the identifiers there is nothing that the cells could be about.
      ...(hasIdentifier ? { aboutUrl: thing, primaryKey: resource.id.name } : {}),
      columns: present.map((column) => ({
        ...describeColumn(iris, column),
        ...(hasIdentifier ? subjectOf(column.field, thing, record) : {}),
        ...(column.hasTitles || !hasIdentifier || !isConverted(iris, column.field)
          ? { suppressOutput: true }
          : {}),
      })),
    },
  }
}

function describeColumn(iris: Iris, { name, field, hasTitles }: TableColumn): object {
  const separated = field.repeatable ? { separator: '|' } : {}
  if (hasTitles)
    return {
      name,
      titles: name,
      'dc:description': `${field.label}: names, for readers.`,
      datatype: 'string',
      ...separated,
    }
  const valueUrl = valueUrlOf(iris, field)
  const property = field.path.at(-1)
  return {
    name,
    titles: name,
    'dc:title': field.label,
    'dc:description': field.comment,
    datatype: datatypes[field.kind] ?? 'string',
    ...(field.nonEmpty ? { required: true } : {}),
    ...separated,
    ...(property ? { propertyUrl: property.value } : {}),
    ...(valueUrl !== undefined && !field.repeatable ? { valueUrl } : {}),
  }
}

const datatypes: Partial<Record<FieldKind, string>> = {
  integer: 'integer',
  boolean: 'boolean',
  time: 'dateTime',
}

/**
 * What the cells of a column are about, where that is not the thing itself but its record or a part
 * of it.
 */
function subjectOf(field: Field, thing: string, record: string): object {
  if (field.onRecordNode) return { aboutUrl: record }
  const part = partOf(field)
  return part === undefined ? {} : { aboutUrl: `${thing}#${part}` }
}

/**
 * Whether a conversion to RDF by the description gives the catalogue's own triples. CSV on the Web
 * has no IRIs for cells with several values, nor for cells that have an IRI or a text. A value with
 * `|` or `\` is read otherwise, since it has no escapes.
 */
const isConverted = (iris: Iris, field: Field): boolean =>
  field.path.length > 0 &&
  (field.repeatable
    ? field.kind !== 'link' && valueUrlOf(iris, field) === undefined
    : field.kind !== 'link' || valueUrlOf(iris, field) !== undefined)

/**
 * The URI template (RFC 6570) of the IRI that a value stands for; undefined where it is a literal.
 */
function valueUrlOf(iris: Iris, field: Field): string | undefined {
  if (field.target) return `${iris.base}/id/${field.target}/{${field.name}}`
  const namespace = namespaceOf(field)
  if (namespace !== undefined) return `${namespace}{${field.name}}`
  return field.kind === 'url' || isIriField(field) ? `{+${field.name}}` : undefined
}
