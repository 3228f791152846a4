// Whether an identifier has words of the maker's name: it is a part of addresses, which last.

import { foldWords } from '../../lib/names/folding.js'
import { textValue } from '../../model/record/values.js'
import type { RecordLookup } from '../../model/record/views.js'
import type { Resource } from '../../model/resources.js'

/** The fields of an agent that have a name. */
const nameFields = ['display_name', 'sort_name', 'alternative_names', 'legal_name']

/** Shorter words, such as initials, are in many identifiers. */
const minLength = 3

/**
 * Whether the identifier in a form has a word of the name in it, or of the agents that it names.
 * @param lookup has the agents
 */
export function identifierHasName(
  resource: Resource,
  input: ReadonlyMap<string, readonly string[]>,
  lookup: RecordLookup,
): boolean {
  const words = new Set(foldWords(input.get(resource.id.name)?.[0] ?? ''))
  const names =
    resource.name === 'agents'
      ? nameFields.flatMap((name) => input.get(name) ?? [])
      : resource.inputFields
          .filter(({ target }) => target === 'agents')
          .flatMap(({ name }) => input.get(name) ?? [])
          .flatMap((id) => {
            const agent = lookup({ target: 'agents', id })
            return agent ? [textValue(agent, 'display_name')] : []
          })
  return names.flatMap(foldWords).some((word) => word.length >= minLength && words.has(word))
}
