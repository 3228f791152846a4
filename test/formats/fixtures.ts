// Example records for tests of formats, resolved without a service and with fixed times; golden
// files; and other programs that read formats, where they are installed.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { expect } from 'chai'

import { createSerializers } from '../../src/formats/serializers.js'
import { type RecordSerializer, serializeList } from '../../src/formats/serializer.js'
import { type ResourceName, createIris, resourceNames } from '../../src/model/iris.js'
import type { RecordValues } from '../../src/model/record/values.js'
import { unsetValue } from '../../src/model/resources.js'
import type { RecordLookup, ResolvedRecord } from '../../src/model/record/views.js'
import {
  agent,
  fullAgent,
  fullHolding,
  fullRepository,
  fullZine,
  full,
  holding,
  minimal,
  repository,
  zine,
} from '../examples.js'
import { BASE_URL } from '../service.js'
import { openModel } from '../model/model.js'

export const iris = createIris(BASE_URL)
const { declared, ...model } = await openModel(iris)
export const { resources, mapper } = model
export const serializerDependencies = { ...declared, resources, iris, mapper }
export const serializers = createSerializers(serializerDependencies)

export const serializerFor = (name: ResourceName, format: string): RecordSerializer => {
  const serializer = serializers[name].find((one) => one.name === format)
  if (!serializer) throw new Error(`${name} have no ${format}`)
  return serializer
}

/** Records as a client sends them, by resource. */
export type Records = Readonly<Record<ResourceName, readonly object[]>>

/** Records that other records refer to. */
export type Known = Partial<Records>

/** Of each resource, a record with every field set and one with only the required fields. */
export const examples: Records = {
  zines: [fullZine('doris/24'), zine('plain', { creator: ['maker', 'gone'] })],
  agents: [
    fullAgent('press'),
    agent('maker', {
      public: false,
      pronouns: ['she/her'],
      // Values that the catalogue never reads for a private agent, since they are in the private
      // graph.
      legal_name: 'Hidden Name',
      email: 'hidden@example.org',
      phone: '+1 555 0100',
    }),
    agent('helper'),
  ],
  repositories: [fullRepository('second-library'), repository('library')],
  holdings: [
    fullHolding('copy', { zine_id: 'doris/24' }),
    holding('plain-copy', { zine_id: 'plain', repository_id: 'library' }),
  ],
}

/** Values that are hard to write in one syntax or another. */
export const oddities: Records = {
  zines: [
    zine('a"b\\c <d> &é', {
      title: 'A "quoted" \\ backslash, a\ttab, <b>&amp;</b> ]]> and 🦊',
      abstract: '"""three quotes"""\nand a line that ends in a quote"',
      table_of_contents: 'carriage\rreturn\r\nand line feed',
      relation: ['https://example.org/a', 'in words', 'https://example.org/not an iri'],
      source: ['https://example.org/b', 'https://example.org/c'],
      identifier: ['@id', '_:b0', 'urn:x:y', 'zines:1'],
      subject: ['punk', 'no-longer-there'],
      format: ['digital', 'a:b', 'format', '@vocab', 'no longer there'],
      rights: ['unknown', 'title'],
      language: ['en', 'xx'],
    }),
  ],
  agents: [
    agent('maker', {
      roles: ['creator', 'editor', 'roles'],
      website: 'https://example.org/a|b',
      social_media: ['https://example.org/ok', 'https://example.org/a|b'],
      other_identifiers: ['https://example.org/me', 'isni:1'],
      wikidata: 'Q42',
    }),
  ],
  repositories: [repository('library', { website: 'https://example.org/{x}', scope_note: 'One.' })],
  holdings: [
    holding('copy', { zine_id: 'gone', repository_id: 'gone too', location: 'Room 1' }),
    holding('copy-2', { copy_count: null, digital_available: true }),
  ],
}

/** The records of the folder sample/. */
export function readSample(): Records {
  const files = resourceNames.map((name) => {
    const lines = readFileSync(resolve('sample', `${name}.jsonl`), 'utf8')
      .trim()
      .split('\n')
    return [name, lines.map((line) => JSON.parse(line) as object)]
  })
  return Object.fromEntries(files) as Records
}

/** The records of a resource, resolved against the others, in order. */
export function resolveAll(name: ResourceName, records: Records): ResolvedRecord[] {
  const lookup = findIn(records)
  return records[name].map((record) => ({
    resource: resources[name],
    values: valuesOfRecord(name, record),
    lookup,
  }))
}

/**
 * A record as a serializer gets it; records of `known` take precedence over those of the examples.
 */
export const resolvedRecord = (
  name: ResourceName,
  record: object,
  known: Known = {},
): ResolvedRecord => ({
  resource: resources[name],
  values: valuesOfRecord(name, record),
  lookup: findIn(named, known),
})

/** A record with every field set, and one with only the required fields. */
export const pairOf = (name: ResourceName): readonly [ResolvedRecord, ResolvedRecord] => [
  resolvedRecord(name, full[name]('doris/24')),
  resolvedRecord(name, minimal[name]('plain')),
]

// The records that the examples refer to.
const named: Known = {
  agents: [
    agent('maker', { display_name: 'Marge | "Toner" & Co.', sort_name: 'Crabb, Cindy' }),
    agent('helper', { display_name: 'teusday' }),
    agent('press', { display_name: 'The Paper Tigers', kind: 'Collective' }),
  ],
  zines: [zine('zine'), zine('second-zine', { title: 'Second', publisher: ['press'] })],
  repositories: [repository('library'), repository('second-library', { isil: 'PL-12345' })],
}

/** A lookup in several collections, of which the later take precedence. */
function findIn(...all: readonly Known[]): RecordLookup {
  const byKey = new Map<string, RecordValues>()
  for (const records of all)
    for (const name of resourceNames)
      for (const record of records[name] ?? []) {
        const values = valuesOfRecord(name, record)
        byKey.set(`${name}/${String(values[resources[name].id.name])}`, values)
      }
  return ({ target, id }) => byKey.get(`${target}/${id}`)
}

const times = {
  created_at: '2026-11-20T09:15:02.100000Z',
  updated_at: '2026-11-21T10:00:00.000000Z',
}

/** The values of a record; fields that are not given are unset or have their default. */
function valuesOfRecord(name: ResourceName, record: object): RecordValues {
  const empty = resources[name].fields.map((field) => [
    field.name,
    field.defaultValue ?? unsetValue(field),
  ])
  return { ...Object.fromEntries(empty), ...times, ...record } as RecordValues
}

export const serialized = (name: ResourceName, format: string, record: object, known?: Known) =>
  serializerFor(name, format).record(resolvedRecord(name, record, known))

export const serializedList = (format: string, records: readonly ResolvedRecord[]): string => {
  const name = records[0]?.resource.name ?? 'zines'
  return serializeList(serializerFor(name, format), records, {
    count: records.length,
    links: undefined,
  })
}

/**
 * Expects a text to be that of a golden file. `GOLDEN=write npm test` rewrites the files, to be reviewed
 * before they are committed.
 */
export function expectGolden(file: string, text: string): void {
  const path = resolve('test/formats/golden', file)
  if (process.env.GOLDEN === 'write') writeFileSync(path, text)
  expect(text).to.equal(readFileSync(path, 'utf8'))
}

/** Runs a program on a file with the text; skips the test where the program is not installed. */
export function runProgram(
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
