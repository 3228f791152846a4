// The pages of places: the list, and a place with the places above and below it.

import { atom } from '../../formats/atom.js'
import type { Format, PageLinks } from '../../formats/serializer.js'
import type { Place } from '../../model/places.js'
import type { Resources } from '../../model/resources.js'
import type { Vocabulary } from '../../model/vocabulary.js'
import { Form } from '../../views/form.js'
import {
  entryPath,
  listPath,
  mapPath,
  placePath,
  placesPath,
  withParameters,
} from '../../views/links.js'
import type { Covers } from '../covers/cover.js'
import { Pager } from '../records/list-page.js'
import { RelatedBox, type RelatedRecords } from '../records/record-page.js'
import { Layout, type PageContext } from '../../views/layout.js'
import { FormatLinks, ApiRequest } from '../../views/components/api-request.js'
import { ExternalLink } from '../../views/components/field-value.js'
import { LabelledSelect, codeOptions } from '../../views/components/select.js'
import { MapDrawing } from './map-page.js'
import { closeViewOf, toMapPoint } from './map-projection.js'
import {
  codeText,
  message,
  numberText,
  placeName,
  plural,
  recordCount,
  rich,
  t,
} from '../../views/translate.js'

type PlaceProps = {
  readonly context: PageContext
  readonly countries: Vocabulary
  readonly formats: readonly Format[]
  /** The API's JSON for the same address. */
  readonly json: string
}

export type PlacesPageProps = PlaceProps & {
  readonly places: readonly Place[]
  /** How many zines come from each place that has any. */
  readonly zines: ReadonlyMap<Place, number>
  readonly count: number
  readonly page: { readonly number: number; readonly size: number }
  readonly links: PageLinks
  readonly search: string
  readonly country: string
  readonly level: string
}

const levels: Readonly<Record<Place['level'], string>> = {
  country: message('Country'),
  admin1: message('Region'),
  city: message('City'),
}

export const PlacesPage = (props: PlacesPageProps) => {
  const { context, countries, places, zines, count, page, links, formats, json } = props
  return (
    <Layout context={context} title={t('Places')} styles={['reference.css']}>
      <header class="page-head">
        <div>
          <Kicker />
          <h1>{t('Places')}</h1>
        </div>
      </header>
      <p class="lead">
        {rich('Countries, their regions and larger cities, as {geoNames} knows them (CC BY 4.0).', {
          geoNames: <ExternalLink href="https://www.geonames.org/">GeoNames</ExternalLink>,
        })}
      </p>
      <Controls {...props} />
      <div data-live>
        <p class="count">
          <strong>{numberText(count)}</strong> {plural(count, 'place', 'places')}
        </p>
        <ol class="records" start={(page.number - 1) * page.size + 1}>
          {places.map((place) => (
            <li key={place.geoname_id}>
              <PlaceLine place={place} countries={countries} zines={zines.get(place) ?? 0} />
            </li>
          ))}
        </ol>
        <Pager {...{ context, count, page, links }} />
        <FormatLinks context={context} formats={formats} />
        <ApiRequest context={context} json={json} />
      </div>
    </Layout>
  )
}

const Kicker = () => (
  <p class="kicker">
    <a href="/api/geography/">{t('Countries, languages and places')}</a>
  </p>
)

const Controls = ({ context, countries, search, country, level }: PlacesPageProps) => (
  <Form method="get" class="controls" action={context.path} role="search" data-live-form>
    <label class="grow">
      <span>{t('Search places')}</span>
      <input type="search" name="search" value={search} autocomplete="off" />
    </label>
    <LabelledSelect
      name="country_code"
      label={t('Country')}
      value={country}
      options={[['', t('All countries')], ...codeOptions(countries)]}
    />
    <LabelledSelect
      name="level"
      label={t('Level')}
      value={level}
      options={[
        ['', t('All levels')],
        ...Object.entries(levels).map(([value, label]) => [value, t(label)] as const),
      ]}
    />
    <button>{t('Search')}</button>
  </Form>
)

const PlaceLine = ({
  place,
  countries,
  zines,
}: {
  readonly place: Place
  readonly countries: Vocabulary
  readonly zines: number
}) => {
  const { geoname_id, level, country_code, population } = place
  return (
    <article class="summary">
      <h2>
        <a href={placePath(geoname_id)}>{placeName(place)}</a>
      </h2>
      <p class="line">
        <span>{t(levels[level])}</span>
        {level !== 'country' && <span>{codeText(countries, country_code)}</span>}
        {zines > 0 && (
          <span>
            <a href={listPath('zines', { place: String(geoname_id) })}>
              {recordCount('zines', zines)}
            </a>
          </span>
        )}
        {population !== null && population > 0 && (
          <span>{plural(population, '{count} person', '{count} people')}</span>
        )}
      </p>
    </article>
  )
}

type PlacePageProps = PlaceProps & {
  readonly place: Place
  /** The places that contain it, the largest first. */
  readonly above: readonly Place[]
  /** The places in it, the most populous first. */
  readonly below: readonly Place[]
  /** The first of those that were made here. */
  readonly zines: RelatedRecords
  readonly resources: Resources
  readonly covers: Covers
}

