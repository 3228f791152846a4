// Reads the arguments of a request of OAI-PMH (2.0, 4): each at most once, no others than those of
// its verb.

import { OaiError } from './errors.js'

const verbs = [
  'GetRecord',
  'Identify',
  'ListIdentifiers',
  'ListMetadataFormats',
  'ListRecords',
  'ListSets',
] as const

type Verb = (typeof verbs)[number]

/** All arguments besides the verb. */
type ArgumentName = 'identifier' | 'metadataPrefix' | 'from' | 'until' | 'set' | 'resumptionToken'

export type OaiRequest = {
  readonly verb: Verb
  readonly arguments: Readonly<Partial<Record<ArgumentName, string>>>
}

type VerbArguments = {
  readonly required?: readonly ArgumentName[]
  readonly optional?: readonly ArgumentName[]
  /** With a token there is no other argument. */
  readonly takesToken?: true
}

const listArguments: VerbArguments = {
  required: ['metadataPrefix'],
  optional: ['from', 'until', 'set'],
  takesToken: true,
}

const argumentsOfVerbs: Readonly<Record<Verb, VerbArguments>> = {
  GetRecord: { required: ['identifier', 'metadataPrefix'] },
  Identify: {},
  ListIdentifiers: listArguments,
  ListMetadataFormats: { optional: ['identifier'] },
  ListRecords: listArguments,
  ListSets: { takesToken: true },
}

/** @throws OaiError badVerb, badArgument */
export function parseRequest(parameters: URLSearchParams): OaiRequest {
  const verb = parseVerb(parameters)
  const { required = [], optional = [], takesToken } = argumentsOfVerbs[verb]
  const names = [...new Set(parameters.keys())].filter((name) => name !== 'verb')
  const repeated = names.find((name) => parameters.getAll(name).length > 1)
  if (repeated !== undefined) throw badArgument(`${quote(repeated)} is given more than once.`)
  const hasToken = takesToken && names.includes('resumptionToken')
  const allowed: readonly string[] = hasToken ? ['resumptionToken'] : [...required, ...optional]
  const illegal = names.find((name) => !allowed.includes(name))
  if (illegal !== undefined)
    throw badArgument(
      hasToken
        ? 'resumptionToken cannot be combined with other arguments.'
        : `${verb} has no argument ${quote(illegal)}.`,
    )
  const missing = hasToken ? undefined : required.find((name) => !names.includes(name))
  if (missing !== undefined) throw badArgument(`${verb} needs the argument ${missing}.`)
  const values = Object.fromEntries(names.map((name) => [name, parameters.get(name) ?? '']))
  checkSyntax(values)
  return { verb, arguments: values }
}

function parseVerb(parameters: URLSearchParams): Verb {
  const values = parameters.getAll('verb')
  if (values.length > 1) throw new OaiError('badVerb', 'The verb is given more than once.')
  const verb = verbs.find((candidate) => candidate === values[0])
  if (!verb) throw new OaiError('badVerb', `The verb has to be one of ${verbs.join(', ')}.`)
  return verb
}

/** What the schema of answers demands, in which the arguments are repeated. */
const syntaxes: Readonly<Record<ArgumentName, RegExp>> = {
  identifier: /^[a-z][a-z\d+.-]*:(?:[\w.~:/?@!$&'()*+,;=-]|%[\dA-F]{2})+$/i,
  metadataPrefix: /^[\w.!~*'()-]+$/,
  set: /^[\w.!~*'()-]+(?::[\w.!~*'()-]+)*$/,
  from: /^/,
  until: /^/,
  resumptionToken: /^[\x21-\x7E]+$/,
}

function checkSyntax(values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values))
    // The cast: other names were refused.
    if (!syntaxes[name as ArgumentName].test(value))
      throw name === 'resumptionToken'
        ? new OaiError('badResumptionToken', 'This is no resumptionToken.')
        : badArgument(`${name} cannot have this value.`)
}

/** Times from `from` on and before `before`, in microseconds. */
export type TimeRange = { readonly from: number; readonly before: number }

const granularities = [
  { syntax: /^\d{4}-\d\d-\d\d$/, length: 86_400_000_000 },
  { syntax: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, length: 1_000_000 },
] as const

/** @throws OaiError badArgument */
export function parseTimeRange({ arguments: { from, until } }: OaiRequest): TimeRange {
  const [first, last] = [from, until].map((text) =>
    text === undefined ? undefined : parseTime(text),
  )
  if (first && last && first.length !== last.length)
    throw badArgument('from and until have to be given in the same way, both with a time or none.')
  if (first && last && first.start > last.start)
    throw badArgument('from must not be later than until.')
  return { from: first?.start ?? 0, before: last ? last.start + last.length : Infinity }
}

function parseTime(text: string): { readonly start: number; readonly length: number } {
  const granularity = granularities.find(({ syntax }) => syntax.test(text))
  const time = Date.parse(text)
  // A day that does not exist becomes another one.
  if (
    !granularity ||
    Number.isNaN(time) ||
    !new Date(time).toISOString().startsWith(text.replace('Z', ''))
  )
    throw badArgument(
      `${quote(text)} is no date like 2026-11-20 and no time like 2026-11-20T09:15:02Z.`,
    )
  return { start: time * 1000, length: granularity.length }
}

export const badArgument = (message: string): OaiError => new OaiError('badArgument', message)

const quote = (text: string): string => JSON.stringify(text.slice(0, 100))
