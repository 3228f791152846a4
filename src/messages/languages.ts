// The languages of pages, and what each is called in itself.

export const languageNames = {
  en: 'English',
  es: 'Español',
  fr: 'Français',
} as const

export type Language = keyof typeof languageNames

export const languages = Object.keys(languageNames) as readonly Language[]

export const isLanguage = (text: string): text is Language => Object.hasOwn(languageNames, text)
