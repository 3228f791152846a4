// What the tables of request and response bodies say of an operation.

import type { ComponentReference, Parameter, Schema } from './document.js'

export type Payloads = {
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

export type PayloadsByMethod = readonly (readonly [
  method: string,
  path: string,
  payload: Payloads,
])[]
