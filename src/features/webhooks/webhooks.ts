// Webhooks: addresses to which the changes of records are sent, and how far each of them has got.
// They are in the key-value store, with a copy in memory that answers every read. The sending:
// deliveries.ts.

import { randomUUID } from 'node:crypto'

import { message } from '../../message.js'
import { InvalidError, NotFoundError } from '../../errors.js'
import { blankMessage, tooLongMessage } from '../../model/record/input.js'
import { resourceNames } from '../../model/iris.js'
import { OutgoingRequestError } from '../../lib/outgoing/errors.js'
import { checkPublicUrl } from '../../lib/outgoing/public-request.js'
import { limitConcurrency } from '../../lib/scheduling.js'
import type { KeyValueStore } from '../../lib/key-value/key-value-store.js'
import { prefixes } from '../../store/key-value/keys.js'
import { secretOf } from './signature.js'

export type Webhook = {
  readonly id: string
  /** The name of the account that it belongs to. */
  readonly account: string
  readonly url: string
  /** Only changes of these records are sent, or open tasks; undefined for all changes. */
  readonly kind: WebhookKind | undefined
  /** As an ISO 8601 time, like all times of a webhook. */
  readonly created: string
  /** The name of the log of changes that `since` is a number of. */
  readonly log: string
  /** The number of the last change that was delivered, or need not be. */
  readonly since: number
  readonly state: 'active' | 'disabled'
  /** Why it was disabled by the service. */
  readonly reason?: string | undefined
  readonly lastDelivery?: string
  /** The open tasks that were delivered, by their identifiers, where tasks are sent. */
  readonly told?: readonly string[]
  /** What went wrong since the last delivery; undefined if nothing did. */
  readonly failure?: WebhookFailure | undefined
}

/** What a webhook may be limited to. `tasks` is what waits for somebody. */
export const webhookKinds = [...resourceNames, 'tasks'] as const

export type WebhookKind = (typeof webhookKinds)[number]

export type WebhookFailure = {
  readonly count: number
  readonly first: string
  /** What the last failure was. */
  readonly message: string
  /** When it is tried again. */
  readonly retryAt: string
}

export type NewWebhook = {
  readonly account: string
  readonly url: string
  readonly kind?: string | undefined
  /** The change after which it begins; the last one unless given. */
  readonly since?: number | undefined
}

/** Which changes the log has. */
export type LogRange = {
  readonly name: string
  /** The number of the oldest change that is kept. */
  first(): number
  last(): number
}

export type Webhooks = {
  /** In the order in which they were added; those of one account, or all. */
  list(account?: string): readonly Webhook[]
  /** @throws NotFoundError */
  get(id: string): Webhook
  /** The key of its signatures. */
  secretOf(id: string): string
  /** @throws InvalidError */
  add(webhook: NewWebhook): Promise<Webhook>
  /**
   * Makes a disabled webhook active again. It goes on where it stopped; where that is not known any
   * more, at the end of the log.
   * @throws NotFoundError
   */
  enable(id: string): Promise<Webhook>
  /** @param reason why the service disables it @throws NotFoundError */
  disable(id: string, reason?: string): Promise<Webhook>
  /** @throws NotFoundError */
  remove(id: string): Promise<void>
  /** Records a delivery, up to this change. */
  delivered(id: string, since: number): Promise<void>
  /** Records a delivery of tasks, which are all that were told and are open now. */
  deliveredTasks(id: string, told: readonly string[]): Promise<void>
  /**
   * Goes on after changes that need not be delivered. Not each such step is written to the disk.
   */
  skip(id: string, since: number): Promise<void>
  failed(id: string, failure: WebhookFailure): Promise<void>
  /** Calls the listener when a webhook was added, enabled, disabled or removed. */
  onChange(listener: (id: string) => void): void
}

/** What the key of signatures is derived for. */
export const webhookPurpose = 'webhooks'

/** How many webhooks an account may have. */
export const maxWebhooks = 10

const maxUrlLength = 2000

/** How many skipped changes are not written to the disk. */
const maxUnwritten = 1000

