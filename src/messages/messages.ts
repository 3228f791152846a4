// What a catalogue of messages is.

/** The forms of a text that depends on a number, by the categories of `Intl.PluralRules`. */
export type PluralForms = {
  readonly one: string
  readonly many?: string
  readonly other: string
}

/** Translations by English text; of a text with a number by its English plural. */
export type Messages = Readonly<Record<string, string | PluralForms>>
