// Reads the extent of a zine: the number of pages, and the dimensions in the same text.

import { cleanLine, withoutEndPunctuation } from './text.js'

export type Extent = { readonly pages?: string; readonly dimensions?: string }

const number = String.raw`\d+(?:[.,]\d+)?(?: ?\d\/\d| ?[¼½¾])?`

const dimensions = new RegExp(
  String.raw`${number}\s*(?:(?:cm|mm|in\.?|inches|"|”)\s*)?(?:[x×]\s*${number}\s*)?(?:cm|mm|in\b\.?|inches|"|”)`,
  'i',
)

/** The pages of `24 p. : ill. ; 22 cm` and its dimensions. Words stay where there is no number: `flyer`. */
export function readExtent(text: string): Extent {
  const line = cleanLine(text)
  const [found] = dimensions.exec(line) ?? []
  const size = found === undefined ? {} : { dimensions: found.replace(/\s*[x×]\s*/i, ' x ') }
  const beforeMarks = line.split(/\s+[:;+]\s/)[0] ?? ''
  const described = found === undefined ? beforeMarks : (beforeMarks.split(found)[0] ?? '')
  const pages = pagesOf(withoutEndPunctuation(described.replace(/\(\s*$/, '')))
  return { ...(pages === '' ? {} : { pages }), ...size }
}

const unit = String.raw`(?:unnumbered |unpaged |numbered )?(?:p|pp|pg|pgs|pages?|páginas?|seiten|s)\b\.?`

// A volume without a number of pages says nothing about them.
const volumes = /^(?:\d+ )?(?:v|vol|vols|volumes?)\.?$/i
const unpaged = /\b(?:unpaged|unpaginated|unnumbered)\b/i

function pagesOf(text: string): string {
  const [, count] = new RegExp(String.raw`^\[?(\d+)\]?\s*${unit}$`, 'i').exec(text) ?? []
  if (count !== undefined) return count
  const [, counts] =
    new RegExp(String.raw`^([\divxlc]+(?:, ?\[?\d+\]?)+)\s*${unit}$`, 'i').exec(text) ?? []
  if (counts !== undefined) return counts
  if (/^(?:\d+ )?(?:v|vol|volumes?)\b/i.test(text) && unpaged.test(text)) return 'unpaged'
  const isEmpty = text === '' || volumes.test(text) || new RegExp(`^${unit}$`, 'i').test(text)
  return isEmpty ? '' : text.replace(/^\[(\d+)\]$/, '$1')
}
