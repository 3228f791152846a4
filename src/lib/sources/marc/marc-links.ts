// Which fields of a MARC record belong together: $6 of a field 880 names the field that it has in
// another script, and the other way round.

import type { SourceField } from '../source.js'

const linkForm = /^(\d{3})-(\d\d)/

/** The tag and the occurrence in `245-01/(N`. */
export function linkOf({
  parts,
}: SourceField): readonly [tag: string, occurrence: string] | undefined {
  const link = linkForm.exec(parts.find(({ code }) => code === '6')?.text ?? '')
  const [, tag, occurrence] = link ?? []
  return tag === undefined || occurrence === undefined ? undefined : [tag, occurrence]
}
