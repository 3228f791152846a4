// What belongs to records besides their fields, such as pictures: it goes with a record that is
// deleted, comes back with it, and follows it into another one. It is written in the same commit as
// the records.

import type { KeyValueWrite } from '../../lib/key-value/key-value-store.js'
import type { Reference } from '../../model/record/views.js'
import type { RecordWrite } from './record-state.js'
import type { Redaction } from './redaction.js'

export type PlannedAttachments = {
  /** What is written with the records. */
  readonly entries: readonly KeyValueWrite[]
  /** To be called when it is written. */
  readonly onCommit: () => void
}

export type Attachments = {
  /** What writes of records do to what belongs to them. */
  plan(writes: readonly RecordWrite[], source: { readonly how: string }): PlannedAttachments
  /**
   * Removes what a redaction of a record is about: a text of what belongs to it, or all that was
   * removed with it. The caller has the lock of the record.
   */
  forget(reference: Reference, redaction: Redaction): Promise<void>
  /** Whether what belongs to records, or comes back with them, has a code of a vocabulary. */
  hasCode(vocabulary: string, code: string): boolean
}

export const noAttachments: Attachments = {
  plan: () => ({ entries: [], onCommit: () => undefined }),
  forget: () => Promise.resolve(),
  hasCode: () => false,
}
