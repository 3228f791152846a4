// The form of JSON-LD that a request asks for, by the parameter `profile` of the media type
// (JSON-LD 1.1, section 6.2 of its IANA considerations).

import { jsonld } from '../../formats/jsonld/jsonld.js'
import type { Format } from '../../formats/serializer.js'
import { type JsonLdForm, jsonLdForms } from '../../rdf/documents/protocol.js'
import type { RequestContext } from '../context.js'

const namespace = 'http://www.w3.org/ns/json-ld#'

/**
 * The form of a read; undefined where JSON-LD is not answered, or no form is named that there is.
 */
export function requestedForm(ctx: RequestContext): JsonLdForm | undefined {
  if (ctx.state.format.name !== jsonld.name || !['GET', 'HEAD'].includes(ctx.method))
    return undefined
  const [preferred] = ctx
    .get('Accept')
    .split(',')
    .filter((range) => range.trim().toLowerCase().startsWith(jsonld.type))
    .map((range) => ({ range, quality: qualityOf(range) }))
    .sort((a, b) => b.quality - a.quality)
  const profiles = new Set(preferred && profilesIn(preferred.range))
  return jsonLdForms.find((form) => profiles.has(namespace + form))
}

/** JSON-LD in a form, with the media type that names it. */
export const formatOfForm = (form: JsonLdForm): Format => ({
  ...jsonld,
  parameters: `profile="${namespace}${form}"; charset=utf-8`,
})

const qualityOf = (range: string): number => Number(parameterIn(range, 'q') ?? 1)

/** IRIs, separated by spaces. */
const profilesIn = (range: string): readonly string[] =>
  (parameterIn(range, 'profile') ?? '').split(' ')

function parameterIn(range: string, name: string): string | undefined {
  for (const part of range.split(';').slice(1)) {
    const equals = part.indexOf('=')
    if (equals > 0 && part.slice(0, equals).trim().toLowerCase() === name)
      return part
        .slice(equals + 1)
        .trim()
        .replaceAll('"', '')
  }
  return undefined
}
