// Dublin Core in XML, as OAI-PMH has it. Which element a field is comes from the ontology: the one of
// the fifteen that its property is or refines. Only what the value becomes is said here, where it is
// not the value itself.

import type { Addresses } from '../model/iris.js'
import type { Value } from '../model/record/values.js'
import { type Element, elements } from '../model/dublin-core-elements.js'
import type { Field, Resources } from '../model/resources.js'
import { type Sheet, isOpen, referencesIn } from '../model/record/views.js'
import type { Listed, Press } from './serializer.js'
import { titleOf } from './titles.js'
import { escapeAttribute, escapeText } from './xml.js'

export function dublinCorePress(resources: Resources, addresses: Addresses): Press {
  const write = (sheet: Sheet): string =>
    elements
      .flatMap((element) => valuesOf(sheet, element).map((value) => line(element, value)))
      .join('')

  function valuesOf(sheet: Sheet, element: Element): string[] {
    const fields = sheet.resource.fields.filter((field) => field.element === element)
    const values = fields.flatMap((field) =>
      isOpen(field, sheet.card, 'detail') ? textsOf(sheet, field, element) : [],
    )
    return [...new Set(values)].filter((value) => value !== '')
  }

  function textsOf({ card, cards }: Sheet, field: Field, element: Element): string[] {
    if (field.target)
      return referencesIn(field, card).map((reference) =>
        // What a record is related to is told by its address, who made or keeps it by their name.
        element === 'relation'
          ? addresses.thing(reference.target, reference.id).value
          : titleOf(resources, cards, reference) || reference.id,
      )
    const say = sayings.get(field.name) ?? (field.vocabulary ? label : same)
    return textsIn(card[field.name] ?? '').flatMap((text) => say(text, field))
  }

  return {
    name: 'dc',
    type: 'application/xml',
    extension: 'xml',
    record: (sheet) => `${declaration}<oai_dc:dc ${namespaces}>\n${write(sheet)}</oai_dc:dc>\n`,
    open: (listed) =>
      `${declaration}<records xmlns="${addresses.ontology}#" ${namespaces} ${standing(listed)}>\n`,
    item: (sheet) => `<oai_dc:dc>\n${write(sheet)}</oai_dc:dc>\n`,
    close: () => '</records>\n',
  }
}

type Say = (text: string, field: Field) => string[]

const same: Say = (text) => [text]

const label: Say = (code, { vocabulary }) => [vocabulary?.find(code)?.label ?? code]

// Where the element is not the value or its label (mapping: 4).
const sayings: ReadonlyMap<string, Say> = new Map<string, Say>([
  // Among the descriptions, a number alone would say nothing.
  ['issue_designation', (text, field) => [`${field.label}: ${text}`]],
  // A language is known to machines by its code, rights by their address.
  ['language', same],
  ['rights', (code, field) => [field.vocabulary?.concept(code).value ?? '', ...label(code, field)]],
])

function textsIn(value: Value): readonly string[] {
  if (value === null || value === '') return []
  return typeof value === 'object' ? value : [String(value)]
}

const line = (element: Element, value: string): string =>
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
const standing = ({ count, links }: Listed): string =>
  Object.entries({ count, next: links?.next, previous: links?.previous })
    .flatMap(([name, value]) =>
      value == null ? [] : [`${name}="${escapeAttribute(String(value))}"`],
    )
    .join(' ')
