// What a feature is: a capability of the service in a folder of its own, src/features/. app/features.ts
// has the list of all.

import type { Endpoint } from './endpoint.js'

/** @typeParam Parts what the features of the service are made of, such as the catalogue */
export type Feature<Parts> = {
  /** That of its folder. */
  readonly name: string
  /** Its addresses that the OpenAPI document describes, in the order in which they are tried. */
  readonly api?: (parts: Parts) => readonly Endpoint[]
  /** Its other addresses: pages with forms, and what IRIs of the data lead to. */
  readonly pages?: (parts: Parts) => readonly Endpoint[]
}

/** What a function that makes endpoints needs. */
export type PartsOf<Make extends (parts: never, ...others: never) => unknown> = Parameters<Make>[0]
