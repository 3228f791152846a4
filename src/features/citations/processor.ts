// Cites items of CSL-JSON by citeproc. It takes some milliseconds for each style, and much longer
// the first time, so it runs in a thread of its own: citation-service.ts.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import CSL from 'citeproc'

import {
  type CitationPart,
  type CitationStyleName,
  type Citations,
  type CitedItem,
  citationStyles,
  localeFile,
} from './styles.js'

export type CitationProcessor = { cite(item: CitedItem): Citations }

// Characters for private use: no text of a record keeps them.
const italicStart = '\uE000'
const italicEnd = '\uE001'
const lessThan = '\uE002'
const privateUse = /[\uE000-\uE002]/g

// Text with marks, from which no HTML has to be read.
CSL.Output.Formats.marked = {
  ...CSL.Output.Formats.text,
  '@font-style/italic': `${italicStart}%%STRING%%${italicEnd}`,
}

/** @param directory where the styles are */
export async function createProcessor(directory: string): Promise<CitationProcessor> {
  const locale = await readFile(join(directory, localeFile), 'utf8')
  let current: object = {}
  let count = 0
  const engines = await Promise.all(
    citationStyles.map(async ({ name, file }) => {
      const style = await readFile(join(directory, `${file}.csl`), 'utf8')
      const system = { retrieveLocale: () => locale, retrieveItem: () => current }
      const engine = new CSL.Engine(system, style, 'en-US')
      engine.setOutputFormat('marked')
      return [name, engine] as const
    }),
  )
  return {
    cite(item) {
      // An engine keeps what it knows of an identifier.
      const id = `item-${(count += 1)}`
      current = { ...(withoutMarkup(item) as object), id }
      return Object.fromEntries(
        engines.map(([name, engine]): [CitationStyleName, readonly CitationPart[]] => {
          engine.updateItems([id])
          const bibliography = engine.makeBibliography()
          return [name, partsOf(bibliography === false ? '' : (bibliography[1][0] ?? ''))]
        }),
        // The cast: the keys are those of the styles.
      ) as Record<CitationStyleName, readonly CitationPart[]>
    },
  }
}

/**
 * The same value, whose texts citeproc takes as they are: it would read `<i>` in them as markup.
 */
function withoutMarkup(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replace(privateUse, '').replaceAll('<', lessThan).toWellFormed()
  if (Array.isArray(value)) return value.map(withoutMarkup)
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutMarkup(member)]))
    : value
}

/** Splits a text at the marks; italics in italics are upright, as printers have them. */
function partsOf(marked: string): readonly CitationPart[] {
  const parts: CitationPart[] = []
  let depth = 0
  for (const piece of marked.trim().split(/([\uE000\uE001])/)) {
    if (piece === italicStart) depth += 1
    else if (piece === italicEnd) depth -= 1
    else if (piece !== '')
      parts.push({ text: piece.replaceAll(lessThan, '<'), isItalic: depth % 2 === 1 })
  }
  return parts
}
