// The two places that `load` writes to.

import type { Catalogue } from '../catalogue/catalogue.js'
import type { ResourceName } from '../model/iris.js'
import { type FieldErrors, ValidationError } from '../model/record/input.js'
import { encodeSegment } from '../rdf/terms.js'
import { LoadError, type LoadTarget, identifiers } from './load.js'

type HttpTargetOptions = { readonly replace: boolean }

/** Into a catalogue that is open in this process. */
export function catalogueTarget(
  catalogue: Catalogue,
  { replace }: HttpTargetOptions,
): Omit<LoadTarget, 'close'> {
  return {
    async put(resource, id, record) {
      const body = new Map<string, unknown>(Object.entries(record))
      try {
        if (replace && (await catalogue.exists(resource, id))) {
          await catalogue.replace(resource, id, body)
          return 'replaced'
        }
        await catalogue.create(resource, body)
        return 'created'
      } catch (error) {
        if (!(error instanceof ValidationError)) throw error
        return isTaken(resource, error.failures) && (await catalogue.exists(resource, id))
          ? 'there'
          : error.failures
      }
    },
  }
}

/** Into a running service, with the token of an account that may write there. */
export function httpTarget(url: string, token: string, { replace }: HttpTargetOptions): LoadTarget {
  const origin = url.replace(/(?<!\/)\/+$/, '')

  async function ask(method: string, path: string, body?: object): Promise<Response> {
    for (;;) {
      const response = await send(method, path, body)
      if (response.status !== 429 && response.status !== 503) return response
      await response.arrayBuffer()
      const seconds = Math.max(1, Number(response.headers.get('retry-after')) || 1)
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    }
  }

  async function send(method: string, path: string, body?: object): Promise<Response> {
    try {
      return await fetch(origin + path, {
        method,
        headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
    } catch (cause) {
      const why = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
      throw new LoadError(`${origin} does not answer: ${String(why)}; run it again later`, {
        cause,
      })
    }
  }

  async function isThere(path: string): Promise<boolean> {
    const response = await ask('GET', path)
    await response.arrayBuffer()
    return response.ok
  }

  return {
    async put(resource, id, record) {
      const path = `/api/${resource}/${encodeSegment(id)}/`
      const anew = replace && (await isThere(path))
      const response = anew
        ? await ask('PUT', path, record)
        : await ask('POST', `/api/${resource}/`, record)
      const text = await response.text()
      if (response.ok) return anew ? 'replaced' : 'created'
      if (response.status === 413) return new Map([['record', ['It is too large.']]])
      if (response.status !== 400)
        throw new LoadError(`${origin} answers ${response.status}: ${text}`)
      const failures = new Map(Object.entries(JSON.parse(text) as Record<string, string[]>))
      return isTaken(resource, failures) && (await isThere(path)) ? 'there' : failures
    },
    close: () => Promise.resolve(),
  }
}

/** Whether nothing but the identifier was refused: then it may be that of a record loaded before. */
const isTaken = (resource: ResourceName, failures: FieldErrors): boolean =>
  failures.size === 1 && failures.has(identifiers[resource])
