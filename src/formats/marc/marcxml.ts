// Serializes records as MARCXML (MARC 21 slim). The MARC records are built by marc-records.ts; this
// file writes the XML.

import type { ResourceName } from '../../model/iris.js'
import { escapeAttribute, escapeText } from '../../rdf/xml.js'
import type { Format, RecordSerializer } from '../serializer.js'
import { type DataField, type MarcRecord, plain } from './fields.js'
import { type MarcDependencies, serializerWithItems } from './marc-records.js'

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
const namespace = ' xmlns="http://www.loc.gov/MARC21/slim"'

export const marcxml: Format = {
  name: 'marcxml',
  title: 'MARCXML',
  type: 'application/marcxml+xml',
  extension: 'xml',
}

export function marcxmlSerializer(
  dependencies: MarcDependencies,
  resource: ResourceName,
): RecordSerializer {
  return serializerWithItems(dependencies, resource, (createRecord) => ({
    ...marcxml,
    record: (record) => declaration + serializeMarcRecord(createRecord(record), namespace),
    listStart: () => `${declaration}<collection${namespace}>\n`,
    listItem: (record) => serializeMarcRecord(createRecord(record), ''),
    listEnd: () => '</collection>\n',
  }))
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
