// What belongs to records besides their fields, such as pictures: it goes with a record that is deleted, comes back with
// it, and follows it into another one. It is written in the same commit as the records.

import type { KeyValueWrite } from '../../store/key-value/key-value-store.js'
import type { RecordWrite } from './record-state.js'

export type PlannedAttachments = {
  /** What is written with the records. */
  readonly entries: readonly KeyValueWrite[]
  /** To be called when it is written. */
  readonly onCommit: () => void
}

export type Attachments = {
  /** What writes of records do to what belongs to them. */
  plan(writes: readonly RecordWrite[], source: { readonly how: string }): PlannedAttachments
}

export const noAttachments: Attachments = {
  plan: () => ({ entries: [], onCommit: () => undefined }),
}
