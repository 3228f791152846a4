// The version of the data, which is stored with them. It has two numbers: that of the format, which
// has never changed, and that of the derived triples, which the first start of a later release
// brings up to date (app/derived-triples.ts).

import { ExpectedError } from '../../errors.js'
import type { KeyValueWrite } from '../../lib/key-value/key-value-store.js'
import { derivationKey, versionKey } from './keys.js'

/** A change needs a new number and a migration. */
const format = '1'

/** Raise it with every change of the quads that are made of a record's values. */
const derivation = '10'

/** The numbers that are stored. Data of the first releases have no derivation. */
export type StoredVersion = {
  readonly format: string | undefined
  readonly derivation: string | undefined
}

/** The version of data as this release writes them. */
export const currentVersion: StoredVersion = { format, derivation }

/** The entry with the format. Writing it again changes nothing. */
export const versionEntry: KeyValueWrite = { key: versionKey, value: format }

/** The entry of a store whose derived triples are those of this release. */
export const derivationEntry: KeyValueWrite = { key: derivationKey, value: derivation }

/** Such as `1.10`. */
export const versionText = ({ format, derivation }: StoredVersion): string =>
  [format ?? 'none', ...(derivation === undefined ? [] : [derivation])].join('.')

/** @throws ExpectedError for data that this release cannot read, and those of a later one */
export function checkDataVersion(stored: StoredVersion): void {
  const isLater = isGreater(stored.format, format) || isGreater(stored.derivation, derivation)
  if (stored.format === format && !isLater) return
  throw new ExpectedError(
    `the data are of version ${versionText(stored)}; this service reads version ${versionText(currentVersion)}: ` +
      (isLater
        ? 'run the later release that wrote them, or restore a backup from before it'
        : 'start the release that wrote them, export the data there, and import them here'),
  )
}

const isGreater = (stored: string | undefined, current: string): boolean =>
  /^\d+$/.test(stored ?? '') && Number(stored) > Number(current)
