// New terms of the institution's own vocabularies, which an import adds when it is written. Before
// that, a preview has to know that records with them will be valid.

import type {
  ChangedField,
  ImportRow,
  RowRecord,
  RowResult,
} from '../../catalogue/writes/import-writes.js'
import { findNewTerms } from '../../model/declarations/local-terms.js'
import type { Field, Resources } from '../../model/resources.js'
import type { Vocabulary } from '../../model/vocabulary.js'
import { type Profile, madeKinds } from './profile.js'

/** @throws LocalTermError for a term that cannot be added */
export function checkNewTerms({ terms }: Profile, vocabularies: readonly Vocabulary[]): void {
  for (const vocabulary of vocabularies) {
    const decisions = Object.values(terms[vocabulary.name] ?? {})
    const added = decisions.flatMap((decision) => ('create' in decision ? [decision.create] : []))
    findNewTerms(vocabulary, added)
  }
}

type PlanRows = (rows: readonly ImportRow[]) => Promise<readonly RowResult[]>

/**
 * Plans rows as if the vocabularies had the codes that they do not have yet: in place of each
 * stands a code that is there. Codes are those of the vocabulary, or of decisions that make new
 * ones, so that none of them is wrong.
 */
export const withKnownTerms =
  (resources: Resources, planRows: PlanRows): PlanRows =>
  async (rows) => {
    const known = rows.map((row) => ({
      ...row,
      records: row.records.map((record) => withKnownCodes(resources, record)),
    }))
    const results = await planRows(known)
    return results.map((result, index) => withOwnCodes(result, rows[index]?.records ?? []))
  }

function withKnownCodes(resources: Resources, record: RowRecord): RowRecord {
  const { target } = record.reference
  // Codes of makers and libraries are as the source has them.
  if (!madeKinds.some((kind) => kind === target)) return record
  const coded = resources[target].inputFields.filter(({ vocabulary }) => vocabulary)
  const known = (values: RowRecord['body']): RowRecord['body'] => values && withCodes(coded, values)
  return { ...record, body: known(record.body), changes: known(record.changes) }
}

/** What changes, with the codes that the row has. */
function withOwnCodes(result: RowResult, records: readonly RowRecord[]): RowResult {
  if (result.error) return result
  const changes = result.changes.map((change) => {
    const record = records.find(({ reference }) => reference === change.reference)
    const ownValue = ({ field, before, after }: ChangedField): ChangedField => {
      const rowValue = record?.changes?.get(field)
      // The cast: fields with several values have lists of texts.
      return Array.isArray(rowValue)
        ? { field, before, after: rowValue as string[] }
        : { field, before, after }
    }
    return change.fields ? { ...change, fields: change.fields.map(ownValue) } : change
  })
  return { ...result, changes }
}

function withCodes(
  coded: readonly Field[],
  values: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, unknown> {
  const unknown = coded.filter((field) =>
    codesOf(field, values).some((code) => !field.vocabulary?.find(code)),
  )
  if (unknown.length === 0) return values
  const changed = unknown.map((field) => {
    const { vocabulary } = field
    const known = vocabulary?.entries[0]?.code ?? ''
    const codes = codesOf(field, values).map((code) => (vocabulary?.find(code) ? code : known))
    return [field.name, field.repeatable ? [...new Set(codes)] : codes[0]] as const
  })
  return new Map([...values, ...changed])
}

function codesOf({ name }: Field, values: ReadonlyMap<string, unknown>): readonly string[] {
  return [values.get(name)].flat().filter((value) => typeof value === 'string')
}
