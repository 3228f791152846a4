// What two texts are compared by, whatever their case, accents, punctuation and number.

/** Letters that are not a letter and an accent to Unicode. */
const specialLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
}

/**
 * The words of a text in lower case, without accents and punctuation; `&` is `and`, apostrophes join. Letters that
 * stand alone side by side, such as initials, are one word.
 */
export const foldWords = (text: string): string[] => joinInitials(foldSingleWords(text))

/** The same, where each initial is a word. */
export const foldSingleWords = (text: string): string[] =>
  text
    .replace(/&(?:amp;)?/g, ' and ')
    .normalize('NFKD')
    .replace(/[\p{M}'’‘ʼ`]/gu, '')
    .toLowerCase()
    .replace(/[ßæœøđðłþı]/g, (letter) => specialLetters[letter] ?? letter)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/** `g b jones` → `gb jones`. */
function joinInitials(words: readonly string[]): string[] {
  const joined: string[] = []
  let isAfterInitial = false
  for (const word of words) {
    const isInitial = /^\p{L}$/u.test(word)
    if (isInitial && isAfterInitial) joined.push(`${joined.pop() ?? ''}${word}`)
    else joined.push(word)
    isAfterInitial = isInitial
  }
  return joined
}

export const fold = (text: string): string => foldWords(text).join(' ')

/** Words that end in s and are no plurals. */
const singulars = new Set(['news', 'aids', 'series', 'species', 'lens', 'always', 'hiv', 'stds'])

/** The singular of an English word. It is used to compare words only, so it need not be a word. */
export function singularOf(word: string): string {
  if (word.length < 4 || singulars.has(word) || /(?:ss|us|is)$/.test(word)) return word
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:s|x|ch|sh|z)es$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') ? word.slice(0, -1) : word
}

/** Makes a part of an identifier of a text: lower-case words joined by hyphens; empty where it has none. */
export const slugOf = (text: string, maxLength = 80): string => {
  const slug = foldWords(text.replace(/&(?:amp;)?/g, ' ')).join('-')
  if (slug.length <= maxLength) return slug
  const cut = slug.slice(0, maxLength + 1)
  return cut.slice(0, cut.includes('-') ? cut.lastIndexOf('-') : maxLength)
}
