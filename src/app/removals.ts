// Where a value or an identifier that is removed for good is kept besides records and the log of
// changes.

import type { Removals } from '../catalogue/writes/redaction-completion.js'
import type { ForgottenIdentifier } from '../catalogue/writes/redaction.js'
import type { Imports } from '../features/imports/imports.js'
import type { openStorage } from './storage.js'

type Storage = Pick<
  Awaited<ReturnType<typeof openStorage>>,
  | 'accounts'
  | 'changeRequests'
  | 'invitations'
  | 'lists'
  | 'releases'
  | 'rememberedValues'
  | 'removeIndexFile'
  | 'removeUpgradeBackups'
>

/** @param importsOf the imports, which are loaded after the catalogue */
export function createRemovals(storage: Storage, importsOf: () => Imports): Removals {
  async function forgetRepository({ reference: { id }, into }: ForgottenIdentifier): Promise<void> {
    await storage.accounts.moveRepository(id, into)
    await storage.invitations.moveRepository(id, into)
    await storage.rememberedValues.forgetRepository(id)
  }

  async function removeFiles(): Promise<void> {
    await storage.removeIndexFile()
    await storage.removeUpgradeBackups()
    await storage.releases?.withdraw()
  }

  return {
    async redact(records, redaction) {
      await importsOf().forget(records, redaction)
      if ('value' in redaction) {
        await storage.changeRequests.forget(redaction.value)
        await storage.lists.forget(redaction.value)
      }
      await removeFiles()
    },
    async forget(identifiers) {
      await importsOf().forgetIdentifiers(identifiers)
      for (const identifier of identifiers) {
        await storage.changeRequests.forgetIdentifier(identifier)
        await storage.lists.forgetIdentifier(identifier)
        if (identifier.reference.target === 'repositories') await forgetRepository(identifier)
      }
      await removeFiles()
    },
  }
}
