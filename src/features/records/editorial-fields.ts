// Fields that pages show only to those who may edit the record, such as whether an agent is public:
// readers' pages neither show them nor are filtered by them, and the JSON on these pages leaves them
// out. The API shows them to everybody.

import type { ListQuery } from '../../catalogue/lists.js'
import type { Filter, Resource } from '../../model/resources.js'

export const isEditorial = (filter: Filter): boolean => 'editorial' in filter

/** The names of the fields, as JSON and parameters have them. */
export const editorialNames = ({ fields }: Resource): readonly string[] =>
  fields.filter(isEditorial).map(({ outputName }) => outputName)

export const withoutFilters = (query: ListQuery, names: readonly string[]): ListQuery => ({
  ...query,
  filters: new Map([...query.filters].filter(([name]) => !names.includes(name))),
})

/** The JSON of a record or a list without some members. */
export const withoutMembers = (json: string, names: readonly string[]): string =>
  names.length === 0
    ? json
    : JSON.stringify(
        JSON.parse(json, (name, value: unknown) => (names.includes(name) ? undefined : value)),
      )
