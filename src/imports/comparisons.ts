// What an import is compared with: the names of the agents of the catalogue, and what its zines are told from
// each other by. Only public values are read.

import type { Catalogue } from '../catalogue/catalogue.js'
import type { Resources } from '../model/resources.js'
import type { Vocabulary } from '../model/vocabulary.js'
import type { ChangeLog } from '../store/key-value/change-log.js'
import type { Comparison } from './analysis.js'
import {
  type CataloguedZine,
  type DuplicateFinder,
  createDuplicateFinder,
} from './matching/duplicates.js'
import type { NamedAgent } from './matching/names.js'

export type Comparisons = {
  /** The same as before while the catalogue and the vocabularies are the same. */
  forNames(): Promise<Comparison>
  /** A new finder, to which no rows were added, and the identifiers of all zines of the catalogue. */
  forDuplicates(): Promise<{
    readonly duplicates: DuplicateFinder
    readonly catalogued: ReadonlySet<string>
  }>
}

type ComparisonsDependencies = {
  readonly catalogue: Pick<Catalogue, 'fieldValues'>
  readonly resources: Resources
  readonly vocabularies: readonly Vocabulary[]
  readonly changeLog: Pick<ChangeLog, 'last'>
}

export function createComparisons({
  catalogue,
  resources,
  vocabularies,
  changeLog,
}: ComparisonsDependencies): Comparisons {
  let known: { readonly key: string; readonly comparison: Promise<Comparison> } | undefined

  async function readAgents(): Promise<readonly NamedAgent[]> {
    const agents: NamedAgent[] = []
    const fields = ['display_name', 'alternative_names', 'sort_name', 'kind']
    for await (const [id, values] of catalogue.fieldValues('agents', fields))
      agents.push({
        id,
        kind: values.kind?.[0] ?? '',
        names: fields.slice(0, 3).flatMap((name) => values[name] ?? []),
      })
    return agents
  }

  /** @param ids gets the identifiers */
  async function* readZines(ids: Set<string>): AsyncGenerator<CataloguedZine> {
    const fields = ['title', 'issue_designation', 'date', 'identifier']
    for await (const [id, values] of catalogue.fieldValues('zines', fields)) {
      ids.add(id)
      yield {
        id,
        title: values.title?.[0] ?? '',
        issue: values.issue_designation?.[0] ?? '',
        dates: values.date ?? [],
        identifiers: values.identifier ?? [],
      }
    }
    for await (const [, values] of catalogue.fieldValues('holdings', ['zine_id', 'barcode'])) {
      const [zine] = values.zine_id ?? []
      if (zine !== undefined && values.barcode) yield { id: zine, barcodes: values.barcode }
    }
  }

  return {
    forNames() {
      const key = [changeLog.last(), ...vocabularies.map(({ entries }) => entries.length)].join(' ')
      if (known?.key === key) return known.comparison
      const comparison = readAgents().then((agents) => ({ resources, vocabularies, agents }))
      known = { key, comparison }
      comparison.catch(() => (known = undefined))
      return comparison
    },
    async forDuplicates() {
      const catalogued = new Set<string>()
      return { duplicates: await createDuplicateFinder(readZines(catalogued)), catalogued }
    },
  }
}
