// A zine or a holding with its citations, for the API and for its page.

import type { Catalogue } from '../../catalogue/catalogue.js'
import type { CitationService } from './citation-service.js'
import type { Citations } from './styles.js'
import { citedItem } from '../../formats/csl-json.js'
import type { AccessorDependencies } from '../../formats/record-accessor.js'
import type { Serializers } from '../../formats/serializers.js'
import type { ResolvedRecord } from '../../model/record/views.js'

/** The kinds of records that can be cited. */
export const citedResources = ['zines', 'holdings'] as const

export type CitedResource = (typeof citedResources)[number]

/** The formats of reference managers that are shown beside the styles. */
export const citationFormats = ['bibtex', 'ris'] as const

export type CitedRecord = {
  readonly record: ResolvedRecord
  readonly citations: Citations
  readonly formats: Readonly<Record<(typeof citationFormats)[number], string>>
  /** The IRI of the thing, which stays when the record is renamed or merged. */
  readonly permanentAddress: string
}

export type CitationDependencies = AccessorDependencies & {
  readonly catalogue: Pick<Catalogue, 'read' | 'currentUntilNextWrite'>
  readonly citations: CitationService
  readonly serializers: Serializers
}

/** @throws UnavailableError @throws NotFoundError @throws RecordMergedError */
export async function citeRecord(
  { catalogue, citations, serializers, ...dependencies }: CitationDependencies,
  name: CitedResource,
  id: string,
): Promise<CitedRecord> {
  const { record } = await catalogue.read(name, id, 'detail')
  const serialize = (format: string): string =>
    serializers[name].find((serializer) => serializer.name === format)?.record(record) ?? ''
  return {
    record,
    citations: await citations.cite(citedItem(dependencies, record)),
    formats: { bibtex: serialize('bibtex'), ris: serialize('ris') },
    permanentAddress: dependencies.iris.thing(name, id).value,
  }
}
