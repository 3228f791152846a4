// Serializes records as MARCXML (MARC 21 slim): zines as bibliographic, agents as authority,
// holdings as holdings records. The other files of this folder build the MARC records; this one
// writes the XML.

import type { ResourceName } from '../../model/iris.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import { escapeAttribute, escapeText } from '../../rdf/xml.js'
import { createAuthorityRecord } from './authority.js'
import { createBibliographicRecord } from './bibliographic.js'
import { type DataField, type MarcRecord, plain } from './fields.js'
import { createHoldingsRecord } from './holdings.js'
import type { Format, RecordSerializer } from '../serializer.js'
import { type AccessorDependencies, type RecordAccessor, accessRecord } from '../record-accessor.js'

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
const namespace = ' xmlns="http://www.loc.gov/MARC21/slim"'

type MarcDependencies = AccessorDependencies & {
  /** The MARC code of the organization that runs the catalogue; empty or missing where it has none. */
  readonly marcOrgCode?: string
}

/** The resources that MARC 21 has a kind of record for, with the functions that build it. */
type MarcRecordTypes = ReadonlyMap<ResourceName, (source: RecordAccessor) => MarcRecord>

export const marcxml: Format = {
  name: 'marcxml',
  title: 'MARCXML',
  type: 'application/marcxml+xml',
  extension: 'xml',
}

export function marcxmlSerializer(dependencies: MarcDependencies): RecordSerializer {
  // Fields 003 and 040 name the agency by its MARC code or, without one, by the host of the service.
  const { marcOrgCode = '', iris } = dependencies
  const agency = marcOrgCode === '' ? new URL(iris.base).host : marcOrgCode
  const countries = dependencies.resources.repositories.byName.get('country')?.vocabulary
  const codesByName = new Map(
    countries?.entries.map(({ code, label }) => [label.toLowerCase(), code]),
  )
  const findCountry = (name: string): string | undefined => codesByName.get(name.toLowerCase())
  const recordTypes: MarcRecordTypes = new Map([
    ['zines', createBibliographicRecord(agency, findCountry)],
    ['agents', createAuthorityRecord(agency)],
    ['holdings', createHoldingsRecord(agency)],
  ])
  const serialize = (record: ResolvedRecord, attributes: string): string => {
    const createRecord = recordTypes.get(record.resource.name)
    if (!createRecord) throw new Error(`MARC has no records of ${record.resource.name}`)
    return serializeMarcRecord(createRecord(accessRecord(dependencies, record)), attributes)
  }
  return {
    ...marcxml,
    record: (record) => declaration + serialize(record, namespace),
    listStart: () => `${declaration}<collection${namespace}>\n`,
    listItem: (record) => serialize(record, ''),
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
