// The two targets of `load`: a catalogue that is open in this process, and a running service over HTTP.
// What is written, and in which order: load.ts.

import type { Catalogue } from '../catalogue/catalogue.js'
import { type FieldErrors, ValidationError } from '../model/record/input.js'
import { stringifyJsonInput } from '../model/record/json-input.js'
import { encodeSegment } from '../rdf/terms.js'
import type { Resources } from '../model/resources.js'
import { LoadError, type LoadTarget } from './load.js'

type TargetOptions = { readonly replace: boolean; readonly resources: Resources }

export function catalogueTarget(
  catalogue: Catalogue,
  { replace, resources }: TargetOptions,
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
        return isOnlyId(error.fieldErrors, resources[resource].id.name) &&
          (await catalogue.exists(resource, id))
          ? 'unchanged'
          : error.fieldErrors
      }
    },
  }
}

/**
 * @param url the origin of the service
 * @param token of an account that may write all that is loaded
 */
export function httpTarget(
  url: string,
  token: string,
  { replace, resources }: TargetOptions,
): LoadTarget {
  const origin = url.replace(/(?<!\/)\/+$/, '')

  /** Sends the request again for as long as the service asks to come back later. */
  async function sendUntilAccepted(method: string, path: string, body?: object): Promise<Response> {
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
        ...(body ? { body: stringifyJsonInput(body) } : {}),
      })
    } catch (cause) {
      const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
      throw new LoadError(
        `${origin} does not answer: ${String(reason)}. Run the command again later`,
        {
          cause,
        },
      )
    }
  }

  async function exists(path: string): Promise<boolean> {
    const response = await sendUntilAccepted('GET', path)
    await response.arrayBuffer()
    return response.ok
  }

  return {
    async put(resource, id, record) {
      const path = `/api/${resource}/${encodeSegment(id)}/`
      const isReplaced = replace && (await exists(path))
      const response = isReplaced
        ? await sendUntilAccepted('PUT', path, record)
        : await sendUntilAccepted('POST', `/api/${resource}/`, record)
      const text = await response.text()
      if (response.ok) return isReplaced ? 'replaced' : 'created'
      if (response.status === 413) return new Map([['record', ['It is too large.']]])
      if (response.status !== 400)
        throw new LoadError(`${origin} answers ${response.status}: ${text}`)
      const errors = new Map(Object.entries(JSON.parse(text) as Record<string, string[]>))
      return isOnlyId(errors, resources[resource].id.name) && (await exists(path))
        ? 'unchanged'
        : errors
    },
    close: () => Promise.resolve(),
  }
}

/** Whether only the identifier was refused: then a record with it may exist already. */
const isOnlyId = (errors: FieldErrors, idName: string): boolean =>
  errors.size === 1 && errors.has(idName)
