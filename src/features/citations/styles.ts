// The styles in which records are cited. Their files, in the Citation Style Language, are in
// citation-styles/.

export type CitationStyle = {
  /** The name in answers of the API. */
  readonly name: string
  readonly title: string
  /** The name of the file, without its ending. */
  readonly file: string
}

export const citationStyles = [
  { name: 'apa', title: 'APA', file: 'apa' },
  { name: 'mla', title: 'MLA', file: 'modern-language-association' },
  { name: 'chicago', title: 'Chicago', file: 'chicago-author-date' },
] as const satisfies readonly CitationStyle[]

export type CitationStyleName = (typeof citationStyles)[number]['name']

/** The words that styles take from their language. */
export const localeFile = 'locales-en-US.xml'

/** A piece of a citation: titles are in italics. */
export type CitationPart = { readonly text: string; readonly isItalic: boolean }

/** A record in each style. */
export type Citations = Readonly<Record<CitationStyleName, readonly CitationPart[]>>

/** An item of CSL-JSON. */
export type CitedItem = Readonly<Record<string, unknown>>
