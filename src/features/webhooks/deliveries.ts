// Sends the changes of records to the addresses of webhooks: in order, each page until it is
// accepted, with growing waits after failures. Requests of clients are not held up: few deliveries
// run at once, and each has limits of time and size.

import { randomInt } from 'node:crypto'

import { NotFoundError } from '../../errors.js'
import { ChangesForgottenError } from '../../catalogue/errors.js'
import type { ChangeFeed, ChangePage } from '../../catalogue/history/change-feed.js'
import { OutgoingRequestError } from '../../lib/outgoing/errors.js'
import { requestPublic } from '../../lib/outgoing/public-request.js'
import type { ResourceName } from '../../model/iris.js'
import type { Task } from '../tasks/tasks.js'
import { limitConcurrency } from '../../lib/scheduling.js'
import type { CommitListeners } from '../../store/commit-listeners.js'
import { signatureOf } from './signature.js'
import { type Webhook, type WebhookFailure, type Webhooks, isInLog } from './webhooks.js'

type DeliveryDependencies = {
  readonly webhooks: Webhooks
  readonly changes: Pick<ChangeFeed, 'name' | 'first' | 'last' | 'read'>
  readonly listeners: Pick<CommitListeners, 'add'>
  /** Whether the account exists and is not disabled. */
  readonly isActive: (account: string) => boolean
  /** The body that is sent for a page of changes. */
  readonly render: (page: ChangePage) => string
  readonly tasks: TaskSource
  /** Names of hosts that may be asked wherever they are. */
  readonly allowedHosts: readonly string[]
  readonly onError: (error: unknown) => void
  /** Aborted when the service stops: no delivery begins, and those under way are broken off. */
  readonly stopping: AbortSignal
  readonly timing?: DeliveryTiming
}

/** What waits for somebody. */
type TaskSource = {
  /** The tasks that an account may see. */
  readonly openFor: (account: string) => Promise<readonly Task[]>
  /** The body that is sent for some of them. */
  readonly render: (tasks: readonly Task[]) => string
}

/** In milliseconds. */
export type DeliveryTiming = {
  /** How long changes are collected before they are sent. */
  readonly collect: number
  /** How often it is looked for open tasks, where a webhook wants them. */
  readonly look: number
  readonly firstWait: number
  readonly longestWait: number
  readonly timeout: number
  /** How long deliveries may fail before the webhook is disabled. */
  readonly giveUp: number
}

const defaultTiming: DeliveryTiming = {
  collect: 1_000,
  look: 60_000,
  firstWait: 10_000,
  longestWait: 3_600_000,
  timeout: 15_000,
  giveUp: 3 * 86_400_000,
}

/** The most changes of one delivery. */
const maxDelivered = 100

const maxConcurrent = 4

/** How much is read of an answer, which says nothing. */
const maxAnswerBytes = 16 * 1024

/** How often deliveries have to fail before the webhook is disabled. */
const minFailures = 10

/** @returns a function that resolves when no delivery is under way */
export function startDeliveries(dependencies: DeliveryDependencies): () => Promise<void> {
  const deliveries = new Deliveries(dependencies)
  deliveries.start(dependencies.listeners)
  return () => deliveries.ended()
}

class Deliveries {
  readonly #webhooks: Webhooks
  readonly #changes: DeliveryDependencies['changes']
  readonly #isActive: DeliveryDependencies['isActive']
  readonly #render: DeliveryDependencies['render']
  readonly #tasks: TaskSource
  readonly #allowedHosts: readonly string[]
  readonly #onError: DeliveryDependencies['onError']
  readonly #stopping: AbortSignal
  readonly #timing: DeliveryTiming
  readonly #takeTurn = limitConcurrency(maxConcurrent)
  /** By the identifiers of webhooks. */
  readonly #timers = new Map<string, NodeJS.Timeout>()
  readonly #running = new Map<string, Promise<void>>()

