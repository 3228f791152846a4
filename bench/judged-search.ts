// How often a search finds what its reader wants: the share of the judged queries (judged-queries.ts) with an answer at the
// first place, and among the first five. It needs a real collection; README.md in this directory says how it is started.

import { performance } from 'node:perf_hooks'

import { buildListSpec } from '../src/catalogue/lists.js'
import { textFieldNames } from '../src/catalogue/search/text-fields.js'
import { type ResourceName, resourceNames } from '../src/model/iris.js'
import { parseTextQuery } from '../src/queries/text-query.js'
import { type Collection, hasCollection, openCollection } from './collection.js'
import { type JudgedQuery, judgedQueries } from './judged-queries.js'

/** What has to be reached. */
const goals = [
  {
    what: 'known items and makers, first place',
    group: ['known item', 'maker'],
    among: 1,
    goal: 0.95,
  },
  { what: 'all, first place', group: ['known item', 'maker', 'other'], among: 1, goal: 0.9 },
  { what: 'all, among five', group: ['known item', 'maker', 'other'], among: 5, goal: 0.95 },
] as const

type Outcome = JudgedQuery & {
  /** From 1; Infinity where no answer is among the first five. */
  readonly place: number
  readonly milliseconds: number
}

async function report(collection: Collection): Promise<void> {
  const outcomes: Outcome[] = []
  for (const query of judgedQueries(collection)) outcomes.push(await run(collection, query))
  for (const kind of new Set(outcomes.map((one) => one.kind)))
    console.log(`${line(outcomes.filter((one) => one.kind === kind))}  ${kind}`)
  for (const { kind, q, place } of outcomes)
    if (place > 1) console.log(`place ${place === Infinity ? '> 5' : place}: ${q} (${kind})`)
  for (const { what, group, among, goal } of goals) {
    const own = outcomes.filter((one) => (group as readonly string[]).includes(one.group))
    const share = shareOf(own, among)
    const verdict = share >= goal ? 'reached' : 'MISSED'
    console.log(`${share.toFixed(3)} of ${own.length}, ${what}; ${goal} is ${verdict}`)
    if (share < goal) process.exitCode = 1
  }
  const times = outcomes.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b)
  console.log(
    `slowest ${times.at(-1)?.toFixed(1)} ms, median ${times[times.length >> 1]?.toFixed(1)} ms`,
  )
}

const line = (own: readonly Outcome[]): string =>
  `${String(own.length).padStart(3)} queries  ${shareOf(own, 1).toFixed(2)} first  ${shareOf(own, 5).toFixed(2)} among five`

const shareOf = (own: readonly Outcome[], among: number): number =>
  own.filter(({ place }) => place <= among).length / Math.max(1, own.length)

async function run(collection: Collection, query: JudgedQuery): Promise<Outcome> {
  const startedAt = performance.now()
  const found = await firstFive(collection, query)
  const milliseconds = performance.now() - startedAt
  const index = found.findIndex(([name, id]) => query.isAnswer(name, id))
  return { ...query, place: index < 0 ? Infinity : index + 1, milliseconds }
}

async function firstFive(
  collection: Collection,
  { list, q }: JudgedQuery,
): Promise<readonly (readonly [ResourceName, string])[]> {
  const { recordIndex, resources } = collection
  const range = { limit: 5, offset: 0 }
  if (list === undefined) {
    const text = parseTextQuery(q, textFieldNames)
    const { references } = await recordIndex.ranked(resourceNames, text, range)
    return references.map(({ target, id }) => [target, id] as const)
  }
  const query = { filters: new Map<string, string>(), search: '', ordering: [], q }
  const { ids } = await recordIndex.page(buildListSpec(resources[list], query, collection), range)
  return ids.map((id) => [list, id] as const)
}

const directory = process.env.COLLECTION ?? ''
if (hasCollection(directory)) await report(await openCollection(directory))
else
  console.log(
    'Skipped: COLLECTION has to name a directory with zines.jsonl, agents.jsonl, repositories.jsonl and holdings.jsonl.',
  )
