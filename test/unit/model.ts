// The model as the service joins it, without a store.

import { resolve } from 'node:path'

import type { Addresses } from '../../src/model/addresses.js'
import { readDeclarations } from '../../src/model/declarations.js'
import { joinResources } from '../../src/model/facts.js'
import { lensOf } from '../../src/model/lens.js'

export async function openModel(addresses: Addresses) {
  const declared = await readDeclarations(resolve('.'), resolve('no-such-directory'), addresses)
  const resources = joinResources(addresses, declared)
  return { declared, resources, lens: lensOf(addresses) }
}
