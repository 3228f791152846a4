// The covers of zines in pages: the picture of the zine, or else a drawn cover of its title and issue
// on a photocopied texture, which its identifier chooses. In pages the textures are one image
// (views/assets/covers.css); a cover on its own, as an image, has its texture in it.

import { textValue } from '../../model/record/values.js'
import { type ResolvedRecord, referenceTo } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import { BehindAdvice, contentAdviceOf } from '../pictures/content-advice.js'
import { type Picture, publicCover } from '../pictures/picture.js'
import { PictureImage } from '../pictures/picture-views.js'
import type { Pictures } from '../pictures/pictures.js'
import { t } from '../../views/translate.js'
import { type CoverText, fitText, lineHeight } from './cover-text.js'
import {
  coverHeight,
  coverPapers,
  coverTextures,
  coverWidth,
  createNumbers,
} from './cover-textures.js'
import { languageOf, recordHeading } from '../../views/components/record-summary.js'
import { recordPath } from '../../views/links.js'

/** The pictures from which covers are taken. */
export type Covers = Pick<Pictures, 'list'>

type CoverProps = {
  readonly record: ResolvedRecord
  readonly resources: Resources
  readonly covers: Covers
}

/** The cover of a zine in a wall of covers, which has its title below it. */
export const WallCover = ({ record, resources, covers }: CoverProps) => {
  const picture = pictureOf(record, covers)
  return picture ? (
    <BehindAdvice advice={contentAdviceOf(record, resources)}>
      <PictureCover picture={picture} width={200} alt={picture.alt} />
    </BehindAdvice>
  ) : (
    <DrawnCoverInPage record={record} />
  )
}

/**
 * The cover of a zine, or of the zine that a holding is a copy of, as the first child of its row in
 * a list; nothing for other records.
 */
export const SmallCover = (props: CoverProps) => <PlainCover {...props} isThumbnail />

/**
 * The cover where there is no room for the press that would show a picture with content advice. It
 * is drawn then. The title is beside it.
 */
export const PlainCover = ({ record, resources, covers, isThumbnail }: PlainCoverProps) => {
  const zine = zineOf(record, resources)
  if (!zine) return null
  const picture = pictureOf(record, covers) ?? pictureOf(zine, covers)
  return picture && !contentAdviceOf(zine, resources) ? (
    <PictureCover picture={picture} width={isThumbnail ? 100 : 200} alt="" {...{ isThumbnail }} />
  ) : (
    <DrawnCoverInPage record={zine} isThumbnail={isThumbnail} />
  )
}

/** Covers alone as links: the titles are for those who do not see them. */
export const CoverLinks = ({
  zines,
  resources,
  covers,
}: Omit<CoverProps, 'record'> & { readonly zines: readonly ResolvedRecord[] }) => (
  <ul class="cover-links">
    {zines.map((record) => {
      const id = textValue(record.values, record.resource.id.name)
      return (
        <li key={id}>
          <a href={recordPath('zines', id)}>
            <PlainCover {...{ record, resources, covers }} />
            <span class="visually-hidden" lang={languageOf(record)}>
              {recordHeading(record, resources)}
            </span>
          </a>
        </li>
      )
    })}
  </ul>
)

type PlainCoverProps = CoverProps & { readonly isThumbnail?: true | undefined }

/** The drawn cover of a zine on its own page, which says that this is not the cover. */
export const DrawnCoverFigure = ({ record }: { readonly record: ResolvedRecord }) => (
  <figure class="drawn-cover">
    <DrawnCoverInPage record={record} />
    <figcaption class="line">
      {t('Drawn from the title. There is no picture of the cover yet.')}
    </figcaption>
  </figure>
)

function zineOf(record: ResolvedRecord, resources: Resources): ResolvedRecord | undefined {
  const { resource, values, lookup } = record
  if (resource.name === 'zines') return record
  if (resource.name !== 'holdings') return undefined
  const zine = lookup({ target: 'zines', id: textValue(values, 'zine_id') })
  return zine && { resource: resources.zines, values: zine, lookup }
}

const pictureOf = (record: ResolvedRecord, covers: Covers): Picture | undefined =>
  publicCover(covers.list(referenceTo(record)))

const PictureCover = ({
  picture,
  width,
  alt,
  isThumbnail,
}: {
  readonly picture: Picture
  readonly width: number
  readonly alt: string
  readonly isThumbnail?: true | undefined
}) => (
  <div class={classesOf(isThumbnail)}>
    <PictureImage picture={picture} width={width} alt={alt} isLazy />
  </div>
)

/** The page says its title elsewhere. */
const DrawnCoverInPage = ({
  record,
  isThumbnail,
}: {
  readonly record: ResolvedRecord
  readonly isThumbnail?: true | undefined
}) => {
  const cover = drawnCoverOf(record)
  const { texture, paper } = lookOf(cover.id)
  return (
    <div class={classesOf(isThumbnail, 'drawn', `texture-${texture}`, `paper-${paper}`)}>
      <svg viewBox={viewBox} aria-hidden="true" focusable="false" lang={cover.language}>
        <CoverStrips cover={cover} />
      </svg>
    </div>
  )
}

const classesOf = (isThumbnail = false, ...names: readonly string[]): string =>
  ['cover', ...(isThumbnail ? ['thumbnail'] : []), ...names].join(' ')

type DrawnCover = {
  readonly id: string
  readonly title: string
  readonly issue: string
  /** The language of the title, where it is known. */
  readonly language?: string | undefined
}

function drawnCoverOf(record: ResolvedRecord): DrawnCover {
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

/** A cover as an image of its own. */
export const CoverImage = ({ record }: { readonly record: ResolvedRecord }) => {
  const cover = drawnCoverOf(record)
  const { texture, paper } = lookOf(cover.id)
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox={viewBox}
      width={coverWidth * 3}
      height={coverHeight * 3}
      role="img"
      xml:lang={cover.language}
    >
      <title>{[cover.title, cover.issue].filter(Boolean).join(', ')}</title>
      <rect width={coverWidth} height={coverHeight} fill={coverPapers[paper]} />
      {coverTextures[texture]}
      <CoverStrips cover={cover} />
    </svg>
  )
}

const viewBox = `0 0 ${coverWidth} ${coverHeight}`
const margin = 12
const padding = 6
const room = coverWidth - 2 * (margin + padding)

/** The title and the issue of a drawn cover. */
const CoverStrips = ({ cover: { id, title, issue } }: { readonly cover: DrawnCover }) => {
  const { numbers } = lookOf(id)
  const titleText = fitText(title, { width: room, height: 196, sizes: [30, 25, 21, 17, 14, 11] })
  const issueText = fitText(issue, { width: room, height: 42, sizes: [15, 12] })
  const tilt = (): number => Math.round(numbers() * 30 - 15) / 10
  return (
    <g
      font-family="'Courier Prime', 'Courier New', Courier, monospace"
      font-weight="700"
      fill="#17140f"
    >
      <Strips text={titleText} top={18} tilt={tilt} />
      <Strips text={issueText} top={262 - heightOf(issueText)} tilt={tilt} />
    </g>
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

/** What an identifier chooses of a cover: the numbers of its texture and paper, and its tilts. */
function lookOf(id: string) {
  const hash = hashOf(id)
  return {
    texture: hash % coverTextures.length,
    paper: (hash >>> 12) % coverPapers.length,
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
