// The two targets of `load`: a catalogue that is open in this process, and a running service over
// HTTP. What is written, and in which order: load.ts and load-records.ts.

import { ExpectedError, NotFoundError } from '../errors.js'
import type { Catalogue } from '../catalogue/catalogue.js'
import type { ResourceName } from '../model/iris.js'
import { stringifyJsonInput } from '../model/record/json-input.js'
import { type FieldErrors, ValidationError, parseFull } from '../model/record/input.js'
import { textValue } from '../model/record/values.js'
import type { Resource, Resources } from '../model/resources.js'
import { encodeSegment } from '../rdf/terms.js'
import { type LoadTarget, changedSinceExport } from './load-records.js'

export function catalogueTarget(catalogue: Catalogue): Omit<LoadTarget, 'close'> {
  return {
    async find(resource, id) {
      try {
        const { values } = (await catalogue.read(resource, id, 'private')).record
        return { values, updatedAt: textValue(values, 'updated_at') }
      } catch (error) {
        if (error instanceof NotFoundError) return undefined
        throw error
      }
    },
    create: ({ resource, body, deletedAgents }) =>
      errorsOf(() => catalogue.create(resource, body, { deletedAgents })),
    // Nobody else writes while the service is stopped, so the record has not changed since it was
    // found.
    replace: ({ resource, id, body, deletedAgents }) =>
      errorsOf(() => catalogue.replace(resource, id, body, { deletedAgents })),
  }
}

async function errorsOf(write: () => Promise<unknown>): Promise<FieldErrors | undefined> {
  try {
    await write()
    return undefined
  } catch (error) {
    if (error instanceof ValidationError) return error.fieldErrors
    throw error
  }
}

/**
 * @param url the origin of the service
 * @param token of an account that may write all that is loaded
 */
export function httpTarget(url: string, token: string, resources: Resources): LoadTarget {
  const origin = url.replace(/(?<!\/)\/+$/, '')

  /** Sends the request again for as long as the service asks to come back later. */
  async function sendUntilAccepted(
    method: string,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    for (;;) {
      const response = await send(method, path, body, headers)
      if (response.status !== 429 && response.status !== 503) return response
      await response.arrayBuffer()
      const seconds = Math.max(1, Number(response.headers.get('retry-after')) || 1)
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    }
  }

  async function send(
    method: string,
    path: string,
    body: object | undefined,
    headers: Readonly<Record<string, string>>,
  ): Promise<Response> {
    try {
      return await fetch(origin + path, {
        method,
        headers: {
          authorization: `Token ${token}`,
          'content-type': 'application/json',
          ...headers,
        },
        ...(body ? { body: stringifyJsonInput(body) } : {}),
      })
    } catch (cause) {
      const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
      throw new ExpectedError(
        `${origin} does not answer: ${String(reason)}. Run the command again later`,
        { cause },
      )
    }
  }

  async function readErrors(response: Response): Promise<FieldErrors | undefined> {
    const text = await response.text()
    if (response.ok) return undefined
    if (response.status === 413) return new Map([['record', ['It is too large.']]])
    if (response.status !== 400)
      throw new ExpectedError(`${origin} answers ${response.status}: ${text}`)
    return new Map(Object.entries(JSON.parse(text) as Record<string, string[]>))
  }

  const pathOf = (resource: ResourceName, id: string): string =>
    `/api/${resource}/${encodeSegment(id)}/`

  return {
    async find(resource, id) {
      const response = await sendUntilAccepted('GET', `${pathOf(resource, id)}?private=true`)
      const text = await response.text()
      if (response.status === 404) return undefined
      if (!response.ok) throw new ExpectedError(`${origin} answers ${response.status}: ${text}`)
      const json = JSON.parse(text) as Record<string, unknown>
      return {
        values: parseFull(resources[resource], toWriteShape(resources, resources[resource], json))
          .values,
        updatedAt: String(json.updated_at),
        etag: response.headers.get('etag') ?? undefined,
      }
    },
    create: async ({ resource, body }) =>
      readErrors(await sendUntilAccepted('POST', `/api/${resource}/`, Object.fromEntries(body))),
    async replace({ resource, id, body }, storedRecord) {
      const headers = storedRecord?.etag === undefined ? {} : { 'if-match': storedRecord.etag }
      const path = pathOf(resource, id)
      const response = await sendUntilAccepted('PUT', path, Object.fromEntries(body), headers)
      // Somebody changed the record after it was found.
      if (response.status === 412) {
        await response.arrayBuffer()
        return changedSinceExport(new Date().toISOString())
      }
      return readErrors(response)
    },
    close: () => Promise.resolve(),
  }
}

/** The values of a record in the read shape, with identifiers and codes instead of objects. */
function toWriteShape(
  resources: Resources,
  resource: Resource,
  json: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, unknown> {
  return new Map(
    resource.inputFields.flatMap(({ name, outputName, target }) => {
      const idName = target ? resources[target].id.name : 'code'
      const simplify = (value: unknown): unknown =>
        typeof value === 'object' && value !== null
          ? (value as Record<string, unknown>)[idName]
          : value
      const value = json[name] ?? json[outputName]
      if (value === undefined || value === null) return []
      return [[name, Array.isArray(value) ? value.map(simplify) : simplify(value)] as const]
    }),
  )
}
