// The graph through which readers see whole records, even where the remote store has no
// transactions. Its form is described in docs/explanation/remote-store.md, "Commits".
// commit-protocol.ts sends the updates.

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

/**
 * The last commit, the identifier of the catalogue, and the hash of the vocabularies that are
 * loaded.
 */
export type RecordLogState = Readonly<Record<StateName, string | undefined>>

type StateName = (typeof stateNames)[number]

const stateNames = ['commit', 'catalogue', 'vocabularies', 'layout'] as const

/**
 * The form of what is stored here besides the entries: each record has a part, and each commit a
 * note.
 */
export const layout = '2'

/** Records are spread over so many parts, by their keys, so that all can be read in pages. */
const partCount = 4096

/** A page has about so many records: some milliseconds of reading. */
const recordsInPage = 300

/** Virtuoso compiles no longer queries. */
const maxPartsInPage = 256

/** Records as N-Quads by their keys, with the number of the last commit. */
export type RecordsOfCommit = {
  readonly records: ReadonlyMap<string, string>
  readonly commit: number
}

/** What is published of the commits after a number. */
export type FollowedCommits = {
  /** The number of the last one. */
  readonly commit: number | undefined
  readonly catalogue: string | undefined
  /** The keys of the records that were written up to `until`; undefined when a note is missing. */
  readonly keys: readonly string[] | undefined
  readonly until: number
}

/**
 * An entry is one literal: the quads of a record, and the number of the commit that wrote it. A
 * commit adds its entries. One triple then names it as the last commit, which makes all of them
 * visible at once. Only then the old entries are removed. A reader takes the newest entry of each
 * record up to the last commit.
 */
export class RecordLog {
  readonly graph: NamedNode
  readonly stateQuery: Sparql
  /** The number of records, as `?count`. */
  readonly countQuery: Sparql
  readonly #property: NamedNode
  readonly #partProperty: NamedNode

  constructor(graph: NamedNode) {
    this.graph = graph
    this.#property = iri(`${graph.value}#entry`)
    this.#partProperty = iri(`${graph.value}#part`)
    this.stateQuery = this.#selectValues(stateNames.map((name) => this.#stateIri(name)))
    this.countQuery = lines(
      sparql`SELECT (COUNT(?s) AS ?count) WHERE {`,
      sparql`  GRAPH ${graph} { ?s ${this.#partProperty} ?part }`,
      sparql`}`,
    )
  }

  /** The entry of a record as a line of N-Quads. The entry of a deleted record has no quads. */
  entry(key: string, number: number, nquads: string | undefined): string {
    return this.#toLine(this.#entryIri(key), `${number}\n${nquads ?? ''}`)
  }

  state(name: StateName, value: string): string {
    return this.#toLine(this.#stateIri(name), value)
  }

  /** The part that a record belongs to. It has one as long as it exists. */
  part(key: string): string {
    return writeNQuads([
      quad(this.#entryIri(key), this.#partProperty, stringLiteral(partOf(key)), this.graph),
    ])
  }

  /** What followers read of a commit: which records it wrote. */
  note(number: number, keys: readonly string[]): string {
    const lines: string[] = []
    // Keys are sent in several literals: Virtuoso is slow with long ones.
    for (let start = 0; start < Math.max(1, keys.length); start += keysInNote)
      lines.push(
        this.#toLine(
          this.#noteIri(number),
          [keys.length, ...keys.slice(start, start + keysInNote).map(encodeSegment)].join('\n'),
        ),
      )
    return lines.join('')
  }

