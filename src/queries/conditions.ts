// The further conditions on the records of a list. Each is said once in SPARQL, which defines it,
// and once for the index in memory (docs/explanation/record-index.md, "The record index").

import type { DerivedReference, DerivedSpan } from '../model/declarations/field-declaration.js'
import type { YearSpan } from '../model/edtf.js'
import type { ResourceName } from '../model/iris.js'
import { type Place, placeIri } from '../model/places.js'
import type { CountedValue, Field, Filter, IndexedValue, Resource } from '../model/resources.js'
import { dcterms, gn, rdf, xsd } from '../rdf/namespaces.js'
import { type Sparql, sparql } from '../rdf/sparql-template.js'
import { type Literal, type NamedNode, integer, stringLiteral } from '../rdf/terms.js'
import { type FilterCondition, filterPattern, pathTo, unionOf } from './patterns.js'

export type ListCondition = {
  /** Tells it from all others but its negation. */
  readonly key: string
  /** Whether the records meet it that match the pattern, or all others. */
  readonly isMet: boolean
  /** The group that a record `?s` of the list matches. */
  readonly pattern: () => Sparql
  /** Marks the records that match the pattern. */
  readonly mark: (index: ConditionIndex, marks: Uint8Array) => void
}

/** What the index in memory has of a resource, and of the records that it is connected with. */
export type ConditionIndex = {
  /** Marks the records that have a text of a filter which is wanted. */
  markTexts(filter: IndexedValue, marks: Uint8Array, isWanted: (text: string) => boolean): void
  /** Marks the records that have exactly this text. */
  markText(filter: IndexedValue, marks: Uint8Array, text: string): void
  /** Marks the records that have these identifiers. */
  markIds(ids: readonly string[], marks: Uint8Array): void
  markYears(filter: DerivedSpan, marks: Uint8Array, isWanted: (years: YearSpan) => boolean): void
  /** Marks the records that others name. */
  markNamed(by: NamingRecords, marks: Uint8Array): void
  /** Whether a record of a resource exists, by the IRI of what it describes. */
  isRecord(target: ResourceName, iri: string): boolean
  /** The text of a record, by which its list can be sorted; undefined where there is none. */
  textOf(field: Field, target: ResourceName, iri: string): string | undefined
}

/** Records of another resource that name those of the list. */
export type NamingRecords = {
  readonly resource: Resource
  /** The field that names them. */
  readonly by: Field
  readonly filters: readonly FilterCondition[]
  /** What they name in another field has to match these filters. */
  readonly through?: ThroughCondition
  /** Those are meant that do not match all of the filters. */
  readonly areOthers?: true
}

export type ThroughCondition = {
  readonly by: Field
  readonly resource: Resource
  readonly filters: readonly FilterCondition[]
}

type Terms = readonly (NamedNode | Literal)[]

const condition = (
  key: unknown,
  { pattern, mark }: Pick<ListCondition, 'pattern' | 'mark'>,
): ListCondition => ({ key: JSON.stringify(key), isMet: true, pattern, mark })

export const not = (negated: ListCondition): ListCondition => ({
  ...negated,
  isMet: !negated.isMet,
})

/** It has one of these values. */
export const hasAny = (filter: CountedValue, terms: Terms): ListCondition =>
  condition(['any', filter.name, valuesOf(terms)], {
    pattern() {
      const alternatives = unionOf(terms.map((term) => filterPattern({ filter, term })))
      const any = terms.length === 0 ? sparql`FILTER(false)` : alternatives
      return sparql`?s ${dcterms('identifier')} ?id . ${any}`
    },
    mark(index, marks) {
      for (const { value } of terms) index.markText(filter, marks, value)
    },
  })

/** Its identifier is one of these. */
export const isOneOf = (ids: readonly string[]): ListCondition =>
  condition(['ids', ids], {
    pattern() {
      const literals = ids.map((id) => stringLiteral(id))
      return sparql`?s ${dcterms('identifier')} ?id . FILTER(?id IN (${commas(literals)}))`
    },
    mark(index, marks) {
      index.markIds(ids, marks)
    },
  })

/** It has another value than these. */
export const hasOther = (filter: Filter, terms: Terms): ListCondition =>
  condition(['other', filter.name, valuesOf(terms)], {
    pattern: () => sparql`?s ${pathTo(filter)} ?other . FILTER(?other NOT IN (${commas(terms)}))`,
    mark(index, marks) {
      const others = new Set(valuesOf(terms))
      index.markTexts(filter, marks, (text) => !others.has(text))
    },
  })

export const isSet = (filter: IndexedValue): ListCondition =>
  condition(['set', filter.name], {
    pattern: () => sparql`?s ${pathTo(filter)} ?any`,
    mark: (index, marks) => {
      index.markTexts(filter, marks, () => true)
    },
  })

/** One of its values contains all these parts, which are in lower case. */
export const contains = (field: Field, parts: readonly string[]): ListCondition =>
  condition(['contains', field.name, parts], {
    pattern() {
      const contained = parts.map(
        (part) => sparql`FILTER(CONTAINS(LCASE(?contained), ${stringLiteral(part)}))`,
      )
      return sparql`?s ${pathTo(field)} ?contained . ${contained}`
    },
    mark(index, marks) {
      index.markTexts(field, marks, (text) => {
        const lowerCase = text.toLowerCase()
        return parts.every((part) => lowerCase.includes(part))
      })
    },
  })

type YearRange = { readonly from: number | undefined; readonly to: number | undefined }

