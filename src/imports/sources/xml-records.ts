// Reads records in XML, whatever is around them: MARCXML, and the answers of OAI-PMH with MARCXML or Dublin
// Core inside. It goes by namespaces, not by prefixes, and reads no external entities.

import { SaxesParser, type SaxesTagNS } from '@rubensworks/saxes'

import { buildControlField, buildDataField } from './marc-records.js'
import type { SourceField, SourcePart, SourceRemark, SourceRow } from './source.js'

export const marcNamespace = 'http://www.loc.gov/MARC21/slim'
export const oaiNamespace = 'http://www.openarchives.org/OAI/2.0/'

/** The prefixes of names of fields. */
const dublinCore: ReadonlyMap<string, string> = new Map([
  ['http://purl.org/dc/elements/1.1/', 'dc'],
  ['http://purl.org/dc/terms/', 'dcterms'],
])

/** A row without its number. */
export type XmlRecord = Omit<SourceRow, 'number'>

/** What an answer of OAI-PMH, or of SRU, has beside its records. */
export type OaiAnswer = {
  /** Of SRU: how many records were found, and why the search failed. */
  readonly numberOfRecords?: string
  readonly diagnostic?: string
  readonly responseDate?: string
  readonly error?: { readonly code: string; readonly message: string }
  readonly resumptionToken?: string
  /** What Identify says, by the name of the element. */
  readonly identity: ReadonlyMap<string, string>
}

export type XmlRecordReader = {
  /** The records that are complete with this piece of the text. */
  read(piece: string): readonly XmlRecord[]
  /** The records that are left; one that does not end has a problem. */
  end(): readonly XmlRecord[]
  /** Complete after the end. */
  answer(): OaiAnswer
}

type MutableRecord = {
  fields: SourceField[]
  remarks: SourceRemark[]
  problem?: string
  isDeleted: boolean
}

/** Elements of Identify that are of use. */
const identityNames = ['repositoryName', 'granularity', 'protocolVersion', 'earliestDatestamp']

export function createXmlRecordReader(): XmlRecordReader {
  const parser = new SaxesParser({ xmlns: true })
  const done: XmlRecord[] = []
  const path: SaxesTagNS[] = []
  const identity = new Map<string, string>()
  const answer: {
    numberOfRecords?: string
    diagnostic?: string
    responseDate?: string
    error?: { code: string; message: string }
    resumptionToken?: string
  } = {}
  let record: MutableRecord | undefined
  /** How deep the record's element is. */
  let recordDepth = 0
  let parts: SourcePart[] = []
  let text = ''
  let fault: string | undefined

  function begin(): void {
    record = { fields: [], remarks: [], isDeleted: false }
    recordDepth = path.length
  }

  function onOpen(tag: SaxesTagNS): void {
    path.push(tag)
    text = ''
    // The record of OAI-PMH has that of MARC inside.
    if (!record && tag.local === 'record') begin()
    if (tag.local === 'datafield') parts = []
    if (record && tag.uri === oaiNamespace && tag.local === 'header')
      record.isDeleted = attribute(tag, 'status') === 'deleted'
  }

  function onClose(tag: SaxesTagNS): void {
    if (record) onRecordElement(record, tag)
    else onAnswerElement(tag)
    if (record && path.length === recordDepth) {
      done.push(complete(record, fault))
      fault = undefined
      record = undefined
    }
    path.pop()
    text = ''
  }

  function onRecordElement({ fields }: MutableRecord, tag: SaxesTagNS): void {
    const content = text.trim()
    const parent = path.at(-2)
    if (tag.uri === oaiNamespace) {
      if (parent?.local === 'header' && content !== '')
        fields.push(buildControlField(`oai:${tag.local}`, content))
    } else if (dublinCore.has(tag.uri)) {
      const name = `${dublinCore.get(tag.uri)}:${tag.local}`
      if (content !== '') fields.push({ name, parts: [{ code: '', text: content }] })
    } else if (tag.uri === marcNamespace || tag.uri === '') onMarcElement(fields, tag, content)
  }

  function onMarcElement(fields: SourceField[], tag: SaxesTagNS, content: string): void {
    if (tag.local === 'leader') fields.push(buildControlField('LDR', text))
    else if (tag.local === 'controlfield')
      // Positions count, so white space stays.
      fields.push(buildControlField(attribute(tag, 'tag'), text))
    else if (tag.local === 'subfield') {
      if (content !== '') parts.push({ code: attribute(tag, 'code'), text: content })
    } else if (tag.local === 'datafield' && parts.length > 0) {
      const indicators = ['ind1', 'ind2'].map((name) => attribute(tag, name).padEnd(1)[0] ?? ' ')
      fields.push(buildDataField(attribute(tag, 'tag'), indicators.join(''), parts))
    }
  }

  function onAnswerElement(tag: SaxesTagNS): void {
    // The namespaces of SRU are those of its versions.
    if (tag.local === 'numberOfRecords') answer.numberOfRecords = text.trim()
    if (tag.local === 'message' && path.at(-2)?.local === 'diagnostic')
      answer.diagnostic = text.trim()
    if (tag.uri !== oaiNamespace) return
    if (tag.local === 'responseDate') answer.responseDate = text.trim()
    if (tag.local === 'error') answer.error = { code: attribute(tag, 'code'), message: text.trim() }
    if (tag.local === 'resumptionToken' && text.trim() !== '') answer.resumptionToken = text.trim()
    if (identityNames.includes(tag.local)) identity.set(tag.local, text.trim())
  }

  parser.on('opentag', onOpen)
  parser.on('closetag', onClose)
  parser.on('text', (piece) => (text += piece))
  parser.on('cdata', (piece) => (text += piece))
  // The parser goes on after a fault.
  parser.on('error', ({ message }) => {
    if (record && harmlessFault.test(message)) remark(record, message)
    else fault ??= message
  })

  const take = (): readonly XmlRecord[] => done.splice(0)
  return {
    read(piece) {
      parser.write(piece)
      return take()
    },
    end() {
      parser.close()
      if (record) done.push(complete(record, fault ?? 'the file ends inside of it'))
      else if (fault !== undefined)
        done.push(complete({ fields: [], remarks: [], isDeleted: false }, fault))
      record = undefined
      return take()
    },
    answer: () => ({ ...answer, identity }),
  }
}

/** The parser tells its faults apart by their messages only. These leave the text as it is in the file. */
const harmlessFault = /disallowed character\.$|undefined entity/

function remark({ remarks }: MutableRecord, fault: string): void {
  const message = `The XML is broken: ${fault}`
  if (remarks.every((one) => one.message !== message))
    remarks.push({ kind: 'damaged', field: '', message })
}

function attribute(tag: SaxesTagNS, name: string): string {
  return Object.hasOwn(tag.attributes, name) ? (tag.attributes[name]?.value ?? '') : ''
}

function complete(
  { fields, remarks, isDeleted }: MutableRecord,
  fault: string | undefined,
): XmlRecord {
  const deleted: readonly SourceRemark[] = isDeleted
    ? [{ kind: 'deleted', field: '', message: 'The other catalogue deleted the record.' }]
    : []
  return {
    fields,
    remarks: [...remarks, ...deleted],
    ...(fault === undefined ? {} : { problem: `The XML is broken: ${fault}` }),
  }
}
