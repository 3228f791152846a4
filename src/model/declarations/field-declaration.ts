// How a resource and its fields are declared: what neither the ontology nor the shapes say. The
// three sources are joined in resources.ts (docs/explanation/architecture.md, "Where a field is
// declared").

import type { NamedNode, Quad } from '../../rdf/terms.js'
import type { YearSpan } from '../edtf.js'
import type { Iris, ResourceName } from '../iris.js'
import type { Places } from '../places.js'
import type { RecordValues } from '../record/values.js'

/**
 * The keys shown of a referred record or entry: a name, or a name with the keys shown of it in
 * turn.
 */
export type NestedFields = readonly (string | readonly [field: string, nested: NestedFields])[]

/**
 * Where the summary of a record, as lists on pages show it, shows a field:
 * - `title`: its heading; where the field is a reference, the title of the record that it names
 * - `subtitle`: in the heading, after the title
 * - `tags`: a list of its values below the line
 * - `excerpt`: its beginning, as a paragraph below the line
 * - a number: its position in the line under the heading
 * - a pair: the position in that line, and the position among the fields that share it, which are
 *   separated by commas, such as the parts of an address
 *
 * The line leaves out a value that is the field's default.
 */
export type SummaryPosition =
  'title' | 'subtitle' | 'tags' | 'excerpt' | number | readonly [part: number, position: number]

export type FieldDeclaration = {
  /** The name in JSON that is written, and of the query parameter. */
  readonly name: string
  /** The name in JSON that is read, where it is another one. */
  readonly outputName?: string
  /** The property; two properties lead through a node of the thing's own, such as its address. */
  readonly property: NamedNode | readonly [NamedNode, NamedNode]
  /** What pages call it, where that is another word than the property's label in the ontology. */
  readonly label?: string
  /** The triple is about the record, not about the thing. Clients cannot write the field. */
  readonly onRecordNode?: true
  /** Shown in lists. */
  readonly inLists?: true
  readonly filterable?: true
  /**
   * Its values are counted and filtered under other names than its own (docs/reference/lists.md,
   * "Further filters").
   */
  readonly countable?: true
  readonly searchable?: true
  readonly sortable?: true
  /**
   * The name under which the record is filed, by which pages sort (docs/reference/explore.md,
   * "Makers").
   */
  readonly filing?: true
  /**
   * Hidden from everybody but those who may edit the record (docs/reference/accounts.md, "Privacy"):
   * `unlessPublic` while the record is not public, `always` as a note of the staff.
   */
  readonly private?: 'unlessPublic' | 'always'
  /** Pages show it only to accounts that may edit the record. The API shows it to everybody. */
  readonly editorial?: true
  /** Views have it only where it has a value. */
  readonly leftOutIfUnset?: true
  /**
   * The record is removed with the one that it names. A field without this keeps an identifier that
   * leads nowhere (docs/reference/records.md, "Delete effects").
   */
  readonly removedWith?: true
  /**
   * Another authority identifies the thing by it: two records with one value are likely duplicates.
   */
  readonly identifies?: true
  /** The start of the IRI, which JSON leaves out. */
  readonly prefix?: string
  /** How derived IRIs of the same property begin, which are no values of the field. */
  readonly derivedPrefixes?: readonly string[]
  /** The field for what no code says: imports put words there that are no term. */
  readonly inWords?: string
  /** What is shown of the record or entry that the value refers to, in lists and on the record. */
  readonly nested?: { readonly list: NestedFields; readonly detail: NestedFields }
  /** The list page counts the field's values and offers them as filters, at this position. */
  readonly facet?: number
  readonly summary?: SummaryPosition
}

/**
 * A filter by the first characters of a derived value, such as the year or the decade of a date.
 */
export type DerivedFilter = {
  /** The name as a query parameter. */
  readonly name: string
  /** The property of the derived values. */
  readonly path: readonly [NamedNode]
  /**
   * What the filter takes for a value: its first characters, so many of them, and the suffix behind
   * them. With `{ length: 3, suffix: 'X' }`, `199X` finds `1994-05`.
   */
  readonly prefixes: readonly { readonly length: number; readonly suffix: string }[]
  readonly label: string
  readonly comment: string
  /** As of `FieldDeclaration`. */
  readonly facet?: number
}

/** Derived dates, which ranges of years are compared with. */
export type DerivedSpan = {
  readonly name: string
  readonly path: readonly [NamedNode]
  /** The first and the last year of a date; undefined where it is open. */
  readonly yearsOf: (date: string) => YearSpan
}

/** A derived number by which lists are ordered under this name (docs/reference/lists.md, "Ordering"). */
type DerivedOrder = {
  readonly name: string
  readonly path: readonly [NamedNode]
  readonly kind: 'integer'
  /** Records may have none. */
  readonly nonEmpty: false
  /** What the number is, as OpenAPI says it. */
  readonly comment: string
}

/**
 * A derived IRI, which is counted and filtered under this name (docs/reference/lists.md, "Further
 * filters").
 */
export type DerivedReference = {
  readonly name: string
  /** The property of the IRI. */
  readonly path: readonly [NamedNode]
  readonly toIri: (value: string) => NamedNode
  readonly fromIri: (iri: string) => string
  /** What the IRIs are of, where they are places. */
  readonly places?: Places
}

/** A resource as its file in this folder declares it. */
export type ResourceDeclaration = {
  readonly name: ResourceName
  /** The singular in messages, such as `Zine`. */
  readonly noun: string
  readonly description: string
  readonly class: NamedNode
  readonly fields: readonly FieldDeclaration[]
  /** Filters of lists that are no fields. */
  readonly derivedFilters?: readonly DerivedFilter[]
  readonly derivedSpans?: readonly DerivedSpan[]
  /** Orders of lists that are no fields. */
  readonly derivedOrders?: readonly DerivedOrder[]
  readonly derivedReferences?: readonly DerivedReference[]
  /**
   * The properties of the derived triples of the thing itself, besides its types and those of
   * fields with `derivedPrefixes`. A client that sends them back need not keep them as they were.
   */
  readonly derivedProperties: readonly NamedNode[]
  /** Types, labels and other triples for SPARQL queries that follow from the values. */
  readonly derive: (values: RecordValues, thing: NamedNode, iris: Iris) => DerivedTriple[]
}

export type DerivedTriple = Pick<Quad, 'predicate' | 'object'> & { readonly subject?: NamedNode }
