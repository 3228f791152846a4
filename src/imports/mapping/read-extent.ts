// Reads the extent of a zine: the number of pages, and the dimensions in the same text.

import { cleanLine, withoutEndPunctuation } from './text.js'

export type Extent = { readonly pages?: string; readonly dimensions?: string }

// A number may have a fraction: `8 1/2`, `5½`. Between two numbers there may be a unit too.
const dimensions =
  /\d+(?:[.,]\d+)?(?: ?\d\/\d| ?[¼½¾])?\s*(?:(?:cm|mm|in\.?|inches|"|”)\s*)?(?:[x×]\s*\d+(?:[.,]\d+)?(?: ?\d\/\d| ?[¼½¾])?\s*)?(?:cm|mm|in\b\.?|inches|"|”)/i

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

// A number, several numbers or none, with a word for pages.
const onePagination =
  /^\[?(\d+)\]?\s*(?:unnumbered |unpaged |numbered )?(?:p|pp|pg|pgs|pages?|páginas?|seiten|s)\b\.?$/i
const severalPaginations =
  /^([\divxlc]+(?:, ?\[?\d+\]?)+)\s*(?:unnumbered |unpaged |numbered )?(?:p|pp|pg|pgs|pages?|páginas?|seiten|s)\b\.?$/i
const noPagination =
  /^(?:unnumbered |unpaged |numbered )?(?:p|pp|pg|pgs|pages?|páginas?|seiten|s)\b\.?$/i

// A volume without a number of pages says nothing about them.
const volumes = /^(?:\d+ )?(?:v|vol|vols|volumes?)\.?$/i
const unpaged = /\b(?:unpaged|unpaginated|unnumbered)\b/i

function pagesOf(text: string): string {
  const [, count] = onePagination.exec(text) ?? []
  if (count !== undefined) return count
  const [, counts] = severalPaginations.exec(text) ?? []
  if (counts !== undefined) return counts
  if (/^(?:\d+ )?(?:v|vol|volumes?)\b/i.test(text) && unpaged.test(text)) return 'unpaged'
  const isEmpty = text === '' || volumes.test(text) || noPagination.test(text)
  return isEmpty ? '' : text.replace(/^\[(\d+)\]$/, '$1')
}
