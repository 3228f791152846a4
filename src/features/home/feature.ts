// What this feature adds to the service.

import type { PartsOf } from '../../http/feature.js'
import { createVocabularyPages } from '../vocabularies/vocabulary.js'
import { siteEndpoints } from './about.js'
import { homePage } from './home.js'
import { privacyEndpoint } from './privacy.js'
import { homeRedirect, rootEndpoints } from './root.js'

type Parts = Omit<PartsOf<typeof rootEndpoints>, 'pages'> &
  PartsOf<typeof createVocabularyPages> &
  PartsOf<typeof homePage>

type SiteParts = {
  readonly siteFiles: PartsOf<typeof siteEndpoints>
  readonly assets: Parameters<typeof siteEndpoints>[1]
}

export const homeFeature = {
  name: 'home',
  api: (parts: Parts) =>
    rootEndpoints({
      ...parts,
      pages: { ...createVocabularyPages(parts), home: homePage(parts) },
    }),
  pages: ({ siteFiles, assets }: SiteParts) => [
    homeRedirect,
    privacyEndpoint(assets),
    ...siteEndpoints(siteFiles, assets),
  ],
}
