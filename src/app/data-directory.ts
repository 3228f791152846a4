// The data directory with all that parts of the service keep in it.

import { siteFileNames } from '../branding/site-file-names.js'
import { readSiteFiles } from '../branding/site-files.js'
import { changeRequestsPart } from '../features/change-requests/data-part.js'
import type { DataDirectory } from '../commands/backup.js'
import { type Config, dataFiles } from '../config.js'
import { readCatalogues } from '../features/copy-cataloguing/catalogues-file.js'
import { importsPart } from '../features/imports/data-part.js'
import { listsPart } from '../features/lists/data-part.js'
import { createPictureFiles } from '../features/pictures/picture-files.js'
import { picturesPart } from '../features/pictures/data-part.js'
import { queriesPart } from '../features/queries/data-part.js'
import { webhooksPart } from '../features/webhooks/data-part.js'

/** @param importHosts the hosts that `catalogues.json` may name wherever they are */
export function dataDirectoryOf({
  dataDir,
  importHosts = [],
}: Pick<Config, 'dataDir'> & Partial<Pick<Config, 'importHosts'>>): DataDirectory {
  const { site, catalogues, pictures, queries } = dataFiles(dataDir)
  return {
    dataDir,
    parts: [
      picturesPart(createPictureFiles(pictures)),
      webhooksPart,
      importsPart,
      changeRequestsPart,
      queriesPart(queries),
      listsPart,
      {
        checkSettings: () => readSiteFiles(site),
        fileNames: siteFileNames.map((name) => `site/${name}`),
      },
      {
        checkSettings: () => readCatalogues(catalogues, importHosts),
        fileNames: ['catalogues.json'],
      },
    ],
  }
}
