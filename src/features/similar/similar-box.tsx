// The zines most like a zine, on its page, each with what they have in common.

import { Fragment } from 'preact'

import { labelOfCode, labelOfPlace } from '../../messages/labels.js'
import type { Translator } from '../../messages/translator.js'
import { message } from '../../message.js'
import type { Places } from '../../model/places.js'
import { labelOfReference } from '../../model/record/title.js'
import { textValue } from '../../model/record/values.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import { seriesOf } from '../../model/series.js'
import { RecordSummary } from '../../views/components/record-summary.js'
import { codeLanguage, pageTranslator, rich, t } from '../../views/translate.js'
import { type Covers, SmallCover } from '../covers/cover.js'
import { KeepPlace } from '../my-list/keep-place.js'
import type { FindPlace } from '../../model/place-names.js'
import type { SimilarZine, Trait, TraitName } from './similar-zines.js'

export type LabelDependencies = {
  readonly resources: Resources
  readonly places: Pick<Places, 'find'>
  readonly findPlace: FindPlace
}

type SimilarBoxProps = {
  readonly zines: readonly SimilarZine[]
  readonly resources: Resources
  readonly places: LabelDependencies['places']
  readonly covers: Covers
}

/** So many things that two zines have in common are named. */
const maxNamed = 3

export const SimilarBox = ({ zines, resources, places, covers }: SimilarBoxProps) =>
  zines.length === 0 ? null : (
    <section class="related" id="similar" data-needs-service>
      <h2>{t('Similar zines')}</h2>
      <ul class="records">
        {zines.map(({ record, shared }) => (
          <li key={textValue(record.values, 'zine_id')}>
            <SmallCover {...{ record, resources, covers }} />
            <RecordSummary record={record} resources={resources} />
            <p class="hint">
              {shared.slice(0, maxNamed).map((trait, index) => (
                <Fragment key={index}>
                  {index > 0 && ', '}
                  {rich(sharedTexts[trait.name], {
                    value: (
                      <bdi lang={languageOfTrait(resources, trait)}>
                        {labelOfTrait({ resources, places }, pageTranslator(), record, trait)}
                      </bdi>
                    ),
                  })}
                </Fragment>
              ))}
            </p>
            <KeepPlace record={record} resources={resources} />
          </li>
        ))}
      </ul>
    </section>
  )

const sharedTexts: Readonly<Record<TraitName, string>> = {
  creator: message('also by {value}'),
  series: message('also of the series {value}'),
  subject: message('also about {value}'),
  place: message('also from {value}'),
  genre: message('also of the genre {value}'),
  decade: message('also from the {value}'),
}

/** What people call a trait that a zine has. */
export function labelOfTrait(
  { resources, places }: Pick<LabelDependencies, 'resources' | 'places'>,
  translator: Translator,
  { values, lookup }: ResolvedRecord,
  { name, value }: Trait,
): string {
  if (name === 'creator')
    return labelOfReference(resources, lookup, { target: 'agents', id: value })
  if (name === 'place') return labelOfPlace(translator, places.find(value)) ?? value
  if (name === 'decade') return translator.t('{decade}s', { decade: value })
  if (name === 'series') return seriesOf(values).find(({ slug }) => slug === value)?.title ?? value
  return labelOfCode(translator, resources.zines.byName.get(name)?.vocabulary, value)
}

/** The language of the label, where it is not that of the page. */
const languageOfTrait = (resources: Resources, { name, value }: Trait): string | undefined =>
  codeLanguage(resources.zines.byName.get(name)?.vocabulary, value)
