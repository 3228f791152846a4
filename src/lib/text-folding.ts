// Folds letters and plurals, so that texts can be compared whatever their case, accents,
// punctuation and number.

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

/** A text in lower case, without accents and apostrophes; `&` is `and`. Other punctuation stays. */
export const foldLetters = (text: string): string =>
  isPlain.test(text) ? text.toLowerCase() : foldAll(text)

/** ASCII without what stands for something else: most words. */
const isPlain = /^[ -%(-_a-~]*$/

const foldAll = (text: string): string =>
  text
    .replace(/&(?:amp;)?/g, ' and ')
    .normalize('NFKD')
    .replace(/[\p{M}'’‘ʼ`]/gu, '')
    // The syllables of Korean are whole again; nothing else still has parts.
    .normalize('NFC')
    .toLowerCase()
    .replace(/[ßæœøđðłþı]/g, (letter) => specialLetters[letter] ?? letter)

/** Words that end in s and are no plurals. */
const singulars = new Set(['news', 'aids', 'series', 'species', 'lens', 'always', 'hiv', 'stds'])

/** The singular of an English word. It is used to compare words only, so it need not be a word. */
export function singularOf(word: string): string {
  if (word.length < 4 || singulars.has(word) || /(?:ss|us|is)$/.test(word)) return word
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:s|x|ch|sh|z)es$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') ? word.slice(0, -1) : word
}
