// The texts of scripts in the language of the page, which has them in an attribute of its body
// (../client-texts.ts).

const texts = JSON.parse(document.body.dataset.texts ?? '{}') as Readonly<Record<string, string>>

type Values = Readonly<Record<string, string | number>>

/** The text, with the values in place of `{name}`. */
export const text = (english: string, values: Values = {}): string =>
  fill(texts[english] ?? english, values)

export const fill = (pattern: string, values: Values): string =>
  Object.entries(values).reduce(
    (all, [name, value]) => all.replace(`{${name}}`, () => String(value)),
    pattern,
  )
