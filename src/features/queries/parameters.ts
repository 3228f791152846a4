// Reads the values of the parameters of a named query from an address, as terms.

import { DataFactory } from 'n3'

import { message } from '../../message.js'
import { InvalidError } from '../../errors.js'
import { xsd } from '../../rdf/namespaces.js'
import type { ParameterValues, ParameterValue } from '../sparql/pre-binding.js'
import type { NamedQuery, QueryParameter } from '../sparql/named-query.js'

/** What every named query takes beside its own parameters. */
const commonParameters = ['format', 'explain', 'frame', 'lang']

/**
 * The values in an address, with the defaults of those that it does not have.
 * @returns undefined where a value is missing that has to be there
 * @throws InvalidError for a parameter that there is not, and a value that is not of its type
 */
export function readParameters(
  { parameters }: Pick<NamedQuery, 'parameters'>,
  sent: URLSearchParams,
): ParameterValues | undefined {
  const names = [...parameters.map(({ name }) => name), ...commonParameters]
  for (const name of sent.keys())
    if (!names.includes(name))
      throw new InvalidError(
        message('There is no parameter {name}. The parameters are: {names}.', {
          name,
          names: names.join(', '),
        }),
      )
  const values = new Map<string, ParameterValue>()
  for (const parameter of parameters) {
    const typed = sent.get(parameter.name)?.trim() ?? ''
    const text = typed === '' ? parameter.default : typed
    if (text !== '') values.set(parameter.name, termOf(parameter, text))
    else if (!parameter.isOptional) return undefined
  }
  return values
}

function termOf({ name, type }: QueryParameter, text: string): ParameterValue {
  if (type === 'text') return DataFactory.literal(text)
  if (type === 'iri') {
    if (!iriPattern.test(text))
      throw new InvalidError(message('The parameter {name} has to be an IRI.', { name }))
    return DataFactory.namedNode(text)
  }
  if (!/^[+-]?\d{1,18}$/.test(text))
    throw new InvalidError(message('The parameter {name} has to be a whole number.', { name }))
  return DataFactory.literal(text, xsd('integer'))
}

/** An absolute IRI with the characters that SPARQL takes between `<` and `>` (19.8, rule 139). */
const iriPattern = /^[a-z][a-z0-9+.-]*:[^\u0000-\u0020<>"{}|\\^`]+$/i
