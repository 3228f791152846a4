// The image of the textures and the style sheet of covers are those of the drawn covers that are images of their own.
// `GOLDEN=write` writes the image again, to be reviewed with the change.

import { readFile, writeFile } from 'node:fs/promises'

import { expect } from 'chai'
import { type VNode, h } from 'preact'

import {
  coverHeight,
  coverPapers,
  coverTextures,
  coverWidth,
} from '../../../src/features/covers/cover-textures.js'
import { renderSvg } from '../../../src/views/render.js'

const imageFile = 'src/views/assets/textures.svg'

describe('the style of covers in pages', () => {
  it('has all textures side by side in one image', async () => {
    const image = `${renderSvg(texturesImage()).replaceAll('<svg x', '\n<svg x')}\n`
    if (process.env.GOLDEN === 'write') await writeFile(imageFile, image)
    expect(await readFile(imageFile, 'utf8')).to.equal(image)
  })

  it('has a rule for each texture and each paper', async () => {
    const css = await readFile('src/views/assets/covers.css', 'utf8')
    const rules = new Map(
      [...css.matchAll(/^\.((?:texture|paper)-\d+) \{\s*([^}]*?);\s*\}/gm)].map(
        ([, name = '', rule = '']) => [name, rule],
      ),
    )
    const last = coverTextures.length - 1
    const expected = new Map([
      ...coverPapers.map(
        (paper, index) => [`paper-${index}`, `background-color: ${paper}`] as const,
      ),
      ...coverTextures.map((_, index) => {
        const place = Math.round((10_000 * index) / last) / 100
        return [
          `texture-${index}`,
          `background-position-x: ${place === 0 ? '0' : `${place}%`}`,
        ] as const
      }),
    ])
    expect(rules).to.deep.equal(expected)
    expect(css).to.include(`/ ${100 * coverTextures.length}% 100%`)
  })
})

function texturesImage(): VNode {
  const [width, height] = [coverWidth * coverTextures.length, coverHeight]
  const image = h(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width, height },
    coverTextures.map((texture, index) =>
      h('svg', { x: index * coverWidth, width: coverWidth, height }, texture),
    ),
  )
  // The cast: a component that takes attributes is rendered as one that takes none.
  return image as VNode
}
