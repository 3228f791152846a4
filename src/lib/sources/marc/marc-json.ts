// Reads records of MARC-in-JSON: a leader, and an object for each field, whose only key is its tag
// (https://rossfsinger.com/blog/2010/09/a-proposal-to-serialize-marc-in-json/).

import {
  type ReadMarcRecord,
  buildControlField,
  buildDataField,
  buildRecord,
} from './marc-records.js'
import type { SourceField, SourcePart } from '../source.js'

type MarcJson = { readonly leader: string; readonly fields: readonly object[] }

type DataField = {
  readonly ind1?: unknown
  readonly ind2?: unknown
  readonly subfields: readonly object[]
}

export const isMarcJson = (value: object): value is MarcJson =>
  'leader' in value &&
  typeof value.leader === 'string' &&
  'fields' in value &&
  Array.isArray(value.fields)

export const readMarcJson = ({ leader, fields }: MarcJson): ReadMarcRecord =>
  buildRecord([
    buildControlField('LDR', leader),
    ...fields.flatMap((field) =>
      Object.entries(field).flatMap(([tag, value]: [string, unknown]) => toField(tag, value)),
    ),
  ])

function toField(tag: string, value: unknown): readonly SourceField[] {
  if (typeof value === 'string') return [buildControlField(tag, value)]
  if (!isDataField(value)) return []
  const parts = value.subfields.flatMap(partsOf)
  const indicators = [value.ind1, value.ind2].map(indicatorOf).join('')
  return parts.length === 0 ? [] : [buildDataField(tag, indicators, parts)]
}

const isDataField = (value: unknown): value is DataField =>
  typeof value === 'object' &&
  value !== null &&
  'subfields' in value &&
  Array.isArray(value.subfields)

const indicatorOf = (value: unknown): string =>
  typeof value === 'string' && value.length === 1 ? value : ' '

const partsOf = (subfield: object): readonly SourcePart[] =>
  Object.entries(subfield).flatMap(([code, text]: [string, unknown]) =>
    typeof text === 'string' && text.trim() !== '' ? [{ code, text: text.trim() }] : [],
  )
