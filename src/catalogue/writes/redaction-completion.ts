// Completes what was begun to be removed for good: from where else it is kept, and from the disk.
// What is changed in records and in the log was written when it was begun.

import type { Reference } from '../../model/record/views.js'
import {
  type UnfinishedForgetting,
  type UnfinishedRedaction,
  type UnfinishedRedactions,
  type UnfinishedRemoval,
  isForgetting,
} from '../../store/key-value/unfinished-redactions.js'
import { recordKey, referenceOf } from '../records/record-cache.js'
import type { Revision } from '../revision.js'
import type { Attachments } from './attachments.js'
import type { Locks } from './locks.js'
import type { ForgottenIdentifier, Redaction } from './redaction.js'

/** What keeps something besides records and the log. Both may be called again for the same. */
export type Removals = {
  /** @param records the record, and the identifiers that it had before */
  readonly redact: (records: readonly Reference[], redaction: Redaction) => Promise<void>
  readonly forget: (identifiers: readonly ForgottenIdentifier[]) => Promise<void>
}

type CompletionDependencies = {
  readonly unfinishedRedactions: UnfinishedRedactions
  readonly locks: Locks
  readonly attachments: Pick<Attachments, 'forget' | 'forgetIdentifier'>
  readonly removals: Removals
  readonly revision: Revision
}

export class RedactionCompletion {
  readonly #unfinished: UnfinishedRedactions
  readonly #locks: Locks
  readonly #attachments: CompletionDependencies['attachments']
  readonly #removals: Removals
  readonly #revision: Revision
  /** Those that are being completed, by their identifiers. */
  readonly #running = new Map<string, Promise<void>>()

  constructor(dependencies: CompletionDependencies) {
    this.#unfinished = dependencies.unfinishedRedactions
    this.#locks = dependencies.locks
    this.#attachments = dependencies.attachments
    this.#removals = dependencies.removals
    this.#revision = dependencies.revision
  }

  /** @throws Error, and what the removals throw: then it is still unfinished */
  complete(unfinished: UnfinishedRedaction): Promise<void> {
    const running = this.#running.get(unfinished.id) ?? this.#remove(unfinished)
    this.#running.set(unfinished.id, running)
    return running.finally(() => this.#running.delete(unfinished.id))
  }

  /** Completes those that are unfinished and for which a condition holds. @returns their number */
  async completeThose(holds: (unfinished: UnfinishedRedaction) => boolean): Promise<number> {
    const matching = (await this.#unfinished.all()).filter(holds)
    for (const unfinished of matching) await this.complete(unfinished)
    return matching.length
  }

  async #remove(unfinished: UnfinishedRedaction): Promise<void> {
    await (isForgetting(unfinished) ? this.#forget(unfinished) : this.#redact(unfinished))
    await this.#unfinished.finish(unfinished)
  }

  async #redact(unfinished: UnfinishedRemoval): Promise<void> {
    const redaction = redactionOf(unfinished)
    if (!redaction) return
    const references = unfinished.records.map(referenceOf)
    for (const reference of references)
      await this.#locks.withRecordLock(recordKey(reference), async () => {
        await this.#attachments.forget(reference, redaction)
        this.#revision.onWrite([recordKey(reference)])
      })
    await this.#removals.redact(references, redaction)
  }

  async #forget({ forgotten }: UnfinishedForgetting): Promise<void> {
    if (forgotten.length === 0) return
    const identifiers = forgotten.map(({ record, into }) => ({
      reference: referenceOf(record),
      into,
    }))
    for (const identifier of identifiers) {
      const { reference, into } = identifier
      const present = into === undefined ? reference : { ...reference, id: into }
      await this.#locks.withRecordLock(recordKey(present), async () => {
        await this.#attachments.forgetIdentifier(identifier)
        this.#revision.onWrite([recordKey(present)])
      })
    }
    await this.#removals.forget(identifiers)
  }
}

/**
 * What is to be removed from what is not written in one commit; undefined where only the disk is
 * left.
 */
function redactionOf({ field, value }: UnfinishedRemoval): Redaction | undefined {
  if (field === undefined) return { past: true }
  return value === undefined ? undefined : { field, value }
}
