// Finds the files of this package: those beside package.json, and the modules of the program. The
// program is compiled into build/src/, and bundled into dist/ (packaging/bundle.js).

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The directory of `package.json`. */
export const packageRoot = directoryOf('package.json')

/** The directory of the compiled or bundled `src/`. */
export const programDirectory = directoryOf('main.js')

/** A module that a thread runs, by its path in `src/`: packaging/bundle.js makes a file of each. */
export const threadModule = (path: string): URL => pathToFileURL(join(programDirectory, path))

/** The nearest directory above this module that has the file. */
function directoryOf(file: string): string {
  let directory = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(directory, file))) {
    if (directory === dirname(directory)) throw new Error(`there is no ${file} above the program`)
    directory = dirname(directory)
  }
  return directory
}
