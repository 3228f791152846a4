// What each account chose last in the forms of new records, such as the language of its last zine.
// It is kept with the accounts in the key-value store, and not in the log of changes: it is a habit
// of a person and no part of the catalogue. Which fields are remembered is left to
// features/records/new-record.ts.

import { DiskFullError } from '../lib/key-value/errors.js'
import { prefixes } from '../store/key-value/keys.js'
import type { KeyValueStore } from '../lib/key-value/key-value-store.js'

/** Values by the names of fields. */
export type Remembered = ReadonlyMap<string, readonly string[]>

export type RememberedValues = {
  of(account: string): Remembered
  /**
   * Remembers values in place of those of the same fields, and keeps the others. It is on the disk
   * when the promise resolves; on a full disk it is lost with the process.
   */
  remember(account: string, values: Remembered): Promise<void>
  /** Forgets the identifier of a repository. */
  forgetRepository(id: string): Promise<void>
}

export async function loadRememberedValues(
  store: Pick<KeyValueStore, 'entries' | 'write'>,
): Promise<RememberedValues> {
  const byAccount = new Map<string, Remembered>()
  for await (const [key, value] of store.entries(prefix))
    byAccount.set(key.slice(prefix.length), parseRemembered(value))

  const of = (account: string): Remembered => byAccount.get(account) ?? new Map()

  return {
    of,
    async remember(account, values) {
      const before = of(account)
      const after = new Map([...before, ...values])
      if (toText(after) === toText(before)) return
      byAccount.set(account, after)
      try {
        await store.write([{ key: prefix + account, value: toText(after) }])
      } catch (error) {
        if (!(error instanceof DiskFullError)) throw error
      }
    },
    async forgetRepository(id) {
      for (const [account, values] of byAccount) {
        if (!values.get('repository_id')?.includes(id)) continue
        const after = new Map([...values].filter(([name]) => name !== 'repository_id'))
        byAccount.set(account, after)
        const value = after.size > 0 ? toText(after) : undefined
        await store.write([{ key: prefix + account, value }])
      }
    },
  }
}

/** Of a process that only reads, where nobody is signed in. */
export const nothingRemembered: RememberedValues = {
  of: () => new Map(),
  remember: () => Promise.resolve(),
  forgetRepository: () => Promise.resolve(),
}

const prefix = prefixes.rememberedValues

const toText = (values: Remembered): string => JSON.stringify(Object.fromEntries(values))

/** @throws Error for what is no such entry */
export function parseRemembered(text: string): Remembered {
  const entries = Object.entries(JSON.parse(text) as object)
  return new Map(
    entries.map(([name, values]: readonly [string, unknown]) => {
      if (!Array.isArray(values) || !values.every((value) => typeof value === 'string'))
        throw new Error(`${name} has no list of texts`)
      return [name, values]
    }),
  )
}