export const PlacePage = (props: PlacePageProps) => {
  const { context, place, below, zines, resources, covers, formats, json } = props
  return (
    <Layout
      context={context}
      title={placeName(place)}
      styles={['reference.css', 'explore.css']}
      head={<FeedLink place={place} />}
    >
      <article class="record">
        <header class="page-head">
          <div>
            <p class="kicker">
              <a href={placesPath}>{t('Places')}</a>
            </p>
            <h1>{placeName(place)}</h1>
          </div>
        </header>
        <div class="with-side right list-first">
          <div>
            <PlaceMap {...props} />
            <PlaceFields {...props} />
          </div>
          <section aria-label={t('Zines and formats')}>
            <RelatedBox related={zines} {...{ resources, covers }} />
            <p class="made">
              <a href={feedPath(place)}>{t('Follow these zines (Atom feed)')}</a>
            </p>
            <FormatLinks context={context} formats={formats} />
          </section>
        </div>
        {below.length > 0 && (
          <section class="places-within">
            <h2 class="label">
              {place.level === 'country' ? t('Regions') : t('Cities')} {numberText(below.length)}
            </h2>
            <ul>
              <PlaceLinks places={below} />
            </ul>
          </section>
        )}
        <ApiRequest context={context} json={json} />
      </article>
    </Layout>
  )
}

/** The feed of the zines that come from a place. */
const feedPath = ({ geoname_id }: Place): string =>
  listPath('zines', { place: String(geoname_id), format: atom.name })

/** Feed readers find the feed by it. */
const FeedLink = ({ place }: { readonly place: Place }) => (
  <link
    rel="alternate"
    type={atom.type}
    title={t('{title}: what is new', { title: placeName(place) })}
    href={feedPath(place)}
  />
)

/** Where the place is, with the places in it. */
const PlaceMap = ({ context, place, below }: PlacePageProps) => {
  const points = [place, ...below].flatMap(({ longitude, latitude }) =>
    longitude === null || latitude === null ? [] : [toMapPoint(longitude, latitude)],
  )
  const view = closeViewOf(points.map((point) => ({ point, weight: 1 })))
  const [placePoint] = points
  if (!view || !placePoint || place.longitude === null) return null
  return (
    <figure>
      <MapDrawing context={context} view={view}>
        <circle class="city" cx={placePoint.x} cy={placePoint.y} r={Math.round(view.width / 30)} />
      </MapDrawing>
      <figcaption class="map-legend">
        <a href={withParameters(mapPath, '', { place: String(place.geoname_id) })}>
          {t('The zines of this place on the map')}
        </a>
      </figcaption>
    </figure>
  )
}

const PlaceLinks = ({ places }: { readonly places: readonly Place[] }) => (
  <>
    {places.map((place) => (
      <li key={place.geoname_id}>
        <a href={placePath(place.geoname_id)}>{placeName(place)}</a>
      </li>
    ))}
  </>
)

const PlaceFields = ({ place, above, countries }: PlacePageProps) => {
  const { geoname_id, level, country_code, admin1_code, population } = place
  const country = countries.find(country_code)
  return (
    <dl class="fields">
      <div>
        <dt>{t('Level')}</dt>
        <dd>{t(levels[level])}</dd>
      </div>
      {above.length > 0 && (
        <div>
          <dt>{t('Part of')}</dt>
          <dd>
            <ul class="values">
              <PlaceLinks places={above} />
            </ul>
          </dd>
        </div>
      )}
      <div>
        <dt>{t('Country')}</dt>
        <dd>
          {country ? (
            <a href={entryPath(countries, country.code)}>{codeText(countries, country.code)}</a>
          ) : (
            country_code
          )}
        </dd>
      </div>
      {admin1_code !== '' && (
        <div>
          <dt>{t('Region code')}</dt>
          <dd>
            <code>{admin1_code}</code>
          </dd>
        </div>
      )}
      {population !== null && (
        <div>
          <dt>{t('Population')}</dt>
          <dd>{numberText(population)}</dd>
        </div>
      )}
      <Coordinates place={place} />
      <div>
        <dt>GeoNames</dt>
        <dd>
          <ExternalLink href={`https://www.geonames.org/${geoname_id}`}>
            {String(geoname_id)}
          </ExternalLink>
        </dd>
      </div>
    </dl>
  )
}

// The zoom of the map for each level.
const zooms: Readonly<Record<Place['level'], number>> = { country: 5, admin1: 7, city: 11 }

const Coordinates = ({ place: { latitude, longitude, level } }: { readonly place: Place }) => {
  if (latitude === null || longitude === null) return null
  const at = `${latitude}/${longitude}`
  const address = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=${zooms[level]}/${at}`
  return (
    <div>
      <dt>{t('Coordinates')}</dt>
      <dd>
        <ExternalLink href={address}>
          {t('{latitude}, {longitude} on OpenStreetMap', { latitude, longitude })}
        </ExternalLink>
      </dd>
    </div>
  )
}
