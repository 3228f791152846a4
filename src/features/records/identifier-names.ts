// Which names the identifier of a record should not have: those of the maker, or of the makers that
// the record names.

import { isNameInIdentifier } from '../../lib/names/name-in-identifier.js'
import { textValue } from '../../model/record/values.js'
import type { RecordLookup } from '../../model/record/views.js'
import type { Resource } from '../../model/resources.js'

/** The fields of an agent that have a name. */
const nameFields = ['display_name', 'sort_name', 'alternative_names', 'legal_name']

/**
 * Whether the identifier in a form has a word of the name in it, or of the agents that it names.
 * @param lookup has the agents
 */
export function identifierHasName(
  resource: Resource,
  input: ReadonlyMap<string, readonly string[]>,
  lookup: RecordLookup,
): boolean {
  const identifier = input.get(resource.id.name)?.[0] ?? ''
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
  return names.some((name) => isNameInIdentifier(identifier, name))
}
