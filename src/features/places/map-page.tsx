// The map of the cities that zines come from and of the libraries that have them, with tables of
// the same.

import type { Format } from '../../formats/serializer.js'
import { ApiRequest, FormatLinks } from '../../views/components/api-request.js'
import { ExternalLink } from '../../views/components/field-value.js'
import { type ActiveFilter, FilterChips } from '../../views/components/filter-chips.js'
import { Layout, type PageContext } from '../../views/layout.js'
import { explorePath, listPath, mapPath, withParameters } from '../../views/links.js'
import { type MapView, mapViews, toMapPoint, worldView } from './map-projection.js'
import type { Place } from '../../model/places.js'
import { numberText, placeName, plural, recordCount, rich, t } from '../../views/translate.js'

/** A city or a library. */
export type MapCircle = {
  readonly id: string
  readonly name: string
  /** The places that it is in, the smallest first. */
  readonly within: readonly Place[]
  readonly latitude: number
  readonly longitude: number
  readonly zines: number
  /** The list of its zines. */
  readonly href: string
  /** Its own page. */
  readonly page?: string
}

export type CountryRow = {
  readonly id: string
  readonly name: string
  /** The country itself. */
  readonly place: Place
  readonly zines: number
  readonly href: string
}

export type MapPageProps = {
  readonly context: PageContext
  readonly view: MapView
  readonly count: number
  readonly placed: number
  readonly cities: readonly MapCircle[]
  readonly countries: readonly CountryRow[]
  readonly libraries: readonly MapCircle[]
  readonly filters: Readonly<Record<string, string>>
  readonly active: readonly ActiveFilter[]
  readonly formats: readonly Format[]
  /** The API's JSON for the same address. */
  readonly json: string
}

export const MapPage = (props: MapPageProps) => {
  const { context, view, active, countries, cities, libraries, formats, json } = props
  return (
    <Layout context={context} title={t('Map')} styles={['reference.css', 'explore.css']}>
      <header class="page-head">
        <h1>{t('Map')}</h1>
      </header>
      <p class="lead">
        {t(
          'Where zines come from, and where they are kept. The larger a circle, the more zines; each leads to its zines.',
        )}
      </p>
      <FilterChips context={context} filters={active} />
      <Counted {...props} />
      <Views context={context} view={view} />
      <World {...props} />
      <div class="map-tables">
        <CircleTable title={t('Cities')} circles={cities} />
        <NamedTable title={t('Countries')} count={countries.length} rows={countries} />
        <CircleTable title={t('Libraries')} circles={libraries} />
      </div>
      <p class="made">
        {rich(
          'Coasts and borders: {naturalEarth}, public domain. Positions of cities: {geoNames}, CC BY 4.0. A library whose city is not in the list of places is at the capital of its country.',
          {
            naturalEarth: (
              <ExternalLink href="https://www.naturalearthdata.com/">Natural Earth</ExternalLink>
            ),
            geoNames: <ExternalLink href="https://www.geonames.org/">GeoNames</ExternalLink>,
          },
        )}
      </p>
      <FormatLinks context={context} formats={formats} />
      <ApiRequest context={context} json={json} />
    </Layout>
  )
}

const Counted = ({ count, placed, cities, filters }: MapPageProps) => (
  <p role="status">
    {Object.keys(filters).length > 0
      ? plural(
          count,
          '{count} zine with the chosen filters',
          '{count} zines with the chosen filters',
        )
      : recordCount('zines', count)}
    {plural(
      cities.length,
      ', of which {placed} name a place that is known, in {count} city.',
      ', of which {placed} name a place that is known, in {count} cities.',
      { placed: numberText(placed) },
    )}{' '}
    {rich('{list} or {charts}.', {
      list: (
        <a href={listPath('zines', filters)}>
          {count === 1 ? t('Show it as a list') : t('Show them as a list')}
        </a>
      ),
      charts: <a href={withParameters(explorePath, '', filters)}>{t('in charts')}</a>,
    })}
  </p>
)

