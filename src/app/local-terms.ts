// Adds an institution's own terms to a vocabulary while the service runs: to the file in the data directory
// first, then to the vocabulary and to the graph of vocabularies. After a crash in between, the next start reads
// them from the file.

import { chmod, mkdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import {
  type LocalTerm,
  LocalTermError,
  appendTerms,
  findNewTerms,
} from '../model/declarations/local-terms.js'
import {
  type ModelFiles,
  openVocabularyNames,
  toVocabularyGraph,
} from '../model/declarations/read-files.js'
import type { Iris } from '../model/iris.js'
import { type Quad, quadInGraph } from '../rdf/terms.js'
import { createSerialQueue, createYielder } from '../scheduling.js'
import { syncDirectory, writeFileDurably } from '../store/durable-file.js'

/**
 * Adds terms to a vocabulary. When the promise resolves, they are on the disk, and records can use them. Terms
 * that are there already with the same label are left as they are.
 * @throws LocalTermError, and none is added; the errors of the file system and of the store
 */
export type AddLocalTerms = (vocabulary: string, terms: readonly LocalTerm[]) => Promise<void>

type LocalTermsDependencies = {
  readonly iris: Iris
  readonly declared: Pick<ModelFiles, 'named'>
  /** The directory of the institution's own files. */
  readonly directory: string
  /** Takes all triples of the vocabularies, and those that are new. */
  readonly onAdded: (all: readonly Quad[], added: readonly Quad[]) => Promise<void>
}

export function createLocalTerms({
  iris,
  declared,
  directory,
  onAdded,
}: LocalTermsDependencies): AddLocalTerms {
  // One after the other: each reads the file that the one before has written.
  const inTurn = createSerialQueue()

  async function add(name: string, terms: readonly LocalTerm[]): Promise<void> {
    const open = openVocabularyNames.find((one) => one === name)
    if (!open)
      throw new LocalTermError(`Terms can be added to ${openVocabularyNames.join(', ')} only.`)
    const vocabulary = declared.named[open]
    const maybeYield = createYielder()
    const added = findNewTerms(vocabulary, terms)
    if (added.length === 0) return
    const file = join(directory, `${name}.ttl`)
    const before = await readIfThere(file)
    const { text, quads } = appendTerms(before, vocabulary.scheme.value, added, file)
    await replaceDurably(file, text)
    const statements = vocabulary
      .extend(quads, file)
      .map((statement) => quadInGraph(statement, iris.graphs.vocabularies))
    const all: Quad[] = []
    for (const one of Object.values(declared.named)) {
      for (const quad of toVocabularyGraph(iris, one)) all.push(quad)
      await maybeYield()
    }
    await onAdded(all, statements)
  }

  return (name, terms) => inTurn(() => add(name, terms))
}

async function readIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/**
 * Writes a file anew so that a crash leaves either the old or the new one. Its permissions stay, and where a
 * symbolic link leads.
 */
async function replaceDurably(link: string, text: string): Promise<void> {
  await mkdir(dirname(link), { recursive: true, mode: 0o700 })
  const file = await realpath(link).catch(() => link)
  const mode = await stat(file).then(
    (found) => found.mode & 0o777,
    () => undefined,
  )
  // The name does not end in `.ttl`: a start after a crash leaves it alone.
  const next = `${file}.new`
  await rm(next, { force: true })
  await writeFileDurably(next, new TextEncoder().encode(text))
  if (mode !== undefined) await chmod(next, mode)
  await rename(next, file)
  await syncDirectory(dirname(file))
  await syncDirectory(dirname(dirname(link)))
}
