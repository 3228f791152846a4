// The file in which a harvest keeps its records: JSON Lines, the first of which says where they are
// from. Each other line is a row without its number.

import { InvalidError } from '../../errors.js'
import { readLines } from './json-lines.js'
import type { SourceRow } from './source.js'
import type { XmlRecord } from './marc/xml-records.js'

export type HarvestHeader = {
  readonly url: string
  readonly metadataPrefix: string
  readonly set?: string | undefined
  readonly from?: string | undefined
  readonly repositoryName?: string | undefined
  /** When the other catalogue answered: `from` of the next harvest. */
  readonly responseDate: string
}

const headerKey = 'oai-pmh'

export const isHarvest = (start: string): boolean => start.startsWith(`{"${headerKey}":`)

export const writeHeader = (header: HarvestHeader): string =>
  `${JSON.stringify({ [headerKey]: header })}\n`

export const writeRecord = (record: XmlRecord): string => `${JSON.stringify(record)}\n`

export async function* readHarvest(path: string): AsyncGenerator<SourceRow> {
  let number = -1
  for await (const line of readLines(path, 'utf-8')) {
    number += 1
    if (number > 0) yield { number, ...parseRecord(line) }
  }
}

function parseRecord(line: string): XmlRecord {
  try {
    // The file is our own.
    return JSON.parse(line) as XmlRecord
  } catch (cause) {
    throw new InvalidError('The file of harvested records is damaged. Harvest again.', { cause })
  }
}