  constructor(dependencies: DeliveryDependencies) {
    this.#webhooks = dependencies.webhooks
    this.#changes = dependencies.changes
    this.#isActive = dependencies.isActive
    this.#render = dependencies.render
    this.#tasks = dependencies.tasks
    this.#allowedHosts = dependencies.allowedHosts
    this.#onError = dependencies.onError
    this.#stopping = dependencies.stopping
    this.#timing = dependencies.timing ?? defaultTiming
  }

  /** Delivers what there is, and what is told to the listeners from now on. */
  start(listeners: DeliveryDependencies['listeners']): void {
    this.#webhooks.onChange((id) => {
      clearTimeout(this.#timers.get(id))
      this.#timers.delete(id)
      this.#schedule(id, 0)
    })
    const stopListening = listeners.add('change feed', { onCommit: () => this.#scheduleAll() })
    for (const { id, state, failure } of this.#webhooks.list())
      if (state === 'active') {
        const wait = failure ? Date.parse(failure.retryAt) - Date.now() : 0
        this.#schedule(id, Math.max(this.#timing.collect, wait))
      }
    this.#stopping.addEventListener('abort', () => {
      stopListening()
      for (const timer of this.#timers.values()) clearTimeout(timer)
      this.#timers.clear()
    })
  }

  /** Resolves when no delivery is under way. */
  async ended(): Promise<void> {
    await Promise.all(this.#running.values())
  }

  #scheduleAll(): void {
    for (const { id, state } of this.#webhooks.list())
      if (state === 'active') this.#schedule(id, this.#timing.collect)
  }

  #isStopped(): boolean {
    return this.#stopping.aborted
  }

  #schedule(id: string, ms: number): void {
    if (this.#isStopped() || this.#running.has(id) || this.#timers.has(id)) return
    this.#timers.set(id, setTimeout(() => this.#start(id), ms).unref())
  }

  #start(id: string): void {
    this.#timers.delete(id)
    const run = this.#takeTurn(() => this.#deliver(id))
      .catch((error: unknown) => {
        // It was removed meanwhile.
        if (error instanceof NotFoundError) return undefined
        this.#onError(error)
        return this.#timing.longestWait
      })
      .then((wait) => {
        this.#running.delete(id)
        const next = wait ?? this.#nextLook(id)
        if (next !== undefined) this.#schedule(id, next)
      })
    this.#running.set(id, run)
  }

