// What the tables of request and response bodies say of an operation.

import type { OperationDescription } from '../operation.js'

export type PayloadsByMethod = readonly (readonly [
  method: string,
  path: string,
  payload: OperationDescription,
])[]
