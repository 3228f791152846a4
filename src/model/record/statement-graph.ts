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

export type StatementGraph = Awaited<ReturnType<typeof createStatementGraph>>

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
) {
  const bySubject = new Map<string, Map<string, InputStatement[]>>()
  const objects = new Set<string>()
  const unread = new Set<InputStatement>()
  const maybeYield = createYielder()
  for (const statement of statements) {
    const { s, p, o, literal } = statement
    if (literal === undefined) objects.add(o)
    if (!shown.has(statementKey(statement))) unread.add(statement)
    const own = bySubject.get(s) ?? new Map<string, InputStatement[]>()
    bySubject.set(s, own)
    const same = own.get(p)
    if (same) same.push(statement)
    else own.set(p, [statement])
    await maybeYield()
  }

  const of = (subject: string, property: NamedNode): readonly InputStatement[] =>
    bySubject.get(subject)?.get(property.value) ?? []

  function markRead(read: readonly InputStatement[]): void {
    for (const statement of read) unread.delete(statement)
  }

  function markAllRead(subjects: Iterable<string>, properties: readonly NamedNode[]): void {
    for (const subject of new Set(subjects))
      for (const property of properties) markRead(of(subject, property))
  }

  const isList = ({ o, literal }: InputStatement): boolean =>
    literal === undefined && (o === nil || of(o, first).length > 0)

  /**
   * The statements with the items of a list, as far as it is one; marks its other statements as
   * read.
   */
  function itemsOf(head: string): readonly InputStatement[] {
    const items: InputStatement[] = []
    const seen = new Set<string>()
    for (let node = head; node !== nil;) {
      seen.add(node)
      const [item, ...moreItems] = of(node, first)
      const [next, ...moreNext] = of(node, rest)
      if (!item || !next || moreItems.length + moreNext.length > 0) break
      items.push(item)
      // A list that leads back into itself has no end, so it is none.
      if (seen.has(next.o)) break
      markRead([next])
      node = next.o
    }
    return items
  }

  /**
   * Statements, with those of the items in place of each that leads to a list.
   * @returns also whether there was a list, which says the order of the values
   */
  function expandLists(given: readonly InputStatement[]) {
    const lists = given.filter(isList)
    markRead(lists)
    const expanded = given.flatMap((one) => (isList(one) ? itemsOf(one.o) : [one]))
    return { statements: expanded, hasList: lists.length > 0 }
  }

  return {
    of,
    subjects: (): readonly string[] => [...bySubject.keys()],
    hasSubject: (subject: string): boolean => bySubject.has(subject),
    isObject: (node: string): boolean => objects.has(node),
    /** The IRIs and blank nodes to which a property leads, also in lists. */
    nodesAt: (subject: string, property: NamedNode): readonly string[] =>
      of(subject, property)
        .flatMap((one) => (isList(one) ? itemsOf(one.o) : [one]))
        .flatMap(({ o, literal }) => (literal === undefined ? [o] : [])),
    expandLists,
    markRead,
    markAllRead,
    /** Marks lists that begin at these nodes as read, whatever is in them. */
    markListsRead(heads: readonly string[]): void {
      for (const head of heads) markRead(itemsOf(head))
    },
    unread: (): readonly InputStatement[] => [...unread],
  }
}

const first = rdf('first')
const rest = rdf('rest')
const nil = rdf('nil').value
