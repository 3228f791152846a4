// What is used here of shacl-engine, which ships no types.

declare module 'shacl-engine' {
  import type { DataFactory, DatasetCore, NamedNode, Term } from '@rdfjs/types'

  type Pointer = {
    readonly term: Term
    readonly terms: readonly Term[]
    readonly value: string
    out(predicates: readonly NamedNode[]): Pointer
  }

  export type Shape = { readonly ptr: Pointer; readonly message: readonly Term[] }

  export type Result = {
    readonly args: Readonly<Record<string, unknown>>
    readonly constraintComponent: NamedNode
    readonly shape: Shape
    readonly value: Pointer | undefined
  }

  export type Report = { readonly conforms: boolean; readonly results: readonly Result[] }

  type Context = {
    readonly valueOrNode: Pointer
    test(
      success: boolean,
      component: NamedNode,
      details: { readonly args: Readonly<Record<string, unknown>>; readonly value: Pointer },
    ): void
  }

  /** Makes, from a shape, the check of one of its constraints. */
  export type Validation = (shape: Shape) => {
    generic: (context: Context) => void | Promise<void>
  }

  export class Validator {
    constructor(
      shapes: DatasetCore,
      options: {
        readonly factory: DataFactory
        readonly validations?: Iterable<readonly [NamedNode, Validation]>
      },
    )
    validate(
      data: { readonly dataset: DatasetCore; readonly terms: readonly Term[] },
      shapes: readonly { readonly terms: readonly Term[] }[],
    ): Promise<Report>
  }
}
