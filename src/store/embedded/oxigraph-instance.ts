// Creates Oxigraph in its own WebAssembly instance. An instance never shrinks; its memory is freed
// only as a whole, when nothing refers to it any more.

import { createRequire } from 'node:module'

import type { Store } from 'oxigraph'

type Oxigraph = typeof import('oxigraph')

/** Loads the package as if for the first time. It takes about 20 ms. */
export function createOxigraph(): Oxigraph {
  // A `require` function refers to the modules that it loaded, so a new one is used each time.
  const require = createRequire(import.meta.url)
  const path = require.resolve('oxigraph')
  const { [path]: known } = require.cache
  Reflect.deleteProperty(require.cache, path)
  // The cast: the declared type of the package.
  const oxigraph = require(path) as Oxigraph
  require.cache[path] = known
  return oxigraph
}

// A method that wasm-bindgen adds to every object without declaring it.
type WasmBound = { readonly __destroy_into_raw?: () => void }

/**
 * Leaves a store to be freed with its instance. Otherwise the garbage collector frees it quad by
 * quad, which blocks the process for half a second per million quads.
 */
export function abandonStore(store: Store): void {
  ;(store as Store & WasmBound).__destroy_into_raw?.()
}
