// The language in which a resource is said: only what neither the ontology nor a shape knows.

import type { NamedNode, Quad } from '../../rdf/terms.js'
import type { Addresses, ResourceName } from '../iris.js'
import type { Card } from '../record/values.js'

/** The keys of a referred thing that are shown, each by its name or with what is shown of it in turn. */
export type Shown = readonly (string | readonly [field: string, shown: Shown])[]

export type Row = {
  /** The name in JSON and as a query parameter. */
  readonly name: string
  /** The name in the read shape, where it is another one. */
  readonly as?: string
  /** The property; two of them lead through a node of the thing's own, such as its address. */
  readonly property: NamedNode | readonly [NamedNode, NamedNode]
  /** Said by the record rather than by the thing; never written by a client. */
  readonly ofRecord?: true
  /** Shown in lists. */
  readonly list?: true
  readonly filter?: true
  readonly search?: true
  readonly order?: true
  /** Kept from the public while the agent is not public. */
  readonly private?: true
  /** What is left out of the value in JSON: the value is this and what the client gave. */
  readonly prefix?: string
  /** What is shown of what the value refers to, in lists and on the record. */
  readonly shows?: { readonly list: Shown; readonly detail: Shown }
}

/** A filter by the beginning of what follows from a card, such as the year of a date. */
export type DerivedFilter = {
  /** The name as a query parameter. */
  readonly name: string
  /** The property of the derived values. */
  readonly path: readonly [NamedNode]
  /** With how many characters a value's text has to begin as the filter says. */
  readonly leading: number
  readonly label: string
  readonly comment: string
}

/** A resource as its file says it. */
export type ResourceRows = {
  readonly name: ResourceName
  /** Like `Zine`, as in messages. */
  readonly noun: string
  readonly description: string
  readonly class: NamedNode
  readonly rows: readonly Row[]
  /** What lists can be narrowed by beside fields. */
  readonly derivedFilters?: readonly DerivedFilter[]
  /** The types, labels and other triples that follow from a card and are there to be asked for. */
  readonly derive: (card: Card, thing: NamedNode, addresses: Addresses) => Derived[]
}

export type Derived = Pick<Quad, 'predicate' | 'object'> & { readonly subject?: NamedNode }
