// A copy of the catalogue as a client keeps it: it begins with exports, and follows the changes
// (docs/reference/changes.md, "Changes"). Records are compared in the form in which they are
// written, since names of other records that a record shows change without a change of the record.

import { expect } from 'chai'

import { type Resource, recordPath, resourceOf, resources, toBody } from './catalogue.js'

export type Copy = {
  /** By kind and identifier. */
  readonly records: ReadonlyMap<string, unknown>
  /** The path of the page of changes to go on with. */
  readonly path: string
}

/** The records of the exports, and the place of the first one in the log. */
export async function beginCopy(url: string): Promise<Copy> {
  const records = new Map<string, unknown>()
  const paths: string[] = []
  for (const { name, idField } of resources) {
    const response = await fetch(`${url}/api/export/${name}/?format=jsonl`)
    const [log, since] = ['name', 'position'].map((part) => response.headers.get(`x-log-${part}`))
    paths.push(`/api/changes/?limit=20&log=${log}&since=${since}`)
    for (const line of (await response.text()).split('\n').filter(Boolean)) {
      const record = JSON.parse(line) as Record<string, unknown>
      // What is known of references to agents that do not exist any more.
      delete record.deleted_agents
      records.set(`${name}/${String(record[idField])}`, record)
    }
  }
  return { records, path: paths[0] ?? '' }
}

/** The copy after one page of changes. At the end, its path is the same. */
export async function followChanges(url: string, { records, path }: Copy): Promise<Copy> {
  const response = await fetch(url + path)
  const text = await response.text()
  expect(response.status, text).to.equal(200)
  const page = JSON.parse(text) as {
    next: string
    results: { kind: Resource['name']; id: string }[]
  }
  const after = new Map(records)
  for (const { kind, id } of page.results) {
    const record = await readRecord(url, kind, id)
    if (record) after.set(`${kind}/${id}`, record)
    else after.delete(`${kind}/${id}`)
  }
  return { records: after, path: page.next.slice(new URL(page.next).origin.length) }
}

/** The copy once there is nothing left to follow. */
export async function followToEnd(url: string, copy: Copy): Promise<Copy> {
  const next = await followChanges(url, copy)
  return next.path === copy.path ? next : followToEnd(url, next)
}

/** Expects that a copy has exactly the records that there are. */
export async function expectComplete(url: string, { records }: Copy): Promise<void> {
  const exported = (await beginCopy(url)).records
  expect([...records.keys()].sort()).to.deep.equal([...exported.keys()].sort())
  for (const [key, record] of exported) expect(records.get(key), key).to.deep.equal(record)
}

async function readRecord(url: string, kind: Resource['name'], id: string) {
  const response = await fetch(url + recordPath(kind, id))
  const text = await response.text()
  if (response.status === 404) return undefined
  expect(response.status, text).to.equal(200)
  const record = JSON.parse(text) as Record<string, unknown>
  return { ...toBody(resourceOf(kind), record), updated_at: record.updated_at }
}
