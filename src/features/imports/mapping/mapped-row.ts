// What the rules of a profile make of a row, before anything is decided about names and terms.

import type { ImportedKind } from '../profile.js'
import type { AgentField } from './read-names.js'

/** The texts of fields without a vocabulary, by name. A field without repeats has one text. */
export type MappedTexts = Readonly<Record<string, readonly string[]>>

export type MappedName = {
  readonly field: AgentField
  /** As the source has it; the key of decisions. */
  readonly name: string
  /** The names that it is proposed to part it into; empty for one name. */
  readonly split: readonly string[]
  /** The field is said by a relator. */
  readonly relator?: string
  /** The kind that the source says. */
  readonly kind?: string
  /** It stands in its natural order, and is one name, whatever commas it has. */
  readonly isDirect?: true
  /** Other names of the same agent, in their natural order. */
  readonly otherNames?: readonly string[]
  /** Its number in Wikidata, such as `Q42`, where the source has an address for each name. */
  readonly wikidata?: string
  /** It is the identifier of an agent of the catalogue, and no name. */
  readonly isId?: true
}

/** A field of a record, such as `zines.abstract`. */
export type FieldPlace = `${ImportedKind}.${string}`

export type MappedTerm = {
  readonly kind: ImportedKind
  readonly field: string
  /** The name of the vocabulary, such as `subjects`; `repositories` for where a copy is kept. */
  readonly vocabulary: string
  /** As the source has it; the key of decisions. */
  readonly value: string
  /** The code, if reading the value found it. */
  readonly code?: string
  /** The value is the code, about which nothing is to be decided. */
  readonly isExact?: true
}

export type MappedHolding = {
  readonly texts: MappedTexts
  /**
   * The lists whose texts are no values of theirs in the source, such as notes on what does not fit
   * elsewhere.
   */
  readonly added?: readonly string[]
  readonly terms: readonly MappedTerm[]
  /** The values of source fields that the identifier is made of. */
  readonly placeholders: Readonly<Record<string, string>>
}

/** The fields of a maker or a library that the row names. */
export type MappedRecord = { readonly kind: ImportedKind; readonly texts: MappedTexts }

/** What editors may see beside the record, and nobody else. */
export type PrivateText = {
  /** The source field. */
  readonly field: string
  readonly text: string
}

export type MappingIssue = {
  /**
   * - `unreadable`: a value that the field cannot have; it is left out
   * - `moved`: a value that does not fit in its field and became a note, or another title; or is kept as another text
   * - `undecided`: a name or a term about which nothing is decided; it is left out
   * - `missing`: what keeps the row from being written, such as a value that is not there
   * - `hidden`: the row is hidden where it comes from
   * - `damaged`: a source field from which something was lost before it came here
   */
  readonly kind: 'unreadable' | 'moved' | 'undecided' | 'missing' | 'hidden' | 'damaged'
  /** The field of the record, such as `zines.date`; of what is damaged, the source field. */
  readonly field: string
  readonly value: string
  /** One sentence. */
  readonly message: string
}

export type MappedRow = {
  /** From 1, as in the source. */
  readonly number: number
  readonly zine: MappedTexts
  /** Its lists whose texts are no values of theirs in the source. */
  readonly added: readonly string[]
  readonly names: readonly MappedName[]
  /** Of the zine; those of holdings stand with them. */
  readonly terms: readonly MappedTerm[]
  readonly holdings: readonly MappedHolding[]
  readonly others: readonly MappedRecord[]
  /** The identifiers of the records of the catalogue that the row names, by kind. */
  readonly named: ReadonlyMap<ImportedKind, string>
  /** The fields that have rules and no text in the row, if empty cells say something. */
  readonly empty: readonly FieldPlace[]
  readonly private: readonly PrivateText[]
  /** The values of source fields that identifiers are made of. */
  readonly placeholders: Readonly<Record<string, string>>
  readonly issues: readonly MappingIssue[]
}
