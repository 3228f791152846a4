// A profile says how the rows of a source become records: which field goes where, how identifiers
// are made, and what was decided about names, terms and duplicates. It is a JSON file, and serves
// again.

import type { ResourceName } from '../../model/iris.js'
import type { SourceOptions } from '../../lib/sources/source.js'

/**
 * The kinds of records whose fields a source can fill: those of makers and libraries only for
 * records that it names.
 */
export type ImportedKind = ResourceName

/** The field that takes what other fields do not. */
export const notesFieldOf = (kind: ImportedKind): string =>
  kind === 'zines' ? 'public_notes' : 'notes'

/** The kinds of records that each row of a source makes. Agents are made of names. */
export const madeKinds = ['zines', 'holdings'] as const

export type MadeKind = (typeof madeKinds)[number]

export type Profile = {
  /** The version of this form of profiles. */
  readonly version: 1
  readonly name: string
  readonly description: string
  readonly source: SourceOptions
  /**
   * How identifiers are made: a text with `{source}` for the name of the source, `{import}` for the
   * import, `{row}` for the number of the row, `{FIELD}` for the first value of a source field such
   * as `{001}` or `{952$p}`, and for holdings `{item}` for the number of the item and `{zine}` for
   * the identifier of the zine. `{source}-{001}|{import}-{row}` has two patterns: the first one
   * whose fields all have a value is used. Those of agents are made of their names, after the
   * prefix. An empty pattern for zines: the rows are holdings of zines that the catalogue has. A
   * rule whose target is the identifier, `zines.zine_id`, names a record of the catalogue, and
   * comes before the pattern.
   */
  readonly identifiers: {
    readonly zines: string
    readonly holdings: string
    readonly agents: string
  }
  /**
   * The MARC field of which each occurrence is a holding, such as `952`. Undefined: each row has
   * one holding, if a repository is given for it.
   */
  readonly items?: string | undefined
  /**
   * The field with the collections or shelves that a row is in, what separates several, and which
   * of them are owned. Rows that are in no owned one get no copy.
   */
  readonly shelves?:
    | {
        readonly from: string
        readonly split?: string | undefined
        readonly owned: Readonly<Record<string, boolean>>
      }
    | undefined
  /**
   * Rows whose field has one of these values are about something else, such as a file beside a
   * zine.
   */
  readonly others?: { readonly from: string; readonly values: readonly string[] } | undefined
  readonly rules: readonly FieldRule[]
  /** Values for fields of new records that the source leaves empty, by kind and field. */
  readonly defaults: Readonly<Record<MadeKind, Readonly<Record<string, DefaultValue>>>>
  /**
   * What an empty cell of a table does to the field of a record that is there; without it, the
   * field stays.
   */
  readonly emptyCells?: 'clear' | undefined
  /** Whether new records are drafts, which only editors see; without it, everybody sees them. */
  readonly newRecords?: 'draft' | undefined
  /** What was decided about names of people and groups, by the name as the source has it. */
  readonly names: Readonly<Record<string, NameDecision>>
  /**
   * What was decided about terms, by vocabulary (`subjects`, `genres`, …) and the value as the
   * source has it.
   */
  readonly terms: Readonly<Record<string, Readonly<Record<string, TermDecision>>>>
  /**
   * What is done with rows that seem to have a zine that is there, or name one that seems to be
   * another.
   */
  readonly duplicates: {
    /** Rows whose zine the catalogue has. */
    readonly catalogue: DuplicateDecision
    /** Rows whose zine an earlier import of the same source made; without it, they are left out. */
    readonly again?: DuplicateDecision | undefined
    /** Rows whose zine an earlier row has. */
    readonly source: DuplicateDecision
    /** Rows that name a zine whose title and maker are others; without it, they are asked about. */
    readonly different?: DuplicateDecision | undefined
    /** Single rows, by their number. */
    readonly rows: Readonly<Record<string, DuplicateDecision>>
  }
}

/**
 * A text, several of them (codes, or identifiers of agents and repositories), or null: the field is
 * left empty.
 */
export type DefaultValue = string | readonly string[] | null

