// What an import is compared with: the names of the agents of the catalogue, and what its zines are
// told from each other by. Only public values are read, and those of hidden agents for whoever may
// see these.

import type { Catalogue } from '../../catalogue/catalogue.js'
import { textValue } from '../../model/record/values.js'
import { valuesIn } from '../../model/record/views.js'
import type { Resources } from '../../model/resources.js'
import type { Vocabulary } from '../../model/vocabulary.js'
import type { ChangeLog } from '../../store/key-value/change-log.js'
import { recordKey } from '../../catalogue/records/record-cache.js'
import type { Comparison } from './analysis.js'
import type { KnownRecords, KnownZine } from './identities.js'
import {
  type CataloguedZine,
  type DuplicateFinder,
  createDuplicateFinder,
} from './matching/duplicates.js'
import type { NamedAgent } from './matching/names.js'

type ComparisonsDependencies = {
  readonly catalogue: Pick<Catalogue, 'fieldValues' | 'allHidden'>
  readonly resources: Resources
  readonly vocabularies: readonly Vocabulary[]
  readonly changeLog: Pick<ChangeLog, 'last' | 'lastHidden'>
}

const nameFields: readonly string[] = ['display_name', 'alternative_names', 'sort_name']

/**
 * Records that an import made before it was stopped are source and not catalogue: it goes on as if
 * it had never stopped. They are named by their keys.
 */
export class Comparisons {
  readonly #catalogue: ComparisonsDependencies['catalogue']
  readonly #resources: Resources
  readonly #vocabularies: readonly Vocabulary[]
  readonly #changeLog: Pick<ChangeLog, 'last' | 'lastHidden'>
  #known: { readonly of: readonly unknown[]; readonly comparison: Promise<Comparison> } | undefined

  constructor({ catalogue, resources, vocabularies, changeLog }: ComparisonsDependencies) {
    this.#catalogue = catalogue
    this.#resources = resources
    this.#vocabularies = vocabularies
    this.#changeLog = changeLog
  }

  /**
   * How far the records that an import is compared with have changed.
   * @param withHidden whether hidden agents are among them
   */
  positionOf(withHidden: boolean): string {
    return `${this.#changeLog.last()} ${withHidden ? this.#changeLog.lastHidden() : ''}`
  }

  /**
   * The same as before while the catalogue and the vocabularies are the same.
   * @param withHidden whether hidden agents are among them
   */
  async forNames(madeKeys: ReadonlySet<string>, withHidden: boolean): Promise<Comparison> {
    const comparison = await this.#namesInCatalogue(withHidden)
    if (madeKeys.size === 0) return comparison
    const isMade = ({ id }: NamedAgent): boolean =>
      madeKeys.has(recordKey({ target: 'agents', id }))
    return { ...comparison, agents: comparison.agents.filter((agent) => !isMade(agent)) }
  }

  /**
   * A new finder, to which no rows were added, and all records of the catalogue, also those that
   * were made.
   */
  async forDuplicates(
    madeKeys: ReadonlySet<string>,
    withHidden: boolean,
  ): Promise<
    { readonly duplicates: DuplicateFinder } & Pick<KnownRecords, 'zines' | 'holdings' | 'agents'>
  > {
    const known = { zines: new Map<string, KnownZine>(), holdings: new Map<string, string>() }
    const duplicates = await createDuplicateFinder(this.#readZines(madeKeys, known))
    const { agents } = await this.#namesInCatalogue(withHidden)
    return { duplicates, ...known, agents: new Map(agents.map(({ id, names }) => [id, names])) }
  }

  async #readAgents(withHidden: boolean): Promise<readonly NamedAgent[]> {
    const agents: NamedAgent[] = []
    for await (const [id, values] of this.#catalogue.fieldValues('agents', [...nameFields, 'kind']))
      agents.push({
        id,
        kind: values.kind?.[0] ?? '',
        names: nameFields.flatMap((name) => values[name] ?? []),
      })
    const { fields } = this.#resources.agents
    if (withHidden)
      for await (const [{ target, id }, { values }] of this.#catalogue.allHidden())
        if (target === 'agents')
          agents.push({
            id,
            kind: textValue(values, 'kind'),
            names: fields
              .filter(({ name }) => nameFields.includes(name))
              .flatMap((field) => valuesIn(field, values)),
          })
    return agents
  }

  /** @param known gets what is told of all zines and holdings */
  async *#readZines(
    madeKeys: ReadonlySet<string>,
    known: { readonly zines: Map<string, KnownZine>; readonly holdings: Map<string, string> },
  ): AsyncGenerator<CataloguedZine> {
    const fields = ['title', 'issue_designation', 'date', 'identifier', 'creator']
    const isMade = (id: string): boolean => madeKeys.has(recordKey({ target: 'zines', id }))
    for await (const [id, values] of this.#catalogue.fieldValues('zines', fields)) {
      const title = values.title?.[0] ?? ''
      const issue = values.issue_designation?.[0] ?? ''
      known.zines.set(id, { title, issue, creators: values.creator ?? [] })
      if (!isMade(id))
        yield { id, title, issue, dates: values.date ?? [], identifiers: values.identifier ?? [] }
    }
    for await (const [id, values] of this.#catalogue.fieldValues('holdings', [
      'zine_id',
      'barcode',
    ])) {
      const [zine = ''] = values.zine_id ?? []
      known.holdings.set(id, zine)
      if (values.barcode && !isMade(zine)) yield { id: zine, barcodes: values.barcode }
    }
  }

  async #namesInCatalogue(withHidden: boolean): Promise<Comparison> {
    const of = [this.positionOf(withHidden), ...this.#vocabularies.map(({ entries }) => entries)]
    if (this.#known && of.every((part, index) => part === this.#known?.of[index]))
      return this.#known.comparison
    const comparison = this.#readAgents(withHidden).then((agents) => ({
      resources: this.#resources,
      vocabularies: this.#vocabularies,
      agents,
    }))
    this.#known = { of, comparison }
    comparison.catch(() => (this.#known = undefined))
    return comparison
  }
}
