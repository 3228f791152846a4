// The number of characters before the first word that a title is filed under (245, second
// indicator): the length of the leading article in the language of the zine, with its space.

// Articles by language, after the list of the Library of Congress (MARC 21, appendix F).
const articles: Readonly<Record<string, readonly string[]>> = {
  ca: ['el', 'els', 'en', 'la', 'les', "l'"],
  da: ['den', 'det', 'de', 'en', 'et'],
  de: ['der', 'die', 'das', 'ein', 'eine'],
  en: ['a', 'an', 'the'],
  es: ['el', 'la', 'las', 'los', 'lo', 'un', 'una'],
  fr: ['le', 'la', 'les', 'un', 'une', "l'"],
  it: ['il', 'lo', 'la', 'gli', 'i', 'le', 'un', 'uno', 'una', "l'", "un'"],
  nl: ['de', 'het', 'een', "'t"],
  no: ['den', 'det', 'de', 'en', 'et', 'ei'],
  pt: ['o', 'a', 'os', 'as', 'um', 'uma'],
  sv: ['den', 'det', 'de', 'en', 'ett'],
}

/** @param language a code of ISO 639-1; empty where none is known, and nothing is skipped then */
export function nonfilingCharacters(title: string, language: string): number {
  const [, quote = '', word = '', gap = ''] =
    /^(["“«¿¡([']*)(\p{L}+['’]|'t|\p{L}+)(\s*)(?=\S)/u.exec(title) ?? []
  const article = word.toLowerCase().replace('’', "'")
  const isArticle = articles[language]?.includes(article) === true
  const isSeparate = article.endsWith("'") || gap !== ''
  return isArticle && isSeparate ? quote.length + word.length + gap.length : 0
}
