// The groups of fields in the forms of records, and the order of fields in them. A field that is in no group is the last
// of the essential ones.

import type { ResourceName } from '../model/iris.js'
import type { Field, Resource } from '../model/resources.js'

export type FieldGroup = { readonly title: string; readonly fields: readonly Field[] }

type GroupNames = readonly (readonly [title: string, ...fields: string[]])[]

/** The first group of each is always open. */
// prettier-ignore
const groupNames: Readonly<Record<ResourceName, GroupNames>> = {
  zines: [
    ['Essentials', 'title', 'issue_designation', 'date', 'creator', 'subject', 'genre', 'language', 'zine_id'],
    ['Titles and publication', 'series_title', 'edition_statement', 'alternative_title', 'contributor', 'publisher', 'place_of_publication'],
    ['Physical', 'number_of_pages', 'physical_dimensions', 'format', 'binding_features'],
    ['Contents', 'abstract', 'table_of_contents', 'coverage', 'public_notes'],
    ['Links and rights', 'rights', 'identifier', 'source', 'relation'],
  ],
  agents: [
    ['Essentials', 'display_name', 'kind', 'legal_name', 'public', 'pronouns', 'agent_id'],
    ['Other names and roles', 'alternative_names', 'sort_name', 'roles'],
    ['About', 'biography', 'active_dates', 'location', 'scope_note'],
    ['Contact', 'email', 'phone', 'website', 'social_media'],
    ['Identifiers', 'orcid', 'wikidata', 'other_identifiers'],
  ],
  repositories: [
    ['Essentials', 'repository_name', 'repository_kind', 'country', 'city', 'repo_id'],
    ['About', 'alternative_names', 'description', 'scope_note', 'holdings_count', 'established', 'status'],
    ['Contact', 'region', 'postal_code', 'website', 'email', 'phone', 'social_media'],
    ['Identifiers', 'isil', 'marc_org_code', 'ror'],
  ],
  holdings: [
    ['Essentials', 'zine_id', 'repository_id', 'call_number', 'barcode', 'location', 'access_status', 'holding_id'],
    ['Physical', 'condition', 'copy_count', 'distro_status', 'notes'],
    ['Digital', 'digital_available', 'digital_url'],
  ],
}

/** The groups of a form with these fields; those without any are left out. */
export function groupFields(
  { name }: Pick<Resource, 'name'>,
  fields: readonly Field[],
): readonly FieldGroup[] {
  const groups = groupNames[name]
  const grouped = new Set(groups.flatMap(([, ...names]) => names))
  const others = fields.filter((field) => !grouped.has(field.name))
  return groups
    .map(([title, ...names], index) => ({
      title,
      fields: [
        ...names.flatMap((one) => fields.filter((field) => field.name === one)),
        ...(index === 0 ? others : []),
      ],
    }))
    .filter((group) => group.fields.length > 0)
}
