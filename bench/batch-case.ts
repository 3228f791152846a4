// The benchmark case `batch`: how long writes of many records block the event loop, and how long they
// take: batches, a merge, and what takes them back.

import type { Bench } from './case.js'
import type { Service } from './processes.js'
import type { Figure } from './report.js'
import { zineId } from './synthetic.js'

export async function batchCase({ service, zines }: Bench): Promise<Figure[]> {
  const figures: Figure[] = []
  const measure = async (what: string, work: () => Promise<unknown>): Promise<string> => {
    await service.probe()
    const start = performance.now()
    const answer = await work()
    const ms = performance.now() - start
    // The cast: a batch, its undoing and a merge answer so.
    const { id, batch } = answer as { readonly id?: string; readonly batch?: string }
    figures.push({
      row: 'batch',
      what: `${what}: the event loop blocked`,
      value: (await service.probe()).blocked,
      unit: 'ms',
      target: { at: 'most', value: 100 },
      note: `${(ms / 1000).toFixed(1)} s in all`,
    })
    return batch ?? id ?? ''
  }
  const undo = (id: string) => send(service, `/api/batches/${id}/undo/`, {})
  const count = Math.min(10_000, zines)
  const removal = Array.from({ length: count }, (_, index) =>
    JSON.stringify({ op: 'remove', kind: 'zines', id: zineId(index) }),
  ).join('\n')
  const ids = Array.from({ length: Math.min(6000, zines) }, (_, index) => zineId(index))
  const edit = { kind: 'zines', ids, edit: { abstract: { set: 'The same text for all of them.' } } }
  const works: readonly (readonly [string, () => Promise<unknown>])[] = [
    [`removing ${count} zines with their holdings`, () => send(service, '/api/batches/', removal)],
    [`editing ${ids.length} zines`, () => send(service, '/api/batches/', edit)],
    [
      'merging a repository',
      () => send(service, '/api/repositories/repository-0/merge/', { into: 'repository-1' }),
    ],
  ]
  for (const [what, work] of works) {
    const id = await measure(what, work)
    await measure(`undoing it`, () => undo(id))
  }
  return figures
}

/** @param body JSON, or JSON lines as a text */
async function send(service: Service, path: string, body: object | string): Promise<unknown> {
  const isLines = typeof body === 'string'
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: {
      authorization: `Token ${service.token}`,
      'content-type': isLines ? 'application/x-ndjson' : 'application/json',
    },
    body: isLines ? body : JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} is answered with ${response.status}`)
  return response.json()
}