/** Where a source field goes. A source field may have several rules. */
export type FieldRule = {
  /**
   * The source field: the name of a column, which stands for all columns of this name; or a MARC
   * tag with subfields such as `245$abnp`, which are joined in the order of the record. One
   * subfield that is repeated, as in `041$a`, is several values; without `$`, all subfields are
   * meant. Before the `$`, a condition on the indicators, `#` for blank and `*` for any:
   * `650[*0]$a`. `008/35-37` are positions of a control field. An `X` in a tag stands for any
   * digit, `5XX`: such a rule is for fields that no rule with a whole tag is for.
   */
  readonly from: string
  /**
   * Further columns, whose texts are joined behind that of the first: a place is often in three.
   */
  readonly with?: readonly string[] | undefined
  readonly to: Target
  /** Between texts that are joined; a space where there is none. */
  readonly join?: string | undefined
  /** The rule is used only where rules before it gave the field no value. */
  readonly fallback?: boolean | undefined
  /** Splits the value into several. */
  readonly split?: string | undefined
  /**
   * A column that has as many values as this one: where it says another number, the text is one
   * value.
   */
  readonly counted?: string | undefined
  /** Text before the value, such as `LCC: ` in notes. */
  readonly prefix?: string | undefined
  /**
   * The rule is for texts that begin so, without these words, and no other rule is for these texts.
   */
  readonly begins?: string | undefined
  /** The text is HTML, of which the text alone is taken. */
  readonly html?: boolean | undefined
  /** How the text is read. */
  readonly as?: Reading | undefined
  /** For agents: the subfields with the relator terms or codes, such as `e4`. */
  readonly relators?: string | undefined
  /** For agents: their kind, if the source tells people from groups. */
  readonly kind?: string | undefined
  /** For agents: the name stands in its natural order, whatever commas it has. */
  readonly direct?: boolean | undefined
  /**
   * For agents: the subfields with titles and fuller forms, such as `cq`; each makes another name
   * of the agent.
   */
  readonly fuller?: string | undefined
}

/**
 * A field of the write shape, `zines.title`; a field for coded values, `zines.subject`; a note,
 * which is `zines.public_notes` or `holdings.notes` if it is public; `private` for what only
 * editors may see, which stays with the original row; `nothing` for what is left out on purpose.
 */
export type Target = `${ImportedKind}.${string}` | 'private' | 'nothing'

/**
 * How a text is read. Without a reading, that which fits the field: dates of the field `date`, and
 * so on.
 * - `text`: as it is
 * - `date`: as a date of publication; what is no date is listed
 * - `title`: a title with the number of the issue at its end, `Doris #24`, is parted into both
 * - `turned-title`: the same, and an article at its end goes to its beginning: `Zine Yearbook, The`
 * - `isbd`: punctuation between ISBD areas is removed
 * - `name`: the name of a person or group
 * - `names`: several names, for which it is proposed to part them at `and`, `/`, `;`, `&` and `+`
 * - `language`: the name or the code of a language, or several
 * - `pages`: a number of pages, and dimensions, in a text such as `24 p. : ill. ; 22 cm`
 * - `place`: a place; what says that it is unknown is left out
 * - `isbn`: ISBNs or ISSNs without what stands around them
 * - `id`: the identifier of a record of this catalogue
 * - `exact`: as this catalogue writes it in its own formats, with nothing cleaned and with codes and identifiers
 */
export const readings = [
  'text',
  'date',
  'title',
  'turned-title',
  'isbd',
  'name',
  'names',
  'language',
  'pages',
  'place',
  'isbn',
  'id',
  'exact',
] as const

export type Reading = (typeof readings)[number]

/** What becomes of a name. */
export type NameDecision =
  | { readonly use: string }
  | {
      readonly create: {
        readonly display_name: string
        readonly kind: string
        readonly agent_id?: string
        readonly alternative_names?: readonly string[]
        /** Such as `Q42`. */
        readonly wikidata?: string
      }
    }
  /** A maker whose name is kept from the public; what identifies it instead. */
  | { readonly hide: string }
  | { readonly split: readonly string[] }
  | { readonly drop: true }

/** What becomes of a value that should be a term. */
export type TermDecision =
  /** A code of the vocabulary of the field. */
  | { readonly code: string }
  /** Several codes of this vocabulary, for a value that lists several terms. */
  | { readonly codes: readonly string[] }
  /** Codes of another field, such as a genre for what the source has as a subject. */
  | { readonly field: string; readonly code: string }
  /** A public note of the zine. */
  | { readonly note: true }
  /** A new term of the institution's own vocabulary. */
  | { readonly create: { readonly code: string; readonly label: string } }
  | { readonly drop: true }

/** A term of the institution's own vocabulary that a decision asks for. */
export type NewTerm = { readonly vocabulary: string; readonly code: string; readonly label: string }

/**
 * The zine that is there gets the values of the row; a new holding of it; a zine of its own;
 * nothing.
 */
export const duplicateDecisions = ['update', 'holding', 'new', 'skip'] as const

export type DuplicateDecision = (typeof duplicateDecisions)[number]
