// The translations of the texts of pages into one language.

/** The forms of a text that depends on a number, by the categories of `Intl.PluralRules`. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & {
  readonly other: string
}

/**
 * Translations by English text; the forms for numbers by the English plural. What tells two
 * meanings of a text apart follows a bar: `in {words}|language`.
 */
export type Messages = ReadonlyMap<string, string | PluralForms>
