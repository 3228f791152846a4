// Counts what went wrong in the last day, by kinds. Of each event only the kind and the hour are
// kept, so that nothing private is in it. The log has the rest.

const eventKinds = [
  'request',
  'connection',
  'job',
  'import',
  'backup',
  'webhook',
  'sparql',
  'command',
  'removal',
  'other',
  'login',
] as const

export type EventKind = (typeof eventKinds)[number]

/** How often something happened, and when it happened last, as an ISO 8601 time. */
export type EventCount = { readonly kind: EventKind; readonly count: number; readonly last: string }

const hourMs = 3_600_000
const hours = 24

type KindEvents = { last: number; readonly counts: Map<number, number> }

export class RecentEvents {
  readonly #now: () => number
  readonly #kinds = new Map<EventKind, KindEvents>()

  /** @param now the time in milliseconds since 1970 */
  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  add(kind: EventKind): void {
    const now = this.#now()
    const hour = Math.floor(now / hourMs)
    const events = this.#kinds.get(kind) ?? { last: now, counts: new Map<number, number>() }
    events.last = now
    events.counts.set(hour, (events.counts.get(hour) ?? 0) + 1)
    for (const old of events.counts.keys()) if (old <= hour - hours) events.counts.delete(old)
    this.#kinds.set(kind, events)
  }

  /** The kinds that there were in the last 24 hours. */
  ofLastDay(): readonly EventCount[] {
    const oldest = Math.floor(this.#now() / hourMs) - hours
    return eventKinds.flatMap((kind) => {
      const events = this.#kinds.get(kind)
      if (!events) return []
      const recent = [...events.counts].filter(([hour]) => hour > oldest)
      const count = recent.reduce((sum, [, number]) => sum + number, 0)
      return count === 0 ? [] : [{ kind, count, last: new Date(events.last).toISOString() }]
    })
  }
}

const kindsByLogText: Readonly<Record<string, EventKind>> = {
  connection: 'connection',
  job: 'job',
  import: 'import',
  backup: 'backup',
  webhook: 'webhook',
  SPARQL: 'sparql',
  'control socket': 'command',
  redaction: 'removal',
}

/** The kind of an error, by the text that the log has beside it. */
export const kindOfError = (text: string): EventKind =>
  kindsByLogText[text] ?? (/^[A-Z]+ \//.test(text) ? 'request' : 'other')
