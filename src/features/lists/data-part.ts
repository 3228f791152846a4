// The lists of editors in the data directory, with their versions.

import type { DataPart } from '../../store/data-part.js'
import { prefixes } from '../../store/key-value/keys.js'
import { isCuratedListInput, parseCuratedList } from './curated-lists.js'
import { parseListVersion } from './list-versions.js'
import { parseDeletedList } from './stored-lists.js'

export const listsPart: DataPart = {
  createChecks: () => ({
    entries: {
      [prefixes.lists](value, key) {
        const list = parseCuratedList(value)
        return key === prefixes.lists + list.slug && isCuratedListInput(list)
      },
      [prefixes.deletedLists](value, key) {
        const { slug, title, at } = parseDeletedList(value)
        return (
          key === prefixes.deletedLists + slug &&
          [title, at].every((text) => typeof text === 'string')
        )
      },
      [prefixes.listVersions](value, key) {
        const { version, list } = parseListVersion(value)
        return (
          key.endsWith(`/${String(version).padStart(12, '0')}`) &&
          (!list || isCuratedListInput(list))
        )
      },
    },
  }),
}
