// The texts of scripts in the language of the page, which has them in an attribute of its body
// (../client-texts.ts).

const texts = JSON.parse(document.body.dataset.texts ?? '{}') as Readonly<Record<string, string>>

/** The text, with the values in place of `{name}`. */
export const text = (
  english: string,
  values: Readonly<Record<string, string | number>> = {},
): string =>
  Object.entries(values).reduce(
    (all, [name, value]) => all.replace(`{${name}}`, () => String(value)),
    texts[english] ?? english,
  )
