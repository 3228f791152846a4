// MARCXML (MARC 21 slim): zines as bibliographic records, agents as authorities, holdings as holdings.
// What goes where is in the crosswalk tables of marc/; here records become XML.

import type { ResourceName } from '../../model/iris.js'
import { authorityBy } from './authority.js'
import { bibliographicBy } from './bibliographic.js'
import { type DataField, type MarcRecord, plain } from './fields.js'
import { holdingsBy } from './holdings.js'
import type { Press } from '../serializer.js'
import { type Shelves, type Source, sourceOf } from '../record-accessor.js'
import { escapeAttribute, escapeText } from '../xml.js'

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
const namespace = ' xmlns="http://www.loc.gov/MARC21/slim"'

/** The resources that MARC 21 has a kind of record for, and what makes it. */
type Kinds = ReadonlyMap<ResourceName, (source: Source) => MarcRecord>

export function marcxmlPress(shelves: Shelves): Press {
  // MARC's code of the organization, or its name where it has none (040): ours has the host it speaks from.
  const agency = new URL(shelves.addresses.base).host
  const kinds: Kinds = new Map([
    ['zines', bibliographicBy(agency)],
    ['agents', authorityBy(agency)],
    ['holdings', holdingsBy(agency)],
  ])
  const print: (sheet: Parameters<Press['record']>[0], attributes: string) => string = (
    sheet,
    attributes,
  ) => {
    const make = kinds.get(sheet.resource.name)
    if (!make) throw new Error(`MARC has no records of ${sheet.resource.name}`)
    return printRecord(make(sourceOf(shelves, sheet)), attributes)
  }
  return {
    name: 'marcxml',
    type: 'application/marcxml+xml',
    extension: 'xml',
    record: (sheet) => declaration + print(sheet, namespace),
    open: () => `${declaration}<collection${namespace}>\n`,
    item: (sheet) => print(sheet, ''),
    close: () => '</collection>\n',
  }
}

const printRecord = ({ leader, control, data }: MarcRecord, attributes: string): string =>
  [
    `<record${attributes}>`,
    `  <leader>${leader}</leader>`,
    ...control.map(
      ([tag, text]) => `  <controlfield tag="${tag}">${escapeText(text)}</controlfield>`,
    ),
    ...data.map(printField),
    '</record>\n',
  ].join('\n')

function printField({ tag, indicators, subfields }: DataField): string {
  const [ind1, ind2] = indicators.replaceAll('_', ' ')
  return [
    `  <datafield tag="${tag}" ind1="${ind1 ?? ' '}" ind2="${ind2 ?? ' '}">`,
    ...subfields.map(
      ([code, text]) =>
        `    <subfield code="${escapeAttribute(code)}">${escapeText(plain(text))}</subfield>`,
    ),
    '  </datafield>',
  ].join('\n')
}
