// All makers from A to Z with the number of their zines.

import type { Format, PageLinks } from '../../formats/serializer.js'
import { ApiRequest, FormatLinks } from '../../views/components/api-request.js'
import { Layout, type PageContext } from '../../views/layout.js'
import { listPath, makersPath, recordPath, withParameters } from '../../views/links.js'
import { Pager } from '../records/list-page.js'
import { kindTitle, recordCount, t } from '../../views/translate.js'

export type Maker = {
  readonly id: string
  readonly displayName: string
  /** The name that they are filed under. */
  readonly filedAs: string
  /** How many zines they made. */
  readonly zines: number
}

export type MakersPageProps = {
  readonly context: PageContext
  readonly letters: readonly { readonly letter: string; readonly count: number }[]
  /** The letter of the makers that are shown. */
  readonly letter: string
  readonly makers: readonly Maker[]
  /** How many makers the letter has. */
  readonly count: number
  readonly page: { readonly number: number; readonly size: number }
  readonly links: PageLinks
  readonly formats: readonly Format[]
  /** The API's JSON for the same address. */
  readonly json: string
}

export const MakersPage = (props: MakersPageProps) => {
  const { context, letters, letter, makers, count, page, links, formats, json } = props
  return (
    <Layout context={context} title={t('Makers: {letter}', { letter })} styles={['reference.css']}>
      <header class="page-head">
        <div>
          <p class="kicker">
            <a href={listPath('agents')}>{kindTitle('agents')}</a>
          </p>
          <h1>{t('Makers A–Z')}</h1>
        </div>
      </header>
      <p class="lead">
        {t(
          'Everybody who made, wrote for or published a zine, by the name that they are filed under, with the number of zines that they made.',
        )}
      </p>
      <nav class="letters" aria-label={t('Letters')}>
        <ul>
          {letters.map((one) => (
            <li key={one.letter}>
              <a
                href={withParameters(makersPath, '', { letter: one.letter })}
                aria-current={one.letter === letter ? 'page' : undefined}
                aria-label={`${one.letter === '#' ? t('Others') : one.letter}: ${recordCount('agents', one.count)}`}
              >
                {one.letter}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <section aria-labelledby="letter">
        <h2 id="letter">
          {letter} <span class="count">{recordCount('agents', count)}</span>
        </h2>
        <ul class="entries-list terse names">
          {makers.map(({ id, displayName, filedAs, zines }) => (
            <li key={id}>
              <a class="term" dir="auto" href={recordPath('agents', id)}>
                {filedAs}
              </a>
              {filedAs !== displayName && <span class="shown-name"> {displayName}</span>}
              {zines > 0 && (
                <>
                  {' '}
                  <span class="used">
                    <a href={listPath('zines', { creator: id })}>{recordCount('zines', zines)}</a>
                  </span>
                </>
              )}
            </li>
          ))}
        </ul>
        <Pager {...{ context, count, page, links }} />
      </section>
      <FormatLinks context={context} formats={formats} />
      <ApiRequest context={context} json={json} />
    </Layout>
  )
}
