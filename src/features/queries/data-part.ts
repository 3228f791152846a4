// The named queries in the data directory.

import { readdir } from 'node:fs/promises'

import type { DataPart } from '../../store/data-part.js'
import { queryFileName, readQueryFiles } from './query-files.js'

const folder = 'queries/'

/** @param directory the folder of the queries */
export const queriesPart = (directory: string): DataPart => ({
  checkSettings: () => readQueryFiles(directory, 'http://localhost'),
  folder: {
    isName: (name) => name.startsWith(folder) && queryFileName.test(name.slice(folder.length)),
    names: async () => (await readdir(directory)).map((name) => folder + name),
  },
})
