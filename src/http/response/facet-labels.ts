// Labels for facet counts: the titles of records, the labels of codes, yes and no.

import type { Catalogue } from '../../catalogue/catalogue.js'
import type { FacetCount } from '../../catalogue/lists.js'
import type { CountedValue, Resources } from '../../model/resources.js'
import { labelOfReference } from '../../model/record/title.js'

/** A value with what people call it. */
export type LabelledCount = FacetCount & { readonly label: string }

/** Adds to each value of a filter the label that people know it by. Years come latest first. */
export async function labelFacetCounts(
  catalogue: Catalogue,
  resources: Resources,
  filter: CountedValue,
  counts: readonly FacetCount[],
): Promise<readonly LabelledCount[]> {
  if ('prefixes' in filter) return withLabels([...counts].sort(latestFirst), (value) => value)
  if ('toIri' in filter) return withLabels(counts, (id) => filter.places?.find(id)?.name ?? id)
  const { target, vocabulary, kind } = filter
  if (target) {
    const lookup = await catalogue.find(counts.map(({ value }) => ({ target, id: value })))
    return withLabels(counts, (id) => labelOfReference(resources, lookup, { target, id }))
  }
  if (vocabulary) return withLabels(counts, (value) => vocabulary.find(value)?.label ?? value)
  if (kind === 'boolean') return withLabels(counts, (value) => (value === 'true' ? 'Yes' : 'No'))
  return withLabels(counts, (value) => value)
}

const withLabels = (
  counts: readonly FacetCount[],
  labelOf: (value: string) => string,
): readonly LabelledCount[] =>
  counts.map(({ value, count }) => ({ value, count, label: labelOf(value) }))

const latestFirst = (a: FacetCount, b: FacetCount): number => (a.value < b.value ? 1 : -1)
