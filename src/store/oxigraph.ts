// Oxigraph in a WebAssembly instance of its own. An instance never gives back memory that it once had;
// one that nobody refers to any more is let go with all that it holds.

import { createRequire } from 'node:module'

type Oxigraph = typeof import('oxigraph')

/** The package as if it were loaded for the first time; some 20 ms. */
export function newOxigraph(): Oxigraph {
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
