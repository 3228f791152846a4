// The graph through which readers see whole records, even where the remote store has no
// transactions. Its form is described in docs/remote-store.md, "Commits". commit-protocol.ts sends
// the updates.

import { type Sparql, lines, sparql } from '../../rdf/sparql-template.js'
import {
  type NamedNode,
  decodeSegment,
  encodeSegment,
  iri,
  quad,
  stringLiteral,
  writeNQuads,
} from '../../rdf/terms.js'
import { StoreUnavailableError } from '../errors.js'
import type { SelectRow } from '../store.js'

export type RecordLog = ReturnType<typeof createRecordLog>

/**
 * The last commit, the identifier of the catalogue, and the hash of the vocabularies that are
 * loaded.
 */
export type RecordLogState = Readonly<Record<StateName, string | undefined>>

type StateName = (typeof stateNames)[number]

const stateNames = ['commit', 'catalogue', 'vocabularies'] as const

/** A commit was being made while the entries were read. Reading again succeeds. */
export class TornReadError extends Error {}

/**
 * An entry is one literal: the quads of a record, and the number of the commit that wrote it. A
 * commit adds its entries. One triple then names it as the last commit, which makes all of them
 * visible at once. Only then the old entries are removed. A reader takes the newest entry of each
 * record up to the last commit.
 */
export function createRecordLog(graph: NamedNode) {
  const property = iri(`${graph.value}#entry`)
  const entryIri = (key: string): NamedNode => iri(`${graph.value}/${encodeSegment(key)}`)
  const stateIri = (name: StateName): NamedNode => iri(`${graph.value}#${name}`)
  const toLine = (subject: NamedNode, value: string): string =>
    writeNQuads([quad(subject, property, stringLiteral(value), graph)])

  /** The values of these subjects, as `?s ?o`. */
  const selectValues = (subjects: readonly NamedNode[]): Sparql =>
    lines(
      sparql`SELECT ?s ?o WHERE {`,
      sparql`  VALUES ?s { ${subjects} }`,
      sparql`  GRAPH ${graph} { ?s ${property} ?o }`,
      sparql`}`,
    )

  return {
    graph,
    /** The entry of a record as a line of N-Quads. The entry of a deleted record has no quads. */
    entry: (key: string, number: number, nquads: string | undefined): string =>
      toLine(entryIri(key), `${number}\n${nquads ?? ''}`),
    state: (name: StateName, value: string): string => toLine(stateIri(name), value),

    stateQuery: selectValues(stateNames.map(stateIri)),
    parseState(rows: readonly SelectRow[]): RecordLogState {
      const values = valuesBySubject(rows)
      const [catalogue] = values.get(stateIri('catalogue').value) ?? []
      const [vocabularies] = values.get(stateIri('vocabularies').value) ?? []
      return { commit: lastOf(values.get(stateIri('commit').value)), catalogue, vocabularies }
    },

    recordsQuery: (keys: readonly string[]): Sparql =>
      selectValues([stateIri('commit'), ...keys.map(entryIri)]),
    /**
     * The N-Quads of the records that exist, by their keys.
     * @throws TornReadError, StoreUnavailableError
     */
    parseRecords(rows: readonly SelectRow[], keys: readonly string[]): Map<string, string> {
      const values = valuesBySubject(rows)
      const last = lastOf(values.get(stateIri('commit').value))
      if (last === undefined)
        throw new StoreUnavailableError('the remote store holds no catalogue yet')
      const records = new Map<string, string>()
      for (const key of keys) {
        const entries = (values.get(entryIri(key).value) ?? []).map(parseEntry)
        const visible = entries.filter(({ number }) => number <= Number(last))
        // The older entry is removed already, so there is a newer last commit by now.
        if (entries.length > 0 && visible.length === 0) throw new TornReadError()
        const [newest] = visible.sort((a, b) => b.number - a.number)
        if (newest && newest.nquads !== '') records.set(key, newest.nquads)
      }
      return records
    },

    /**
     * The lines to remove once a commit is the last one: all of these rows that it did not write.
     */
    outdated(rows: readonly SelectRow[], number: number, written: readonly string[]): string {
      const own = new Set(written.map((key) => entryIri(key).value))
      return rows
        .flatMap(({ s, o }) => {
          if (!s || !o) return []
          const isCommit = s.value === stateIri('commit').value
          const isOwn = isCommit
            ? o.value === String(number)
            : own.has(s.value) && parseEntry(o.value).number === number
          return isOwn ? [] : [toLine(iri(s.value), o.value)]
        })
        .join('')
    },

    /** Whether any of these rows is an entry of the commit. */
    hasEntryOf: (rows: readonly SelectRow[], number: number): boolean =>
      rows.some(
        ({ s, o }) =>
          s?.value.startsWith(`${graph.value}/`) && o && parseEntry(o.value).number === number,
      ),

    /** The IRIs of all records' entries, as `?s`. */
    keysQuery: sparql`SELECT DISTINCT ?s WHERE { GRAPH ${graph} { ?s ${property} ?o } }`,
    parseKeys: (rows: readonly SelectRow[]): string[] =>
      rows
        .flatMap(({ s }) => (s?.value.startsWith(`${graph.value}/`) ? [s.value] : []))
        .map((name) => decodeSegment(name.slice(graph.value.length + 1)))
        .sort(),
  }
}

function valuesBySubject(rows: readonly SelectRow[]): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const { s, o } of rows) {
    if (!s || !o) continue
    const known = values.get(s.value)
    if (known) known.push(o.value)
    else values.set(s.value, [o.value])
  }
  return values
}

/** For a moment there are two: the old number is removed only after the new one is added. */
const lastOf = (numbers: readonly string[] | undefined): string | undefined =>
  numbers && String(Math.max(...numbers.map(Number)))

function parseEntry(value: string): { readonly number: number; readonly nquads: string } {
  const end = value.indexOf('\n')
  return { number: Number(value.slice(0, end)), nquads: value.slice(end + 1) }
}
