// Which fields have IRIs for values, and how these begin.

import type { Field } from '../model/resources.js'

/**
 * The part of the IRIs before the value as JSON has it: of concepts, and of fields with a prefix.
 */
export function namespaceOf({
  kind,
  vocabulary,
  storedAsLiteral,
  prefix,
}: Field): string | undefined {
  if (prefix !== undefined) return prefix
  if (kind !== 'code' || storedAsLiteral || !vocabulary) return undefined
  const [entry] = vocabulary.entries
  return entry?.uri.endsWith(entry.code)
    ? entry.uri.slice(0, -entry.code.length)
    : `${vocabulary.scheme.value}#`
}

/** Whether the field's pattern allows only web addresses, such as an ORCID. */
export const isIriField = ({ kind, pattern }: Field): boolean =>
  kind === 'link' && (pattern?.startsWith('^https://') ?? false)
