// Where the files of this package are: ontology, shapes and vocabularies, and the assets of pages.

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { type Assets, loadAssets } from '../http/middleware/static-files.js'

/** The directory of `package.json`: three above `build/src/app`, where this file is compiled to. */
export const packageRoot = fileURLToPath(new URL('../../..', import.meta.url))

/** The stylesheets, scripts and fonts of pages. */
export const loadPackageAssets = (): Promise<Assets> => loadAssets(assetDirectories)

const assetDirectories = [
  { directory: join(packageRoot, 'src', 'views', 'assets'), files: /\.(?:css|svg)$/ },
  { directory: join(packageRoot, 'build', 'client'), files: /\.js$/ },
  {
    directory: packageFiles('@fontsource/courier-prime/files'),
    files: /latin(?:-ext)?-700-normal\.woff2$/,
  },
  { directory: packageFiles('@zazuko/yasgui/build'), files: /^yasgui\.min\.(?:js|css)$/ },
  { directory: packageFiles('swagger-ui-dist'), files: /^swagger-ui(?:-bundle\.js|\.css)$/ },
]

function packageFiles(path: string): string {
  return join(packageRoot, 'node_modules', path)
}
