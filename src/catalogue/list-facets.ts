// The facets of zines that are values of their holdings, and of the repositories that have these
// (docs/reference/explore.md, "Facets").

import { geonameIdOf } from '../model/places.js'
import type { RdfMapper } from '../model/record/rdf-mapper.js'
import { type Field, type Resource, type Resources, countedValuesOf } from '../model/resources.js'
import type { Counted, NamedFacet } from '../queries/list-queries.js'

/** By the name of the facet: the field of holdings, and a field of what that names. */
const fieldsOfHoldings = {
  repository: { field: 'repository_id' },
  access: { field: 'access_status' },
  country: { field: 'repository_id', further: 'country' },
} as const

export type NamedFacetName = keyof typeof fieldsOfHoldings

export const namedFacetNames = Object.keys(fieldsOfHoldings) as readonly NamedFacetName[]

const isNamedFacet = (name: string): name is NamedFacetName => name in fieldsOfHoldings

/** The facet with the field that its values are of, and how a term of the graph reads. */
export function readNamedFacet(
  name: string,
  { resources, mapper }: { readonly resources: Resources; readonly mapper: RdfMapper },
): { readonly facet: NamedFacet; readonly valueOf: (term: string) => string } {
  if (!isNamedFacet(name)) throw new Error(`no facet ${name}`)
  const { holdings, repositories } = resources
  const fields: { readonly field: string; readonly further?: string } = fieldsOfHoldings[name]
  const filter = fieldOf(holdings, fields.field)
  const further =
    fields.further === undefined
      ? undefined
      : { resource: repositories, filter: fieldOf(repositories, fields.further) }
  return {
    facet: {
      resource: holdings,
      by: fieldOf(holdings, 'zine_id'),
      filter,
      ...(further ? { further } : {}),
    },
    valueOf: (term) => String(mapper.valueOf(further?.filter ?? filter, term)),
  }
}

/**
 * A facet of zines, and how a term of the graph reads as one of its values; undefined where it is
 * none of them.
 */
export function readFacet(
  name: string,
  model: { readonly resources: Resources; readonly mapper: RdfMapper },
): { readonly counted: Counted; readonly valueOf: (term: string) => string | undefined } {
  if (isNamedFacet(name)) {
    const { facet, valueOf } = readNamedFacet(name, model)
    return { counted: facet, valueOf }
  }
  // Years are counted with their decades.
  const filterName = name === 'decade' ? 'year' : name
  const { zines } = model.resources
  const filter = countedValuesOf(zines).find((candidate) => candidate.name === filterName)
  if (!filter) throw new Error(`zines have no facet ${name}`)
  if ('places' in filter) return { counted: filter, valueOf: geonameIdOf }
  if ('kind' in filter)
    return { counted: filter, valueOf: (term) => String(model.mapper.valueOf(filter, term)) }
  return {
    counted: filter,
    valueOf: (term) =>
      isDecade(term) === (name === 'decade') ? term.replace(/X$/, '0') : undefined,
  }
}

/** Whether a year of the filter `year` stands for a decade, such as `199X`. */
export const isDecade = (year: string): boolean => year.endsWith('X')

/** The field that the values of a facet are of, for their labels. */
export const fieldOfNamedFacet = (name: NamedFacetName, resources: Resources): Field => {
  const { field, further }: { readonly field: string; readonly further?: string } =
    fieldsOfHoldings[name]
  return further === undefined
    ? fieldOf(resources.holdings, field)
    : fieldOf(resources.repositories, further)
}

function fieldOf({ name, byName }: Resource, field: string): Field {
  const match = byName.get(field)
  if (!match) throw new Error(`${name} have no field ${field}`)
  return match
}
