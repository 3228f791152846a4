// What is used here of citeproc, which ships no types.

declare module 'citeproc' {
  type Format = Readonly<Record<string, unknown>>

  type Engine = {
    setOutputFormat(name: string): void
    /** The items of the bibliography from now on. */
    updateItems(ids: readonly string[]): void
    /** The entries of the bibliography; false for a style without one. */
    makeBibliography(): readonly [parameters: object, entries: readonly string[]] | false
  }

  type System = {
    retrieveLocale(language: string): string
    retrieveItem(id: string): object
  }

  const CSL: {
    readonly Engine: new (system: System, style: string, language: string) => Engine
    readonly Output: { readonly Formats: Record<string, Format> }
  }
  export default CSL
}
