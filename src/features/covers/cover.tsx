// The drawn cover of a zine without a picture: its title and issue on a photocopied texture, which
// its identifier chooses. In pages many covers share the textures; a cover on its own, as an image,
// has its texture in it.

import { textValue } from '../../model/record/values.js'
import type { ResolvedRecord } from '../../model/record/views.js'
import { type CoverText, fitText, lineHeight } from './cover-text.js'
import {
  coverHeight,
  coverPapers,
  coverTextures,
  coverWidth,
  createNumbers,
} from './cover-textures.js'
import { languageOf } from '../../views/components/record-summary.js'

export type DrawnCover = {
  readonly id: string
  readonly title: string
  readonly issue: string
  /** The language of the title, where it is known. */
  readonly language?: string | undefined
}

export const drawnCoverOf = (record: ResolvedRecord): DrawnCover => {
  const { resource, values } = record
  const { title, subtitle } = resource.summary
  const textOf = (field: typeof title): string => (field ? textValue(values, field.name) : '')
  return {
    id: textValue(values, resource.id.name),
    title: textOf(title),
    issue: textOf(subtitle),
    language: languageOf(record),
  }
}

/** The textures of the covers of a page, to which these refer. */
export const CoverTextures = ({ covers }: { readonly covers: readonly DrawnCover[] }) => (
  <svg class="cover-textures" width="0" height="0" aria-hidden="true" focusable="false">
    <defs>
      {[...new Set(covers.map(({ id }) => lookOf(id).texture))].map((texture) => (
        <g key={texture} id={`texture-${texture}`}>
          {coverTextures[texture]}
        </g>
      ))}
    </defs>
  </svg>
)

/** A cover in a page that has `CoverTextures`. The page says its title elsewhere. */
export const CoverInPage = ({ cover }: { readonly cover: DrawnCover }) => {
  const { texture } = lookOf(cover.id)
  return (
    <svg class="cover" viewBox={viewBox} aria-hidden="true" focusable="false" lang={cover.language}>
      <CoverFace cover={cover}>
        <use href={`#texture-${texture}`} />
      </CoverFace>
    </svg>
  )
}

/** A cover as an image of its own. */
export const CoverImage = ({ cover }: { readonly cover: DrawnCover }) => (
  <svg
    xmlns="http://www.w3.org/2000/svg"
    viewBox={viewBox}
    width={coverWidth * 3}
    height={coverHeight * 3}
    role="img"
    xml:lang={cover.language}
  >
    <title>{[cover.title, cover.issue].filter(Boolean).join(', ')}</title>
    <CoverFace cover={cover}>{coverTextures[lookOf(cover.id).texture]}</CoverFace>
  </svg>
)

const viewBox = `0 0 ${coverWidth} ${coverHeight}`
const margin = 12
const padding = 6
const room = coverWidth - 2 * (margin + padding)

const CoverFace = ({
  cover: { id, title, issue },
  children,
}: {
  readonly cover: DrawnCover
  readonly children: preact.ComponentChildren
}) => {
  const { paper, numbers } = lookOf(id)
  const titleText = fitText(title, { width: room, height: 196, sizes: [30, 25, 21, 17, 14, 11] })
  const issueText = fitText(issue, { width: room, height: 42, sizes: [15, 12] })
  const tilt = (): number => Math.round(numbers() * 30 - 15) / 10
  return (
    <>
      <rect width={coverWidth} height={coverHeight} fill={paper} />
      {children}
      <g
        font-family="'Courier Prime', 'Courier New', Courier, monospace"
        font-weight="700"
        fill="#17140f"
      >
        <Strips text={titleText} top={18} tilt={tilt} />
        <Strips text={issueText} top={262 - heightOf(issueText)} tilt={tilt} />
      </g>
    </>
  )
}

const heightOf = ({ size, lines }: CoverText): number => lines.length * size * lineHeight

/** The lines of a text, each on a strip of white paper, cut out and glued on by hand. */
const Strips = ({
  text: { size, lines, isRightToLeft },
  top,
  tilt,
}: {
  readonly text: CoverText
  readonly top: number
  readonly tilt: () => number
}) => (
  <>
    {lines.map(({ text, width }, index) => {
      const height = size * lineHeight
      const y = top + index * height
      const stripWidth = width * size + 2 * padding
      const x = isRightToLeft ? coverWidth - margin - stripWidth : margin
      return (
        <g key={index} transform={`rotate(${tilt()} ${coverWidth / 2} ${short(y)})`}>
          <rect
            x={short(x)}
            y={short(y)}
            width={short(stripWidth)}
            height={short(height - 1)}
            fill="#fff"
          />
          <text
            x={short(isRightToLeft ? x + stripWidth - padding : x + padding)}
            y={short(y + size * 0.98)}
            font-size={size}
            {...(isRightToLeft && { direction: 'rtl' })}
          >
            {text}
          </text>
        </g>
      )
    })}
  </>
)

const short = (value: number): number => Math.round(value * 10) / 10

/** What an identifier chooses of a cover. */
function lookOf(id: string) {
  const hash = hashOf(id)
  return {
    texture: hash % coverTextures.length,
    paper: coverPapers[(hash >>> 12) % coverPapers.length],
    numbers: createNumbers(hash),
  }
}

/**
 * A number for a text: FNV-1a, and then mixed, so that identifiers that are almost the same differ
 * in it.
 */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
