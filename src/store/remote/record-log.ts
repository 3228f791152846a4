// How a store elsewhere holds records so that nobody sees one half written, whatever its engine makes of
// transactions. Beside the graphs that are queried there is one with an entry for each record: one
// literal with all its quads and the number of the commit that wrote it. A commit adds its entries,
// however many, and is then seen all at once, when one triple says that it is the last one; only then
// what it replaced is removed. Whoever reads takes of each record the newest entry up to the last commit.

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

/** What the graph says of itself: the last commit, whose it is, and which vocabularies are beside it. */
export type RecordState = Readonly<Record<StateName, string | undefined>>

type StateName = (typeof stateNames)[number]

const stateNames = ['commit', 'catalogue', 'vocabularies'] as const

/** Found while a commit was being made: the same question again is answered. */
export class TornReadError extends Error {}

export function createRecordLog(graph: NamedNode) {
  const property = iri(`${graph.value}#entry`)
  const nameOf = (key: string): NamedNode => iri(`${graph.value}/${encodeSegment(key)}`)
  const stateOf = (name: StateName): NamedNode => iri(`${graph.value}#${name}`)
  const lineOf = (subject: NamedNode, value: string): string =>
    writeNQuads([quad(subject, property, stringLiteral(value), graph)])

  /** What these subjects have for values, as `?s ?o`. */
  const valuesOf = (subjects: readonly NamedNode[]): Sparql =>
    lines(
      sparql`SELECT ?s ?o WHERE {`,
      sparql`  VALUES ?s { ${subjects} }`,
      sparql`  GRAPH ${graph} { ?s ${property} ?o }`,
      sparql`}`,
    )

  return {
    graph,
    /** The entry of a record as a line of N-Quads; a record that was removed has an empty one. */
    entry: (key: string, number: number, nquads: string | undefined): string =>
      lineOf(nameOf(key), `${number}\n${nquads ?? ''}`),
    state: (name: StateName, value: string): string => lineOf(stateOf(name), value),

    askState: valuesOf(stateNames.map(stateOf)),
    readState(rows: readonly SelectRow[]): RecordState {
      const values = valuesBySubject(rows)
      const [catalogue] = values.get(stateOf('catalogue').value) ?? []
      const [vocabularies] = values.get(stateOf('vocabularies').value) ?? []
      return { commit: lastOf(values.get(stateOf('commit').value)), catalogue, vocabularies }
    },

    ask: (keys: readonly string[]): Sparql => valuesOf([stateOf('commit'), ...keys.map(nameOf)]),
    /**
     * The N-Quads of the records that there are.
     * @throws Torn, StoreUnavailable
     */
    read(rows: readonly SelectRow[], keys: readonly string[]): Map<string, string> {
      const values = valuesBySubject(rows)
      const last = lastOf(values.get(stateOf('commit').value))
      if (last === undefined) throw new StoreUnavailableError('the store holds no catalogue yet')
      const found = new Map<string, string>()
      for (const key of keys) {
        const entries = (values.get(nameOf(key).value) ?? []).map(readEntry)
        const seen = entries.filter(({ number }) => number <= Number(last))
        // What was there before is gone already, so the last commit is another one by now.
        if (entries.length > 0 && seen.length === 0) throw new TornReadError()
        const [newest] = seen.sort((a, b) => b.number - a.number)
        if (newest && newest.nquads !== '') found.set(key, newest.nquads)
      }
      return found
    },

    /** The lines that go once a commit is the last one: all of these rows that are not its own. */
    outdated(rows: readonly SelectRow[], number: number, written: readonly string[]): string {
      const own = new Set(written.map((key) => nameOf(key).value))
      return rows
        .flatMap(({ s, o }) => {
          if (!s || !o) return []
          const isCommit = s.value === stateOf('commit').value
          const isOwn = isCommit
            ? o.value === String(number)
            : own.has(s.value) && readEntry(o.value).number === number
          return isOwn ? [] : [lineOf(iri(s.value), o.value)]
        })
        .join('')
    },

    /** Whether any of these rows is an entry of the commit. */
    ofCommit: (rows: readonly SelectRow[], number: number): boolean =>
      rows.some(
        ({ s, o }) =>
          s?.value.startsWith(`${graph.value}/`) && o && readEntry(o.value).number === number,
      ),

    /** The names of all records, as `?s`. */
    askKeys: sparql`SELECT DISTINCT ?s WHERE { GRAPH ${graph} { ?s ${property} ?o } }`,
    readKeys: (rows: readonly SelectRow[]): string[] =>
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

/** The commit before it is removed only after it is said which is the last. */
const lastOf = (numbers: readonly string[] | undefined): string | undefined =>
  numbers && String(Math.max(...numbers.map(Number)))

function readEntry(value: string): { readonly number: number; readonly nquads: string } {
  const end = value.indexOf('\n')
  return { number: Number(value.slice(0, end)), nquads: value.slice(end + 1) }
}
