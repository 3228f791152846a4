// Content advice on pages: it is shown before everything else of a zine, and pictures of the zine
// and of its copies only when somebody asks for them (docs/reference/fields.md, "Content advice").

import { listValue } from '../../model/record/values.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import { zineValuesOf } from '../../views/components/record-summary.js'
import { codeText, t } from '../../views/translate.js'

/** The content advice of a zine, or of the zine that a holding is a copy of, as pages say it. */
export type ContentAdvice = {
  /** The labels of its codes. */
  readonly labels: readonly string[]
  /** The library's own words. */
  readonly notes: readonly string[]
}

/** Undefined where there is none. */
export function contentAdviceOf(
  record: ResolvedRecord,
  { zines }: Resources,
): ContentAdvice | undefined {
  const values = zineValuesOf(record) ?? {}
  const codes = listValue(values, 'content_advice')
  const notes = listValue(values, 'content_advice_note')
  if (codes.length + notes.length === 0) return undefined
  const vocabulary = zines.byName.get('content_advice')?.vocabulary
  return { labels: codes.map((code) => codeText(vocabulary, code)), notes }
}

export const ContentAdviceBox = ({ advice }: { readonly advice: ContentAdvice | undefined }) =>
  advice === undefined ? null : (
    <section class="advice" aria-label={t('Content advice')}>
      <h2>{t('Content advice')}</h2>
      {advice.labels.length > 0 && <p>{advice.labels.join(' · ')}</p>}
      {advice.notes.map((note) => (
        <p key={note} dir="auto">
          {note}
        </p>
      ))}
    </section>
  )

/** Pictures as they are; where there is content advice, behind one press that needs no script. */
export const BehindAdvice = ({
  advice,
  children,
}: {
  readonly advice: ContentAdvice | undefined
  readonly children: preact.ComponentChildren
}) =>
  advice === undefined ? (
    <>{children}</>
  ) : (
    <details class="advised">
      <summary>
        {t('Content advice')}
        {advice.labels.length > 0 && `: ${advice.labels.join(', ')}`}
        <br />
        <span class="show">{t('Show pictures')}</span>
      </summary>
      {children}
    </details>
  )
