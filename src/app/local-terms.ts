// Adds an institution's own terms to a vocabulary while the service runs, and takes them away: in
// the file in the data directory first, then in the vocabulary and in the graph of vocabularies.
// After a crash in between, the next start reads them from the file.

import { chmod, mkdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import {
  type LocalTerm,
  LocalTermError,
  type LocalTerms,
  appendTerms,
  findNewTerms,
  withoutTerms,
} from '../model/declarations/local-terms.js'
import {
  type ModelFiles,
  openVocabularyNames,
  toVocabularyGraph,
} from '../model/declarations/read-files.js'
import type { Iris } from '../model/iris.js'
import { type Quad, quadInGraph } from '../rdf/terms.js'
import { createSerialQueue, createYielder } from '../lib/scheduling.js'
import { syncDirectory, writeFileDurably } from '../lib/durable-file.js'

type LocalTermsDependencies = {
  readonly iris: Iris
  readonly declared: Pick<ModelFiles, 'named'>
  /** The directory of the institution's own files. */
  readonly directory: string
  /** Takes all triples of the vocabularies, those that are new, and those that are gone. */
  readonly onChanged: (all: readonly Quad[], change: VocabularyChange) => Promise<void>
}

type VocabularyChange = { readonly added: readonly Quad[]; readonly removed: readonly Quad[] }

export function createLocalTerms({
  iris,
  declared,
  directory,
  onChanged,
}: LocalTermsDependencies): LocalTerms {
  // One after the other: each reads the file that the one before has written.
  const inTurn = createSerialQueue()
  /** Whether all have been told of the last change. */
  let isTold = true

  /** @throws LocalTermError unless an institution can have terms in the vocabulary */
  function find(name: string) {
    const open = openVocabularyNames.find((openName) => openName === name)
    if (!open)
      throw new LocalTermError(`Terms can be added to ${openVocabularyNames.join(', ')} only.`)
    return { vocabulary: declared.named[open], file: join(directory, `${name}.ttl`) }
  }

  async function add(name: string, terms: readonly LocalTerm[]): Promise<void> {
    const { vocabulary, file } = find(name)
    const added = findNewTerms(vocabulary, terms)
    if (added.length === 0) return tell()
    const before = await readIfThere(file)
    const { text, quads } = appendTerms(before, vocabulary.scheme.value, added, file)
    await replaceDurably(file, text)
    await tell({ added: vocabulary.extend(quads, file), removed: [] })
  }

  async function remove(name: string, terms: readonly LocalTerm[]): Promise<void> {
    const { vocabulary, file } = find(name)
    const there = terms.filter(({ code }) => vocabulary.find(code))
    const { text, codes } = withoutTerms(await readIfThere(file), vocabulary.scheme.value, there)
    if (codes.length === 0) return tell()
    await replaceDurably(file, text)
    await tell({ added: [], removed: vocabulary.remove(codes) })
  }

  /** Tells of a change, and of one before of which nobody could be told. */
  async function tell(change?: VocabularyChange): Promise<void> {
    if (isTold && !change) return
    isTold = false
    const maybeYield = createYielder()
    const all: Quad[] = []
    for (const vocabulary of Object.values(declared.named)) {
      for (const quad of toVocabularyGraph(iris, vocabulary)) all.push(quad)
      await maybeYield()
    }
    const { added = [], removed = [] } = change ?? {}
    await onChanged(all, { added: added.map(inGraph), removed: removed.map(inGraph) })
    isTold = true
  }

  const inGraph = (statement: Quad): Quad => quadInGraph(statement, iris.graphs.vocabularies)

  return {
    add: (name, terms) => inTurn(() => add(name, terms)),
    remove: (name, terms) => inTurn(() => remove(name, terms)),
  }
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
 * Writes a file anew so that a crash leaves either the old or the new one. Its permissions stay,
 * and where a symbolic link leads.
 */
async function replaceDurably(link: string, text: string): Promise<void> {
  await mkdir(dirname(link), { recursive: true, mode: 0o700 })
  const file = await realpath(link).catch(() => link)
  const mode = await stat(file).then(
    (stats) => stats.mode & 0o777,
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
