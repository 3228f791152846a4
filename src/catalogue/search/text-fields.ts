// What a search with `q` looks at in each resource, and how much each of it counts
// (docs/reference/lists.md, "Search"): fields of the record itself, and what the records and
// vocabulary entries say that it is linked with.

import type { ResourceName } from '../../model/iris.js'
import type { Resource, Resources } from '../../model/resources.js'

/** A field of the record itself. */
export type OwnText = {
  readonly field: string
  readonly weight: number
  /** What the record is called: found in full, it comes first. */
  readonly isName?: true
  /** How much longer texts count less, from 0 to 1. */
  readonly lengthShare?: number
}

/** The labels of the codes of a field that is a filter. */
type LabelText = { readonly field: string; readonly weight: number }

/**
 * Fields of records that this one names in a field that is a filter (`by` undefined), or that name
 * this one in the field `by` of theirs.
 */
export type LinkedText = {
  /** What people write before the colon. */
  readonly field: string
  readonly target: ResourceName
  readonly by?: string
  readonly weight: number
  /** The fields of the target, with their share of the weight. */
  readonly fields: Readonly<Record<string, number>>
}

export type TextFields = {
  /** How much the scores of its records count beside those of other resources. */
  readonly share: number
  readonly ownFields: readonly OwnText[]
  readonly labels: readonly LabelText[]
  readonly linked: readonly LinkedText[]
}

const agentNames = { display_name: 1, alternative_names: 0.9, legal_name: 0.9, sort_name: 0.5 }

// prettier-ignore
export const textFields: Readonly<Record<ResourceName, TextFields>> = {
  zines: {
    share: 1,
    ownFields: [
      { field: 'title', weight: 10, isName: true, lengthShare: 0.6 },
      { field: 'alternative_title', weight: 8, isName: true, lengthShare: 0.6 },
      { field: 'series_title', weight: 5, isName: true, lengthShare: 0.5 },
      { field: 'issue_designation', weight: 5, isName: true, lengthShare: 0.3 },
      { field: 'zine_id', weight: 8, isName: true, lengthShare: 0 },
      { field: 'identifier', weight: 5, lengthShare: 0 },
      { field: 'date', weight: 3, lengthShare: 0 },
      { field: 'place_of_publication', weight: 2, lengthShare: 0.2 },
      { field: 'abstract', weight: 1.5 },
      { field: 'table_of_contents', weight: 1 },
      { field: 'public_notes', weight: 1.5 },
    ],
    labels: [
      { field: 'subject', weight: 4 },
      { field: 'genre', weight: 2 },
      { field: 'language', weight: 3 },
    ],
    linked: [
      { field: 'creator', target: 'agents', weight: 7, fields: agentNames },
      { field: 'contributor', target: 'agents', weight: 4, fields: agentNames },
      { field: 'publisher', target: 'agents', weight: 4, fields: agentNames },
      { field: 'call_number', target: 'holdings', by: 'zine_id', weight: 6, fields: { call_number: 1 } },
      { field: 'barcode', target: 'holdings', by: 'zine_id', weight: 6, fields: { barcode: 1 } },
      { field: 'location', target: 'holdings', by: 'zine_id', weight: 1, fields: { location: 1 } },
    ],
  },
  agents: {
    share: 1.1,
    ownFields: [
      { field: 'display_name', weight: 10, isName: true, lengthShare: 0.5 },
      { field: 'alternative_names', weight: 8, isName: true, lengthShare: 0.3 },
      { field: 'legal_name', weight: 8, isName: true, lengthShare: 0.3 },
      { field: 'sort_name', weight: 2, isName: true, lengthShare: 0.3 },
      { field: 'agent_id', weight: 3, lengthShare: 0 },
      { field: 'orcid', weight: 4, lengthShare: 0 },
      { field: 'wikidata', weight: 4, lengthShare: 0 },
      { field: 'other_identifiers', weight: 3, lengthShare: 0 },
      { field: 'location', weight: 2, lengthShare: 0.2 },
      { field: 'biography', weight: 1 },
    ],
    labels: [],
    linked: [],
  },
  repositories: {
    share: 1.1,
    ownFields: [
      { field: 'repository_name', weight: 10, isName: true, lengthShare: 0.5 },
      { field: 'alternative_names', weight: 8, isName: true, lengthShare: 0.3 },
      { field: 'repo_id', weight: 5, lengthShare: 0 },
      { field: 'marc_org_code', weight: 4, lengthShare: 0 },
      { field: 'isil', weight: 4, lengthShare: 0 },
      { field: 'ror', weight: 4, lengthShare: 0 },
      { field: 'city', weight: 4, lengthShare: 0.2 },
      { field: 'region', weight: 2, lengthShare: 0.2 },
      { field: 'description', weight: 1 },
    ],
    labels: [{ field: 'country', weight: 2 }],
    linked: [],
  },
  holdings: {
    // They are found by the words of their zines, which come before them.
    share: 0.5,
    ownFields: [
      { field: 'call_number', weight: 8, lengthShare: 0.2 },
      { field: 'barcode', weight: 8, lengthShare: 0 },
      { field: 'holding_id', weight: 6, lengthShare: 0 },
      { field: 'location', weight: 3, lengthShare: 0.2 },
      { field: 'notes', weight: 1 },
    ],
    labels: [{ field: 'access_status', weight: 1 }],
    linked: [
      { field: 'zine_id', target: 'zines', weight: 2, fields: { title: 1, alternative_title: 0.8, series_title: 0.5, issue_designation: 0.5, zine_id: 0.8 } },
      { field: 'repository_id', target: 'repositories', weight: 2, fields: { repository_name: 1, alternative_names: 0.8 } },
    ],
  },
}

/** The names that may stand before a colon, in every resource. */
export const textFieldNames: ReadonlySet<string> = new Set(
  Object.values(textFields).flatMap(({ ownFields, labels, linked }) =>
    [...ownFields, ...labels, ...linked].map(({ field }) => field),
  ),
)

/**
 * @throws Error for a field that the resource does not have, so that no declaration is forgotten
 */
export function checkTextFields(resources: Resources): void {
  const require = ({ name, byName }: Resource, field: string): void => {
    if (!byName.has(field)) throw new Error(`text-fields.ts: ${name} have no field ${field}`)
  }
  for (const resource of Object.values(resources)) {
    const { ownFields, labels, linked } = textFields[resource.name]
    for (const { field } of [...ownFields, ...labels]) require(resource, field)
    for (const { target, by, field, fields } of linked) {
      require(by === undefined ? resource : resources[target], by ?? field)
      for (const linkedField of Object.keys(fields)) require(resources[target], linkedField)
    }
  }
}
