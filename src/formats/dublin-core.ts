// Dublin Core in XML, as OAI-PMH has it. Which element a field is comes from the ontology: the one of
// the fifteen that its property is or refines. Only what the value becomes is said here, where it is
// not the value itself.

import type { Iris } from '../model/iris.js'
import type { FieldValue } from '../model/record/values.js'
import { type DublinCoreElement, elements } from '../model/dublin-core-elements.js'
import type { Field, Resources } from '../model/resources.js'
import { type ResolvedRecord, isVisible, referencesOfField } from '../model/record/views.js'
import { escapeAttribute, escapeText } from '../rdf/xml.js'
import { titleOfReference } from '../model/record/title.js'
import type { Format, ListInfo, RecordSerializer } from './serializer.js'

export const dublinCore: Format = {
  name: 'dc',
  title: 'Dublin Core',
  type: 'application/xml',
  extension: 'xml',
}

export function dublinCoreSerializer(resources: Resources, iris: Iris): RecordSerializer {
  const write = (record: ResolvedRecord): string =>
    elements
      .flatMap((element) => valuesOf(record, element).map((value) => line(element, value)))
      .join('')

  function valuesOf(record: ResolvedRecord, element: DublinCoreElement): string[] {
    const fields = record.resource.fields.filter((field) => field.element === element)
    const values = fields.flatMap((field) =>
      isVisible(field, record.values, 'detail') ? textsOf(record, field, element) : [],
    )
    return [...new Set(values)].filter((value) => value !== '')
  }

  function textsOf(
    { values, lookup }: ResolvedRecord,
    field: Field,
    element: DublinCoreElement,
  ): string[] {
    if (field.target)
      return referencesOfField(field, values).map((reference) =>
        // What a record is related to is told by its address, who made or keeps it by their name.
        element === 'relation'
          ? iris.thing(reference.target, reference.id).value
          : titleOfReference(resources, lookup, reference) || reference.id,
      )
    const say = conversions.get(field.name) ?? (field.vocabulary ? label : same)
    return textsIn(values[field.name] ?? '').flatMap((text) => say(text, field))
  }

  return {
    ...dublinCore,
    record: (record) => `${declaration}<oai_dc:dc ${namespaces}>\n${write(record)}</oai_dc:dc>\n`,
    listStart: (listed) =>
      `${declaration}<records xmlns="${iris.ontology}#" ${namespaces} ${pagingAttributes(listed)}>\n`,
    listItem: (record) => `<oai_dc:dc>\n${write(record)}</oai_dc:dc>\n`,
    listEnd: () => '</records>\n',
  }
}

type Convert = (text: string, field: Field) => string[]

const same: Convert = (text) => [text]

const label: Convert = (code, { vocabulary }) => [vocabulary?.find(code)?.label ?? code]

// Where the element is not the value or its label (mapping: 4).
const conversions: ReadonlyMap<string, Convert> = new Map<string, Convert>([
  // Among the descriptions, a number alone would say nothing.
  ['issue_designation', (text, field) => [`${field.label}: ${text}`]],
  // A language is known to machines by its code, rights by their address.
  ['language', same],
  ['rights', (code, field) => [field.vocabulary?.concept(code).value ?? '', ...label(code, field)]],
])

function textsIn(value: FieldValue): readonly string[] {
  if (value === null || value === '') return []
  return typeof value === 'object' ? value : [String(value)]
}

const line = (element: DublinCoreElement, value: string): string =>
  `  <dc:${element}>${escapeText(value)}</dc:${element}>\n`

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

const oaiDc = 'http://www.openarchives.org/OAI/2.0/oai_dc/'

const namespaces = [
  `xmlns:oai_dc="${oaiDc}"`,
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
  `xsi:schemaLocation="${oaiDc} http://www.openarchives.org/OAI/2.0/oai_dc.xsd"`,
].join(' ')

/** Dublin Core has no lists, so where a page stands is said in a wrapper of ours. */
const pagingAttributes = ({ count, links }: ListInfo): string =>
  Object.entries({ count, next: links?.next, previous: links?.previous })
    .flatMap(([name, value]) =>
      value == null ? [] : [`${name}="${escapeAttribute(String(value))}"`],
    )
    .join(' ')
