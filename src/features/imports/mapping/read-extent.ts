// Reads the extent of a zine: the number of pages, and the dimensions in the same text. No digit of
// the text is lost but that of one volume, which says nothing: what is neither is told, so that it
// can be kept.

import { cleanLine, withoutEnd, withoutEndPunctuation } from './text.js'

export type Extent = {
  readonly pages?: string
  readonly dimensions?: string
  /** Whether the text says more than both. */
  readonly saysMore: boolean
}

// A number may have a fraction: `8 1/2`, `5½`.
const number = String.raw`\d+(?:[.,]\d+)?(?:[ -]?\d+\/\d+| ?[¼½¾⅓⅔⅛⅜⅝⅞])?`
// `24 in 3 colours` is no size.
const unit = String.raw`(?:cm\b|mm\b|inch(?:es)?\b|in\.|in\b(?!\s+(?!x\b)[\p{L}\d])|["”″])`
const pageWord = String.raw`(?:p|pp|pg|pgs|pages?|págs?|páginas?|seiten|s)\b\.?`

/**
 * One number with a unit, or several between `x`, each with or without one: but not `2 x 24 pages`.
 */
const dimensions = new RegExp(
  String.raw`(?<![\d.,])(?:${number}\s*${unit}?(?:\s*[x×]\s*${number}(?!\d)\s*${unit}?)+(?!\s*${pageWord})|${number}\s*${unit})`,
  'giu',
)

/** What stands between the pages, the illustrations and the size. */
const marks = /\s+[:;+]\s+|[;()\u0000]/

/**
 * The pages of `24 p. : ill. ; 22 cm` and its dimensions. Words stay where there is no number:
 * `flyer`.
 */
export function readExtent(text: string): Extent {
  const line = cleanLine(text)
  const sizes = line.match(dimensions) ?? []
  const segments = line
    .replace(dimensions, '\u0000')
    .split(marks)
    .map((segment) => withoutEndPunctuation(segment.replace(/^[\s,.:]+/, '')))
    .filter((segment) => segment !== '' && !saysNothing.test(segment))
  const { pages, others } = choosePages(segments)
  const size = sizes
    .map((dimension) => withoutEnd(dimension, ' ,').replace(/\s*[x×]\s*/gi, ' x '))
    .join('; ')
  return {
    ...(pages === undefined ? {} : { pages }),
    ...(size === '' ? {} : { dimensions: size }),
    saysMore: others.length > 0,
  }
}

// A number, several numbers or none, with a word for pages.
const pageWords = String.raw`\s*(?:unnumbered |unpaged |numbered )?${pageWord}$`
const onePagination = new RegExp(String.raw`^\[?(\d+)\]?(?:${pageWords})?$`, 'i')
const onePaginationWithWord = new RegExp(String.raw`^\[?(\d+)\]?${pageWords}`, 'i')
const severalPaginations = new RegExp(String.raw`^([\divxlc]+(?:, ?\[?\d+\]?)+)${pageWords}`, 'i')

/** One volume, or pages without a number. */
const saysNothing = new RegExp(
  String.raw`^(?:(?:1 )?(?:v|vol|volume)\.?|(?:v|vol|vols|volumes)\.?|${pageWords.slice(3)})$`,
  'i',
)
const unpaged = /\b(?:unpaged|unpaginated|unnumbered)\b/i

type ChosenPages = { readonly pages?: string; readonly others: readonly string[] }

/** The segment that is a pagination; else the first one, as it is written. */
function choosePages(segments: readonly string[]): ChosenPages {
  const parts = segments.flatMap((segment) =>
    paginationOf(segment) === undefined ? partsOf(segment) : [segment],
  )
  const index = parts.findIndex((part) => paginationOf(part) !== undefined)
  const pages = paginationOf(parts[index] ?? '')
  if (pages !== undefined) return { pages, others: parts.filter((_, other) => other !== index) }
  const [first, ...others] = segments
  return first === undefined ? { others } : { pages: first, others }
}

/** The pieces between commas, if one of them has pages with their word: `24 p., ill.` */
function partsOf(segment: string): readonly string[] {
  const pieces = segment.split(',').map((piece) => piece.trim())
  return pieces.some((piece) => onePaginationWithWord.test(piece)) ? pieces : [segment]
}

function paginationOf(text: string): string | undefined {
  const [, count] = onePagination.exec(text) ?? severalPaginations.exec(text) ?? []
  if (count !== undefined) return count
  return unpaged.test(text) && !/\d/.test(text.replace(/^1 v\w*\.?/i, '')) ? 'unpaged' : undefined
}
