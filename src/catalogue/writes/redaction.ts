// What a redaction removes. How: redactions.ts.

/** A value of a field, or all that was before the present record. */
export type Redaction = { readonly field: string; readonly value: string } | { readonly past: true }
