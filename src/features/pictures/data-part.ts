// The pictures in the data directory: their entries and their files.

import type { DataChecks, DataPart } from '../../store/data-part.js'
import { prefixes } from '../../store/key-value/keys.js'
import { type PictureFiles, hashOf } from './picture-files.js'
import { hashesOf, isHash, parsePictureEntry } from './picture.js'

const directory = 'pictures/'

const hashIn = (name: string): string => name.slice(directory.length)

export const picturesPart = (files: PictureFiles): DataPart => ({
  createChecks: () => createPictureChecks(files),
  entryFiles: {
    namesIn: (key, value) =>
      key.startsWith(prefixes.pictures)
        ? hashesOf(parsePictureEntry(value)).map((hash) => directory + hash)
        : [],
    isName: (name) => name.startsWith(directory) && isHash(hashIn(name)),
    read: (name) => files.read(hashIn(name)),
    async write(name, content) {
      const hash = hashIn(name)
      const isRight = hashOf(content) === hash
      if (isRight) await files.write(hash, content)
      return isRight
    },
  },
})

function createPictureChecks(files: PictureFiles): DataChecks {
  /** The keys of entries by the files that they name. */
  const keys = new Map<string, string>()
  /** The keys of entries of pictures that are not removed. */
  const pictured: string[] = []
  return {
    entries: {
      [prefixes.pictures](value, key) {
        const entry = parsePictureEntry(value)
        for (const hash of hashesOf(entry)) keys.set(hash, key)
        if (entry.pictures.length > 0) pictured.push(key)
        return true
      },
    },
    async checkFiles(report) {
      for (const [hash, key] of keys) {
        const content = await files.read(hash)
        if (content && hashOf(content) === hash) continue
        report(key, `its file ${hash} is ${content ? 'damaged' : 'missing'}`)
      }
    },
    checkRecords(hasRecord, report) {
      for (const key of pictured)
        if (!hasRecord(prefixes.records + key.slice(prefixes.pictures.length)))
          report(key, 'has pictures of a record that does not exist')
    },
  }
}
