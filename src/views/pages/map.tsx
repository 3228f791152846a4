// The map of the cities that zines come from and of the libraries that have them, with tables of the same.

import type { Format } from '../../formats/serializer.js'
import { ApiRequest, FormatLinks } from '../components/api-request.js'
import { ExternalLink } from '../components/field-value.js'
import { type ActiveFilter, FilterChips } from '../components/filter-chips.js'
import { Layout, type PageContext } from '../layout.js'
import { explorePath, listPath, mapPath, nounFor, withParameters } from '../links.js'
import { type MapView, mapViews, toMapPoint, worldView } from '../map-projection.js'

/** A city or a library. */
export type MapCircle = {
  readonly id: string
  readonly name: string
  /** Where it is, in words. */
  readonly within: string
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
    <Layout context={context} title="Map" styles={['reference.css', 'explore.css']}>
      <header class="page-head">
        <h1>Map</h1>
      </header>
      <p class="lead">
        Where zines come from, and where they are kept. The larger a circle, the more zines; each
        leads to its zines.
      </p>
      <FilterChips context={context} filters={active} />
      <Counted {...props} />
      <Views context={context} view={view} />
      <World {...props} />
      <div class="map-tables">
        <CircleTable title="Cities" circles={cities} />
        <NamedTable title="Countries" count={countries.length} rows={countries} />
        <CircleTable title="Libraries" circles={libraries} />
      </div>
      <p class="made">
        Coasts and borders:{' '}
        <ExternalLink href="https://www.naturalearthdata.com/">Natural Earth</ExternalLink>, public
        domain. Positions of cities:{' '}
        <ExternalLink href="https://www.geonames.org/">GeoNames</ExternalLink>, CC BY 4.0. A library
        whose city is not in the list of places is at the capital of its country.
      </p>
      <FormatLinks context={context} formats={formats} />
      <ApiRequest context={context} json={json} />
    </Layout>
  )
}

const Counted = ({ count, placed, cities, filters }: MapPageProps) => (
  <p role="status">
    {count.toLocaleString('en')} {nounFor('zines', count)}
    {Object.keys(filters).length > 0 && ' with the chosen filters'}, of which{' '}
    {placed.toLocaleString('en')} name a place that is known, in{' '}
    {cities.length.toLocaleString('en')} {cities.length === 1 ? 'city' : 'cities'}.{' '}
    <a href={listPath('zines', filters)}>Show {count === 1 ? 'it' : 'them'} as a list</a> or{' '}
    <a href={withParameters(explorePath, '', filters)}>in charts</a>.
  </p>
)

/** Links to the parts of the map. */
const Views = ({ context, view }: { readonly context: PageContext; readonly view: MapView }) => (
  <nav class="letters" aria-label="Parts of the map">
    <ul>
      {mapViews.map(({ name, title }) => (
        <li key={name}>
          <a
            href={withParameters(mapPath, context.query, {
              view: name === worldView.name ? undefined : name,
            })}
            aria-current={name === view.name ? 'page' : undefined}
          >
            {title}
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
              <title>{`${name}: ${zines.toLocaleString('en')} ${nounFor('zines', zines)}`}</title>
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

type TableRow = CountryRow & { readonly within?: string; readonly page?: string }

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
        {title} <span class="count">{count.toLocaleString('en')}</span>
      </h2>
      {count > rows.length && (
        <p>The {rows.length.toLocaleString('en')} with the most zines are shown.</p>
      )}
      <Rows title={title} rows={rows.slice(0, maxRows)} />
      {more.length > 0 && (
        <details class="numbers">
          <summary>
            {more.length.toLocaleString('en')} more{' '}
            <span class="visually-hidden">{title.toLowerCase()}</span>
          </summary>
          <Rows title={`More ${title.toLowerCase()}`} rows={more} />
        </details>
      )}
    </section>
  )
}

const Rows = ({ title, rows }: { readonly title: string; readonly rows: readonly TableRow[] }) => (
  <table>
    <caption class="visually-hidden">{title} with their numbers of zines</caption>
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col" class="number">
          Zines
        </th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ id, name, within, page, zines, href }) => (
        <tr key={id}>
          <td>
            {page === undefined ? name : <a href={page}>{name}</a>}
            {within !== undefined && within !== '' && <span class="shown-name"> {within}</span>}
          </td>
          <td class="number">
            <a
              href={href}
              aria-label={`${zines.toLocaleString('en')} ${nounFor('zines', zines)}: ${name}`}
            >
              {zines.toLocaleString('en')}
            </a>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)
