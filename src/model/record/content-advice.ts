// Content advice has no field of its own: it is a public note that begins with these words. Imports
// and MARC (520 with the first indicator 4) both go by them.

export const contentAdvice = 'Content advice: '
