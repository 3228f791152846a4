// Circles of a map that part.

import { expect } from 'chai'
import fc from 'fast-check'

import { partCircles } from '../../../src/features/places/circle-layout.js'
import { closeViewOf } from '../../../src/features/places/map-projection.js'

const distance = (a: { x: number; y: number }, b: { x: number; y: number }): number =>
  Math.hypot(a.x - b.x, a.y - b.y)

describe('circles of a map', () => {
  it('part where they are at the same point', () => {
    const circle = { x: 100, y: 100, radius: 20 }
    const [a, b, c] = partCircles([circle, circle, { x: 500, y: 100, radius: 20 }])
    if (!a || !b || !c) throw new Error('a circle is missing')
    expect(distance(a, b)).to.be.closeTo(40, 2)
    expect(distance(c, { x: 500, y: 100 })).to.be.below(2)
  })

  it('stay near their places', () => {
    const circle = fc.record({
      x: fc.integer({ min: 0, max: 300 }),
      y: fc.integer({ min: 0, max: 300 }),
      radius: fc.integer({ min: 20, max: 80 }),
    })
    fc.assert(
      fc.property(fc.array(circle, { minLength: 1, maxLength: 30 }), (circles) => {
        const most = 1.5 * Math.min(...circles.map(({ radius }) => radius))
        const points = partCircles(circles)
        expect(points).to.have.length(circles.length)
        for (const [index, point] of points.entries())
          expect(distance(point, circles[index] ?? point)).to.be.at.most(most + 1)
      }),
    )
  })
})

describe('the part of a map that has nearly all', () => {
  const at = (x: number, y: number, weight: number) => ({ point: { x, y }, weight })

  it('leaves out the few that are far away', () => {
    const near = [at(0, 0, 50), at(400, 50, 50)]
    const view = closeViewOf([...near, at(-2500, 900, 1), at(2500, -900, 1)])
    expect(view).to.deep.equal(closeViewOf(near))
    expect(view?.width).to.equal(500)
  })

  it('has all that weigh alike, around their middle', () => {
    const view = closeViewOf([at(-1000, 0, 1), at(1000, 400, 1)])
    if (!view) throw new Error('there is no view')
    expect(view.x + view.width / 2).to.equal(0)
    expect(view.y + view.height / 2).to.be.closeTo(200, 1)
    expect(view.width).to.equal(2400)
  })

  it('is none without a point', () => {
    expect(closeViewOf([])).to.equal(undefined)
  })
})
