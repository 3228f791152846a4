// Reads the names of people and groups from a source, and which field of a zine a relator means.
// Which agent a name stands for is decided elsewhere.

import { fold } from '../../../lib/names/folding.js'
import { bareName, isNameSuffix, naturalOrder, splitName } from '../../../lib/names/name-forms.js'
import { linkOf } from '../../../lib/sources/marc/marc-links.js'
import type { SourceField, SourceRow } from '../../../lib/sources/source.js'
import { relatorField } from '../matching/relators.js'
import type { CompiledRule } from './compiled-profile.js'
import { cleanLine, withoutEndPunctuation } from './text.js'

/** The fields of a zine with agents. */
export type AgentField = 'creator' | 'contributor' | 'publisher'

/** A name without what MARC and lists have behind it. */
export const cleanName = (name: string): string => withoutEndPunctuation(cleanLine(name))

/** The names that it is proposed to part a text into; empty where it has one. */
export const proposeNames = (text: string): readonly string[] => splitName(text)?.names ?? []

/**
 * Further names of the agent of a MARC field: with its title (`$c duc de`), in a fuller form
 * (`$q Rowan Moss`), and in its own script (880).
 */
export function otherNamesOf(
  name: string,
  field: SourceField,
  { rule, selector }: Pick<CompiledRule, 'rule' | 'selector'>,
  row: SourceRow,
): readonly string[] {
  const { direct = false, fuller = '' } = rule
  const asWritten = (text: string): string => (direct ? cleanName(text) : naturalOrder(text))
  const textOf = (code: string): string =>
    cleanName(field.parts.find((part) => part.code === code)?.text ?? '').replace(/^\(|\)$/g, '')
  const [surname = '', givenName] = bareName(name).split(',')
  const [title, fullForm] = ['c', 'q'].map((code) => (fuller.includes(code) ? textOf(code) : ''))
  const mainName = asWritten(name)
  const occurrence = linkOf(field)?.[1]
  const alternates = row.fields.filter(
    (other) => other.name === `880-${field.name}` && linkOf(other)?.[1] === occurrence,
  )
  const names = [
    ...(title && !isNameSuffix(title) ? [`${mainName}, ${title}`] : []),
    ...(fullForm
      ? [asWritten(givenName === undefined ? fullForm : `${surname}, ${fullForm}`)]
      : []),
    ...alternates.map(({ parts }) =>
      asWritten(
        cleanName(
          parts
            .filter(({ code }) => selector.marc?.codes?.includes(code) && !fuller.includes(code))
            .map(({ text }) => text)
            .join(' '),
        ),
      ),
    ),
  ]
  return [...new Set(names)].filter((other) => other !== '' && fold(other) !== fold(mainName))
}

/**
 * The fields that relators mean for a name that the source has for one field; none for donors and
 * others who had no part in the zine. A main entry stays the creator, and may be the publisher
 * beside.
 */
export function fieldsOfRelators(
  agentField: AgentField,
  relators: readonly string[],
): readonly AgentField[] {
  if (relators.length === 0) return [agentField]
  const fields = new Set(relators.map((relator) => relatorField(relator) ?? 'contributor'))
  if (agentField === 'creator')
    return fields.has('publisher') ? [agentField, 'publisher'] : [agentField]
  return [...fields].filter((field) => field !== 'none')
}
