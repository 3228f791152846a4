// Where a point of the earth is on the map: the Equal Earth projection, in which equal areas are
// equally large (Šavrič, Patterson and Jenny, 2018). src/views/assets/world.svg is drawn in it.

import { message } from '../../message.js'

export type MapPoint = { readonly x: number; readonly y: number }

/** The radius of the earth in units of the map. */
const radius = 1000

const [a1, a2, a3, a4] = [1.340264, -0.081106, 0.000893, 0.003796] as const

/** @param latitude in decimal degrees, like `longitude` */
export function toMapPoint(longitude: number, latitude: number): MapPoint {
  const angle = Math.asin((Math.sqrt(3) / 2) * Math.sin(toRadians(latitude)))
  const square = angle * angle
  const sixth = square * square * square
  const slope = a1 + 3 * a2 * square + sixth * (7 * a3 + 9 * a4 * square)
  const x = (2 * Math.sqrt(3) * toRadians(longitude) * Math.cos(angle)) / (3 * slope)
  const y = angle * (a1 + a2 * square + sixth * (a3 + a4 * square))
  return { x: Math.round(radius * x), y: Math.round(-radius * y) }
}

const toRadians = (degrees: number): number => (degrees * Math.PI) / 180

/** A part of the map, as `viewBox` has it. */
export type MapView = {
  readonly name: string
  readonly title: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** @param bounds west, south, east and north, in degrees */
function createView(
  name: string,
  title: string,
  bounds: readonly [number, number, number, number],
) {
  const [west, south, east, north] = bounds
  const corners = [south, 0, north]
    .filter((latitude) => latitude >= south && latitude <= north)
    .flatMap((latitude) => [toMapPoint(west, latitude), toMapPoint(east, latitude)])
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)]
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return { name, title, x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y }
}

export const worldView: MapView = createView('world', message('World'), [-180, -56, 180, 84])

/** The parts of the map that are shown larger. */
export const mapViews: readonly MapView[] = [
  worldView,
  createView('north-america', message('North America'), [-130, 14, -62, 58]),
  createView('south-america', message('Latin America'), [-118, -56, -34, 33]),
  createView('europe', message('Europe'), [-12, 34, 42, 66]),
  createView('africa', message('Africa'), [-20, -36, 54, 38]),
  createView('asia', message('Asia'), [42, -11, 150, 56]),
  createView('oceania', message('Oceania'), [110, -48, 180, 2]),
]

/** A point and how much it counts. */
export type WeighedPoint = { readonly point: MapPoint; readonly weight: number }

/** The least width of a part of the map: about that of a country of Europe. */
const minWidth = 500
/** What may lie outside at each side. */
const leftOut = 0.03

/** The name of the view that depends on what the map has. */
export const closeViewName = 'zines'

/** The part of the map that has nearly all points; undefined without one. */
export function closeViewOf(points: readonly WeighedPoint[]): MapView | undefined {
  const [west, east] = rangeOf(points.map(({ point, weight }) => [point.x, weight]))
  const [north, south] = rangeOf(points.map(({ point, weight }) => [point.y, weight]))
  if (west === undefined || east === undefined || north === undefined || south === undefined)
    return undefined
  const shape = worldView.height / worldView.width
  const width = Math.min(
    worldView.width,
    Math.max(minWidth, 1.2 * (east - west), (1.2 * (south - north)) / shape),
  )
  const height = width * shape
  return {
    name: closeViewName,
    title: message('Where most are from'),
    x: Math.round((west + east - width) / 2),
    y: Math.round((north + south - height) / 2),
    width: Math.round(width),
    height: Math.round(height),
  }
}

/** Between which values nearly all of the weight is. */
function rangeOf(values: readonly (readonly [number, number])[]): readonly number[] {
  const ascending = [...values].sort(([a], [b]) => a - b)
  const all = ascending.reduce((sum, [, weight]) => sum + weight, 0)
  const firstBeyond = (sorted: typeof ascending): number | undefined => {
    let weight = 0
    return sorted.find(([, weightHere]) => (weight += weightHere) > leftOut * all)?.[0]
  }
  const [low, high] = [firstBeyond(ascending), firstBeyond(ascending.reverse())]
  return low === undefined || high === undefined ? [] : [low, high]
}