/** @param hosts those that may be asked wherever they are */
export async function loadWebhooks(
  store: Pick<KeyValueStore, 'entries' | 'write'>,
  {
    signingKey,
    log,
    hosts,
    now = Date.now,
  }: {
    readonly signingKey: Uint8Array
    readonly log: LogRange
    readonly hosts: readonly string[]
    readonly now?: () => number
  },
): Promise<Webhooks> {
  const webhooks = new Map<string, Webhook>()
  const listeners: ((id: string) => void)[] = []
  /** The positions on the disk. */
  const written = new Map<string, number>()
  const runAlone = limitConcurrency(1)

  const stored: Webhook[] = []
  for await (const [, value] of store.entries(prefix)) stored.push(parseWebhook(value))
  stored.sort((a, b) => (a.created < b.created ? -1 : 1))
  for (const webhook of stored) cache(webhook)

  function cache(webhook: Webhook): void {
    webhooks.set(webhook.id, webhook)
    written.set(webhook.id, webhook.since)
  }

  async function save(webhook: Webhook): Promise<Webhook> {
    // The disk first: what is in memory must not be lost by a restart.
    await store.write([{ key: prefix + webhook.id, value: JSON.stringify(webhook) }])
    cache(webhook)
    return webhook
  }

  function get(id: string): Webhook {
    const webhook = webhooks.get(id)
    if (!webhook) throw notFound()
    return webhook
  }

  /** Changes are made one after the other, each to what the one before it left. */
  const change = (id: string, makeChange: (webhook: Webhook) => Webhook): Promise<Webhook> =>
    runAlone(() => save(makeChange(get(id))))

  /** A change by somebody, and not by a delivery. */
  async function changeAndTell(
    id: string,
    makeChange: (webhook: Webhook) => Webhook,
  ): Promise<Webhook> {
    const changed = await change(id, makeChange)
    for (const listener of listeners) listener(id)
    return changed
  }

  async function add({ account, url, kind, since }: NewWebhook): Promise<Webhook> {
    const webhook = {
      id: randomUUID(),
      account,
      url: parseAddress(url, hosts),
      kind: parseKind(kind),
      created: new Date(now()).toISOString(),
      log: log.name,
      since: parseSince(since, log),
      state: 'active',
    } as const
    await runAlone(() => {
      if (list(account).length >= maxWebhooks)
        throw new InvalidError(
          message('An account may have {count} webhooks. Remove one of them first.', {
            count: maxWebhooks,
          }),
          { field: 'account' },
        )
      return save(webhook)
    })
    for (const listener of listeners) listener(webhook.id)
    return webhook
  }

  const list = (account?: string): readonly Webhook[] =>
    [...webhooks.values()].filter((webhook) => account === undefined || webhook.account === account)

  return {
    list,
    get,
    secretOf: (id) => secretOf(signingKey, id),
    add,
    enable: (id) =>
      changeAndTell(id, (webhook) => ({
        ...withoutFailure(withPosition(webhook, log)),
        state: 'active',
        reason: undefined,
      })),
    disable: (id, reason) =>
      changeAndTell(id, (webhook) => ({
        ...webhook,
        state: 'disabled',
        ...(reason === undefined ? {} : { reason }),
      })),
    async remove(id) {
      await runAlone(async () => {
        get(id)
        await store.write([{ key: prefix + id, value: undefined }])
        webhooks.delete(id)
        written.delete(id)
      })
      for (const listener of listeners) listener(id)
    },
    async delivered(id, since) {
      const lastDelivery = new Date(now()).toISOString()
      await change(id, (webhook) => ({ ...withoutFailure(webhook), since, lastDelivery }))
    },
    async deliveredTasks(id, told) {
      const lastDelivery = new Date(now()).toISOString()
      await change(id, (webhook) => ({ ...withoutFailure(webhook), told, lastDelivery }))
    },
    async skip(id, since) {
      const webhook = get(id)
      if (since - (written.get(id) ?? 0) >= maxUnwritten)
        await change(id, (current) => ({ ...current, since }))
      else webhooks.set(id, { ...webhook, since })
    },
    async failed(id, failure) {
      await change(id, (webhook) => ({ ...webhook, failure }))
    },
    onChange: (listener) => void listeners.push(listener),
  }
}

/** The webhook with a position of the log: its own, or else the end of the log. */
const withPosition = (webhook: Webhook, log: LogRange): Webhook =>
  isInLog(webhook, log) ? webhook : { ...webhook, log: log.name, since: log.last() }

const withoutFailure = (webhook: Webhook): Webhook => ({ ...webhook, failure: undefined })

/** Whether the position of a webhook is one of the log. */
export const isInLog = ({ log, since }: Webhook, range: LogRange): boolean =>
  log === range.name && since + 1 >= range.first() && since <= range.last()

const notFound = (): NotFoundError => new NotFoundError(message('There is no such webhook.'))

/** @throws InvalidError */
function parseAddress(text: string, hosts: readonly string[]): string {
  const url = text.trim()
  if (url === '') throw new InvalidError(blankMessage, { field: 'url' })
  if (url.length > maxUrlLength)
    throw new InvalidError(tooLongMessage(maxUrlLength), { field: 'url' })
  try {
    const parsed = checkPublicUrl(url, hosts)
    parsed.hash = ''
    return parsed.href
  } catch (error) {
    if (!(error instanceof OutgoingRequestError)) throw error
    throw new InvalidError(error.text, { field: 'url' })
  }
}

/** @throws InvalidError */
function parseKind(text: string | undefined): WebhookKind | undefined {
  if (text === undefined || text === '') return undefined
  const kind = webhookKinds.find((name) => name === text)
  if (!kind)
    throw new InvalidError(
      message('The kind has to be one of {kinds}.', { kinds: webhookKinds.join(', ') }),
      { field: 'kind' },
    )
  return kind
}

/** @throws InvalidError */
function parseSince(since: number | undefined, log: LogRange): number {
  if (since === undefined) return log.last()
  if (!Number.isInteger(since) || since < 0 || since > log.last())
    throw new InvalidError(`This has to be a number from 0 to ${log.last()}.`, { field: 'since' })
  return since
}

const { webhooks: prefix } = prefixes

/** Reads the value of an entry. */
export function parseWebhook(value: string): Webhook {
  // A cast: it is what `save` wrote.
  const webhook = JSON.parse(value) as Omit<Webhook, 'kind'> & { kind?: WebhookKind }
  return { ...webhook, kind: webhook.kind }
}

const fail = (): never => {
  throw new Error('webhooks are in the process that writes')
}

/** Requests are forwarded to the writing process; a process that only reads has none. */
export const noWebhooks: Webhooks = {
  list: () => [],
  get: () => {
    throw notFound()
  },
  secretOf: fail,
  add: fail,
  enable: fail,
  disable: fail,
  remove: fail,
  delivered: fail,
  deliveredTasks: fail,
  skip: fail,
  failed: fail,
  onChange: () => undefined,
}
