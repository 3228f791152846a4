// What is remembered of imports in the data directory.

import type { DataPart } from '../../store/data-part.js'
import { prefixes } from '../../store/key-value/keys.js'
import { parseImport } from './import-state.js'

export const importsPart: DataPart = {
  createChecks: () => ({
    entries: {
      [prefixes.imports]: (value, key) => key.endsWith(`/${parseImport(value).id}`),
      [prefixes.importedRows]: (value) =>
        (JSON.parse(value) as { number: unknown }).number !== undefined,
      [prefixes.importedRecords]: (value) => value.startsWith(prefixes.importedRows),
      [prefixes.importProfiles]: (value) =>
        typeof (JSON.parse(value) as { name: unknown }).name === 'string',
    },
  }),
}
