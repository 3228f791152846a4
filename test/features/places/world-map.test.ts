// The map of the world that pages show is that of Natural Earth. GOLDEN=write makes it again.

import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

import { expect } from 'chai'

import { mapViews, toMapPoint, worldView } from '../../../src/features/places/map-projection.js'

const file = 'src/views/assets/world.svg'

type Ring = readonly number[]

/** What is used of a topology (TopoJSON): lines that are parts of borders, each with steps between its points. */
type Topology = {
  readonly transform: {
    readonly scale: readonly [number, number]
    readonly translate: readonly [number, number]
  }
  readonly arcs: readonly (readonly (readonly [number, number])[])[]
  readonly objects: {
    readonly land: {
      readonly geometries: readonly { readonly arcs: readonly (readonly Ring[])[] }[]
    }
  }
}

/** South of it is only Antarctica. */
const southernmost = -60

async function drawWorld(): Promise<string> {
  const source = createRequire(import.meta.url).resolve('world-atlas/countries-110m.json')
  const topology = JSON.parse(await readFile(source, 'utf8')) as Topology
  const { scale, translate } = topology.transform
  const lines = topology.arcs.map((steps) => {
    let [east, north] = [0, 0]
    return steps.map(([x, y]) => {
      east += x
      north += y
      return [east * scale[0] + translate[0], north * scale[1] + translate[1]] as const
    })
  })
  const rings = topology.objects.land.geometries.flatMap(({ arcs }) => arcs.flat())
  const coasts = new Set(rings.flat().map((arc) => (arc < 0 ? ~arc : arc)))
  const isShown = (points: (typeof lines)[number]): boolean =>
    points.some(([, latitude]) => latitude > southernmost)
  const land = rings
    .map((ring) =>
      ring.flatMap((arc) => (arc < 0 ? [...(lines[~arc] ?? [])].reverse() : (lines[arc] ?? []))),
    )
    .filter(isShown)
    .flatMap(unbroken)
    .map((points) => `${pathOf(points)}z`)
  const borders = lines
    .filter((points, arc) => !coasts.has(arc) && isShown(points))
    .flatMap(unbroken)
    .map(pathOf)
  const { x, y, width, height } = worldView
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${x} ${y} ${width} ${height}">`,
    '<!-- Natural Earth, 1:110m, public domain (naturalearthdata.com), as world-atlas 2.0.2 has it. -->',
    `<path fill="#8a8172" fill-opacity=".35" d="${land.join('')}"/>`,
    `<path fill="none" stroke="#8a8172" stroke-width="2" d="${borders.join('')}"/>`,
    '</svg>',
    '',
  ].join('\n')
}

type Line = readonly (readonly [longitude: number, latitude: number])[]

/** A line that crosses the edge of the map goes on beyond it, and is drawn at both edges. */
function unbroken(points: Line): readonly Line[] {
  let turns = 0
  const shifted = points.map(([longitude, latitude], index) => {
    const step = longitude - (points[index - 1]?.[0] ?? longitude)
    if (Math.abs(step) > 180) turns -= Math.sign(step)
    return [longitude + 360 * turns, latitude] as const
  })
  const beyond = Math.sign(shifted.find(([longitude]) => Math.abs(longitude) > 180)?.[0] ?? 0)
  const other = shifted.map(
    ([longitude, latitude]) => [longitude - 360 * beyond, latitude] as const,
  )
  return beyond === 0 ? [shifted] : [shifted, other]
}

/** The points in steps, those left out that are the same on the map. */
function pathOf(points: Line): string {
  let path = ''
  let [lastX, lastY] = [0, 0]
  for (const [index, [longitude, latitude]] of points.entries()) {
    const { x, y } = toMapPoint(longitude, latitude)
    if (index === 0) path += `M${x} ${y}l`
    else if (x !== lastX || y !== lastY) path += `${x - lastX} ${y - lastY} `
    ;[lastX, lastY] = [x, y]
  }
  return path.trim()
}

describe('the map of the world', () => {
  it('is that of Natural Earth', async () => {
    const drawn = await drawWorld()
    if (process.env.GOLDEN === 'write') await writeFile(file, drawn)
    expect(await readFile(file, 'utf8')).to.equal(drawn)
  })

  it('has places where they are', () => {
    expect(toMapPoint(0, 0)).to.deep.equal({ x: 0, y: -0 })
    // The eastern end of the equator, and the North Pole, of a sphere with a radius of 1,000.
    expect(toMapPoint(180, 0).x).to.equal(2707)
    expect(toMapPoint(0, 90).y).to.equal(-1317)
    const [london, paris] = [toMapPoint(-0.13, 51.5), toMapPoint(2.35, 48.86)]
    expect(london.x).to.be.lessThan(paris.x)
    expect(london.y).to.be.lessThan(paris.y)
  })

  it('is shown in parts, each within the whole', () => {
    for (const { name, x, y, width, height } of mapViews) {
      expect(x, name).to.be.at.least(worldView.x)
      expect(y, name).to.be.at.least(worldView.y)
      expect(x + width, name).to.be.at.most(worldView.x + worldView.width)
      expect(y + height, name).to.be.at.most(worldView.y + worldView.height)
    }
  })
})
