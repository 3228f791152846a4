// Reads records in XML, whatever is around them: MARCXML and MODS, and the answers of OAI-PMH with
// one of them or Dublin Core inside. It goes by namespaces, not by prefixes, and reads no external
// entities.

import { SaxesParser, type SaxesTagNS } from '@rubensworks/saxes'

import { InvalidError } from '../../../errors.js'
import { sourceLimits } from '../limits.js'
import { buildControlField, buildDataField, buildRecord } from './marc-records.js'
import { ModsCollector, modsNamespace } from '../mods.js'
import {
  type SourceField,
  type SourcePart,
  type SourceRemark,
  type SourceRow,
  textField,
} from '../source.js'

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
  readonly mods: ModsCollector
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
  /** How many characters the parser took since it last told something. */
  let silent = 0
  /** How much of the record was read, in characters. */
  let recordLength = 0

  function begin(): void {
    record = { fields: [], remarks: [], isDeleted: false, mods: new ModsCollector() }
    recordDepth = path.length
    recordLength = 0
  }

  function onOpen(tag: SaxesTagNS): void {
    path.push(tag)
    // The parser looks for the prefix of each element in all elements around it.
    if (path.length > sourceLimits.xmlDepth)
      throw new InvalidError(
        `The XML has more than ${sourceLimits.xmlDepth} elements in one another.`,
      )
    text = ''
    silent = 0
    // The record of OAI-PMH has that of MARC inside.
    if (!record && isRecord(tag)) begin()
    if (record && tag.uri === modsNamespace) record.mods.open()
    if (tag.local === 'datafield') parts = []
    if (record && isOai(tag) && tag.local === 'header')
      record.isDeleted = attribute(tag, 'status') === 'deleted'
  }

  function onClose(tag: SaxesTagNS): void {
    silent = 0
    recordLength += elementLength + text.length
    if (!record) onAnswerElement(tag)
    else if (recordLength <= sourceLimits.rowCharacters) onRecordElement(record, tag)
    else
      fault ??= `the record has more than ${sourceLimits.rowCharacters.toLocaleString('en')} characters`
    if (record && path.length === recordDepth) {
      done.push(complete(record, fault))
      fault = undefined
      record = undefined
    }
    path.pop()
    text = ''
  }

  function onRecordElement({ fields, mods }: MutableRecord, tag: SaxesTagNS): void {
    const content = text.trim()
    const parent = path.at(-2)
    if (isOai(tag) && parent?.local === 'header') {
      if (content !== '') fields.push(textField(`oai:${tag.local}`, content))
    } else if (dublinCore.has(tag.uri)) {
      const name = `${dublinCore.get(tag.uri)}:${tag.local}`
      if (content !== '') fields.push(textField(name, content))
    } else if (tag.uri === modsNamespace)
      fields.push(...mods.close(tag.local, attributesOf(tag), text))
    else if (tag.uri === marcNamespace || tag.uri === '') onMarcElement(fields, tag, content)
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
    if (!isOai(tag)) return
    if (tag.local === 'responseDate') answer.responseDate = text.trim()
    if (tag.local === 'error') answer.error = { code: attribute(tag, 'code'), message: text.trim() }
    if (tag.local === 'resumptionToken' && text.trim() !== '') answer.resumptionToken = text.trim()
    if (identityNames.includes(tag.local)) identity.set(tag.local, text.trim())
  }

  parser.on('opentag', onOpen)
  parser.on('closetag', onClose)
  const onText = (piece: string): void => {
    silent = 0
    text += piece
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  // The parser goes on after a fault.
  parser.on('error', ({ message }) => {
    if (record && harmlessFault.test(message)) remark(record, message)
    else fault ??= message
  })

  const take = (): readonly XmlRecord[] => done.splice(0)
  return {
    read(piece) {
      silent += piece.length
      parser.write(piece)
      // What the parser waits for the end of, such as a tag, it keeps.
      if (silent > sourceLimits.rowCharacters || text.length > sourceLimits.rowCharacters)
        throw new InvalidError(
          `The XML has a text or a tag of more than ${sourceLimits.rowCharacters.toLocaleString('en')} characters.`,
        )
      return take()
    },
    end() {
      parser.close()
      if (record) done.push(complete(record, fault ?? 'the file ends inside of it'))
      else if (fault !== undefined) done.push(complete({ fields: [], remarks: [] }, fault))
      record = undefined
      return take()
    },
    answer: () => ({ ...answer, identity }),
  }
}

/** Some programs write the answers of OAI-PMH without their namespace. */
const isOai = ({ uri }: SaxesTagNS): boolean => uri === oaiNamespace || uri === ''

/** What an element counts for beside its text. */
const elementLength = 10

/**
 * The parser tells its faults apart by their messages only. These leave the text as it is in the
 * file.
 */
const harmlessFault = /disallowed character\.$|undefined entity/

/** Of one record. */
const maxRemarks = 20

function remark({ remarks }: MutableRecord, fault: string): void {
  const message = `The XML is broken: ${fault}`
  if (remarks.length < maxRemarks && remarks.every((one) => one.message !== message))
    remarks.push({ kind: 'damaged', field: '', message })
}

/** The outermost element of a record, whatever is around it. */
const isRecord = ({ uri, local }: SaxesTagNS): boolean =>
  local === 'record' ||
  (uri === modsNamespace && local === 'mods') ||
  (uri === `${oaiNamespace}oai_dc/` && local === 'dc')

const attributesOf = ({ attributes }: SaxesTagNS): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.values(attributes).map(({ local, value }) => [local, value]))

function attribute(tag: SaxesTagNS, name: string): string {
  return Object.hasOwn(tag.attributes, name) ? (tag.attributes[name]?.value ?? '') : ''
}

function complete(
  {
    fields,
    remarks,
    isDeleted,
  }: Pick<MutableRecord, 'fields' | 'remarks'> & { isDeleted?: boolean },
  fault: string | undefined,
): XmlRecord {
  const record = buildRecord(fields, isDeleted)
  const problem = fault === undefined ? record.problem : `The XML is broken: ${fault}`
  return {
    fields: record.fields,
    remarks: [...remarks, ...record.remarks],
    ...(problem === undefined ? {} : { problem }),
  }
}
