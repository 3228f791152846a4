// What a search asks for.

/** The terms, of which every one has to be found: split on white space and commas. */
export const searchTerms = (search: string): string[] => search.split(/[\s,]+/u).filter(Boolean)
