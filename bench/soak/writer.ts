// The writes of the soak test: each write is read again and compared.

import { zine } from '../../test/examples.js'
import type { ClientResponse, Call } from './http-client.js'
import type { Random } from '../random.js'

/** The response time, and what was wrong. */
export type Outcome = { readonly milliseconds: number; readonly problem?: string | undefined }

export type Writer = (random: Random) => Promise<Outcome>

/** Part of the identifiers, so that runs have different ones. */
const started = Date.now().toString(36)

/** How many zines a writer keeps at most. */
const maxZines = 20

/** Each call creates, changes or deletes a zine of this writer, and reads it again. */
export function createWriter(call: Call, number: number, creator: string): Writer {
  /** The titles of this writer's zines, by identifier. */
  const titles = new Map<string, string>()
  let created = 0

  async function create() {
    const id = `soak-${started}-${number}-${created++}`
    const title = `Soak ${id}`
    const response = await send('POST', '/api/zines/', zine(id, { title, creator: [creator] }))
    const problem = problemUnless(response, 201)
    if (problem) return { ...response, problem }
    titles.set(id, title)
    return { ...response, problem: await compare(id) }
  }

  async function change(id: string, random: Random) {
    const title = `Soak ${id}, changed ${random.number()}`
    const response = await send('PATCH', `/api/zines/${id}/`, { title })
    titles.set(id, title)
    return { ...response, problem: problemUnless(response, 200) ?? (await compare(id)) }
  }

  async function remove(id: string) {
    const response = await send('DELETE', `/api/zines/${id}/`)
    titles.delete(id)
    const { status } = await call(`/api/zines/${id}/`)
    const gone = status === 404 ? undefined : `${id} is still there: ${status}`
    return { ...response, problem: problemUnless(response, 204) ?? gone }
  }

  const send = (method: string, path: string, body?: object): Promise<ClientResponse> =>
    call(path, { method, ...(body ? { body: JSON.stringify(body) } : {}) })

  const problemUnless = ({ status, text }: ClientResponse, expected: number): string | undefined =>
    status === expected ? undefined : `${status} ${text.slice(0, 200)}`

  async function compare(id: string): Promise<string | undefined> {
    const { status, text } = await call(`/api/zines/${id}/`)
    const title = status === 200 ? (JSON.parse(text) as { title: string }).title : String(status)
    return title === titles.get(id)
      ? undefined
      : `${id} reads ${title}, not ${titles.get(id) ?? ''}`
  }

  return (random) => {
    const ids = [...titles.keys()]
    const [oldest] = ids
    if (oldest !== undefined && random.chance(0.5)) return change(random.pick(ids), random)
    return oldest !== undefined && titles.size >= maxZines ? remove(oldest) : create()
  }
}
