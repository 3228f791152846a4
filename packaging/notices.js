// The notices that the licences of bundled packages ask for. A package that is installed beside the
// bundle has its own.

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const heading = `Packages whose code is in this package, with their licences. classic-level and sharp are
installed beside it, with the packages that they depend on and the library libvips (LGPL-3.0-or-later),
which is a file of its own; each of them has its licence in its folder.

The styles in citation-styles/ are by the contributors that they name, CC BY-SA 3.0, unchanged.
The places in vocabularies/places.tsv are from GeoNames (https://www.geonames.org/), CC BY 4.0.
`

/** @param packages of shipped-packages.js */
export const thirdPartyNotices = (packages) =>
  [heading, ...packages.filter(({ isBundled }) => isBundled).map(noticeOf)].join(
    `\n${'-'.repeat(80)}\n\n`,
  )

function noticeOf({ path, name, version, license }) {
  const texts = readdirSync(path)
    .filter((file) => /^(?:licen[cs]e|notice|copying)|\.license\.txt$/i.test(file))
    .map((file) => readFileSync(join(path, file), 'utf8').trim())
  const { author, repository } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  return [
    `${name} ${version} (${license})`,
    ...linesOf({ By: author?.name ?? author, Source: repository?.url ?? repository }),
    ...texts.map((text) => `\n${text}`),
    '',
  ].join('\n')
}

const linesOf = (values) =>
  Object.entries(values).flatMap(([label, value]) => (value ? [`${label}: ${value}`] : []))
