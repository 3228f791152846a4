// Finds the texts of a source row that a rule or an identifier pattern names
// (docs/reference/import-profiles.md, "Profiles").

import type { SourceField, SourcePart, SourceRow } from '../../../lib/sources/source.js'
import { cleanText, comparableHeading, withoutColumnNumber } from './text.js'

export type Selector = {
  /** As it is written. */
  readonly text: string
  /** Undefined for the name of a column only. */
  readonly marc?: MarcSelector
  /** How it fits the fields that were seen, by name and indicators. */
  readonly fits: Map<string, number | undefined>
}

type MarcSelector = {
  /** `245`, `880-245`, `U200` of UNIMARC, or with `X` for any digit. */
  readonly tag: string
  /** The digits of the tag that may be any. */
  readonly wildcards: number
  readonly indicators: string | undefined
  /** The subfields; undefined for all. */
  readonly codes: string | undefined
  readonly positions: readonly [start: number, end: number] | undefined
}

const marcForm =
  /^((?:880-|U)?[\dX]{3})(?:\[([\d#*a-z]{2})\])?(?:\$([a-z0-9]+)|\/(\d{1,2})(?:-(\d{1,2}))?)?$/

export function parseSelector(text: string): Selector {
  const [, tag, indicators, codes, start, end = start] = marcForm.exec(text) ?? []
  if (tag === undefined) return { text, fits: new Map() }
  return {
    text,
    fits: new Map(),
    marc: {
      tag,
      wildcards: tag.split('X').length - 1,
      indicators,
      codes,
      positions: start === undefined ? undefined : [Number(start), Number(end)],
    },
  }
}

/** The keys of JSON lines can be different in each line. */
export const maxRemembered = 10_000

/**
 * How well a selector fits a field: 0 for the name itself, and one more for each digit that may be
 * any. Undefined if it does not fit.
 */
export function fitOf(selector: Selector, field: SourceField): number | undefined {
  const key = field.indicators === undefined ? field.name : `${field.name} ${field.indicators}`
  if (selector.fits.has(key)) return selector.fits.get(key)
  const fit = findFit(selector, field)
  if (selector.fits.size >= maxRemembered) selector.fits.clear()
  selector.fits.set(key, fit)
  return fit
}

/** Whether a tag is another one, in which `X` stands for any digit. */
const isTagLike = (pattern: string, tag: string): boolean =>
  tag.length === pattern.length &&
  Array.from(pattern).every((character, index) =>
    character === 'X' ? /\d/.test(tag[index] ?? '') : character === tag[index],
  )

function findFit({ text, marc }: Selector, field: SourceField): number | undefined {
  if (field.name === text || isSameColumn(text, field.name)) return 0
  if (!marc || !isTagLike(marc.tag, field.name)) return undefined
  return fitsIndicators(marc.indicators, field.indicators) ? marc.wildcards : undefined
}

/** Columns of one name have a number behind it; quotes and case differ between files. */
function isSameColumn(text: string, name: string): boolean {
  if (isTag(name)) return false
  const base = withoutColumnNumber(name)
  const comparable = comparableHeading(text)
  const isComparable = [name, base].some((heading) => comparableHeading(heading) === comparable)
  return text === base || (comparable !== '' && isComparable)
}

/** Whether the name of a source field is a tag of MARC 21 or UNIMARC. */
export const isTag = (name: string): boolean => /^(?:880-|U)?\d{3}$/.test(name)

function fitsIndicators(condition: string | undefined, indicators = '  '): boolean {
  if (condition === undefined) return true
  return Array.from(condition).every((character, position) => {
    const indicator = indicators[position] ?? ' '
    if (character === '*') return true
    return character === '#' ? /[ #_\\]/.test(indicator) : character === indicator
  })
}

/** Subfields for programs, which are no text: links, sources, institutions. */
const controlCodes = /^\d$/

/** The parts of a field that a selector which fits it means. */
export function partsOf({ text, marc }: Selector, field: SourceField): readonly SourcePart[] {
  if (marc === undefined || field.name === text) {
    return isTag(field.name)
      ? field.parts.filter(({ code }) => !controlCodes.test(code))
      : field.parts
  }
  const { codes, positions } = marc
  if (positions) {
    const [start, end] = positions
    return field.parts.map((part) => ({ ...part, text: part.text.slice(start, end + 1) }))
  }
  return codes === undefined
    ? field.parts.filter(({ code }) => !controlCodes.test(code))
    : field.parts.filter(({ code }) => code !== '' && codes.includes(code))
}

/**
 * Whether each part is a value: a cell or one repeated subfield, and not several that are joined.
 */
export const hasSingleParts = ({ text, marc }: Selector, field: SourceField): boolean =>
  marc === undefined || field.name === text
    ? !isTag(field.name) || field.parts.every(({ code }) => code === '')
    : marc.codes?.length === 1 || marc.positions !== undefined

/** The first text in a row that a selector means; empty if there is none. */
export function firstTextOf(row: Pick<SourceRow, 'fields'>, selector: Selector): string {
  for (const field of row.fields) {
    if (fitOf(selector, field) === undefined) continue
    const parts = partsOf(selector, field)
    const texts = hasSingleParts(selector, field) ? parts.slice(0, 1) : parts
    const text = cleanText(texts.map((part) => part.text).join(' '))
    if (text !== '') return text
  }
  return ''
}
