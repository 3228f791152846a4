// What the tests over HTTP share: a service that holds the records which the examples refer to, the
// four resources as rows, and records made for one test under identifiers of their own.

import { expect } from 'chai'

import type { StorageOptions } from '../../src/app/storage.js'
import { full, minimal, named } from '../examples.js'
import { useService, type TestService } from '../service.js'

type Fields = Readonly<Record<string, unknown>>

export type Resource = {
  readonly name: 'zines' | 'agents' | 'repositories' | 'holdings'
  readonly noun: string
  readonly key: string
  /** A field of free text, to change without touching anything else. */
  readonly text: string
  readonly required: readonly string[]
  readonly minimal: (id: string, more?: object) => Fields
  readonly full: (id: string, more?: object) => Fields
}

export const resources: readonly Resource[] = [
  {
    name: 'zines',
    noun: 'Zine',
    key: 'zine_id',
    text: 'abstract',
    required: ['zine_id', 'title', 'creator', 'subject', 'genre', 'date', 'language', 'rights'],
    minimal: minimal.zines,
    full: full.zines,
  },
  {
    name: 'agents',
    noun: 'Agent',
    key: 'agent_id',
    text: 'biography',
    required: ['agent_id', 'kind', 'display_name', 'public'],
    minimal: minimal.agents,
    full: full.agents,
  },
  {
    name: 'repositories',
    noun: 'Repository',
    key: 'repo_id',
    text: 'description',
    required: ['repo_id', 'repository_name', 'repository_kind', 'country'],
    minimal: minimal.repositories,
    full: full.repositories,
  },
  {
    name: 'holdings',
    noun: 'Holding',
    key: 'holding_id',
    text: 'condition',
    required: ['holding_id', 'zine_id', 'repository_id'],
    minimal: minimal.holdings,
    full: full.holdings,
  },
]

export const resourceOf = (name: Resource['name']): Resource => {
  const found = resources.find((resource) => resource.name === name)
  if (!found) throw new Error(`no resource ${name}`)
  return found
}

export const listOf = (name: Resource['name']) => `/api/${name}/`

export const pathOf = (name: Resource['name'], id: string) =>
  `/api/${name}/${encodeURIComponent(id)}/`

/** A service that holds the agents, zines and repositories which the examples refer to. */
export function useCatalogue(env?: Readonly<Record<string, string>>, options?: StorageOptions) {
  const service = useService(env, options)
  before(async () => {
    for (const [name, record] of named) await make(service(), name, record)
  })
  return { service, given: makers(service), refused: refusals(service) }
}

/** Records for one test to start from, as the service shows them. */
export const makers = (service: () => TestService) => ({
  agent: (more?: object) => make(service(), 'agents', minimal.agents(unique('agent'), more)),
  zine: (more?: object) => make(service(), 'zines', minimal.zines(unique('zine'), more)),
  repository: (more?: object) =>
    make(service(), 'repositories', minimal.repositories(unique('repo'), more)),
  holding: (more?: object) =>
    make(service(), 'holdings', minimal.holdings(unique('holding'), more)),
  /** A record of any resource, with no more than it must have. */
  record: (resource: Resource, more?: object) =>
    make(service(), resource.name, resource.minimal(unique(resource.key), more)),
})

async function make(service: TestService, name: Resource['name'], record: object): Promise<any> {
  const answer = await service.post(listOf(name), record)
  expect(answer.status, answer.text).to.equal(201)
  return answer.body
}

/** The body of the 400 that a POST of an otherwise right record with these fields is answered with. */
const refusals = (service: () => TestService) => async (name: Resource['name'], fields: object) => {
  const { key, minimal } = resourceOf(name)
  const answer = await service().post(listOf(name), minimal(unique(key), fields))
  expect(answer.status, answer.text).to.equal(400)
  return answer.body
}

let uniques = 0

/** A word that no other test uses, and that is no part of another such word. */
export const unique = (word: string) => `${word}${++uniques}x`

const identifiers = (agents: readonly any[]) => agents.map((agent) => agent.agent_id)
const codes = (entries: readonly any[]) => entries.map((entry) => entry.code)

const writeForms: Readonly<Record<string, (shown: any) => Fields>> = {
  created_at: () => ({}),
  updated_at: () => ({}),
  creator: (shown) => ({ creator: identifiers(shown) }),
  contributor: (shown) => ({ contributor: identifiers(shown) }),
  publisher: (shown) => ({ publisher: identifiers(shown) }),
  subject: (shown) => ({ subject: codes(shown) }),
  genre: (shown) => ({ genre: codes(shown) }),
  zine: (shown) => ({ zine_id: shown.zine_id }),
  repository: (shown) => ({ repository_id: shown.repo_id }),
}

/** A record that was read, in the shape in which it is written. */
export function asWritten(record: object): Fields {
  const fields = Object.entries(record).map(
    ([name, shown]) => writeForms[name]?.(shown) ?? { [name]: shown },
  )
  return Object.assign({}, ...fields)
}

const defaults = new Map<string, unknown>([
  ['status', 'active'],
  ['copy_count', 1],
  ['digital_available', false],
])

/** How the optional fields of a resource read when they were never set. */
export function unset(resource: Resource): Fields {
  const optional = Object.entries(resource.full('any')).filter(
    ([name]) => !resource.required.includes(name),
  )
  return Object.fromEntries(
    optional.map(([name, value]) => [name, defaults.get(name) ?? emptyLike(value)]),
  )
}

function emptyLike(value: unknown): unknown {
  if (Array.isArray(value)) return []
  return typeof value === 'number' ? null : ''
}
