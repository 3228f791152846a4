// What MARC records have in common, in ISO 2709 and in XML.

import type { SourceField, SourcePart } from './source.js'

export function buildControlField(tag: string, text: string): SourceField {
  return { name: tag, parts: [{ code: '', text }] }
}

/** A field 880 has another field in its own script, which $6 names: `245-01/(N`. */
export function buildDataField(
  tag: string,
  indicators: string,
  parts: readonly SourcePart[],
): SourceField {
  const link = tag === '880' ? parts.find(({ code }) => code === '6')?.text : undefined
  const linked = link === undefined ? undefined : /^(\d{3})/.exec(link)?.[1]
  return { name: linked === undefined ? tag : `880-${linked}`, indicators, parts }
}
