// Reads titles: the number of the issue at the end, and the punctuation between ISBD areas.

import type { SourcePart } from '../../../lib/sources/source.js'
import { cleanLine, withoutEndPunctuation } from './text.js'

export type ReadTitle = { readonly title: string; readonly issue?: string }

// `Doris #24`, `Cometbus no. 54½`, `Brainscan Issue IV`.
const issueAtEnd =
  /^(.*[^\s,:–-])(?:\s*[,:–-])?\s+((?:#\s?|(?:[Nn]o\.|[Nn]umber|[Ii]ssue|Nr\.|N°|№)\s?)(?:\d+(?:[.,]\d+)*(?:\/\d+)?(?: ?\d\/\d| ?[¼½¾])?|[IVXLC]+))$/

const volumeAtEnd = /^(.*[^\s,:–-])(?:\s*[,:–-])?\s+(v(?:ol(?:ume)?)?\.?\s?\d+,?)$/i

/** Longer than any title with a number. */
const maxLength = 500

/**
 * A title and the issue at its end, where it is clear: the only number with `#` or a word such as
 * `no.` before it.
 */
export function readTitle(text: string): ReadTitle {
  const line = cleanLine(text)
  const [, before = '', number = ''] = line.length > maxLength ? [] : (issueAtEnd.exec(line) ?? [])
  if (before === '' || before.includes('#')) return { title: line }
  const [, title = before, volume = ''] = volumeAtEnd.exec(before) ?? []
  return { title, issue: `${volume} ${number}`.trim() }
}

/** At the end of a title, behind a comma. */
const articles =
  'the|a|an|el|la|los|las|un|una|le|les|une|der|die|das|ein|eine|il|lo|gli|de|het|os|as'
const articleAtEnd = new RegExp(`^(.+),\\s*(${articles}|l['’])$`, 'i')

export const isTurnedTitle = (title: string): boolean => articleAtEnd.test(readTitle(title).title)

/** `Zine Yearbook, The` in its natural order. */
export const turnTitle = (title: string): string =>
  title.replace(articleAtEnd, (_, rest: string, article: string) =>
    /['’]$/.test(article) ? article + rest : `${article} ${rest}`,
  )

// The mark that stands before an ISBD element, with how it is written without spaces before it.
const marks: Readonly<Record<string, string>> = { ':': ': ', ';': '; ', '=': ' = ', ',': ', ' }

/** What stands before a subfield of a title if no mark says it. */
const marksByCode: Readonly<Record<string, string>> = { b: ': ', n: ', ', p: ', ', v: ', ' }

/** The texts of subfields as one, without the marks at their ends: `Brainscan :` and `a zine /`. */
export function joinIsbd(parts: readonly SourcePart[], join: string | undefined): string {
  let text = ''
  let mark = ''
  for (const part of parts) {
    const piece = cleanLine(part.text)
    const bare = withoutEndPunctuation(piece)
    if (bare === '') continue
    const between = join ?? marks[mark] ?? marksByCode[part.code] ?? ' '
    text = text === '' ? bare : text + between + bare
    mark = /([:;=,])$/.exec(piece)?.[1] ?? ''
  }
  return withoutGeneralMaterial(text)
}

/** Without the medium that records of before 2010 have in the title: `[graphic]`. */
const withoutGeneralMaterial = (text: string): string =>
  text.replace(
    / \[(?:electronic resource|text|graphic|manuscript|microform|serial|text \(large print\))\](?=$|[ :/.,])/i,
    '',
  )
