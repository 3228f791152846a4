// The catalogues that the administrator named, for the form of a new zine
// (docs/how-to/cataloguing.md, "Look it up elsewhere"). Requests have the guards of harvests, and
// short limits, since somebody waits for the page.

import { type Message, isMessage, message } from '../../message.js'
import { OutgoingRequestError } from '../../lib/outgoing/errors.js'
import { requestPublic } from '../../lib/outgoing/public-request.js'
import type { Resources } from '../../model/resources.js'
import type { NamedCatalogue } from './catalogues-file.js'
import { type Get, type OtherRecord, clients } from './clients.js'

/** What one catalogue has for a title, or why it could not be asked. */
export type CatalogueResult = {
  readonly name: string
  readonly type: NamedCatalogue['type']
  readonly records: readonly OtherRecord[]
  /** A sentence. */
  readonly error?: Message
}

export type OtherCatalogues = {
  /** Whether there are any. */
  readonly areNamed: boolean
  /** Asks all catalogues at the same time. */
  search(text: string): Promise<readonly CatalogueResult[]>
  /**
   * A record of the catalogue with this name that a search for the text found.
   * @returns a sentence if it cannot be had
   */
  find(name: string, id: string, text: string): Promise<OtherRecord | Message>
}

export type OtherCataloguesLimits = { readonly ms: number; readonly bytes: number }

type OtherCataloguesOptions = {
  readonly catalogues: readonly NamedCatalogue[]
  readonly resources: Resources
  /** Hosts that may be asked though their addresses are not public. */
  readonly allowedHosts: readonly string[]
  /** Aborted when the service ends. */
  readonly signal: AbortSignal
  readonly limits?: Partial<OtherCataloguesLimits> | undefined
}

const defaultLimits: OtherCataloguesLimits = { ms: 10_000, bytes: 2 * 1024 * 1024 }

export function createOtherCatalogues({
  catalogues,
  resources,
  allowedHosts,
  signal,
  limits,
}: OtherCataloguesOptions): OtherCatalogues {
  const { ms, bytes } = { ...defaultLimits, ...limits }

  const get: Get = async (url, accept) => {
    const { status, body } = await requestPublic(url.href, {
      allowedHosts,
      maxBytes: bytes,
      timeoutMs: ms,
      signal,
      headers: { accept },
    })
    if (status !== 200)
      throw new OutgoingRequestError(
        message('The catalogue answers with status {status}.', { status }),
      )
    return body
  }

  const named = catalogues.map((catalogue) => ({
    name: catalogue.name,
    type: catalogue.type,
    client: clients[catalogue.type](catalogue, get, resources),
  }))

  return {
    areNamed: named.length > 0,
    search: (text) =>
      Promise.all(
        named.map(async ({ name, type, client }) => {
          const answer = await answerOf(client.search(text))
          return isMessage(answer)
            ? { name, type, records: [], error: answer }
            : { name, type, records: answer }
        }),
      ),
    async find(name, id, text) {
      const client = named.find((catalogue) => catalogue.name === name)?.client
      const answer = client && (await answerOf(client.find(id, text)))
      return answer ?? message('The catalogue does not have this record any more.')
    },
  }
}

/** What a catalogue answers, or why it does not. */
async function answerOf<Answer>(answer: Promise<Answer>): Promise<Answer | Message> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof OutgoingRequestError) return error.text
    throw error
  }
}
