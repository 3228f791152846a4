// The groups of fields in the forms of records, and the order of fields in them. A field that is in
// no group is the last of the essential ones.

import { message } from '../../message.js'
import type { ResourceName } from '../../model/iris.js'
import type { Field, Resource } from '../../model/resources.js'

export type FieldGroup = { readonly title: string; readonly fields: readonly Field[] }

type GroupNames = readonly (readonly [title: string, ...fields: string[]])[]

/** The first group of each is always open. */
// prettier-ignore
const groupNames: Readonly<Record<ResourceName, GroupNames>> = {
  zines: [
    [message('Essentials'), 'title', 'issue_designation', 'date', 'creator', 'subject', 'genre', 'language', 'zine_id'],
    [message('Titles and publication'), 'series_title', 'edition_statement', 'alternative_title', 'contributor', 'publisher', 'place_of_publication'],
    [message('Physical'), 'number_of_pages', 'physical_dimensions', 'format', 'binding_features'],
    [message('Contents'), 'content_advice', 'content_advice_note', 'abstract', 'table_of_contents', 'coverage', 'public_notes'],
    [message('Links and rights'), 'rights', 'identifier', 'source', 'relation'],
    [message('For staff'), 'staff_note'],
  ],
  agents: [
    [message('Essentials'), 'display_name', 'kind', 'legal_name', 'public', 'pronouns', 'agent_id'],
    [message('Other names and roles'), 'alternative_names', 'sort_name', 'roles'],
    [message('About'), 'biography', 'active_dates', 'location', 'scope_note'],
    [message('Contact'), 'email', 'phone', 'website', 'social_media'],
    [message('Identifiers'), 'orcid', 'wikidata', 'other_identifiers'],
    [message('For staff'), 'staff_note'],
  ],
  repositories: [
    [message('Essentials'), 'repository_name', 'repository_kind', 'country', 'city', 'repo_id'],
    [message('About'), 'alternative_names', 'description', 'scope_note', 'holdings_count', 'established', 'status'],
    [message('Contact'), 'region', 'postal_code', 'website', 'email', 'phone', 'social_media'],
    [message('Identifiers'), 'isil', 'marc_org_code', 'ror'],
    [message('For staff'), 'contact_note'],
  ],
  holdings: [
    [message('Essentials'), 'zine_id', 'repository_id', 'call_number', 'barcode', 'location', 'access_status', 'holding_id'],
    [message('Physical'), 'condition', 'copy_count', 'distro_status', 'provenance', 'notes'],
    [message('Digital'), 'digital_available', 'digital_url'],
    [message('For staff'), 'source', 'acquired', 'accession_number', 'price', 'donor', 'last_seen', 'staff_note'],
  ],
}

/**
 * The fields of the small form in which a record is created from within the form of another one
 * that refers to it. What they leave out has a usual value, or none.
 */
export const smallForms: ReadonlyMap<ResourceName, readonly string[]> = new Map([
  ['agents', ['display_name', 'kind', 'sort_name']],
  ['repositories', ['repository_name', 'repository_kind', 'country']],
])

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
        ...names.flatMap((fieldName) => fields.filter((field) => field.name === fieldName)),
        ...(index === 0 ? others : []),
      ],
    }))
    .filter((group) => group.fields.length > 0)
}
