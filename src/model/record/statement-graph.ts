// The statements of an RDF document, by subject and property, with a mark on those that were read.
// What is not marked in the end is what the document says besides the record.

import { rdf } from '../../rdf/namespaces.js'
import type { NamedNode } from '../../rdf/terms.js'
import { createYielder } from '../../lib/scheduling.js'

/** A triple of a document. Blank nodes are written as `_:b0`. */
export type InputStatement = {
  readonly s: string
  readonly p: string
  readonly o: string
  /** The datatype of a literal, or its language as `@en`; undefined for an IRI and a blank node. */
  readonly literal?: string | undefined
}

/** A key that is the same for the same triple. */
export const statementKey = ({ s, p, o, literal = '' }: InputStatement): string =>
  `${s} ${p} ${literal} ${o}`

/**
 * Made in steps, since a document may be large.
 * @param statements each of them once
 * @param shown the keys of those that count as read
 */
export async function createStatementGraph(
  statements: readonly InputStatement[],
  shown: ReadonlySet<string>,
): Promise<StatementGraph> {
  const graph = new StatementGraph()
  const maybeYield = createYielder()
  for (const statement of statements) {
    graph.add(statement, shown.has(statementKey(statement)))
    await maybeYield()
  }
  return graph
}

export class StatementGraph {
  /** The statements of each subject, by their property. */
  readonly #bySubject = new Map<string, Map<string, InputStatement[]>>()
  readonly #objects = new Set<string>()
  readonly #unread = new Set<InputStatement>()

  /** @param isRead whether it says what is shown anyway */
  add(statement: InputStatement, isRead: boolean): void {
    const { s, p, o, literal } = statement
    if (literal === undefined) this.#objects.add(o)
    if (!isRead) this.#unread.add(statement)
    const byProperty = this.#bySubject.get(s) ?? new Map<string, InputStatement[]>()
    this.#bySubject.set(s, byProperty)
    const same = byProperty.get(p)
    if (same) same.push(statement)
    else byProperty.set(p, [statement])
  }

  of(subject: string, property: NamedNode): readonly InputStatement[] {
    return this.#bySubject.get(subject)?.get(property.value) ?? []
  }

  markRead(read: readonly InputStatement[]): void {
    for (const statement of read) this.#unread.delete(statement)
  }

  markAllRead(subjects: Iterable<string>, properties: readonly NamedNode[]): void {
    for (const subject of new Set(subjects))
      for (const property of properties) this.markRead(this.of(subject, property))
  }

  /**
   * Statements, with those of the items in place of each that leads to a list.
   * @returns also whether there was a list, which says the order of the values
   */
  expandLists(statements: readonly InputStatement[]) {
    const lists = statements.filter((statement) => this.#isList(statement))
    this.markRead(lists)
    const expanded = statements.flatMap((statement) =>
      this.#isList(statement) ? this.#itemsOf(statement.o) : [statement],
    )
    return { statements: expanded, hasList: lists.length > 0 }
  }

  subjects(): readonly string[] {
    return [...this.#bySubject.keys()]
  }

  hasSubject(subject: string): boolean {
    return this.#bySubject.has(subject)
  }

  isObject(node: string): boolean {
    return this.#objects.has(node)
  }

  /** The IRIs and blank nodes to which a property leads, also in lists. */
  nodesAt(subject: string, property: NamedNode): readonly string[] {
    return this.of(subject, property)
      .flatMap((statement) => (this.#isList(statement) ? this.#itemsOf(statement.o) : [statement]))
      .flatMap(({ o, literal }) => (literal === undefined ? [o] : []))
  }

  /** Marks lists that begin at these nodes as read, whatever is in them. */
  markListsRead(heads: readonly string[]): void {
    for (const head of heads) this.markRead(this.#itemsOf(head))
  }

  unread(): readonly InputStatement[] {
    return [...this.#unread]
  }

  #isList({ o, literal }: InputStatement): boolean {
    return literal === undefined && (o === nil || this.of(o, first).length > 0)
  }

  /**
   * The statements with the items of a list, as far as it is one; marks its other statements as
   * read.
   */
  #itemsOf(head: string): readonly InputStatement[] {
    const items: InputStatement[] = []
    const seen = new Set<string>()
    for (let node = head; node !== nil;) {
      seen.add(node)
      const [item, ...moreItems] = this.of(node, first)
      const [next, ...moreNext] = this.of(node, rest)
      if (!item || !next || moreItems.length + moreNext.length > 0) break
      items.push(item)
      // A list that leads back into itself has no end, so it is none.
      if (seen.has(next.o)) break
      this.markRead([next])
      node = next.o
    }
    return items
  }
}

const first = rdf('first')
const rest = rdf('rest')
const nil = rdf('nil').value