  /**
   * After how long to go on where nothing failed: at once where there are changes that were not
   * looked at, such as those that came during the last delivery; undefined for when something is
   * written.
   */
  #nextLook(id: string): number | undefined {
    const webhook = this.#find(id)
    if (!webhook) return undefined
    if (webhook.kind === 'tasks') return this.#timing.look
    return webhook.since < this.#changes.last() ? 0 : undefined
  }

  /** The webhook, if something may be sent to it. */
  #find(id: string): Webhook | undefined {
    const webhook = this.#webhooks.list().find((candidate) => candidate.id === id)
    return webhook?.state === 'active' && this.#isActive(webhook.account) ? webhook : undefined
  }

  /** Delivers what is next; returns how long to wait after a failure. */
  async #deliver(id: string): Promise<number | undefined> {
    const webhook = this.#find(id)
    if (!webhook || this.#isStopped()) return undefined
    const next =
      webhook.kind === 'tasks'
        ? await this.#readTasks(webhook)
        : await this.#readChanges(webhook, webhook.kind)
    if (!next) return undefined
    if (next.body !== undefined) {
      const failure = await this.#send(webhook, next.body)
      // A delivery that was broken off because the service stops did not fail.
      if (failure)
        return this.#isStopped() ? undefined : this.#fail(this.#webhooks.get(id), failure)
    }
    await next.onDelivered()
    return undefined
  }

  /** The tasks that are open and were not told. */
  async #readTasks({ id, account, log, told = [] }: Webhook): Promise<Delivery | undefined> {
    if (log !== this.#changes.name) {
      await this.#webhooks.disable(id, copyReason)
      return undefined
    }
    const open = await this.#tasks.openFor(account)
    const untold = open.filter((task) => !told.includes(task.id))
    if (untold.length === 0) return undefined
    return {
      body: this.#tasks.render(untold),
      onDelivered: () =>
        this.#webhooks.deliveredTasks(
          id,
          open.map((task) => task.id),
        ),
    }
  }

  /** The next page of changes. */
  async #readChanges(
    webhook: Webhook,
    kind: ResourceName | undefined,
  ): Promise<Delivery | undefined> {
    const page = await this.#readPage(webhook, kind)
    if (!page) return undefined
    const { id, since } = webhook
    if (page.changes.length > 0)
      return {
        body: this.#render(page),
        onDelivered: () => this.#webhooks.delivered(id, page.through),
      }
    if (page.through === since) return undefined
    return { body: undefined, onDelivered: () => this.#webhooks.skip(id, page.through) }
  }

  /** Undefined if the webhook cannot go on where it was, and was disabled. */
  async #readPage(
    webhook: Webhook,
    kind: ResourceName | undefined,
  ): Promise<ChangePage | undefined> {
    try {
      if (isInLog(webhook, this.#changes))
        return await this.#changes.read({
          since: webhook.since,
          kind,
          limit: maxDelivered,
        })
    } catch (error) {
      if (!(error instanceof ChangesForgottenError)) throw error
    }
    await this.#webhooks.disable(webhook.id, forgottenReason)
    return undefined
  }

  /** Sends a body; returns what went wrong. */
  async #send(webhook: Webhook, body: string): Promise<DeliveryFailure | undefined> {
    const timestamp = Math.floor(Date.now() / 1000)
    try {
      const { status, retryAfter } = await requestPublic(webhook.url, {
        allowedHosts: this.#allowedHosts,
        maxBytes: maxAnswerBytes,
        cutsBody: true,
        followsRedirects: false,
        timeoutMs: this.#timing.timeout,
        signal: this.#stopping,
        body,
        headers: {
          'content-type': 'application/json',
          'x-webhook-id': webhook.id,
          'x-webhook-timestamp': String(timestamp),
          'x-signature-256': signatureOf(this.#webhooks.secretOf(webhook.id), timestamp, body),
        },
      })
      if (status >= 200 && status < 300) return undefined
      const message = `The address answers with status ${status}.`
      return { message, isGone: status === 410, waitMs: (retryAfter ?? 0) * 1000 }
    } catch (error) {
      if (!(error instanceof OutgoingRequestError)) throw error
      return { message: error.message, isGone: false, waitMs: 0 }
    }
  }

  /** Records a failure; returns the wait before the next try, or undefined if there is none. */
  async #fail(
    { id, failure: before }: Webhook,
    { message, isGone, waitMs }: DeliveryFailure,
  ): Promise<number | undefined> {
    const now = Date.now()
    const count = (before?.count ?? 0) + 1
    const wait = Math.min(this.#timing.longestWait, Math.max(waitMs, this.#waitAfter(count)))
    const failure: WebhookFailure = {
      count,
      first: before?.first ?? new Date(now).toISOString(),
      message,
      retryAt: new Date(now + wait).toISOString(),
    }
    await this.#webhooks.failed(id, failure)
    const isHopeless =
      count >= minFailures && now - Date.parse(failure.first) >= this.#timing.giveUp
    if (!isGone && !isHopeless) return wait
    await this.#webhooks.disable(id, `${message} It failed ${count} times since ${failure.first}.`)
    return undefined
  }

  /**
   * Twice as long after each failure, and by chance up to a third shorter, so that not all come at
   * once.
   */
  #waitAfter(failures: number): number {
    const wait = this.#timing.firstWait * 2 ** Math.min(failures - 1, 20)
    return Math.min(this.#timing.longestWait, wait) * (1 - randomInt(1000) / 3000)
  }
}

type Delivery = {
  /** Undefined where nothing is to be sent. */
  readonly body: string | undefined
  readonly onDelivered: () => Promise<void>
}

type DeliveryFailure = {
  readonly message: string
  /** Whether the other side says that there is nothing any more. */
  readonly isGone: boolean
  /** How long it asks to wait. */
  readonly waitMs: number
}

const copyReason =
  'The service was started from a backup, and the one that the backup is of may still send. Enable it if it should send from here.'

const forgottenReason =
  'The changes after its position are not kept any more. Begin again with an export, and then enable it.'
