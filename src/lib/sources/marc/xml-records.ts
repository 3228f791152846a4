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

type MutableRecord = {
  fields: SourceField[]
  remarks: SourceRemark[]
  problem?: string
  isDeleted: boolean
  readonly mods: ModsCollector
}

/** Elements of Identify that are of use. */
const identityNames = ['repositoryName', 'granularity', 'protocolVersion', 'earliestDatestamp']

export class XmlRecordReader {
  readonly #parser = new SaxesParser({ xmlns: true })
  readonly #done: XmlRecord[] = []
  readonly #path: SaxesTagNS[] = []
  readonly #identity = new Map<string, string>()
  readonly #answer: {
    numberOfRecords?: string
    diagnostic?: string
    responseDate?: string
    error?: { code: string; message: string }
    resumptionToken?: string
  } = {}
  #record: MutableRecord | undefined
  /** How deep the record's element is. */
  #recordDepth = 0
  #parts: SourcePart[] = []
  #text = ''
  #fault: string | undefined
  /** How many characters the parser took since it last told something. */
  #silent = 0
  /** How much of the record was read, in characters. */
  #recordLength = 0

  constructor() {
    this.#parser.on('opentag', (tag) => this.#onOpen(tag))

    this.#parser.on('closetag', (tag) => this.#onClose(tag))

    this.#parser.on('text', (piece) => this.#onText(piece))

    this.#parser.on('cdata', (piece) => this.#onText(piece))

    // The parser goes on after a fault.
    this.#parser.on('error', ({ message }) => {
      if (this.#record && harmlessFault.test(message)) remark(this.#record, message)
      else this.#fault ??= message
    })
  }

  /** The records that are complete with this piece of the text. */
  read(piece: string): readonly XmlRecord[] {
    this.#silent += piece.length
    this.#parser.write(piece)
    // What the parser waits for the end of, such as a tag, it keeps.
    if (this.#silent > sourceLimits.rowCharacters || this.#text.length > sourceLimits.rowCharacters)
      throw new InvalidError(
        `The XML has a text or a tag of more than ${sourceLimits.rowCharacters.toLocaleString('en')} characters.`,
      )
    return this.#take()
  }

  /** The records that are left; one that does not end has a problem. */
  end(): readonly XmlRecord[] {
    this.#parser.close()
    if (this.#record)
      this.#done.push(complete(this.#record, this.#fault ?? 'the file ends inside of it'))
    else if (this.#fault !== undefined)
      this.#done.push(complete({ fields: [], remarks: [] }, this.#fault))
    this.#record = undefined
    return this.#take()
  }

  /** Complete after the end. */
  answer(): OaiAnswer {
    return { ...this.#answer, identity: this.#identity }
  }

  #begin(): void {
    this.#record = { fields: [], remarks: [], isDeleted: false, mods: new ModsCollector() }
    this.#recordDepth = this.#path.length
    this.#recordLength = 0
  }

  #onOpen(tag: SaxesTagNS): void {
    this.#path.push(tag)
    // The parser looks for the prefix of each element in all elements around it.
    if (this.#path.length > sourceLimits.xmlDepth)
      throw new InvalidError(
        `The XML has more than ${sourceLimits.xmlDepth} elements in one another.`,
      )
    this.#text = ''
    this.#silent = 0
    // The record of OAI-PMH has that of MARC inside.
    if (!this.#record && isRecord(tag)) this.#begin()
    if (this.#record && tag.uri === modsNamespace) this.#record.mods.open()
    if (tag.local === 'datafield') this.#parts = []
    if (this.#record && isOai(tag) && tag.local === 'header')
      this.#record.isDeleted = attribute(tag, 'status') === 'deleted'
  }

  #onClose(tag: SaxesTagNS): void {
    this.#silent = 0
    this.#recordLength += elementLength + this.#text.length
    if (!this.#record) this.#onAnswerElement(tag)
    else if (this.#recordLength <= sourceLimits.rowCharacters)
      this.#onRecordElement(this.#record, tag)
    else
      this.#fault ??= `the record has more than ${sourceLimits.rowCharacters.toLocaleString('en')} characters`
    if (this.#record && this.#path.length === this.#recordDepth) {
      this.#done.push(complete(this.#record, this.#fault))
      this.#fault = undefined
      this.#record = undefined
    }
    this.#path.pop()
    this.#text = ''
  }

  #onRecordElement({ fields, mods }: MutableRecord, tag: SaxesTagNS): void {
    const content = this.#text.trim()
    const parent = this.#path.at(-2)
    if (isOai(tag) && parent?.local === 'header') {
      if (content !== '') fields.push(textField(`oai:${tag.local}`, content))
    } else if (dublinCore.has(tag.uri)) {
      const name = `${dublinCore.get(tag.uri)}:${tag.local}`
      if (content !== '') fields.push(textField(name, content))
    } else if (tag.uri === modsNamespace)
      fields.push(...mods.close(tag.local, attributesOf(tag), this.#text))
    else if (tag.uri === marcNamespace || tag.uri === '') this.#onMarcElement(fields, tag, content)
  }

  #onMarcElement(fields: SourceField[], tag: SaxesTagNS, content: string): void {
    if (tag.local === 'leader') fields.push(buildControlField('LDR', this.#text))
    else if (tag.local === 'controlfield')
      // Positions count, so white space stays.
      fields.push(buildControlField(attribute(tag, 'tag'), this.#text))
    else if (tag.local === 'subfield') {
      if (content !== '') this.#parts.push({ code: attribute(tag, 'code'), text: content })
    } else if (tag.local === 'datafield' && this.#parts.length > 0) {
      const indicators = ['ind1', 'ind2'].map((name) => attribute(tag, name).padEnd(1)[0] ?? ' ')
      fields.push(buildDataField(attribute(tag, 'tag'), indicators.join(''), this.#parts))
    }
  }

  #onAnswerElement(tag: SaxesTagNS): void {
    // The namespaces of SRU are those of its versions.
    if (tag.local === 'numberOfRecords') this.#answer.numberOfRecords = this.#text.trim()
    if (tag.local === 'message' && this.#path.at(-2)?.local === 'diagnostic')
      this.#answer.diagnostic = this.#text.trim()
    if (!isOai(tag)) return
    if (tag.local === 'responseDate') this.#answer.responseDate = this.#text.trim()
    if (tag.local === 'error')
      this.#answer.error = { code: attribute(tag, 'code'), message: this.#text.trim() }
    if (tag.local === 'resumptionToken' && this.#text.trim() !== '')
      this.#answer.resumptionToken = this.#text.trim()
    if (identityNames.includes(tag.local)) this.#identity.set(tag.local, this.#text.trim())
  }

  #onText(piece: string): void {
    this.#silent = 0
    this.#text += piece
  }

  #take(): readonly XmlRecord[] {
    return this.#done.splice(0)
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
  if (remarks.length < maxRemarks && remarks.every((known) => known.message !== message))
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
