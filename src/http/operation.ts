// What an endpoint says of its operations in the OpenAPI document, besides what follows from its
// other members and the method: bodies, parameters, and statuses of errors.

import type { ResourceName } from '../model/iris.js'
import { type Schema, text } from './schemas.js'

export type ComponentReference = { readonly $ref: string }

export type Header = {
  readonly description: string
  readonly schema: Schema
  readonly required?: true
}

export type Parameter = Header & {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly allowEmptyValue?: true
}

export type OperationDescription = {
  readonly request?: Schema
  /** Set if the request may have no body. */
  readonly isRequestOptional?: true
  /** What each line of the request may be, where JSON lines are accepted too. */
  readonly lines?: Schema
  /** Other media types in which the request may be, as text. */
  readonly documents?: readonly string[]
  /** Of a request that may be the bytes of a file. */
  readonly bytes?: Schema
  /** Of a request that may be a form with a file. */
  readonly upload?: Schema
  /** The fields of a request that is a form, and not JSON. */
  readonly form?: Schema
  readonly response?: Schema
  /** What parameters make of the response in JSON. */
  readonly otherResponses?: readonly Schema[]
  /** What is answered with 400 besides errors. */
  readonly refusal?: Schema
  readonly parameters?: readonly (Parameter | ComponentReference)[]
  /** The resource whose records are selected by the parameters of its list. */
  readonly selects?: ResourceName
  /** Set if the response is one page of a list. */
  readonly paged?: true
  /** The summary of an operation that does more with a record than its method says. */
  readonly action?: string
  /** Set if the response is a file, which has no ETag. */
  readonly file?: true
  /** Set if it makes something that is no record, with an address of its own. */
  readonly creates?: true
  /** Set if it may begin work that goes on after the response. */
  readonly begins?: true
  /** Set if the response leads to another address. */
  readonly redirects?: true
  /** Set if the address may lead to that of what took its place. */
  readonly moves?: true
  /** What was done, if the response has no body. */
  readonly done?: string
  /** Set if the response may be 204, since there is no record any more. */
  readonly mayRemove?: true
  /** Statuses of errors besides those that follow from the method. */
  readonly errors?: readonly number[]
}

export const inQuery = (name: string, description: string, schema: Schema = text()): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
})

export const textSearch: Parameter = inQuery(
  'q',
  'Words that all have to occur, in names, subjects, contents, identifiers and so on, whatever their case, accents and number; the best come first. `"exact phrases"`, `-word`, `field:word`. Where nothing has them all, words that are up to two letters off.',
  text(),
)

export const searchIn = (...fields: readonly string[]): Parameter =>
  inQuery(
    'search',
    `Terms, split on white space and commas; every one has to occur in ${fields.join(' or ')}, anywhere in a word, whatever its case.`,
    text(),
  )

/** A reference to a parameter that several operations share (openapi/parameters.ts). */
export const sharedParameter = (name: string): ComponentReference => ({
  $ref: `#/components/parameters/${name}`,
})

/** A reference to a schema of a resource, such as `ZineDetail` (openapi/record-schemas.ts). */
export const recordSchema = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

/** The response is a page of a list. */
export const pageOperation = (
  response: Schema,
  ...parameters: readonly (Parameter | ComponentReference)[]
): OperationDescription => ({
  response,
  parameters: [...parameters, sharedParameter('Page'), sharedParameter('PageSize')],
  paged: true,
})

/** A noun in a sentence, as in `an agent`. */
export const withArticle = (noun: string, article: 'a' | 'A' = 'a'): string =>
  `${article}${/^[AEIOU]/.test(noun) ? 'n' : ''} ${noun.toLowerCase()}`
