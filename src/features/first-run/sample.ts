// The sample: a small invented collection, which comes with the service. It is written as one batch,
// so that it can be undone as one.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { BatchLine } from '../../catalogue/writes/batches.js'
import { packageRoot } from '../../lib/package-files.js'
import type { ResourceName } from '../../model/iris.js'
import { parseJsonInput } from '../../model/record/json-input.js'
import type { Resources } from '../../model/resources.js'

/** Referred records come first. */
const sampleKinds: readonly ResourceName[] = ['agents', 'repositories', 'zines', 'holdings']

const fileOf = (kind: ResourceName): string => join(packageRoot, 'sample', `${kind}.jsonl`)

export const sampleFiles: readonly string[] = sampleKinds.map(fileOf)

/** The lines of a batch that creates all records of the sample. */
export async function sampleLines(resources: Resources): Promise<readonly BatchLine[]> {
  const lines = await Promise.all(
    sampleKinds.map(async (kind) => {
      const text = await readFile(fileOf(kind), 'utf8')
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => toBatchLine(kind, resources[kind].id.name, line))
    }),
  )
  return lines.flat()
}

function toBatchLine(kind: ResourceName, idName: string, line: string): BatchLine {
  // A cast: the files of the sample have an object in each line.
  const body = new Map(Object.entries(parseJsonInput(line) as object))
  return { op: 'create', reference: { target: kind, id: String(body.get(idName)) }, body }
}