  parseState(rows: readonly SelectRow[]): RecordLogState {
    const values = valuesBySubject(rows)
    const [catalogue] = values.get(this.#stateIri('catalogue').value) ?? []
    const [vocabularies] = values.get(this.#stateIri('vocabularies').value) ?? []
    const [storedLayout] = values.get(this.#stateIri('layout').value) ?? []
    return {
      commit: lastOf(values.get(this.#stateIri('commit').value)),
      catalogue,
      vocabularies,
      layout: storedLayout,
    }
  }

  /** The state, and the notes of the commits that come after a number. */
  followQuery(since: number): Sparql {
    return this.#selectValues([
      this.#stateIri('commit'),
      this.#stateIri('catalogue'),
      ...Array.from({ length: notesInQuery }, (_, index) => this.#noteIri(since + 1 + index)),
    ])
  }

  parseFollowed(rows: readonly SelectRow[], since: number): FollowedCommits {
    const values = valuesBySubject(rows)
    const last = lastOf(values.get(this.#stateIri('commit').value))
    const [catalogue] = values.get(this.#stateIri('catalogue').value) ?? []
    if (last === undefined) return { commit: undefined, catalogue, keys: undefined, until: since }
    const commit = Number(last)
    const until = Math.min(commit, since + notesInQuery)
    const keys = new Set<string>()
    for (let number = since + 1; number <= until; number += 1) {
      const noteKeys = parseNote(values.get(this.#noteIri(number).value))
      if (!noteKeys) return { commit, catalogue, keys: undefined, until: since }
      for (const key of noteKeys) keys.add(key)
    }
    return { commit, catalogue, keys: commit < since ? undefined : [...keys], until }
  }

  /** @param forgotten the number of a commit whose note is to be found with them */
  recordsQuery(keys: readonly string[], forgotten?: number): Sparql {
    return this.#selectValues([
      this.#stateIri('commit'),
      ...(forgotten === undefined ? [] : [this.#noteIri(forgotten)]),
      ...keys.map((key) => this.#entryIri(key)),
    ])
  }

  /**
   * The N-Quads of the records that exist, by their keys, and the number of the last commit;
   * undefined when a commit was being made while the entries were read. Reading again succeeds.
   * @throws StoreUnavailableError
   */
  parseRecords(rows: readonly SelectRow[], keys: readonly string[]): RecordsOfCommit | undefined {
    const values = valuesBySubject(rows)
    const last = lastOf(values.get(this.#stateIri('commit').value))
    if (last === undefined)
      throw new StoreUnavailableError('the remote store holds no catalogue yet')
    const records = new Map<string, string>()
    for (const key of keys) {
      const entries = (values.get(this.#entryIri(key).value) ?? []).map(parseEntry)
      const visible = entries.filter(({ number }) => number <= Number(last))
      // The older entry is removed already, so there is a newer last commit by now.
      if (entries.length > 0 && visible.length === 0) return undefined
      const [newest] = visible.sort((a, b) => b.number - a.number)
      if (newest && newest.nquads !== '') records.set(key, newest.nquads)
    }
    return { records, commit: Number(last) }
  }

  /**
   * The lines to remove once a commit is the last one: all of these rows that it did not write.
   */
  outdated(rows: readonly SelectRow[], number: number, written: readonly string[]): string {
    const writtenEntries = new Set(written.map((key) => this.#entryIri(key).value))
    return rows
      .flatMap(({ s, o }) => {
        if (!s || !o) return []
        const isCommit = s.value === this.#stateIri('commit').value
        const isOwn = isCommit
          ? o.value === String(number)
          : writtenEntries.has(s.value) && parseEntry(o.value).number === number
        return isOwn ? [] : [this.#toLine(iri(s.value), o.value)]
      })
      .join('')
  }

  /** Whether any of these rows is an entry of the commit. */
  hasEntryOf(rows: readonly SelectRow[], number: number): boolean {
    return rows.some(
      ({ s, o }) =>
        s?.value.startsWith(`${this.graph.value}/`) && o && parseEntry(o.value).number === number,
    )
  }

  /** The queries for the entries of all records, each of a page of them. */
  pageQueries(count: number): Sparql[] {
    const partsForOnePage = Math.ceil((partCount * recordsInPage) / Math.max(1, count))
    const size = Math.min(maxPartsInPage, partsForOnePage)
    return Array.from({ length: Math.ceil(partCount / size) }, (_, page) => {
      const parts = partNames.slice(page * size, (page + 1) * size).map(stringLiteral)
      return lines(
        sparql`SELECT ?s ?o WHERE {`,
        sparql`  VALUES ?part { ${parts} }`,
        sparql`  GRAPH ${this.graph} { ?s ${this.#partProperty} ?part . ?s ${this.#property} ?o }`,
        sparql`}`,
      )
    })
  }

  /**
   * The N-Quads of the records of a page as of a commit. Those that were written since are left
   * out; `changed` has their keys.
   */
  parsePage(
    rows: readonly SelectRow[],
    last: number,
  ): { records: (readonly [key: string, nquads: string])[]; changed: string[] } {
    const records: (readonly [key: string, nquads: string])[] = []
    const changed: string[] = []
    for (const [subject, values] of valuesBySubject(rows)) {
      const key = decodeSegment(subject.slice(this.graph.value.length + 1))
      const entries = values.map(parseEntry)
      const visible = entries.filter(({ number }) => number <= last)
      if (visible.length < entries.length) changed.push(key)
      const [newest] = visible.sort((a, b) => b.number - a.number)
      if (newest && newest.nquads !== '') records.push([key, newest.nquads])
    }
    return { records, changed }
  }

  #entryIri(key: string): NamedNode {
    return iri(`${this.graph.value}/${encodeSegment(key)}`)
  }

  #stateIri(name: StateName): NamedNode {
    return iri(`${this.graph.value}#${name}`)
  }

  #noteIri(number: number): NamedNode {
    return iri(`${this.graph.value}#commit-${number}`)
  }

  #toLine(subject: NamedNode, value: string): string {
    return writeNQuads([quad(subject, this.#property, stringLiteral(value), this.graph)])
  }

  /** The values of these subjects, as `?s ?o`. */
  #selectValues(subjects: readonly NamedNode[]): Sparql {
    return lines(
      sparql`SELECT ?s ?o WHERE {`,
      sparql`  VALUES ?s { ${subjects} }`,
      sparql`  GRAPH ${this.graph} { ?s ${this.#property} ?o }`,
      sparql`}`,
    )
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

/** So many keys are in one literal of a note. */
const keysInNote = 200

/** So many notes are asked for at once. */
const notesInQuery = 32

/** The keys of a note; undefined when it is not there, or not all of it. */
function parseNote(values: readonly string[] | undefined): readonly string[] | undefined {
  if (!values) return undefined
  const parts = values.map((value) => value.split('\n'))
  const keys = parts.flatMap(([, ...segments]) => segments.map(decodeSegment))
  return parts.every(([count]) => Number(count) === keys.length) ? keys : undefined
}

const partNames = Array.from({ length: partCount }, (_, part) => String(part))

/** FNV-1a, which spreads keys that differ in one digit too. */
function partOf(key: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < key.length; index += 1)
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193) >>> 0
  return String((hash ^ (hash >>> 15)) & (partCount - 1))
}
