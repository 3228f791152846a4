// MARCXML (MARC 21 slim): zines as bibliographic records, agents as authorities, holdings as holdings.
// What goes where is in the crosswalk tables of marc/; here records become XML.

import type { ResourceName } from '../../model/iris.js'
import { escapeAttribute, escapeText } from '../../rdf/xml.js'
import { createAuthorityRecord } from './authority.js'
import { createBibliographicRecord } from './bibliographic.js'
import { type DataField, type MarcRecord, plain } from './fields.js'
import { createHoldingsRecord } from './holdings.js'
import type { Format, RecordSerializer } from '../serializer.js'
import { type AccessorDependencies, type RecordAccessor, accessRecord } from '../record-accessor.js'

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
const namespace = ' xmlns="http://www.loc.gov/MARC21/slim"'

/** The resources that MARC 21 has a kind of record for, and what makes it. */
type MarcRecordTypes = ReadonlyMap<ResourceName, (source: RecordAccessor) => MarcRecord>

export const marcxml: Format = {
  name: 'marcxml',
  title: 'MARCXML',
  type: 'application/marcxml+xml',
  extension: 'xml',
}

export function marcxmlSerializer(shelves: AccessorDependencies): RecordSerializer {
  // MARC's code of the organization, or its name where it has none (040): ours has the host it speaks from.
  const agency = new URL(shelves.iris.base).host
  const kinds: MarcRecordTypes = new Map([
    ['zines', createBibliographicRecord(agency)],
    ['agents', createAuthorityRecord(agency)],
    ['holdings', createHoldingsRecord(agency)],
  ])
  const print: (record: Parameters<RecordSerializer['record']>[0], attributes: string) => string = (
    record,
    attributes,
  ) => {
    const make = kinds.get(record.resource.name)
    if (!make) throw new Error(`MARC has no records of ${record.resource.name}`)
    return serializeMarcRecord(make(accessRecord(shelves, record)), attributes)
  }
  return {
    ...marcxml,
    record: (record) => declaration + print(record, namespace),
    listStart: () => `${declaration}<collection${namespace}>\n`,
    listItem: (record) => print(record, ''),
    listEnd: () => '</collection>\n',
  }
}

const serializeMarcRecord = ({ leader, control, data }: MarcRecord, attributes: string): string =>
  [
    `<record${attributes}>`,
    `  <leader>${leader}</leader>`,
    ...control.map(
      ([tag, text]) => `  <controlfield tag="${tag}">${escapeText(text)}</controlfield>`,
    ),
    ...data.map(serializeMarcField),
    '</record>\n',
  ].join('\n')

function serializeMarcField({ tag, indicators, subfields }: DataField): string {
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
