// Serializes records as Dublin Core in XML, in the form of OAI-PMH (docs/reference/rdf-formats.md,
// "Dublin Core"). The element of a field follows from the ontology: the one of the fifteen elements
// that the field's property is or refines. This file only says how a value is converted where it is
// not used as it is.

import type { Iris } from '../model/iris.js'
import { type FieldValue, textValue } from '../model/record/values.js'
import { matchesOf } from '../model/vocabulary.js'
import { type DublinCoreElement, elements } from '../model/dublin-core-elements.js'
import type { Field, Resources } from '../model/resources.js'
import { type ResolvedRecord, isVisible, referencesOfField } from '../model/record/views.js'
import { escapeAttribute, escapeText } from '../rdf/xml.js'
import { labelOfReference } from '../model/record/title.js'
import type { Format, ListInfo, RecordSerializer } from './serializer.js'

export const dublinCore: Format = {
  name: 'dc',
  title: 'Dublin Core',
  type: 'application/xml',
  extension: 'xml',
}

export function dublinCoreSerializer(resources: Resources, iris: Iris): RecordSerializer {
  const writeElements = (record: ResolvedRecord): string =>
    elements
      .flatMap((element) => valuesOf(record, element).map((value) => elementLine(element, value)))
      .join('')

  function valuesOf(record: ResolvedRecord, element: DublinCoreElement): string[] {
    const { resource } = record
    const ofFields = resource.fields
      .filter((field) => field.element === element && isVisible(field, record.values, 'detail'))
      .map((field) => textsOf(record, field, element))
    // The IRI of the thing, under which everything about it is found.
    if (element === 'identifier')
      ofFields.push([iris.thing(resource.name, textValue(record.values, resource.id.name)).value])
    return onceBetween(ofFields).filter((value) => value !== '')
  }

  function textsOf(
    { values, lookup }: ResolvedRecord,
    field: Field,
    element: DublinCoreElement,
  ): string[] {
    if (field.target)
      return referencesOfField(field, values).map((reference) =>
        // A related record is given by its IRI; agents and repositories by their names.
        element === 'relation'
          ? iris.thing(reference.target, reference.id).value
          : labelOfReference(resources, lookup, reference),
      )
    const convert = conversions.get(field.name) ?? (field.vocabulary ? toLabel : unchanged)
    return textsIn(values[field.name] ?? '').flatMap((text) => convert(text, field))
  }

  return {
    ...dublinCore,
    record: (record) =>
      `${declaration}<oai_dc:dc ${namespaces}>\n${writeElements(record)}</oai_dc:dc>\n`,
    listStart: (listed) =>
      `${declaration}<records xmlns="${iris.ontology}#" ${namespaces} ${pagingAttributes(listed)}>\n`,
    listItem: (record) => `<oai_dc:dc>\n${writeElements(record)}</oai_dc:dc>\n`,
    listEnd: () => '</records>\n',
  }
}

/**
 * All texts in their order. What a field before has is left out; within a field a text is kept as
 * often as it is given.
 */
function onceBetween(ofFields: readonly (readonly string[])[]): string[] {
  const known = new Set<string>()
  return ofFields.flatMap((texts) => {
    const newTexts = texts.filter((text) => !known.has(text))
    for (const text of newTexts) known.add(text)
    return newTexts
  })
}

type Convert = (text: string, field: Field) => string[]

const unchanged: Convert = (text) => [text]

const toLabel: Convert = (code, { vocabulary }) => [vocabulary?.find(code)?.label ?? code]

// Fields whose element is neither the value nor its label (docs/reference/rdf-formats.md, "Dublin
// Core").
const conversions: ReadonlyMap<string, Convert> = new Map<string, Convert>([
  // A bare number would mean nothing among the other descriptions.
  ['issue_designation', (text, field) => [`${field.label}: ${text}`]],
  // Programs need the code of a language and the IRI of a rights statement.
  ['language', unchanged],
  ['rights', (code, field) => [...rightsIris(code, field), ...toLabel(code, field)]],
])

/** The IRI of the concept, and those of the licence at Creative Commons or the like. */
const rightsIris = (code: string, { vocabulary }: Field): string[] =>
  vocabulary ? [vocabulary.concept(code).value, ...matchesOf(vocabulary, code)] : []

function textsIn(value: FieldValue): readonly string[] {
  if (value === null || value === '') return []
  return typeof value === 'object' ? value : [String(value)]
}

const elementLine = (element: DublinCoreElement, value: string): string =>
  `  <dc:${element}>${escapeText(value)}</dc:${element}>\n`

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

const oaiDc = 'http://www.openarchives.org/OAI/2.0/oai_dc/'

const namespaces = [
  `xmlns:oai_dc="${oaiDc}"`,
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
  `xsi:schemaLocation="${oaiDc} http://www.openarchives.org/OAI/2.0/oai_dc.xsd"`,
].join(' ')

/** The paging of a list, as attributes of our own wrapper element: Dublin Core has no lists. */
const pagingAttributes = ({ count, links }: ListInfo): string =>
  Object.entries({ count, next: links?.next, previous: links?.previous })
    .flatMap(([name, value]) =>
      value == null ? [] : [`${name}="${escapeAttribute(String(value))}"`],
    )
    .join(' ')
