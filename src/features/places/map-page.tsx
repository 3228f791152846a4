// The map of the cities that zines come from and of the libraries that have them, with tables of
// the same.

import { type ComponentChildren, Fragment } from 'preact'

import type { Format } from '../../formats/serializer.js'
import { ApiRequest, FormatLinks } from '../../views/components/api-request.js'
import { ExternalLink } from '../../views/components/field-value.js'
import { type ActiveFilter, FilterChips } from '../../views/components/filter-chips.js'
import { Layout, type PageContext } from '../../views/layout.js'
import { explorePath, listPath, mapPath, withParameters } from '../../views/links.js'
import { partCircles } from './circle-layout.js'
import { type MapView, toMapPoint, worldView } from './map-projection.js'
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
  readonly page: string
}

export type CountryRow = {
  readonly id: string
  readonly name: string
  /** The country itself. */
  readonly place: Place
  readonly zines: number
  readonly href: string
  readonly page: string
}

export type MapPageProps = {
  readonly context: PageContext
  readonly view: MapView
  /** All parts of the map that are offered, that which is shown unless one is chosen first. */
  readonly views: readonly MapView[]
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
  const { context, active, countries, cities, libraries, formats, json } = props
  return (
    <Layout context={context} title={t('Map')} styles={['reference.css', 'explore.css']}>
      <header class="page-head">
        <h1>{t('Map')}</h1>
      </header>
      <p class="lead">
        {t(
          'Where zines come from, and where they are kept. Larger circles mean more zines. Click one to see them.',
        )}
      </p>
      <FilterChips context={context} filters={active} />
      <Counted {...props} />
      <Views {...props} />
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

const Counted = ({ count, placed, filters }: MapPageProps) => (
  <p role="status">
    {plural(count, '{placed} of {zines} is on the map.', '{placed} of {zines} are on the map.', {
      placed: numberText(placed),
      zines: recordCount('zines', count),
    })}{' '}
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
const Views = ({ context, view, views }: MapPageProps) => (
  <nav class="letters" aria-label={t('Parts of the map')}>
    <ul>
      {views.map(({ name, title }, index) => (
        <li key={name}>
          <a
            href={withParameters(mapPath, context.query, {
              view: index === 0 ? undefined : name,
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
  const circles = [
    ...shown.libraries.slice(0, maxCircles).map((library) => ({ ...library, kind: 'library' })),
    ...shown.cities.slice(0, maxCircles).map((city) => ({ ...city, kind: 'city' })),
  ].sort((a, b) => b.zines - a.zines)
  const most = Math.max(1, ...circles.map(({ zines }) => zines))
  const radii = circles.map(({ zines }) => radiusOf(zines / most, view.width))
  const points = partCircles(
    circles.map(({ latitude, longitude }, index) => ({
      ...toMapPoint(longitude, latitude),
      radius: radii[index] ?? 0,
    })),
  )
  return (
    <figure>
      <MapDrawing context={context} view={view}>
        {circles.map(({ id, name, kind, zines, href }, index) => (
          <a key={`${kind} ${id}`} href={href} tabIndex={-1}>
            <title>{`${name}: ${recordCount('zines', zines)}`}</title>
            <circle class={kind} cx={points[index]?.x} cy={points[index]?.y} r={radii[index]} />
          </a>
        ))}
      </MapDrawing>
      <Legend most={most} width={view.width} />
    </figure>
  )
}

/** The coasts with what is drawn on them. Pages have the same in texts and links beside it. */
export const MapDrawing = ({
  context,
  view: { x, y, width, height },
  children,
}: {
  readonly context: PageContext
  readonly view: Pick<MapView, 'x' | 'y' | 'width' | 'height'>
  readonly children: ComponentChildren
}) => (
  <svg class="map" viewBox={`${x} ${y} ${width} ${height}`} aria-hidden="true" focusable="false">
    <image
      href={context.assetUrl('world.svg')}
      x={worldView.x}
      y={worldView.y}
      width={worldView.width}
      height={worldView.height}
    />
    {children}
  </svg>
)

/** What the colours and sizes of circles mean. Its circles are as large as those of the map. */
const Legend = ({ most, width }: { readonly most: number; readonly width: number }) => {
  const sizes = [...new Set([1, Math.ceil(most / 10), most])]
  return (
    <figcaption class="map-legend">
      <span>
        <LegendCircle kind="city" radius={radiusOf(0.05, width)} width={width} />{' '}
        {t('City that zines come from')}
      </span>{' '}
      <span>
        <LegendCircle kind="library" radius={radiusOf(0.05, width)} width={width} /> {t('Library')}
      </span>
      {sizes.map((zines) => (
        <Fragment key={zines}>
          {' '}
          <span>
            <LegendCircle kind="size" radius={radiusOf(zines / most, width)} width={width} />{' '}
            {recordCount('zines', zines)}
          </span>
        </Fragment>
      ))}
    </figcaption>
  )
}

const LegendCircle = ({
  kind,
  radius,
  width,
}: {
  readonly kind: 'city' | 'library' | 'size'
  readonly radius: number
  /** That of the map, in its units. */
  readonly width: number
}) => (
  <svg
    class="map-key"
    width={`${Math.round((20_000 * radius) / width) / 100}%`}
    viewBox={`${-radius} ${-radius} ${2 * radius} ${2 * radius}`}
    aria-hidden="true"
    focusable="false"
  >
    <circle class={kind} r={radius} />
  </svg>
)

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
            <a href={page}>{place ? placeName(place) : name}</a>
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
