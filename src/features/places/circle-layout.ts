// Parts the circles of a map that overlap, as far as they stay near the place that they stand for.

import type { MapPoint } from './map-projection.js'

/** A circle in units of the map. */
export type Placed = MapPoint & { readonly radius: number }

/** A circle moves away from its place by so many radii of the smallest one at most. */
const maxMove = 1.5
const rounds = 12
/** So that circles at the same point part in different directions: the golden angle. */
const turn = 2.399963

/** The same circles in the same order, moved. */
export function partCircles(circles: readonly Placed[]): readonly MapPoint[] {
  const most = maxMove * Math.min(...circles.map(({ radius }) => radius))
  const points = circles.map(({ x, y }, index) => ({
    x: x + Math.cos(turn * index) / 10,
    y: y + Math.sin(turn * index) / 10,
  }))
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, a] of points.entries())
      for (let other = index + 1; other < points.length; other += 1) {
        const b = points[other]
        const [first, second] = [circles[index], circles[other]]
        if (!b || !first || !second) continue
        const distance = Math.hypot(b.x - a.x, b.y - a.y)
        const overlap = first.radius + second.radius - distance
        if (overlap <= 0 || distance === 0) continue
        // The smaller one gives way.
        const share = second.radius / (first.radius + second.radius)
        const [dx, dy] = [((b.x - a.x) / distance) * overlap, ((b.y - a.y) / distance) * overlap]
        a.x -= dx * share
        a.y -= dy * share
        b.x += dx * (1 - share)
        b.y += dy * (1 - share)
      }
    points.forEach((point, index) => keepNear(point, circles[index], most))
  }
  return points.map(({ x, y }) => ({ x: Math.round(x), y: Math.round(y) }))
}

function keepNear(point: { x: number; y: number }, circle: Placed | undefined, most: number): void {
  if (!circle) return
  const [dx, dy] = [point.x - circle.x, point.y - circle.y]
  const moved = Math.hypot(dx, dy)
  if (moved <= most) return
  point.x = circle.x + (dx / moved) * most
  point.y = circle.y + (dy / moved) * most
}
