// `doctor --forgotten`: says where texts from the standard input still are. They are kept nowhere.

import { text } from 'node:stream/consumers'

import { ExpectedError } from '../errors.js'
import { dataFiles } from '../config.js'
import {
  type RemovalProof,
  type SearchedData,
  isGone,
  proveRemoval,
  textsIn,
} from '../features/history/removal-proof.js'
import { readArchive } from './archive-file.js'
import { findStoppedStore } from './backup.js'
import { requestBackup } from '../lib/control-socket.js'

/** @param origin where the service answers, if it runs */
export async function findForgotten(
  dataDir: string,
  origin: string,
  stdin: NodeJS.ReadableStream,
): Promise<RemovalProof> {
  const texts = textsIn(await text(stdin))
  if (texts.length === 0)
    throw new ExpectedError('the texts are read from the standard input, one on each line')
  const store = await findStoppedStore(dataDir)
  const visitEntries: SearchedData['visitEntries'] = async (visit) => {
    if (store) for await (const [key, value] of store.entries('')) visit(key, value)
    else
      await readArchive(await requestBackup(dataFiles(dataDir).control), 'the backup', (part) => {
        if ('key' in part && part.value !== undefined) visit(part.key, part.value)
      })
  }
  try {
    return await proveRemoval({ dataDir, visitEntries, origin: store ? undefined : origin }, texts)
  } finally {
    await store?.close()
  }
}

/** Prints where they are, and the summary last. @returns whether they are nowhere */
export function printProof(proof: RemovalProof, print: (line: string) => void): boolean {
  const { files, records, entries, answers } = proof
  for (const file of files) print(`file: ${file}`)
  for (const { target, id } of records) print(`record: ${target}/${id}`)
  for (const [kind, count] of Object.entries(entries)) print(`entries: ${kind}: ${count}`)
  for (const answer of answers ?? []) print(`answer: ${answer}`)
  const answerCount = answers ? `${answers.length} answers` : 'no answer was asked for'
  print(`${files.length} files, ${records.length} records, ${answerCount}`)
  return isGone(proof)
}
