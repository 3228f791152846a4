// What of a result can be drawn: two columns, of which the second has whole numbers, as bars; and
// places, as points on a map.

import type { Place } from '../../model/places.js'
import { type MapPoint, toMapPoint } from '../places/map-projection.js'
import type { QueryOutcome, ResultRow } from '../sparql/sparql-page.js'

export type Bar = { readonly label: string; readonly number: number }

/** More bars or points would tell nothing. */
const maxDrawn = 100

/** The bars of a table; none where it is no table of two columns that says so. */
export function barsOf(outcome: QueryOutcome | undefined): readonly Bar[] {
  if (outcome?.kind !== 'table' || outcome.columns.length !== 2) return []
  const { columns, rows } = outcome
  const [labels = '', numbers = ''] = columns
  if (rows.length < 2 || rows.length > maxDrawn) return []
  const bars = rows.map((row) => ({
    label: row[labels]?.value ?? '',
    number: wholeNumber(row, numbers),
  }))
  return bars.every(({ number }) => number >= 0) ? bars : []
}

function wholeNumber(row: ResultRow, column: string): number {
  const { datatype = '', value = '' } = row[column] ?? {}
  return datatype.endsWith('#integer') ? Number(value) : -1
}

const placeIri = /^https?:\/\/(?:sws|www)\.geonames\.org\/(\d+)\/?$/

/** The places of a table, each once: IRIs of GeoNames, or columns `latitude` and `longitude`. */
export function pointsOf(
  outcome: QueryOutcome | undefined,
  places: { find(id: string): Place | undefined },
): readonly MapPoint[] {
  if (outcome?.kind !== 'table') return []
  const points = new Map<string, MapPoint>()
  for (const row of outcome.rows) {
    const at = coordinatesIn(row, places)
    if (at) points.set(at.join(' '), toMapPoint(...at))
    if (points.size >= maxDrawn) break
  }
  return [...points.values()]
}

function coordinatesIn(
  row: ResultRow,
  places: { find(id: string): Place | undefined },
): readonly [longitude: number, latitude: number] | undefined {
  const [longitude, latitude] = [Number(row.longitude?.value), Number(row.latitude?.value)]
  if (Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90) return [longitude, latitude]
  for (const { value } of Object.values(row)) {
    const [, id] = placeIri.exec(value) ?? []
    const place = id === undefined ? undefined : places.find(id)
    if (place?.longitude != null && place.latitude != null) return [place.longitude, place.latitude]
  }
  return undefined
}