/** All the years of one of its dates are in this range. */
export const isDatedWithin = (dates: DerivedSpan, { from, to }: YearRange): ListCondition =>
  condition(['dated', dates.name, from ?? null, to ?? null], {
    pattern() {
      const filters = [
        ...(from === undefined
          ? []
          : [sparql`FILTER(!${isOpenStart} && ${firstYear} >= ${integer(from)})`]),
        ...(to === undefined
          ? []
          : [sparql`FILTER(!${isOpenEnd} && ${lastYear} <= ${integer(to)})`]),
      ]
      return sparql`?s ${pathTo(dates)} ?dated . ${filters}`
    },
    mark(index, marks) {
      index.markYears(
        dates,
        marks,
        ({ earliest = -Infinity, latest = Infinity }) =>
          earliest >= (from ?? -Infinity) && latest <= (to ?? Infinity),
      )
    },
  })

/**
 * The year that begins a date in EDTF, as a number.
 * Compared as numbers: Virtuoso finds nothing where it compares results of REPLACE as texts.
 */
const yearIn = (date: Sparql, digit: '0' | '9'): Sparql =>
  sparql`${xsd('integer')}(REPLACE(REPLACE(SUBSTR(REPLACE(${date}, "^[^-0-9X]+", ""), 1, 5), "[^0-9X]$", ""), "X", ${stringLiteral(digit)}))`

// Dates of spans and sets are divided by `/`, `,` and `..`. An open end has no digits, of which
// Virtuoso makes 0.
const isOpenStart = sparql`REGEX(STR(?dated), "^[^0-9X]*[/.]")`
const isOpenEnd = sparql`REGEX(STR(?dated), "[/.][^0-9X]*$")`
const firstYear = yearIn(sparql`REPLACE(STR(?dated), "[/,.].*$", "")`, '0')
const lastYear = yearIn(sparql`REPLACE(STR(?dated), "^.*[/,.]", "")`, '9')

type PlaceFilter = {
  readonly filter: DerivedReference
  /** Whether the IRI of a place is that of this place, or of one in it. */
  readonly includes: (iri: string) => boolean
}

/** One of its places is this one, or in it. */
export const isWithin = (place: Place, { filter, includes }: PlaceFilter): ListCondition =>
  condition(['within', filter.name, place.geoname_id], {
    // By the level, since engines differ in property paths. Places are in the graph of vocabularies.
    pattern() {
      const located = pathTo(filter)
      const exact = sparql`?s ${located} ${placeIri(place.geoname_id)} .`
      if (place.level === 'city') return exact
      const isIn =
        place.level === 'country'
          ? sparql`?located ${gn('countryCode')} ${stringLiteral(place.country_code)} .`
          : sparql`?located ${gn('parentFeature')} ${placeIri(place.geoname_id)} .`
      return sparql`{ ${exact} } UNION { ?s ${located} ?located . GRAPH ?graph { ${isIn} } }`
    },
    mark(index, marks) {
      index.markTexts(filter, marks, includes)
    },
  })

/** A record of another resource names it. */
export const isNamed = (naming: NamingRecords): ListCondition =>
  condition(
    [
      'named',
      naming.resource.name,
      naming.areOthers ?? false,
      keyOfFilters(naming.filters),
      keyOfFilters(naming.through?.filters ?? []),
    ],
    {
      pattern() {
        const { by, filters, through, areOthers } = naming
        const patterns = filters.map(({ filter, term }) =>
          areOthers
            ? sparql`?naming ${pathTo(filter)} ?named . FILTER(?named != ${term})`
            : sparql`?naming ${pathTo(filter)} ${term} .`,
        )
        const ofThrough = (through?.filters ?? []).map(
          ({ filter, term }) => sparql`?through ${pathTo(filter)} ${term} .`,
        )
        const further = through
          ? [sparql`?naming ${pathTo(through.by)} ?through .`, ...ofThrough]
          : []
        return sparql`?naming ${pathTo(by)} ?s . ${[...patterns, ...further]}`
      },
      mark(index, marks) {
        index.markNamed(naming, marks)
      },
    },
  )

type NamedText = {
  /** The field that names a record of another resource. */
  readonly by: Field
  /** Its text. */
  readonly text: Field
  /** In lower case. */
  readonly texts: readonly string[]
}

/** It names a record of another resource whose text is one of these. */
export const namesRecordCalled = ({ by, text, texts }: NamedText): ListCondition =>
  condition(['names', by.name, texts], {
    pattern() {
      const names = commas(texts.map((name) => stringLiteral(name)))
      const oneOf = sparql`FILTER(LCASE(?name) IN (${names}))`
      return sparql`?s ${pathTo(by)} ?agent . ?agent ${pathTo(text)} ?name . ${oneOf}`
    },
    mark(index, marks) {
      const { target } = by
      index.markTexts(by, marks, (iri) =>
        texts.includes((target && index.textOf(text, target, iri))?.toLowerCase() ?? ''),
      )
    },
  })

/** It names, in one of these fields, a record of another resource that does not exist. */
export const namesMissing = (fields: readonly Field[], target: Resource): ListCondition =>
  condition(['missing', target.name, fields.map(({ name }) => name)], {
    pattern() {
      const named = unionOf(fields.map((field) => sparql`?s ${pathTo(field)} ?gone`))
      return sparql`${named} FILTER NOT EXISTS { ?gone ${rdf('type')} ${target.class} }`
    },
    mark(index, marks) {
      for (const field of fields)
        index.markTexts(field, marks, (iri) => !index.isRecord(target.name, iri))
    },
  })

const valuesOf = (terms: Terms): readonly string[] => terms.map(({ value }) => value)

const keyOfFilters = (filters: readonly FilterCondition[]) =>
  filters.map(({ filter, term }) => [filter.name, term.value])

/** Terms with commas between. */
const commas = (terms: Terms): readonly Sparql[] =>
  terms.map((term, index) => (index === 0 ? sparql`${term}` : sparql`, ${term}`))
