// The signs by which the kind of a file is told, and what is said of those that are not read.

import { InvalidError } from '../../../errors.js'
import { modsNamespace } from '../mods.js'
import type { SourceType } from '../source.js'
import { marcNamespace, oaiNamespace } from '../marc/xml-records.js'

/** Whether the start of a text is of a type; the first one that fits is taken. */
export const textSigns: readonly (readonly [SourceType, (text: string) => boolean])[] = [
  ['rdf', isTurtle],
  [
    'oai-pmh',
    (text) =>
      isXml(text) && (text.includes(oaiNamespace) || /<(?:ListRecords|GetRecord)[\s>]/.test(text)),
  ],
  // Some programs write tables as HTML or XML, and call them .xls.
  [
    'spreadsheet',
    (text) => isXml(text) && /urn:schemas-microsoft-com:office:spreadsheet|<table[\s>]/i.test(text),
  ],
  ['marcxml', (text) => isXml(text) && text.includes(marcNamespace)],
  ['mods', (text) => isXml(text) && text.includes(modsNamespace)],
  ['marcxml', (text) => isXml(text) && /<(?:\w+:)?(?:leader|datafield)\b/.test(text)],
  // Our own JSON-LD is our own JSON, with more beside it.
  ['json-lines', (text) => isJson(text) && /"(?:zine_id|holding_id)"\s*:/.test(text)],
  ['rdf', (text) => isJson(text) && /"@(?:context|graph|id)"\s*:/.test(text)],
  ['csl-json', (text) => isCslJson(text)],
  ['json-lines', (text) => isJson(text)],
  ['ris', (text) => /^TY {1,2}- /m.test(text)],
  ['endnote', (text) => /^%[0AT] /.test(text) && /^%[TD] /m.test(text)],
  ['bibtex', (text) => /^[ \t]*@[a-z]+\s*[{(]\s*[^\s,{}()]+\s*[,=}]/im.test(text)],
]

const isXml = (text: string): boolean => text.startsWith('<')

const isJson = (text: string): boolean => /^(?:\{|\[\s*\{)/.test(text)

const isCslJson = (text: string): boolean =>
  /^\[\s*\{/.test(text) && /"type"\s*:/.test(text) && /"(?:title|author|issued)"\s*:/.test(text)

/** A prefix, a base or a first triple, after comments. */
function isTurtle(text: string): boolean {
  const first = text.replace(/^(?:#[^\n]*\n\s*)+/, '')
  return (
    /^(?:@prefix|@base|prefix|base)\s[^<\n]{0,200}<[^<>\s]*>/i.test(first) ||
    /^<[a-z][\w+.-]*:[^<>\s]*>\s+(?:a|<[^<>\s]*>|[\w-]*:[\w-]+)\s/i.test(first)
  )
}

/** A sign, what the file is, and what to do. */
type OtherFile = readonly [sign: (start: string) => boolean, what: string, advice: string]

const beginsWith =
  (sign: string) =>
  (start: string): boolean =>
    start.startsWith(sign)

/** A file in a ZIP archive, by the part of it that others do not have. */
const zipWith =
  (part: string) =>
  (start: string): boolean =>
    start.startsWith('PK\x03\x04') && start.includes(part)

const saveTable = 'Copy its table into a spreadsheet, and import that.'
const typeIt = 'Type what it says into a spreadsheet, and import that.'
const unpack = 'Unpack it, and import the file inside.'

/** By bytes. A ZIP archive without a sign of another kind may be a workbook. */
const otherFiles: readonly OtherFile[] = [
  [beginsWith('%PDF'), 'a PDF file', saveTable],
  [beginsWith('\x89PNG'), 'a picture', typeIt],
  [beginsWith('\xff\xd8\xff'), 'a picture', typeIt],
  [beginsWith('GIF8'), 'a picture', typeIt],
  [(start) => /^RIFF.{4}WEBP/s.test(start), 'a picture', typeIt],
  [(start) => /^.{4}ftyp(?:hei|mif|avif)/s.test(start), 'a picture', typeIt],
  [beginsWith('\x1f\x8b'), 'a compressed file', unpack],
  [beginsWith('Rar!'), 'a compressed file', unpack],
  [beginsWith('7z\xbc\xaf'), 'a compressed file', unpack],
  [beginsWith('{\\rtf'), 'a text document', saveTable],
  [zipWith('word/'), 'a Word document', saveTable],
  [zipWith('mimetypeapplication/vnd.oasis.opendocument.text'), 'a text document', saveTable],
  [zipWith('mimetypeapplication/epub+zip'), 'an e-book', typeIt],
  [zipWith('ppt/'), 'a presentation', saveTable],
  [zipWith('.iwa'), 'a file of Apple’s Numbers, Pages or Keynote', 'Export it as CSV.'],
  [
    (start) => start.startsWith('\xd0\xcf\x11\xe0') && start.includes('W\0o\0r\0d\0D\0o\0c'),
    'a Word document',
    saveTable,
  ],
  [
    beginsWith('SQLite format 3'),
    'a database',
    'Export its tables as CSV with the program that made it.',
  ],
]

/** By the text, after all types that are read. */
const otherTexts: readonly OtherFile[] = [
  [
    (text) => isXml(text) && /<rdf:RDF[\s>]/.test(text),
    'RDF/XML',
    'Get the same records as Turtle or JSON-LD.',
  ],
  [
    (text) => /^<!doctype html|^<html[\s>]/i.test(text),
    'a web page without a table',
    'Look on the page for a way to export records.',
  ],
  [isXml, 'XML of a kind that is not known here', 'Export MARCXML, MODS or CSV.'],
  [
    (text) =>
      /^(?:(?:Received|Return-Path|Delivered-To|MIME-Version|From|Date|Subject|To|Message-ID): .*\r?\n(?:[ \t].*\r?\n)*){3}/i.test(
        text,
      ),
    'a mail',
    'Save what is attached to it, and import that.',
  ],
]

/** @throws InvalidError for a file of another kind */
export const refuseOtherFile = (bytes: string): void => refuse(otherFiles, bytes)

/** @throws InvalidError for a text of another kind */
export const refuseOtherText = (text: string): void => refuse(otherTexts, text)

function refuse(others: readonly OtherFile[], start: string): void {
  const [, what, advice] = others.find(([sign]) => sign(start)) ?? []
  if (what !== undefined)
    throw new InvalidError(`The file is ${what}, which cannot be imported. ${advice}`)
}
