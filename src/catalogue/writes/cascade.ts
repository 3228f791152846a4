// Which records are removed together with a record (docs/reference/records.md, "Delete effects").

import type { ResourceName } from '../../model/iris.js'
import type { Resources } from '../../model/resources.js'

/** The fields by which records are removed with one of a resource that they name. */
export const cascadesOf = (resources: Resources, removed: ResourceName) =>
  Object.values(resources).flatMap(({ name, inputFields }) =>
    inputFields
      .filter(({ target, removedWith }) => removedWith && target === removed)
      .map((field) => ({ resource: name, field: field.name })),
  )
