// Sheets for the formats' tests, from records in the write shape, without a store; files that hold what
// is expected; and other people's programs, where they are installed.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { expect } from 'chai'

import { setUpPresses } from '../../src/formats/presses.js'
import { type Press, printList } from '../../src/formats/press.js'
import { type ResourceName, addressesUnder } from '../../src/model/addresses.js'
import type { Card } from '../../src/model/card.js'
import type { Sheet } from '../../src/model/read-shape.js'
import { readWhole } from '../../src/model/write-shape.js'
import { agent, repository, zine } from '../examples.js'
import { BASE_URL } from '../service.js'
import { openModel } from '../unit/model.js'

export const addresses = addressesUnder(BASE_URL)
export const { declared, resources, lens } = await openModel(addresses)
const presses = setUpPresses({ resources, addresses, lens })

export const pressOf = (name: ResourceName, format: string): Press => {
  const press = presses[name].find((one) => one.name === format)
  if (!press) throw new Error(`${name} have no ${format}`)
  return press
}

/** Records that others name, by resource. */
export type Known = Partial<Record<ResourceName, readonly object[]>>

// Those that the examples name.
const examples: Known = {
  agents: [
    agent('maker', { display_name: 'Cindy Crabb', sort_name: 'Crabb, Cindy' }),
    agent('helper', { display_name: 'teusday' }),
    agent('press', { display_name: 'The Paper Tigers', kind: 'Collective' }),
  ],
  zines: [zine('zine'), zine('second-zine', { title: 'Second', publisher: ['press'] })],
  repositories: [repository('library'), repository('second-library', { isil: 'PL-12345' })],
}

/** A record as a press gets it; what `known` has goes before the examples. */
export function sheet(name: ResourceName, record: object, known: Known = {}): Sheet {
  return {
    resource: resources[name],
    card: cardOf(name, record),
    cards: ({ target, id }) =>
      [...(known[target] ?? []), ...(examples[target] ?? [])]
        .map((one) => cardOf(target, one))
        .find((card) => card[resources[target].id.name] === id),
  }
}

const times = {
  created_at: '2026-11-20T09:15:02.123456Z',
  updated_at: '2026-11-21T10:00:00.000000Z',
}

const cardOf = (name: ResourceName, record: object): Card => ({
  ...readWhole(resources[name], new Map(Object.entries(record))).card,
  ...times,
})

export const printed = (name: ResourceName, format: string, record: object, known?: Known) =>
  pressOf(name, format).record(sheet(name, record, known))

export const printedList = (format: string, sheets: readonly Sheet[]): string => {
  const name = sheets[0]?.resource.name ?? 'zines'
  return printList(pressOf(name, format), sheets, { count: sheets.length, links: undefined })
}

/**
 * Expects a text to be what a file says. `GOLDEN=write npm test` writes the files anew, to be read
 * before they are committed.
 */
export function expectGolden(file: string, text: string): void {
  const path = resolve('test/formats/golden', file)
  if (process.env.GOLDEN === 'write') writeFileSync(path, text)
  expect(text).to.equal(readFileSync(path, 'utf8'))
}

/** What a program says of a file with the text; skips the test where the program is not installed. */
export function ask(
  test: Mocha.Context,
  program: string,
  args: readonly string[],
  text: string,
  file = 'input.xml',
) {
  const directory = mkdtempSync(join(tmpdir(), 'zine-format-'))
  try {
    writeFileSync(join(directory, file), text)
    const options = { cwd: directory, encoding: 'utf8', maxBuffer: 2 ** 28 } as const
    const { error, status, stdout, stderr } = spawnSync(program, args, options)
    if (!error) return { status, stdout, stderr }
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  } finally {
    rmSync(directory, { recursive: true })
  }
  return skip(test, program)
}

export function skip(test: Mocha.Context, program: string): never {
  console.log(`      skipped: ${program} is not installed`)
  return test.skip()
}