/** Links to the parts of the map. */
const Views = ({ context, view }: { readonly context: PageContext; readonly view: MapView }) => (
  <nav class="letters" aria-label={t('Parts of the map')}>
    <ul>
      {mapViews.map(({ name, title }) => (
        <li key={name}>
          <a
            href={withParameters(mapPath, context.query, {
              view: name === worldView.name ? undefined : name,
            })}
            aria-current={name === view.name ? 'page' : undefined}
          >
            {t(title)}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

/** Of a map with more circles nothing can be told. */
const maxCircles = 300

const World = ({ context, view, ...shown }: MapPageProps) => {
  const [cities, libraries] = [shown.cities, shown.libraries].map((all) => all.slice(0, maxCircles))
  if (!cities || !libraries) return null
  const most = Math.max(1, ...[...cities, ...libraries].map(({ zines }) => zines))
  const { x, y, width, height } = view
  const image = worldView
  return (
    // The tables below have the same links for keyboards and screen readers.
    <svg class="map" viewBox={`${x} ${y} ${width} ${height}`} aria-hidden="true" focusable="false">
      <image
        href={context.assetUrl('world.svg')}
        x={image.x}
        y={image.y}
        width={image.width}
        height={image.height}
      />
      {[
        ...libraries.map((one) => ({ ...one, kind: 'library' })),
        ...cities.map((one) => ({ ...one, kind: 'city' })),
      ]
        .sort((a, b) => b.zines - a.zines)
        .map(({ id, name, kind, latitude, longitude, zines, href }) => {
          const point = toMapPoint(longitude, latitude)
          return (
            <a key={`${kind} ${id}`} href={href} tabIndex={-1}>
              <title>{`${name}: ${recordCount('zines', zines)}`}</title>
              <circle class={kind} cx={point.x} cy={point.y} r={radiusOf(zines / most, width)} />
            </a>
          )
        })}
    </svg>
  )
}

/** In units of the map: the area shows the number, and none is too small to be seen. */
const radiusOf = (share: number, width: number): number =>
  Math.round(width * (0.0045 + 0.022 * Math.sqrt(share)))

const maxRows = 20

const CircleTable = ({
  title,
  circles,
}: {
  readonly title: string
  readonly circles: readonly MapCircle[]
}) => <NamedTable title={title} count={circles.length} rows={circles.slice(0, maxCircles)} />

type TableRow = Omit<CountryRow, 'place'> & {
  readonly place?: Place
  readonly within?: readonly Place[]
  readonly page?: string
}

const NamedTable = ({
  title,
  rows,
  count,
}: {
  readonly title: string
  readonly rows: readonly TableRow[]
  /** How many there are, also those that are not shown. */
  readonly count: number
}) => {
  if (rows.length === 0) return null
  const more = rows.slice(maxRows)
  return (
    <section>
      <h2 class="label">
        {title} <span class="count">{numberText(count)}</span>
      </h2>
      {count > rows.length && (
        <p>{t('The {count} with the most zines are shown.', { count: numberText(rows.length) })}</p>
      )}
      <Rows title={title} rows={rows.slice(0, maxRows)} />
      {more.length > 0 && (
        <details class="numbers">
          <summary>
            {rich('{count} more {title}', {
              count: numberText(more.length),
              title: <span class="visually-hidden">{title.toLowerCase()}</span>,
            })}
          </summary>
          <Rows title={t('More {title}', { title: title.toLowerCase() })} rows={more} />
        </details>
      )}
    </section>
  )
}

const Rows = ({ title, rows }: { readonly title: string; readonly rows: readonly TableRow[] }) => (
  <table>
    <caption class="visually-hidden">{t('{title} with their numbers of zines', { title })}</caption>
    <thead>
      <tr>
        <th scope="col">{t('Name')}</th>
        <th scope="col" class="number">
          {t('Zines')}
        </th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ id, place, name, within = [], page, zines, href }) => (
        <tr key={id}>
          <td>
            {page === undefined ? place ? placeName(place) : name : <a href={page}>{name}</a>}
            {within.length > 0 && (
              <span class="shown-name"> {within.map(placeName).join(', ')}</span>
            )}
          </td>
          <td class="number">
            <a
              href={href}
              aria-label={`${recordCount('zines', zines)}: ${place ? placeName(place) : name}`}
            >
              {numberText(zines)}
            </a>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)
