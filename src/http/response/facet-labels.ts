// Labels for facet counts: the titles of records, the labels of codes, yes and no.

import { message } from '../../message.js'
import type { Catalogue } from '../../catalogue/catalogue.js'
import { labelOfCode, labelOfPlace, languageOfCode, otherLanguage } from '../../messages/labels.js'
import { type Translator, english } from '../../messages/translator.js'
import type { FacetCount } from '../../catalogue/lists.js'
import type { CountedValue, Resources } from '../../model/resources.js'
import { labelOfReference } from '../../model/record/title.js'
import * as schema from '../schemas.js'

export const labelledCountSchema = schema.object({
  value: schema.text('As the filter takes it.'),
  label: schema.text('What people call it.'),
  count: schema.count('How many zines have it.'),
  ...schema.partial({ language: schema.text('The language of a label that is not in English.') }),
})

/** A value with what people call it. The language is there where it is not the translator's. */
export type LabelledCount = schema.ValueOf<typeof labelledCountSchema>

type LabelDependencies = {
  readonly catalogue: Pick<Catalogue, 'find'>
  readonly resources: Resources
  /** To English unless given. */
  readonly translator?: Translator
}

/** Adds to each value of a filter the label that people know it by. Years come latest first. */
export async function labelFacetCounts(
  { catalogue, resources, translator = english }: LabelDependencies,
  filter: CountedValue,
  counts: readonly FacetCount[],
): Promise<readonly LabelledCount[]> {
  if ('prefixes' in filter) return withLabels([...counts].sort(latestFirst), (value) => value)
  if ('toIri' in filter)
    return withLabels(counts, (id) => labelOfPlace(translator, filter.places?.find(id)) ?? id)
  const { target, vocabulary, kind } = filter
  if (target) {
    const lookup = await catalogue.find(counts.map(({ value }) => ({ target, id: value })))
    return withLabels(counts, (id) => labelOfReference(resources, lookup, { target, id }))
  }
  if (vocabulary)
    return counts.map((counted) => {
      const { value } = counted
      const label = labelOfCode(translator, vocabulary, value)
      const language = otherLanguage(translator, languageOfCode(translator, vocabulary, value))
      return { ...counted, label, ...(language !== undefined && { language }) }
    })
  if (kind === 'boolean')
    return withLabels(counts, (value) =>
      translator.t(value === 'true' ? message('Yes') : message('No')),
    )
  return withLabels(counts, (value) => value)
}

const withLabels = (
  counts: readonly FacetCount[],
  labelOf: (value: string) => string,
): readonly LabelledCount[] =>
  counts.map(({ value, count }) => ({ value, count, label: labelOf(value) }))

const latestFirst = (a: FacetCount, b: FacetCount): number => (a.value < b.value ? 1 : -1)
