// Writes the results of SELECT and ASK in JSON, XML, CSV or TSV, as the W3C recommendations define
// them. Results of a replica are written by Oxigraph; this is for those of the remote store.

import { escapeAttribute, escapeText } from '../../rdf/xml.js'
import type { ResultTable, ResultTerm } from '../../store/remote/sparql-json-results.js'
import type { TableFormat } from './result-formats.js'

/** The result of a SELECT, or of an ASK. */
export type Results = ResultTable | boolean

export const writeResults = (results: Results, format: TableFormat['name']): string =>
  writers[format](results)

const writers: Readonly<Record<TableFormat['name'], (results: Results) => string>> = {
  json: (results) =>
    JSON.stringify(
      typeof results === 'boolean'
        ? { head: {}, boolean: results }
        : { head: { vars: results.names }, results: { bindings: results.rows } },
    ),
  xml: (results) => {
    const { names, rows } = typeof results === 'boolean' ? { names: [], rows: [] } : results
    const head = names.map((name) => `<variable name="${name}"/>`).join('')
    const body =
      typeof results === 'boolean'
        ? `<boolean>${results}</boolean>`
        : `<results>${rows.map((row) => `<result>${Object.entries(row).map(xmlBinding).join('')}</result>`).join('')}</results>`
    return `<?xml version="1.0"?><sparql xmlns="http://www.w3.org/2005/sparql-results#"><head>${head}</head>${body}</sparql>`
  },
  csv: (results) =>
    typeof results === 'boolean'
      ? String(results)
      : writeLines(results, { separator: ',', end: '\r\n', name: String, term: csvTerm }),
  tsv: (results) =>
    typeof results === 'boolean'
      ? String(results)
      : writeLines(results, {
          separator: '\t',
          end: '\n',
          name: (name) => `?${name}`,
          term: tsvTerm,
        }),
}

type LineFormat = {
  readonly separator: string
  readonly end: string
  readonly name: (name: string) => string
  readonly term: (term: ResultTerm) => string
}

function writeLines(
  { names, rows }: ResultTable,
  { separator, end, name, term }: LineFormat,
): string {
  const cells = rows.map((row) =>
    names.map((column) => {
      const value = row[column]
      return value ? term(value) : ''
    }),
  )
  return [names.map(name), ...cells].map((line) => line.join(separator) + end).join('')
}

function xmlBinding([name, term]: readonly [string, ResultTerm]): string {
  const language = term['xml:lang']
  const attribute = language
    ? ` xml:lang="${escapeAttribute(language)}"`
    : term.datatype
      ? ` datatype="${escapeAttribute(term.datatype)}"`
      : ''
  return `<binding name="${name}"><${term.type}${attribute}>${escapeText(term.value)}</${term.type}></binding>`
}

const csvTerm = ({ type, value }: ResultTerm): string => {
  const text = type === 'bnode' ? `_:${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function tsvTerm({ type, value, datatype, 'xml:lang': language }: ResultTerm): string {
  if (type === 'uri') return `<${value}>`
  if (type === 'bnode') return `_:${value}`
  const quoted = `"${value.replace(/[\\"\n\r\t]/g, (character) => escapes[character] ?? '')}"`
  if (language) return `${quoted}@${language}`
  return datatype ? `${quoted}^^<${datatype}>` : quoted
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '"': '\\"',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}
