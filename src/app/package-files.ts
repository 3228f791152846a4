// The files that come with this program, and where they are.

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { type Assets, openAssets } from '../http/middleware/static-files.js'

/** The directory of `ontology`, `shapes` and `vocabularies`: above `build/src/app`, where this is compiled to. */
export const packageRoot = fileURLToPath(new URL('../../..', import.meta.url))

/** What pages are made with. */
export const openPackageAssets = (): Promise<Assets> => openAssets(assetDirectories)

const assetDirectories = [
  { directory: join(packageRoot, 'src', 'views', 'assets'), files: /\.(?:css|svg)$/ },
  { directory: join(packageRoot, 'build', 'client'), files: /\.js$/ },
  {
    directory: packageFiles('@fontsource/courier-prime/files'),
    files: /latin(?:-ext)?-[47]00-normal\.woff2$/,
  },
  { directory: packageFiles('@zazuko/yasgui/build'), files: /^yasgui\.min\.(?:js|css)$/ },
  { directory: packageFiles('swagger-ui-dist'), files: /^swagger-ui(?:-bundle\.js|\.css)$/ },
]

/** A directory of a package that browsers get files from. */
function packageFiles(path: string): string {
  return join(packageRoot, 'node_modules', path)
}
