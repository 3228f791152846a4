// Builds synthetic records: any number of zines, with agents, repositories and holdings in the proportions
// of real collections. They are the same in every run.

import type { ResourceName } from '../src/model/iris.js'
import type { RecordValues } from '../src/model/record/values.js'
import type { Resources } from '../src/model/resources.js'
import type { Reference } from '../src/model/record/views.js'
import { type Random, at, createRandom } from './random.js'

export type SyntheticRecord = { readonly reference: Reference; readonly values: RecordValues }

/** An agent for five zines, three holdings for two, and fifty repositories, whatever the size. */
export const countsOf = (zines: number): Readonly<Record<ResourceName, number>> => ({
  agents: Math.ceil(zines / 5),
  repositories: 50,
  zines,
  holdings: Math.floor(zines * 1.5),
})

export const zineId = (index: number): string => `zine-${index}`
export const agentId = (index: number): string => `agent-${index}`
const repositoryId = (index: number): string => `repository-${index}`

/** All records of a catalogue, the oldest first; referred records before those that refer to them. */
export function* buildRecords(zines: number, resources: Resources): Generator<SyntheticRecord> {
  const random = createRandom(zines)
  const counts = countsOf(zines)
  const builders = createBuilders(resources, counts)
  let time = Date.UTC(2020, 0, 1)
  for (const name of ['agents', 'repositories', 'zines', 'holdings'] as const)
    for (let index = 0; index < counts[name]; index += 1) {
      const { id, ...values } = builders[name](random, index)
      const now = `${new Date((time += 1000)).toISOString().slice(0, -1)}000Z`
      yield {
        reference: { target: name, id },
        values: { [resources[name].id.name]: id, ...values, created_at: now, updated_at: now },
      }
    }
}

/** The body of a POST for a new zine. */
export function newZine(random: Random, id: string, resources: Resources, zines: number): object {
  const values = createBuilders(resources, countsOf(zines)).zines(random, 0)
  return { ...values, id: undefined, zine_id: id }
}

type ValuesWithId = RecordValues & { readonly id: string }
type RecordBuilder = (random: Random, index: number) => ValuesWithId

function createBuilders(
  resources: Resources,
  counts: Readonly<Record<ResourceName, number>>,
): Readonly<Record<ResourceName, RecordBuilder>> {
  const codesOf = (name: ResourceName, field: string): string[] =>
    (resources[name].byName.get(field)?.vocabulary?.entries ?? []).map(({ code }) => code)
  const codes = {
    subject: codesOf('zines', 'subject'),
    genre: codesOf('zines', 'genre'),
    format: codesOf('zines', 'format'),
    rights: codesOf('zines', 'rights'),
    roles: codesOf('agents', 'roles'),
    kind: codesOf('repositories', 'repository_kind'),
    access: codesOf('holdings', 'access_status'),
  }
  const people = (random: Random, count: number): string[] => [
    ...new Set(Array.from({ length: count }, () => agentId(random.rank(counts.agents)))),
  ]

  return {
    agents: (random, index) => ({
      id: agentId(index),
      kind: at(kinds, random.rank(kinds.length)),
      display_name: title(random, 2),
      public: random.chance(0.95),
      legal_name: random.chance(0.2) ? title(random, 2) : '',
      alternative_names: random.chance(0.2) ? [title(random, 2)] : [],
      sort_name: title(random, 2),
      pronouns: random.chance(0.3) ? [at(pronouns, random.rank(pronouns.length))] : [],
      biography: random.chance(0.4) ? random.words(random.between(10, 60)) : '',
      roles: random.some(codes.roles, random.between(0, 2)),
      location: random.chance(0.5) ? [at(places, random.rank(places.length))] : [],
      website: random.chance(0.2) ? `https://www.${agentId(index)}.example/` : '',
      email: random.chance(0.2) ? `${agentId(index)}@mail.example` : '',
    }),
    repositories: (random, index) => ({
      id: repositoryId(index),
      repository_name: title(random, 3),
      repository_kind: random.pick(codes.kind),
      country: at(countries, random.rank(countries.length)),
      description: random.words(random.between(20, 60)),
      city: at(places, random.rank(places.length)),
      website: `https://${repositoryId(index)}.example/`,
      established: String(random.between(1890, 2020)),
      status: 'active',
    }),
    zines: (random, index) => {
      const year = random.between(1975, 2024)
      return {
        id: zineId(index),
        title: title(random, random.between(1, 6)),
        series_title: random.chance(0.1) ? [title(random, 2)] : [],
        issue_designation: random.chance(0.6) ? `no. ${random.between(1, 40)}` : '',
        creator: people(random, random.chance(0.7) ? 1 : random.between(2, 4)),
        contributor: random.chance(0.1) ? people(random, random.between(1, 4)) : [],
        subject: random.some(codes.subject, random.between(1, 5)),
        genre: random.some(codes.genre, random.chance(0.8) ? 1 : 2),
        abstract: random.chance(0.7) ? random.words(random.between(10, 80)) : '',
        table_of_contents: random.chance(0.2)
          ? Array.from({ length: random.between(4, 15) }, () => random.words(4)).join('\n')
          : '',
        public_notes: random.chance(0.3) ? [random.words(random.between(3, 15))] : [],
        publisher: random.chance(0.1) ? people(random, 1) : [],
        date: [
          random.chance(0.7) ? String(year) : random.chance(0.5) ? `${year}-05` : `c. ${year}`,
        ],
        physical_dimensions: random.chance(0.4) ? '22 x 14 cm' : '',
        number_of_pages: String(4 * random.between(1, 20)),
        format: random.chance(0.5) ? random.some(codes.format, 1) : [],
        language: random.some(languages, random.chance(0.95) ? 1 : 2),
        place_of_publication: random.chance(0.7) ? [at(places, random.rank(places.length))] : [],
        rights: [at(codes.rights, random.rank(codes.rights.length))],
      }
    },
    holdings: (random, index) => ({
      id: `holding-${index}`,
      zine_id: zineId(index < counts.zines ? index : random.rank(counts.zines)),
      repository_id: repositoryId(random.rank(counts.repositories)),
      call_number: `Z ${random.between(1, 999)} .${random.between(1, 99)}`,
      location: random.chance(0.5) ? `Box ${random.between(1, 200)}` : '',
      access_status: random.pick(codes.access),
      condition: random.chance(0.1) ? random.words(3) : '',
      copy_count: random.chance(0.9) ? 1 : random.between(2, 5),
      barcode: random.chance(0.2) ? String(random.between(10 ** 11, 10 ** 12)) : '',
      digital_available: random.chance(0.1),
      notes: random.chance(0.1) ? [random.words(5)] : [],
    }),
  }
}

const title = (random: Random, words: number): string =>
  random
    .words(words)
    .split(' ')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')

const kinds = ['Person', 'Collective', 'Organization']
const pronouns = ['she/her', 'they/them', 'he/him']
const languages = ['en', 'es', 'fr', 'de', 'pt', 'it', 'ja', 'nl', 'sv', 'pl']
const countries = ['US', 'GB', 'CA', 'DE', 'FR', 'AU', 'NL', 'JP', 'BR', 'SE']
// prettier-ignore
const places = ['Minneapolis, Minnesota', 'Portland, Oregon', 'Brooklyn, New York', 'London', 'Berlin', 'Olympia, Washington', 'Chicago, Illinois', 'Montréal', 'Leeds', 'Melbourne', 'São Paulo', 'Malmö', 'Utrecht', 'Ōsaka']
