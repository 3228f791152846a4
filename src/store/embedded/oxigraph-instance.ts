// Oxigraph in a WebAssembly instance of its own. An instance never gives back memory that it once had;
// one that nobody refers to any more is let go with all that it holds.

import { createRequire } from 'node:module'

import type { Quad, Store } from 'oxigraph'

type Oxigraph = typeof import('oxigraph')

/** The package as if it were loaded for the first time; some 20 ms. */
export function createOxigraph(): Oxigraph {
  // Whoever requires a module holds it, so that it is done by another each time.
  const require = createRequire(import.meta.url)
  const path = require.resolve('oxigraph')
  const { [path]: known } = require.cache
  Reflect.deleteProperty(require.cache, path)
  // The cast: what the package says that it is.
  const oxigraph = require(path) as Oxigraph
  require.cache[path] = known
  return oxigraph
}

// What wasm-bindgen gives to every object, and tells no type of.
type Bound = { readonly free?: () => void; readonly __destroy_into_raw?: () => void }

/** Frees what a quad takes. Else that is done some time after it is garbage, and keeps the instance until then. */
export function freeQuad(quad: Quad): void {
  ;(quad as Quad & Bound).free?.()
}

/**
 * Leaves a store to go with its instance. Else it would be taken apart, quad by quad, some time after it is
 * garbage, which holds everybody up: half a second for a million.
 */
export function abandonStore(store: Store): void {
  ;(store as Store & Bound).__destroy_into_raw?.()
}
