// The types of YASGUI as far as they are used here. Its own types need packages that it does not
// install.

export type QueryResults = {
  getVariables(): readonly string[]
  getBindings(): readonly Readonly<Record<string, Value>>[] | undefined
}

export type Value = { readonly type: string; readonly value: string; readonly datatype?: string }

export type ResultsView = {
  readonly resultsEl: HTMLElement
  readonly results?: QueryResults
  readonly config: { readonly plugins: Record<string, { dynamicConfig?: unknown } | undefined> }
  setResponse(response: unknown, duration?: number): void
}

export type Plugin = {
  readonly label: string
  readonly priority: number
  canHandleResults(): boolean
  draw(): void
  getIcon(): Element | undefined
}

export type ResultsClass = {
  new (place: HTMLElement, options: object): ResultsView
  registerPlugin(name: string, plugin: new (view: ResultsView) => Plugin): void
}

export type Editor = {
  getValue(): string
  setValue(text: string): void
  getWrapperElement(): HTMLElement
  getInputField(): HTMLElement
  getOption(name: string): object
  setOption(name: string, value: unknown): void
  focus(): void
  setCursor(position: object): void
  posFromIndex(index: number): object
  query(): Promise<unknown>
  abortQuery(): void
  on(event: 'query' | 'queryAbort' | 'change', handler: () => void): void
  on(
    event: 'queryResponse',
    handler: (editor: Editor, response: unknown, duration: number) => void,
  ): void
}

export type EditorClass = {
  new (place: HTMLElement, options: object): Editor
  forkAutocompleter(from: string, completer: { readonly name: string }): void
}
