// One that writes: what it was told is kept has to be what it reads next.

import { zine } from '../../test/examples.js'
import type { ClientResponse, Call } from './http-client.js'
import type { Random } from '../random.js'

/** How long it took, and what was not as it has to be. */
export type Outcome = { readonly milliseconds: number; readonly problem?: string | undefined }

export type Writer = (random: Random) => Promise<Outcome>

/** Tells the records of this run from those of another. */
const started = Date.now().toString(36)

/** How many zines of its own a writer has at most. */
const most = 20

/** Makes, changes and removes zines and their copies of its own, and reads what it wrote; there are never more than a few. */
export function writerOf(call: Call, number: number, creator: string): Writer {
  /** The titles of the zines that there are. */
  const own = new Map<string, string>()
  let made = 0

  async function make() {
    const id = `soak-${started}-${number}-${made++}`
    const title = `Soak ${id}`
    const answer = await send('POST', '/api/zines/', zine(id, { title, creator: [creator] }))
    const problem = unless(answer, 201)
    if (problem) return { ...answer, problem }
    own.set(id, title)
    return { ...answer, problem: await compare(id) }
  }

  async function change(id: string, random: Random) {
    const title = `Soak ${id}, changed ${random.number()}`
    const answer = await send('PATCH', `/api/zines/${id}/`, { title })
    own.set(id, title)
    return { ...answer, problem: unless(answer, 200) ?? (await compare(id)) }
  }

  async function remove(id: string) {
    const answer = await send('DELETE', `/api/zines/${id}/`)
    own.delete(id)
    const { status } = await call(`/api/zines/${id}/`)
    const gone = status === 404 ? undefined : `${id} is still there: ${status}`
    return { ...answer, problem: unless(answer, 204) ?? gone }
  }

  const send = (method: string, path: string, body?: object): Promise<ClientResponse> =>
    call(path, { method, ...(body ? { body: JSON.stringify(body) } : {}) })

  const unless = ({ status, text }: ClientResponse, wanted: number): string | undefined =>
    status === wanted ? undefined : `${status} ${text.slice(0, 200)}`

  async function compare(id: string): Promise<string | undefined> {
    const { status, text } = await call(`/api/zines/${id}/`)
    const title = status === 200 ? (JSON.parse(text) as { title: string }).title : String(status)
    return title === own.get(id) ? undefined : `${id} reads ${title}, not ${own.get(id) ?? ''}`
  }

  return (random) => {
    const ids = [...own.keys()]
    const [oldest] = ids
    if (oldest !== undefined && random.chance(0.5)) return change(random.pick(ids), random)
    return oldest !== undefined && own.size >= most ? remove(oldest) : make()
  }
}
