// A service with a whole real collection, and a browser, for tests of daily work (test/collection.ts).

import { loadSample } from '../views/browser.js'
import {
  createCollectionDirectory,
  createRecords,
  hasCollection,
  readCollection,
} from '../collection.js'
import { type Site, useBrowser } from './browser.js'

/** The title of a test, which says why it is skipped. */
export const ofCollection = (text: string): string =>
  hasCollection ? text : `${text} (skipped: COLLECTION_FILES is not set)`

const dataDir = hasCollection ? await createCollectionDirectory() : ''

/** For a `describe` block, whose tests are skipped where there is no collection. */
export function useCollection(): () => Site {
  before(function () {
    if (!hasCollection) this.skip()
  })
  return useBrowserWithCollection()
}

/** For a `describe` block: the sample, beside the collection where there is one. */
export function useSample(): () => Site {
  const site = useBrowserWithCollection({ SPARQL_WORKERS: '1' })
  before(() => loadSample(site().service))
  return site
}

function useBrowserWithCollection(env: Readonly<Record<string, string>> = {}): () => Site {
  const site = useBrowser({ ...env, ...(hasCollection && { DATA_DIR: dataDir }) })
  before(async () => {
    if (!hasCollection) return
    for (const kind of ['agents', 'repositories', 'zines', 'holdings'])
      await createRecords(site().service, kind, await readCollection(kind))
  })
  return site
}
