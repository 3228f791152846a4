// New terms of the institution's own vocabularies, which an import adds when it is written. Before that, a preview
// has to know that records with them will be valid.

import type { ImportRow, RowRecord, RowResult } from '../catalogue/writes/import-writes.js'
import { findNewTerms } from '../model/declarations/local-terms.js'
import type { Field, Resources } from '../model/resources.js'
import type { Vocabulary } from '../model/vocabulary.js'
import type { Profile } from './profile.js'

/** @throws LocalTermError for a term that cannot be added */
export function checkNewTerms({ terms }: Profile, vocabularies: readonly Vocabulary[]): void {
  for (const vocabulary of vocabularies) {
    const decisions = Object.values(terms[vocabulary.name] ?? {})
    const added = decisions.flatMap((one) => ('create' in one ? [one.create] : []))
    findNewTerms(vocabulary, added)
  }
}

type PlanRows = (rows: readonly ImportRow[]) => Promise<readonly RowResult[]>

/**
 * Plans rows as if the vocabularies had the codes that they do not have yet: in place of each stands a code that
 * is there. Codes are those of the vocabulary, or of decisions that make new ones, so that none of them is wrong.
 */
export const withKnownTerms =
  (resources: Resources, planRows: PlanRows): PlanRows =>
  (rows) =>
    planRows(
      rows.map((row) => ({
        ...row,
        records: row.records.map((record) => withKnownCodes(resources, record)),
      })),
    )

function withKnownCodes(resources: Resources, record: RowRecord): RowRecord {
  const { inputFields } = resources[record.reference.target]
  const unknown = inputFields.filter((field) =>
    codesOf(field, record).some((code) => !field.vocabulary?.find(code)),
  )
  if (unknown.length === 0) return record
  const changed = unknown.map((field) => {
    const { vocabulary } = field
    const known = vocabulary?.entries[0]?.code ?? ''
    const codes = codesOf(field, record).map((code) => (vocabulary?.find(code) ? code : known))
    return [field.name, field.repeatable ? [...new Set(codes)] : codes[0]] as const
  })
  return { ...record, body: new Map([...record.body, ...changed]) }
}

function codesOf({ name, vocabulary }: Field, { body }: RowRecord): readonly string[] {
  const value = vocabulary ? body.get(name) : undefined
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string')
}
