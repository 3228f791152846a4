// What MARC records have in common, in ISO 2709 and in XML: their fields, those in another script,
// and what the leader says of the record.

import { linkOf } from './marc-links.js'
import { type SourceField, type SourcePart, type SourceRemark, textField } from '../source.js'
import { isUnimarc, nameUnimarc } from './unimarc.js'

export const buildControlField = (tag: string, text: string): SourceField =>
  textField(tag, withoutControls(text))

export const buildDataField = (
  tag: string,
  indicators: string,
  parts: readonly SourcePart[],
): SourceField => ({
  name: tag,
  indicators,
  parts: parts.map(({ code, text }) => ({ code, text: withoutControls(text) })),
})

/** Around what is not sorted: in MARC-8, and in the encodings of ISO 6630. */
const sortingMarks = /[\u0088\u0089\u0098\u009c]/g

const controls = /[\0-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

/** No other control character has a meaning in text. What stood there is lost. */
const withoutControls = (text: string): string =>
  text.replace(sortingMarks, '').replace(controls, '\uFFFD')

/** What is wrong with one field, for people. */
export const remarkOn = (
  field: string,
  message: string,
  kind: SourceRemark['kind'] = 'damaged',
): SourceRemark => ({ kind, field, message })

/** The types of records in leader/06 that are about no zine. */
const otherRecords: ReadonlyMap<string, string> = new Map([
  ['z', 'an authority record'],
  ['w', 'a classification record'],
  ['q', 'a record of community information'],
  ...['u', 'v', 'x', 'y'].map((type) => [type, 'a holdings record'] as const),
])

const isDeletedRecord = (leader: string): boolean => leader[5] === 'd'

const deletedThere = 'The record was deleted where it comes from.'

/** Why nothing is made of a record; undefined for a bibliographic one. */
function problemOfLeader(leader: string): string | undefined {
  const other = otherRecords.get(leader[6] ?? '')
  return other && `This is ${other}, and no bibliographic record.`
}

export type ReadMarcRecord = {
  readonly fields: readonly SourceField[]
  readonly remarks: readonly SourceRemark[]
  /** Why nothing is made of it. */
  readonly problem?: string
}

/**
 * A record whose fields have the names that rules know: those of another script are linked, those
 * of UNIMARC have a `U` before their tags.
 * @param isDeleted whether it is said outside of the record
 */
export function buildRecord(fields: readonly SourceField[], isDeleted = false): ReadMarcRecord {
  const leader = fields.find(({ name }) => name === 'LDR')?.parts[0]?.text ?? ''
  const isGone = isDeleted || isDeletedRecord(leader)
  const named = isUnimarc(fields)
    ? { fields: nameUnimarc(fields), remarks: [] }
    : linkFields(fields)
  const problem = isGone ? deletedThere : problemOfLeader(leader)
  return {
    fields: named.fields,
    remarks: [...named.remarks, ...(isGone ? [remarkOn('', deletedThere, 'deleted')] : [])],
    ...(problem === undefined ? {} : { problem }),
  }
}

type LinkedFields = {
  readonly fields: readonly SourceField[]
  readonly remarks: readonly SourceRemark[]
}

/** Stands in a field whose text is in its 880 alone. */
const isPlaceholder = ({ parts }: SourceField): boolean => {
  const texts = parts.filter(({ code }) => code !== '6')
  return texts.length > 0 && texts.every(({ text }) => /^[<>[\]().\-–—_?\s]*$/.test(text))
}

const textOf = (parts: readonly SourcePart[]): string =>
  parts.map(({ code, text }) => `$${code}${text}`).join('')

/**
 * Whether one of several fields of the same link says all that a field says; of two that are the
 * same, the first.
 */
const isRepeated = (field: SourceField, alternates: readonly SourceField[]): boolean =>
  alternates.some((other) => {
    if (other === field || linkOf(other)?.join() !== linkOf(field)?.join()) return false
    const [text, otherText] = [textOf(field.parts), textOf(other.parts)]
    const isEarlier = alternates.indexOf(other) < alternates.indexOf(field)
    return text === otherText ? isEarlier : otherText.startsWith(text)
  })

/**
 * Gives each field 880 the name of the field that it belongs to, such as `880-245`. One that stands
 * for a field which the record does not have, or which has a placeholder such as `<>`, is this
 * field (MARC 21, appendix A).
 */
function linkFields(fields: readonly SourceField[]): LinkedFields {
  const alternates = fields.filter(({ name }) => name === '880')
  if (alternates.length === 0) return { fields, remarks: [] }
  const remarks: SourceRemark[] = []
  const originals = fields.filter(({ name }) => name !== '880')
  const findOriginal = (tag: string, occurrence: string): SourceField | undefined => {
    const ofTag = originals.filter(({ name }) => name === tag)
    const linked = ofTag.find((field) => linkOf(field)?.[1] === occurrence)
    return linked ?? (ofTag.length === 1 ? ofTag[0] : undefined)
  }
  /** The field that has the same indicators and subfields, where only one has them. */
  const findAlike = ({ indicators, parts }: SourceField): SourceField | undefined => {
    if (indicators === undefined || indicators.trim() === '') return undefined
    const alike = originals.filter(
      (other) =>
        other.indicators === indicators &&
        parts.every(({ code }) => other.parts.some((part) => part.code === code)),
    )
    return alike.length === 1 ? alike[0] : undefined
  }
  const replaced = new Set<SourceField>()
  const named = fields.flatMap((field): readonly SourceField[] => {
    if (field.name !== '880') return [field]
    const [tag, occurrence] = linkOf(field) ?? []
    if (tag === undefined || occurrence === undefined) {
      const alike = findAlike(field)
      const reading = alike ? ` It is read as ${alike.name}, which has the same indicators.` : ''
      remarks.push(
        remarkOn('880', `The field 880 does not say which field it belongs to.${reading}`),
      )
      return [alike ? { ...field, name: `880-${alike.name}` } : field]
    }
    if (isRepeated(field, alternates)) return []
    if (occurrence === '00') return [{ ...field, name: tag }]
    const original = findOriginal(tag, occurrence)
    if (!original)
      remarks.push(
        remarkOn('880', `The field 880 belongs to ${tag}-${occurrence}, which the record lacks.`),
      )
    if (!original || !isPlaceholder(original)) return [{ ...field, name: `880-${tag}` }]
    replaced.add(original)
    return [{ ...field, name: tag }]
  })
  return { fields: named.filter((field) => !replaced.has(field)), remarks }
}
