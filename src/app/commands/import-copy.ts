// `import DIR`: what a folder that `publish` has written has of a catalogue, into the data directory of a
// stopped service: the institution's own terms, the records, their pictures, and the lists of editors.
// What is there already stays as it is: a second import adds nothing, and one that was cut off is run
// again.

import { mkdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

import { formatErrors, loadFiles } from '../../commands/load.js'
import { catalogueTarget } from '../../commands/load-targets.js'
import { dataFiles, readConfig } from '../../config.js'
import { ExpectedError, RequestError } from '../../errors.js'
import { parseListInput, parseSlug } from '../../features/lists/list-input.js'
import { parseElsewhere, parseNewDescription } from '../../features/pictures/description.js'
import type { ExportedPicture } from '../../features/pictures/pictures.js'
import { type CopiedPicture, recordOf } from '../../features/static-copy/copy-files.js'
import { type CheckedCopy, readCopy } from '../../features/static-copy/read-copy.js'
import { ifAbsent, replaceFileDurably } from '../../lib/durable-file.js'
import { toGroups } from '../../lib/groups.js'
import { packageRoot } from '../../lib/package-files.js'
import { readModelFiles } from '../../model/declarations/read-files.js'
import { ValidationError } from '../../model/record/input.js'
import type { Vocabulary } from '../../model/vocabulary.js'
import type { Backend } from '../backend.js'
import { printCounts } from './load.js'
import type { CommandContext } from './command.js'
import { openStopped } from './stopped-service.js'

/** @throws ExpectedError before anything is written */
export async function importCopy(directory: string, context: CommandContext): Promise<void> {
  const copy = await readCopy(directory)
  await addTerms(copy, context)
  const backend = await openStopped(context)
  try {
    await importRecords(copy, backend, context)
    await importPictures(copy, backend, context)
    await importLists(copy, backend, context)
  } finally {
    await backend.close()
  }
}

/** Puts the files of terms where the next start reads them. @throws ExpectedError */
async function addTerms(
  { termsFolder, termsFiles }: CheckedCopy,
  context: CommandContext,
): Promise<void> {
  if (termsFiles.length === 0) return
  const folder = dataFiles(readConfig(context.env).dataDir).vocabularies
  const backend = await openStopped(context)
  const { iris, vocabularies } = backend
  await backend.close()
  // As a start reads them, so that none is put there that would stop it.
  const { named } = await readModelFiles(packageRoot, termsFolder, iris)
  const missing: string[] = []
  for (const file of termsFiles) {
    // The cast: readModelFiles refuses files of other names.
    const name = basename(file, '.ttl') as keyof typeof named
    const isThere = (await readFile(join(folder, file)).catch(ifAbsent)) !== undefined
    if (isThere) checkTerms(named[name], vocabularies[name], join(folder, file))
    else missing.push(file)
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const file of missing)
    await replaceFileDurably(join(folder, file), await readFile(join(termsFolder, file)))
  context.print(`vocabularies: ${missing.length} added`)
}

/** @throws ExpectedError where the file that is there does not say what the copy says */
function checkTerms(copied: Vocabulary, present: Vocabulary, file: string): void {
  const lacking = copied.entries.filter(({ code }) => {
    const statements = present.statements(code)
    return copied
      .statements(code)
      .some((statement) => !statements.some((other) => other.equals(statement)))
  })
  if (lacking.length === 0) return
  const codes = lacking.slice(0, 3).map(({ code }) => code)
  throw new ExpectedError(
    `${file} is there, and says otherwise of ${lacking.length} terms than the copy (${codes.join(', ')}). ` +
      'Nothing was read. Import into another DATA_DIR, or move the file away',
  )
}

async function importRecords(
  { recordFiles }: CheckedCopy,
  { catalogue, resources }: Backend,
  context: CommandContext,
): Promise<void> {
  const options = { replace: false, force: false }
  const counts = await loadFiles({
    files: recordFiles,
    target: { ...catalogueTarget(catalogue), close: () => Promise.resolve() },
    resources,
    options,
    onWarning: context.warn,
    onRefused: context.warn,
  })
  printCounts(context, counts, options)
}

async function importPictures(
  copy: CheckedCopy,
  { catalogue, pictures, vocabularies }: Backend,
  context: CommandContext,
): Promise<void> {
  const rights = vocabularies['rights-status']
  let added = 0
  let refused = 0
  for (const [name, group] of toGroups(copy.pictures, recordOf)) {
    const [first] = group
    if (!first) continue
    const reference = { target: first.kind, id: first.record }
    const add = async (): Promise<number> => {
      await catalogue.read(reference.target, reference.id, 'private')
      const read = await Promise.all(group.map((picture) => readPicture(copy, picture, rights)))
      return pictures.addExported(reference, read)
    }
    const outcome = await add().catch(reasonOf)
    if (typeof outcome === 'number') added += outcome
    else {
      refused += group.length
      context.warn(`pictures of ${name}: ${outcome}`)
    }
  }
  const unchanged = copy.pictures.length - added - refused
  printOutcome(context, 'pictures', { added, unchanged, refused })
}

/** @throws ValidationError */
async function readPicture(
  { readFile }: Pick<CheckedCopy, 'readFile'>,
  { id, alt, rights, credit, added_at, elsewhere, sizes }: CopiedPicture,
  rightsStatus: Vocabulary,
): Promise<ExportedPicture> {
  const description = new Map<string, unknown>([
    ...Object.entries({ alt, rights, credit }),
    ['public', true],
  ])
  return {
    id,
    ...parseNewDescription(description, rightsStatus),
    addedAt: added_at,
    ...(elsewhere && { elsewhere: parseElsewhere(new Map(Object.entries(elsewhere))) }),
    sizes: await Promise.all(
      sizes.map(async ({ width, height, file }) => ({
        width,
        height,
        content: await readFile(file),
      })),
    ),
  }
}

async function importLists(
  copy: CheckedCopy,
  { catalogue, lists }: Backend,
  context: CommandContext,
): Promise<void> {
  let added = 0
  let refused = 0
  for (const list of copy.lists) {
    // One that was deleted since an earlier import stays deleted.
    if (lists.find(list.slug) ?? lists.findDeleted(list.slug)) continue
    const body = new Map<string, unknown>(Object.entries(list))
    const add = async (): Promise<unknown> => {
      // As the public sees them: a record that was refused above is missing.
      const input = await parseListInput(catalogue, undefined, body)
      return lists.add(parseSlug(list.slug), input, { how: 'load' })
    }
    const outcome = await add().catch(reasonOf)
    if (typeof outcome === 'string') {
      refused += 1
      context.warn(`list ${list.slug}: ${outcome}`)
    } else added += 1
  }
  const unchanged = copy.lists.length - added - refused
  printOutcome(context, 'lists', { added, unchanged, refused })
}

/** Why something is refused. @throws any other error */
function reasonOf(error: unknown): string {
  if (error instanceof ValidationError) return formatErrors(error.fieldErrors)
  if (error instanceof RequestError) return error.message
  throw error
}

type Outcome = { readonly added: number; readonly unchanged: number; readonly refused: number }

function printOutcome(
  { print, fail }: CommandContext,
  what: string,
  { added, unchanged, refused }: Outcome,
): void {
  print(`${what}: ${added} added, ${unchanged} there already, ${refused} refused`)
  if (refused > 0) fail()
}
