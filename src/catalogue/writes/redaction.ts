// What is removed for good. How: redactions.ts, forgettings.ts.

import type { Reference } from '../../model/record/views.js'

/** A value of a field, or all that was before the present record. */
export type Redaction = { readonly field: string; readonly value: string } | { readonly past: true }

/** An identifier that is forgotten, and that of the record that stays, if there is one. */
export type ForgottenIdentifier = {
  readonly reference: Reference
  readonly into?: string | undefined
}
