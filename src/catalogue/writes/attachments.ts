// What belongs to records besides their fields, such as pictures: it goes with a record that is
// deleted, comes back with it, and follows it into another one. It is written in the same commit as
// the records.

import type { KeyValueWrite } from '../../lib/key-value/key-value-store.js'
import type { Reference } from '../../model/record/views.js'
import type { RecordWrite } from './record-state.js'
import type { ForgottenIdentifier, Redaction } from './redaction.js'

export type Attachments = {
  /** What is written with these writes of records, since it belongs to the records. */
  plan(writes: readonly RecordWrite[], source: { readonly how: string }): readonly KeyValueWrite[]
  /**
   * Removes what a redaction of a record is about: a text of what belongs to it, or all that was
   * removed with it. The caller has the lock of the record.
   */
  forget(reference: Reference, redaction: Redaction): Promise<void>
  /**
   * Removes what belonged to a record with an identifier that is forgotten, and what says of other
   * things that they came from there. The caller has the lock of the record that stays.
   */
  forgetIdentifier(identifier: ForgottenIdentifier): Promise<void>
  /** Whether what belongs to records, or comes back with them, has a code of a vocabulary. */
  hasCode(vocabulary: string, code: string): boolean
}

export const noAttachments: Attachments = {
  plan: () => [],
  forget: () => Promise.resolve(),
  forgetIdentifier: () => Promise.resolve(),
  hasCode: () => false,
}
